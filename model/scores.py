"""What logits say of the tokens that came: a few numbers a token, never the logits."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

ALTERNATIVES = 5
NATS_PER_BIT = math.log(2)
BLOCK_TOKENS = 64  # of the vocabulary, looked at together in the search for the likeliest


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """Scores of n consecutive tokens, one row each; `nats` of a token not read yet is NaN.

    Attributes:
        nats: (n,) float64, the surprisal −ln p of the token that came.
        ranks: (n,) int32, its place in the distribution; 1 is the most expected.
        entropy_bits: (n,) float64, of the distribution that it was drawn from.
        alternatives: (n, 5) int32, the likeliest tokens, likeliest first; −1 where unknown.
        chances: (n, 5) float64, their probabilities.
    """

    nats: np.ndarray
    ranks: np.ndarray
    entropy_bits: np.ndarray
    alternatives: np.ndarray
    chances: np.ndarray

    def __len__(self) -> int:
        return len(self.nats)

    def __getitem__(self, rows: slice) -> Scores:
        return Scores(*(column[rows] for column in self._columns()))

    def put(self, first: int, scores: Scores) -> None:
        """Write `scores` over the rows from `first` on."""
        for mine, given in zip(self._columns(), scores._columns(), strict=True):
            mine[first : first + len(scores)] = given

    def _columns(self) -> tuple[np.ndarray, ...]:
        return self.nats, self.ranks, self.entropy_bits, self.alternatives, self.chances

    @staticmethod
    def unknown(count: int) -> Scores:
        """The scores of `count` tokens that were not read yet."""
        shape = (count, ALTERNATIVES)
        return Scores(
            np.full(count, np.nan), np.zeros(count, np.int32), np.full(count, np.nan),
            np.full(shape, -1, np.int32), np.zeros(shape),
        )  # fmt: skip

    @staticmethod
    def joined(parts: Sequence[Scores]) -> Scores:
        """The scores of tokens that follow each other."""
        columns = zip(*(part._columns() for part in parts), strict=True)
        return Scores(*(np.concatenate(column) for column in columns))


def score(logits: np.ndarray, targets: Sequence[int]) -> Scores:
    """Scores of the tokens (T,) that came, from logits (T, V) float32."""
    rows = np.arange(len(targets))
    shifted = logits - logits.max(axis=1, keepdims=True)  # (T, V)
    exponentials = np.exp(shifted)
    totals = exponentials.sum(axis=1).astype(np.float64)
    mean = (exponentials * shifted).sum(axis=1) / totals  # of the shifted logits
    scores = Scores.unknown(len(targets))
    scores.nats[:] = np.log(totals) - shifted[rows, targets]
    scores.ranks[:] = 1 + (logits > logits[rows, targets][:, None]).sum(axis=1)
    scores.entropy_bits[:] = (np.log(totals) - mean) / NATS_PER_BIT
    ids = likeliest(logits, ALTERNATIVES)
    scores.alternatives[:, : ids.shape[1]] = ids
    scores.chances[:, : ids.shape[1]] = np.take_along_axis(exponentials, ids, 1) / totals[:, None]
    return scores


def likeliest(logits: np.ndarray, count: int) -> np.ndarray:
    """(T, count) ids of the largest of (T, V) logits, largest first, equal ones by id.

    The largest lie in the blocks with the largest maxima, which saves sorting the vocabulary.
    """
    rows, size = logits.shape
    count, whole = min(count, size), size - size % BLOCK_TOKENS
    maxima = logits[:, :whole].reshape(rows, -1, BLOCK_TOKENS).max(axis=2)
    if maxima.shape[1] <= count:
        ids = np.broadcast_to(np.arange(size), logits.shape)
    else:
        blocks = np.argpartition(maxima, -count, axis=1)[:, -count:]
        ids = (blocks[:, :, None] * BLOCK_TOKENS + np.arange(BLOCK_TOKENS)).reshape(rows, -1)
        tail = np.broadcast_to(np.arange(whole, size), (rows, size - whole))
        ids = np.concatenate([ids, tail], axis=1)
    values = np.take_along_axis(logits, ids, 1)
    order = np.lexsort((ids, -values), axis=-1)[:, :count]
    return np.take_along_axis(ids, order, 1)
