"""The text as a whole: perplexity of page, paragraph and selection, and surprisal along it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.probability_parts import UNKNOWN, Figure, heading, link, note
from app.translation import localised, marked, tr

if TYPE_CHECKING:
    from app.probability_plot import Plot
    from app.written_tokens import WrittenTokens

PERPLEXITY = marked(
    "How surprising the text was: the exponential of the mean surprisal of its tokens, each given "
    "those before it. 1: every token was certain; 20: like choosing among 20 equally likely ones."
)
PLOT_PX = 104
AFTER_MS = 50


class TextSection(QWidget):
    """Perplexities, and the plot.

    Signals:
        place_wanted(int): the caret should go to this position.
        all_wanted(): a long text should be read to its end too.
    """

    place_wanted = Signal(int)
    all_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.page = Figure(tr("page"), tr(PERPLEXITY))
        self.paragraph = Figure(tr("paragraph"), tr(PERPLEXITY))
        self.selection = Figure(tr("selection"), tr(PERPLEXITY))
        self._read = note()
        self._read.setWordWrap(False)
        self._all = link(tr("Read all"), tr("Read the whole text, which takes a while"))
        self._all.clicked.connect(self.all_wanted)
        self._all.hide()
        self._plot_px = PLOT_PX
        self._plot: Plot | None = None
        self._drawn: tuple[WrittenTokens, int] | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        head = QHBoxLayout()
        head.addWidget(heading(tr("Perplexity")))
        head.addStretch(1)
        head.addWidget(self._read)
        head.addWidget(self._all)
        column.addLayout(head)
        figures = QHBoxLayout()
        figures.setSpacing(8)
        for figure, stretch in ((self.page, 4), (self.paragraph, 3), (self.selection, 4)):
            figures.addWidget(figure, stretch)
        column.addLayout(figures)
        column.addSpacing(6)
        column.addWidget(heading(tr("Surprisal along the text, in bits a token")))
        self._place = QVBoxLayout()
        column.addLayout(self._place)
        self._place.addSpacing(PLOT_PX)
        self._loading = QTimer(self)  # once the panel is on screen: it takes a quarter of a second
        self._loading.setSingleShot(True)
        self._loading.setInterval(AFTER_MS)
        self._loading.timeout.connect(self._load_plot)

    def load_plot(self) -> None:
        """Get ready to plot; only the first time is there something to do."""
        if self._plot is None:
            self._loading.start()

    def set_plot_height(self, height_px: int) -> None:
        """Give the plot so much room."""
        self._plot_px = height_px
        if self._plot is None:
            self._place.takeAt(0)
            self._place.addSpacing(height_px)
        else:
            self._plot.setFixedHeight(height_px)

    def show_perplexities(
        self, page: float | None, paragraph: float | None, selection: float | None
    ) -> None:
        """Show figures; None keeps the last one, quietly, until it is known anew."""
        for line, value in (
            (self.page, page), (self.paragraph, paragraph), (self.selection, selection),
        ):  # fmt: skip
            if value is None:
                line.show_value(line.text, is_settled=False)
            else:
                line.show_value(UNKNOWN if math.isnan(value) else localised(f"{value:,.1f}"))

    def show_progress(self, read: int, tokens: int, *, can_read_all: bool) -> None:
        """Say how much of the text is read, if not all."""
        is_partial = read < tokens
        self._read.setText(
            tr("{read:,} of {tokens:,} tokens read", read=read, tokens=tokens) if is_partial else ""
        )
        self._all.setVisible(can_read_all)

    def show_tokens(self, tokens: WrittenTokens, caret: int) -> None:
        """Plot the surprisal of all tokens."""
        self._drawn = (tokens, caret)
        if self._plot is not None:
            self._plot.show_tokens(tokens, caret)

    @Slot()
    def _load_plot(self) -> None:
        # Not in another thread: importing Qt's modules there has crashed once.
        from app.probability_plot import Plot

        self._plot = Plot(self._plot_px)
        self._plot.place_wanted.connect(self.place_wanted)
        self._place.takeAt(0)
        self._place.addWidget(self._plot)
        self.setTabOrder(self._all, self._plot)
        if self._drawn is not None:
            self._plot.show_tokens(*self._drawn)
