"""How surprising a word is, in five steps: a colour behind it and a line under it for each.

The line grows with the step, so the scale is read without colours too.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QPen

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter, QPalette

# Of ordinary prose, half of all words stay below the first limit and 1 in 100 is above the last.
LIMITS_BITS = (4.0, 8.0, 12.0, 16.0)
CORNER_PX = 3.0
DARK_BELOW = 0.5  # lightness of the paper


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the scale: what lies behind a word, and the line under it."""

    ground: str
    line: str
    width_px: float
    style: Qt.PenStyle


NONE, DOTS, SOLID = Qt.PenStyle.NoPen, Qt.PenStyle.DotLine, Qt.PenStyle.SolidLine
LIGHT = (
    Step("", "", 0, NONE),
    Step("#faf0dc", "#a8742a", 1, DOTS),
    Step("#f7e2bd", "#a8742a", 1, SOLID),
    Step("#f3cf99", "#a3621c", 2, SOLID),
    Step("#eeb877", "#96500f", 3, SOLID),
)
DARK = (
    Step("", "", 0, NONE),
    Step("#2a2620", "#b98d4f", 1, DOTS),
    Step("#3b3122", "#c99a58", 1, SOLID),
    Step("#523e22", "#dba962", 2, SOLID),
    Step("#6a4b20", "#f0bd75", 3, SOLID),
)


def step_of(bits: float) -> int:
    """The step of a word of this surprisal, 0 to 4; 0 if it is not known."""
    return 0 if math.isnan(bits) else bisect_right(LIMITS_BITS, bits)


def steps(palette: QPalette) -> tuple[Step, ...]:
    """The scale that suits the paper."""
    return DARK if palette.base().color().lightnessF() < DARK_BELOW else LIGHT


def draw(painter: QPainter, step: Step, room: QRectF, line_y_px: float) -> None:
    """Draw what lies behind a word in `room`, and the line under it."""
    if step.style == NONE:
        return
    painter.setPen(NONE)
    painter.setBrush(QColor(step.ground))
    painter.drawRoundedRect(room, CORNER_PX, CORNER_PX)
    painter.setPen(QPen(QColor(step.line), step.width_px, step.style))
    y_px = line_y_px + step.width_px / 2
    painter.drawLine(QLineF(room.left() + 1, y_px, room.right() - 1, y_px))
