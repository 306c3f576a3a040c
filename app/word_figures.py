"""What there is to say of one written word: its probability, and what was expected instead."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.token_text import spoken
from app.translation import localised, tr

if TYPE_CHECKING:
    from app.written_tokens import WrittenTokens
    from app.written_words import WrittenWord
    from model.tokenizer import Tokenizer

RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
Chance = tuple[bytes, float]  # a token and its probability


@dataclass(frozen=True, slots=True)
class WordFigures:
    """Figures of a written word; `start` is where its first token begins, its space included.

    Attributes:
        tokens: its tokens, each with its probability after all those before it.
        ranks: their places in the model's distribution; 1 is the most expected.
        instead: the likeliest tokens in place of its first.
    """

    text: str
    start: int
    end: int
    bits: float
    tokens: tuple[Chance, ...]
    ranks: tuple[int, ...]
    instead: tuple[Chance, ...]

    @property
    def probability(self) -> float:
        """The product of its tokens' probabilities."""
        return math.exp2(-self.bits)

    @property
    def sentence(self) -> str:
        """All of it in words."""
        ranks = ", ".join(map(str, self.ranks))
        instead = ", ".join(f"{spoken(piece)} {percent(chance)}" for piece, chance in self.instead)
        return tr(
            "“{text}”: probability {probability}, rank {ranks}, surprisal "
            "{bits:.2f} bits. Expected: {instead}.",
            text=self.text,
            probability=percent(self.probability),
            ranks=ranks,
            bits=self.bits,
            instead=instead,
        )


def figures_of(
    word: WrittenWord, tokens: WrittenTokens, tokenizer: Tokenizer
) -> WordFigures | None:
    """The figures of a word; None while it is not read."""
    nats = tokens.scores.nats[word.tokens]
    bits = tokens.bits(word.tokens)
    if math.isnan(nats.sum()):
        return None
    piece, first = tokenizer.token_bytes, word.tokens.start
    others = tokens.scores.alternatives[first].tolist()
    chances = tokens.scores.chances[first].tolist()
    return WordFigures(
        word.text,
        int(tokens.starts[first]),
        word.end,
        bits,
        tuple(
            (piece(i), math.exp(-one))
            for i, one in zip(tokens.ids[word.tokens].tolist(), nats.tolist(), strict=True)
        ),
        tuple(tokens.scores.ranks[word.tokens].tolist()),
        tuple(
            (piece(i), chance) for i, chance in zip(others, chances, strict=True) if i >= 0
        ),
    )  # fmt: skip


def percent(probability: float) -> str:
    """Return a probability with three figures that count, as 24.3 %, 0.0412 % or 2.1·10⁻⁷ %."""
    value = 100 * probability
    if 0 < value < 0.001:
        digits, exponent = f"{value:.1e}".split("e")
        return f"{localised(digits)}·10{str(int(exponent)).translate(RAISED)} %"
    decimals = max(0, 2 - math.floor(math.log10(value))) if value else 2
    return localised(f"{value:.{decimals}f} %")


def column_percent(probability: float) -> str:
    """Return a probability as figures that stand in a column: with two decimals."""
    return localised(f"{100 * probability:.2f} %")
