"""What users of other keyboards and editors complained about does not happen here.

The numbers are those of our survey of their public reports; those that concern one module only are
tested beside it.
"""

from __future__ import annotations

import random
import re
import time
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from scripted_engine import ScriptedEngine
from tiny_models import TINY_LLAMA, tiny_bundle

from app.acceptance import accept
from app.editor import Editor
from app.fitting import fitting
from app.paths import ASSETS
from app.prediction import PredictionController
from app.settings import Settings
from app.window import Window
from model.blocklist import BlockList
from model.memory import Memory
from model.offer import Word
from model.predictor import Predictor
from model.session import Session
from model.wordshape import split_at_caret

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytestqt.qtbot import QtBot

Key = Qt.Key
CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture(scope="module")
def predictor(tmp_path_factory: pytest.TempPathFactory) -> Predictor:
    """A small network at work, with a memory of its own."""
    config = replace(TINY_LLAMA, context_tokens=256)
    bundle = tiny_bundle(tmp_path_factory.mktemp("complaints") / "tiny", config)
    session = Session(bundle, context_tokens=64)
    return Predictor(session, bundle.tokenizer(), blocklist=BlockList(None))


@pytest.fixture
def editor(qtbot: QtBot) -> Editor:
    editor = Editor()
    qtbot.addWidget(editor)
    editor.resize(900, 600)
    editor.show()
    return editor


@pytest.fixture
def engine() -> ScriptedEngine:
    return ScriptedEngine()


@pytest.fixture
def make(qtbot: QtBot, engine: ScriptedEngine) -> Callable[..., Window]:
    def make(settings: Settings | None = None) -> Window:
        window = Window(PredictionController(engine.load), settings or Settings())
        qtbot.addWidget(window, before_close_func=lambda w: w.editor.document().setModified(False))
        window.show()
        with qtbot.waitSignal(window.controller.ready):
            window.controller.load(Path("/models/scripted"))
        return window

    return make


def press(editor: Editor, text: str) -> None:
    """Type any text, as a keyboard does; QTest knows no ’ and no é."""
    for character in text:
        key = Key.Key_Return if character == "\n" else Key.Key_unknown
        event = QKeyEvent(QEvent.Type.KeyPress, key, Qt.KeyboardModifier.NoModifier, character)
        QApplication.sendEvent(editor, event)


def ranked(*texts: str) -> list[Word]:
    return [Word(text, 0.5 / 2**i) for i, text in enumerate(texts)]


def presented(predictor: Predictor, prefix: str, *texts: str) -> list[str]:
    words = predictor.offer.presentable(ranked(*texts), prefix, 5)
    return [word.text for word in words]


def shown(window: Window) -> list[str]:
    return [word.text for word in window.bar.words if word]


def settle(qtbot: QtBot, window: Window) -> None:
    qtbot.waitUntil(lambda: window.bar.offered_for == window.editor.context())


@cache
def two_hundred_words() -> list[str]:
    text = (ASSETS / "reference.txt").read_text(encoding="utf-8")
    found = dict.fromkeys(re.findall(r"[^\W\d_]+(?:['’-][^\W\d_]+)*", text))
    special = ["don’t", "don't", "well-known", "naïve", "Übergröße", "завтра", "e-mail", "O'Neill"]
    return [*special, *sorted(found, key=len, reverse=True)][:200]


# What is suggested


def test_1_the_typed_word_fills_no_place_unless_it_is_alone(predictor: Predictor) -> None:
    assert presented(predictor, "the", "the", "they", "then") == ["they", "then"]
    assert presented(predictor, "the", "the") == ["the"]


def test_2_no_word_twice(predictor: Predictor) -> None:
    assert presented(predictor, "", "It", "it", "don't", "don’t", "IT", "he") == [
        "It", "don't", "he",
    ]  # fmt: skip
    words = [word.text.casefold() for word in predictor.words("the ", "", 5)]
    assert len(words) == len(set(words))


def test_2_taking_replaces_what_is_typed(editor: Editor) -> None:
    press(editor, "😀 the payme")
    assert editor.take("payment", editor.context())
    assert editor.text() == "😀 the payment "


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("the foo|bar", ["food", "football"]),
        ("the |foobar", ["food", "football"]),
        ("the foo| foobar", ["food", "football"]),
        ("the foo|", ["Foobar", "food", "football"]),
        ("foobar foo| bar", ["Foobar", "food", "football"]),
        ("今天|天气", ["Foobar", "food", "football"]),
    ],
)
def test_3_neither_the_word_at_the_caret_nor_the_one_after_it(
    line: str, expected: list[str]
) -> None:
    before, after = line.split("|")
    found = fitting(ranked("Foobar", "food", "football"), before, after)
    assert [word.text for word in found] == expected


def test_3_no_next_word_inside_a_word_and_none_that_stands_there() -> None:
    words = [Word("food", 0.5), Word("to", 0.3, is_next=True), Word("by", 0.2, is_next=True)]
    assert [word.text for word in fitting(words, "the foo", "bar")] == ["food"]
    assert [word.text for word in fitting(words, "the foo", " to go")] == ["food", "by"]
    chinese = [Word("天气", 0.5), Word("很", 0.2)]
    assert [word.text for word in fitting(chinese, "今天", "天气")] == ["很"]


def test_3_in_the_window_too(
    qtbot: QtBot, make: Callable[..., Window], engine: ScriptedEngine
) -> None:
    window = make()
    window.editor.setPlainText("the qua")
    cursor = window.editor.textCursor()
    cursor.setPosition(6)
    window.editor.setTextCursor(cursor)
    settle(qtbot, window)
    assert shown(window) == ["qub", "quc", "qud", "que"]


def test_5_every_change_of_text_or_caret_is_answered(
    qtbot: QtBot, make: Callable[..., Window]
) -> None:
    window = make()
    press(window.editor, "End. Th")
    settle(qtbot, window)
    assert shown(window)[0] == "Tha"
    QTest.keyClick(window.editor, Key.Key_Left)
    settle(qtbot, window)
    assert shown(window)[0] == "Ta"


def test_4_5_case_follows_what_is_typed() -> None:
    memory = Memory(None)
    memory.learn("We were here. Then Kyriakos came.")
    for context, prefix, expected in (
        ("", "", {"We", "Were", "Here", "Then", "Kyriakos", "Came"}),
        ("So ", "h", {"here"}),
        ("", "H", {"Here"}),
        ("So ", "HE", {"HERE"}),
        ("So ", "ky", {"Kyriakos"}),
    ):
        found = {text for text, _ in memory.candidates(context, prefix).words}
        assert found == expected


@pytest.mark.parametrize("context", ["wait... ", "Wait… ", "e.g. ", "at 3.5 ", "a, "])
def test_6_7_no_capital_but_after_a_real_sentence_end(context: str) -> None:
    memory = Memory(None)
    memory.learn("We know what this is, in km. ")
    assert all(text.islower() for text, _ in memory.candidates(context).words)
    assert not any(text.islower() for text, _ in memory.candidates("It ends. ").words)


def test_9_small_letters_only(
    qtbot: QtBot, make: Callable[..., Window], engine: ScriptedEngine
) -> None:
    engine.predictor.phrases = {"so ": ("Kind", " Of")}
    window = make(Settings(small_letters=True))
    press(window.editor, "so ")
    qtbot.waitUntil(lambda: window.editor.ghost == ("kind", " of"))
    words = fitting(ranked("Hello", "NATO", "McBride"), "", "", in_small_letters=True)
    assert [word.text for word in words] == ["hello", "nato", "mcbride"]
    typed = fitting(ranked("McBride"), "McB", "", in_small_letters=True)
    assert typed[0].text == "McBride"


def test_10_11_12_blocked_and_offensive_words(predictor: Predictor) -> None:
    predictor.offer.blocklist = BlockList(None)
    predictor.offer.blocklist.block("Reddit")
    assert presented(predictor, "", "reddit", "REDDIT", "shit", "ship") == ["ship"]
    assert presented(predictor, "shit", "shit") == ["shit"]
    predictor.offer.blocklist.allow("shit")
    assert presented(predictor, "", "shit", "ship") == ["shit", "ship"]
    predictor.offer.blocklist = BlockList(None)


@pytest.mark.parametrize("key", [" ", ".", ",", "\n", "x"])
def test_12_nothing_is_inserted_without_being_taken(
    qtbot: QtBot, make: Callable[..., Window], engine: ScriptedEngine, key: str
) -> None:
    engine.predictor.corrections = {"teh": "the"}
    engine.predictor.phrases = {"teh": ("ran",)}
    window = make()
    press(window.editor, "teh")
    settle(qtbot, window)
    press(window.editor, key)
    assert window.editor.text() == "teh" + key


@pytest.mark.parametrize("apostrophe", ["'", "’"])
def test_13_the_apostrophe_is_the_writers(editor: Editor, apostrophe: str) -> None:
    memory = Memory(None)
    memory.learn("I don't know.")
    prefix = f"don{apostrophe}"
    (word, _) = memory.candidates("I ", prefix, 1).words[0]
    press(editor, f"I {prefix}")
    assert editor.take(word, editor.context())
    assert editor.text() == f"I don{apostrophe}t "


def test_14_no_word_begins_with_a_hyphen(predictor: Predictor) -> None:
    for prefix in ("", "w", "well-", "well-k"):
        assert not [w for w in predictor.words("it was ", prefix, 5) if w.text.startswith("-")]


def test_16_the_same_text_gives_the_same_ranking(predictor: Predictor) -> None:
    expected = predictor.predict("the rain was on the").words
    for _ in range(15):
        predictor.predict("another text al")
        predictor.look_ahead("another text al")
        assert predictor.predict("the rain was on the").words == expected


def test_17_no_phrase_that_stands_below_already(qtbot: QtBot, editor: Editor) -> None:
    editor.setPlainText("\nWe met in the old town.")
    press(editor, "Once we")
    QTest.keyClick(editor, Key.Key_Backspace)
    QTest.keyClick(editor, Key.Key_Backspace)
    press(editor, "We")
    editor.show_ghost((" met", " in", " the"), editor.context())
    assert editor.ghost == ()
    editor.show_ghost((" met", " him"), editor.context())
    assert editor.ghost == (" met", " him")


# In the middle of a word


@pytest.mark.parametrize("way", ["word", "ghost"])
def test_21_every_prefix_of_200_words_completes_to_the_word(editor: Editor, way: str) -> None:
    assert len(two_hundred_words()) == 200
    for word in two_hundred_words():
        for length in range(1, len(word)):
            prefix = word[:length]
            editor.setPlainText("")
            press(editor, f"so {prefix}")
            if way == "ghost":
                editor.show_ghost((word[length:],), editor.context())
                QTest.keyClick(editor, Key.Key_Tab)
            else:
                assert editor.take(word, editor.context())
            assert editor.text() == f"so {word} ", prefix


def test_21_every_word_that_is_offered_goes_on_with_the_letters(predictor: Predictor) -> None:
    """The network's own words, for every prefix of 30 words: taken, they hold what is typed."""
    for word in two_hundred_words()[:30]:
        for length in range(1, len(word)):
            before = "so " + word[:length]
            context, prefix = split_at_caret(before)
            for found in predictor.words(context, prefix, 5):
                edit = accept(before, "", prefix, found.text)
                taken = before[: len(before) - edit.before] + edit.text
                assert taken == f"{context}{found.text} "
                assert found.is_correction or taken.startswith(before)


def test_21_a_next_word_is_taken_with_the_space_before_it(
    qtbot: QtBot, make: Callable[..., Window], engine: ScriptedEngine
) -> None:
    engine.predictor.followers = {"report": "to"}
    window = make()
    press(window.editor, "the report")
    settle(qtbot, window)
    place = [word.text if word else "" for word in window.bar.words].index("to")
    window.suggesting.take(place)
    assert window.editor.text() == "the report to "


def test_22_a_taken_word_can_be_written_on(editor: Editor) -> None:
    press(editor, "I wan")
    editor.take("want", editor.context())
    QTest.keyClick(editor, Key.Key_Backspace)
    press(editor, "ed,")
    assert editor.text() == "I wanted,"


def test_24_nothing_is_lost_at_15_keys_a_second_with_random_taking(
    qtbot: QtBot, make: Callable[..., Window], engine: ScriptedEngine
) -> None:
    """The ghost text on screen is what Tab gives; everything else is what was typed."""
    window, chance = make(), random.Random(11)
    editor, expected = window.editor, ""
    for _ in range(150):
        letters = "".join(chance.choices("qwe", k=chance.randint(1, 4)))
        press(editor, letters)
        expected += letters
        engine.predictor.phrases[expected] = ("zz", " yy", " xx")
        qtbot.wait(chance.randint(0, 8))
        ghost, draw = editor.ghost, chance.random()
        if draw < 0.3 and ghost:
            QTest.keyClick(editor, Key.Key_Right, CONTROL)
            expected += ghost[0] + (" " if len(ghost) == 1 else "")
        elif draw < 0.5 and ghost:
            QTest.keyClick(editor, Key.Key_Tab)
            expected += "".join(ghost) + " "
        else:
            press(editor, ".\n" if draw > 0.9 else "-")
            expected += ".\n" if draw > 0.9 else "-"
        assert editor.text() == expected


# Keys


def test_26_tab_is_a_tab_where_nothing_is_offered_or_the_writer_wants_it(
    qtbot: QtBot, make: Callable[..., Window], engine: ScriptedEngine
) -> None:
    engine.predictor.phrases = {"the pa": ("yment",)}
    window = make(Settings(tab_takes=False))
    press(window.editor, "the pa")
    qtbot.waitUntil(lambda: bool(window.editor.ghost))
    assert window.bar._cells[0].accessibleName().endswith("Alt+1")
    assert "Tab" not in window.bar._cells[0].accessibleName()
    QTest.keyClick(window.editor, Key.Key_Tab)
    assert window.editor.text() == "the pa\t"


def test_27_three_quick_tabs_insert_no_tab(
    qtbot: QtBot, make: Callable[..., Window], engine: ScriptedEngine
) -> None:
    engine.predictor.phrases = {"the pa": ("yment", " of")}
    window = make()
    press(window.editor, "the pa")
    qtbot.waitUntil(lambda: bool(window.editor.ghost))
    for _ in range(3):
        QTest.keyClick(window.editor, Key.Key_Tab)
    assert "\t" not in window.editor.text()
    assert window.editor.text().startswith("the payment of ")


def test_30_escape_leaves_what_is_typed(qtbot: QtBot, make: Callable[..., Window]) -> None:
    window = make()
    press(window.editor, "the pa")
    settle(qtbot, window)
    QTest.keyClick(window.editor, Key.Key_Escape)
    assert window.editor.text() == "the pa"
    assert shown(window) == []


def test_35_36_undo_takes_back_what_was_taken_and_then_word_by_word(editor: Editor) -> None:
    press(editor, "one two th")
    editor.show_ghost(("ree", " four"), editor.context())
    QTest.keyClick(editor, Key.Key_Right, CONTROL)
    QTest.keyClick(editor, Key.Key_Tab)
    press(editor, "five")
    steps = []
    while editor.document().isUndoAvailable():
        editor.undo()
        steps.append(editor.text())
    assert steps == ["one two three four ", "one two three", "one two th", "one two ", "one ", ""]


# Flicker


def test_37_38_the_best_word_stays_while_it_is_typed(predictor: Predictor) -> None:
    for context in ("the rain was ", "he said ", "they went out and "):
        best = predictor.words(context, "", 5)[0].text
        for length in range(1, len(best)):
            assert best in [word.text for word in predictor.words(context, best[:length], 5)]


def test_40_ghost_text_costs_a_typist_nothing(editor: Editor) -> None:
    """The work until Qt has the key handled and the text drawn, with and without ghost text."""

    def seconds_a_key(pieces: tuple[str, ...]) -> float:
        editor.setPlainText("The quick brown fox jumps over the lazy dog. " * 200)
        editor.moveCursor(editor.textCursor().MoveOperation.End)
        times = []
        for _ in range(60):
            begun = time.thread_time()  # of this thread alone: the machine may be busy
            press(editor, "a")
            editor.viewport().repaint()
            times.append(time.thread_time() - begun)
            if pieces:
                editor.show_ghost(pieces, editor.context())
        return sorted(times)[30]

    without = seconds_a_key(())
    assert seconds_a_key(("aaaa", " of the", " town")) < 4 * without
