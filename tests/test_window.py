from __future__ import annotations

import json
import random
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox
from scripted_engine import ScriptedEngine
from windows import unchanged

from app import paths, theme
from app.prediction import PredictionController
from app.settings import Settings, load_settings
from app.trace import Trace
from app.window import Window

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

FOLDER = Path("/models/scripted")
Button = QMessageBox.StandardButton
MakeWindow = Callable[..., Window]


@pytest.fixture
def engine() -> ScriptedEngine:
    return ScriptedEngine()


@pytest.fixture
def make(qtbot: QtBot, engine: ScriptedEngine) -> Iterator[MakeWindow]:
    """Open windows with the scripted model at work."""
    windows: list[Window] = []

    def make(settings: Settings | None = None, trace: Trace | None = None) -> Window:
        window = Window(PredictionController(engine.load), settings or Settings(), trace)
        windows.append(window)
        qtbot.addWidget(window, before_close_func=unchanged)
        window.show()
        with qtbot.waitSignal(window.controller.ready):
            window.controller.load(FOLDER)
        return window

    yield make
    for window in windows:  # closed by now
        assert not window.controller._thread.isRunning()


@pytest.fixture
def window(make: MakeWindow) -> Window:
    return make()


def words(window: Window) -> list[str]:
    return [word.text if word else "" for word in window.bar.words]


def type_(qtbot: QtBot, window: Window, text: str) -> None:
    """Type and wait until the words for the whole text are shown."""
    QTest.keyClicks(window.editor, text)
    qtbot.waitUntil(
        lambda: window.bar.offered_for == window.editor.context() and not window.bar.is_empty
    )


def action(window: Window, text: str) -> QAction:
    found = [a for a in window.findChildren(QAction) if a.text().replace("&", "") == text]
    assert found, text
    return found[0]


def test_typing_shows_words_and_figures(qtbot: QtBot, window: Window) -> None:
    type_(qtbot, window, "the qu")
    assert words(window) == ["qua", "qub", "quc", "qud", "que"]
    assert "17 tokens in context  ·  4 ms" in window.status.model.text()
    qtbot.waitUntil(lambda: window.status.count.text() == "2 words")


def test_alt_digit_tab_and_click_take_words(qtbot: QtBot, window: Window) -> None:
    window.activateWindow()
    type_(qtbot, window, "the qu")
    action(window, "Word 2").trigger()
    assert window.editor.text() == "the qub "
    type_(qtbot, window, "x")
    QTest.keyClick(window.editor, Qt.Key.Key_Tab)
    assert window.editor.text() == "the qub xa "
    type_(qtbot, window, "y")
    qtbot.mouseClick(window.bar._cells[4], Qt.MouseButton.LeftButton)
    assert window.editor.text() == "the qub xa ye "
    window.editor.undo()
    assert window.editor.text() == "the qub xa y"


def test_a_correction_is_taken_by_its_key_and_never_by_itself(
    qtbot: QtBot, window: Window, engine: ScriptedEngine
) -> None:
    engine.predictor.corrections = {"teh": "the"}
    type_(qtbot, window, "teh")
    assert words(window)[:2] == ["teha", "the"]
    QTest.keyClick(window.editor, Qt.Key.Key_Space)
    assert window.editor.text() == "teh "  # never by itself
    type_(qtbot, window, "teh")
    window.suggesting.take(1)
    assert window.editor.text() == "teh the "


def test_alt_digits_are_bound_and_bare_digits_are_not(window: Window) -> None:
    keys = {key.toString() for a in window.findChildren(QAction) for key in a.shortcuts()}
    assert {f"Alt+{n}" for n in range(1, 6)} <= keys
    assert not any(len(key) == 1 for key in keys)


def test_keys_held_a_little_long_act_once_where_more_would_surprise(window: Window) -> None:
    for text in ("New", "Close", "Demonstration", "Heat Map", "Word 1"):
        assert not action(window, text).autoRepeat(), text
    for text in ("Undo", "Redo", "Paste", "Zoom In", "Find Next", "Next Text"):
        assert action(window, text).autoRepeat(), text


def test_no_two_actions_share_a_shortcut(window: Window) -> None:
    keys = [key.toString() for a in window.findChildren(QAction) for key in a.shortcuts()]
    assert len(keys) == len(set(keys))


def test_words_come_too_late_for_a_quick_second_tab(
    qtbot: QtBot, window: Window, engine: ScriptedEngine
) -> None:
    type_(qtbot, window, "the qu")
    engine.predictor.gate = threading.Event()
    for _ in range(3):
        QTest.keyClick(window.editor, Qt.Key.Key_Tab)
    assert window.editor.text() == "the qua "
    assert "\t" not in window.editor.text()
    engine.predictor.gate.set()


def test_escape_hides_words_until_the_next_character(qtbot: QtBot, window: Window) -> None:
    type_(qtbot, window, "the qu")
    QTest.keyClick(window.editor, Qt.Key.Key_Escape)
    assert window.bar.is_empty
    QTest.keyClick(window.editor, Qt.Key.Key_Left)
    qtbot.wait(50)
    assert window.bar.is_empty
    type_(qtbot, window, "i")
    assert window.editor.text() == "the qiu"


def test_the_bar_is_not_blank_while_the_model_thinks(
    qtbot: QtBot, window: Window, engine: ScriptedEngine
) -> None:
    type_(qtbot, window, "a")
    engine.predictor.gate = threading.Event()
    QTest.keyClicks(window.editor, "bc d")
    qtbot.wait(50)
    assert not window.bar.is_empty
    engine.predictor.gate.set()


def test_a_failure_is_shown_and_trying_again_helps(
    qtbot: QtBot, window: Window, engine: ScriptedEngine
) -> None:
    window.models._wanted = ("scripted", FOLDER)
    engine.predictor.error = RuntimeError("out of memory")
    QTest.keyClicks(window.editor, "x")
    qtbot.waitUntil(lambda: window.notice.text == "Suggestions stopped: out of memory.")
    assert window.bar.is_empty
    assert window.status.model.text() == "No model at work"
    QTest.keyClick(window.editor, Qt.Key.Key_Tab)
    assert window.editor.text() == "x\t"
    engine.predictor.error = None
    window.notice.answer("Try again")
    qtbot.waitUntil(lambda: not window.bar.is_empty)
    assert window.notice.text == ""


def test_a_model_that_does_not_load_leaves_the_previous_one_named_and_at_work(
    qtbot: QtBot, window: Window, engine: ScriptedEngine
) -> None:
    window.models._load("scripted", FOLDER)
    qtbot.waitUntil(lambda: window.models.name == "scripted")
    engine.load_error = ValueError("card.json is missing")
    window.models._load("broken", Path("/models/broken"))
    qtbot.waitUntil(lambda: "card.json is missing" in window.notice.text)
    assert window.status.model.text() == "scripted"
    type_(qtbot, window, "still")


def test_the_panel_shows_tokens_and_the_pages_perplexity(qtbot: QtBot, window: Window) -> None:
    action(window, "Probabilities").trigger()
    panel = window.probabilities.panel
    assert panel.isVisible()
    type_(qtbot, window, "four")
    qtbot.waitUntil(lambda: panel.caret.entropy.text == "2.50 bits")
    qtbot.waitUntil(lambda: panel.text.page.text == "2.0", timeout=3_000)
    assert load_settings(paths.settings()).panel_shown
    action(window, "Probabilities").trigger()
    assert not panel.isVisible()
    assert not load_settings(paths.settings()).panel_shown


def test_without_the_panel_no_page_is_read(
    qtbot: QtBot, window: Window, engine: ScriptedEngine
) -> None:
    type_(qtbot, window, "four")
    qtbot.wait(900)
    assert engine.reader.read_texts == []


def test_only_the_text_near_the_caret_is_predicted_from(
    qtbot: QtBot, window: Window, engine: ScriptedEngine
) -> None:
    window.editor.setPlainText("word " * 20_000)
    cursor = window.editor.textCursor()
    cursor.setPosition(50_000)
    window.editor.setTextCursor(cursor)
    type_(qtbot, window, "x")
    assert max(len(text) for text in engine.predictor.asked) == 16_000


def test_hidden_suggestions_are_neither_taken_nor_worked_out(
    qtbot: QtBot, window: Window, engine: ScriptedEngine
) -> None:
    type_(qtbot, window, "ab")
    action(window, "Ghost Text").trigger()
    action(window, "Suggestions").trigger()
    assert not window.bar.isVisible()
    asked = len(engine.predictor.asked)
    QTest.keyClick(window.editor, Qt.Key.Key_Tab)
    action(window, "Word 1").trigger()
    assert window.editor.text() == "ab\t"
    assert not load_settings(paths.settings()).suggestions_shown
    qtbot.wait(50)
    assert len(engine.predictor.asked) == asked
    action(window, "Suggestions").trigger()
    qtbot.waitUntil(lambda: window.bar.offered_for == window.editor.context())


def test_themes_and_zoom_are_remembered(window: Window) -> None:
    action(window, "Dark").trigger()
    assert QApplication.palette().base().color().name() == theme.DARK.paper
    action(window, "Light").trigger()
    assert QApplication.palette().base().color().name() == theme.LIGHT.paper
    for _ in range(40):
        action(window, "Zoom In").trigger()
    assert load_settings(paths.settings()).text_size_pt == 48
    action(window, "Zoom Out").trigger()
    assert window.editor.font().pointSize() == 40
    action(window, "Usual Size").trigger()
    assert load_settings(paths.settings()) == Settings(theme="light")


def test_closing_while_predicting(qtbot: QtBot, window: Window, engine: ScriptedEngine) -> None:
    engine.predictor.started.clear()
    engine.predictor.gate = threading.Event()
    window.editor.moveCursor(window.editor.textCursor().MoveOperation.End)
    window.controller.request(window.editor.context())
    assert engine.predictor.started.wait(2)
    assert window.close()
    assert not window.controller._thread.isRunning()


def test_the_trace_has_a_line_per_keystroke(
    qtbot: QtBot, make: MakeWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "trace.jsonl"
    window = make(trace=Trace(file))
    for letter in "abc":
        with qtbot.waitSignal(window.bar.painted):
            QTest.keyClick(window.editor, letter)
    monkeypatch.setattr(QMessageBox, "exec", lambda _: Button.Discard)
    window.close()
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert len(lines) == 3
    for line in lines:
        assert line["painted_ms"] >= line["key_ms"]
        assert line["glyph_ms"] >= 0
        assert line["refined_ms"] >= line["painted_ms"]
        assert line["latency_ms"] >= 0
        assert line["model_ms"] == 4.2
    assert lines[2]["words"][0] == ["abca", 0.5]


def test_nothing_typed_is_lost_at_speed_with_random_taking(qtbot: QtBot, window: Window) -> None:
    chance = random.Random(3)
    expected = ""
    for _ in range(120):
        word = "".join(chance.choices("qwert", k=chance.randint(1, 5)))
        QTest.keyClicks(window.editor, word)
        expected += word
        if chance.random() < 0.3:
            qtbot.wait(chance.randint(0, 12))  # the words may have come or not
            place = chance.randrange(5)
            before = window.editor.text()
            window.suggesting.take(place)
            after = window.editor.text()
            if after != before:
                assert after.startswith(expected)
                expected = after
                continue
        QTest.keyClicks(window.editor, " ")
        expected += " "
    assert window.editor.text() == expected


def test_the_model_menu_lists_what_is_installed(window: Window) -> None:
    menu = window.menuBar().actions()[4].menu()
    texts = [a.text() for a in menu.actions() if a.text()]
    assert texts == [
        "No model installed", "&Personalise…", "&Go Back to the Earlier Model",
        "&Install a Model…", "&About This Model",
    ]  # fmt: skip


def test_nothing_is_offered_for_what_is_selected(qtbot: QtBot, window: Window) -> None:
    type_(qtbot, window, "one two")
    window.editor.selectAll()
    assert window.bar.is_empty
    assert not window.editor.offers_words
    with qtbot.waitSignal(window.suggesting.answered):
        window.controller.request(window.editor.context())
    assert window.bar.is_empty
    cursor = window.editor.textCursor()
    cursor.clearSelection()
    window.editor.setTextCursor(cursor)
    qtbot.waitUntil(lambda: words(window)[0] == "twoa")


def test_nothing_is_offered_while_the_keyboard_is_in_the_find_bar(
    qtbot: QtBot, window: Window
) -> None:
    window.activateWindow()
    type_(qtbot, window, "one two")
    action(window, "Find…").trigger()
    assert window.bar.is_empty
    QTest.keyClicks(window.find_bar.find_field, "four")  # nothing is found, so nothing is selected
    with qtbot.waitSignal(window.suggesting.answered):
        window.controller.request(window.editor.context())
    assert window.bar.is_empty
    QTest.keyClick(window.find_bar.find_field, Qt.Key.Key_Escape)
    assert window.editor.hasFocus()
    qtbot.waitUntil(lambda: words(window)[0] == "twoa")
