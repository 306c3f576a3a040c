"""Paired bars: what the model gives each of the likeliest tokens, and what is left to draw from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from app import demonstration_words as words
from app import theme
from app.token_text import VISIBLE, visible
from app.translation import localised, tr

if TYPE_CHECKING:
    from model.generation_moment import Moment, Option

ROWS = 10
LEAST_ROW_PX, USUAL_ROW_PX, MOST_ROW_PX = 17, 28, 40
TOKEN_SIZE_PT, SMALL_TOKEN_SIZE_PT, SMALL_ROW_PX = 12.0, 10.5, 21  # below that, small letters
HEAD_PX = 22
TOKEN_PX = 112
FIGURE_PX = 62
BAR_PX = 6
SCALES = (0.05, 0.1, 0.2, 0.5, 1.0)  # what the full width of a bar may stand for


@dataclass(frozen=True, slots=True)
class Columns:
    """Where the columns of the chart stand, in pixels."""

    bars: float
    room: float
    model: float
    after: float


class OptionBars(QWidget):
    """The ten likeliest next tokens; one of them may be chosen by hand.

    Signals:
        chosen(int): a token was clicked, or Enter was pressed on it; its id.
        looked_at(Option): the token that is pointed at is another; or None.
    """

    chosen = Signal(int)
    looked_at = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: list[Option] = []
        self._others = (0, 0.0, 0.0)  # how many more remain; what they hold before and after
        self._drawn: int | None = None
        self._row = 0
        self._hovered: int | None = None
        self._scale = 1.0
        self._token_font = theme.writing_font(TOKEN_SIZE_PT)
        self._figure_font = theme.interface_font(theme.SMALL_SIZE_PT + 0.5)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumHeight(HEAD_PX + (ROWS + 1) * LEAST_ROW_PX)
        self.setMaximumHeight(HEAD_PX + (ROWS + 1) * MOST_ROW_PX)
        self.setAccessibleName(tr("Next token: probability from the model, and after the settings"))

    def sizeHint(self) -> QSize:
        """Ten rows, a head, and what is not shown."""
        return QSize(430, HEAD_PX + (ROWS + 1) * USUAL_ROW_PX)

    def show_moment(self, moment: Moment, is_drawn: bool) -> None:
        """Show what may come next, and which token the number fell on if it was drawn."""
        self._rows = list(moment.options)
        chosen = moment.next if is_drawn else None
        if chosen and chosen.token not in {one.token for one in self._rows}:
            self._rows.append(chosen)  # an unlikely one, in the place of the others
        self._drawn = chosen.token if chosen else None
        more = max(0, moment.left[-1] - len(moment.options))
        before = 1 - sum(one.probability for one in moment.options)
        after = 1 - sum(one.chance for one in moment.options)
        self._others = (more, max(before, 0.0), max(after, 0.0))
        highest = max((max(one.stages) for one in self._rows), default=1.0)
        self._scale = next((scale for scale in SCALES if scale >= highest), 1.0)
        self._row = next((i for i, o in enumerate(self._rows) if o.token == self._drawn), 0)
        self._describe()
        self.update()

    def _describe(self) -> None:
        said = [
            f"{visible(one.piece)} {words.percent(one.probability)}, "
            + (
                tr("dropped by {dropped_by}", dropped_by=one.dropped_by)
                if one.dropped_by
                else words.percent(one.chance)
            )
            + (tr(", drawn") if one.token == self._drawn else "")
            for one in self._rows
        ]
        self.setAccessibleDescription("; ".join(said))
        self.looked_at.emit(self.option)

    @property
    def option(self) -> Option | None:
        """The token that is pointed at with the keys."""
        return self._rows[self._row] if self._row < len(self._rows) else None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up and down point at a token, Enter takes it; other keys are the demonstration's."""
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()), 0)
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)
        elif steps and self._rows:
            self._row = max(0, min(self._row + steps, len(self._rows) - 1))
            self._describe()
            self.update()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.option:
            self.chosen.emit(self.option.token)
        else:
            super().keyPressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Point at the token under the mouse."""
        row = self._row_at(event.position().y())
        self._hovered = row
        self.setCursor(
            Qt.CursorShape.ArrowCursor if row is None else Qt.CursorShape.PointingHandCursor
        )
        if row is not None:
            self.looked_at.emit(self._rows[row])
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Take the token under the mouse."""
        row = self._row_at(event.position().y())
        if row is not None and event.button() == Qt.MouseButton.LeftButton:
            self.chosen.emit(self._rows[row].token)

    def leaveEvent(self, event: QEvent) -> None:
        """Point at what the keys point at."""
        self._hovered = None
        self.looked_at.emit(self.option)
        self.update()

    def _row_px(self) -> float:
        return (self.height() - HEAD_PX) / (ROWS + 1)

    def _row_at(self, y_px: float) -> int | None:
        row = int((y_px - HEAD_PX) // self._row_px())
        return row if 0 <= row < len(self._rows) else None

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Let the letters fit the rows."""
        super().resizeEvent(event)
        is_small = self._row_px() < SMALL_ROW_PX
        self._token_font = theme.writing_font(SMALL_TOKEN_SIZE_PT if is_small else TOKEN_SIZE_PT)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the head with its axis, one row per token, and what all the others hold."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        after = self.width() - FIGURE_PX
        columns = Columns(TOKEN_PX, after - FIGURE_PX - TOKEN_PX - 6, after - FIGURE_PX, after)
        self._draw_head(painter, columns)
        for row, option in enumerate(self._rows):
            self._draw_row(painter, columns, row, option)
        if self._rows and len(self._rows) <= ROWS:
            self._draw_others(painter, columns)

    def _draw_head(self, painter: QPainter, columns: Columns) -> None:
        painter.setFont(self._figure_font)
        bottom = HEAD_PX + len(self._rows) * self._row_px()
        for part in (0.0, 0.5, 1.0):
            x = columns.bars + columns.room * part
            painter.setPen(QPen(self.palette().mid().color(), 1))
            painter.drawLine(QPointF(x, HEAD_PX - 2), QPointF(x, bottom))
            painter.setPen(self.palette().placeholderText().color())
            label = QRectF(x - 30, 0, 60, HEAD_PX - 4)
            painter.drawText(
                label, Qt.AlignmentFlag.AlignCenter, localised(f"{self._scale * part * 100:g}%")
            )
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRectF(columns.model, 0, FIGURE_PX, HEAD_PX - 4), right, tr("model"))
        painter.setPen(self.palette().accent().color())
        painter.drawText(QRectF(columns.after, 0, FIGURE_PX, HEAD_PX - 4), right, tr("to draw"))

    def _draw_row(self, painter: QPainter, columns: Columns, row: int, option: Option) -> None:
        height, palette = self._row_px(), self.palette()
        top = HEAD_PX + row * height
        self._draw_ground(painter, row, QRectF(0, top + 1, self.width(), height - 2), option)
        self._draw_token(painter, QRectF(6, top, TOKEN_PX - 14, height), option)
        middle = top + height / 2
        painter.setPen(Qt.PenStyle.NoPen)
        for value, y, colour in (
            (option.probability, middle - BAR_PX - 1, palette.placeholderText().color()),
            (option.chance, middle + 1, palette.accent().color()),
        ):
            if value:
                painter.setBrush(colour)
                wide = max(columns.room * min(value / self._scale, 1.0), 1.5)
                painter.drawRoundedRect(QRectF(columns.bars, y, wide, BAR_PX), 2, 2)
        painter.setFont(self._figure_font)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.setPen(palette.text().color())
        before = QRectF(columns.model, top, FIGURE_PX, height)
        painter.drawText(before, right, words.percent(option.probability))
        after = QRectF(columns.after, top, FIGURE_PX - 4, height)
        if option.dropped_by:
            painter.setPen(palette.placeholderText().color())
            painter.drawText(after, right, f"✕ {option.dropped_by}")
        else:
            painter.setPen(palette.accent().color())
            painter.drawText(after, right, words.percent(option.chance))

    def _draw_ground(self, painter: QPainter, row: int, place: QRectF, option: Option) -> None:
        """Behind a row: filled if the number fell on it, framed if the keys point at it."""
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if option.token == self._drawn:
            painter.setBrush(self.palette().highlight())
        elif row == self._hovered:
            painter.setBrush(self.palette().mid())
        if row == self._row and self.hasFocus():
            painter.setPen(QPen(self.palette().accent().color(), 1))
        painter.drawRoundedRect(place.adjusted(0.5, 0.5, -0.5, -0.5), 5, 5)

    def _draw_token(self, painter: QPainter, place: QRectF, option: Option) -> None:
        """The token, its white space quieter than what can be seen anyway."""
        metrics = QFontMetricsF(self._token_font)
        rank = f"{option.rank}. " if option.rank > ROWS else ""
        text = metrics.elidedText(
            rank + visible(option.piece), Qt.TextElideMode.ElideRight, place.width()
        )
        painter.setFont(self._token_font)
        x = place.left()
        for character in text:
            quiet = character in VISIBLE.values()
            painter.setPen(
                (self.palette().placeholderText() if quiet else self.palette().text()).color()
            )
            at = QRectF(x, place.top(), place.width(), place.height())
            painter.drawText(at, Qt.AlignmentFlag.AlignVCenter, character)
            x += metrics.horizontalAdvance(character)

    def _draw_others(self, painter: QPainter, columns: Columns) -> None:
        count, before, after = self._others
        height = self._row_px()
        top = HEAD_PX + ROWS * height
        painter.setFont(self._figure_font)
        painter.setPen(self.palette().placeholderText().color())
        middle = Qt.AlignmentFlag.AlignVCenter
        said = (
            tr("all others; {count:,} of them can be drawn", count=count)
            if count
            else tr("all others, dropped")
        )
        painter.drawText(QRectF(6, top, columns.model - 6, height), middle, said)
        right = Qt.AlignmentFlag.AlignRight | middle
        painter.drawText(
            QRectF(columns.model, top, FIGURE_PX, height), right, words.percent(before)
        )
        painter.drawText(
            QRectF(columns.after, top, FIGURE_PX - 4, height), right, words.percent(after)
        )
