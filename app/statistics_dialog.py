"""The figures a writer cares about: keys saved, words taken, and how fast the words come."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyqtgraph
from PySide6.QtCore import QEvent, Qt, Slot
from PySide6.QtWidgets import (
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QMessageBox,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.statistics import BIN_MS, BINS, today
from app.statistics_store import StatisticsError

if TYPE_CHECKING:
    from app.statistics import Statistics
    from app.statistics_store import Counts

WIDTH_PX, HEIGHT_PX = 620, 600
MARGIN_PX = 32
NOTHING = "–"
SAVED = "Characters that suggestions wrote for you, less one key for each that you took."
SHARE = "Of all the keys the same text would have taken."
ACCEPTED = "Of the words you wrote while suggestions were on the screen, those that you took."
COUNTED = (
    "Only numbers are kept, on this computer, and never a word of what you write. "
    "In private mode nothing is counted."
)
LATENCY = "From the key to the words on the screen"


class StatisticsDialog(QDialog):
    """Shows the figures as they stand when it is opened."""

    def __init__(self, statistics: Statistics, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._statistics = statistics
        self.setWindowTitle("Statistics")
        self.resize(WIDTH_PX, HEIGHT_PX)
        self._today = [_figure() for _ in range(3)]
        self._total = [_figure() for _ in range(3)]
        self._speed = QLabel()
        self._plot = pyqtgraph.PlotWidget()
        self._bars = pyqtgraph.BarGraphItem(x=[], height=[], width=BIN_MS * 0.82)
        self._clear = QPushButton("Clear Statistics…")
        self._clear.clicked.connect(self._on_clear)
        self._lay_out()
        self._paint()
        self.show_figures()

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(MARGIN_PX, MARGIN_PX, MARGIN_PX, 24)
        column.setSpacing(10)
        grid = QGridLayout()
        grid.setHorizontalSpacing(28)
        grid.setVerticalSpacing(2)
        heads = (("Keystrokes saved", SAVED), ("Share of all keys", SHARE),
                 ("Words taken when offered", ACCEPTED))  # fmt: skip
        for place, (name, meaning) in enumerate(heads, 1):
            grid.addWidget(_quiet(name, meaning), 0, place)
            for row, when, labels in ((1, "today", self._today), (2, "in total", self._total)):
                label = labels[place - 1]
                label.setAccessibleName(f"{name}, {when}")
                label.setToolTip(meaning)
                grid.addWidget(label, row, place)
            grid.setColumnStretch(place, 1)
        for row, when in ((1, "Today"), (2, "In total")):
            grid.addWidget(_quiet(when, ""), row, 0)
        column.addLayout(grid)
        column.addSpacing(18)
        column.addWidget(_quiet(LATENCY, ""))
        self._speed.setFont(theme.writing_font(14))
        self._speed.setAccessibleName(LATENCY)
        column.addWidget(self._speed)
        column.addWidget(self._plot, 1)
        note = QLabel(COUNTED)
        note.setWordWrap(True)
        note.setProperty("isQuiet", True)
        note.setFont(theme.interface_font(theme.SMALL_SIZE_PT))
        column.addWidget(note)
        foot = QHBoxLayout()
        foot.addWidget(self._clear)
        foot.addStretch(1)
        close = QPushButton("Close")
        close.setDefault(True)
        close.clicked.connect(self.accept)
        foot.addWidget(close)
        column.addLayout(foot)
        close.setFocus()
        self._prepare_plot()

    def _prepare_plot(self) -> None:
        plot = self._plot
        plot.addItem(self._bars)
        plot.setMenuEnabled(False)
        plot.setMouseEnabled(x=False, y=False)
        plot.hideButtons()
        plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        plot.setLabel("bottom", f"milliseconds ({BIN_MS * (BINS - 1)} and more at the right)")
        plot.hideAxis("left")
        plot.setXRange(0, BIN_MS * BINS, padding=0.01)
        plot.setAccessibleName("Histogram of latencies")

    @Slot()
    def show_figures(self) -> None:
        """Show the figures of this moment."""
        self._statistics.keep()
        store = self._statistics.store
        for labels, counts in (
            (self._today, store.counts(today())), (self._total, store.counts()),
        ):  # fmt: skip
            for label, text in zip(labels, _texts(counts), strict=True):
                label.setText(text)
        bins = store.latencies()
        x = [(place + 0.5) * BIN_MS for place in bins]
        self._bars.setOpts(x=x, height=list(bins.values()))
        said = _said(bins)
        self._speed.setText(said)
        self._plot.setAccessibleDescription(said)

    @Slot()
    def _on_clear(self) -> None:
        box = QMessageBox(QMessageBox.Icon.NoIcon, "Foretype", "Clear all statistics?", parent=self)
        box.setInformativeText("They begin again at zero. Nothing else is forgotten.")
        clear = box.addButton("Clear", QMessageBox.ButtonRole.AcceptRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.exec()
        if box.clickedButton() is not clear:
            return
        try:
            self._statistics.clear()
        except StatisticsError as err:
            QMessageBox.warning(self, "Foretype", f"The statistics were {err}.")
        self.show_figures()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._paint()

    def _paint(self) -> None:
        palette = self.palette()
        self._plot.setBackground(palette.base().color())
        axis = self._plot.getAxis("bottom")
        axis.setPen(palette.mid().color())
        axis.setTextPen(palette.placeholderText().color())
        axis.setTickFont(theme.interface_font(theme.SMALL_SIZE_PT))
        self._bars.setOpts(brush=palette.accent().color(), pen=palette.base().color())


def _texts(counts: Counts) -> tuple[str, str, str]:
    """Keys saved, their share, and the share of words taken."""
    shares = (counts.saved_share, counts.acceptance)
    saved, accepted = (NOTHING if one is None else f"{one:.0%}" for one in shares)
    return f"{counts.saved:,}", saved, accepted


def _said(bins: dict[int, int]) -> str:
    """The histogram in a sentence; percentiles are the upper ends of their bins."""
    total = sum(bins.values())
    if not total:
        return "Nothing measured yet."

    def percentile(share: float) -> int:
        seen = 0
        for place in sorted(bins):
            seen += bins[place]
            if seen >= share * total:
                return (place + 1) * BIN_MS
        return BINS * BIN_MS

    return f"Half within {percentile(0.5)} ms, 95 of 100 within {percentile(0.95)} ms"


def _figure() -> QLabel:
    label = QLabel()
    label.setFont(theme.writing_font(26))
    return label


def _quiet(text: str, meaning: str) -> QLabel:
    label = QLabel(text)
    label.setFont(theme.interface_font(theme.SMALL_SIZE_PT + 0.5))
    label.setProperty("isQuiet", True)
    label.setToolTip(meaning)
    return label
