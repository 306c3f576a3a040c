"""The thread that owns the model.  Requests come by signal, answers leave by signal.

A request that a newer one has made useless is given up: `Newest` holds the number of the latest
one, written by the GUI thread.
"""

from __future__ import annotations

import logging
import time
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from app import models, paths
from app.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from app.reading_work import PageRequest
    from model.blocklist import BlockList
    from model.memory import Memory
    from model.phrase import Phrase
    from model.predictor import Predictor
    from model.reader import Reader
    from model.session import Cancel

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Engine:
    """A loaded model and what it knows of the writer; lives in the worker's thread."""

    predictor: Predictor
    reader: Reader
    memory: Memory
    blocklist: BlockList

    def phrase(self, text: str, cancelled: Cancel) -> Phrase | None:
        """The words that are all but certain to follow `text`, if any."""
        from model.phrase import likely_phrase

        return likely_phrase(self.predictor, text, cancelled)


@dataclass(slots=True)
class Newest:
    """The numbers of the latest request and reading; `is_over` once nothing more is wanted."""

    number: int = 0
    reading: int = 0
    is_over: bool = False


def load_engine(folder: Path) -> Engine:
    """Load the model in `folder`; the heavy imports happen here, in the worker's thread."""
    from model.reader import Reader

    predictor = models.load_learning(folder, memory=paths.memory(), blocklist=paths.blocklist())
    memory, blocklist = predictor.offer.memory, predictor.offer.blocklist
    assert memory is not None
    return Engine(predictor, Reader(predictor.session, predictor.tokenizer), memory, blocklist)


class Worker(QObject):
    """Runs in its own thread and owns the model.

    Signals:
        loaded(): the model is ready.
        glanced(int, tuple[Word, ...], float): words known before any is tried, and the ms it took.
        prepared(int, bool): whether those needed no run of the network; comes before them.
        predicted(int, Prediction): the answer to a request.
        phrase_found(int, Phrase): what all but certainly follows.
        next_token_found(int, NextToken): the distribution of the token after the text.
        page_read(PagePart): part of a page's reading.
        failed(str, bool): what could not be done, and why; whether predicting can go on.
        vocabulary_changed(): words were forgotten, blocked or allowed; the answers may be others.
        vocabulary_failed(str): what could not be learnt, forgotten, blocked or allowed, and why.
    """

    loaded = Signal()
    glanced = Signal(int, object, float)
    prepared = Signal(int, bool)
    predicted = Signal(int, object)
    phrase_found = Signal(int, object)
    next_token_found = Signal(int, object)
    page_read = Signal(object)
    failed = Signal(str, bool)
    vocabulary_changed = Signal()
    vocabulary_failed = Signal(str)

    def __init__(self, newest: Newest, load: Callable[[Path], Engine]) -> None:
        super().__init__()
        self._newest = newest
        self._load = load
        self._engine: Engine | None = None

    @property
    def engine(self) -> Engine | None:
        """The model at work, for others in this thread."""
        return self._engine

    @Slot(object)
    def load(self, folder: Path) -> None:
        """Replace the model; the previous one stays if this one cannot be loaded."""
        if self._newest.is_over:
            return
        try:
            previous, self._engine = self._engine, self._load(folder)
            if previous:
                previous.memory.close()
            self.loaded.emit()
        except Exception as err:
            self._report(tr("The model could not be loaded"), err, self._engine is not None)

    @Slot(int, str, bool, bool)
    def predict(self, number: int, text: str, with_phrase: bool, with_next_token: bool) -> None:
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
            is_prepared = predictor.is_prepared(text)
            if words := predictor.glance(text, cancelled=cancelled):
                self.prepared.emit(number, is_prepared)
                self.glanced.emit(number, words, (time.perf_counter() - begun) * 1000)
            self.predicted.emit(number, predictor.predict(text, cancelled=cancelled))
            if cancelled():
                return
            if with_phrase and (phrase := self._engine.phrase(text, cancelled)):
                self.phrase_found.emit(number, phrase)
            if with_next_token:
                found = self._engine.reader.next_token(text, cancelled)
                self.next_token_found.emit(number, found)
            predictor.look_ahead(text, cancelled)
        except Cancelled:
            pass
        except Exception as err:
            self._report(tr("Suggestions stopped"), err, False)

    @Slot(int, int, object)
    def read_page(self, number: int, reading: int, request: PageRequest) -> None:
        """Read a page and tell of it bit by bit, until anything newer is asked for."""

        def cancelled() -> bool:
            return (number, reading) != (self._newest.number, self._newest.reading)

        if self._engine is None or cancelled():
            return
        from app.reading_work import read_page
        from model.session import Cancelled

        self._engine.predictor.session.resume()
        try:
            for part in read_page(self._engine.reader, request, cancelled):
                self.page_read.emit(part)
        except Cancelled:
            pass
        except Exception as err:
            self._report(tr("The page could not be read"), err, True)

    @Slot(str, str)
    def learn(self, text: str, before: str) -> None:
        """Remember the words of a passage that follows `before`."""
        if self._engine:
            self._change(
                tr("Learning stopped"), partial(self._engine.memory.learn, text, before), False
            )

    @Slot(str)
    def forget(self, word: str) -> None:
        """Remove a word, or everything if it is empty, from the memory and the disk."""
        with self._memory() as memory:
            forget = partial(memory.forget_word, word) if word else memory.forget_everything
            self._change(tr("Not forgotten"), forget)

    @Slot(str)
    def block(self, word: str) -> None:
        """Never offer a word again."""
        self._change(
            tr("“{word}” is not blocked", word=word), partial(self._blocklist().block, word)
        )

    @Slot(str)
    def allow(self, word: str) -> None:
        """Offer a word again, even if it offends."""
        self._change(
            tr("“{word}” is not allowed", word=word), partial(self._blocklist().allow, word)
        )

    @Slot()
    def end(self) -> None:
        """Close the memory and end the thread, after all that was asked for earlier."""
        if self._engine:
            self._engine.memory.close()
        self.thread().quit()

    def interrupt(self) -> None:
        """Stop trying words for a request that is out of date; called from the GUI's thread."""
        if self._engine is not None:
            self._engine.predictor.session.interrupt()

    @contextmanager
    def _memory(self) -> Iterator[Memory]:
        """The memory at work; without a model, its file, so that no promise to forget is broken."""
        from model.memory import Memory

        if self._engine:
            yield self._engine.memory
        else:
            with closing(Memory(paths.memory())) as memory:
                yield memory

    def _blocklist(self) -> BlockList:
        from model.blocklist import BlockList

        return self._engine.blocklist if self._engine else BlockList(paths.blocklist())

    def _change(self, failure: str, act: Callable[[], None], shows: bool = True) -> None:
        try:
            act()
        except Exception as err:
            log.exception("%s", failure)
            self.vocabulary_failed.emit(f"{failure}: {err}")
        if shows:
            self.vocabulary_changed.emit()

    def _is_stale(self, number: int) -> Callable[[], bool]:
        return lambda: number != self._newest.number

    def _report(self, what: str, err: Exception, goes_on: bool) -> None:
        log.exception("%s", what)
        self.failed.emit(f"{what}: {err}", goes_on)
