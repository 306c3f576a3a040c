"""The Help menu, and the two windows of help."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMenu, QMessageBox

from app.menus import Item, actions_of, fill

if TYPE_CHECKING:
    from app.window import Window

KEYS_IN_TEXT = (
    ("Take the ghost text, or else the first suggestion", "Tab"),
    ("Take one word of the ghost text", "Ctrl+Right"),
    ("Hide suggestions until the next character", "Esc"),
)
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
        Item("&Keyboard Shortcuts", partial(_show_shortcuts, window), ("Ctrl+/",)),
        Item("&About Foretype", lambda: QMessageBox.about(window, "About Foretype", ABOUT)),
    ])  # fmt: skip


def _show_shortcuts(window: Window) -> None:
    native = QKeySequence.SequenceFormat.NativeText
    found = list(KEYS_IN_TEXT)
    for top in window.menuBar().actions():
        menu = top.menu()
        found += [
            (action.text().replace("&", ""), action.shortcut().toString(native))
            for action in (actions_of(menu) if isinstance(menu, QMenu) else ())
            if action.shortcuts()
        ]
    rows = "".join(
        f"<tr><td style='padding: 3px 48px 3px 0'>{text}</td>"
        f"<td style='padding: 3px 0'>{keys}</td></tr>"
        for text, keys in found
    )
    box = QMessageBox(
        QMessageBox.Icon.NoIcon, "Keyboard Shortcuts", f"<table cellspacing='0'>{rows}</table>"
    )
    box.setParent(window, box.windowFlags())
    box.exec()
