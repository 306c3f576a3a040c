"""A program of `training/` as a child process that speaks JSON lines."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QProcess, QTimer, Signal, Slot

from app.personalise.protocol import TrainingError, parse_line

if TYPE_CHECKING:
    from collections.abc import Sequence

LONGEST_END_MS = 20_000  # one step may take some seconds before it is saved
INTERRUPTED = 130

log = logging.getLogger(__name__)


class Child(QObject):
    """Runs one program at a time.

    Signals:
        said(Texts | Step | Stage | Finished): what it reports.
        ended(): it did what it was asked to.
        failed(str): it could not, and why, in one line.
        interrupted(): it ended because it was stopped, by `stop` or from outside.
    """

    said = Signal(object)
    ended = Signal()
    failed = Signal(str)
    interrupted = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._problem = ""
        self._complaint = ""
        self._is_stopping = False
        self._process = QProcess(self)
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(LONGEST_END_MS)
        self._patience.timeout.connect(self._process.kill)
        self._process.readyReadStandardOutput.connect(self._on_output)
        self._process.readyReadStandardError.connect(self._on_complaint)
        self._process.finished.connect(self._on_finished)
        self._process.errorOccurred.connect(self._on_error)

    @property
    def is_running(self) -> bool:
        """Whether the program runs."""
        return self._process.state() != QProcess.ProcessState.NotRunning

    def start(self, command: Sequence[str]) -> None:
        """Start a program; one that runs is killed first, without a word of it."""
        self.kill()
        self._problem, self._complaint, self._is_stopping = "", "", False
        program, *arguments = command
        self._process.start(program, arguments)

    def stop(self) -> None:
        """Ask it to save its work and end; `interrupted` follows."""
        self._is_stopping = True
        self._process.terminate()
        self._patience.start()

    def wait(self) -> None:
        """Stop it and return when it has ended, which may take some seconds."""
        if self.is_running:
            self.stop()
            if not self._process.waitForFinished(LONGEST_END_MS):
                self.kill()

    def kill(self) -> None:
        """End it at once; what it had saved by then stays."""
        if self.is_running:
            self.blockSignals(True)
            self._process.kill()
            self._process.waitForFinished(LONGEST_END_MS)
            self.blockSignals(False)

    @Slot()
    def _on_output(self) -> None:
        while self._process.canReadLine():
            line = bytes(self._process.readLine().data()).decode("utf-8", "replace")
            try:
                said = parse_line(line)
            except TrainingError as err:
                self._problem = str(err)
            else:
                if said is not None:
                    self.said.emit(said)

    @Slot()
    def _on_complaint(self) -> None:
        written = bytes(self._process.readAllStandardError().data()).decode("utf-8", "replace")
        self._complaint = (self._complaint + written)[-4_000:]

    @Slot(int, QProcess.ExitStatus)
    def _on_finished(self, code: int, status: QProcess.ExitStatus) -> None:
        self._patience.stop()
        self._on_output()
        is_crash = status == QProcess.ExitStatus.CrashExit
        if self._problem and not self._is_stopping:
            self._fail(self._problem)
        elif self._is_stopping or code == INTERRUPTED or is_crash:
            self.interrupted.emit()
        elif code:
            lines = self._complaint.strip().splitlines()
            self._fail(lines[-1] if lines else f"it ended with {code} and gave no reason")
        else:
            self.ended.emit()

    @Slot(QProcess.ProcessError)
    def _on_error(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart:
            self._fail(self._process.errorString())

    def _fail(self, reason: str) -> None:
        log.error("%s failed: %s\n%s", self._process.program(), reason, self._complaint)
        self.failed.emit(reason)
