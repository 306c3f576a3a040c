"""What the writer asked to be trained on, kept on disk until it is done; free of Qt.

HOME/training/request.json   the request, while its training can go on
HOME/training/last.json      the texts of the last one, to begin with next time
HOME/training/TIME/…         the run folder of `python -m training.train`
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from app import models, paths
from app.personalise.protocol import Finished, Step, TrainingError, parse_line
from app.training_process import command_of
from model.files import write_atomically

NAME = "personal"
# Of other programs' share of a busy processor, training takes almost none.
NICENESS = 19

_TIME = "%Y%m%d-%H%M%S"
_RUN = re.compile(r"\d{8}-\d{6}")  # only folders named like this are ever deleted


@dataclass(frozen=True, slots=True)
class Request:
    """Texts to train on, the names of the author in chats and mail, and the model to begin with."""

    paths: tuple[str, ...]
    author: str = ""  # names with commas between them, as the writer gave them
    base: str = ""
    run: str = ""
    name: str = NAME

    def command(self) -> list[str]:
        """The program and arguments that train, or go on with it."""
        start = [*_gently(), *command_of("train"), *self.paths]
        options = ["--root", str(paths.models()), "--base", self.base, "--name", self.name]
        return [*start, *options, "--run", self.run, *self._authors(), "--json"]

    def reading_command(self) -> list[str]:
        """The program and arguments that tell what would be used."""
        counted = ["--root", str(paths.models()), "--model", self.base] if self.base else []
        start = [*_gently(), *command_of("corpus"), *self.paths]
        return [*start, *counted, *self._authors(), "--json"]

    def _authors(self) -> list[str]:
        names = [name.strip() for name in self.author.split(",")]
        return [word for name in names if name for word in ("--author", name)]

    def steps(self) -> list[Step]:
        """The steps taken so far, from the log of its run folder."""
        try:
            lines = (Path(self.run) / "log.jsonl").read_text(encoding="utf-8").splitlines()
            said = [parse_line(line) for line in lines]
        except (OSError, ValueError, TrainingError):
            return []
        return [step for step in said if isinstance(step, Step)]

    def result(self) -> Finished | None:
        """How its run ended; None while it can go on."""
        try:
            found = json.loads((Path(self.run) / "result.json").read_bytes())
            said = parse_line(json.dumps({"finished": found}))
        except (OSError, ValueError, KeyError):
            return None
        return said if isinstance(said, Finished) else None


def begin(texts: list[str], author: str) -> Request:
    """Note a new request, which takes the place of an earlier one and its run folder.

    Raises:
        OSError: the user's data folder cannot be written.
    """
    discard()
    run = paths.training() / time.strftime(_TIME)
    request = Request(tuple(texts), author, models.base(), str(run))
    run.mkdir(parents=True, exist_ok=True)
    for file in (_request_file(), _last_file()):
        write_atomically(file, json.dumps(asdict(request), indent=2) + "\n")
    return request


def unfinished() -> Request | None:
    """The request whose training was interrupted, or whose result is not decided on."""
    return _load(_request_file())


def last() -> Request | None:
    """The request made last."""
    return _load(_last_file())


def finish() -> None:
    """Note that the result is decided on; the run folder stays until the next one begins."""
    _request_file().unlink(missing_ok=True)


def discard() -> None:
    """Throw away what was trained and not finished, and the run folders of earlier trainings."""
    finish()
    with contextlib.suppress(OSError):
        for folder in paths.training().iterdir():
            if _RUN.fullmatch(folder.name):
                shutil.rmtree(folder, ignore_errors=True)


def _request_file() -> Path:
    return paths.training() / "request.json"


def _last_file() -> Path:
    return paths.training() / "last.json"


def _load(file: Path) -> Request | None:
    try:
        found: Any = json.loads(file.read_bytes())
        request = Request(**{**found, "paths": tuple(map(str, found["paths"]))})
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return request if all(isinstance(value, str) for value in request.paths) else None


def _gently() -> list[str]:
    """What starts a program so that typing stays fluent beside it."""
    if os.name == "posix" and shutil.which("nice"):
        return ["nice", "-n", str(NICENESS)]
    return []
