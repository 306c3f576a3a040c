"""A written word: how likely it was, and what the model expected instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from app import theme
from app.probability_bars import Bar, Bars
from app.probability_instead import INSTEAD
from app.probability_parts import UNKNOWN, Figure, Switch, heading, note
from app.token_text import insertable, spoken, visible
from app.translation import localised, marked, tr
from app.word_figures import percent

if TYPE_CHECKING:
    from app.word_figures import WordFigures
    from model.offer import Word

TOKENS_NAMED = 6
PROBABILITY = marked(
    "The probability of the word after the text before it: the product over its tokens."
)
RANK = marked(
    "The place of each of its tokens among all tokens; 1 is the one the model expected most."
)
SURPRISAL = marked("−log₂ of the probability: how many coin tosses in a row are as unlikely.")
NOTHING = marked("Put the caret into a word")
TAKE = marked("Put it there instead")
TOKENS, WORDS = range(2)
CHOICES = (
    (
        marked("Tokens"),
        marked("The likeliest tokens in place of the word's first, with their exact figures"),
    ),
    (marked("Words"), marked("Whole words that might stand there; click one to put it there")),
)


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
        self.probability = Figure(tr("probability"), tr(PROBABILITY))
        self.rank = Figure(tr("rank"), tr(RANK))
        self.surprisal = Figure(tr("surprisal"), tr(SURPRISAL))
        self._tokens = note()
        self.switch = Switch(tr("What was expected as"), CHOICES)
        self.instead = Bars(tr("Expected instead"), INSTEAD, tr(TAKE))
        self._bars_of: dict[int, list[Bar]] = {WORDS: [], TOKENS: []}
        figures = QHBoxLayout()
        figures.setSpacing(8)
        for figure, stretch in ((self.probability, 4), (self.rank, 3), (self.surprisal, 4)):
            figures.addWidget(figure, stretch, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        for widget in (heading(tr("Written")), self.word):
            column.addWidget(widget)
        column.addLayout(figures)
        column.addWidget(self._tokens)
        column.addSpacing(4)
        head = QHBoxLayout()
        head.addWidget(heading(tr("Expected instead")))
        head.addStretch(1)
        head.addWidget(self.switch)
        column.addLayout(head)
        column.addWidget(self.instead)
        self.switch.choose(WORDS)
        self.switch.turned.connect(self._show_bars)
        self.instead.taken.connect(self._on_taken)
        self.show_word(None)

    def set_row_height(self, row_px: int) -> None:
        """Let what was expected take rows so high."""
        self.instead.set_room(row_px, INSTEAD)

    def show_word(self, shown: WordFigures | None) -> None:
        """Show a word's figures, or how to get some."""
        is_another, self._shown = shown != self._shown, shown
        self.word.setText(shown.text if shown else tr(NOTHING))
        self.word.setEnabled(shown is not None)
        self.word.setAccessibleName(
            tr("Written word: {text}", text=shown.text) if shown else tr(NOTHING)
        )
        self.probability.show_value(percent(shown.probability) if shown else UNKNOWN)
        ranks = [localised(f"{rank:,}") for rank in shown.ranks[:3]] if shown else []
        more = "…" if shown and len(shown.ranks) > 3 else ""
        self.rank.show_value(
            " · ".join(ranks) + more or UNKNOWN, tr("ranks") if len(ranks) > 1 else tr("rank")
        )
        self.surprisal.show_value(tr("{bits:.2f} bits", bits=shown.bits) if shown else UNKNOWN)
        tokens = shown.tokens if shown and len(shown.tokens) > 1 else ()
        named = "   ".join(f"{visible(piece)} {percent(p)}" for piece, p in tokens[:TOKENS_NAMED])
        rest = (
            tr("   and {count} more", count=len(tokens) - TOKENS_NAMED)
            if len(tokens) > TOKENS_NAMED
            else ""
        )
        self._tokens.setText(
            tr("%n tokens:  {named}{rest}", "", len(tokens), named=named, rest=rest)
            if tokens
            else ""
        )
        if is_another or shown is None:
            self._bars_of[WORDS] = []  # they follow
        self._bars_of[TOKENS] = [
            Bar(visible(piece), spoken(piece), chance, _whole(piece))
            for piece, chance in (shown.instead if shown else ())
        ]
        self._show_bars()

    def show_words(self, shown: WordFigures, lead: str, words: tuple[Word, ...]) -> None:
        """Show whole words for the place of `shown`, if that is still the word at hand."""
        if shown == self._shown:
            self._bars_of[WORDS] = [
                Bar(word.text, word.text, word.probability, lead + word.text) for word in words
            ]
            self._show_bars()

    def _show_bars(self) -> None:
        self.instead.show_bars(self._bars_of[self.switch.place])

    def _on_taken(self, text: str) -> None:
        if self._shown is not None:
            self.replacement_wanted.emit(self._shown, text)


def _whole(piece: bytes) -> str | None:
    """A token as it may be put into the text: letters may be but the beginning of a word."""
    text = insertable(piece)
    return None if text is None or any(map(str.isalpha, text)) else text
