"""Loading a heavy module without holding up the writer."""

from __future__ import annotations

import importlib
import logging

from PySide6.QtCore import QObject, QThread, Signal, Slot

log = logging.getLogger(__name__)


class _Importing(QThread):
    def __init__(self, module: str, parent: QObject) -> None:
        super().__init__(parent)
        self._module = module
        self.has_failed = False

    def run(self) -> None:
        try:
            importlib.import_module(self._module)
        except Exception:
            log.exception("%s cannot be loaded", self._module)
            self.has_failed = True


class SlowImport(QObject):
    """Imports one module in a thread of its own.

    Signals:
        done(): importing it costs nothing any more.
    """

    done = Signal()

    def __init__(self, module: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thread = _Importing(module, self)
        self._has_begun = False
        self._thread.finished.connect(self._on_finished)

    def start(self) -> None:
        """Begin, the first time it is called."""
        if not self._has_begun:
            self._has_begun = True
            self._thread.start(QThread.Priority.LowPriority)

    def wait(self) -> None:
        """Wait until it is over; threads must not outlive what they belong to."""
        self._thread.wait()

    @Slot()
    def _on_finished(self) -> None:
        if not self._thread.has_failed:
            self.done.emit()
