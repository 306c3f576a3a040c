"""The GUI's side of the model: one request at a time, the latest wins.

Every request has a number; the worker gives up those that are out of date, and what arrives too
late all the same is dropped here.  The GUI thread never waits for the model, except to end.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QThread, Signal, Slot

from app.worker import Engine, Newest, Worker, load_engine

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from app.caret import Context
    from app.reading_work import PagePart, PageRequest
    from model.offer import Word
    from model.phrase import Phrase
    from model.predictor import Prediction
    from model.reader import NextToken

LONGEST_SHUTDOWN_MS = 15_000  # loading a model cannot be interrupted

log = logging.getLogger(__name__)


class PredictionController(QObject):
    """The GUI's side of the worker.

    Signals:
        ready(): the model is loaded; contexts are worth requesting.
        glanced(Context, tuple[Word, ...], float): its words as far as they were known, and the
            milliseconds it took; the answer follows.
        prepared(bool): whether the next glance is read off work that was done ahead.
        predicted(Context, Prediction): the answer to the newest request.
        phrase_found(Context, Phrase): what all but certainly follows, after the answer.
        next_token_found(Context, NextToken): after the answer, if `wants_next_token`.
        page_read(PagePart): an answer to `read`; there are many.
        cancelled(): what was being worked out is given up; reading must be asked for again.
        failed(str): something went wrong; unless `is_ready`, only `load` can help.
        vocabulary_changed(): words were forgotten, blocked or allowed; asking again is worthwhile.
        vocabulary_failed(str): what could not be learnt, forgotten, blocked or allowed, and why.
    """

    ready = Signal()
    glanced = Signal(object, object, float)
    prepared = Signal(bool)
    predicted = Signal(object, object)
    phrase_found = Signal(object, object)
    next_token_found = Signal(object, object)
    page_read = Signal(object)
    cancelled = Signal()
    failed = Signal(str)
    vocabulary_changed = Signal()
    vocabulary_failed = Signal(str)
    _load_wanted = Signal(object)
    _prediction_wanted = Signal(int, str, bool, bool)
    _reading_wanted = Signal(int, int, object)
    _learning_wanted = Signal(str, str)
    _forgetting_wanted = Signal(str)
    _blocking_wanted = Signal(str)
    _allowing_wanted = Signal(str)
    _end_wanted = Signal()

    def __init__(
        self, load: Callable[[Path], Engine] = load_engine, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.is_ready = False
        self.wants_next_token = False  # whether requests ask for the next token's distribution too
        self._newest = Newest()
        self._context: Context | None = None  # of the newest request
        self._thread = QThread(self)
        self._thread.setObjectName("model")
        self._worker = Worker(self._newest, load)
        self._worker.moveToThread(self._thread)
        self._load_wanted.connect(self._worker.load)
        self._prediction_wanted.connect(self._worker.predict)
        self._reading_wanted.connect(self._worker.read_page)
        self._learning_wanted.connect(self._worker.learn)
        self._forgetting_wanted.connect(self._worker.forget)
        self._blocking_wanted.connect(self._worker.block)
        self._allowing_wanted.connect(self._worker.allow)
        self._end_wanted.connect(self._worker.end)
        self._worker.vocabulary_changed.connect(self.vocabulary_changed)
        self._worker.vocabulary_failed.connect(self.vocabulary_failed)
        self._worker.loaded.connect(self._on_loaded)
        self._worker.glanced.connect(self._on_glanced)
        self._worker.prepared.connect(self._on_prepared)
        self._worker.predicted.connect(self._on_predicted)
        self._worker.phrase_found.connect(self._on_phrase_found)
        self._worker.next_token_found.connect(self._on_next_token_found)
        self._worker.page_read.connect(self._on_page_read)
        self._worker.failed.connect(self._on_failed)

    def load(self, folder: Path) -> None:
        """Load a model in the worker's thread; `ready` or `failed` follows."""
        self._start()
        self._load_wanted.emit(folder)

    def request(self, context: Context, *, with_phrase: bool = False) -> None:
        """Ask for a prediction, and a phrase if wanted; earlier requests are given up."""
        self.cancel()
        if self.is_ready:
            self._context = context
            self._prediction_wanted.emit(
                self._newest.number, context.text, with_phrase, self.wants_next_token
            )

    def cancel(self) -> None:
        """Give up whatever is being worked out."""
        self._newest.number += 1
        self._worker.interrupt()
        self._context = None
        self.cancelled.emit()

    def read(self, request: PageRequest) -> None:
        """Read a page, until anything else is asked for; what was asked for before comes first."""
        if self.is_ready:
            self._newest.reading += 1
            self._reading_wanted.emit(self._newest.number, self._newest.reading, request)

    def stop_reading(self) -> None:
        """Give up what `read` asked for, so that something shorter comes first."""
        self._newest.reading += 1

    def learn(self, text: str, before: str) -> None:
        """Remember the words of `text`, which follows `before`."""
        self._learning_wanted.emit(text, before)

    def forget(self, word: str) -> None:
        """Forget a word that was learnt, or everything if it is empty."""
        self._start()
        self._forgetting_wanted.emit(word)

    def block(self, word: str) -> None:
        """Never offer a word again."""
        self._start()
        self._blocking_wanted.emit(word)

    def allow(self, word: str) -> None:
        """Offer a word again, even if it offends."""
        self._start()
        self._allowing_wanted.emit(word)

    def share(self, guest: QObject) -> None:
        """Let `guest` work in the model's thread; what it is asked by signal waits its turn."""
        guest.moveToThread(self._thread)

    def engine(self) -> Engine | None:
        """The model at work; to be used in the model's thread only."""
        return self._worker.engine

    def stop(self) -> None:
        """End the worker's thread once it has learnt what it was given; call at the very end."""
        self.is_ready = False
        self.cancel()
        self._newest.is_over = True
        if not self._thread.isRunning():
            return
        self._end_wanted.emit()
        if not self._thread.wait(LONGEST_SHUTDOWN_MS):
            log.error("the model's thread did not end")

    def _start(self) -> None:
        if not self._thread.isRunning():
            self._thread.start()

    @Slot()
    def _on_loaded(self) -> None:
        self.is_ready = True
        self.ready.emit()

    @Slot(int, object, float)
    def _on_glanced(self, number: int, words: tuple[Word, ...], elapsed_ms: float) -> None:
        if number == self._newest.number and self._context is not None:
            self.glanced.emit(self._context, words, elapsed_ms)

    @Slot(int, bool)
    def _on_prepared(self, number: int, is_prepared: bool) -> None:
        if number == self._newest.number:
            self.prepared.emit(is_prepared)

    @Slot(int, object)
    def _on_predicted(self, number: int, prediction: Prediction) -> None:
        if number == self._newest.number and self._context is not None:
            self.predicted.emit(self._context, prediction)

    @Slot(int, object)
    def _on_phrase_found(self, number: int, phrase: Phrase) -> None:
        if number == self._newest.number and self._context is not None:
            self.phrase_found.emit(self._context, phrase)

    @Slot(int, object)
    def _on_next_token_found(self, number: int, found: NextToken) -> None:
        if number == self._newest.number and self._context is not None:
            self.next_token_found.emit(self._context, found)

    @Slot(object)
    def _on_page_read(self, part: PagePart) -> None:
        self.page_read.emit(part)

    @Slot(str, bool)
    def _on_failed(self, message: str, goes_on: bool) -> None:
        self.is_ready = goes_on
        self.cancel()
        self.failed.emit(message)
