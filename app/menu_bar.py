"""The menu bar: every feature, with its shortcut, where a newcomer finds it.

Each menu has a module; a new feature adds an `Item` there, a new panel `Window.add_panel`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QMenu, QMenuBar

from app.edit_menu import fill_edit
from app.file_menu import fill_file
from app.help_menu import fill_help
from app.menus import REFILLED
from app.model_menu import fill_model
from app.translation import tr
from app.view_menu import fill_view
from app.words_menu import fill_words

if TYPE_CHECKING:
    from app.window import Window


class Escape(QObject):
    """Lets Esc in an open menu give the keyboard back.

    Qt's menus close, but leave it with the menu bar, so that the next letters open menus.
    """

    def __init__(self, bar: QMenuBar) -> None:
        super().__init__(bar)
        self._bar = bar
        for top in bar.actions():
            if isinstance(menu := top.menu(), QMenu):
                menu.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Close the menu; if the bar has the keyboard, let it, too, know of the key."""
        is_escape = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
        if not (is_escape and event.type() == QEvent.Type.KeyPress and isinstance(watched, QMenu)):
            return False
        watched.hide()
        if self._bar.hasFocus():
            QCoreApplication.sendEvent(self._bar, event)
        return True


def build(window: Window) -> None:
    """Fill the window's menu bar."""
    bar = window.menuBar()
    fill_file(bar.addMenu(tr("&File")), window)
    fill_edit(bar.addMenu(tr("&Edit")), window)
    fill_view(bar.addMenu(tr("&View")), window)
    fill_words(bar.addMenu(tr("&Words")), window)
    model = bar.addMenu(tr("&Model"))
    model.setProperty(REFILLED, True)
    model.aboutToShow.connect(lambda: fill_model(model, window))
    fill_model(model, window)
    fill_help(bar.addMenu(tr("&Help")), window)
    Escape(bar)
