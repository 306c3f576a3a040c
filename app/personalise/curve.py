"""The curve of a training: how surprised the model is by the texts, step by step."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pyqtgraph
from PySide6.QtCore import Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app import theme
from app.translation import marked, tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QEvent

    Points = Sequence[tuple[int, float]]

TOOL_TIP = marked(
    "Perplexity: how many words the model hesitates between, so to speak, at each place. "
    "A line that goes down means that it learns; less is better."
)
SMOOTHING = 0.9


class Curve(QWidget):
    """Perplexity over steps: of the text it trains on as a line, of text kept back as dots."""

    def __init__(self) -> None:
        super().__init__()
        self._plot = pyqtgraph.PlotWidget()
        self._plot.setMenuEnabled(False)
        self._plot.setMouseEnabled(x=False, y=False)
        self._plot.hideButtons()
        self._plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._plot.addLegend(offset=(-6, 6))
        self._trained = self._plot.plot([], [], name=tr("texts it trains on"), antialias=True)
        self._held = self._plot.plot(
            [], [], name=tr("texts kept back"), symbol="o", symbolSize=7, antialias=True
        )
        self._plot.setLabel("bottom", tr("steps"))
        self._plot.setLabel("left", tr("perplexity"))
        self.setToolTip(tr(TOOL_TIP))
        self.setAccessibleName(tr("Perplexity during training"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._plot)
        self._paint()

    def show_points(self, losses: Points, held: Points, steps: int) -> None:
        """Draw the losses, in nats per token, and the perplexities on text kept back.

        `steps` is how many there will be.
        """
        self._plot.setXRange(0, max(steps, 1), padding=0.02)
        self._trained.setData([step for step, _ in losses], _smoothed(losses))
        self._held.setData([step for step, _ in held], [value for _, value in held])
        self.setAccessibleDescription(
            tr(
                "{perplexity:.1f} on texts kept back at step {step}",
                perplexity=held[-1][1],
                step=held[-1][0],
            )
            if held
            else ""
        )

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() == event.Type.PaletteChange:
            self._paint()

    def _paint(self) -> None:
        palette = self.palette()
        paper, quiet = palette.color(QPalette.ColorRole.Base), palette.placeholderText().color()
        accent = palette.color(QPalette.ColorRole.Link)
        self._plot.setBackground(paper)
        for side in ("bottom", "left"):
            axis = self._plot.getAxis(side)
            axis.setPen(palette.mid().color())
            axis.setTextPen(quiet)
            axis.setTickFont(theme.interface_font(theme.SMALL_SIZE_PT))
        self._trained.setPen(pyqtgraph.mkPen(quiet, width=1.5))
        self._held.setPen(pyqtgraph.mkPen(accent, width=2))
        self._held.setSymbolBrush(accent)
        self._held.setSymbolPen(accent)
        self._plot.getPlotItem().legend.setLabelTextColor(quiet)


def _smoothed(losses: Points) -> list[float]:
    """Perplexities of a running mean of the losses, which jump from step to step."""
    smoothed, mean, weight = [], 0.0, 0.0
    for _, loss in losses:
        mean = SMOOTHING * mean + (1 - SMOOTHING) * loss
        weight = SMOOTHING * weight + (1 - SMOOTHING)
        smoothed.append(math.exp(min(mean / weight, 20.0)))
    return smoothed
