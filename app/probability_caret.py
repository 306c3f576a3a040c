"""What comes next, at the caret: the likeliest tokens or words, and how undecided the model is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.probability_bars import Bar, Bars
from app.probability_parts import UNKNOWN, Line, Switch, heading
from app.token_text import spoken, visible
from app.translation import marked, tr

if TYPE_CHECKING:
    from model.offer import Word
    from model.reader import NextToken

ROWS = 8
TOKENS, WORDS = range(2)
CHOICES = (
    (marked("Tokens"), marked("The likeliest next tokens, of all that the model knows")),
    (marked("Words"), marked("The words that are suggested, each with its probability as a whole")),
)
ENTROPY = marked(
    "How undecided the model is about the next token: the mean of −log₂ p over its whole "
    "distribution. 0 bits: it is certain; 1 bit: a coin toss."
)


class CaretSection(QWidget):
    """The distribution at the caret."""

    def __init__(self) -> None:
        super().__init__()
        self.switch = Switch(tr("What comes next as"), CHOICES)
        self.bars = Bars(tr("Likeliest next"), ROWS)
        self.entropy = Line(tr("Entropy of the next token"), tr(ENTROPY))
        self._bars_of: dict[int, list[Bar]] = {TOKENS: [], WORDS: []}
        head = QHBoxLayout()
        head.addWidget(heading(tr("Next")))
        head.addStretch(1)
        head.addWidget(self.switch)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addLayout(head)
        column.addWidget(self.bars)
        column.addSpacing(2)
        column.addWidget(self.entropy)
        self.switch.turned.connect(self._show_bars)

    def set_room(self, row_px: int, rows: int) -> None:
        """Show so many rows, each so high."""
        self.bars.set_room(row_px, rows)

    def show_token(self, found: NextToken) -> None:
        """Show the distribution of the next token."""
        self._bars_of[TOKENS] = [
            Bar(visible(token.piece), spoken(token.piece), token.probability)
            for token in found.tokens
        ]
        self.entropy.show_value(tr("{entropy_bits:.2f} bits", entropy_bits=found.entropy_bits))
        self._show_bars()

    def show_words(self, words: tuple[Word, ...]) -> None:
        """Show the words that are suggested."""
        self._bars_of[WORDS] = [Bar(word.text, word.text, word.probability) for word in words]
        self._show_bars()

    def clear(self) -> None:
        """Show that nothing is predicted."""
        self._bars_of = {TOKENS: [], WORDS: []}
        self.entropy.show_value(UNKNOWN)
        self._show_bars()

    def _show_bars(self) -> None:
        self.bars.show_bars(self._bars_of[self.switch.place])
