"""Installing a model while the writer writes: a strip with progress where the words will be.

The work is done by `python -m training.install` in a process of its own; closing the window ends
it, and the next start goes on from what was downloaded.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from PySide6.QtCore import QProcess, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QGridLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from app import theme
from app.installing import (
    STOPPED,
    Finished,
    InstallError,
    install_command,
    parse_line,
)
from app.training_process import Stage
from app.translation import marked, tr
from model.known_models import KNOWN

if TYPE_CHECKING:
    from pathlib import Path

# What each stage takes of the whole, in percent, as measured on a 2-core machine; the download,
# which depends on the network, has half.
SHARES = {
    "wait": 0, "download": 50, "verify": 2, "convert": 8, "export": 22, "check": 16, "publish": 2,
}  # fmt: skip
LONGEST_END_MS = 3_000
OFFLINE = marked("Check the network and try again, or install from a file (Model menu). ")
HELP = marked("You can go on writing without it.")

log = logging.getLogger(__name__)


class ModelInstaller(QWidget):
    """Shows and runs one installation.

    Signals:
        installed(str, Path): the model's name and folder.
        given_up(): the writer cancelled.
    """

    installed = Signal(str, object)
    given_up = Signal()

    def __init__(self, root: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._root = root
        self._source = ""
        self._finished: Finished | None = None
        self._problem: InstallError | None = None
        self._is_stopping = False
        self._process = QProcess(self)
        self._process.readyReadStandardOutput.connect(self._on_output)
        self._process.finished.connect(self._on_finished)
        self._process.errorOccurred.connect(self._on_error)
        self.title, self.detail = QLabel(), QLabel()
        self.title.setFont(theme.writing_font(12.5))
        self.detail.setFont(theme.interface_font(theme.SMALL_SIZE_PT))
        self.detail.setProperty("isQuiet", True)
        for label in (self.title, self.detail):
            label.setWordWrap(True)
            label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.bar = QProgressBar()
        self.bar.setRange(0, 1000)
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(3)
        self.bar.setAccessibleName(tr("Installation progress"))
        self.retry, self.cancel = QPushButton(tr("Try again")), QPushButton(tr("Cancel"))
        self.retry.clicked.connect(self._on_retry)
        self.cancel.clicked.connect(self._on_cancel)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 8)
        grid.setVerticalSpacing(5)
        grid.addWidget(self.bar, 0, 0, 1, 3)
        grid.addWidget(self.title, 1, 0)
        grid.addWidget(self.detail, 2, 0)
        grid.addWidget(self.retry, 1, 1, 2, 1, Qt.AlignmentFlag.AlignVCenter)
        grid.addWidget(self.cancel, 1, 2, 2, 1, Qt.AlignmentFlag.AlignVCenter)

    @property
    def is_running(self) -> bool:
        """Whether an installation is under way."""
        return self._process.state() != QProcess.ProcessState.NotRunning

    def install(self, source: str) -> None:
        """Start installing a known name, a hub name or a folder; ignored while one is running."""
        if self.is_running:
            return
        self._source, self._finished, self._problem = source, None, None
        known = KNOWN.get(source)
        name = known.title if known else source
        size = tr("{size:.0f} MB, once. ", size=known.download_bytes / 1000000.0) if known else ""
        self.title.setText(tr("Getting the language model {name}", name=name))
        self.detail.setText(
            tr("{size}It runs on this computer; nothing you write leaves it.", size=size)
        )
        self.detail.setToolTip("")
        self.bar.setValue(0)
        self.retry.hide()
        self.cancel.show()
        program, *arguments = install_command(source, self._root)
        self._process.start(program, arguments)

    def stop(self) -> None:
        """End a running installation; it can be taken up again later."""
        if self.is_running:
            self._is_stopping = True
            self._process.terminate()
            if not self._process.waitForFinished(LONGEST_END_MS):
                self._process.kill()
                self._process.waitForFinished(LONGEST_END_MS)
            self._is_stopping = False

    @Slot()
    def _on_output(self) -> None:
        while self._process.canReadLine():
            line = bytes(self._process.readLine().data()).decode("utf-8", "replace")
            try:
                said = parse_line(line)
            except InstallError as err:
                self._problem = err
                continue
            if isinstance(said, Stage):
                self._show(said)
            elif said is not None:
                self._finished = said

    def _show(self, step: Stage) -> None:
        stages = list(SHARES)
        before = sum(SHARES[stage] for stage in stages[: _index(stages, step.name)])
        part = step.done / step.total if step.total else 0.0
        value = round(10 * (before + SHARES.get(step.name, 0) * part))
        self.bar.setValue(max(self.bar.value(), value))  # never backwards
        amount = ""
        if step.name == "download" and step.total:
            amount = tr(
                " · {done:.0f} of {total:.0f} MB",
                done=step.done / 1000000.0,
                total=step.total / 1000000.0,
            )
        self.detail.setText(
            tr(
                "{title}{amount}. Keep writing; words appear here when it is done.",
                title=step.title,
                amount=amount,
            )
        )

    @Slot()
    def _on_finished(self) -> None:
        if self._is_stopping:
            return
        if self._finished is not None and not self._problem:
            self.bar.setValue(self.bar.maximum())
            self.installed.emit(self._finished.name, self._finished.folder)
            return
        complaint = bytes(self._process.readAllStandardError().data()).decode("utf-8", "replace")
        if self._problem is not None:
            self._fail(self._problem)
        elif self._process.exitStatus() == QProcess.ExitStatus.CrashExit:
            self._fail(InstallError(STOPPED))
        else:
            lines = complaint.strip().splitlines() or [tr("the installation ended too early")]
            self._fail(InstallError(lines[-1]))

    @Slot(QProcess.ProcessError)
    def _on_error(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart:
            self._fail(InstallError(self._process.errorString()))

    def _fail(self, error: InstallError) -> None:
        reason = str(error)
        log.error("installing %s failed: %s", self._source, reason)
        first, *_ = reason.split(". ")  # what follows is advice for the command line
        advice = tr(OFFLINE) + tr(HELP) if error.is_unreachable else tr(HELP)
        self.title.setText(tr("The language model could not be installed"))
        self.detail.setText(f"{first[:1].upper()}{first[1:].rstrip('.')}. {advice}")
        self.detail.setToolTip(reason)
        self.retry.show()
        self.cancel.show()

    @Slot()
    def _on_retry(self) -> None:
        self.install(self._source)

    @Slot()
    def _on_cancel(self) -> None:
        self.stop()
        self.given_up.emit()


def _index(stages: list[str], stage: str) -> int:
    return stages.index(stage) if stage in stages else 0
