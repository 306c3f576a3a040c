"""Opening whole windows in tests, and closing them without a question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QAction
from scripted_engine import ScriptedEngine

from app import paths
from app.prediction import PredictionController
from app.settings import Settings, load_settings
from app.window import Window

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def open_window(qtbot: QtBot, settings: Settings | None = None) -> Window:
    """A window without a model, with the user's settings."""
    settings = settings or load_settings(paths.settings())
    window = Window(PredictionController(ScriptedEngine().load), settings)
    qtbot.addWidget(window, before_close_func=unchanged)
    window.show()
    return window


def unchanged(window: Window) -> None:
    """Let the window close without a question."""
    for sheet in window.desk.sheets:
        sheet.paper.setModified(False)


def action(window: Window, name: str) -> QAction:
    """The action of a menu item, by its name in the settings: "Save &As…" is `save-as`."""
    found = window.findChild(QAction, name)
    assert isinstance(found, QAction), name
    return found
