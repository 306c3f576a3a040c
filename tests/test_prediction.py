from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QThread
from scripted_engine import ScriptedEngine

from app.caret import Context
from app.prediction import PredictionController
from app.reading_work import PageBegun, PagePart, PageRead, PageRequest, PageScored
from app.text_mirror import encoded
from model.offer import Word

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

FOLDER = Path("/models/scripted")


def context(text: str) -> Context:
    return Context(text, len(text), 1, len(text))


@pytest.fixture
def engine() -> ScriptedEngine:
    return ScriptedEngine()


@pytest.fixture
def controller(qtbot: QtBot, engine: ScriptedEngine) -> Iterator[PredictionController]:
    controller = PredictionController(engine.load)
    with qtbot.waitSignal(controller.ready):
        controller.load(FOLDER)
    yield controller
    controller.stop()
    assert not [t for t in threading.enumerate() if t.name == "model"]


def test_an_answer_comes_with_its_context(qtbot: QtBot, controller: PredictionController) -> None:
    with qtbot.waitSignal(controller.predicted) as answer:
        controller.request(context("the qu"))
    assert answer.args[0] == context("the qu")
    assert [w.text for w in answer.args[1].words] == ["qua", "qub", "quc", "qud", "que"]


def test_of_a_burst_only_the_last_is_worked_out_in_full(
    qtbot: QtBot, controller: PredictionController, engine: ScriptedEngine
) -> None:
    engine.predictor.gate = threading.Event()
    controller.request(context("first"))
    assert engine.predictor.started.wait(2)
    answers: list[str] = []
    controller.predicted.connect(lambda ctx, _: answers.append(ctx.text))
    for i in range(100):
        controller.request(context(f"text {i}"))
    engine.predictor.gate.set()
    qtbot.waitUntil(lambda: answers == ["text 99"])
    assert len(engine.predictor.asked) <= 3
    assert engine.predictor.asked[-1] == "text 99"


def test_an_answer_overtaken_on_its_way_is_dropped(
    qtbot: QtBot, controller: PredictionController, engine: ScriptedEngine
) -> None:
    """The worker has answered, but the answer waits in the GUI's event queue when a key comes."""
    controller.request(context("old"))
    assert engine.predictor.started.wait(2)
    QThread.msleep(20)
    answers: list[str] = []
    controller.predicted.connect(lambda ctx, _: answers.append(ctx.text))
    controller.request(context("new"))
    qtbot.waitUntil(lambda: bool(answers))
    qtbot.wait(50)
    assert answers == ["new"]


def test_what_is_known_already_comes_at_once_and_the_pause_is_used(
    qtbot: QtBot, controller: PredictionController, engine: ScriptedEngine
) -> None:
    engine.predictor.known = ("quick",)
    engine.predictor.gate = threading.Event()
    prepared: list[bool] = []
    controller.prepared.connect(prepared.append)
    with qtbot.waitSignal(controller.glanced) as glance:
        controller.request(context("the qu"))
    assert glance.args[:2] == [context("the qu"), (Word("quick", 0.5),)]
    assert prepared == [True]
    with qtbot.waitSignal(controller.predicted):
        engine.predictor.gate.set()
    qtbot.waitUntil(lambda: engine.predictor.looked_ahead == ["the qu"])


def test_a_phrase_follows_the_answer_where_it_is_wanted(
    qtbot: QtBot, controller: PredictionController, engine: ScriptedEngine
) -> None:
    engine.predictor.phrases = {"the qu": ("ick", " fox")}
    with qtbot.waitSignals([controller.predicted, controller.phrase_found], order="strict"):
        controller.request(context("the qu"), with_phrase=True)
    with qtbot.assertNotEmitted(controller.phrase_found, wait=30):
        controller.request(context("the qu"))


def test_a_newer_request_interrupts_the_network_and_is_not_interrupted_itself(
    qtbot: QtBot, controller: PredictionController, engine: ScriptedEngine
) -> None:
    engine.predictor.gate = threading.Event()
    controller.request(context("old"))
    assert engine.predictor.started.wait(2)
    assert not engine.predictor.session.is_interrupted
    controller.cancel()
    assert engine.predictor.session.is_interrupted
    engine.predictor.gate.set()
    with qtbot.waitSignal(controller.predicted):
        controller.request(context("new"))
    assert not engine.predictor.session.is_interrupted


def test_a_cancelled_request_is_never_answered(
    qtbot: QtBot, controller: PredictionController
) -> None:
    with qtbot.assertNotEmitted(controller.predicted, wait=100):
        controller.request(context("text"))
        controller.cancel()


def test_a_failure_reaches_the_user_and_the_model_can_be_loaded_again(
    qtbot: QtBot, controller: PredictionController, engine: ScriptedEngine
) -> None:
    engine.predictor.error = RuntimeError("out of memory")
    with qtbot.waitSignal(controller.failed) as failure:
        controller.request(context("text"))
    assert failure.args == ["Suggestions stopped: out of memory"]
    assert not controller.is_ready
    engine.predictor.error = None
    with qtbot.waitSignal(controller.ready):
        controller.load(FOLDER)
    with qtbot.waitSignal(controller.predicted):
        controller.request(context("text"))


def test_a_model_that_does_not_load_leaves_the_previous_one_at_work(
    qtbot: QtBot, controller: PredictionController, engine: ScriptedEngine
) -> None:
    engine.load_error = ValueError("card.json is missing")
    with qtbot.waitSignal(controller.failed) as failure:
        controller.load(Path("/models/broken"))
    assert failure.args == ["The model could not be loaded: card.json is missing"]
    with qtbot.waitSignal(controller.predicted):
        controller.request(context("text"))


def test_without_a_model_requests_are_harmless(qtbot: QtBot) -> None:
    controller = PredictionController()
    with qtbot.assertNotEmitted(controller.predicted, wait=50):
        controller.request(context("text"))
    controller.stop()


def page(text: str, ticket: int = 1) -> PageRequest:
    return PageRequest(ticket, encoded(text), 0, (0, len(text)), len(text), None)


def test_a_page_is_read_bit_by_bit(qtbot: QtBot, controller: PredictionController) -> None:
    parts: list[PagePart] = []
    controller.page_read.connect(parts.append)
    controller.read(page("the inner ring"))
    qtbot.waitUntil(lambda: len(parts) == 3)
    assert [type(part) for part in parts] == [PageBegun, PageScored, PageRead]
    assert {part.ticket for part in parts} == {1}


def test_a_key_ends_a_reading_and_tells_that_it_did(
    qtbot: QtBot, controller: PredictionController, engine: ScriptedEngine
) -> None:
    engine.reader.gate = threading.Event()  # never set
    parts: list[PagePart] = []
    controller.page_read.connect(parts.append)
    controller.read(page("a long page"))
    qtbot.waitUntil(lambda: len(parts) == 1)
    with qtbot.waitSignals([controller.cancelled, controller.predicted]):
        controller.request(context("a key"))
    assert len(parts) == 1


def test_a_newer_reading_ends_an_older_one_but_no_prediction(
    qtbot: QtBot, controller: PredictionController, engine: ScriptedEngine
) -> None:
    engine.reader.gate = threading.Event()
    controller.read(page("the old place", ticket=1))
    qtbot.waitUntil(lambda: len(engine.reader.read_texts) == 1)
    engine.predictor.gate = threading.Event()
    with qtbot.waitSignal(controller.predicted):
        controller.request(context("text"))
        controller.read(page("the new place", ticket=2))
        engine.predictor.gate.set()
    parts: list[PagePart] = []
    controller.page_read.connect(parts.append)
    engine.reader.gate.set()
    qtbot.waitUntil(lambda: bool(parts) and isinstance(parts[-1], PageRead))
    assert {part.ticket for part in parts} == {2}


def test_the_next_token_is_found_where_it_is_wanted(
    qtbot: QtBot, controller: PredictionController
) -> None:
    with qtbot.assertNotEmitted(controller.next_token_found, wait=30):
        controller.request(context("the"))
    controller.wants_next_token = True
    signals = [controller.predicted, controller.next_token_found]
    with qtbot.waitSignals(signals, order="strict"):
        controller.request(context("the qu"))


def test_closing_while_predicting_waits_for_nothing(qtbot: QtBot, engine: ScriptedEngine) -> None:
    controller = PredictionController(engine.load)
    with qtbot.waitSignal(controller.ready):
        controller.load(FOLDER)
    engine.predictor.gate = threading.Event()  # never set: only cancelling ends the prediction
    controller.request(context("text"))
    assert engine.predictor.started.wait(2)
    controller.stop()
    assert not controller._thread.isRunning()
