"""Unsaved text, kept so that a crash or a power cut loses two seconds of work at most.

Each open text owns one file in the recovery folder and a lock beside it.  A file whose lock no
living process holds is an orphan: the text of a window that ended without being closed.
"""

from __future__ import annotations

import contextlib
import json
import logging
import secrets
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QLockFile, QObject, QRunnable, QThreadPool, QTimer, Signal, Slot

from model.files import why_unwritable, write_atomically

if TYPE_CHECKING:
    from collections.abc import Callable

WRITE_AFTER_MS = 1_000  # with the time to write it, well under the promised two seconds
LOCK_ATTEMPT_MS = 50

log = logging.getLogger(__name__)


class Snapshot(NamedTuple):
    """A text at a moment, the file it belongs to and where its caret is."""

    text: str
    path: Path | None
    caret_utf16: int = 0


@dataclass(frozen=True, slots=True)
class Unsaved:
    """A text as it was at `saved_at` (seconds since 1970), and the file it belongs to."""

    text: str
    path: Path | None
    saved_at: float
    caret_utf16: int = 0


@dataclass(frozen=True, slots=True)
class Orphan:
    """Unsaved text whose process is gone, and the recovery file that holds it."""

    unsaved: Unsaved
    file: Path


class RecoveryStore:
    """The recovery files of all texts; writes the one of this text.

    Safe to `write` from any one thread.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._file = folder / f"{secrets.token_hex(8)}.unsaved"
        self._lock: QLockFile | None = None

    def write(self, unsaved: Unsaved) -> None:
        """Replace this text's recovery file.

        Raises:
            OSError: the folder or disk refuses.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        if self._lock is None:
            self._lock = _lock_of(self._file)
            self._lock.tryLock(LOCK_ATTEMPT_MS)
        path = str(unsaved.path) if unsaved.path else None
        fields = {"path": path, "saved_at": unsaved.saved_at, "caret": unsaved.caret_utf16}
        header = json.dumps({"format": 1, **fields})
        # The text as it is, below one line of JSON: encoding ten megabytes as JSON would hold
        # Python's lock, and with it the writer, for a tenth of a second.
        write_atomically(self._file, f"{header}\n{unsaved.text}")

    def clear(self) -> None:
        """Remove this text's recovery file: everything is saved, or is not wanted."""
        _remove(self._file)
        if self._lock is not None:
            self._lock.unlock()
            self._lock = None

    def discard(self, orphan: Orphan) -> None:
        """Remove an orphan for good."""
        _remove(orphan.file)


def orphans_in(folder: Path) -> list[Orphan]:
    """Return the unsaved texts of processes that are gone, newest first."""
    found = []
    for file in folder.glob("*.unsaved"):
        lock = _lock_of(file)
        if not lock.tryLock(LOCK_ATTEMPT_MS):
            continue
        try:
            found.append(Orphan(_read(file), file))
        except (OSError, ValueError, KeyError, TypeError) as err:
            log.warning("%s cannot be recovered: %s", file, err)
            with contextlib.suppress(OSError):
                file.rename(file.with_suffix(".damaged"))
        finally:
            lock.unlock()
    return sorted(found, key=lambda orphan: orphan.unsaved.saved_at, reverse=True)


def _remove(file: Path) -> None:
    try:
        if file.exists():  # a read-only disk refuses to remove even what is not there
            file.unlink()
    except OSError as err:
        log.warning("unsaved text stays: %s", why_unwritable(file, err))


def _lock_of(file: Path) -> QLockFile:
    lock = QLockFile(str(file.with_suffix(".lock")))
    lock.setStaleLockTime(0)  # a lock is stale when its process is gone, never by age
    return lock


def _read(file: Path) -> Unsaved:
    with file.open(encoding="utf-8", newline="") as lines:
        found, text = json.loads(lines.readline()), lines.read()
    path = found["path"]
    caret = int(found.get("caret", len(text)))
    return Unsaved(text, Path(path) if path else None, float(found["saved_at"]), caret)


class Autosave(QObject):
    """Writes one text, while it is unsaved, to the recovery store soon after each change.

    `snapshot` is called in the GUI thread; encoding and writing happen in another.

    Signals:
        failed(str): the text could not be written, and why; once until a write succeeds.
    """

    failed = Signal(str)
    _finished = Signal(str)

    def __init__(
        self,
        store: RecoveryStore,
        snapshot: Callable[[], Snapshot],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._store = store
        self._snapshot = snapshot
        self._is_private = False
        self._has_failed = False
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)  # writes keep their order
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(WRITE_AFTER_MS)
        self._timer.timeout.connect(self._write)
        self._finished.connect(self._on_finished)

    @Slot()
    def text_changed(self) -> None:
        """Note a change; the timer is not put off by the next one, so no typist outruns it."""
        if not self._timer.isActive() and not self._is_private:
            self._timer.start()

    def set_private(self, is_private: bool) -> None:
        """Keep nothing while `is_private`, not even what was kept before."""
        self._is_private = is_private
        if is_private:
            self.forget()

    def flush(self) -> None:
        """Write a pending change now, and wait until it is on disk."""
        if self._timer.isActive():
            self._timer.stop()
            self._write()
        self._pool.waitForDone()

    def forget(self) -> None:
        """Drop what is kept: the text is saved in its file, or the writer gave it up."""
        self._timer.stop()
        self._pool.waitForDone()
        self._store.clear()

    def stop(self) -> None:
        """End without writing; the recovery file stays as it is."""
        self._timer.stop()
        self._pool.waitForDone()

    @Slot()
    def _write(self) -> None:
        now = self._snapshot()
        unsaved = Unsaved(now.text, now.path, time.time(), now.caret_utf16)

        def write() -> None:
            try:
                self._store.write(unsaved)
                self._finished.emit("")
            except OSError as err:
                self._finished.emit(why_unwritable(self._store.folder, err))

        self._pool.start(QRunnable.create(write))

    @Slot(str)
    def _on_finished(self, problem: str) -> None:
        if problem and not self._has_failed:
            log.warning("unsaved text cannot be kept: %s", problem)
            self.failed.emit(problem)
        self._has_failed = bool(problem)
