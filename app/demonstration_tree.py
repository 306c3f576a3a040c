"""The tree of what was written from the text on: every branch that was tried, and where we are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal, Slot
from PySide6.QtGui import (
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QToolTip, QWidget

from app import demonstration_words as words
from app import theme
from app.token_text import visible
from app.translation import localised, marked, tr
from model.generation import TEXT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from model.generation_moment import Moment, Step

CELL_PX, ROW_PX = 40, 48
GAP_PX = 16
LEAST_PX, MOST_PX = 46, 128
EDGE_PX = 4
HOW = {
    "drawn": marked("drawn with"),
    "likeliest": marked("the likeliest"),
    "chosen": marked("chosen by hand"),
}


@dataclass(frozen=True, slots=True)
class Cell:
    """Where a step stands: how many tokens after the text, and in which row."""

    depth: int
    row: int


def arrange(steps: Sequence[Step]) -> dict[int, Cell]:
    """Return the cell of every step: a branch begins a new row below all that came before it."""
    children: dict[int, list[int]] = {}
    for step in steps:
        children.setdefault(step.parent, []).append(step.place)
    cells = {TEXT: Cell(0, 0)}
    rows = 1
    waiting = [TEXT]
    while waiting:
        place = waiting.pop()
        if place not in cells:
            cells[place] = Cell(cells[steps[place].parent].depth + 1, rows)
            rows += 1
        following = children.get(place, [])
        if following:  # the first goes on in the row of its parent
            cells[following[0]] = Cell(cells[place].depth + 1, cells[place].row)
        waiting += reversed(following)
    return cells


class BranchTree(QWidget):
    """All branches as chips with their probabilities; the way to here is filled.

    Signals:
        wanted(int): the writer wants to stand after this step, or at the text.
        resized(): there are more branches, or fewer.
    """

    wanted = Signal(int)
    resized = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._steps: tuple[Step, ...] = ()
        self._cells: dict[int, Cell] = {TEXT: Cell(0, 0)}
        self._on_path: set[int] = {TEXT}
        self._here = self._pointed = TEXT
        self._lefts = [0.0, LEAST_PX + GAP_PX]
        self._token_font = theme.writing_font(11.5)
        self._figure_font = theme.interface_font(7.5)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Branches: every way that was tried"))

    def show_moment(self, moment: Moment) -> None:
        """Show the tree and where we are in it."""
        self._steps, self._here = moment.steps, moment.here
        self._pointed = moment.here
        self._on_path = {TEXT, *(step.place for step in moment.path)}
        self._cells = arrange(moment.steps)
        metrics = QFontMetricsF(self._token_font)
        widths = [float(LEAST_PX)] * (1 + max(cell.depth for cell in self._cells.values()))
        for step in moment.steps:
            depth = self._cells[step.place].depth
            wide = min(metrics.horizontalAdvance(visible(step.piece)) + 18, MOST_PX)
            widths[depth] = max(widths[depth], wide)
        self._lefts = [float(EDGE_PX)]
        for width in widths:
            self._lefts.append(self._lefts[-1] + width + GAP_PX)
        rows = 1 + max(cell.row for cell in self._cells.values())
        self.setFixedSize(round(self._lefts[-1]), rows * ROW_PX + EDGE_PX)
        branches = tr("%n branches", "", rows)
        self.setAccessibleDescription(f"{branches}. {self._said(self._here)}")
        self.update()
        self.resized.emit()

    @property
    def pointed(self) -> QRectF:
        """Where the chip is drawn that should be in view."""
        return self.cell_rect(self._pointed)

    def cell_rect(self, place: int) -> QRectF:
        """Return where the chip of a step is drawn."""
        cell = self._cells[place]
        left, right = self._lefts[cell.depth], self._lefts[cell.depth + 1] - GAP_PX
        return QRectF(left, EDGE_PX + cell.row * ROW_PX, right - left, CELL_PX)

    def _said(self, place: int) -> str:
        if place == TEXT:
            return tr("The text, before the first token")
        step = self._steps[place]
        number = " " + localised(f"{step.draw:.4f}") if step.draw is not None else ""
        return tr(
            "{piece}: {how}{number}; model {probability}, to draw {chance}",
            piece=visible(step.piece),
            how=tr(HOW[step.how]),
            number=number,
            probability=words.percent(step.probability),
            chance=words.percent(step.chance),
        )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows point at a neighbour in the tree, Enter goes there."""
        cell, key = self._cells[self._pointed], event.key()
        target = {
            Qt.Key.Key_Left: (cell.depth - 1, 0), Qt.Key.Key_Right: (cell.depth + 1, 0),
            Qt.Key.Key_Up: (cell.depth, -1), Qt.Key.Key_Down: (cell.depth, 1),
        }.get(Qt.Key(key))  # fmt: skip
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.wanted.emit(self._pointed)
        elif target is None or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)
        else:
            self._point(*target, cell)

    def _point(self, depth: int, direction: int, cell: Cell) -> None:
        """Point at the nearest chip in a column; up and down only at chips on that side."""
        near = [
            (abs(other.row - cell.row), place)
            for place, other in self._cells.items()
            if other.depth == depth and (other.row - cell.row) * direction >= bool(direction)
        ]
        if near:
            self._pointed = min(near)[1]
            self.setAccessibleDescription(self._said(self._pointed))
            self.update()
            self.resized.emit()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Go to the chip that was clicked."""
        place = self._place_at(event.position())
        if place is not None and event.button() == Qt.MouseButton.LeftButton:
            self.wanted.emit(place)

    def event(self, event: QEvent) -> bool:
        """Tell the figures of the chip under the mouse."""
        if isinstance(event, QHelpEvent):
            place = self._place_at(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), "" if place is None else self._said(place), self)
            return True
        return super().event(event)

    def _place_at(self, position: QPointF) -> int | None:
        return next((p for p in self._cells if self.cell_rect(p).contains(position)), None)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the branches, then the chips on them."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for step in self._steps:
            self._draw_branch(painter, step)
        for place in self._cells:
            if self.cell_rect(place).intersects(QRectF(event.rect())):
                self._draw_chip(painter, place)

    def _draw_branch(self, painter: QPainter, step: Step) -> None:
        start, end = self.cell_rect(step.parent), self.cell_rect(step.place)
        colour = self.palette().accent() if step.place in self._on_path else self.palette().mid()
        painter.setPen(QPen(colour.color(), 1.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        a = QPointF(start.right(), start.center().y())
        b = QPointF(end.left(), end.center().y())
        path = QPainterPath(a)
        middle = b.x() - GAP_PX / 2
        path.cubicTo(QPointF(middle, a.y()), QPointF(middle, b.y()), b)
        painter.drawPath(path)

    def _draw_chip(self, painter: QPainter, place: int) -> None:
        palette, rect = self.palette(), self.cell_rect(place).adjusted(0.5, 0.5, -0.5, -0.5)
        is_on = place in self._on_path
        by_hand = place != TEXT and self._steps[place].how == "chosen"
        colour = palette.accent().color() if is_on else palette.mid().color()
        style = Qt.PenStyle.DashLine if by_hand else Qt.PenStyle.SolidLine
        painter.setPen(QPen(colour, 2 if place == self._here else 1, style))
        painter.setBrush(palette.highlight() if is_on else palette.base())
        painter.drawRoundedRect(rect, 6, 6)
        if place == self._pointed and self.hasFocus():
            painter.setPen(QPen(palette.text().color(), 1, Qt.PenStyle.DotLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(rect.adjusted(3, 3, -3, -3), 4, 4)
        ink = palette.text() if is_on else palette.placeholderText()
        painter.setPen(ink.color())
        centre = Qt.AlignmentFlag.AlignCenter
        if place == TEXT:
            painter.setFont(self._figure_font)
            painter.drawText(rect, centre, tr("text"))
            return
        step = self._steps[place]
        painter.setFont(self._token_font)
        text = QFontMetricsF(self._token_font).elidedText(
            visible(step.piece), Qt.TextElideMode.ElideRight, rect.width() - 8
        )
        painter.drawText(rect.adjusted(0, 1, 0, -15), centre, text)
        painter.setFont(self._figure_font)
        painter.drawText(rect.adjusted(0, 22, 0, -2), centre, words.percent(step.probability))


class KeylessArea(QScrollArea):
    """A scroll area that leaves the arrow keys to the demonstration."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Let the key pass."""
        event.ignore()


class BranchArea(KeylessArea):
    """Room for two rows of the tree, or one; what the tree points at stays in view."""

    def __init__(self, tree: BranchTree, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tree = tree
        self.setWidget(tree)
        self.viewport().setAutoFillBackground(False)
        tree.setAutoFillBackground(False)
        self.setStyleSheet(
            "QScrollBar:horizontal { height: 9px; background: transparent; }"
            "QScrollBar::handle:horizontal { background: palette(mid); border-radius: 3px;"
            " margin: 1px 2px 2px 2px; min-width: 36px; }"
            "QScrollBar::add-line, QScrollBar::sub-line { width: 0; }"
            "QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }"
        )
        self._reveal()
        tree.resized.connect(self._reveal)

    @Slot()
    def _reveal(self) -> None:
        rows = 1 if self._tree.height() < 2 * ROW_PX else 2
        self.setFixedHeight(rows * ROW_PX + 14)
        centre = self._tree.pointed.center()
        self.ensureVisible(round(centre.x()), round(centre.y()), 120, ROW_PX // 2)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep in view what was in view."""
        super().resizeEvent(event)
        self._reveal()
