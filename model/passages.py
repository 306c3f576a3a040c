"""In which passages a text is read: the choice depends on the text alone, not on how it came.

Row i of the network has seen tokens up to i and predicts token i + 1; token 0 is end-of-text.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Passage:
    """A reading of tokens `start` … `stop` − 1, of which the rows from `first` on are used."""

    start: int
    first: int
    stop: int


def passages(rows: int, window: int, line_starts: Sequence[int]) -> list[Passage]:
    """Cut `rows` rows into passages of at most `window` tokens, each row used once.

    A passage begins a quarter to half a window after the one before, at the last line start that
    lies there, or else after half a window.  So an edit changes the passages around it, and those
    further on mostly stay, though their tokens have moved; and a row has seen at least half a
    window where there is so much.
    """
    found, start, first = [], 0, 0
    while first < rows:
        stop = min(start + window, rows)
        found.append(Passage(start, first, stop))
        latest = start + max(window // 2, 1)
        place = bisect_right(line_starts, latest)
        line_start = line_starts[place - 1] if place else 0
        start = line_start if line_start > start + window // 4 else latest
        first = stop
    return found
