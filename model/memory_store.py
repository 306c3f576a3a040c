"""The SQLite file behind the personal memory: opened, repaired, cleared.

A crash at any moment leaves every finished transaction and nothing of an unfinished one (SQLite's
write-ahead log).  A file that is damaged or not ours is moved aside and a new one begun; where no
file can be had, the memory lasts until the program ends.  No writing stops for it: trouble is one
line in the log.  Only forgetting raises, because there a promise is kept or broken.
"""

from __future__ import annotations

import contextlib
import logging
import os
import sqlite3
from typing import TYPE_CHECKING, TypeVar

from model.files import why_unwritable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

APPLICATION_ID = 0x466F7265  # "Fore"
SCHEMA_VERSION = 1
RECENTLY = "~"  # instead of a history: an unusual word by itself, in counts that fade fast
DOUBTED = "?"  # instead of a history: a word written once that is probably a slip
LOCK_TIMEOUT_S = 2.0  # another program that is learning holds the lock for milliseconds
_SCHEMA = (
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {SCHEMA_VERSION}",
    """
    CREATE TABLE ngrams (
        history TEXT NOT NULL,  -- keys of the words before: none, one, two; RECENTLY, DOUBTED
        key TEXT NOT NULL,      -- the word with case folded and straight apostrophes
        word TEXT NOT NULL,     -- as the writer writes it
        weight REAL NOT NULL CHECK (typeof(weight) = 'real'),
        PRIMARY KEY (history, key, word)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX by_weight ON ngrams (history, weight DESC, key, word)",
    """
    CREATE TABLE clock (
        kind TEXT PRIMARY KEY,
        words INTEGER NOT NULL,
        weight REAL NOT NULL,
        total REAL NOT NULL
    ) WITHOUT ROWID
    """,
    f"INSERT INTO clock VALUES ('', 0, 1, 0), ('{RECENTLY}', 0, 1, 0)",
)

_TROUBLE = (sqlite3.DatabaseError, UnicodeDecodeError)
_DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)

Result = TypeVar("Result")

log = logging.getLogger(__name__)


class ForgetError(RuntimeError):
    """What was to be forgotten may still be on the disk; the message says why and what to do."""


class Store:
    """One connection; use it from the thread that made it, and one `Store` for each thread.

    Several stores, in several programs too, may share a file.

    Args:
        path: the file, made if need be and readable by its owner alone; None keeps all in memory.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._db = self._open()

    def read(self, action: Callable[[sqlite3.Connection], Result], default: Result) -> Result:
        """What `action` returns, run on one state of the data; `default` if it cannot be read."""
        return self._run("BEGIN", action, default)

    def write(self, action: Callable[[sqlite3.Connection], None]) -> None:
        """Run `action` as one transaction: all of it is kept or, if that is impossible, nothing."""
        self._run("BEGIN IMMEDIATE", action, None)

    def erase(self, action: Callable[[sqlite3.Connection], None]) -> None:
        """Run `action`, then remove every trace of what it deleted from the files.

        Raises:
            ForgetError: another program holds the file, or the disk refuses.
        """
        self._check_reach()
        try:
            with _transaction(self._db, "BEGIN IMMEDIATE"):
                action(self._db)
            self._db.execute("VACUUM")  # rewrites every page, so no copy is left between rows
            busy = self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        except sqlite3.ProgrammingError:
            raise
        except _TROUBLE as err:
            if not _is_damage(err):
                raise self._forget_error(str(err)) from err
            self._recover(err)  # then all that was remembered is in the file moved aside
            self._check_reach()
            busy = False
        if busy:
            raise self._forget_error("another program is reading it")
        try:
            for leftover in self._set_aside():
                leftover.unlink(missing_ok=True)
        except OSError as err:
            raise self._forget_error(str(err)) from err

    def close(self) -> None:
        """Close the file; the store cannot be used afterwards."""
        self._db.close()

    def _check_reach(self) -> None:
        if self.path is not None and not self._on_disk:
            raise ForgetError(
                f"the memory {str(self.path)!r} could not be opened, so nothing was removed from "
                "it; make the file readable and writable, or delete it by hand"
            )

    def _forget_error(self, reason: str) -> ForgetError:
        return ForgetError(
            f"the memory {str(self.path)!r} could not be cleared ({reason}); "
            "close other windows and programs that use it and try again"
        )

    def _run(
        self, begin: str, action: Callable[[sqlite3.Connection], Result], default: Result
    ) -> Result:
        try:
            with _transaction(self._db, begin):
                return action(self._db)
        except sqlite3.ProgrammingError:
            raise  # ours: a wrong thread, a closed file
        except _TROUBLE as err:
            self._recover(err)
            return default

    def _recover(self, err: Exception) -> None:
        if not _is_damage(err):
            log.warning("The personal memory could not be used just now: %s", _reason(err))
            return
        self._db.close()
        self._db = self._open(err)

    def _open(self, damage: Exception | None = None) -> sqlite3.Connection:
        self._on_disk = self.path is not None
        if self.path is None:
            return _connect(":memory:")
        try:
            if damage is not None:
                self._move_aside(damage)
            return self._open_file(self.path)
        except (*_TROUBLE, OSError) as err:
            if damage is None and _is_damage(err):
                return self._open(err)
            reason = f"{self.path}: {_reason(err)}"
            if isinstance(err, OSError):
                reason = why_unwritable(self.path, err)
            log.warning("The personal memory will not last: %s", reason)
            self._on_disk = False
            return _connect(":memory:")

    @staticmethod
    def _open_file(path: Path) -> sqlite3.Connection:
        path.parent.mkdir(parents=True, exist_ok=True)
        # SQLite would make the file readable by everyone; its log takes on the same permissions.
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        return _connect(str(path))

    def _move_aside(self, damage: Exception) -> None:
        assert self.path is not None
        aside, aside_log = self._set_aside()
        os.replace(self.path, aside)
        write_log = self.path.with_name(self.path.name + "-wal")
        if write_log.exists():
            os.replace(write_log, aside_log)
        self.path.with_name(self.path.name + "-shm").unlink(missing_ok=True)
        reason = _reason(damage)
        log.warning("The personal memory was damaged (%s) and moved to %s", reason, aside)

    def _set_aside(self) -> list[Path]:
        """Where damaged files go: one place, so that forgetting knows it."""
        if self.path is None:
            return []
        return [self.path.with_name(self.path.name + end) for end in (".damaged", ".damaged-wal")]


@contextlib.contextmanager
def _transaction(db: sqlite3.Connection, begin: str) -> Iterator[None]:
    db.execute(begin)
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def _connect(name: str) -> sqlite3.Connection:
    db = sqlite3.connect(name, timeout=LOCK_TIMEOUT_S, isolation_level=None)
    try:
        db.execute("PRAGMA secure_delete = ON")  # what is deleted is overwritten with zeros
        db.execute("PRAGMA temp_store = MEMORY")  # no word in the system's temporary folder
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")  # a power cut may cost the last sentences
        _prepare(db)
    except BaseException:
        db.close()
        raise
    return db


def _prepare(db: sqlite3.Connection) -> None:
    """Make the tables of a new file; check those of an old one.

    Raises:
        sqlite3.DatabaseError: the file is damaged, or not ours.
    """
    with _transaction(db, "BEGIN IMMEDIATE"):  # two programs may start at once
        if not db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            for statement in _SCHEMA:
                db.execute(statement)
    found = [
        db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")
    ]
    if found != [APPLICATION_ID, SCHEMA_VERSION]:
        raise sqlite3.DatabaseError(f"kind {found[0]:#x}, version {found[1]} is not ours")
    if db.execute("SELECT count(*) FROM clock").fetchone()[0] != 2:
        raise sqlite3.DatabaseError("a clock is missing")
    if db.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
        raise sqlite3.DatabaseError("its parts do not fit together")


def _is_damage(err: Exception) -> bool:
    # Without a code: found here, or by Python, which decodes the text.
    code = getattr(err, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
    return isinstance(err, _TROUBLE) and code & 0xFF in _DAMAGE


def _reason(err: Exception) -> str:
    """One short line; what SQLite says of damaged data may quote it."""
    return str(getattr(err, "sqlite_errorname", err))
