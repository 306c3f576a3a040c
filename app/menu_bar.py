"""The menu bar: every feature, with its shortcut, where a newcomer finds it.

Each menu has a module; a new feature adds an `Item` there, a new panel `Window.add_panel`.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMenu

from app.edit_menu import fill_edit
from app.file_menu import fill_file
from app.help_menu import fill_help
from app.menus import Item, fill
from app.view_menu import fill_view
from app.words_menu import fill_words

if TYPE_CHECKING:
    from app.recovery import Orphan
    from app.window import Window


def build(window: Window) -> None:
    """Fill the window's menu bar."""
    bar = window.menuBar()
    fill_file(bar.addMenu("&File"), window)
    fill_edit(bar.addMenu("&Edit"), window)
    fill_view(bar.addMenu("&View"), window)
    fill_words(bar.addMenu("&Words"), window)
    model = bar.addMenu("&Model")
    model.aboutToShow.connect(lambda: window.models.fill(model))
    window.models.fill(model)
    fill_help(bar.addMenu("&Help"), window)


def offer_recovered(window: Window, orphans: list[Orphan]) -> None:
    """List texts of other crashed windows in the File menu."""
    if not orphans:
        return
    menu = QMenu("&Recovered Texts", window)
    for orphan in orphans:
        first_line = orphan.unsaved.text.strip().split("\n")[0][:40]
        name = orphan.unsaved.path.name if orphan.unsaved.path else "Untitled"
        fill(menu, [Item(f"{name}: {first_line}", partial(_restore, window, menu, orphan))])
    file = window.menuBar().actions()[0].menu()
    if isinstance(file, QMenu):
        file.insertMenu(file.actions()[3], menu)


def _restore(window: Window, menu: QMenu, orphan: Orphan) -> None:
    if window.filing.may_discard():
        window.filing.restore(orphan)
        menu.setDisabled(True)
