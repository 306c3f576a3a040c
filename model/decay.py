"""Counts in which the past fades: each new word weighs a little more than the one before.

Old weights stay as they are, so time never changes the order of rows and nothing is rewritten.

Source: Cormode et al. 2009, "Forward decay".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3

LARGEST_WEIGHT = 1e100  # then all are made smaller


@dataclass(slots=True)
class Clock:
    """How much a word weighs now, for one kind of counts.

    Attributes:
        kind: the `history` of the rows whose sum is `total`.
        words: learnt so far.
        weight: of an occurrence now.
        total: of all single words that count.
    """

    kind: str
    words: int
    weight: float
    total: float

    @classmethod
    def read(cls, db: sqlite3.Connection, kind: str) -> Clock:
        """The clock as it stands in the database."""
        return cls(*db.execute("SELECT * FROM clock WHERE kind = ?", (kind,)).fetchone())

    def tick(self, half_life: float) -> float:
        """Go on by one word; return what an occurrence weighs now."""
        self.words += 1
        self.weight *= 2 ** (1 / half_life)
        return self.weight

    def write(self, db: sqlite3.Connection, rows: str) -> None:
        """Store the clock; `rows` is the SQL condition of all that is weighed by it."""
        if self.weight > LARGEST_WEIGHT:
            db.execute(f"UPDATE ngrams SET weight = weight / ? WHERE {rows}", (self.weight,))
            self.weight, self.total = 1.0, self.total / self.weight
        db.execute(
            "UPDATE clock SET words = ?, weight = ?, total = ? WHERE kind = ?",
            (self.words, self.weight, self.total, self.kind),
        )
