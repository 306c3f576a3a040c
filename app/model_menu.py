"""The Model menu: which model is at work, and how to get others, make one's own and go back."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QDateTime, QLocale

from app import models, translation
from app.menus import Item, choice, fill
from app.model_choice import title_of
from app.translation import tr

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMenu

    from app.window import Window
    from model.installed import Installed


def fill_model(menu: QMenu, window: Window) -> None:
    """Make the menu anew: what is installed may have changed."""
    menu.clear()
    installed = models.catalogue().installed()
    options = [(entry.name, title_of(entry.name)) for entry in installed]
    group = choice(menu, menu, options, window.models.name, window.models.use)
    for action, entry in zip(group.actions(), installed, strict=True):
        action.setEnabled(entry.problem is None)
        action.setToolTip(entry.problem or "")
    if not installed:
        menu.addAction(tr("No model installed")).setEnabled(False)
    menu.setToolTipsVisible(True)
    _fill_personal(menu, window)
    fill(menu, [
        None,
        Item(tr("&Install a Model…"), window.models.ask),
        Item(tr("&About This Model"), window.models.about),
    ])  # fmt: skip


def _fill_personal(menu: QMenu, window: Window) -> None:
    earlier = window.models.way_back()
    title = tr("&Go Back to the Earlier Model")
    if earlier is not None:
        is_other = earlier.name != window.models.name
        title = tr(
            "&Go Back to {model}",
            model=title_of(earlier.name) if is_other else _date(earlier),
        )
    _, back = fill(menu, [
        None,
        Item(tr("&Personalise…"), window.personalising.open),
        Item(title, window.models.go_back),
    ])  # fmt: skip
    back.setEnabled(earlier is not None)
    back.setToolTip(tr("Use the model of before again; the one at work stays on the disk"))
    versions = models.catalogue().versions(window.models.name) if window.models.is_installed else []
    if len(versions) > 1:
        name = window.models.name
        inner = menu.addMenu(tr("&Versions of {name}", name=title_of(name)))
        options = [(entry.version, _date(entry)) for entry in versions]
        choice(inner, inner, options, window.models.version, partial(_use_version, window, name))


def _use_version(window: Window, name: str, version: str) -> None:
    window.models.use(f"{name}@{version}")


def _date(entry: Installed) -> str:
    """When a version was made, in the writer's own time, such as `30 Nov 2026, 21:04`."""
    try:
        seconds = int(datetime.fromisoformat(entry.created).timestamp())
    except ValueError:
        return entry.version
    made = QDateTime.fromSecsSinceEpoch(seconds)
    return QLocale(translation.name()).toString(made, tr("d MMM yyyy, HH:mm"))
