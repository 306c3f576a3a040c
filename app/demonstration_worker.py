"""The demonstration's side of the model's thread: walks the tree of continuations on request.

Requests are done in order, because each may change the tree; only looking anew, which changes
nothing, is left out once a newer request has come.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, Signal, Slot

from app.translation import tr
from model.sampling import SamplingSettings

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.worker import Engine, Newest
    from model.generation import Generation
    from model.generation_moment import Moment

log = logging.getLogger(__name__)

GREEDY = SamplingSettings(temperature=0)


@dataclass(frozen=True, slots=True)
class Wish:
    """What to do, and then to show: `text` is needed to begin, `token` to choose, `place` to go."""

    act: Literal["begin", "look", "add", "choose", "go"]
    settings: SamplingSettings
    seed: int
    is_beside_greedy: bool = False
    text: str = ""
    token: int = -1
    place: int = -1


@dataclass(frozen=True, slots=True)
class Scene:
    """What is to be seen; `greedy` is the greedy continuation of the text, just as long."""

    moment: Moment
    greedy: Moment | None = None


class Demonstrator(QObject):
    """Lives in the model's thread, like `app.worker.Worker`, and uses the model that is loaded.

    Signals:
        shown(int, Scene): the answer to a request.
        failed(str): what could not be done, and why.
    """

    shown = Signal(int, object)
    failed = Signal(str)

    def __init__(self, engine: Callable[[], Engine | None], newest: Newest) -> None:
        super().__init__()
        self._engine, self._newest = engine, newest
        self._generation: Generation | None = None
        self._greedy: Generation | None = None
        self._text = ""

    @Slot(int, object)
    def act(self, number: int, wish: Wish) -> None:
        """Do what is wished, and show what there is to see then."""
        if self._newest.is_over or (wish.act == "look" and number != self._newest.number):
            return
        try:
            if wish.act == "begin":
                self._begin(wish.text)
            if self._generation is not None:
                self.shown.emit(number, self._scene(self._generation, wish))
        except Exception as err:
            log.exception("the demonstration stopped")
            self.failed.emit(tr("The demonstration stopped: {err}", err=err))

    @Slot()
    def end(self) -> None:
        """Give the caches back."""
        self._generation = self._greedy = None

    def _begin(self, text: str) -> None:
        self.end()
        self._text = text
        self._generation = self._new()

    def _new(self) -> Generation | None:
        from model.generation import Generation

        engine = self._engine()
        if engine is None:
            return None
        predictor = engine.predictor
        return Generation(
            predictor.session, predictor.tokenizer, self._text, preface=predictor.preface
        )

    def _scene(self, generation: Generation, wish: Wish) -> Scene:
        if wish.act == "go":
            generation.go_to(wish.place)
        if wish.act in ("add", "choose"):
            token = wish.token if wish.act == "choose" else None
            moment = generation.add(wish.settings, wish.seed, token)
        else:
            moment = generation.look(wish.settings, wish.seed)
        return Scene(moment, self._beside(len(moment.path)) if wish.is_beside_greedy else None)

    def _beside(self, depth: int) -> Moment | None:
        """The greedy continuation of `depth` tokens, or as many as there are."""
        self._greedy = self._greedy or self._new()
        if self._greedy is None:
            return None
        moment = self._greedy.look(GREEDY, 0)
        while len(moment.path) < depth and not moment.is_ended:
            moment = self._greedy.add(GREEDY, 0)
        if len(moment.path) > depth:
            self._greedy.go_to(depth - 1)  # it has no branches: step i stands at place i
            moment = self._greedy.look(GREEDY, 0)
        return moment
