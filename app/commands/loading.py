"""The model a command works with: found, or installed with progress on stderr, then loaded."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from app import models, paths
from app.installing import Finished, run_install
from model.known_models import KNOWN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from app.training_process import Stage
    from model.bundle import Bundle
    from model.predictor import Predictor


def model_folder(reference: str | None) -> Path:
    """The folder of the model `reference` means, which is installed first if it is missing."""
    folder = models.find(reference)
    return folder or install(models.wanted(reference)).folder


def load_bundle(reference: str | None) -> Bundle:
    """Open the model `reference` means without starting it."""
    from model import bundle

    return bundle.load_bundle(model_folder(reference))


def load_predictor(reference: str | None) -> Predictor:
    """Start the model `reference` means."""
    folder = model_folder(reference)
    from model import predictor

    return predictor.load_predictor(folder)


def load_learning_predictor(reference: str | None) -> Predictor:
    """Start the model `reference` means with a memory that lasts as long as this process."""
    return models.load_learning(model_folder(reference), memory=None, blocklist=None)


def install(source: str, options: Iterable[str] = ()) -> Finished:
    """Install a model in a process of its own and show how far it is on stderr."""
    seen: set[str] = set()
    known = KNOWN.get(source)

    def announce(step: Stage) -> None:
        """Say once what is about to be downloaded, and only if it is."""
        if known is not None and step.name == "download" and "download" not in seen:
            size = f"{known.download_bytes / 1e6:,.0f} MB, {known.licence}"
            print(f"Installing {known.title} ({size}), once.", file=sys.stderr)
        seen.add(step.name)

    if sys.stderr.isatty():
        return _install_with_bar(source, options, announce)

    def tell(step: Stage) -> None:
        is_first = step.name not in seen
        announce(step)
        if is_first and step.name != "kept":
            print(f"{step.title} …", file=sys.stderr, flush=True)

    return run_install(source, paths.models(), tell, options)


def _install_with_bar(
    source: str, options: Iterable[str], announce: Callable[[Stage], None]
) -> Finished:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("Starting")

        def tell(step: Stage) -> None:
            announce(step)
            bar.update(task, description=step.title, completed=step.done, total=step.total or None)

        return run_install(source, paths.models(), tell, options)
