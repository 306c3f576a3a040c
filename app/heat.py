"""The heat map: behind each word, how surprising it was to the model.

It is painted under the text whenever the page is painted, for the lines that are painted, and is
no part of the document: undo, saving and the modified mark never see it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, Slot
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import QToolTip

from app.heat_scale import draw, step_of, steps

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QHelpEvent, QPaintEvent, QTextBlock, QTextLine

    from app.editor import Editor
    from app.reading import Reading
    from app.written_words import WrittenWord

KEPT_PARAGRAPHS = 400  # whose words are known without looking again
UNDER_BASELINE = 0.16  # of the face's ascent, where the line is drawn


class HeatMap(QObject):
    """Paints under the text of one editor while `is_on`."""

    def __init__(self, editor: Editor, reading: Reading, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.is_on = False
        self.tells = True  # a word's figures, where the pointer rests on it
        self._editor, self._reading = editor, reading
        self._words: dict[tuple[int, int, int], list[WrittenWord]] = {}
        self._version = -1
        editor.viewport().installEventFilter(self)
        reading.changed.connect(self._on_changed)

    def turn(self, is_on: bool) -> None:
        """Show or hide the heat map."""
        self.is_on = is_on
        self._reading.want("heat map", is_on)
        self._editor.viewport().update()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Paint before the page does; where the pointer rests, tell a word's figures."""
        if self.is_on and event.type() == QEvent.Type.Paint:
            self._paint(cast("QPaintEvent", event))
        elif self.is_on and self.tells and event.type() == QEvent.Type.ToolTip:
            return self._tell(cast("QHelpEvent", event))
        return False

    @Slot()
    def _on_changed(self) -> None:
        if self.is_on:
            self._editor.viewport().update()

    def _paint(self, event: QPaintEvent) -> None:
        viewport = self._editor.viewport()
        painter = QPainter(viewport)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setClipRegion(event.region())
        scale = steps(self._editor.palette())
        for step, room, line_y_px in self.places(QRectF(event.rect())):
            draw(painter, scale[step], room, line_y_px)
        painter.end()

    def places(self, visible: QRectF) -> Iterator[tuple[int, QRectF, float]]:
        """Where to paint which step between two heights: a room and the height of its line."""
        editor = self._editor
        block = editor.firstVisibleBlock()
        while block.isValid():
            place = editor.blockBoundingGeometry(block).translated(editor.contentOffset())
            if place.top() > visible.bottom():
                return
            if block.isVisible() and place.bottom() >= visible.top():
                yield from self._places_in(block, place.topLeft(), visible)
            block = block.next()

    def _places_in(
        self, block: QTextBlock, corner: QPointF, visible: QRectF
    ) -> Iterator[tuple[int, QRectF, float]]:
        layout = block.layout()
        lines = [layout.lineAt(i) for i in range(layout.lineCount())]
        lines = [
            line
            for line in lines
            if corner.y() + line.y() + line.height() >= visible.top()
            and corner.y() + line.y() <= visible.bottom()
        ]
        if not lines:
            return
        start = lines[0].textStart()
        end = lines[-1].textStart() + lines[-1].textLength()
        words = [
            (word, step)
            for word in self._words_between(block, start, end)
            if (step := step_of(self._reading.tokens.bits(word.tokens)))
        ]
        metrics = QFontMetricsF(self._editor.font())
        for line in lines:
            for word, step in words:
                yield from _on_line(line, word, step, block.position(), corner, metrics)

    def _words_between(self, block: QTextBlock, start: int, end: int) -> list[WrittenWord]:
        """The words of a part of a paragraph; looked for once as long as nothing changes."""
        if self._version != self._reading.version or len(self._words) > KEPT_PARAGRAPHS:
            self._version = self._reading.version
            self._words.clear()
        key = (block.position(), start, end)
        if key not in self._words:
            self._words[key] = self._reading.words(block.position() + start, block.position() + end)
        return self._words[key]

    def _tell(self, event: QHelpEvent) -> bool:
        word = self._reading.word_under(event.pos())
        figures = self._reading.figures(word) if word else None
        QToolTip.showText(event.globalPos(), figures.sentence if figures else "", self._editor)
        return True


def _on_line(
    line: QTextLine,
    word: WrittenWord,
    step: int,
    offset: int,
    corner: QPointF,
    metrics: QFontMetricsF,
) -> Iterator[tuple[int, QRectF, float]]:
    """The parts of a word that are on a line, if any; a long word may be broken.

    Where the glyphs stand is asked, not where the caret would: between two directions of writing
    a position has two places.
    """
    first = max(word.start - offset, line.textStart())
    last = min(word.end - offset, line.textStart() + line.textLength())
    if first >= last:
        return
    baseline = line.y() + line.ascent()
    rooms: list[QRectF] = []
    runs = (run.boundingRect() for run in line.glyphRuns(first, last - first))
    for run in sorted(runs, key=QRectF.left):
        room = QRectF(run.left(), baseline - metrics.ascent(), run.width(), metrics.height())
        if rooms and room.left() - rooms[-1].right() < 1:  # another face, or the other direction
            rooms[-1] |= room
        elif room.width() > 0:
            rooms.append(room)
    for room in rooms:
        under = baseline + UNDER_BASELINE * metrics.ascent()
        yield step, room.translated(corner), under + corner.y()
