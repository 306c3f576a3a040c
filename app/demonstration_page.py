"""The page of the demonstration: a copy of the text around the caret, with what is generated in it.

The writer's document is never touched: what is generated stands here only, marked as such, until it
is accepted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QTextCharFormat, QTextCursor

from app.page import Page
from app.positions import utf16_length
from app.translation import tr

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent, QTextDocument
    from PySide6.QtWidgets import QWidget

BEFORE_CHARACTERS, AFTER_CHARACTERS = 6_000, 2_000  # what is copied of a long text


class DemonstrationPage(Page):
    """A page that is read, not written on; the generated part has the model's colour."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._start_utf16 = self._end_utf16 = 0  # of what is generated
        self._generated = ""
        self._last = ""
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setTabChangesFocus(True)
        self.setAccessibleName(tr("Text with what is generated"))

    def show_around(self, document: QTextDocument, position_utf16: int) -> None:
        """Show the part of a document around a position, where what is generated will stand."""
        first = document.findBlock(max(0, position_utf16 - BEFORE_CHARACTERS))
        start = first.position() if first.blockNumber() else 0
        end = min(document.characterCount() - 1, position_utf16 + AFTER_CHARACTERS)
        cursor = QTextCursor(document)
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        self.setCurrentCharFormat(QTextCharFormat())  # else that of what was generated before
        self.setPlainText(cursor.selectedText())
        self._start_utf16 = self._end_utf16 = position_utf16 - start
        self._generated = self._last = ""
        self._show_end()

    def show_generated(self, text: str, last: str) -> None:
        """Let `text` stand at the position, in place of what stood there; `last` is its end."""
        self._generated, self._last = text, last
        cursor = self.textCursor()
        cursor.setPosition(self._start_utf16)
        cursor.setPosition(self._end_utf16, QTextCursor.MoveMode.KeepAnchor)
        old = text[: max(len(text) - len(last), 0)]
        cursor.insertText(old, self._style(is_last=False))
        cursor.insertText(text[len(old) :], self._style(is_last=True))
        self._end_utf16 = self._start_utf16 + utf16_length(text)
        self._show_end()
        self.setAccessibleDescription(
            tr("Generated: {text}", text=text) if text else tr("Nothing generated yet")
        )

    def _style(self, *, is_last: bool) -> QTextCharFormat:
        """Told apart by a dotted line as well as by the colour."""
        style = QTextCharFormat()
        style.setForeground(self.palette().accent())
        style.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DotLine)
        style.setUnderlineColor(self.palette().accent().color())
        if is_last:
            style.setBackground(self.palette().highlight())
        return style

    def _show_end(self) -> None:
        cursor = self.textCursor()
        cursor.setPosition(self._end_utf16)
        self.setTextCursor(cursor)
        self.ensureCursorVisible()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the end of what is generated in view."""
        super().resizeEvent(event)
        self.ensureCursorVisible()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme: formats keep the colours they were made with."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._generated:
            self.show_generated(self._generated, self._last)
