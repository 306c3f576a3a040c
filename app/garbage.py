"""Python's cyclic garbage, collected on the interface's thread alone.

Qt's objects belong to the thread that made them.  Python's collector runs on whichever thread
happens to allocate: the model's thread destroyed what was left of a closed dialog, holding a lock
of Qt's and waiting for Python's, while the interface held Python's and waited for Qt's.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, Qt, QTimer

INTERVAL_MS = 5_000
FULL_EVERY = 12  # collections; the others look at what is new


class GarbageCollection(QObject):
    """Takes over from Python's own collector, for as long as the application lives."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.collect()
        gc.freeze()  # what there is at the start stays; looking at it again would cost time
        gc.disable()
        self._rounds = 0
        self._timer = QTimer(self, interval=INTERVAL_MS, timerType=Qt.TimerType.VeryCoarseTimer)
        self._timer.timeout.connect(self.collect)
        self._timer.start()

    def collect(self) -> None:
        """Collect what became garbage since the last time, now and then all there is."""
        self._rounds += 1
        gc.collect(2 if self._rounds % FULL_EVERY == 0 else 1)
