"""`foretype train`: check what it takes, then let `training.train` have the terminal."""

from __future__ import annotations

import os
import subprocess
import sys

from app import models, paths
from app.commands import loading
from app.training_process import command_of, require_torch


def run(texts: list[str], options: list[str]) -> int:
    """Train on files and folders and return the exit code: 0, 1, or 130 if it was interrupted."""
    require_torch()
    if "--from-scratch" not in options:
        base = options[options.index("--base") + 1] if "--base" in options else models.base()
        loading.model_folder(base)
        options = [*options, *(() if "--base" in options else ("--base", base))]
    start = command_of("train")
    return hand_over([*start, *texts, "--root", str(paths.models()), *options])


def hand_over(command: list[str]) -> int:
    """Run a command in this one's place: the terminal, its keys and the exit code are its own.

    On POSIX systems this does not return.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    if os.name == "posix":
        os.execv(command[0], command)
    with subprocess.Popen(command) as process:
        while True:
            try:
                return process.wait()
            except KeyboardInterrupt:  # Windows tells both: the other one saves its work and ends
                continue
