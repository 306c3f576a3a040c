"""What the window shows of a text equals a full pass over it, however the text came about."""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QTextCursor
from tiny_models import tiny_bundle

import app.reading
from app.editor import Editor
from app.page import Paper
from app.prediction import PredictionController
from app.reading import Reading
from app.worker import load_engine
from model.reader import Reader
from model.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

    from model.bundle import Bundle

PIECES = [
    "the ",
    "and",
    " inner",
    "\n",
    "🚫",
    "ñ ",
    "ring.",
    " on the ",
    "e\u0301",
    "漢字",
    "שלום ",
]


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    return tiny_bundle(tmp_path_factory.mktemp("reading") / "tiny")


@pytest.fixture
def controller(bundle: Bundle, qtbot: QtBot) -> Iterator[PredictionController]:
    controller = PredictionController(load_engine)
    yield controller
    controller.stop()


@pytest.fixture
def reading(qtbot: QtBot, bundle: Bundle, controller: PredictionController) -> Reading:
    editor = Editor()
    qtbot.addWidget(editor)
    editor.resize(600, 300)
    editor.show()
    reading = Reading(editor, controller, editor)
    reading.want("test", True)
    with qtbot.waitSignal(controller.ready, timeout=20_000):
        controller.load(bundle.folder)
    return reading


def wait(qtbot: QtBot, reading: Reading) -> None:
    qtbot.waitUntil(lambda: reading.is_current and reading.is_complete, timeout=20_000)


def check(reading: Reading, bundle: Bundle) -> None:
    """Every figure equals that of a reader which has never read anything else."""
    text = reading._editor.text()
    fresh = Reader(Session(bundle), bundle.tokenizer()).read(text)
    tokens = reading.tokens
    assert tokens.ids.tolist() == [token.id for token in fresh.tokens]
    assert (tokens.scores.nats / math.log(2)).tolist() == [t.surprisal_bits for t in fresh.tokens]
    assert tokens.scores.ranks.tolist() == [token.rank for token in fresh.tokens]
    assert tokens.scores.entropy_bits.tolist() == [token.entropy_bits for token in fresh.tokens]
    units = text.encode("utf-16-le")
    for token, start, end in zip(fresh.tokens, tokens.starts, tokens.ends, strict=True):
        assert units[2 * start : 2 * end].decode("utf-16-le") == text[token.start : token.end]


def test_figures_after_any_edits_are_those_of_a_full_pass(
    qtbot: QtBot, reading: Reading, bundle: Bundle
) -> None:
    generator, editor = random.Random(1), reading._editor
    for round_ in range(6):
        for _ in range(generator.randint(1, 6)):
            cursor, last = editor.textCursor(), editor.document().characterCount() - 1
            cursor.setPosition(min(generator.randint(0, 400), last))
            if round_ and generator.random() < 0.3:
                cursor.setPosition(
                    min(cursor.position() + generator.randint(0, 30), last),
                    QTextCursor.MoveMode.KeepAnchor,
                )
            cursor.insertText("".join(generator.choices(PIECES, k=generator.randint(1, 25))))
        if generator.random() < 0.4:
            editor.undo()
        wait(qtbot, reading)
        check(reading, bundle)


def test_a_caret_or_a_prediction_in_between_does_not_stop_the_reading(
    qtbot: QtBot, reading: Reading, bundle: Bundle, controller: PredictionController
) -> None:
    reading._editor.setPlainText("the inner ring and on\n" * 60)
    for _ in range(20):
        controller.request(reading._editor.context())
        qtbot.wait(10)
    wait(qtbot, reading)
    check(reading, bundle)


def test_another_text_has_other_figures(qtbot: QtBot, reading: Reading, bundle: Bundle) -> None:
    reading._editor.setPlainText("the inner ring")
    wait(qtbot, reading)
    paper = Paper(reading._editor)
    paper.setPlainText("and on 🚫 the")
    reading._editor.turn_to(paper)
    assert len(reading.tokens) == 0
    wait(qtbot, reading)
    check(reading, bundle)


def test_a_long_text_is_read_where_it_is_seen_and_whole_on_request(
    qtbot: QtBot, reading: Reading, bundle: Bundle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app.reading, "LONG_CHARACTERS", 20_000)
    generator = random.Random(2)  # no two passages alike, or reading one would read them all
    text = "".join(generator.choices(PIECES, k=6_000))
    reading._editor.setPlainText(text)
    wait(qtbot, reading)
    assert reading.is_partial
    assert reading.can_read_all
    tokens = reading.tokens
    assert 0 < tokens.known < len(tokens) / 5
    assert np.isfinite(tokens.scores.nats[:100]).all()
    before = tokens.known
    reading._editor.moveCursor(QTextCursor.MoveOperation.End)
    qtbot.waitUntil(lambda: bool(np.isfinite(reading.tokens.scores.nats[-1])), timeout=20_000)
    wait(qtbot, reading)
    assert before < reading.tokens.known < len(tokens) / 2
    reading.read_all()
    qtbot.waitUntil(
        lambda: reading.is_complete and reading.tokens.known == len(tokens), timeout=60_000
    )
    assert not reading.can_read_all


def test_nothing_is_read_that_nobody_wants(qtbot: QtBot, reading: Reading) -> None:
    reading.want("test", False)
    reading._editor.setPlainText("the inner ring")
    qtbot.wait(500)
    assert not reading.is_current
    assert reading.text() is None


def test_words_are_found_by_position_and_under_the_pointer(
    qtbot: QtBot, reading: Reading, bundle: Bundle
) -> None:
    editor = reading._editor
    editor.setPlainText("the 🚫 inner ring")
    wait(qtbot, reading)

    def word(position: int) -> str:
        found = reading.word_at(position)
        return found.text if found else ""

    assert [word(place) for place in (0, 3, 4, 7, 10, 12, 17)] == [
        "the", "the", "🚫", "inner", "inner", "inner", "ring",
    ]  # fmt: skip
    cursor = editor.textCursor()
    cursor.setPosition(9)
    found = reading.word_under(editor.cursorRect(cursor).center())
    assert found is not None
    assert found.text == "inner"
    assert reading.word_under(QPoint(500, 250)) is None
    figures = reading.figures(found)
    assert figures is not None
    fresh = Reader(Session(bundle), bundle.tokenizer()).read(editor.text()).tokens
    inner = [t for t in fresh if t.start >= 6 and t.end <= 11]
    assert figures.bits == pytest.approx(sum(t.surprisal_bits for t in inner))
    assert figures.probability == pytest.approx(2**-figures.bits)
    assert figures.ranks == tuple(t.rank for t in inner)
    assert [chance for _, chance in figures.instead] == [p for _, p in inner[0].alternatives]
    assert "“inner”" in figures.sentence
