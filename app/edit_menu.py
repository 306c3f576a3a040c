"""The Edit menu."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QKeySequence

from app.menus import Item, fill

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMenu

    from app.window import Window

Key = QKeySequence.StandardKey


def fill_edit(menu: QMenu, window: Window) -> None:
    """Fill the Edit menu."""
    editor = window.editor
    undo, redo = fill(menu, [
        Item("&Undo", editor.undo, (Key.Undo,)),
        Item("&Redo", editor.redo, (Key.Redo,)),
    ])  # fmt: skip
    cut, copy, _, _ = fill(menu, [
        None,
        Item("Cu&t", editor.cut, (Key.Cut,)),
        Item("&Copy", editor.copy, (Key.Copy,)),
        Item("&Paste", editor.paste, (Key.Paste,)),
        Item("Select &All", editor.selectAll, (Key.SelectAll,)),
    ])  # fmt: skip
    for action, signal in (
        (undo, editor.undoAvailable), (redo, editor.redoAvailable),
        (cut, editor.copyAvailable), (copy, editor.copyAvailable),
    ):  # fmt: skip
        action.setEnabled(False)
        signal.connect(action.setEnabled)
