"""Ghost text: what all but certainly comes next, painted grey after the caret.

It is never in the document, so neither undo nor saving, counting or predicting ever sees it.  It
belongs to one place in one state of the text and is gone as soon as either is another, unless it is
told anew.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QPointF, Qt, QTimer, Slot
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent

from app import theme
from app.focus import FocusPage
from app.translation import tr

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QWidget

Pieces = tuple[str, ...]

ANNOUNCED_AFTER_MS = 600  # unchanged; a screen reader would not keep up with every letter
_WORD = re.compile(r"\s*\S+")


def rest_after(pieces: Pieces, written: str) -> Pieces:
    """What is left of `pieces` once `written` is in the text; nothing if it says otherwise."""
    if not "".join(pieces).startswith(written):
        return ()
    left, skipped = [], len(written)
    for piece in pieces:
        left.append(piece[skipped:])
        skipped = max(0, skipped - len(piece))
    return tuple(piece for piece in left if piece)


def fold(text: str, metrics: QFontMetricsF, rooms_px: list[float]) -> list[str]:
    """`text` broken into lines with this much room each, the last one elided if need be."""
    rows = [""]
    for word in _WORD.findall(text):
        longer = rows[-1] + word
        if metrics.horizontalAdvance(longer) <= rooms_px[len(rows) - 1]:
            rows[-1] = longer
        elif len(rows) < len(rooms_px):
            rows.append(word.lstrip())
        else:
            rows[-1] = metrics.elidedText(longer, Qt.TextElideMode.ElideRight, rooms_px[-1])
            break
    return rows


class GhostPage(FocusPage):
    """A page that can show ghost text at its caret."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tab_takes = True  # ghost text, or the first word where there is none
        self._pieces: Pieces = ()
        self._place_of_ghost = self._place()
        self._announcing = QTimer(self)
        self._announcing.setSingleShot(True)
        self._announcing.setInterval(ANNOUNCED_AFTER_MS)
        self._announcing.timeout.connect(self._announce)

    @property
    def ghost(self) -> Pieces:
        """The ghost text on screen: the rest of a word, then words with the space before each."""
        is_here = self._place() == self._place_of_ghost and not self.textCursor().hasSelection()
        return self._pieces if is_here else ()

    def set_ghost(self, pieces: Pieces) -> None:
        """Show `pieces` at the caret where it is now; none remove what is there."""
        self._place_of_ghost = self._place()
        if pieces or self._pieces:
            self._pieces = pieces
            self._announcing.start()
            self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the text, then the ghost text."""
        super().paintEvent(event)
        if self.ghost:
            painter = QPainter(self.viewport())
            painter.setFont(self.font())
            painter.setPen(theme.ghost_colour(self.palette()))
            for baseline, text in self._ghost_lines():
                painter.drawText(baseline, text)

    def _ghost_lines(self) -> Iterator[tuple[QPointF, str]]:
        """Where to write which part: on in the caret's line, and below it if nothing is there."""
        cursor = self.textCursor()
        block, index = cursor.block(), cursor.positionInBlock()
        line = block.layout().lineForTextPosition(index)
        if not line.isValid():
            return
        corner = self.blockBoundingGeometry(block).translated(self.contentOffset()).topLeft()
        x_px, _ = cast("tuple[float, int]", line.cursorToX(index))
        start = QPointF(x_px, line.y() + line.ascent()) + corner
        step_px = max(line.height(), self.paper.roomy.line_height_px)
        width_px = float(self.viewport().width())
        rooms_px = [width_px - start.x()]
        is_free = not block.next().isValid() or not block.next().text().strip()
        if is_free and start.y() + step_px < self.viewport().height():
            rooms_px.append(width_px)
        metrics = QFontMetricsF(self.font())
        for row, text in enumerate(fold("".join(self.ghost), metrics, rooms_px)):
            yield QPointF(corner.x() if row else start.x(), start.y() + row * step_px), text

    def _place(self) -> tuple[int, int]:
        return self.document().revision(), self.textCursor().position()

    @Slot()
    def _announce(self) -> None:
        text = "".join(self.ghost).strip()
        keys = (
            tr("Tab takes it, Ctrl+Right one word")
            if self.tab_takes
            else tr("Ctrl+Right takes a word")
        )
        said = tr("Suggested: {text}. {keys}.", text=text, keys=keys) if text else ""
        if said != self.accessibleDescription():
            self.setAccessibleDescription(said)
