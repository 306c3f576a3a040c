"""The legend of the heat map: its five steps, side by side."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app import theme
from app.heat_scale import LIMITS_BITS, draw, steps
from app.translation import marked, tr

SAMPLE_PX = 26
HEIGHT_PX = 20
GAP_PX = 7
BEFORE_PX = 16
TITLE, UNIT = marked("Surprisal"), marked("bits")
MEANING = marked(
    "How surprising each word was to the model. The steps begin at {steps} bits; words below the "
    "first are not marked."
)


class HeatLegend(QWidget):
    """Samples of the steps, with the bits at which each begins between them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFont(theme.interface_font(theme.SMALL_SIZE_PT))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Heat map legend"))
        meaning = tr(MEANING, steps=", ".join(f"{limit:g}" for limit in LIMITS_BITS))
        self.setAccessibleDescription(meaning)
        self.setToolTip(meaning)

    def sizeHint(self) -> QSize:
        """As wide as what is drawn."""
        metrics = QFontMetricsF(self.font())
        words = [tr(TITLE), *(f"{limit:g}" for limit in LIMITS_BITS), tr(UNIT)]
        text_px = sum(metrics.horizontalAdvance(word) + GAP_PX for word in words)
        return QSize(
            round(BEFORE_PX + text_px + len(LIMITS_BITS) * (SAMPLE_PX + GAP_PX)), HEIGHT_PX
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the title, then for each step where it begins and what it looks like."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        metrics = QFontMetricsF(self.font())
        baseline_px = (HEIGHT_PX + metrics.capHeight()) / 2
        x_px = float(BEFORE_PX)

        def write(text: str) -> None:
            nonlocal x_px
            painter.setPen(self.palette().placeholderText().color())
            painter.drawText(QPointF(x_px, baseline_px), text)
            x_px += metrics.horizontalAdvance(text) + GAP_PX

        write(tr(TITLE))
        for limit, step in zip(LIMITS_BITS, steps(self.palette())[1:], strict=True):
            write(f"{limit:g}")
            draw(painter, step, QRectF(x_px, 2, SAMPLE_PX, HEIGHT_PX - 4), HEIGHT_PX - 5)
            x_px += SAMPLE_PX + GAP_PX
        write(tr(UNIT))
