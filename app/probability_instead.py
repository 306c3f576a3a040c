"""Whole words that might stand in place of a written one; asked for once the writer pauses."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from app.caret import CONTEXT_CHARACTERS, text_between
from app.positions import utf16_length
from app.worker import Newest

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.editor import Editor
    from app.prediction import PredictionController
    from app.reading import Reading
    from app.word_figures import WordFigures
    from app.worker import Engine
    from model.predictor import Predictor

INSTEAD = 5
PAUSE_MS = 250  # a caret on its way through a line asks for nothing

log = logging.getLogger(__name__)


class WordFinder(QObject):
    """Runs in the model's thread, with a predictor of its own: what is being typed is undisturbed.

    Signals:
        found(int, tuple[Word, ...]): the answer to a request.
    """

    found = Signal(int, object)

    def __init__(self, engine: Callable[[], Engine | None], newest: Newest) -> None:
        super().__init__()
        self._engine, self._newest = engine, newest
        self._of: Predictor | None = None
        self._beside: Predictor | None = None

    @Slot(int, str)
    def find(self, number: int, context: str) -> None:
        """Tell the likeliest words after `context`, until anything newer is asked for."""

        def cancelled() -> bool:
            return number != self._newest.number

        engine = self._engine()
        if engine is None or cancelled():
            return
        from model.session import Cancelled

        engine.predictor.session.resume()
        if self._of is not engine.predictor or self._beside is None:
            self._of, self._beside = engine.predictor, engine.predictor.beside()
        try:
            self.found.emit(number, tuple(self._beside.words(context, "", INSTEAD, cancelled)))
        except Cancelled:
            pass
        except Exception:  # the figures stand without them
            log.exception("no words were found for the place of another")


class Instead(QObject):
    """Follows the written word that the panel shows.

    Signals:
        found(WordFigures, str, tuple[Word, ...]): what might stand in its place, and the white
            space before it.
    """

    found = Signal(object, str, object)
    _wanted = Signal(int, str)

    def __init__(
        self, editor: Editor, reading: Reading, controller: PredictionController, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._editor, self._reading, self._controller = editor, reading, controller
        self._figures: WordFigures | None = None
        self._lead = ""
        self._newest = Newest()
        self._finder = WordFinder(controller.engine, self._newest)
        controller.share(self._finder)
        self._wanted.connect(self._finder.find)
        self._finder.found.connect(self._on_found)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE_MS)
        self._pause.timeout.connect(self._ask)
        self._is_known = True
        controller.cancelled.connect(self._on_cancelled)

    def look_for(self, figures: WordFigures | None) -> None:
        """Find words for the place of this one, unless they are known or on their way."""
        if figures != self._figures:
            self._figures, self._is_known = figures, figures is None
            self._on_cancelled()

    @Slot()
    def _on_cancelled(self) -> None:
        """Something else is wanted of the model first."""
        self._newest.number += 1
        if self._is_known:
            self._pause.stop()
        else:
            self._pause.start()

    @Slot()
    def _ask(self) -> None:
        if self._figures is None or not self._controller.is_ready:
            return
        document, figures = self._editor.document(), self._figures
        if not self._reading.is_current or figures.end >= document.characterCount():
            self._pause.start()  # where the word stands now is told once the text is read anew
            return
        start = figures.end - utf16_length(figures.text)
        self._lead = text_between(document, figures.start, start)
        self._reading.give_way()
        context = text_between(document, max(0, start - CONTEXT_CHARACTERS), start)
        self._wanted.emit(self._newest.number, context)

    @Slot(int, object)
    def _on_found(self, number: int, words: object) -> None:
        if number == self._newest.number and self._figures is not None:
            self._is_known = True
            self.found.emit(self._figures, self._lead, words)
