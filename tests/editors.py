"""A writing area alone, and what a writer does in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.editor import Editor
from app.positions import to_index, to_utf16

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def open_editor(qtbot: QtBot) -> Editor:
    """An empty one, shown."""
    editor = Editor()
    qtbot.addWidget(editor)
    editor.resize(900, 600)
    editor.show()
    return editor


def put(editor: Editor, text: str) -> None:
    """Set the text, with the caret at `|`."""
    before, after = text.split("|")
    editor.setPlainText(before + after)
    cursor = editor.textCursor()
    cursor.setPosition(to_utf16(before, len(before)))
    editor.setTextCursor(cursor)


def shown(editor: Editor) -> str:
    """The text, with `|` at the caret."""
    text = editor.text()
    at = to_index(text, editor.textCursor().position())
    return text[:at] + "|" + text[at:]


def take(editor: Editor, word: str) -> bool:
    return editor.take(word, editor.context())


def press(editor: Editor, keys: str) -> None:
    for key in keys:
        if key == "\n":
            QTest.keyClick(editor, Qt.Key.Key_Return)
        elif key == "⌫":
            QTest.keyClick(editor, Qt.Key.Key_Backspace)
        else:
            QTest.keyClicks(editor, key)
