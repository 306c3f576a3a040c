"""Programs of `training/`, as the app starts them: each in a process of its own; free of Qt."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from importlib import metadata, util
from typing import Any

from app.frozen import is_frozen
from app.translation import marked, tr

TITLES = {
    "wait": marked("Waiting for another Foretype"),
    "download": marked("Downloading"),
    "verify": marked("Checking the download"),
    "convert": marked("Reading the weights"),
    "corpus": marked("Reading your texts"),
    "load": marked("Loading the model"),
    "train": marked("Training"),
    "memory": marked("Memory ran out; going on in smaller portions"),
    "merge": marked("Putting the model together"),
    "export": marked("Building the model for the editor"),
    "check": marked("Checking the model"),
    "evaluate": marked("Comparing it with the old one"),
    "publish": marked("Putting it in place"),
    "kept": marked("Installed already"),
}


@dataclass(frozen=True, slots=True)
class Stage:
    """How far a program is with one part of its work; `total` is 0 where that is unknown."""

    name: str
    done: int
    total: int
    message: str

    @property
    def title(self) -> str:
        """The stage in the user's words."""
        return tr(TITLES[self.name]) if self.name in TITLES else self.name.capitalize()


def said_in(line: str) -> dict[str, Any]:
    """The object that a program printed on one line; empty if the line is not its own."""
    try:
        said: Any = json.loads(line)
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}


def stage_in(said: dict[str, Any]) -> Stage | None:
    """The stage that is told; None if something else is."""
    if "stage" not in said:
        return None
    done, total = (int(said.get(key) or 0) for key in ("done", "total"))
    return Stage(str(said["stage"]), done, total, str(said.get("message") or ""))


class MissingLibrary(RuntimeError):
    """What training needs is not installed; the message is one line that says how to get it."""


def command_of(module: str) -> list[str]:
    """The program and first arguments that run `training.MODULE`, in any folder."""
    # -P: a folder named `training` where the user happens to stand is not ours.
    return [sys.executable, "-P", "-m", f"training.{module}"]


def torch_command() -> list[str] | None:
    """The command that installs what only training needs; None if it is there already."""
    if util.find_spec("torch") is not None:
        return None
    if is_frozen():  # in a clone; nothing can be added to a file
        return ["pipx", "install", ".[train]"]
    wanted = [
        line.partition(";")[0].strip()
        for line in metadata.requires("foretype") or []
        if "extra" in line.partition(";")[2] and "train" in line.partition(";")[2]
    ]
    return [sys.executable, "-m", "pip", "install", *wanted]


def require_torch() -> None:
    """Check that training can run at all.

    Raises:
        MissingLibrary: it cannot.
    """
    import shlex

    if command := torch_command():
        raise MissingLibrary(
            "training needs PyTorch, which is not installed (it takes 1 to 3 GB); install it "
            f"with: {shlex.join(command)}"
        )
