"""Focus mode: the paragraph at hand is clear, the others step back, and the caret keeps its height.

Nothing in the text is changed: the others are veiled with the colour of the paper.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Slot
from PySide6.QtGui import QColor, QPainter, QPaintEvent

from app.page import Page

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

VEIL = 0.5  # of the paper's colour: ink under it keeps a contrast of 3:1 in both themes


class FocusPage(Page):
    """A page that can concentrate on one paragraph."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_focused = False
        self.cursorPositionChanged.connect(self._keep_height)
        self.textChanged.connect(self._keep_height)

    def set_focus_mode(self, is_on: bool) -> None:
        """Begin or end it."""
        if is_on != self._is_focused:
            self._is_focused = is_on
            self.setCenterOnScroll(is_on)
            self._keep_height()
            self.viewport().update()

    @Slot()
    def _keep_height(self) -> None:
        if self._is_focused:
            self.viewport().update()  # another paragraph may be the one at hand
            if not self.textCursor().hasSelection():  # or selecting would run away
                self.centerCursor()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the text, then the veil above and below the paragraph at hand."""
        super().paintEvent(event)
        if not self._is_focused:
            return
        cursor, sheet = self.textCursor(), QRectF(self.viewport().rect())
        document = self.document()
        first, last = (
            self.blockBoundingGeometry(document.findBlock(at)).translated(self.contentOffset())
            for at in (cursor.selectionStart(), cursor.selectionEnd())
        )
        veil = QColor(self.palette().base().color())
        veil.setAlphaF(VEIL)
        painter = QPainter(self.viewport())
        painter.fillRect(QRectF(0, 0, sheet.width(), max(0.0, first.top())), veil)
        painter.fillRect(QRectF(0, last.bottom(), sheet.width(), sheet.height()), veil)
