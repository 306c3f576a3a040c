"""Attention: who looks at whom inside the network, worked out by the reference model.

The reference runs in a process (`training.attention`), because torch never enters the editor's.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QProcess, Signal, Slot

from app.token_text import visible
from app.training_process import command_of
from app.translation import marked, tr

if TYPE_CHECKING:
    from pathlib import Path

THOUSANDTHS = 1000
START = marked("start")


@dataclass(frozen=True, slots=True)
class Looks:
    """What `training.attention` found; the first token is the start of every text."""

    tokens: tuple[str, ...]
    layers: int
    heads: int
    triangles: list[list[list[int]]]  # [layer][head], row by row, in thousandths

    def share(self, layer: int, head: int, row: int, column: int) -> float:
        """The share that token `row` takes from token `column`, 0 if that comes later."""
        if column > row:
            return 0.0
        return self.triangles[layer][head][row * (row + 1) // 2 + column] / THOUSANDTHS


def parse(said: dict[str, Any]) -> Looks:
    """Read the program's answer."""
    tokens = [visible(bytes.fromhex(token)) for token in said["tokens"]]
    return Looks((tr(START), *tokens[1:]), said["layers"], said["heads"], said["weights"])


class AttentionProcess(QObject):
    """Runs the reference model on one sentence at a time.

    Signals:
        found(Looks): where it looks.
        failed(str): it could not be run, and why.
    """

    found = Signal(object)
    failed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._process = QProcess(self)
        self._process.finished.connect(self._on_finished)
        self._process.errorOccurred.connect(self._on_error)

    @property
    def is_running(self) -> bool:
        """Whether an answer is due."""
        return self._process.state() != QProcess.ProcessState.NotRunning

    def start(self, folder: Path, text: str) -> None:
        """Ask for the weights of a sentence; the text goes by the pipe, not by the command line."""
        self.stop()
        program, *arguments = command_of("attention")
        self._process.start(program, [*arguments, str(folder), "--json"])
        self._process.write(text.encode())
        self._process.closeWriteChannel()

    def stop(self) -> None:
        """End it; no answer comes."""
        if self.is_running:
            self.blockSignals(True)
            self._process.kill()
            self._process.waitForFinished()
            self.blockSignals(False)

    @Slot()
    def _on_finished(self) -> None:
        data = bytes(self._process.readAllStandardOutput().data())
        try:
            said = json.loads(data)
            if "error" in said:
                self.failed.emit(str(said["error"]))
            else:
                self.found.emit(parse(said))
        except (ValueError, KeyError, TypeError):
            complaint = bytes(self._process.readAllStandardError().data()).decode(
                "utf-8", "replace"
            )
            last = (complaint.strip().splitlines() or ["no reason"])[-1]
            self.failed.emit(tr("the reference model gave no answer: {last}", last=last))

    @Slot(QProcess.ProcessError)
    def _on_error(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart:
            self.failed.emit(
                tr(
                    "Python could not be started: {reason}",
                    reason=self._process.errorString(),
                )
            )
