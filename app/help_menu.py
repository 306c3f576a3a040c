"""The Help menu, and the two windows of help."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMenu, QMessageBox

from app.menus import Item, fill
from app.shortcuts_dialog import ShortcutsDialog

if TYPE_CHECKING:
    from app.window import Window

ABOUT = (
    "A writing app that shows what a real GPT, running on this computer, expects next.\n\n"
    "Nothing you write leaves this computer.\n\n"
    "Foretype is free software under the Apache Licence 2.0. The writing face is Source Serif Pro "
    "by Frank Grießhammer, © Adobe, SIL Open Font Licence 1.1."
)


def fill_help(menu: QMenu, window: Window) -> None:
    """Fill the Help menu."""
    fill(menu, [
        Item("&How Prediction Works", window.teaching.explain),
        Item("&What the Figures Mean", window.probabilities.explain),
        Item("&Keyboard Shortcuts", partial(show_shortcuts, window), ("Ctrl+/",)),
        Item("&About Foretype", lambda: QMessageBox.about(window, "About Foretype", ABOUT)),
    ])  # fmt: skip


def show_shortcuts(window: Window) -> None:
    """List the keys, and let the writer change them."""
    ShortcutsDialog(window.shortcuts, window).exec()
