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
from app.translation import tr

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMenu

    from app.window import Window

Key = QKeySequence.StandardKey


def fill_edit(menu: QMenu, window: Window) -> None:
    """Fill the Edit menu."""
    editor = window.editor
    undo, redo = fill(menu, [
        Item(tr("&Undo"), editor.undo, (Key.Undo,), repeats=True),
        Item(tr("&Redo"), editor.redo, (Key.Redo,), repeats=True),
    ])  # fmt: skip
    cut, copy, _, _ = fill(menu, [
        None,
        Item(tr("Cu&t"), editor.cut, (Key.Cut,)),
        Item(tr("&Copy"), editor.copy, (Key.Copy,)),
        Item(tr("&Paste"), editor.paste, (Key.Paste,), repeats=True),
        Item(tr("Select &All"), editor.selectAll, (Key.SelectAll,)),
    ])  # fmt: skip
    fill(menu, [
        None,
        Item(tr("&Find…"), partial(_find, window, replaces=False), (Key.Find,)),
        Item(tr("Find &Next"), partial(window.find_bar.step, 1), ("F3",), repeats=True),
        Item(tr("Find Pre&vious"), partial(window.find_bar.step, -1), ("Shift+F3",), repeats=True),
        Item(tr("R&eplace…"), partial(_find, window, replaces=True), ("Ctrl+H",)),
        Item(tr("&Go to Line…"), partial(_go_to_line, window), ("Ctrl+G",)),
        None,
        Item(tr("&Settings…"), partial(_show_settings, window), ("Ctrl+,",)),
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
        window, tr("Go to Line"), tr("Line (1 to {last:,}):", last=last), now, 1, last
    )
    if agreed:
        editor.setTextCursor(QTextCursor(editor.document().findBlockByNumber(number - 1)))
        editor.show_caret_clear()
        editor.setFocus()
