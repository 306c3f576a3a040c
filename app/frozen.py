"""The one-file build is its own Python: it runs the programs of `training/` that it holds."""

from __future__ import annotations

import runpy
import sys
from importlib import util
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

AS_PYTHON = ["-P", "-m"]


def is_frozen() -> bool:
    """Whether this is the one-file build."""
    return bool(getattr(sys, "frozen", False))


def run_module(arguments: Sequence[str]) -> int:
    """Do what `python -P -m NAME …` would, where `arguments` are those after the program."""
    name = arguments[len(AS_PYTHON)]
    if util.find_spec(name) is None:
        print(
            f"this one-file build of Foretype cannot run {name}; install Foretype with pipx "
            f"(docs/packaging.md) to train and compare models",
            file=sys.stderr,
        )
        return 1
    sys.argv = [name, *arguments[len(AS_PYTHON) + 1 :]]
    runpy.run_module(name, run_name="__main__", alter_sys=True)
    return 0
