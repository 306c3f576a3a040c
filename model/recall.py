"""What the personal memory expects: its counts, read as an interpolated n-gram model.

After the last two words of the context, the last one, and none; each history leaves a part of the
mixture to the next, and the last leaves it to the network (`model.blend`).

Source: Ney, Essen & Kneser 1994 (absolute discounting).
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from model.blend import Candidates
from model.casing import OTHER_CASE, folded

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

    from model.casing import Typed

# The n-gram model, by the number of words before: none, one, two.
CAPS = (0.03, 0.1, 0.2)  # the memory's share of the mixture when there is no end of evidence
THETAS = (100.0, 5.0, 2.0)  # occurrences of the history at which its share is half of that
DISCOUNT = 0.8  # taken from every count, or that part of a count below 1

MOST_CANDIDATES = 64
LOOKED_AT = 3  # rows of each history, for every word asked for

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
    one, total = db.execute("SELECT weight, total FROM clock").fetchone()
    key = folded(typed.prefix)
    fitting = {"one": one, "own": typed.own_letters, "other_case": OTHER_CASE,
               "first": key, "last": key + _LAST_KEY}  # fmt: skip
    every = {**fitting, "own": "", "first": "", "last": _LAST_KEY}
    keys = _likeliest(db, histories, fitting, LOOKED_AT * min(k, MOST_CANDIDATES))
    masses: defaultdict[str, float] = defaultdict(float)
    reach, left = 0.0, 1.0
    for order in reversed(range(len(histories))):
        history, discount = histories[order], DISCOUNT if order else 0.0
        counted, lost = _sums(db, history, every) if order else (total, 0.0)
        fits, fits_lost = _sums(db, history, fitting) if key else (counted, lost)
        unit = left * CAPS[order] / (counted + THETAS[order] * one)
        for word, weight in _weights(db, history, keys):
            text = typed.write(word)
            if text is not None:
                mass = unit * (weight - discount * min(weight, one))
                masses[text] += mass * typed.case_factor(word)
        reach += unit * (fits - discount * fits_lost)
        left -= unit * (counted - discount * lost)
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


def _sums(db: sqlite3.Connection, history: str, bounds: dict[str, object]) -> tuple[float, float]:
    counted, lost = db.execute(_SUMS, {**bounds, "history": history}).fetchone()
    return counted, lost


def _weights(db: sqlite3.Connection, history: str, keys: list[str]) -> Iterator[tuple[str, float]]:
    marks = ",".join("?" * len(keys))
    return db.execute(
        f"SELECT word, weight FROM ngrams WHERE history = ? AND key IN ({marks})", (history, *keys)
    )
