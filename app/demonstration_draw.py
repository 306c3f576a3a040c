"""The draw: the tokens laid end to end from 0 to 1, and the random number that falls on one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEasingCurve, QPointF, QRectF, QSize, Qt, QVariantAnimation, Slot
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QStyle, QWidget

from app import demonstration_words as words
from app import theme
from app.token_text import visible
from app.translation import localised, tr

if TYPE_CHECKING:
    from model.generation_moment import Moment

PIN_PX = 22
BAR_PX = 26
AXIS_PX = 18
SIDE_PX = 8
FALL_MS = 450  # how long the number takes to run to its place


class DrawBar(QWidget):
    """A bar whose whole length is probability 1; every token owns a part as long as its chance."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._moment: Moment | None = None
        self._is_drawn = False
        self._pin = 0.0
        self._font = theme.interface_font(theme.SMALL_SIZE_PT)
        self._token_font = theme.writing_font(10)
        self._fall = QVariantAnimation(self)
        self._fall.setDuration(FALL_MS)
        self._fall.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._fall.valueChanged.connect(self._on_fall)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Draw"))

    def sizeHint(self) -> QSize:
        """Room for the number, the bar and its scale."""
        return QSize(430, PIN_PX + BAR_PX + AXIS_PX)

    def show_moment(self, moment: Moment, is_drawn: bool, *, is_calm: bool) -> None:
        """Lay the tokens out; once the number is drawn, let it run to its place, unless calm."""
        is_new = is_drawn and not self._is_drawn
        self._moment, self._is_drawn = moment, is_drawn
        self._fall.stop()
        self._pin = moment.draw or 0.0
        if is_new and moment.draw is not None and not is_calm and self._may_move():
            self._fall.setStartValue(0.0)
            self._fall.setEndValue(moment.draw)
            self._fall.start()
        self.setAccessibleDescription(words.interval(moment) if is_drawn else tr("Not drawn yet"))
        self.update()

    def _may_move(self) -> bool:
        """Whether widgets may move: 0 by the desktop's wish, or by the writer's (`app.theme`)."""
        wanted = QStyle.StyleHint.SH_Widget_Animation_Duration
        return self.style().styleHint(wanted, None, self) > 0

    @Slot(object)
    def _on_fall(self, value: float) -> None:
        self._pin = value
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the parts, the scale under them and the number above."""
        if self._moment is None or self._moment.next is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._draw_parts(painter, self._moment)
        self._draw_axis(painter)
        if self._is_drawn and self._moment.draw is not None:
            self._draw_pin(painter)

    def _x(self, number: float) -> float:
        return SIDE_PX + (self.width() - 2 * SIDE_PX) * number

    def _draw_parts(self, painter: QPainter, moment: Moment) -> None:
        palette = self.palette()
        whole = QRectF(self._x(0), PIN_PX, self._x(1) - self._x(0), BAR_PX)
        painter.fillRect(whole, palette.mid())
        for place, option in enumerate(one for one in moment.options if one.chance):
            part = self._part(option.low, option.chance)
            tint = QColor(palette.accent().color())
            tint.setAlpha(70 if place % 2 else 105)
            painter.fillRect(part, tint)
            self._label(painter, part, visible(option.piece), palette.text().color())
        if self._is_drawn and moment.next is not None:
            part = self._part(moment.next.low, moment.next.chance)
            part.setWidth(max(part.width(), 2.0))
            painter.fillRect(part, palette.accent())
            self._label(painter, part, visible(moment.next.piece), palette.base().color())

    def _part(self, low: float, chance: float) -> QRectF:
        left = self._x(low)
        return QRectF(left, PIN_PX, max(self._x(low + chance) - left - 1, 0.5), BAR_PX)

    def _label(self, painter: QPainter, part: QRectF, text: str, colour: QColor) -> None:
        if QFontMetricsF(self._token_font).horizontalAdvance(text) + 4 <= part.width():
            painter.setFont(self._token_font)
            painter.setPen(colour)
            painter.drawText(part, Qt.AlignmentFlag.AlignCenter, text)

    def _draw_axis(self, painter: QPainter) -> None:
        painter.setFont(self._font)
        painter.setPen(self.palette().placeholderText().color())
        top = PIN_PX + BAR_PX
        for number, side in ((0.0, "left"), (0.25, ""), (0.5, ""), (0.75, ""), (1.0, "right")):
            x = self._x(number)
            painter.drawLine(QPointF(x, top), QPointF(x, top + 3))
            room = QRectF(x - 30, top + 3, 60, AXIS_PX - 3)
            flags = Qt.AlignmentFlag.AlignCenter
            if side:
                room = QRectF(0, room.top(), self.width(), room.height())
                is_left = side == "left"
                flags = Qt.AlignmentFlag.AlignLeft if is_left else Qt.AlignmentFlag.AlignRight
            painter.drawText(room, flags, localised(f"{number:g}"))

    def _draw_pin(self, painter: QPainter) -> None:
        x, ink = self._x(self._pin), self.palette().text().color()
        painter.setPen(QPen(ink, 1.5))
        painter.drawLine(QPointF(x, PIN_PX - 4), QPointF(x, PIN_PX + BAR_PX))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink)
        tip = PIN_PX + 1
        painter.drawPolygon(
            QPolygonF([QPointF(x - 4, tip - 7), QPointF(x + 4, tip - 7), QPointF(x, tip)])
        )
        painter.setFont(self._font)
        painter.setPen(ink)
        room = QRectF(min(max(x - 40, 0), self.width() - 80), 0, 80, PIN_PX - 7)
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter, localised(f"{self._pin:.4f}"))
