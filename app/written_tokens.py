"""The tokens of the text in the editor and what the model thought of them, in Qt's positions.

Pure arrays: no widgets, no model.  An edit moves what stands after it at once, so that colours
stay with their words until the text is read again.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from model.scores import NATS_PER_BIT, Scores


@dataclass(slots=True, eq=False)
class WrittenTokens:
    """n tokens in the order of the text; several of one character share its span.

    Attributes:
        ids: (n,) of the tokens.
        starts, ends: (n,) UTF-16 positions in the document; both never decrease.
        scores: what is known of the text as it is; `nats` is NaN where nothing is.
        shown_nats: `scores.nats`, and where these are unknown what was last known of the word.
    """

    ids: np.ndarray
    starts: np.ndarray
    ends: np.ndarray
    scores: Scores
    shown_nats: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        self.shown_nats = self.scores.nats.copy()

    def __len__(self) -> int:
        return len(self.ids)

    @staticmethod
    def none() -> WrittenTokens:
        """No tokens at all."""
        nothing = np.zeros(0, np.int64)
        return WrittenTokens(nothing, nothing, nothing, Scores.unknown(0))

    def put(self, first: int, scores: Scores) -> None:
        """Take in scores of the tokens from `first` on."""
        self.scores.put(first, scores)
        self.shown_nats[first : first + len(scores)] = scores.nats

    def edit(self, position: int, removed: int, added: int) -> None:
        """Follow an edit: what it touches shrinks to nothing, and nothing after it is certain."""
        first = int(np.searchsorted(self.ends, position, "right"))
        last = max(first, int(np.searchsorted(self.starts, position + removed)))
        self.starts[first:last] = self.ends[first:last] = position
        self.starts[last:] += added - removed
        self.ends[last:] += added - removed
        self.shown_nats[first:last] = np.nan
        self.scores.nats[max(first - 1, 0) :] = np.nan  # the token before may go on now

    def remember(self, before: WrittenTokens) -> None:
        """Show what was known of the same words before, until it is known anew."""
        unknown = np.flatnonzero(np.isnan(self.shown_nats))
        known = np.flatnonzero(np.isfinite(before.shown_nats))
        if len(unknown) <= len(known):  # look the fewer up among the others
            mine, theirs = unknown, _places(before.starts, self.starts[unknown])
        else:
            mine, theirs = _places(self.starts, before.starts[known]), known
        if len(mine) and len(theirs):
            same = (before.starts[theirs] == self.starts[mine]) & np.isnan(self.shown_nats[mine])
            same &= before.ends[theirs] == self.ends[mine]
            self.shown_nats[mine[same]] = before.shown_nats[theirs[same]]

    def overlapping(self, start: int, end: int) -> slice:
        """The tokens that have a part between two positions."""
        first = int(np.searchsorted(self.ends, start, "right"))
        return slice(first, max(first, int(np.searchsorted(self.starts, end))))

    def ending_in(self, start: int, end: int) -> slice:
        """The tokens whose last character lies between two positions."""
        return slice(
            int(np.searchsorted(self.ends, start, "right")),
            int(np.searchsorted(self.ends, end, "right")),
        )

    def perplexity(self, tokens: slice, *, of_known: bool = False) -> float | None:
        """Of these tokens, each given all those before; NaN of none, None while one is unknown.

        With `of_known` the unknown ones are passed over.
        """
        nats = self.scores.nats[tokens]
        if of_known:
            nats = nats[np.isfinite(nats)]
        if not len(nats):
            return math.nan
        mean = float(nats.mean())
        return None if math.isnan(mean) else math.exp(mean)

    @property
    def known(self) -> int:
        """How many tokens were read."""
        return int(np.isfinite(self.scores.nats).sum())

    def bits(self, tokens: slice) -> float:
        """The surprisal of tokens that follow each other; NaN while one was never read."""
        return float(self.shown_nats[tokens].sum()) / NATS_PER_BIT


def _places(places: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Where `wanted` stand in sorted `places`, or would."""
    if not len(places):
        return np.zeros(0, np.int64)
    return np.minimum(np.searchsorted(places, wanted), len(places) - 1)
