"""The menu bar: every feature, with its shortcut, where a newcomer finds it.

Each menu has a module; a new feature adds an `Item` there, a new panel `Window.add_panel`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.edit_menu import fill_edit
from app.file_menu import fill_file
from app.help_menu import fill_help
from app.menus import REFILLED
from app.model_menu import fill_model
from app.view_menu import fill_view
from app.words_menu import fill_words

if TYPE_CHECKING:
    from app.window import Window


def build(window: Window) -> None:
    """Fill the window's menu bar."""
    bar = window.menuBar()
    fill_file(bar.addMenu("&File"), window)
    fill_edit(bar.addMenu("&Edit"), window)
    fill_view(bar.addMenu("&View"), window)
    fill_words(bar.addMenu("&Words"), window)
    model = bar.addMenu("&Model")
    model.setProperty(REFILLED, True)
    model.aboutToShow.connect(lambda: fill_model(model, window))
    fill_model(model, window)
    fill_help(bar.addMenu("&Help"), window)
