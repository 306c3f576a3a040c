"""Between the window and the model: one worker thread that owns the model, latest request wins.

Every request has a number.  `Newest` holds the latest one, written by the GUI thread and read by
the worker, which gives up a prediction as soon as a newer request makes it useless; the GUI drops
what arrives too late all the same.  The GUI thread never waits for the model, except to end.
"""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QThread, QTimer, Signal, Slot

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from app.editor import Context
    from model.offer import Word
    from model.predictor import Prediction, Predictor
    from model.reader import Reader

IDLE_MS = 700  # without a key, before the page is read for its perplexity
LONGEST_SHUTDOWN_MS = 15_000  # loading a model cannot be interrupted

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Engine:
    """A loaded model; lives in the worker's thread."""

    predictor: Predictor
    reader: Reader


@dataclass(slots=True)
class Newest:
    """The number of the latest request."""

    number: int = 0


def load_engine(folder: Path) -> Engine:
    """Load the model in `folder`; the heavy imports happen here, in the worker's thread."""
    from model.predictor import load_predictor
    from model.reader import Reader

    predictor = load_predictor(folder)
    return Engine(predictor, Reader(predictor.session, predictor.tokenizer))


class Worker(QObject):
    """Runs in its own thread and owns the model.

    Signals:
        loaded(): the model is ready.
        glanced(int, tuple[Word, ...], float): words known before any is tried, and the ms it took.
        predicted(int, Prediction): the answer to a request; a better one may follow.
        read(int, float): the perplexity of the page at the time of a request.
        failed(str, bool): what could not be done, and why; whether predicting can go on.
    """

    loaded = Signal()
    glanced = Signal(int, object, float)
    predicted = Signal(int, object)
    read = Signal(int, float)
    failed = Signal(str, bool)

    def __init__(self, newest: Newest, load: Callable[[Path], Engine]) -> None:
        super().__init__()
        self._newest = newest
        self._load = load
        self._engine: Engine | None = None

    @Slot(object)
    def load(self, folder: Path) -> None:
        """Replace the model; the previous one stays if this one cannot be loaded."""
        try:
            self._engine = self._load(folder)
            self.loaded.emit()
        except Exception as err:
            self._report("The model could not be loaded", err, self._engine is not None)

    @Slot(int, str)
    def predict(self, number: int, text: str) -> None:
        """Tell what comes after `text`: at once what is known, then the whole; then look ahead.

        A newer request ends it at any point.
        """
        if self._engine is None or number != self._newest.number:
            return
        from model.session import Cancelled

        predictor, cancelled = self._engine.predictor, self._is_stale(number)
        predictor.session.resume()
        if cancelled():  # the interruption was meant for this request
            return
        begun = time.perf_counter()
        try:
            if words := predictor.glance(text, cancelled=cancelled):
                self.glanced.emit(number, words, (time.perf_counter() - begun) * 1000)
            self.predicted.emit(number, predictor.predict(text, cancelled=cancelled))
            predictor.look_ahead(text, cancelled)
        except Cancelled:
            pass
        except Exception as err:
            self._report("Suggestions stopped", err, False)

    @Slot(int, str)
    def read_page(self, number: int, text: str) -> None:
        """Work out the perplexity of `text`, until a newer request comes."""
        if self._engine is None or number != self._newest.number:
            return
        from model.session import Cancelled

        try:
            reading = self._engine.reader.read(text, cancelled=self._is_stale(number))
            self.read.emit(number, reading.perplexity)
        except Cancelled:
            pass
        except Exception as err:
            self._report("The page could not be read", err, True)

    def interrupt(self) -> None:
        """Stop trying words for a request that is out of date; called from the GUI's thread."""
        if self._engine is not None:
            self._engine.predictor.session.interrupt()

    def _is_stale(self, number: int) -> Callable[[], bool]:
        return lambda: number != self._newest.number

    def _report(self, what: str, err: Exception, goes_on: bool) -> None:
        log.exception("%s", what)
        self.failed.emit(f"{what}: {err}", goes_on)


class PredictionController(QObject):
    """The GUI's side of the worker.

    Signals:
        ready(): the model is loaded; contexts are worth requesting.
        glanced(Context, tuple[Word, ...], float): its words as far as they were known, and the
            milliseconds it took; the answer follows.
        predicted(Context, Prediction): the answer to the newest request.
        perplexity_found(float): the page's perplexity; the page has not changed since.
        failed(str): something went wrong; unless `is_ready`, only `load` can help.
    """

    ready = Signal()
    glanced = Signal(object, object, float)
    predicted = Signal(object, object)
    perplexity_found = Signal(float)
    failed = Signal(str)
    _load_wanted = Signal(object)
    _prediction_wanted = Signal(int, str)
    _reading_wanted = Signal(int, str)

    def __init__(
        self, load: Callable[[Path], Engine] = load_engine, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.is_ready = False
        self.page: Callable[[], str] | None = None  # what to read in idle time; None: nothing
        self._newest = Newest()
        self._context: Context | None = None  # of the newest request
        self._idle = QTimer(self)
        self._idle.setSingleShot(True)
        self._idle.setInterval(IDLE_MS)
        self._idle.timeout.connect(self._read_page)
        self._thread = QThread(self)
        self._thread.setObjectName("model")
        self._worker = Worker(self._newest, load)
        self._worker.moveToThread(self._thread)
        self._load_wanted.connect(self._worker.load)
        self._prediction_wanted.connect(self._worker.predict)
        self._reading_wanted.connect(self._worker.read_page)
        self._worker.loaded.connect(self._on_loaded)
        self._worker.glanced.connect(self._on_glanced)
        self._worker.predicted.connect(self._on_predicted)
        self._worker.read.connect(self._on_read)
        self._worker.failed.connect(self._on_failed)

    def load(self, folder: Path) -> None:
        """Load a model in the worker's thread; `ready` or `failed` follows."""
        if not self._thread.isRunning():
            self._thread.start()
        self._load_wanted.emit(folder)

    def request(self, context: Context) -> None:
        """Ask for a prediction; earlier requests are given up."""
        self.cancel()
        if self.is_ready:
            self._context = context
            self._prediction_wanted.emit(self._newest.number, context.text)
            self._idle.start()

    def cancel(self) -> None:
        """Give up whatever is being worked out."""
        self._newest.number += 1
        self._worker.interrupt()
        self._context = None
        self._idle.stop()

    def read_when_idle(self) -> None:
        """Read the page once nothing is typed for a while, for instance when a panel opens."""
        if self.is_ready:
            self._idle.start()

    def stop(self) -> None:
        """End the worker's thread; call before the window goes away."""
        self.is_ready = False
        self.cancel()
        self._thread.quit()
        if not self._thread.wait(LONGEST_SHUTDOWN_MS):
            log.error("the model's thread did not end")

    @Slot()
    def _on_loaded(self) -> None:
        self.is_ready = True
        self.ready.emit()

    @Slot(int, object, float)
    def _on_glanced(self, number: int, words: tuple[Word, ...], elapsed_ms: float) -> None:
        if number == self._newest.number and self._context is not None:
            self.glanced.emit(self._context, words, elapsed_ms)

    @Slot(int, object)
    def _on_predicted(self, number: int, prediction: Prediction) -> None:
        if number == self._newest.number and self._context is not None:
            self.predicted.emit(self._context, prediction)

    @Slot()
    def _read_page(self) -> None:
        if self.page is not None:
            self._reading_wanted.emit(self._newest.number, self.page())

    @Slot(int, float)
    def _on_read(self, number: int, perplexity: float) -> None:
        if number == self._newest.number:
            self.perplexity_found.emit(perplexity)

    @Slot(str, bool)
    def _on_failed(self, message: str, goes_on: bool) -> None:
        self.is_ready = goes_on
        self.cancel()
        self.failed.emit(message)
