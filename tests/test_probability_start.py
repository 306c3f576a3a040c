"""The panel in the window: caret, pointer, alternatives, plot, export."""

from __future__ import annotations

import csv
import json
import math
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog
from scripted_engine import ScriptedEngine

from app.prediction import PredictionController
from app.probability_export import COLUMNS
from app.settings import Settings
from app.window import Window

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot


@pytest.fixture
def engine() -> ScriptedEngine:
    return ScriptedEngine()


@pytest.fixture
def window(qtbot: QtBot, engine: ScriptedEngine, tmp_path: Path) -> Window:
    window = Window(PredictionController(engine.load), Settings(panel_shown=True))
    qtbot.addWidget(
        window, before_close_func=lambda window: window.editor.document().setModified(False)
    )
    window.show()
    with qtbot.waitSignal(window.controller.ready):
        window.controller.load(tmp_path)
    return window


def write(qtbot: QtBot, window: Window, text: str) -> None:
    window.editor.setPlainText(text)
    wait(qtbot, window)


def wait(qtbot: QtBot, window: Window) -> None:
    """Until the text is read and the panel shows it."""
    probabilities = window.probabilities

    def is_shown() -> bool:
        reading = probabilities.reading
        return bool(reading and reading.is_complete and not probabilities._refreshing.isActive())

    qtbot.waitUntil(is_shown, timeout=5_000)


def put_caret(window: Window, position: int, anchor: int | None = None) -> None:
    cursor = window.editor.textCursor()
    cursor.setPosition(position if anchor is None else anchor)
    cursor.setPosition(position, QTextCursor.MoveMode.KeepAnchor)
    window.editor.setTextCursor(cursor)
    window.probabilities._refresh()


def wait_for_words(qtbot: QtBot, window: Window) -> None:
    rows = window.probabilities.panel.word.instead.rows
    qtbot.waitUntil(lambda: rows[0].bar is not None, timeout=10_000)


def test_words_are_asked_for_again_once_the_text_is_read_anew(
    qtbot: QtBot, window: Window, engine: ScriptedEngine
) -> None:
    write(qtbot, window, "the inner ring")
    put_caret(window, 14)
    wait_for_words(qtbot, window)
    cursor = window.editor.textCursor()
    cursor.setPosition(0)
    cursor.insertText("in ")
    wait(qtbot, window)
    wait_for_words(qtbot, window)
    qtbot.waitUntil(lambda: engine.predictor.asked_instead[-1] == "in the inner ")


def test_the_word_at_the_caret_is_explained(qtbot: QtBot, window: Window) -> None:
    write(qtbot, window, "the 🚫 ring")
    word = window.probabilities.panel.word
    put_caret(window, 3)
    assert word.word.text() == "the"
    assert word.probability.text == "25.0 %"  # two tokens, each as likely as one in two
    assert word.rank.text == "3 · 3"
    assert word.surprisal.text == "2.00 bits"
    put_caret(window, 6)
    assert word.word.text() == "🚫"
    assert word.surprisal.text == "4.00 bits"  # one sign of four tokens


def test_perplexity_of_page_paragraph_and_selection(qtbot: QtBot, window: Window) -> None:
    write(qtbot, window, "the inner\nring")
    text = window.probabilities.panel.text
    put_caret(window, 2)
    assert (text.page.text, text.paragraph.text, text.selection.text) == ("2.0", "2.0", "–")
    reading = window.probabilities.reading
    assert reading is not None
    reading.tokens.scores.nats[reading.tokens.starts >= 9] = math.log(8)
    put_caret(window, 12)
    assert text.paragraph.text == "8.0"
    put_caret(window, 9, anchor=0)
    assert text.selection.text == "2.0"
    put_caret(window, 14, anchor=10)
    assert text.selection.text == "8.0"


def test_while_the_text_changes_the_last_figures_stand_quietly(
    qtbot: QtBot, window: Window
) -> None:
    write(qtbot, window, "the inner ring")
    page = window.probabilities.panel.text.page
    QTest.keyClicks(window.editor, "x")
    window.probabilities._refresh()
    assert page.text == "2.0"
    assert not page._value.isEnabled()
    wait(qtbot, window)
    window.probabilities._refresh()
    assert page._value.isEnabled()


def test_an_alternative_takes_the_words_place_in_one_undo_step_and_is_read(
    qtbot: QtBot, window: Window, engine: ScriptedEngine
) -> None:
    write(qtbot, window, "in 🚫 the ring")
    put_caret(window, 8)
    assert window.probabilities.panel.word.word.text() == "the"
    wait_for_words(qtbot, window)
    assert engine.predictor.asked_instead[-1] == "in 🚫 "
    engine.reader.read_texts.clear()
    window.probabilities.panel.word.instead.rows[0].click()
    assert window.editor.text() == "in 🚫 instead ring"
    wait(qtbot, window)
    assert engine.reader.read_texts[-1] == "in 🚫 instead ring"
    QTest.keyClicks(window.editor, "y")
    window.editor.undo()
    assert window.editor.text() == "in 🚫 instead ring"
    window.editor.undo()
    assert window.editor.text() == "in 🚫 the ring"
    assert 5 <= window.editor.textCursor().position() <= 9


def test_alternatives_are_reached_and_taken_by_keys(qtbot: QtBot, window: Window) -> None:
    window.activateWindow()
    write(qtbot, window, "the ring")
    put_caret(window, 8)
    wait_for_words(qtbot, window)
    rows = window.probabilities.panel.word.instead.rows
    assert [row.focusPolicy() for row in rows[:2]] == [
        Qt.FocusPolicy.TabFocus, Qt.FocusPolicy.NoFocus,
    ]  # fmt: skip
    rows[0].setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(rows[0], Qt.Key.Key_Down)
    assert rows[1].hasFocus()
    QTest.keyClick(rows[1], Qt.Key.Key_Return)
    assert window.editor.text() == "the otherwise"


def test_the_word_under_the_pointer_is_explained_until_it_leaves(
    qtbot: QtBot, window: Window
) -> None:
    write(qtbot, window, "the inner ring")
    put_caret(window, 2)
    editor, word = window.editor, window.probabilities.panel.word
    cursor = editor.textCursor()
    cursor.setPosition(12)
    place: QPoint = editor.cursorRect(cursor).center()
    QTest.mouseMove(editor.viewport(), place)
    qtbot.waitUntil(lambda: word.word.text() == "ring")
    QTest.keyClicks(editor, "x")
    qtbot.waitUntil(lambda: word.word.text() == "thxe")


def test_the_plot_moves_the_caret(qtbot: QtBot, window: Window) -> None:
    write(qtbot, window, "the inner ring\n" * 40)
    section = window.probabilities.panel.text
    qtbot.waitUntil(lambda: section._plot is not None, timeout=30_000)
    plot = section._plot
    assert plot is not None
    put_caret(window, 0)
    assert "bits in the mean" in plot.accessibleDescription()
    QTest.keyClick(plot, Qt.Key.Key_Right)
    first = window.editor.textCursor().position()
    assert first > 0
    qtbot.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=plot.rect().center())
    qtbot.waitUntil(lambda: window.editor.textCursor().position() > first)
    middle = window.editor.textCursor().position() / len(window.editor.text())
    assert middle == pytest.approx(0.45, abs=0.03)  # the axis takes 22 px


@pytest.mark.parametrize("ending", ["csv", "json"])
def test_the_figures_are_exported_with_their_definitions(
    qtbot: QtBot, window: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    text = 'the 🚫, "ring"\n'
    write(qtbot, window, text)
    path = tmp_path / f"figures.{ending}"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    window.probabilities.panel.export.click()
    written = path.read_text(encoding="utf-8")
    if ending == "json":
        found = json.loads(written)
        rows, about = found["tokens"], found["about"]
        assert about["window_tokens"] == 512
        assert about["perplexity"] == pytest.approx(2)
        assert about["columns"] == COLUMNS
        assert about["tokens"] == about["tokens_read"] == len(rows)
    else:
        lines = written.splitlines(keepends=True)
        head = [line for line in lines if line.startswith("# ")]
        assert "# window_tokens: 512\n" in head
        rows = list(csv.DictReader("".join(lines[len(head) :]).splitlines(keepends=True)))
    assert list(rows[0]) == list(COLUMNS)
    assert "".join(row["token"] for row in rows if row["token"].isascii()).startswith("the")
    assert [int(row["end"]) for row in rows][-1] == len(text)
    for row in rows:
        assert row["text"] == text[int(row["start"]) : int(row["end"])]
        assert float(row["probability"]) == pytest.approx(0.5)
        assert float(row["surprisal_bits"]) == pytest.approx(1)
        assert float(row["entropy_bits"]) == 2.5
        assert int(row["rank"]) == 3


def test_a_folder_that_cannot_be_written_is_named(
    qtbot: QtBot, window: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(qtbot, window, "the")
    path = tmp_path / "missing" / "figures.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    window.probabilities.export()
    assert str(path) in window.notice.text
    assert "choose another folder" in window.notice.text


def test_the_definitions_and_the_heat_map_are_found_in_the_menus(
    qtbot: QtBot, window: Window
) -> None:
    actions = {a.text().replace("&", ""): a for a in window.findChildren(QAction)}
    actions["What the Figures Mean"].trigger()
    definitions = window.probabilities._definitions
    assert definitions is not None
    assert definitions.isVisible()
    write(qtbot, window, "the inner ring")
    actions["Heat Map"].trigger()
    assert window.settings.heat_shown
    assert window.probabilities.heat is not None
    assert window.probabilities.heat.is_on
    assert window.probabilities._legend.isVisible()
    actions["Heat Map"].trigger()
    assert not window.probabilities._legend.isVisible()


def test_everything_in_the_panel_has_a_name(qtbot: QtBot, window: Window) -> None:
    write(qtbot, window, "the inner ring")
    put_caret(window, 2)
    wait_for_words(qtbot, window)
    panel = window.probabilities.panel
    section = panel.text
    qtbot.waitUntil(lambda: section._plot is not None, timeout=30_000)
    reachable = []
    widget = panel.nextInFocusChain()
    while panel.isAncestorOf(widget):
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisible():
            reachable.append(widget)
        widget = widget.nextInFocusChain()
    names = [w.accessibleName() or getattr(w, "text", lambda: "")() for w in reachable]
    assert all(names)
    assert {"Tokens", "Words", "What these mean", "Export…", "instead, 50.00 %"} <= set(names)
    assert panel.word.surprisal._value.accessibleName() == "surprisal: 2.00 bits"
    assert section.page._value.accessibleName() == "page: 2.0"
