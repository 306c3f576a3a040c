"""Lines in the writing area: long ones, indented ones, pasted ones, and the steps of undo."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from editors import open_editor, press, put, shown
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QTextCursor, QTextOption
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app import editor as module
from app.caret import CONTEXT_CHARACTERS
from app.page import Paper

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from app.editor import Editor


@pytest.fixture
def editor(qtbot: QtBot) -> Editor:
    return open_editor(qtbot)


def test_shift_return_is_a_line_end(editor: Editor) -> None:
    press(editor, "a")
    QTest.keyClick(editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    press(editor, "b")
    assert editor.text() == "a\nb"


def test_ten_megabytes_are_as_quick_as_a_few_pages(editor: Editor) -> None:
    def seconds_a_key(lines: int) -> float:
        editor.setPlainText("The quick brown fox jumps over the lazy dog and rests.\n" * lines)
        cursor = editor.textCursor()
        cursor.setPosition(lines * 27)
        editor.setTextCursor(cursor)
        QApplication.processEvents()
        times = []
        for letter in "hello world, how are you ":
            started = time.process_time()  # of this process alone: the machine may be busy
            press(editor, letter)
            QApplication.processEvents()
            times.append(time.process_time() - started)
        return sorted(times)[len(times) // 2]

    few = seconds_a_key(1_000)
    assert seconds_a_key(190_000) < 10 * few


def test_a_line_without_a_space_is_broken_anywhere(qtbot: QtBot, editor: Editor) -> None:
    """Finding that there is no place to break it would take Qt a third of a second a key."""
    anywhere = QTextOption.WrapMode.WrapAnywhere
    editor.setPlainText("lorem ipsum " * 9_000)
    QApplication.processEvents()
    assert editor.wordWrapMode() != anywhere
    editor.moveCursor(QTextCursor.MoveOperation.End)
    editor.insertPlainText("\n" + "x" * 100_000)
    qtbot.waitUntil(lambda: editor.wordWrapMode() == anywhere)
    cursor = editor.textCursor()
    cursor.setPosition(150_000)
    editor.setTextCursor(cursor)
    press(editor, "in the middle")
    assert editor.text()[150_000:150_013] == "in the middle"
    usual = Paper(editor)
    editor.turn_to(usual)
    assert editor.wordWrapMode() != anywhere


@pytest.mark.parametrize(
    ("text", "key", "expected"),
    [
        ("one\ntwo\n\nthree", Qt.Key.Key_Tab, "\tone\n\ttwo\n\n\tthree"),
        ("\tone\n    two\n  three", Qt.Key.Key_Backtab, "one\ntwo\nthree"),
        ("one\n\t\ttwo", Qt.Key.Key_Backtab, "one\n\ttwo"),
    ],
)
def test_tab_and_shift_tab_indent_the_selected_lines(
    editor: Editor, text: str, key: Qt.Key, expected: str
) -> None:
    editor.offers_words = True
    editor.setPlainText(text)
    editor.selectAll()
    QTest.keyClick(editor, key)
    assert editor.text() == expected
    editor.undo()
    assert editor.text() == text


def test_shift_tab_takes_back_the_indent_of_the_carets_line(editor: Editor) -> None:
    put(editor, "a\n\tb|c")
    QTest.keyClick(editor, Qt.Key.Key_Backtab)
    assert shown(editor) == "a\nb|c"
    QTest.keyClick(editor, Qt.Key.Key_Backtab)
    assert shown(editor) == "a\nb|c"


def test_a_line_of_which_only_the_start_is_selected_is_not_indented(editor: Editor) -> None:
    put(editor, "|one\ntwo\nthree")
    cursor = editor.textCursor()
    cursor.setPosition(8, QTextCursor.MoveMode.KeepAnchor)
    editor.setTextCursor(cursor)
    QTest.keyClick(editor, Qt.Key.Key_Tab)
    assert editor.text() == "\tone\n\ttwo\nthree"


def test_undo_stops_where_the_writer_paused(
    editor: Editor, monkeypatch: pytest.MonkeyPatch
) -> None:
    press(editor, "half")
    monkeypatch.setattr(module, "PAUSE_MS", -1)  # every key comes after a pause
    press(editor, "w")
    monkeypatch.undo()
    press(editor, "ay")
    steps = []
    while editor.document().isUndoAvailable():
        editor.undo()
        steps.append(editor.text())
    assert steps == ["half", ""]


def test_49_a_novel_is_pasted_and_taken_back_in_one_step(editor: Editor) -> None:
    """coteditor/CotEditor#996: some 50,000 words at once."""
    put(editor, "before| after")
    novel = "The old house stood at the end of the lane, naïve 😀 and alone.\n" * 4_000
    data = QMimeData()
    data.setText(novel)
    editor.insertFromMimeData(data)
    assert editor.text() == f"before{novel} after"
    assert len(editor.context().text) <= CONTEXT_CHARACTERS  # not the novel
    press(editor, "x")
    editor.undo()
    editor.undo()
    assert editor.text() == "before after"


def test_a_long_text_never_scrolls_sideways(editor: Editor) -> None:
    sentence = "The old house stood at the end of the lane, and nobody had lived there for years. "
    put(editor, f"{sentence * 60}|")
    for width_px in (900, 640, 420):
        editor.resize(width_px, 400)
        press(editor, "and then some more, " + " " * 80)
        assert editor.verticalScrollBar().maximum() > 0
        assert editor.horizontalScrollBar().maximum() == 0
        assert not editor.horizontalScrollBar().isVisible()


def test_a_click_between_lines_goes_to_the_nearer_line(editor: Editor) -> None:
    from app import theme

    editor.set_writing_font(theme.writing_font(14))
    editor.setPlainText("one two three\nfour five six")
    QApplication.processEvents()
    second = editor.document().findBlockByNumber(1)
    top = editor.blockBoundingGeometry(second).translated(editor.contentOffset()).top()
    for y in (int(top) + 1, int(top) - 2):
        point = editor.viewport().rect().topLeft()
        point.setX(30)
        point.setY(y)
        QTest.mouseClick(editor.viewport(), Qt.MouseButton.LeftButton, pos=point)
        assert 0 < editor.textCursor().positionInBlock() < 8
        assert editor.textCursor().blockNumber() == (1 if y > top else 0)
