"""The plot of surprisal along the text; loads pyqtgraph, so import it late."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent

from app import theme
from app.translation import localised, tr
from model.scores import NATS_PER_BIT

if TYPE_CHECKING:
    from app.written_tokens import WrittenTokens

MOST_BARS = 118  # of two pixels each
BAR_SHARE = 0.7  # of the room a bar has
LEAST_BITS = 8.0  # that the height stands for
UNDER_SHARE = 0.06  # of the height, below zero: room for its figure
AXIS_PX = 22
BAR_OPACITY = 0.75


class Plot(pg.PlotWidget):  # type: ignore[misc]  # pyqtgraph is not typed
    """Bars along the text: each the surprisal of a token, or the mean of several.

    Signals:
        place_wanted(int): a bar was clicked, or the arrow keys moved; a position in the text.
    """

    place_wanted = Signal(int)

    def __init__(self, height_px: int) -> None:
        super().__init__()
        self._tokens: WrittenTokens | None = None
        self._firsts = np.zeros(0, np.int64)  # the first token of each bar
        self._here = 0
        self._bars = pg.BarGraphItem(x=[], height=[], width=BAR_SHARE, pen=None)
        self._caret = pg.InfiniteLine(angle=90, movable=False)
        self._mean = pg.InfiniteLine(angle=0, movable=False)
        for item in (self._bars, self._mean, self._caret):
            self.addItem(item, ignoreBounds=True)
        self.setFixedHeight(height_px)
        self.setMenuEnabled(False)
        self.setMouseEnabled(False, False)
        self.hideButtons()
        self.hideAxis("bottom")
        self.getAxis("left").setWidth(AXIS_PX)
        self.getAxis("left").setStyle(tickLength=0, tickFont=theme.interface_font(7.5))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.viewport().setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.scene().sigMouseClicked.connect(self._on_clicked)
        self.setAccessibleName(tr("Surprisal along the text"))
        self._colour()

    def show_tokens(self, tokens: WrittenTokens, caret: int) -> None:
        """Draw all tokens of a text that are known, and the caret among them."""
        self._tokens = tokens
        count = len(tokens)
        bars = min(count, MOST_BARS)
        self._firsts = np.arange(bars) * count // max(bars, 1)
        bits = tokens.shown_nats / NATS_PER_BIT
        known = np.isfinite(bits)
        if bars:
            sums = np.add.reduceat(np.where(known, bits, 0), self._firsts)
            counts = np.add.reduceat(known, self._firsts, dtype=np.int64)
            heights = sums / np.maximum(counts, 1)
        else:
            heights = np.zeros(0)
        self._bars.setOpts(x=np.arange(bars), height=heights, width=BAR_SHARE)
        mean = float(bits[known].mean()) if known.any() else 0.0
        self._mean.setPos(mean)
        highest = max(LEAST_BITS, float(heights.max(initial=0)))
        self.setRange(xRange=(-0.5, max(bars, 1) - 0.5), padding=0.02)
        self.setRange(yRange=(-UNDER_SHARE * highest, highest), padding=0)
        self.getAxis("left").setTicks([[(v, localised(f"{v:g}")) for v in _ticks(highest)]])
        self._move_to(caret)
        self.setAccessibleDescription(
            tr(
                "{count:,} tokens, {mean:.1f} bits in the mean. Left and right move the caret.",
                count=count,
                mean=mean,
            )
        )

    def _move_to(self, caret: int) -> None:
        if self._tokens is None or not len(self._firsts):
            self._caret.setVisible(False)
            return
        token = max(int(np.searchsorted(self._tokens.starts, caret)) - 1, 0)
        self._here = max(int(np.searchsorted(self._firsts, token, "right")) - 1, 0)
        self._caret.setVisible(True)
        self._caret.setPos(self._here)

    def _go(self, bar: int) -> None:
        if self._tokens is None or not len(self._firsts):
            return
        bar = min(max(bar, 0), len(self._firsts) - 1)
        self.place_wanted.emit(int(self._tokens.ends[self._firsts[bar]]))

    def _on_clicked(self, event: object) -> None:
        place = self.getPlotItem().vb.mapSceneToView(event.scenePos())  # type: ignore[attr-defined]
        self._go(round(place.x()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the caret by one bar."""
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        if event.key() in steps:
            self._go(self._here + steps[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the colours of the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_mean"):
            self._colour()

    def _colour(self) -> None:
        palette = self.palette()
        self.setBackground(palette.window().color())
        quiet = palette.placeholderText().color()
        bar = palette.accent().color()
        bar.setAlphaF(BAR_OPACITY)
        self._bars.setOpts(brush=bar, pen=None)
        self._caret.setPen(pg.mkPen(palette.text().color(), width=1))
        self._mean.setPen(pg.mkPen(QColor(quiet), width=1, style=Qt.PenStyle.DotLine))
        axis = self.getAxis("left")
        axis.setPen(pg.mkPen(palette.mid().color()))
        axis.setTextPen(pg.mkPen(quiet))


def _ticks(highest: float) -> list[float]:
    step = next(step for step in (4, 8, 16, 32, 1e9) if highest / step <= 4)
    return [step * i for i in range(int(highest // step) + 1)]
