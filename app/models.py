"""Which model folder the user means by a name, a path or nothing at all."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from app import paths
from model.bundle import CARD
from model.catalogue import Catalogue
from model.installed import look_at
from model.known_models import DEFAULT_MODEL, KNOWN

if TYPE_CHECKING:
    from model.predictor import Predictor


def catalogue() -> Catalogue:
    """The models of this user."""
    return Catalogue(paths.models())


def wanted(reference: str | None) -> str:
    """What to install when `find` finds nothing."""
    return reference or DEFAULT_MODEL


def find(reference: str | None) -> Path | None:
    """The folder of the model `reference` names; None if it must be installed first.

    A path means that folder, a name an installed model, and None the selected model, or else the
    default one, or else any that works.

    Raises:
        CatalogueError: no model of that name is installed or known.
    """
    models = catalogue()
    if reference is None:
        usable = [entry.name for entry in models.installed() if entry.problem is None]
        for name in (models.selected(), DEFAULT_MODEL, *usable):
            if name is not None and (name in usable or name == models.selected()):
                return models.folder(name)
        return None
    if _is_path(reference):
        return Path(reference)
    if reference in KNOWN and reference not in models.names():
        return None
    return models.folder(reference)


def base() -> str:
    """The model that a training begins with: the selected one, or what that was trained from."""
    models = catalogue()
    name = models.selected()
    while name and (trained := look_at(name, models.folder(name)).trained):
        earlier = str(trained.get("base"))
        if earlier == name or earlier not in models.names():
            break
        name = earlier
    return name or DEFAULT_MODEL


def name_of(folder: Path) -> str:
    """The catalogue's name of a model folder, or the folder's own."""
    folder = folder.resolve()
    is_installed = folder.is_relative_to(catalogue().root.resolve())
    return folder.parent.name if is_installed else folder.name


def load_learning(folder: Path, *, memory: Path | None, blocklist: Path | None) -> Predictor:
    """Start the model in `folder` with a memory and a block list; without a path, none that last.

    Both belong to the thread that calls this.

    Raises:
        BundleError, SessionError: the model cannot be used, and why.
    """
    from model.blocklist import BlockList
    from model.memory import Memory
    from model.ordinary import ordinary_words
    from model.predictor import load_predictor

    predictor = load_predictor(folder, blocklist=BlockList(blocklist))
    is_ordinary = ordinary_words(predictor.tokenizer)
    is_slip = predictor.doubts.is_slip
    predictor.offer.memory = Memory(memory, is_ordinary=is_ordinary, is_slip=is_slip)
    return predictor


def _is_path(reference: str) -> bool:
    return "/" in reference or os.sep in reference or (Path(reference) / CARD).is_file()
