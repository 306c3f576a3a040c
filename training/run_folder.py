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
import io
import json
import os
import platform
import sys
import time
from importlib import metadata
from typing import TYPE_CHECKING, Any

import torch

from model.files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FILES = ("run.json", "corpus.json", "train.tokens", "held.tokens", "held.jsonl", "tokenizer.json",
         "log.jsonl", "state.pt", "result.json")  # fmt: skip
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
        """Make the folder and note what was asked for."""
        self.path.mkdir(parents=True, exist_ok=True)
        noted = {"request": request, "environment": environment(), "started": _now()}
        write_atomically(self.path / "run.json", json.dumps(noted, indent=2) + "\n")

    @contextlib.contextmanager
    def hold(self) -> Iterator[None]:
        """Keep other trainings out, as long as this process lives; under `torchrun`, all but one.

        Raises:
            RunError: another process trains here.
        """
        from filelock import FileLock, Timeout

        if os.environ.get("RANK", "0") != "0":
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

    def clear(self) -> None:
        """Delete what an earlier run left; other files stay."""
        for name in FILES:
            (self.path / name).unlink(missing_ok=True)

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
        try:
            request: dict[str, Any] = json.loads((self.path / "run.json").read_bytes())["request"]
        except (OSError, ValueError, KeyError):
            return None
        return request

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
        torch.save(state, buffer)
        write_atomically(self._state, buffer.getvalue())

    def load_state(self, device: torch.device) -> dict[str, Any] | None:
        """The last checkpoint; None if there is none.

        Raises:
            RunError: it is damaged.
        """
        if not self._state.is_file():
            return None
        try:
            state: dict[str, Any] = torch.load(self._state, map_location=device, weights_only=True)
        except Exception as err:  # torch raises whatever its pickle reader meets
            raise RunError(
                f"{self._state} is damaged ({type(err).__name__}); delete it to begin again"
            ) from err
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
