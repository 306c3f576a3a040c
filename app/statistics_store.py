"""Where the writer's figures are kept: counts a day and a histogram, never a word of any text.

SQLite, so that several windows add to the same figures.  Trouble with the file is one line in the
log: no writing stops for it.
"""

from __future__ import annotations

import logging
import os
import sqlite3
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, TypeVar

from model.files import why_unwritable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

log = logging.getLogger(__name__)

Result = TypeVar("Result")

LOCK_TIMEOUT_S = 0.2  # another window holds the lock for a millisecond
SCHEMA = """
CREATE TABLE IF NOT EXISTS counts (
    day TEXT NOT NULL,  -- 2026-11-30, where the writer is
    what TEXT NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (day, what)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS latencies (
    bin INTEGER PRIMARY KEY,
    number INTEGER NOT NULL
) WITHOUT ROWID;
"""


@dataclass(slots=True)
class Counts:
    """What was counted: keys that wrote, keys saved, words offered something, words taken."""

    typed: int = 0
    saved: int = 0
    offered: int = 0
    taken: int = 0

    @property
    def saved_share(self) -> float | None:
        """The share of all keys that need not be pressed; None where nothing was written."""
        return self.saved / (self.saved + self.typed) if self.saved + self.typed else None

    @property
    def acceptance(self) -> float | None:
        """The share of the words offered something that were taken; None if there were none."""
        return min(self.taken / self.offered, 1.0) if self.offered else None


class StatisticsError(RuntimeError):
    """The figures could not be cleared; the message says why and what to do."""


class StatisticsStore:
    """One file of figures, opened when it is first needed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._db: sqlite3.Connection | None = None

    def add(self, day: str, counts: Counts, latencies: Mapping[int, int]) -> None:
        """Add to the figures of a day, and to the histogram (bin → number)."""

        def action(db: sqlite3.Connection) -> None:
            db.executemany(
                "INSERT INTO counts VALUES (?, ?, ?) "
                "ON CONFLICT DO UPDATE SET number = number + excluded.number",
                [(day, field.name, getattr(counts, field.name)) for field in fields(Counts)],
            )
            db.executemany(
                "INSERT INTO latencies VALUES (?, ?) "
                "ON CONFLICT DO UPDATE SET number = number + excluded.number",
                latencies.items(),
            )

        self._run(action, None)

    def counts(self, day: str | None = None) -> Counts:
        """Return the figures of a day, or of all days."""

        def action(db: sqlite3.Connection) -> Counts:
            where, values = ("WHERE day = ?", (day,)) if day else ("", ())
            rows = db.execute(f"SELECT what, SUM(number) FROM counts {where} GROUP BY what", values)
            return Counts(**dict(rows.fetchall()))

        return self._run(action, Counts())

    def latencies(self) -> dict[int, int]:
        """Return the histogram: bin → how often."""
        return self._run(lambda db: dict(db.execute("SELECT bin, number FROM latencies")), {})

    def clear(self) -> None:
        """Forget everything, on the disk too.

        Raises:
            StatisticsError: the file cannot be written.
        """
        try:
            db = self._open()
            with db:
                db.execute("DELETE FROM counts")
                db.execute("DELETE FROM latencies")
            db.execute("VACUUM")
        except OSError as err:
            raise StatisticsError(f"not cleared: {why_unwritable(self._path, err)}") from err
        except sqlite3.Error as err:
            raise StatisticsError(f"not cleared: {self._path} ({err}); remove that file") from err

    def close(self) -> None:
        """Close the file."""
        if self._db is not None:
            self._db.close()
            self._db = None

    def _run(self, action: Callable[[sqlite3.Connection], Result], default: Result) -> Result:
        """Return what `action` returns, as one transaction; `default` if the file is in trouble."""
        try:
            with self._open() as db:
                return action(db)
        except (OSError, sqlite3.Error, TypeError) as err:
            log.warning("%s: the statistics are not kept: %s", self._path, err)
            return default

    def _open(self) -> sqlite3.Connection:
        if self._db is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(self._path, os.O_CREAT | os.O_RDWR, 0o600))  # for its owner alone
            self._db = sqlite3.connect(self._path, timeout=LOCK_TIMEOUT_S)
            # Figures of the last minute may go with a power cut; a key must not wait for the disk.
            self._db.execute("PRAGMA synchronous = OFF")
            self._db.execute("PRAGMA secure_delete = ON")
            self._db.executescript(SCHEMA)
        return self._db
