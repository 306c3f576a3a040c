"""A written word: how likely it was, and what the model expected instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from app import theme
from app.probability_bars import Bar, Bars
from app.probability_parts import UNKNOWN, Figure, heading, note
from app.token_text import insertable, spoken, visible
from app.word_figures import percent

if TYPE_CHECKING:
    from app.word_figures import WordFigures

INSTEAD = 5
TOKENS_NAMED = 6
PROBABILITY = "The probability of the word after the text before it: the product over its tokens."
RANK = "The place of each of its tokens among all tokens; 1 is the one the model expected most."
SURPRISAL = "−log₂ of the probability: how many coin tosses in a row are as unlikely."
NOTHING = "Put the caret into a word"
TAKE = "Put it there instead"


class WordSection(QWidget):
    """Figures of the word at the caret, or under the pointer.

    Signals:
        replacement_wanted(WordFigures, str): another text should take the word's place.
    """

    replacement_wanted = Signal(object, str)

    def __init__(self) -> None:
        super().__init__()
        self._shown: WordFigures | None = None
        self.word = QLabel()
        self.word.setFont(theme.writing_font(theme.INTERFACE_SIZE_PT + 3))
        self.word.setTextFormat(Qt.TextFormat.PlainText)
        self.word.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.probability = Figure("probability", PROBABILITY)
        self.rank = Figure("rank", RANK)
        self.surprisal = Figure("surprisal", SURPRISAL)
        self._tokens = note()
        self.instead = Bars("Expected instead", INSTEAD, TAKE)
        figures = QHBoxLayout()
        figures.setSpacing(8)
        for figure, stretch in ((self.probability, 4), (self.rank, 3), (self.surprisal, 4)):
            figures.addWidget(figure, stretch, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        for widget in (heading("Written"), self.word):
            column.addWidget(widget)
        column.addLayout(figures)
        column.addWidget(self._tokens)
        column.addSpacing(4)
        column.addWidget(heading("Expected instead"))
        column.addWidget(self.instead)
        self.instead.taken.connect(self._on_taken)
        self.show_word(None)

    def show_word(self, shown: WordFigures | None) -> None:
        """Show a word's figures, or how to get some."""
        self._shown = shown
        self.word.setText(shown.text if shown else NOTHING)
        self.word.setEnabled(shown is not None)
        self.word.setAccessibleName(f"Written word: {shown.text}" if shown else NOTHING)
        self.probability.show_value(percent(shown.probability) if shown else UNKNOWN)
        ranks = [f"{rank:,}" for rank in shown.ranks[:3]] if shown else []
        more = "…" if shown and len(shown.ranks) > 3 else ""
        self.rank.show_value(
            " · ".join(ranks) + more or UNKNOWN, "ranks" if len(ranks) > 1 else "rank"
        )
        self.surprisal.show_value(f"{shown.bits:.2f} bits" if shown else UNKNOWN)
        tokens = shown.tokens if shown and len(shown.tokens) > 1 else ()
        named = "   ".join(f"{visible(piece)} {percent(p)}" for piece, p in tokens[:TOKENS_NAMED])
        rest = f"   and {len(tokens) - TOKENS_NAMED} more" if len(tokens) > TOKENS_NAMED else ""
        self._tokens.setText(f"{len(tokens)} tokens:  {named}{rest}" if tokens else "")
        self.instead.show_bars(
            [
                Bar(visible(piece), spoken(piece), chance, insertable(piece))
                for piece, chance in (shown.instead if shown else ())
            ]
        )

    def _on_taken(self, text: str) -> None:
        if self._shown is not None:
            self.replacement_wanted.emit(self._shown, text)
