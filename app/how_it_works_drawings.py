"""The pictures of the page that explains prediction: tokens as chips, bars, and the loop."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from app import theme
from app.demonstration_words import percent
from app.token_text import visible
from app.translation import marked, tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from model.generation_sentence import Sentence

GAP_PX = 6
CHIP_PX, FIGURE_PX = 32, 18
SIDE_PX = 9
BAR_ROW_PX = 28
LOOP_PX = 118
LOOP = (
    marked("text"), marked("tokens"), marked("network"), marked("probabilities"),
    marked("one token"),
)  # fmt: skip


class Chips(QWidget):
    """Tokens in a row that wraps; with figures, each with the probability it was given.

    Signals:
        pointed(int): the token that the mouse or the keys point at.
    """

    pointed = Signal(int)

    def __init__(self, name: str, *, has_figures: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._has_figures = has_figures
        self._pieces: list[str] = []
        self._chances: list[float] = []
        self._at = 0
        self._font = theme.writing_font(14)
        self._figure_font = theme.interface_font(8)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAccessibleName(name)
        if has_figures:
            self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            self.setMouseTracking(True)

    def show_sentence(self, sentence: Sentence) -> None:
        """Show the tokens of a sentence."""
        self._pieces = [visible(token.piece) for token in sentence.tokens]
        self._chances = [token.probability for token in sentence.tokens]
        self._at = 0
        said = self._pieces
        if self._has_figures:
            said = [
                f"{piece} {percent(chance)}"
                for piece, chance in zip(self._pieces, self._chances, strict=True)
            ]
        self.setAccessibleDescription(", ".join(said))
        self.updateGeometry()
        self.update()

    def _height_px(self) -> int:
        return CHIP_PX + (FIGURE_PX if self._has_figures else 0)

    def _places(self, width_px: float) -> list[QRectF]:
        metrics, small = QFontMetricsF(self._font), QFontMetricsF(self._figure_font)
        found, x, y = [], 0.0, 0.0
        for piece in self._pieces:
            wide = max(metrics.horizontalAdvance(piece), 4.0) + 2 * SIDE_PX
            if self._has_figures:
                wide = max(wide, small.horizontalAdvance("00.00%") + 6)
            if x and x + wide > width_px:
                x, y = 0.0, y + self._height_px() + GAP_PX
            found.append(QRectF(x, y, wide, CHIP_PX))
            x += wide + GAP_PX
        return found

    def heightForWidth(self, width: int) -> int:
        """As many rows as the tokens take."""
        places = self._places(width - 1)
        return round(places[-1].top() + self._height_px() + 2) if places else self._height_px()

    def sizeHint(self) -> QSize:
        """The height follows the width."""
        return QSize(400, self.heightForWidth(max(self.width(), 400)))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Point at the chip under the mouse."""
        for place, rect in enumerate(self._places(self.width() - 1)):
            if rect.adjusted(0, 0, 0, FIGURE_PX).contains(event.position()):
                self._point(place)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and right point at a neighbour."""
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()), 0)
        if step and self._pieces:
            self._point(max(0, min(self._at + step, len(self._pieces) - 1)))
        else:
            super().keyPressEvent(event)

    def _point(self, place: int) -> None:
        self._at = place
        self.pointed.emit(place)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the chips, and under each its figure."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        palette = self.palette()
        for place, rect in enumerate(self._places(self.width() - 1)):
            ground = QColor(palette.accent().color())
            ground.setAlphaF(0.1)
            is_at = self._has_figures and place == self._at
            painter.setBrush(palette.highlight() if is_at else ground)
            painter.setPen(
                QPen(palette.accent().color(), 1)
                if is_at and self.hasFocus()
                else Qt.PenStyle.NoPen
            )
            painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
            painter.setPen(palette.text().color())
            painter.setFont(self._font)
            painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, self._pieces[place])
            if self._has_figures:
                painter.setFont(self._figure_font)
                painter.setPen(palette.placeholderText().color())
                below = QRectF(rect.left(), rect.bottom(), rect.width(), FIGURE_PX)
                figure = percent(self._chances[place])
                painter.drawText(below, Qt.AlignmentFlag.AlignCenter, figure)


class ChanceBars(QWidget):
    """A few likely tokens, each with a bar; the full width is 100 %."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: Sequence[tuple[bytes, float]] = ()
        self._font = theme.writing_font(13)
        self._figure_font = theme.interface_font()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Likeliest next tokens"))

    def show_rows(self, rows: Sequence[tuple[bytes, float]]) -> None:
        """Show (piece, probability), likeliest first."""
        self._rows = rows
        said = ", ".join(f"{visible(piece)} {percent(chance)}" for piece, chance in rows)
        self.setAccessibleDescription(said)
        self.setFixedHeight(max(len(rows), 1) * BAR_ROW_PX)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw one row per token."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        palette, name_px, figure_px = self.palette(), 130, 70
        for row, (piece, chance) in enumerate(self._rows):
            top = row * BAR_ROW_PX
            middle = Qt.AlignmentFlag.AlignVCenter
            painter.setFont(self._font)
            painter.setPen(palette.text().color())
            text = QFontMetricsF(self._font).elidedText(
                visible(piece), Qt.TextElideMode.ElideRight, name_px - 10
            )
            painter.drawText(QRectF(0, top, name_px, BAR_ROW_PX), middle, text)
            room = self.width() - name_px - figure_px
            track = QRectF(name_px, top + BAR_ROW_PX / 2 - 4, room, 8)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(palette.mid())
            painter.drawRoundedRect(track, 4, 4)
            painter.setBrush(palette.accent())
            track.setWidth(max(room * chance, 4))
            painter.drawRoundedRect(track, 4, 4)
            painter.setFont(self._figure_font)
            painter.setPen(palette.text().color())
            figure = QRectF(self.width() - figure_px, top, figure_px, BAR_ROW_PX)
            painter.drawText(figure, middle | Qt.AlignmentFlag.AlignRight, percent(chance))


class Loop(QWidget):
    """The loop of generation, drawn."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._font = theme.writing_font(13)
        self._small_font = theme.interface_font(theme.SMALL_SIZE_PT)
        self.setFixedHeight(LOOP_PX)
        self.setAccessibleName(tr("The loop"))
        self.setAccessibleDescription(" → ".join(map(tr, LOOP)) + tr(" → back to the text"))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the stations, the arrows between them and the way back."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        gap = 26.0
        wide = (self.width() - 1 - gap * (len(LOOP) - 1)) / len(LOOP)
        places = [QRectF(i * (wide + gap) + 0.5, 8, wide, 44) for i in range(len(LOOP))]
        self._draw_way_back(painter, places)
        painter.setFont(self._font)
        for place, name in zip(places, map(tr, LOOP), strict=True):
            painter.setPen(QPen(self.palette().mid().color(), 1.2))
            painter.setBrush(self.palette().window())
            painter.drawRoundedRect(place, 8, 8)
            painter.setPen(self.palette().text().color())
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, name)
        for first, second in pairwise(places):
            start = QPointF(first.right() + 5, first.center().y())
            self._arrow(painter, start, QPointF(second.left() - 5, start.y()))

    def _draw_way_back(self, painter: QPainter, places: list[QRectF]) -> None:
        left, right = places[0].center().x(), places[-1].center().x()
        bottom, under = places[0].bottom(), 84.0
        painter.setPen(QPen(self.palette().accent().color(), 1.6))
        painter.drawPolyline(
            QPolygonF([QPointF(right, bottom + 4), QPointF(right, under), QPointF(left, under)])
        )
        self._arrow(painter, QPointF(left, under), QPointF(left, bottom + 5))
        painter.setFont(self._small_font)
        painter.setPen(self.palette().accent().color())
        where = QRectF(left, under + 3, right - left, 24)
        said = tr("the token is added to the text, and the model reads on")
        painter.drawText(where, Qt.AlignmentFlag.AlignCenter, said)

    def _arrow(self, painter: QPainter, start: QPointF, end: QPointF) -> None:
        painter.setPen(QPen(self.palette().accent().color(), 1.6))
        painter.drawLine(start, end)
        painter.setBrush(self.palette().accent())
        painter.setPen(Qt.PenStyle.NoPen)
        if start.y() == end.y():
            wings = [QPointF(end.x() - 6, end.y() - 4), QPointF(end.x() - 6, end.y() + 4)]
        else:
            wings = [QPointF(end.x() - 4, end.y() + 6), QPointF(end.x() + 4, end.y() + 6)]
        painter.drawPolygon(QPolygonF([end, *wings]))

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        self.update()
