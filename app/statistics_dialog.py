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
from app.translation import localised, marked, tr

if TYPE_CHECKING:
    from app.statistics import Statistics
    from app.statistics_store import Counts

WIDTH_PX, HEIGHT_PX = 620, 600
MARGIN_PX = 32
NOTHING = "–"
SAVED = marked("Characters that suggestions wrote for you, less one key for each that you took.")
SHARE = marked("Of all the keys the same text would have taken.")
ACCEPTED = marked(
    "Of the words you wrote while suggestions were on the screen, those that you took."
)
COUNTED = marked(
    "Only numbers are kept, on this computer, and never a word of what you write. "
    "In private mode nothing is counted."
)
LATENCY = marked("From the key to the words on the screen")


class StatisticsDialog(QDialog):
    """Shows the figures as they stand when it is opened."""

    def __init__(self, statistics: Statistics, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._statistics = statistics
        self.setWindowTitle(tr("Statistics"))
        self.resize(WIDTH_PX, HEIGHT_PX)
        self._today = [_figure() for _ in range(3)]
        self._total = [_figure() for _ in range(3)]
        self._speed = QLabel()
        self._plot = pyqtgraph.PlotWidget()
        self._bars = pyqtgraph.BarGraphItem(x=[], height=[], width=BIN_MS * 0.82)
        self._clear = QPushButton(tr("Clear Statistics…"))
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
        heads = ((tr("Keystrokes saved"), tr(SAVED)), (tr("Share of all keys"), tr(SHARE)),
                 (tr("Words taken when offered"), tr(ACCEPTED)))  # fmt: skip
        for place, (name, meaning) in enumerate(heads, 1):
            grid.addWidget(_quiet(name, meaning), 0, place)
            for row, when, labels in (
                (1, tr("today"), self._today),
                (2, tr("in total"), self._total),
            ):
                label = labels[place - 1]
                label.setAccessibleName(f"{name}, {when}")
                label.setToolTip(meaning)
                grid.addWidget(label, row, place)
            grid.setColumnStretch(place, 1)
        for row, when in ((1, tr("Today")), (2, tr("In total"))):
            grid.addWidget(_quiet(when, ""), row, 0)
        column.addLayout(grid)
        column.addSpacing(18)
        column.addWidget(_quiet(tr(LATENCY), ""))
        self._speed.setFont(theme.writing_font(14))
        self._speed.setAccessibleName(tr(LATENCY))
        column.addWidget(self._speed)
        column.addWidget(self._plot, 1)
        note = QLabel(tr(COUNTED))
        note.setWordWrap(True)
        note.setProperty("isQuiet", True)
        note.setFont(theme.interface_font(theme.SMALL_SIZE_PT))
        column.addWidget(note)
        foot = QHBoxLayout()
        foot.addWidget(self._clear)
        foot.addStretch(1)
        close = QPushButton(tr("Close"))
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
        plot.setLabel(
            "bottom",
            tr("milliseconds ({most} and more at the right)", most=BIN_MS * (BINS - 1)),
        )
        plot.hideAxis("left")
        plot.setXRange(0, BIN_MS * BINS, padding=0.01)
        plot.setAccessibleName(tr("Histogram of latencies"))

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
        box = QMessageBox(
            QMessageBox.Icon.NoIcon, "Foretype", tr("Clear all statistics?"), parent=self
        )
        box.setInformativeText(tr("They begin again at zero. Nothing else is forgotten."))
        clear = box.addButton(tr("Clear"), QMessageBox.ButtonRole.AcceptRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.exec()
        if box.clickedButton() is not clear:
            return
        try:
            self._statistics.clear()
        except StatisticsError as err:
            QMessageBox.warning(self, "Foretype", tr("The statistics were {err}.", err=err))
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
    saved, accepted = (NOTHING if one is None else localised(f"{one:.0%}") for one in shares)
    return localised(f"{counts.saved:,}"), saved, accepted


def _said(bins: dict[int, int]) -> str:
    """The histogram in a sentence; percentiles are the upper ends of their bins."""
    total = sum(bins.values())
    if not total:
        return tr("Nothing measured yet.")

    def percentile(share: float) -> int:
        seen = 0
        for place in sorted(bins):
            seen += bins[place]
            if seen >= share * total:
                return (place + 1) * BIN_MS
        return BINS * BIN_MS

    return tr(
        "Half within {half} ms, 95 of 100 within {most} ms",
        half=percentile(0.5),
        most=percentile(0.95),
    )


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
