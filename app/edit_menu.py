"""The Edit menu."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QKeySequence, QTextCursor
from PySide6.QtWidgets import QInputDialog

from app import help_menu
from app.dictionaries import languages
from app.menus import Item, fill
from app.settings_dialog import SettingsDialog

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMenu

    from app.window import Window

Key = QKeySequence.StandardKey


def fill_edit(menu: QMenu, window: Window) -> None:
    """Fill the Edit menu."""
    editor = window.editor
    undo, redo = fill(menu, [
        Item("&Undo", editor.undo, (Key.Undo,), repeats=True),
        Item("&Redo", editor.redo, (Key.Redo,), repeats=True),
    ])  # fmt: skip
    cut, copy, _, _ = fill(menu, [
        None,
        Item("Cu&t", editor.cut, (Key.Cut,)),
        Item("&Copy", editor.copy, (Key.Copy,)),
        Item("&Paste", editor.paste, (Key.Paste,), repeats=True),
        Item("Select &All", editor.selectAll, (Key.SelectAll,)),
    ])  # fmt: skip
    fill(menu, [
        None,
        Item("&Find…", partial(_find, window, replaces=False), (Key.Find,)),
        Item("Find &Next", partial(window.find_bar.step, 1), ("F3",), repeats=True),
        Item("Find Pre&vious", partial(window.find_bar.step, -1), ("Shift+F3",), repeats=True),
        Item("R&eplace…", partial(_find, window, replaces=True), ("Ctrl+H",)),
        Item("&Go to Line…", partial(_go_to_line, window), ("Ctrl+G",)),
        None,
        Item("&Settings…", partial(_show_settings, window), ("Ctrl+,",)),
    ])  # fmt: skip
    for action, signal in (
        (undo, editor.undoAvailable), (redo, editor.redoAvailable),
        (cut, editor.copyAvailable), (copy, editor.copyAvailable),
    ):  # fmt: skip
        action.setEnabled(False)
        signal.connect(action.setEnabled)


def _find(window: Window, *, replaces: bool) -> None:
    selected = window.editor.textCursor().selectedText()
    is_one_line = "\u2029" not in selected
    window.find_bar.open_for(selected if is_one_line else "", replaces=replaces)


def _show_settings(window: Window) -> None:
    show_shortcuts = partial(help_menu.show_shortcuts, window)
    SettingsDialog(window.preferences, languages(), show_shortcuts, window).exec()


def _go_to_line(window: Window) -> None:
    editor = window.editor
    now, last = editor.textCursor().blockNumber() + 1, editor.blockCount()
    number, agreed = QInputDialog.getInt(
        window, "Go to Line", f"Line (1 to {last:,}):", now, 1, last
    )
    if agreed:
        editor.setTextCursor(QTextCursor(editor.document().findBlockByNumber(number - 1)))
        editor.show_caret_clear()
        editor.setFocus()
