"""Rows of tokens or words with their probabilities; a row may be taken by click or key."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QEnterEvent,
    QFontMetricsF,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPalette,
)
from PySide6.QtWidgets import QAbstractButton, QVBoxLayout, QWidget

from app import theme
from app.token_text import VISIBLE
from app.word_figures import column_percent

if TYPE_CHECKING:
    from collections.abc import Sequence

ROW_PX, ROOMY_ROW_PX = 22, 20  # usual height, and the least for letters of usual size
LABEL_SIZE_PT, SMALL_LABEL_SIZE_PT = 11.5, 10.5
LABEL_PX = 96
FIGURE_PX = 58
BAR_PX = 4


@dataclass(frozen=True, slots=True)
class Bar:
    """One row: how it is written and said, its probability, and what taking it would insert."""

    label: str
    said: str
    probability: float
    text: str | None = None


class BarRow(QAbstractButton):
    """One row; every bar is measured against 100 %."""

    def __init__(self, parent: Bars) -> None:
        super().__init__(parent)
        self._bars = parent
        self.bar: Bar | None = None
        self._figure_font = theme.interface_font(theme.SMALL_SIZE_PT + 0.5)
        self.set_height(ROW_PX)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.clicked.connect(self._on_clicked)

    def set_height(self, height_px: int) -> None:
        """Take this much room; a low row has smaller letters."""
        is_roomy = height_px >= ROOMY_ROW_PX
        self._label_font = theme.writing_font(LABEL_SIZE_PT if is_roomy else SMALL_LABEL_SIZE_PT)
        self.setFixedHeight(height_px)

    def show_bar(self, bar: Bar | None, action: str) -> None:
        """Show a row, or nothing; `action` says what taking it does, "" if it cannot be taken."""
        self.bar = bar
        can_be_taken = bar is not None and bar.text is not None and action != ""
        self.setEnabled(can_be_taken)
        self.setCursor(
            Qt.CursorShape.PointingHandCursor if can_be_taken else Qt.CursorShape.ArrowCursor
        )
        self.setAccessibleName(f"{bar.said}, {column_percent(bar.probability)}" if bar else "")
        self.setAccessibleDescription(action if can_be_taken else "")
        self.setToolTip(action if can_be_taken else "")
        self.update()

    def _on_clicked(self) -> None:
        if self.bar is not None and self.bar.text is not None:
            self._bars.taken.emit(self.bar.text)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move between the rows, or take this one."""
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        if event.key() in steps:
            self._bars.move_from(self, steps[Qt.Key(event.key())])
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def enterEvent(self, event: QEnterEvent) -> None:
        """Show that the row can be taken."""
        self.update()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """Show it no longer."""
        self.update()
        super().leaveEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw label, bar and figure."""
        if self.bar is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        palette = self.palette()
        is_chosen = self.isEnabled() and (self.underMouse() or self.hasFocus())
        width, height = self.width(), self.height()
        self._draw_label(painter, self.bar.label, _accent(palette) if is_chosen else _ink(palette))
        room = width - LABEL_PX - FIGURE_PX
        track = QRectF(LABEL_PX, (height - BAR_PX) / 2, room, BAR_PX)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(palette.mid())
        painter.drawRoundedRect(track, BAR_PX / 2, BAR_PX / 2)
        painter.setBrush(palette.accent())
        track.setWidth(max(room * min(1.0, self.bar.probability), 2.0))
        painter.drawRoundedRect(track, BAR_PX / 2, BAR_PX / 2)
        painter.setFont(self._figure_font)
        painter.setPen(_ink(palette))
        figure = QRectF(width - FIGURE_PX, 0, FIGURE_PX, height)
        right = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.drawText(figure, right, column_percent(self.bar.probability))
        if self.hasFocus():
            painter.fillRect(QRectF(0, height - 2, width, 1.5), palette.accent())

    def _draw_label(self, painter: QPainter, label: str, ink: QColor) -> None:
        """White space is quieter than what can be seen anyway."""
        metrics = QFontMetricsF(self._label_font)
        text = metrics.elidedText(label, Qt.TextElideMode.ElideRight, LABEL_PX - 8)
        lead = len(text) - len(text.lstrip("".join(VISIBLE.values())))
        painter.setFont(self._label_font)
        x_px = 0.0
        for part, colour in (
            (text[:lead], self.palette().placeholderText().color()),
            (text[lead:], ink),
        ):
            painter.setPen(colour)
            room = QRectF(x_px, 0, LABEL_PX - x_px, self.height())
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, part)
            x_px += metrics.horizontalAdvance(part)


class Bars(QWidget):
    """A fixed number of rows.

    Signals:
        taken(str): a row was clicked, or Enter or Space was pressed on it; its text.
    """

    taken = Signal(str)

    def __init__(self, name: str, rows: int, action: str = "") -> None:
        super().__init__()
        self._action = action
        self.rows = [BarRow(self) for _ in range(rows)]
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for row in self.rows:
            column.addWidget(row)
        self.setAccessibleName(name)
        self.show_bars(())

    def set_room(self, row_px: int, rows: int) -> None:
        """Show at most so many rows, each so high."""
        for place, row in enumerate(self.rows):
            row.set_height(row_px)
            row.setVisible(place < rows)

    def show_bars(self, bars: Sequence[Bar]) -> None:
        """Show the likeliest, likeliest first."""
        for i, row in enumerate(self.rows):
            row.show_bar(bars[i] if i < len(bars) else None, self._action)
        takeable = [row for row in self.rows if row.isEnabled()]
        focused = next((row for row in self.rows if row.hasFocus()), None)
        for row in self.rows:  # Tab goes to one row, the arrow keys to the others
            is_entry = row is (focused or takeable[0] if takeable else None)
            row.setFocusPolicy(Qt.FocusPolicy.TabFocus if is_entry else Qt.FocusPolicy.NoFocus)
        self.setAccessibleDescription(
            ", ".join(f"{b.said} {column_percent(b.probability)}" for b in bars)
        )

    def move_from(self, row: BarRow, steps: int) -> None:
        """Move the focus from one row to another that can be taken."""
        places = range(len(self.rows)) if steps > 0 else range(len(self.rows) - 1, -1, -1)
        here = self.rows.index(row)
        for place in places:
            if (place - here) * steps > 0 and self.rows[place].isEnabled():
                self.rows[place].setFocusPolicy(Qt.FocusPolicy.TabFocus)
                self.rows[place].setFocus()
                row.setFocusPolicy(Qt.FocusPolicy.NoFocus)
                return


def _ink(palette: QPalette) -> QColor:
    """The ink of a row that cannot be taken is no paler: it is there to be read."""
    return palette.color(QPalette.ColorGroup.Active, QPalette.ColorRole.Text)


def _accent(palette: QPalette) -> QColor:
    return palette.accent().color()
