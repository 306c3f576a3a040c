"""The thread that owns the model.  Requests come by signal, answers leave by signal.

A request that a newer one has made useless is given up: `Newest` holds the number of the latest
one, written by the GUI thread.
"""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from model.phrase import Phrase
    from model.predictor import Predictor
    from model.reader import Reader
    from model.session import Cancel

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Engine:
    """A loaded model; lives in the worker's thread."""

    predictor: Predictor
    reader: Reader

    def phrase(self, text: str, cancelled: Cancel) -> Phrase | None:
        """The words that are all but certain to follow `text`, if any."""
        from model.phrase import likely_phrase

        return likely_phrase(self.predictor, text, cancelled)


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
        predicted(int, Prediction): the answer to a request.
        phrase_found(int, Phrase): what all but certainly follows.
        read(int, float): the perplexity of the page at the time of a request.
        failed(str, bool): what could not be done, and why; whether predicting can go on.
    """

    loaded = Signal()
    glanced = Signal(int, object, float)
    predicted = Signal(int, object)
    phrase_found = Signal(int, object)
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

    @Slot(int, str, bool)
    def predict(self, number: int, text: str, with_phrase: bool) -> None:
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
            if with_phrase and (phrase := self._engine.phrase(text, cancelled)):
                self.phrase_found.emit(number, phrase)
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

        self._engine.predictor.session.resume()
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
