"""What the model thinks of a text already written: how surprising each of its tokens was.

The text is read after end-of-text in windows as long as the session's context, each beginning
half a window after the one before, so every token is scored exactly once, with at least half a
window of text before it where there is so much.  Per token a few numbers are kept, never logits.
Knows nothing of Qt or files.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from model.session import LOGIT_ROWS, Cancelled, common_prefix

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from model.session import Session
    from model.tokenizer import Tokenizer

ALTERNATIVES = 5
NATS_PER_BIT = math.log(2)


@dataclass(frozen=True, slots=True)
class ReadToken:
    """One token of a text and what the model expected in its place.

    `start` and `end` are code points of the text; tokens that share a character share its span.
    `alternatives` are (id, probability) of the likeliest tokens, likeliest first.
    """

    id: int
    piece: bytes
    start: int
    end: int
    surprisal_bits: float
    rank: int  # 1 is the most expected
    entropy_bits: float  # of the distribution the token was drawn from
    alternatives: tuple[tuple[int, float], ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """All tokens of a text; `nats` is its total surprisal, `bytes` its length in UTF-8."""

    tokens: tuple[ReadToken, ...]
    nats: float
    bytes: int

    @property
    def perplexity(self) -> float:
        """The exponential of the mean surprisal per token; not a number for an empty text."""
        return math.exp(self.nats / len(self.tokens)) if self.tokens else math.nan

    @property
    def bits_per_byte(self) -> float:
        """Surprisal per byte of text, comparable between tokenizers; not a number if empty."""
        return self.nats / NATS_PER_BIT / self.bytes if self.bytes else math.nan


@dataclass(frozen=True, slots=True)
class _Score:
    nats: float
    rank: int
    entropy_bits: float
    alternatives: tuple[tuple[int, float], ...]


class Reader:
    """Reads texts with a cache of its own; of a text read before, only what changed is computed.

    Not thread-safe: use it from the thread that owns the session.
    """

    def __init__(self, session: Session, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._window = session.context_tokens
        self._cache = session.cache(is_interruptible=True)
        self._ids: list[int] = []  # end-of-text and the tokens read last
        self._scores: list[_Score] = []  # of self._ids[1:], as far as they were read

    def read(
        self,
        text: str,
        cancelled: Callable[[], bool] | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Reading:
        """Score every token of `text`.

        Args:
            text: any string.
            cancelled: asked between slices of at most 64 tokens.
            progress: told tokens read and tokens in all after each slice.

        Raises:
            Cancelled: what was read so far is kept for the next call.
        """
        ids = [self._tokenizer.end_of_text, *self._tokenizer.encode(text)]
        del self._scores[max(common_prefix(self._ids, ids) - 1, 0) :]
        self._ids = ids
        count = len(ids) - 1
        while len(self._scores) < count:
            first, stop = self._enter(len(self._scores), cancelled)
            if cancelled and cancelled():
                raise Cancelled
            logits = self._cache.extend(ids[first:stop], rows="all")
            self._scores += score(logits, ids[first + 1 : stop + 1])
            if progress:
                progress(len(self._scores), count)
        return self._reading(text)

    def _enter(self, first: int, cancelled: Callable[[], bool] | None) -> tuple[int, int]:
        """Bring into the cache what comes before token `first`; the slice to feed next.

        Row i of the network predicts token i + 1, so the last token is never fed.
        """
        stride = max(self._window // 2, 1)
        start = 0 if first < self._window else ((first - self._window) // stride + 1) * stride
        context = self._ids[start:first]
        self._cache.rewind(common_prefix(self._cache.ids, context))
        self._cache.extend(context[len(self._cache.ids) :], rows="none", cancelled=cancelled)
        return first, min(first + LOGIT_ROWS, start + self._window, len(self._ids) - 1)

    def _reading(self, text: str) -> Reading:
        spans = self._tokenizer.spans(text, self._ids[1:])
        tokens = tuple(
            ReadToken(
                token,
                self._tokenizer.token_bytes(token),
                *span,
                found.nats / NATS_PER_BIT,
                found.rank,
                found.entropy_bits,
                found.alternatives,
            )
            for token, span, found in zip(self._ids[1:], spans, self._scores, strict=True)
        )
        nats = math.fsum(found.nats for found in self._scores)
        return Reading(tokens, nats, len(text.encode("utf-8", "surrogatepass")))


def score(logits: np.ndarray, targets: Sequence[int]) -> list[_Score]:
    """Summaries of logits (T, V) for the tokens (T,) that came."""
    rows = np.arange(len(targets))
    shifted = logits.astype(np.float64) - logits.max(axis=1, keepdims=True)  # (T, V)
    exponentials = np.exp(shifted)
    totals = exponentials.sum(axis=1)
    nats = np.log(totals) - shifted[rows, targets]
    ranks = 1 + (logits > logits[rows, targets][:, None]).sum(axis=1)
    entropies = np.log(totals) - np.einsum("tv,tv->t", exponentials, shifted) / totals
    count = min(ALTERNATIVES, logits.shape[1])
    likeliest = np.argpartition(logits, -count, axis=1)[:, -count:]
    order = np.argsort(-np.take_along_axis(shifted, likeliest, 1), axis=1, kind="stable")
    likeliest = np.take_along_axis(likeliest, order, 1)  # (T, 5), likeliest first
    chances = np.take_along_axis(exponentials, likeliest, 1) / totals[:, None]
    return [
        _Score(
            float(nats[i]),
            int(ranks[i]),
            float(entropies[i] / NATS_PER_BIT),
            tuple(zip(likeliest[i].tolist(), chances[i].tolist(), strict=True)),
        )
        for i in rows
    ]
