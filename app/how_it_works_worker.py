"""Reads the writer's sentence in the model's thread, for the page that explains prediction."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from app.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.worker import Engine

log = logging.getLogger(__name__)


class Explainer(QObject):
    """Lives in the model's thread.

    Signals:
        explained(Sentence): the sentence as the model sees it.
        failed(str): it could not be read, and why.
    """

    explained = Signal(object)
    failed = Signal(str)

    def __init__(self, engine: Callable[[], Engine | None]) -> None:
        super().__init__()
        self._engine = engine

    @Slot(str)
    def explain(self, text: str) -> None:
        """Read a sentence."""
        engine = self._engine()
        if engine is None:
            return
        from model.generation_sentence import read_sentence

        try:
            predictor = engine.predictor
            self.explained.emit(read_sentence(predictor.session, predictor.tokenizer, text))
        except Exception as err:
            log.exception("the sentence could not be read")
            self.failed.emit(tr("The sentence could not be read: {err}", err=err))
