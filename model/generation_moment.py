"""What is to be seen while a text is written on by the model: its steps, its options, its cache.

Plain values, so they may cross from the model's thread to the window's.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

Filter = Literal["top-k", "top-p", "min-p"]
How = Literal["drawn", "likeliest", "chosen"]

FILTERS: tuple[Filter, ...] = ("top-k", "top-p", "min-p")


@dataclass(frozen=True, slots=True)
class Step:
    """One token that was added.

    `parent` is the step before, or TEXT; `probability` is the model's, given everything before;
    `chance` is what the settings made of it, 0 if a filter had dropped it; `draw` is the random
    number that fell on it.
    """

    place: int
    parent: int
    token: int
    piece: bytes
    probability: float
    chance: float
    how: How
    draw: float | None


@dataclass(frozen=True, slots=True)
class Option:
    """One token that may come next; `rank` 1 is the likeliest.

    `stages` are its probabilities from the model, after temperature, top-k, top-p and min-p.
    The numbers that fall on it are those from `low` up to `low` + the last stage.
    """

    token: int
    piece: bytes
    rank: int
    stages: tuple[float, float, float, float, float]
    low: float

    @property
    def probability(self) -> float:
        """What the model gives it."""
        return self.stages[0]

    @property
    def chance(self) -> float:
        """What is left to draw it with."""
        return self.stages[-1]

    @property
    def dropped_by(self) -> Filter | None:
        """The filter that dropped it, if one did."""
        for name, chance in zip(FILTERS, self.stages[2:], strict=True):
            if chance == 0 < self.stages[1]:
                return name
        return None


@dataclass(frozen=True, slots=True)
class CacheUse:
    """What the cache of keys and values holds: tokens, the room there is, and bytes a token.

    `hidden` are end-of-text and the preface before a page's first character.
    """

    hidden: int
    text: int
    generated: int
    room: int
    token_bytes: int

    @property
    def tokens(self) -> int:
        """All tokens whose keys and values are kept."""
        return self.hidden + self.text + self.generated


@dataclass(frozen=True, slots=True)
class Moment:
    """Everything there is to see at one place of the tree.

    `path` leads from the text to here; `options` are the likeliest next tokens; `draw` is the
    random number for the next step, None where the likeliest is taken, and `next` the token it
    falls on, which need not be among the options.  `left` says how many tokens there are to choose
    from, and how many remain after top-k, top-p and min-p.  `is_ended` after a token that ends the
    text: nothing follows.
    """

    here: int
    steps: tuple[Step, ...]
    path: tuple[Step, ...]
    text: str
    options: tuple[Option, ...]
    next: Option | None
    draw: float | None
    left: tuple[int, int, int, int]
    entropy_bits: float
    cache: CacheUse
    is_ended: bool
    elapsed_ms: float

    @property
    def log_probability(self) -> float:
        """The chain rule's product of the model's probabilities along the path, in nats."""
        return math.fsum(math.log(step.probability) for step in self.path)

    @property
    def log_chance(self) -> float:
        """The same after the settings; minus infinity where a dropped token was chosen by hand."""
        if any(step.chance == 0 for step in self.path):
            return -math.inf
        return math.fsum(math.log(step.chance) for step in self.path)
