"""One training: begun, paused, gone on with, given up; whoever shows it listens to its signals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QLockFile, QObject, Signal, Slot

from app import models, paths
from app.personalise import request as requests
from app.personalise.process import Child
from app.personalise.protocol import Finished, Said, Step
from app.training_process import Stage
from app.translation import marked, tr
from model.bundle import BundleError
from model.catalogue import CatalogueError

if TYPE_CHECKING:
    from app.personalise.request import Request

OUTSIDE = marked(
    "The training was ended from outside, perhaps because the computer ran out of memory. "
    "What was saved is still there."
)

ELSEWHERE = marked("another window of Foretype is training")

State = Literal["idle", "running", "stopping", "paused", "failed", "finished"]


class Training(QObject):
    """The training of this window; at most one at a time.

    Signals:
        changed(): the state is another one.
        said(Texts | Step | Stage): how far it is.
    """

    changed = Signal()
    said = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.state: State = "idle"
        self.problem = ""  # why it failed, or was interrupted
        self.result: Finished | None = None
        self.step: Step | None = None
        self.stage: Stage | None = None
        self.held: list[tuple[int, float]] = []  # (step, perplexity on text kept back)
        self.losses: list[tuple[int, float]] = []  # (step, nats per token)
        self._request = requests.unfinished()
        self._in_use: str | None = None  # the version that the new one must not replace unasked
        self._lock = _lock()
        self._child = Child(self)
        self._child.said.connect(self._on_said)
        self._child.ended.connect(self._on_ended)
        self._child.failed.connect(self._on_failed)
        self._child.interrupted.connect(self._on_interrupted)
        if self._request:
            self.result = self._request.result()
            self.state = "finished" if self.result else "paused"
            for step in self._request.steps():
                self._note(step)

    @property
    def is_running(self) -> bool:
        """Whether the child process works."""
        return self._child.is_running

    @property
    def is_elsewhere(self) -> bool:
        """Whether another window trains at this moment."""
        if self._lock.isLocked():
            return False
        self._lock.tryLock(0)
        is_taken = self._lock.error() == QLockFile.LockError.LockFailedError
        self._lock.unlock()
        return is_taken

    @property
    def request(self) -> Request | None:
        """What is trained on, while that is not finished."""
        return self._request

    def begin(self, texts: list[str], author: str) -> None:
        """Train on these files and folders; what was not finished is thrown away.

        Raises:
            OSError: the user's data folder cannot be written.
        """
        if self.is_elsewhere:
            self._on_failed(tr(ELSEWHERE))
            return
        self._request = requests.begin(texts, author)
        self.held, self.losses = [], []
        self.go_on()

    def go_on(self) -> None:
        """Begin or take up the training that was asked for."""
        if self.is_elsewhere:
            self._on_failed(tr(ELSEWHERE))
        elif self._request and not self.is_running:
            self._lock.tryLock(0)  # its folder was made by `requests.begin`
            self.problem, self.result, self.step, self.stage = "", None, None, None
            self._in_use = _version_in_use(self._request.name)
            self._turn("running")
            self._child.start(self._request.command())

    def pause(self) -> None:
        """Save what is trained and end the process; `go_on` takes it up, even days later."""
        if self.is_running:
            self._turn("stopping")
            self._child.stop()

    def give_up(self) -> None:
        """End it and throw away what was trained; the models stay as they are."""
        self._child.kill()
        requests.discard()
        self._request = None
        self._turn("idle")

    def put_away(self) -> None:
        """Forget a result that was decided on."""
        requests.finish()
        self._request = self.result = None
        self._turn("idle")

    def stop(self) -> None:
        """End the process at the very end of the app; the next start can go on from there."""
        self._child.wait()
        self._lock.unlock()

    def _turn(self, state: State) -> None:
        if state not in ("running", "stopping"):
            self._lock.unlock()
        self.state = state
        self.changed.emit()

    @Slot(object)
    def _on_said(self, said: Said) -> None:
        if isinstance(said, Finished):
            self.result = said
            return
        if isinstance(said, Step):
            self._note(said)
        elif isinstance(said, Stage):
            self.stage = said
        self.said.emit(said)

    def _note(self, step: Step) -> None:
        """Remember a step; one that is taken again after an interruption replaces its first try."""
        self.step, self.stage = step, None
        self.losses = [point for point in self.losses if point[0] < step.step]
        self.held = [point for point in self.held if point[0] < step.step]
        self.losses.append((step.step, step.loss))
        if step.held_perplexity is not None:
            self.held.append((step.step, step.held_perplexity))

    @Slot()
    def _on_ended(self) -> None:
        if self.result is None:
            self._on_failed(tr("the training ended without a model"))
            return
        _keep_in_use(self.result.name, self._in_use)
        self._turn("finished")

    @Slot(str)
    def _on_failed(self, reason: str) -> None:
        self.problem = reason
        self._turn("failed")

    @Slot()
    def _on_interrupted(self) -> None:
        if self.state != "stopping":
            self.problem = tr(OUTSIDE)
        self._turn("paused")


def _lock() -> QLockFile:
    lock = QLockFile(str(paths.training().with_suffix(".lock")))
    lock.setStaleLockTime(0)  # a lock is stale when its process is gone, never by age
    return lock


def _version_in_use(name: str) -> str | None:
    try:
        return models.catalogue().folder(name).name
    except CatalogueError:
        return None


def _keep_in_use(name: str, version: str | None) -> None:
    """Leave the new version beside the one in use: which of them is used, the writer decides."""
    if version and version != _version_in_use(name):
        try:
            models.catalogue().rollback(name, version)
        except (CatalogueError, BundleError):  # it has just been removed: nothing to keep
            return
