"""`foretype corpus`: let `training.corpus` have the terminal."""

from __future__ import annotations

from pathlib import Path

from app import models, paths
from app.commands.train import hand_over
from app.training_process import command_of
from model.bundle import CARD


def run(texts: list[str], options: list[str], model: str | None) -> int:
    """Show what a training would learn from, and return the exit code: 0, 1, or 130."""
    name = model or models.base()
    if (Path(name) / CARD).is_file() or name in models.catalogue().names() or model:
        options = [*options, "--root", str(paths.models()), "--model", name]
    return hand_over([*command_of("corpus"), *options, "--", *texts])
