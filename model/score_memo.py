"""Scores kept for as long as the text they belong to is met again, wherever it stands by then."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from model.scores import Scores

if TYPE_CHECKING:
    from model.passages import Passage

KEY_TOKENS = 16  # passages that begin alike are looked at together
VERSIONS = 3  # of passages that begin alike
MOST_TOKENS = 400_000  # 45 MB


@dataclass(frozen=True, slots=True, eq=False)
class _Entry:
    """`ids` of a passage as far as it was read and the token after; scores of its last rows."""

    ids: np.ndarray
    first: int  # row of the first score, counted from the beginning of the passage
    scores: Scores


class Memo:
    """Scores by what the network saw: a row's score is a function of the tokens up to its target.

    What was not asked for the longest is forgotten first.
    """

    def __init__(self, most_tokens: int = MOST_TOKENS) -> None:
        self._most_tokens = most_tokens
        self._entries: OrderedDict[bytes, list[_Entry]] = OrderedDict()
        self._tokens = 0

    def known(self, ids: np.ndarray, passage: Passage) -> Scores:
        """The scores of the first rows of `passage`, as many as are known."""
        key, seen = _look(ids, passage)
        first, best = passage.first - passage.start, Scores.unknown(0)
        for entry in self._entries.get(key, ()):
            rows = _shared(entry.ids, seen) - 1  # the target of a row is one token further
            if entry.first <= first and rows - first > len(best):
                best = entry.scores[first - entry.first : rows - entry.first]
        if best:
            self._entries.move_to_end(key)
        return best

    def add(self, ids: np.ndarray, passage: Passage, scores: Scores) -> None:
        """Keep scores of the rows of `passage` that follow the known ones."""
        key, seen = _look(ids, passage)
        scores = Scores.joined([self.known(ids, passage), scores])
        first = passage.first - passage.start
        new = _Entry(seen[: first + len(scores) + 1].copy(), first, scores)
        kept = [
            entry
            for entry in self._entries.get(key, [])
            if entry.first < first or _shared(entry.ids, new.ids) < len(entry.ids)
        ]
        self._drop(key)
        self._entries[key] = [new, *kept][:VERSIONS]
        self._tokens += sum(len(entry.scores) for entry in self._entries[key])
        while self._tokens > self._most_tokens and len(self._entries) > 1:
            self._drop(next(iter(self._entries)))

    def _drop(self, key: bytes) -> None:
        self._tokens -= sum(len(entry.scores) for entry in self._entries.pop(key, []))


def _look(ids: np.ndarray, passage: Passage) -> tuple[bytes, np.ndarray]:
    seen = ids[passage.start : passage.stop + 1]
    return seen[:KEY_TOKENS].tobytes(), seen


def _shared(a: np.ndarray, b: np.ndarray) -> int:
    count = min(len(a), len(b))
    differing = np.flatnonzero(a[:count] != b[:count])
    return int(differing[0]) if len(differing) else count
