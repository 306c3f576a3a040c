"""Nothing fails silently: uncaught exceptions go to the log, and to the writer in plain words."""

from __future__ import annotations

import contextlib
import logging
import logging.handlers
import sys
import traceback
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QMessageBox

from app.translation import tr

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

LOG_BYTES = 500_000

log = logging.getLogger(__name__)


def start_log(path: Path) -> None:
    """Send warnings and errors to stderr, and to a file that never grows beyond a megabyte.

    Where the file cannot be written, stderr is the log.
    """
    logging.raiseExceptions = False  # a disk that fills up later must not end in tracebacks
    handlers: list[logging.Handler] = [logging.StreamHandler()]
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        rotating = logging.handlers.RotatingFileHandler(
            path, maxBytes=LOG_BYTES, backupCount=1, encoding="utf-8", delay=True
        )
        handlers.append(rotating)
    layout = "%(asctime)s %(levelname)s %(name)s: %(message)s"
    logging.basicConfig(level=logging.WARNING, format=layout, handlers=handlers)


class ErrorReporter(QObject):
    """Shows uncaught exceptions of any thread, one dialog at a time."""

    _occurred = Signal(str, str)

    def __init__(self, log_path: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._log_path = log_path
        self._is_showing = False
        self._occurred.connect(self._show)  # queued to this thread, wherever the error is

    def install(self) -> None:
        """Become Python's hook for uncaught exceptions."""
        sys.excepthook = self._hook

    def _hook(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
            return
        log.critical("uncaught exception", exc_info=(kind, error, trace))
        details = "".join(traceback.format_exception(kind, error, trace))
        self._occurred.emit(f"{kind.__name__}: {error}", details)

    @Slot(str, str)
    def _show(self, summary: str, details: str) -> None:
        if self._is_showing:
            return
        self._is_showing = True
        box = QMessageBox(QMessageBox.Icon.Warning, "Foretype", tr("Something went wrong."))
        box.setInformativeText(
            tr(
                "{summary}\n\nYour text is still here, and a copy of it is kept. "
                "Save it, then start Foretype again. The log is in {log_path}.",
                summary=summary,
                log_path=self._log_path,
            )
        )
        box.setDetailedText(details)
        box.exec()
        self._is_showing = False
