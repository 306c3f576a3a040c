"""One window for one user: a second `foretype FILE` hands its file to the window that is open.

The window holds a lock and watches a folder; a newcomer that finds the lock taken puts a note
there, naming its files, and ends when the note is gone.  Plain files do, so that nothing of
Foretype needs a socket.
"""

from __future__ import annotations

import contextlib
import json
import logging
import secrets
import time
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QFileSystemWatcher, QLockFile, QObject, Signal, Slot

from model.files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Sequence

LOCK_ATTEMPT_MS = 50
ANSWERED_WITHIN_S = 4.0  # or the window hangs, and the newcomer opens one of its own
LOOK_EVERY_S = 0.02

log = logging.getLogger(__name__)


class Doorbell(QObject):
    """At the door of the window that holds the lock, or before it.

    Signals:
        rung(list[Path]): another process was asked to open these files, or none.
    """

    rung = Signal(object)

    def __init__(self, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._folder = folder
        self._lock = QLockFile(str(folder / "window.lock"))
        self._lock.setStaleLockTime(0)  # stale when its process is gone, never by age
        self._watcher: QFileSystemWatcher | None = None
        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
        self.is_ours = self._lock.tryLock(LOCK_ATTEMPT_MS)

    def ring(self, files: Sequence[Path]) -> bool:
        """Ask the window that is open to show `files`; False if nobody answers."""
        if self.is_ours or self._lock.error() != QLockFile.LockError.LockFailedError:
            return False
        note = self._folder / f"{secrets.token_hex(8)}.note"
        try:
            write_atomically(note, json.dumps([str(file) for file in files]))
        except OSError:
            return False
        deadline = time.monotonic() + ANSWERED_WITHIN_S
        while note.exists():
            if time.monotonic() > deadline:
                return not _take_back(note)
            time.sleep(LOOK_EVERY_S)
        return True

    def listen(self) -> None:
        """Answer from now on, if the lock is ours."""
        if self.is_ours and self._watcher is None:
            self._watcher = QFileSystemWatcher([str(self._folder)], self)
            self._watcher.directoryChanged.connect(self._look)
            self._look()

    def leave(self) -> None:
        """Answer no longer: the window is closed."""
        if self._watcher:
            self._watcher.directoryChanged.disconnect(self._look)
            self._watcher = None
        if self.is_ours:
            self._lock.unlock()
            self.is_ours = False

    @Slot()
    def _look(self) -> None:
        for note in sorted(self._folder.glob("*.note")):
            try:
                files = [Path(name) for name in json.loads(note.read_text(encoding="utf-8"))]
            except (OSError, ValueError, TypeError) as err:
                log.warning("%s cannot be read: %s", note, err)
                files = []
            if _take_back(note):
                self.rung.emit(files)


def _take_back(note: Path) -> bool:
    """Remove a note; False if the other side was quicker."""
    try:
        note.unlink()
    except OSError:
        return False
    return True
