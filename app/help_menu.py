"""The Help menu, and the two windows of help."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMenu, QMessageBox

from app.menus import Item, fill
from app.shortcuts_dialog import ShortcutsDialog
from app.translation import marked, tr

if TYPE_CHECKING:
    from app.window import Window

ABOUT = marked(
    "A writing app that shows what a real GPT, running on this computer, expects next.\n\n"
    "Nothing you write leaves this computer.\n\n"
    "Foretype is free software under the Apache Licence 2.0. The writing face is Source Serif Pro "
    "by Frank Grießhammer, © Adobe, SIL Open Font Licence 1.1."
)


def _about(window: Window) -> None:
    QMessageBox.about(window, tr("About Foretype"), tr(ABOUT))


def fill_help(menu: QMenu, window: Window) -> None:
    """Fill the Help menu."""
    fill(menu, [
        Item(tr("&How Prediction Works"), window.teaching.explain),
        Item(tr("&What the Figures Mean"), window.probabilities.explain),
        Item(tr("&Keyboard Shortcuts"), partial(show_shortcuts, window), ("Ctrl+/",)),
        Item(tr("&About Foretype"), partial(_about, window)),
    ])  # fmt: skip


def show_shortcuts(window: Window) -> None:
    """List the keys, and let the writer change them."""
    ShortcutsDialog(window.shortcuts, window).exec()
