"""The folder of one training: its settings, data, log and last state.

Files:
    run.json           what was asked for, and the versions of everything that takes part
    train.tokens, held.tokens   what is learnt from, and what is kept back to measure with
    held.jsonl         the kept-back documents as text, for `foretype evaluate`
    tokenizer.json     what made the tokens
    corpus.json        how much text there was
    log.jsonl          one JSON object per step
    state.pt           the last checkpoint, with which the run goes on after a kill
    result.json        how it ended
"""

from __future__ import annotations

import contextlib
import errno
import io
import json
import platform
import sys
import time
from importlib import metadata
from typing import TYPE_CHECKING, Any

import torch

from model.files import write_atomically
from training.command import is_first

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FILES = ("run.json", "corpus.json", "train.tokens", "held.tokens", "held.jsonl", "tokenizer.json",
         "log.jsonl", "state.pt", "result.json")  # fmt: skip
STATE_FORMAT = 1  # another one for every change of what a checkpoint holds
PACKAGES = ("torch", "numpy", "onnx", "onnxruntime", "tiktoken", "foretype")


class RunError(ValueError):
    """A run folder that cannot be used; the message says what to do."""


class RunFolder:
    """Files of one training under `path`, each written whole or not at all."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.train_tokens = path / "train.tokens"
        self.held_tokens = path / "held.tokens"
        self.held_documents = path / "held.jsonl"
        self.tokenizer = path / "tokenizer.json"
        self._state = path / "state.pt"

    def begin(self, request: dict[str, Any]) -> None:
        """Make the folder, clear it of what an earlier run left, and note what was asked for.

        Raises:
            RunError: it cannot be made or written.
        """
        noted = {"request": request, "environment": environment(), "started": _now()}
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            for name in FILES:
                (self.path / name).unlink(missing_ok=True)
            write_atomically(self.path / "run.json", json.dumps(noted, indent=2) + "\n")
        except OSError as err:
            if err.errno in (errno.ENOSPC, errno.EDQUOT):
                raise
            raise RunError(
                f"{self.path} cannot keep a training ({err.strerror or err}); make it a folder "
                "that can be written, or name another one with --run"
            ) from err

    @contextlib.contextmanager
    def hold(self) -> Iterator[None]:
        """Keep other trainings out, as long as this process lives; under `torchrun`, all but one.

        Raises:
            RunError: another process trains here.
        """
        from filelock import FileLock, Timeout

        if not is_first():
            yield
            return
        try:
            lock = FileLock(self.path / ".lock", timeout=0)
            lock.acquire()
        except Timeout as err:
            raise RunError(
                f"this very training runs already, in {self.path}; wait for it to finish, or stop "
                "it and go on here"
            ) from err
        try:
            yield
        finally:
            lock.release()

    def note_corpus(self, figures: dict[str, Any]) -> None:
        """Keep how much text there was, for the model's card."""
        write_atomically(self.path / "corpus.json", json.dumps(figures, indent=2) + "\n")

    @property
    def corpus(self) -> dict[str, Any]:
        """How much text there was: `files`, `documents`, `words`."""
        try:
            figures: dict[str, Any] = json.loads((self.path / "corpus.json").read_bytes())
        except (OSError, ValueError):
            return {}
        return figures

    def read_held(self) -> list[str]:
        """The documents that were kept back."""
        lines = self.held_documents.read_text(encoding="utf-8").splitlines()
        return [json.loads(line)["text"] for line in lines]

    @property
    def request(self) -> dict[str, Any] | None:
        """What was asked for; None before `begin`."""
        request = self._noted().get("request")
        return request if isinstance(request, dict) else None

    @property
    def version(self) -> str:
        """The version of Foretype that began the run."""
        environment = self._noted().get("environment")
        return str(environment.get("foretype")) if isinstance(environment, dict) else "unknown"

    def _noted(self) -> dict[str, Any]:
        try:
            noted = json.loads((self.path / "run.json").read_bytes())
        except (OSError, ValueError):
            return {}
        return noted if isinstance(noted, dict) else {}

    @property
    def result(self) -> dict[str, Any] | None:
        """How the run ended; None while it can go on."""
        try:
            result: dict[str, Any] = json.loads((self.path / "result.json").read_bytes())
        except (OSError, ValueError):
            return None
        return result

    def finish(self, result: dict[str, Any]) -> None:
        """Note how the run ended, and drop the state that nobody needs any more."""
        noted = {**result, "finished": _now()}
        write_atomically(self.path / "result.json", json.dumps(noted, indent=2) + "\n")
        self._state.unlink(missing_ok=True)

    def begin_again(self) -> None:
        """Drop what was learnt, and from what; the same request reads its texts anew."""
        for path in (self.train_tokens, self.held_tokens, self.held_documents, self._state):
            path.unlink(missing_ok=True)

    def log(self, entry: dict[str, Any]) -> None:
        """Append one line to the log."""
        with (self.path / "log.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")

    def save_state(self, state: dict[str, Any]) -> None:
        """Replace the checkpoint."""
        buffer = io.BytesIO()
        torch.save({"format": STATE_FORMAT, **state}, buffer)
        write_atomically(self._state, buffer.getvalue())

    def load_state(self, device: torch.device) -> dict[str, Any] | None:
        """The last checkpoint; None if there is none.

        Raises:
            RunError: it is damaged, or another Foretype's.
        """
        if not self._state.is_file():
            return None
        try:
            state: dict[str, Any] = torch.load(self._state, map_location=device, weights_only=True)
        except Exception as err:  # torch raises whatever its pickle reader meets
            raise RunError(
                f"{self._state} is damaged ({type(err).__name__}); delete it to begin again"
            ) from err
        if state.pop("format", STATE_FORMAT) != STATE_FORMAT:
            raise RunError(
                f"{self._state} was written by Foretype {self.version}, and this one cannot go on "
                "from it; begin again with --fresh, or delete it"
            )
        return state


def environment() -> dict[str, str]:
    """Versions of what the result depends on."""
    found = {"python": sys.version.split()[0], "machine": platform.machine()}
    for name in PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = "unknown"
    if torch.cuda.is_available():
        found["gpu"] = torch.cuda.get_device_name()
    return found


def _now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
