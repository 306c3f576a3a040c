"""Programs of `training/`, as the app starts them: each in a process of its own; free of Qt."""

from __future__ import annotations

import sys
from importlib import metadata, util


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
