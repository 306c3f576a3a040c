"""The text as a whole: perplexity of page, paragraph and selection, and surprisal along it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.probability_parts import UNKNOWN, Line, heading, link, note
from app.slow_import import SlowImport

if TYPE_CHECKING:
    from app.probability_plot import Plot
    from app.written_tokens import WrittenTokens

PERPLEXITY = (
    "How surprising the text was: the exponential of the mean surprisal of its tokens, each given "
    "those before it. 1: every token was certain; 20: like choosing among 20 equally likely ones."
)
PLOT_PX = 104


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
        self.page = Line("Page", PERPLEXITY)
        self.paragraph = Line("Paragraph", PERPLEXITY)
        self.selection = Line("Selection", PERPLEXITY)
        self._read = note()
        self._read.setWordWrap(False)
        self._all = link("Read all", "Read the whole text, which takes a while")
        self._all.clicked.connect(self.all_wanted)
        self._plot: Plot | None = None
        self._drawn: tuple[WrittenTokens, int] | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        head = QHBoxLayout()
        head.addWidget(heading("Perplexity"))
        head.addStretch(1)
        head.addWidget(self._read)
        head.addWidget(self._all)
        column.addLayout(head)
        for line in (self.page, self.paragraph, self.selection):
            column.addWidget(line)
        column.addSpacing(8)
        column.addWidget(heading("Surprisal along the text, in bits a token"))
        self._place = QVBoxLayout()
        column.addLayout(self._place)
        self._place.addSpacing(PLOT_PX)
        self._loading = SlowImport("app.probability_plot", self)
        self._loading.done.connect(self._on_loaded)

    def load_plot(self) -> None:
        """Get ready to plot; what plots takes a third of a second to load, in another thread."""
        self._loading.start()

    def stop(self) -> None:
        """Wait until nothing is being loaded."""
        self._loading.wait()

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
                line.show_value(UNKNOWN if math.isnan(value) else f"{value:,.1f}")

    def show_progress(self, read: int, tokens: int, *, can_read_all: bool) -> None:
        """Say how much of the text is read, if not all."""
        is_partial = read < tokens
        self._read.setText(f"{read:,} of {tokens:,} tokens read" if is_partial else "")
        self._all.setVisible(can_read_all)

    def show_tokens(self, tokens: WrittenTokens, caret: int) -> None:
        """Plot the surprisal of all tokens."""
        self._drawn = (tokens, caret)
        if self._plot is not None:
            self._plot.show_tokens(tokens, caret)

    @Slot()
    def _on_loaded(self) -> None:
        from app.probability_plot import Plot

        self._plot = Plot(PLOT_PX)
        self._plot.place_wanted.connect(self.place_wanted)
        self._place.takeAt(0)
        self._place.addWidget(self._plot)
        self.setTabOrder(self._all, self._plot)
        if self._drawn is not None:
            self._plot.show_tokens(*self._drawn)
