"""What the personal memory expects: its counts, read as an interpolated n-gram model.

After the last two words of the context, the last one, and none, then of the words of late; each
leaves a part of the mixture to the next, and the last leaves it to the network (`model.blend`).

Source: Ney, Essen & Kneser 1994 (absolute discounting).
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from model.blend import Candidates
from model.casing import OTHER_CASE, folded
from model.decay import Clock
from model.memory_store import RECENTLY

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

    from model.casing import Typed

# Of an unusual word in the recent text, any word, one after a word, and one after two:
CAPS = (0.06, 0.01, 0.1, 0.4)  # the share of the mixture when there is no end of evidence
THETAS = (20.0, 100.0, 5.0, 2.0)  # occurrences at which the share is half of that
DISCOUNTS = (0.0, 0.0, 0.8, 0.8)  # taken from every count, or that part of a count below 1

MOST_CANDIDATES = 64
LOOKED_AT = 2  # rows of each history, for every word asked for

_LAST_KEY = "\U0010ffff"  # sorts after all letters

# The sum of all counts after a history, and of what is discounted from each.
_SUMS = """
    SELECT total(weight * share), total(min(weight, :one) * share) FROM (
        SELECT weight, iif(substr(word, 1, length(:own)) = :own, 1, :other_case) AS share
        FROM ngrams WHERE history = :history AND key >= :first AND key < :last
    )
"""
# The unary plus keeps SQLite from walking all words by weight to find the few that begin so.
_LIKELIEST = """
    SELECT DISTINCT key FROM (
        SELECT key, word FROM ngrams WHERE history = :history AND key >= :first AND key < :last
        ORDER BY +weight DESC, key, word LIMIT :limit
    )
"""
_LIKELIEST_OF_ALL = """
    SELECT DISTINCT key FROM (
        SELECT key, word FROM ngrams WHERE history = :history
        ORDER BY weight DESC, key, word LIMIT :limit
    )
"""


def recall(db: sqlite3.Connection, histories: list[str], typed: Typed, k: int) -> Candidates:
    """At most `k` words after `histories` (of no word, one word, two) that fit what is typed."""
    lasting, recent = Clock.read(db, ""), Clock.read(db, RECENTLY)
    levels = [RECENTLY, *histories]
    key, own = folded(typed.prefix), typed.own_letters
    fitting = {"own": own, "other_case": OTHER_CASE, "first": key, "last": key + _LAST_KEY}
    every = {**fitting, "own": "", "first": "", "last": _LAST_KEY}
    keys = _likeliest(db, levels, fitting, LOOKED_AT * min(k, MOST_CANDIDATES))
    masses: defaultdict[str, float] = defaultdict(float)
    reach, left = 0.0, 1.0
    for level, history in reversed(list(enumerate(levels))):
        clock, discount = lasting if level else recent, DISCOUNTS[level]
        one = clock.weight
        counted, low = _sums(db, history, one, every) if discount else (clock.total, 0.0)
        fits, fits_low = _sums(db, history, one, fitting) if key else (counted, low)
        unit = left * CAPS[level] / (counted + THETAS[level] * one)
        for word, weight in _weights(db, history, keys):
            text = typed.write(word)
            if text is not None:
                mass = unit * (weight - discount * min(weight, one))
                masses[text] += mass * typed.case_factor(word)
        reach += unit * (fits - discount * fits_low)
        left -= unit * (counted - discount * low)
    ranked = sorted(masses.items(), key=lambda item: (-item[1], item[0]))
    return Candidates(ranked[:k], reach, 1 - left)


def _likeliest(
    db: sqlite3.Connection, histories: list[str], bounds: dict[str, object], limit: int
) -> list[str]:
    """Keys of the words with the largest counts after each history."""
    query = _LIKELIEST if bounds["first"] else _LIKELIEST_OF_ALL
    return list(
        {
            key: None
            for history in histories
            for (key,) in db.execute(query, {**bounds, "history": history, "limit": limit})
        }
    )


def _sums(
    db: sqlite3.Connection, history: str, one: float, bounds: dict[str, object]
) -> tuple[float, float]:
    counted, low = db.execute(_SUMS, {**bounds, "history": history, "one": one}).fetchone()
    return counted, low


def _weights(db: sqlite3.Connection, history: str, keys: list[str]) -> Iterator[tuple[str, float]]:
    marks = ",".join("?" * len(keys))
    return db.execute(
        f"SELECT word, weight FROM ngrams WHERE history = ? AND key IN ({marks})", (history, *keys)
    )
