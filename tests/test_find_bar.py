"""Find, replace and go to line, in a whole window."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QInputDialog
from windows import action, open_window

from app import theme

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from app.window import Window

TEXT = "One fish, two fish 😀, red Fish,\nblue fish. No selfish word."


@pytest.fixture
def window(qtbot: QtBot) -> Window:
    window = open_window(qtbot)
    window.editor.setPlainText(TEXT)
    return window


def look_for(window: Window, text: str, *, replaces: bool = False) -> None:
    action(window, "replace" if replaces else "find").trigger()
    window.find_bar.find_field.clear()
    QTest.keyClicks(window.find_bar.find_field, text)


def selected(window: Window) -> str:
    return window.editor.textCursor().selectedText()


def starts(window: Window) -> list[int]:
    return [one.cursor.selectionStart() for one in window.editor.extraSelections()]


def test_finding_counts_marks_and_goes_round(window: Window) -> None:
    look_for(window, "fish")
    bar = window.find_bar
    assert bar.count.text() == "1 of 5"
    assert selected(window) == "fish"
    assert starts(window) == [4, 14, 27, 38, 50]  # the emoji takes two units
    for expected in ("2 of 5", "3 of 5", "4 of 5", "5 of 5", "1 of 5"):
        QTest.keyClick(bar.find_field, Qt.Key.Key_Return)
        assert bar.count.text() == expected
    QTest.keyClick(bar.find_field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert bar.count.text() == "5 of 5"
    assert window.editor.textCursor().selectionStart() == 50


def test_letter_by_letter_the_place_at_hand_stays(window: Window) -> None:
    look_for(window, "fish")
    action(window, "find-next").trigger()
    QTest.keyClicks(window.find_bar.find_field, " ")
    assert window.editor.textCursor().selectionStart() == 14
    assert window.find_bar.count.text() == "1 of 2"


def test_options_narrow_the_search(window: Window) -> None:
    look_for(window, "fish")
    bar = window.find_bar
    bar.options["is_whole_word"].click()
    assert bar.count.text().endswith("of 4")
    bar.options["has_case"].click()
    assert bar.count.text().endswith("of 3")
    bar.options["is_regex"].click()
    bar.find_field.setText("(blue|red) .ish")
    assert bar.count.text() == "1 of 2"
    bar.find_field.setText("(blue")
    assert bar.count.text().startswith("Not a regular expression")
    assert starts(window) == []
    bar.find_field.setText("nothing like it")
    assert bar.count.text() == "Not found"


def test_the_selected_word_is_looked_for_and_escape_goes_back(window: Window) -> None:
    window.activateWindow()
    cursor = window.editor.textCursor()
    cursor.setPosition(10)
    cursor.select(QTextCursor.SelectionType.WordUnderCursor)
    window.editor.setTextCursor(cursor)
    action(window, "find").trigger()
    assert window.find_bar.find_field.text() == "two"
    QTest.keyClick(window.find_bar.find_field, Qt.Key.Key_Escape)
    assert not window.find_bar.isVisible()
    assert starts(window) == []
    assert selected(window) == "two"
    assert QApplication.focusWidget() in (window.editor, None)  # None: no window manager


def test_what_is_typed_meanwhile_is_found(qtbot: QtBot, window: Window) -> None:
    look_for(window, "fish")
    window.editor.moveCursor(QTextCursor.MoveOperation.Start)
    QTest.keyClicks(window.editor, "Fish! ")
    qtbot.waitUntil(lambda: window.find_bar.count.text() == "6 found")
    assert starts(window)[:2] == [0, 10]


def test_replacing_one_after_the_other(window: Window) -> None:
    look_for(window, "fish", replaces=True)
    bar = window.find_bar
    bar.replace_field.setText("bird")
    bar.replace()
    assert window.editor.text().startswith("One bird, two fish")
    assert window.editor.textCursor().selectionStart() == 14
    bar.step(1)
    bar.replace()
    assert "red bird," in window.editor.text()
    assert window.editor.text().count("bird") == 2


def test_replacing_all_is_one_undo_step_and_the_caret_stays(window: Window) -> None:
    window.editor.moveCursor(QTextCursor.MoveOperation.End)
    QTest.keyClicks(window.editor, " end")
    cursor = window.editor.textCursor()
    cursor.setPosition(33)  # before "blue"
    window.editor.setTextCursor(cursor)
    look_for(window, "fish", replaces=True)
    window.editor.setTextCursor(cursor)
    window.find_bar.replace_field.setText("😀s")
    window.find_bar.replace_all()
    expected = "One 😀s, two 😀s 😀, red 😀s,\nblue 😀s. No sel😀s word. end"
    assert window.editor.text() == expected
    assert window.find_bar.count.text() == "Replaced 5 places"
    here = window.editor.textCursor()
    assert here.block().text()[here.positionInBlock() :].startswith("blue")
    action(window, "undo").trigger()
    assert window.editor.text() == TEXT + " end"
    action(window, "redo").trigger()
    assert window.editor.text() == expected


def test_replacing_by_expression_and_a_bad_template(window: Window) -> None:
    look_for(window, r"(\w+) fish", replaces=True)
    bar = window.find_bar
    bar.options["is_regex"].click()
    bar.replace_field.setText(r"fish \2")
    bar.replace_all()
    assert bar.count.text().startswith("The replacement does not fit")
    assert window.editor.text() == TEXT
    bar.replace_field.setText(r"fish \1")
    bar.replace_all()
    assert window.editor.text().startswith("fish One, fish two 😀, fish red,\nfish blue.")


def test_only_what_is_on_the_screen_is_marked(qtbot: QtBot, window: Window) -> None:
    window.editor.setPlainText("a line with a word\n" * 20_000)
    look_for(window, "word")
    assert window.find_bar.count.text() == "1 of 20,000"
    assert 0 < len(starts(window)) < 100
    window.editor.verticalScrollBar().setValue(10_000)
    assert starts(window)[0] > 100_000


def test_the_search_follows_the_writer_to_another_text(qtbot: QtBot, window: Window) -> None:
    look_for(window, "fish")
    action(window, "new").trigger()
    qtbot.waitUntil(lambda: window.find_bar.count.text() == "Not found")
    window.editor.setPlainText("fish")
    qtbot.waitUntil(lambda: window.find_bar.count.text() in ("1 found", "1 of 1"))


def test_going_to_a_line(window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    window.editor.setPlainText("line\n" * 500)
    asked: list[object] = []

    def get_int(*args: object) -> tuple[int, bool]:
        asked.extend(args)
        return 321, True

    monkeypatch.setattr(QInputDialog, "getInt", get_int)
    action(window, "go-to-line").trigger()
    assert asked[-2:] == [1, 501]
    assert window.editor.textCursor().blockNumber() == 320
    assert window.editor.viewport().rect().contains(window.editor.cursorRect())


def test_marks_follow_the_theme(window: Window) -> None:
    look_for(window, "fish")
    for name in ("dark", "light", "dark"):
        window.change(theme=name)
        marks = window.editor.extraSelections()
        assert {one.format.background().color().name() for one in marks} == {theme.current().found}
    window.change(theme="system")
