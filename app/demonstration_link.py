"""The window's side of the demonstration's worker: asks, and shows the latest answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from app.demonstration_worker import Demonstrator, Scene, Wish
from app.worker import Newest

if TYPE_CHECKING:
    from app.prediction import PredictionController


class DemonstrationLink(QObject):
    """Asks the demonstrator in the model's thread.

    Signals:
        shown(Scene): the answer to the latest question.
        failed(str): there is none, and why.

    Attributes:
        is_waiting: whether an answer is due that may be another place of the tree.
    """

    shown = Signal(object)
    failed = Signal(str)
    _wished = Signal(int, object)
    _over = Signal()

    def __init__(self, controller: PredictionController, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.is_waiting = False
        self._newest = Newest()
        self._demonstrator = Demonstrator(controller.engine, self._newest)
        controller.share(self._demonstrator)
        self._wished.connect(self._demonstrator.act)
        self._over.connect(self._demonstrator.end)
        self._demonstrator.shown.connect(self._on_shown)
        self._demonstrator.failed.connect(self._on_failed)

    def ask(self, wish: Wish) -> None:
        """Ask; the answers to earlier questions are not shown any more."""
        self._newest.number += 1
        self.is_waiting = self.is_waiting or wish.act != "look"
        self._wished.emit(self._newest.number, wish)

    def drop(self) -> None:
        """Expect no answer, and let the tree go."""
        self._newest.number += 1
        self.is_waiting = False
        self._over.emit()

    @Slot(int, object)
    def _on_shown(self, number: int, scene: Scene) -> None:
        if number == self._newest.number:
            self.is_waiting = False
            self.shown.emit(scene)

    @Slot(str)
    def _on_failed(self, message: str) -> None:
        self.is_waiting = False
        self.failed.emit(message)
