"""Indenting lines, and taking it back."""

from __future__ import annotations

from PySide6.QtGui import QTextBlock, QTextCursor

INDENT = "\t"
SPACES = 4  # that one step back may take


def spans_lines(cursor: QTextCursor) -> bool:
    """Whether more than one line is selected."""
    return bool(_blocks(cursor)[1:])


def indent(cursor: QTextCursor) -> None:
    """Begin every selected line that is not empty with a tab, as one undo step."""
    cursor.beginEditBlock()
    for block in _blocks(cursor):
        if block.text().strip():
            QTextCursor(block).insertText(INDENT)
    cursor.endEditBlock()


def outdent(cursor: QTextCursor) -> None:
    """Take a tab, or up to four spaces, from the start of the selected lines or the caret's."""
    cursor.beginEditBlock()
    for block in _blocks(cursor):
        text = block.text()
        count = 1 if text.startswith(INDENT) else min(len(text) - len(text.lstrip(" ")), SPACES)
        if count:
            edit = QTextCursor(block)
            edit.setPosition(block.position() + count, QTextCursor.MoveMode.KeepAnchor)
            edit.removeSelectedText()
    cursor.endEditBlock()


def _blocks(cursor: QTextCursor) -> list[QTextBlock]:
    """The selected lines; one of which only the start is selected does not count."""
    document, end = cursor.document(), cursor.selectionEnd()
    block, blocks = document.findBlock(cursor.selectionStart()), list[QTextBlock]()
    while block.isValid() and (block.position() < end or not blocks):
        blocks.append(block)
        block = block.next()
    return blocks
