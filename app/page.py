"""The sheet of paper: a centred column of generous lines.

QPlainTextEdit stays fast with ten megabytes (0.7 ms a key, where QTextEdit takes 70), but it has
no line height.  `RoomyLayout` gives it one by moving each paragraph's lines apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, QSizeF, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QFont,
    QFontInfo,
    QFontMetricsF,
    QMouseEvent,
    QTextBlock,
    QTextDocument,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QPlainTextDocumentLayout, QPlainTextEdit, QWidget

from app.marks import Marks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LINE_HEIGHT_EM = 1.55
SMALLEST_MARGIN_PX = 28
TOP_MARGIN_PX = 52
CARET_WIDTH_PX = 2
TAB_SPACES = 6
EDGE_LINES = 2
# Looking for a place to break in 100,000 characters without one takes Qt 330 ms at every key;
# breaking anywhere takes it 23 ms (one core of a 2-core machine).
UNBROKEN_CHARACTERS = 5_000
# Ordinary English averages this width, so that a "character" of the column is a typical one.
TYPICAL = "The quick brown fox jumps over the lazy dog, and then it rests awhile in the shade. "


class RoomyLayout(QPlainTextDocumentLayout):
    """A plain text layout whose lines are at least `line_height_px` apart."""

    line_height_px = 0.0

    def blockBoundingRect(self, block: QTextBlock) -> QRectF:
        """Lay the paragraph out, move its lines apart, and return the room it takes."""
        rect = super().blockBoundingRect(block)
        if not block.isValid():  # Qt asks for the one after the last, too
            return rect
        lines = block.layout()
        count = lines.lineCount()
        if count == 0 or not block.isVisible():
            return rect
        first = lines.lineAt(0)
        lead = self._lead_px(first.height())
        if first.y() != lead:  # Qt has laid it out anew, from y = 0
            top = 0.0
            for index in range(count):
                line = lines.lineAt(index)
                lead = self._lead_px(line.height())
                line.setPosition(QPointF(line.x(), top + lead))
                top += line.height() + 2 * lead
        last = lines.lineAt(count - 1)
        rect.setHeight(last.y() + last.height() + self._lead_px(last.height()))
        return rect

    def documentSize(self) -> QSizeF:
        """Return the height in lines, and no width: every line is broken at the column's edge.

        Qt counts a few pixels more than the lines take, and would scroll sideways by these.
        """
        return QSizeF(0, super().documentSize().height())

    def _lead_px(self, height_px: float) -> float:
        return max(0.0, (self.line_height_px - height_px) / 2)


class Paper(QTextDocument):
    """A plain text to be shown on a page.

    Signals:
        unbroken(): a line came that has thousands of characters and no space between them.
    """

    unbroken = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.roomy = RoomyLayout(self)
        self.setDocumentLayout(self.roomy)
        self.setDocumentMargin(0)
        self.clearUndoRedoStacks()  # the margin counts as an edit
        self.setModified(False)
        self.is_unbroken = False
        self.contentsChange.connect(self._on_contents_change)

    @Slot(int, int, int)
    def _on_contents_change(self, position: int, removed: int, added: int) -> None:
        self.is_unbroken = any(map(_is_unbroken, self._lines(position, added)))
        if self.is_unbroken:
            self.contentsChange.disconnect(self._on_contents_change)
            self.unbroken.emit()

    def _lines(self, position: int, added: int) -> Iterator[str]:
        if added > UNBROKEN_CHARACTERS:  # block by block would take too long
            yield from self.text().split("\n")
            return
        block = self.findBlock(position)
        while block.isValid() and block.position() <= position + added:
            if block.length() > UNBROKEN_CHARACTERS:
                yield block.text()
            block = block.next()

    def text(self) -> str:
        """Return the whole text, exactly; `toPlainText` would turn no-break spaces into spaces."""
        return self.toRawText().replace("\u2029", "\n")


def _is_unbroken(line: str) -> bool:
    is_long = len(line) > UNBROKEN_CHARACTERS
    return is_long and max(map(len, line.split()), default=0) > UNBROKEN_CHARACTERS


class Page(QPlainTextEdit):
    """A plain text widget set as a page.

    Signals:
        column_changed(int, int): left edge and width of the column, in pixels of this widget.
        zoom_wanted(int): the wheel was turned with Ctrl held; steps, positive for larger.
        turned(): another text is shown; its `document()` is another, and all marks are gone.
        recoloured(): the theme is another; marks have the colours they were made with.
    """

    column_changed = Signal(int, int)
    zoom_wanted = Signal(int)
    turned = Signal()
    recoloured = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.marks = Marks(self)  # all extra selections go through it
        self._column_characters = 68
        self.paper = Paper(self)
        self.setDocument(self.paper)
        self.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.setCursorWidth(CARET_WIDTH_PX)
        self.verticalScrollBar().rangeChanged.connect(self._set_column)  # it may come or go
        self._wrap_later = QTimer(self)  # Qt is in the midst of an edit when a paper calls
        self._wrap_later.setSingleShot(True)
        self._wrap_later.timeout.connect(self._set_wrap)
        self.paper.unbroken.connect(self._wrap_later.start)
        self._set_wrap()
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def turn_to(self, paper: Paper, place_caret: Callable[[], None] | None = None) -> None:
        """Show another text; `place_caret` is called before anybody is told."""
        paper.setDefaultFont(self.font())
        paper.roomy.line_height_px = self.paper.roomy.line_height_px
        self.paper.unbroken.disconnect(self._wrap_later.start)
        self.paper = paper
        paper.unbroken.connect(self._wrap_later.start)
        self.marks.clear()
        self.setDocument(paper)
        self._set_wrap()
        if place_caret:
            place_caret()
        self.undoAvailable.emit(paper.isUndoAvailable())
        self.redoAvailable.emit(paper.isRedoAvailable())
        self.copyAvailable.emit(self.textCursor().hasSelection())
        self.turned.emit()

    def set_writing_font(self, font: QFont, column_characters: int = 68) -> None:
        """Set the face and size of the text, and how many characters its lines have."""
        self._column_characters = column_characters
        self.paper.roomy.line_height_px = round(QFontInfo(font).pixelSize() * LINE_HEIGHT_EM)
        self.setFont(font)
        self.setTabStopDistance(QFontMetricsF(font).horizontalAdvance(" ") * TAB_SPACES)
        self._set_column()

    @Slot()
    def _set_wrap(self) -> None:
        mode = QTextOption.WrapMode
        at_words = mode.WrapAtWordBoundaryOrAnywhere
        wanted = mode.WrapAnywhere if self.paper.is_unbroken else at_words
        if wanted != self.wordWrapMode():
            self.setWordWrapMode(wanted)

    def visible_range(self) -> tuple[int, int]:
        """Return the positions between which everything on the screen lies."""
        first, height_px = self.firstVisibleBlock(), self.viewport().height()
        block, bottom_px = first, self.contentOffset().y()
        while block.isValid() and bottom_px <= height_px:
            last = block
            bottom_px += self.blockBoundingRect(block).height()
            block = block.next()
        return first.position(), last.position() + last.length() - 1

    def show_caret_clear(self) -> None:
        """Scroll until the caret can be seen, with some lines around it."""
        near_edge_px = EDGE_LINES * self.paper.roomy.line_height_px
        caret = self.cursorRect()
        if caret.top() < near_edge_px or caret.bottom() > self.viewport().height() - near_edge_px:
            self.centerCursor()

    @Slot()
    def _set_column(self) -> None:
        """Centre the column in the window; the scroll bar stays at the window's edge."""
        metrics = QFontMetricsF(self.font())
        wanted_px = self._column_characters * metrics.horizontalAdvance(TYPICAL) / len(TYPICAL)
        room_px = self.width() - 2 * SMALLEST_MARGIN_PX
        width_px = int(min(wanted_px, max(room_px, 1)))
        left_px = (self.width() - width_px) // 2
        bar_px = self.verticalScrollBar().width() if self.verticalScrollBar().isVisible() else 0
        right_px = max(0, self.width() - width_px - left_px - bar_px)
        self.setViewportMargins(left_px, TOP_MARGIN_PX, right_px, 0)
        self.column_changed.emit(left_px, width_px)

    def event(self, event: QEvent) -> bool:
        """Set the column before the viewport is resized; later, Qt would wrap to the old width."""
        if event.type() == QEvent.Type.Resize:
            self._set_column()
        return super().event(event)

    def changeEvent(self, event: QEvent) -> None:
        """Tell of another theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.recoloured.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll, or with Ctrl change the size of the text."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            if step := event.angleDelta().y():
                self.zoom_wanted.emit(1 if step > 0 else -1)
        else:
            super().wheelEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        """Treat a click between two lines as one on the nearer line.

        Qt takes the room between lines for the end of the line above or the start of the one
        below, which would send the caret to the far side of the column.
        """
        room = QRectF(self.viewport().rect())
        if isinstance(event, QMouseEvent) and room.contains(event.position()):
            snapped = QPointF(event.position().x(), self._snapped_y_px(event.position().y()))
            event = QMouseEvent(
                event.type(), snapped, event.globalPosition(), event.button(), event.buttons(),
                event.modifiers(), event.pointingDevice(),
            )  # fmt: skip
        return super().viewportEvent(event)

    def _snapped_y_px(self, y_px: float) -> float:
        block = self.firstVisibleBlock()
        while block.isValid():
            geometry = self.blockBoundingGeometry(block).translated(self.contentOffset())
            if y_px < geometry.bottom():
                lines = block.layout()
                tops = [lines.lineAt(i).y() for i in range(lines.lineCount())]
                centres = [geometry.top() + y + lines.lineAt(0).height() / 2 for y in tops]
                return min(centres, key=lambda centre: abs(centre - y_px))
            block = block.next()
        return y_px
