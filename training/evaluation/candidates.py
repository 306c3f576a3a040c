"""Which models to compare, and what they are called."""

from __future__ import annotations

import contextlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from model.bundle import CARD, load_bundle
from model.installed import Installed, look_at
from model.model_names import CatalogueError
from training.evaluation.sample import EvaluationError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from model.catalogue import Catalogue

PERSONAL = "personal"  # what `foretype train` calls a model when nobody says otherwise


@dataclass(frozen=True, slots=True)
class Candidates:
    """Model folders, the first is what the others are compared with, and their names.

    `names` is None for a model before and after its training.  `run` is the folder of that
    training, if it is known.
    """

    folders: tuple[Path, ...]
    names: tuple[str, ...] | None
    run: Path | None = None


def find(references: Sequence[str], catalogue: Catalogue) -> Candidates:
    """The models meant by names, `NAME@VERSION` or folders; by nothing, the last one trained.

    Raises:
        CatalogueError, BundleError: one of them is not installed, or cannot be used.
        EvaluationError: nothing is said, and nothing was trained.
    """
    if not references:
        return _last_trained(catalogue)
    folders = [_folder(reference, catalogue) for reference in references]
    for folder in folders:
        load_bundle(folder)
    names = [Path(r).name if _is_path(r) else r for r in references]
    trained = look_at(names[-1], folders[-1])
    if len(folders) == 2 and _base(trained, catalogue) == folders[0]:
        return Candidates(tuple(folders), None, _run(trained, catalogue))
    return Candidates(tuple(folders), tuple(names), _run(trained, catalogue))


def _last_trained(catalogue: Catalogue) -> Candidates:
    """The selected model, or else the personal one, and what it was trained from."""
    for name in dict.fromkeys((catalogue.selected(), PERSONAL)):
        if name is None or name not in catalogue.names():
            continue
        entry = look_at(name, catalogue.folder(name))
        if entry.trained:
            if entry.trained.get("base") is None:  # from scratch
                return Candidates((entry.folder,), (name,), _run(entry, catalogue))
            base = _base(entry, catalogue)
            if base is None:
                raise EvaluationError(
                    f"{name} was trained from {entry.trained.get('base')!r}, which is not "
                    "installed any more; name the models to compare with --model"
                )
            return Candidates((base, entry.folder), None, _run(entry, catalogue))
    raise EvaluationError(
        "there is no personal model to evaluate yet; make one with `foretype train`, or name "
        "the models to compare with --model"
    )


def _base(entry: Installed, catalogue: Catalogue) -> Path | None:
    """The folder of the model that this one was trained from, if it is still there."""
    base, version = (entry.trained.get(key) for key in ("base", "base_version"))
    if not isinstance(base, str):
        return None
    if _is_path(base):
        return Path(base) if (Path(base) / CARD).is_file() else None
    for reference in (f"{base}@{version}", base):
        with contextlib.suppress(CatalogueError):
            return catalogue.folder(reference)
    return None


def _run(entry: Installed, catalogue: Catalogue) -> Path | None:
    """The folder of the training that made this version, if it is where trainings are kept."""
    for result in (catalogue.root.parent / "training").glob("*/result.json"):
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            if json.loads(result.read_bytes())["version"] == entry.version:
                return result.parent
    return None


def _folder(reference: str, catalogue: Catalogue) -> Path:
    return Path(reference) if _is_path(reference) else catalogue.folder(reference)


def _is_path(reference: str) -> bool:
    return "/" in reference or os.sep in reference or (Path(reference) / CARD).is_file()
