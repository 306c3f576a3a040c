"""`foretype evaluate`: let `training.evaluation` have the terminal."""

from __future__ import annotations

from app import paths
from app.commands.train import hand_over
from app.training_process import command_of


def run(texts: list[str], options: list[str]) -> int:
    """Compare models and return the exit code: 0, 1, or 130 if it was interrupted."""
    start = command_of("evaluation")
    return hand_over([*start, "--root", str(paths.models()), *options, "--", *texts])
