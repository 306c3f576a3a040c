"""One sentence as the model sees it: its tokens, what each was given, and what may follow.

For the page that explains prediction.  The sentence stands alone, after end-of-text.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from model.sampling import softmax

if TYPE_CHECKING:
    from model.session import Session
    from model.tokenizer import Tokenizer

MOST_TOKENS = 32
FOLLOWING = 6


@dataclass(frozen=True, slots=True)
class SentenceToken:
    """A token, what the model gave it, and the token it gave most; rank 1 is that one."""

    piece: bytes
    probability: float
    rank: int
    expected: bytes
    expected_probability: float


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, its tokens, and the likeliest (piece, probability) after it."""

    text: str
    tokens: tuple[SentenceToken, ...]
    following: tuple[tuple[bytes, float], ...]
    vocabulary: int

    @property
    def log_probability(self) -> float:
        """The chain rule's product, in nats."""
        return math.fsum(math.log(token.probability) for token in self.tokens)

    @property
    def perplexity(self) -> float:
        """Among how many equally likely tokens the model chose, in the mean; 1 if none."""
        return math.exp(-self.log_probability / max(len(self.tokens), 1))


def shortened(tokenizer: Tokenizer, text: str) -> tuple[str, list[int]]:
    """The last MOST_TOKENS tokens of a text, and how they read; cut before a word if possible."""
    ids = tokenizer.encode(text)
    if len(ids) <= MOST_TOKENS:
        return text, ids
    ids = ids[-MOST_TOKENS:]
    starts = [i for i, token in enumerate(ids) if tokenizer.token_bytes(token).startswith(b" ")]
    ids = ids[starts[0] :] if starts else ids
    text = tokenizer.decode(ids).lstrip()
    return text, tokenizer.encode(text)[:MOST_TOKENS]


def read_sentence(session: Session, tokenizer: Tokenizer, text: str) -> Sentence:
    """Read one sentence; use from the session's thread only."""
    text, ids = shortened(tokenizer, text)
    logits = session.cache().extend([tokenizer.end_of_text, *ids], rows="all")  # (1 + T, V)
    tokens = []
    for row, token in zip(logits, ids, strict=False):
        chances = softmax(row)
        best = int(chances.argmax())
        piece, expected = tokenizer.token_bytes(token), tokenizer.token_bytes(best)
        chance = float(chances[token])
        rank = 1 + int(np.count_nonzero(chances > chance))
        tokens.append(SentenceToken(piece, chance, rank, expected, float(chances[best])))
    after = softmax(logits[-1])
    following = np.argsort(-after, kind="stable")[:FOLLOWING].tolist()
    return Sentence(
        text, tuple(tokens), tuple((tokenizer.token_bytes(i), float(after[i])) for i in following),
        tokenizer.vocab_size,
    )  # fmt: skip
