"""A predictor whose answers and pace the test decides, where the real one would be left to luck."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from tiny_models import tiny_tokenizer

from app import paths
from app.worker import Engine
from model.blocklist import BlockList
from model.memory import Memory
from model.offer import Word
from model.passages import Passage
from model.phrase import Phrase
from model.predictor import Prediction, TokenChance
from model.reader import Draft, NextToken
from model.scores import Scores
from model.session import Cancelled
from model.tokenised import tokenise
from model.wordshape import split_at_caret

if TYPE_CHECKING:
    from pathlib import Path

Cancel = Callable[[], bool]


def prediction(*words: str, tokens: int = 3) -> Prediction:
    """A prediction of these words, each half as likely as the one before."""
    ranked = tuple(Word(word, 0.5 / 2**i) for i, word in enumerate(words))
    chances = tuple(TokenChance(i, f" t{i}".encode(), f" t{i}", 0.5 / 2**i) for i in range(tokens))
    return Prediction(ranked, chances, 2.5, 17, 4.2)


class ScriptedSession:
    """Notes whether it is interrupted."""

    def __init__(self) -> None:
        self.is_interrupted = False

    def interrupt(self) -> None:
        self.is_interrupted = True

    def resume(self) -> None:
        self.is_interrupted = False


class ScriptedPredictor:
    """Answers with the typed letters and an ending, such as `qua qub quc qud que` for `qu`."""

    def __init__(self) -> None:
        self.session = ScriptedSession()
        self.asked: list[str] = []
        self.started = threading.Event()
        self.gate: threading.Event | None = None  # predictions wait for it, or for cancellation
        self.error: Exception | None = None
        self.known: tuple[str, ...] = ()  # what it answers at once, before it works
        self.looked_ahead: list[str] = []
        self.corrections: dict[str, str] = {}
        self.followers: dict[str, str] = {}
        self.phrases: dict[str, tuple[str, ...]] = {}
        self.asked_for_phrase: list[str] = []
        self.asked_instead: list[str] = []

    def is_prepared(self, text: str) -> bool:
        return bool(self.known)

    def glance(self, text: str, k: int = 5, cancelled: Cancel | None = None) -> tuple[Word, ...]:
        return prediction(*self.known).words

    def look_ahead(self, text: str, cancelled: Cancel | None = None) -> None:
        self.looked_ahead.append(text)

    def beside(self) -> ScriptedPredictor:
        return self

    def words(
        self, context: str, prefix: str, k: int = 5, cancelled: Cancel | None = None
    ) -> list[Word]:
        self.asked_instead.append(context)
        return list(prediction("instead", "otherwise").words)

    def predict(self, text: str, k: int = 5, cancelled: Cancel | None = None) -> Prediction:
        self.asked.append(text)
        self.started.set()
        while self.gate is not None and not self.gate.wait(0.005):
            if cancelled and cancelled():
                raise Cancelled
        if self.error:
            raise self.error
        prefix = split_at_caret(text)[1]
        found = prediction(*(f"{prefix}{ending}" for ending in "abcde"))
        if prefix in self.corrections:
            correction = Word(self.corrections[prefix], 0.3, is_correction=True)
            found = replace(found, words=(found.words[0], correction, *found.words[1:4]))
        if prefix in self.followers:
            follower = Word(self.followers[prefix], 0.3, is_next=True)
            found = replace(found, words=(found.words[0], follower, *found.words[1:4]))
        return found


class ScriptedReader:
    """Finds every token as likely as one in 2: 1 bit, rank 3, “x” expected instead."""

    window_tokens = 512

    def __init__(self) -> None:
        self.tokenizer = tiny_tokenizer()
        self.read_texts: list[str] = []
        self.gate: threading.Event | None = None  # scores wait for it, or for cancellation

    def next_token(self, text: str, cancelled: Cancel | None = None) -> NextToken:
        return NextToken(prediction(tokens=10).tokens, 2.5)

    def begin(self, text: str, cancelled: Cancel | None = None) -> Draft:
        self.read_texts.append(text)
        if cancelled and cancelled():
            raise Cancelled
        tokens = tokenise(self.tokenizer, text)
        count = len(tokens.ids)
        return Draft(tokens, tokens.ids, [Passage(0, 0, count)], Scores.unknown(count))

    def go_on(
        self, draft: Draft, *, cancelled: Cancel | None = None, **where: Any
    ) -> Iterator[tuple[int, Scores]]:
        while self.gate is not None and not self.gate.wait(0.005):
            if cancelled and cancelled():
                raise Cancelled
        count = len(draft.scores)
        yield 0, Scores(
            np.full(count, math.log(2)), np.full(count, 3, np.int32), np.full(count, 2.5),
            np.full((count, 5), ord("x"), np.int32), np.full((count, 5), 0.25),
        )  # fmt: skip


class ScriptedEngine:
    """Both, and the `load` function that makes an `Engine` of them."""

    def __init__(self) -> None:
        self.predictor, self.reader = ScriptedPredictor(), ScriptedReader()
        self.loads: list[Path] = []
        self.load_error: Exception | None = None

    def load(self, folder: Path) -> Engine:
        self.loads.append(folder)
        if self.load_error:
            raise self.load_error
        self.memory = Memory(paths.memory())
        blocklist = BlockList(paths.blocklist())
        return _Loaded(self.predictor, self.reader, self.memory, blocklist)  # type: ignore[arg-type]


class _Loaded(Engine):
    def phrase(self, text: str, cancelled: Cancel) -> Phrase | None:
        predictor = cast("ScriptedPredictor", self.predictor)
        predictor.asked_for_phrase.append(text)
        pieces = predictor.phrases.get(text)
        return Phrase(pieces, 0.9) if pieces else None
