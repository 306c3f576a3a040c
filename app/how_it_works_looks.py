"""The picture of attention: lines from one token, or a matrix of all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from app import theme
from app.translation import localised, tr

if TYPE_CHECKING:
    from app.how_it_works_attention import Looks

ROW_PX = 23
TOKEN_PX = 150
LABEL_PX = 92  # of a column in the matrix, written upwards
LEAST_DRAWN = 0.01
LEAST_SAID = 0.005  # less would be said to be 0%


class AttentionView(QWidget):
    """The weights of one layer and head.

    Signals:
        pointed(str): in words, what the token pointed at takes most from.
    """

    pointed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._looks: Looks | None = None
        self._layer = self._head = self._row = 0
        self._is_matrix = False
        self._font = theme.writing_font(12)
        self._small_font = theme.interface_font(8)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Attention"))

    def show_looks(self, looks: Looks) -> None:
        """Show another sentence, its last token first."""
        self._looks, self._row = looks, len(looks.tokens) - 1
        self._layer, self._head = (
            min(self._layer, looks.layers - 1),
            min(self._head, looks.heads - 1),
        )
        self._show()

    def choose(self, layer: int, head: int, *, is_matrix: bool) -> None:
        """Show this layer and head (from 0), as lines or as a matrix."""
        self._layer, self._head, self._is_matrix = layer, head, is_matrix
        self._show()

    @property
    def said(self) -> str:
        """In words: what the token pointed at takes most from."""
        looks = self._looks
        if looks is None:
            return ""
        shares = [
            (looks.share(self._layer, self._head, self._row, i), -i) for i in range(self._row + 1)
        ]
        most = sorted(shares, reverse=True)[:3]
        parts = [
            tr("{share:.0%} from {token}", share=share, token=looks.tokens[-i])
            for share, i in most
            if share >= LEAST_SAID
        ]
        return tr("{token} takes {parts}", token=looks.tokens[self._row], parts=", ".join(parts))

    def _show(self) -> None:
        count = len(self._looks.tokens) if self._looks else 1
        self.setFixedHeight(count * ROW_PX + (LABEL_PX if self._is_matrix else 0) + 4)
        self._tell()

    def _tell(self) -> None:
        self.setAccessibleDescription(self.said)
        self.pointed.emit(self.said)
        self.update()

    def sizeHint(self) -> QSize:
        """As wide as the page."""
        return QSize(500, self.height())

    def _top(self) -> int:
        return LABEL_PX if self._is_matrix else 0

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Point at the token of the row under the mouse."""
        self._point(int((event.position().y() - self._top()) // ROW_PX))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up and down point at a neighbour."""
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()), 0)
        if step:
            self._point(self._row + step)
        else:
            super().keyPressEvent(event)

    def _point(self, row: int) -> None:
        if self._looks and 0 <= row < len(self._looks.tokens) and row != self._row:
            self._row = row
            self._tell()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the lines or the matrix."""
        if self._looks is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._draw_tokens(painter, self._looks)
        if self._is_matrix:
            self._draw_matrix(painter, self._looks)
        else:
            self._draw_lines(painter, self._looks)

    def _draw_tokens(self, painter: QPainter, looks: Looks) -> None:
        """The tokens that look, one below the other."""
        metrics = QFontMetricsF(self._font)
        painter.setFont(self._font)
        for row, token in enumerate(looks.tokens):
            place = QRectF(0, self._top() + row * ROW_PX, TOKEN_PX, ROW_PX)
            if row == self._row:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(self.palette().highlight())
                painter.drawRoundedRect(place.adjusted(0, 1, 0, -1), 5, 5)
            painter.setPen(self.palette().text().color())
            text = metrics.elidedText(token, Qt.TextElideMode.ElideRight, TOKEN_PX - 16)
            right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(place.adjusted(0, 0, -8, 0), right, text)

    def _draw_lines(self, painter: QPainter, looks: Looks) -> None:
        right = self.width() - TOKEN_PX - 56
        for row in range(len(looks.tokens)):
            if row != self._row:
                self._draw_row(painter, looks, row, right, strength=0.18)
        self._draw_row(painter, looks, self._row, right, strength=1.0)
        for column, token in enumerate(looks.tokens):
            share = looks.share(self._layer, self._head, self._row, column)
            y = column * ROW_PX
            painter.setFont(self._font)
            is_seen = share >= LEAST_DRAWN
            ink = self.palette().text() if is_seen else self.palette().placeholderText()
            painter.setPen(ink.color())
            middle = Qt.AlignmentFlag.AlignVCenter
            painter.drawText(QRectF(right + 8, y, TOKEN_PX, ROW_PX), middle, token)
            if is_seen:
                painter.setFont(self._small_font)
                painter.setPen(self.palette().accent().color())
                figure = QRectF(self.width() - 52, y, 50, ROW_PX)
                painter.drawText(
                    figure, middle | Qt.AlignmentFlag.AlignRight, localised(f"{share:.1%}")
                )

    def _draw_row(
        self, painter: QPainter, looks: Looks, row: int, right: float, *, strength: float
    ) -> None:
        """A curve from a token to every token that it takes something from."""
        painter.setBrush(Qt.BrushStyle.NoBrush)
        left, y = TOKEN_PX + 4.0, (row + 0.5) * ROW_PX
        for column in range(row + 1):
            share = looks.share(self._layer, self._head, row, column)
            if share < LEAST_DRAWN:
                continue
            colour = QColor(self.palette().accent().color())
            colour.setAlphaF(min(1.0, 0.15 + share) * strength)
            painter.setPen(QPen(colour, 0.8 + 4.5 * share))
            end = (column + 0.5) * ROW_PX
            path = QPainterPath()
            path.moveTo(left, y)
            middle = (left + right) / 2
            path.cubicTo(middle, y, middle, end, right, end)
            painter.drawPath(path)

    def _draw_matrix(self, painter: QPainter, looks: Looks) -> None:
        count = len(looks.tokens)
        cell = min(ROW_PX, (self.width() - TOKEN_PX - 10) / count)
        for column, token in enumerate(looks.tokens):
            painter.save()
            painter.translate(TOKEN_PX + 6 + (column + 0.5) * cell, LABEL_PX - 4)
            painter.rotate(-90)
            painter.setFont(self._small_font)
            painter.setPen(self.palette().placeholderText().color())
            room = QRectF(0, -cell / 2, LABEL_PX - 6, cell)
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, token)
            painter.restore()
        painter.setPen(Qt.PenStyle.NoPen)
        for row in range(count):
            for column in range(row + 1):
                share = looks.share(self._layer, self._head, row, column)
                colour = QColor(self.palette().accent().color())
                colour.setAlphaF(0.05 + 0.95 * share)
                painter.setBrush(colour)
                left, top = TOKEN_PX + 6 + column * cell, LABEL_PX + row * ROW_PX
                painter.drawRect(QRectF(left, top, cell - 1.5, ROW_PX - 1.5))
