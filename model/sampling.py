"""From logits to the next token: greedy, temperature, top-k, top-p, min-p, seed; pure numpy.

Sources: Fan et al. 2018, arXiv 1805.04833 (top-k); Holtzman et al. 2020, arXiv 1904.09751
(top-p); Nguyen et al. 2024, arXiv 2407.01082 (min-p).  The order of the filters is that of
Hugging Face transformers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

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


def softmax(logits: np.ndarray) -> np.ndarray:
    """Probabilities (V,) float64 that are proportional to exp(logits)."""
    exponentials = np.exp(logits.astype(np.float64) - logits.max())
    return np.asarray(exponentials / exponentials.sum())


def filtered(logits: np.ndarray, settings: SamplingSettings) -> np.ndarray:
    """Probabilities (V,) float64 to sample from; they sum to 1 and dropped tokens have exactly 0.

    Among equal logits the lower id counts as the likelier one.
    """
    if settings.temperature == 0:
        return np.asarray(np.arange(len(logits)) == logits.argmax(), dtype=np.float64)
    with np.errstate(over="ignore"):  # a tiny temperature sends all but the likeliest to -inf
        scaled = (logits.astype(np.float64) - logits.max()) / settings.temperature
    order = np.argsort(-scaled, kind="stable")  # ids, likeliest first
    if settings.top_k:
        order = order[: settings.top_k]
    ranked = softmax(scaled[order])
    if settings.top_p < 1:
        # A token stays while those before it hold less than top_p, so the first one always stays.
        ranked = ranked[np.cumsum(ranked) - ranked < settings.top_p]
    ranked = ranked[ranked >= settings.min_p * ranked[0]]
    probabilities = np.zeros(len(logits))
    probabilities[order[: len(ranked)]] = ranked / ranked.sum()
    return probabilities


def sample(logits: np.ndarray, settings: SamplingSettings, generator: np.random.Generator) -> int:
    """The id of one token drawn from `filtered`.

    `generator` carries the seed: `numpy.random.default_rng(seed)`, the same one for every token
    of a text.
    """
    probabilities = filtered(logits, settings)
    return int(generator.choice(len(probabilities), p=probabilities))
