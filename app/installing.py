"""Installing a model in a process of its own, seen from the app; free of Qt.

Training code is never imported here: `install_command` is what to start (with `subprocess` or
`QProcess`), and `parse_line` what each line it prints means.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections import deque
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

STAGES = {
    "wait": "Waiting for another Foretype",
    "download": "Downloading",
    "verify": "Checking the download",
    "convert": "Reading the weights",
    "export": "Building the graph",
    "check": "Checking the model",
    "publish": "Putting it in place",
    "kept": "Installed already",
}


STOPPED = "the installation was stopped; install again and it goes on from there"


class InstallError(RuntimeError):
    """An installation failed; the message is one line that says why and what to do.

    `is_unreachable` tells whether it was for want of a network.
    """

    def __init__(self, message: str, *, is_unreachable: bool = False) -> None:
        super().__init__(message)
        self.is_unreachable = is_unreachable


@dataclass(frozen=True, slots=True)
class Progress:
    """One step of an installation; `total` is 0 where the amount of work is unknown."""

    stage: str
    done: int
    total: int
    message: str

    @property
    def title(self) -> str:
        """The stage in the user's words."""
        return STAGES.get(self.stage, self.stage.capitalize())


@dataclass(frozen=True, slots=True)
class Finished:
    """The end of an installation that succeeded; not `is_new` if there was nothing to do."""

    name: str
    folder: Path
    is_new: bool = True


def install_command(source: str, root: Path, options: Iterable[str] = ()) -> list[str]:
    """The program and arguments that install `source` under `root`; run it in any folder."""
    # -P: a folder named `training` where the user happens to stand is not ours.
    start = [sys.executable, "-P", "-m", "training.install"]
    return [*start, source, "--root", str(root), "--json", *options]


def parse_line(line: str) -> Progress | Finished | None:
    """What one line of the process says; None for a line that is not its own.

    Raises:
        InstallError: the line reports a failure.
    """
    try:
        said: Any = json.loads(line)
    except ValueError:
        return None
    if not isinstance(said, dict):
        return None
    if "error" in said:
        raise InstallError(str(said["error"]), is_unreachable=bool(said.get("unreachable")))
    if "installed" in said:
        return Finished(str(said["installed"]), Path(str(said["folder"])))
    if "stage" not in said:
        return None
    return Progress(
        str(said["stage"]),
        int(said.get("done", 0)),
        int(said.get("total", 0)),
        str(said.get("message", "")),
    )


def run_install(
    source: str, root: Path, progress: Callable[[Progress], None], options: Iterable[str] = ()
) -> Finished:
    """Install `source` under `root` and return when it is there; an exception here ends it.

    Raises:
        InstallError: it failed, with the reason in one line.
    """
    process = subprocess.Popen(
        install_command(source, root, options),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        errors="replace",
    )
    complaints: deque[str] = deque(maxlen=20)
    reader = Thread(target=complaints.extend, args=(process.stderr,), daemon=True)
    reader.start()
    finished, is_new = None, True
    try:
        for line in cast("Iterable[str]", process.stdout):
            said = parse_line(line)
            if isinstance(said, Progress):
                is_new = is_new and said.stage != "kept"
                progress(said)
            elif said is not None:
                finished = replace(said, is_new=is_new)
        process.wait()
    except BaseException:
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(10)
        raise
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        reader.join(1)
        for pipe in (process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()
    if finished is None:
        if process.returncode < 0:  # by a signal: it had no time to say why
            raise InstallError(STOPPED)
        last = next((line.strip() for line in reversed(complaints) if line.strip()), "no reason")
        raise InstallError(f"the installation of {source} ended with {process.returncode}: {last}")
    return finished
