"""From logits to the next token: greedy, temperature, top-k, top-p, min-p, seed; pure numpy.

Sources: Fan et al. 2018, arXiv 1805.04833 (top-k); Holtzman et al. 2020, arXiv 1904.09751
(top-p); Nguyen et al. 2024, arXiv 2407.01082 (min-p).  The order of the filters is that of
Hugging Face transformers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np


class SamplingError(ValueError):
    """A sampling setting outside its range."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplingSettings:
    """How to choose; the defaults sample from the model's own distribution.

    The filters apply in this order, each to what the one before has left: temperature, `top_k`,
    `top_p`, `min_p`.  At least one token always remains.
    """

    temperature: float = 1.0  # divides the logits; 0 is greedy: the likeliest token, always
    top_k: int = 0  # keep so many of the likeliest tokens; 0 keeps all
    top_p: float = 1.0  # keep the fewest likeliest tokens that hold this much probability
    min_p: float = 0.0  # drop tokens below this fraction of the likeliest one's probability

    def __post_init__(self) -> None:
        finite = math.isfinite(self.temperature)
        self._require(finite and self.temperature >= 0, "temperature", "a number of at least 0")
        self._require(self.top_k >= 0, "top_k", "a whole number of at least 1, or 0 for no limit")
        self._require(0 < self.top_p <= 1, "top_p", "above 0 and at most 1")
        self._require(0 <= self.min_p <= 1, "min_p", "between 0 and 1")

    def _require(self, holds: bool, field: str, allowed: str) -> None:
        if not holds:
            raise SamplingError(f"{field} is {getattr(self, field)!r}; it must be {allowed}")


@dataclass(frozen=True)
class Shaped:
    """A distribution before and after the settings, the likeliest token first.

    Every filter keeps the likeliest tokens and drops the others, so a number says what it leaves.
    Among equal logits the lower id counts as the likelier one.

    Attributes:
        ids: (V,) the tokens.
        model: (V,) float64, what the model gives them.
        tempered: (V,) float64, the same after temperature.
        left: how many tokens remain after top-k, top-p and min-p.
    """

    ids: np.ndarray
    model: np.ndarray
    tempered: np.ndarray
    left: tuple[int, int, int]

    def after(self, count: int) -> np.ndarray:
        """(count,) float64: probabilities of the likeliest `count` once the others are dropped."""
        kept = self.tempered[:count]
        return np.asarray(kept / kept.sum())

    @cached_property
    def final(self) -> np.ndarray:
        """(n,) float64: what is drawn from."""
        return self.after(self.left[-1])

    @cached_property
    def cumulative(self) -> np.ndarray:
        """(n,) float64: running sums of `final`; token i owns the numbers below the i-th."""
        sums = np.cumsum(self.final)
        return np.asarray(sums / sums[-1])

    def rank_at(self, number: float) -> int:
        """The place of the token that owns `number`, 0 ≤ number < 1."""
        found = int(np.searchsorted(self.cumulative, number, side="right"))
        return min(found, len(self.final) - 1)


def softmax(logits: np.ndarray) -> np.ndarray:
    """Probabilities (V,) float64 that are proportional to exp(logits)."""
    exponentials = np.exp(logits.astype(np.float64) - logits.max())
    return np.asarray(exponentials / exponentials.sum())


def shape(logits: np.ndarray, settings: SamplingSettings) -> Shaped:
    """The distribution that `logits` (V,) stand for, and what the settings make of it."""
    ids = np.argsort(-logits, kind="stable")  # likeliest first
    ranked = logits[ids].astype(np.float64) - logits.max()
    if settings.temperature == 0:
        tempered = np.asarray(np.arange(len(ids)) == 0, dtype=np.float64)
        return Shaped(ids, softmax(ranked), tempered, (1, 1, 1))
    with np.errstate(over="ignore"):  # a tiny temperature sends all but the likeliest to -inf
        tempered = softmax(ranked / settings.temperature)
    after_top_k = min(settings.top_k or len(ids), len(ids))
    after_top_p = after_top_k
    if settings.top_p < 1:
        # A token stays while those before it hold less than top_p, so the first one always stays.
        kept = tempered[:after_top_k] / tempered[:after_top_k].sum()
        after_top_p = int(np.count_nonzero(np.cumsum(kept) - kept < settings.top_p))
    least = settings.min_p * tempered[0]
    after_min_p = int(np.count_nonzero(tempered[:after_top_p] >= least))
    return Shaped(ids, softmax(ranked), tempered, (after_top_k, after_top_p, after_min_p))


def filtered(logits: np.ndarray, settings: SamplingSettings) -> np.ndarray:
    """Probabilities (V,) float64 to sample from; they sum to 1 and dropped tokens have exactly 0.

    Among equal logits the lower id counts as the likelier one.
    """
    shaped = shape(logits, settings)
    probabilities = np.zeros(len(logits))
    probabilities[shaped.ids[: len(shaped.final)]] = shaped.final
    return probabilities


def sample(logits: np.ndarray, settings: SamplingSettings, generator: np.random.Generator) -> int:
    """The id of one token drawn from `filtered`: the owner of the generator's next number.

    `generator` carries the seed: `numpy.random.default_rng(seed)`, the same one for every token
    of a text.
    """
    shaped = shape(logits, settings)
    return int(shaped.ids[shaped.rank_at(generator.random())])
