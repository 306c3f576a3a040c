from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from editors import open_editor, press, put, shown, take
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QInputMethodEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.caret import CONTEXT_CHARACTERS

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from app.editor import Editor


@pytest.fixture
def editor(qtbot: QtBot) -> Editor:
    return open_editor(qtbot)


@pytest.mark.parametrize(
    ("text", "word", "expected"),
    [
        ("the quick br|", "brown", "the quick brown |"),
        ("The qu|ick fox", "quiet", "The quiet |fox"),
        ("a🚫b 𒀭𒊩 naï| x", "naïve", "a🚫b 𒀭𒊩 naïve |x"),
        ("e\u0301te\u0301 che| x", "chez", "e\u0301te\u0301 chez |x"),
        ("first line\nsecond li|\nthird", "line", "first line\nsecond line |\nthird"),
        ("wor|", "word", "word |"),
    ],
)
def test_taking_a_word_then_undoing_it(editor: Editor, text: str, word: str, expected: str) -> None:
    put(editor, text)
    assert take(editor, word)
    assert shown(editor) == expected
    editor.undo()
    assert editor.text() == text.replace("|", "")
    editor.redo()
    assert editor.text() == expected.replace("|", "")


def test_one_undo_removes_the_taken_word_and_the_next_goes_on_with_typing(editor: Editor) -> None:
    press(editor, "one two th")
    take(editor, "three")
    press(editor, "four")
    steps = []
    while editor.document().isUndoAvailable():
        editor.undo()
        steps.append(editor.text())
    assert steps == ["one two three ", "one two th", "one two ", "one ", ""]


def test_a_word_taken_without_typed_letters_is_one_step_too(editor: Editor) -> None:
    press(editor, "one ")
    take(editor, "two")
    take(editor, "three")
    press(editor, "x")
    editor.undo()
    assert editor.text() == "one two three "
    editor.undo()
    assert editor.text() == "one two "
    editor.undo()
    assert editor.text() == "one "


@pytest.mark.parametrize(
    ("text", "word", "keys", "expected"),
    [
        ("Hello wor|", "world", ",", "Hello world,|"),
        ("Hello wor|", "world", ".", "Hello world.|"),
        ("Hello wor|", "world", "!?", "Hello world!?|"),
        ("Hello wor|", "world", " again", "Hello world again|"),
        ("Hello wor|", "world", "  two", "Hello world  two|"),
        ("Hello wor|", "world", "(x", "Hello world (x|"),
        ("Hello wor|", "world", '"x', 'Hello world "x|'),
        ("The dog|", "dog", "'s", "The dog's|"),
        ("It is well|", "well", "-known", "It is well-known|"),
        ("Hello wor|", "world", "\n", "Hello world\n|"),
        ("a wor| b", "word", ", c", "a word,  c|b"),
        ("a wor| b", "word", " c", "a word c|b"),
        ("Hello wor|", "world", "⌫,", "Hello world,|"),
        ("Hello wor|", "world", "7", "Hello world 7|"),
    ],
)
def test_what_is_typed_after_an_automatic_space(
    editor: Editor, text: str, word: str, keys: str, expected: str
) -> None:
    put(editor, text)
    take(editor, word)
    press(editor, keys)
    assert shown(editor) == expected


def test_an_automatic_space_is_only_taken_back_at_once(editor: Editor) -> None:
    press(editor, "wor")
    take(editor, "word")
    press(editor, "x⌫.")
    assert editor.text() == "word ."


def test_words_for_a_letter_ago_are_taken_but_not_for_a_word_ago(editor: Editor) -> None:
    press(editor, "the q")
    offered_for = editor.context()
    press(editor, "u")
    assert editor.take("quick", offered_for)
    assert editor.text() == "the quick "
    assert not editor.take("quiet", offered_for)
    assert editor.text() == "the quick "


def test_words_that_no_longer_fit_are_refused(editor: Editor) -> None:
    press(editor, "the q")
    offered_for = editor.context()
    press(editor, "z")
    assert not editor.take("quick", offered_for)
    assert editor.text() == "the qz"


def test_a_correction_replaces_exactly_what_it_corrects(editor: Editor) -> None:
    press(editor, "now teh")
    offered_for = editor.context()
    assert not editor.take("the", offered_for)  # as a word that goes on with the letters
    press(editor, "x")
    assert not editor.take("the", offered_for, corrects=True)
    press(editor, "⌫")
    assert editor.take("the", editor.context(), corrects=True)
    assert editor.text() == "now the "
    editor.undo()
    assert editor.text() == "now teh"


def test_a_next_word_follows_exactly_what_it_was_offered_for(editor: Editor) -> None:
    press(editor, "the report")
    offered_for = editor.context()
    press(editor, "s")
    assert not editor.take("to", offered_for, follows=True)
    press(editor, "⌫")
    assert editor.take("to", editor.context(), follows=True)
    assert editor.text() == "the report to "
    press(editor, ",")
    assert editor.text() == "the report to,"
    editor.undo()
    editor.undo()
    assert editor.text() == "the report"


@pytest.mark.parametrize(
    ("text", "word", "expected"),
    [
        ("今天|", "天气", "今天天气|"),
        ("今天|很好", "天气", "今天天气|很好"),
        ("오늘 날|", "날씨", "오늘 날씨 |"),
    ],
)
def test_scripts_without_spaces_get_none(
    editor: Editor, text: str, word: str, expected: str
) -> None:
    put(editor, text)
    assert take(editor, word)
    assert shown(editor) == expected


def test_tab_takes_the_first_word_only_while_words_are_offered(
    qtbot: QtBot, editor: Editor
) -> None:
    press(editor, "some wo")
    with qtbot.assertNotEmitted(editor.take_first):
        QTest.keyClick(editor, Qt.Key.Key_Tab)
    assert editor.text() == "some wo\t"
    editor.offers_words = True
    with qtbot.waitSignal(editor.take_first):
        QTest.keyClick(editor, Qt.Key.Key_Tab)
    assert editor.text() == "some wo\t"


@pytest.mark.parametrize("text", ["|", "one\n|two", "  |x"])
def test_tab_at_line_start_is_a_tab(editor: Editor, text: str) -> None:
    put(editor, text)
    editor.offers_words = True
    QTest.keyClick(editor, Qt.Key.Key_Tab)
    assert shown(editor) == text.replace("|", "\t|")


def test_escape_hides_words_until_the_next_character(qtbot: QtBot, editor: Editor) -> None:
    press(editor, "abc")
    editor.offers_words = True
    with qtbot.waitSignal(editor.dismissed):
        QTest.keyClick(editor, Qt.Key.Key_Escape)
    with qtbot.assertNotEmitted(editor.context_changed):
        QTest.keyClick(editor, Qt.Key.Key_Left)
    with qtbot.waitSignal(editor.context_changed):
        press(editor, "d")
    assert editor.text() == "abdc"


def test_digits_are_digits(editor: Editor) -> None:
    editor.offers_words = True
    press(editor, "1234567890")
    assert editor.text() == "1234567890"


def test_each_key_and_each_move_is_reported_once(qtbot: QtBot, editor: Editor) -> None:
    seen: list[str] = []
    editor.context_changed.connect(lambda context: seen.append(context.text))
    press(editor, "ab")
    QTest.keyClick(editor, Qt.Key.Key_Left)
    QTest.keyClick(editor, Qt.Key.Key_Shift)
    press(editor, "⌫")
    assert seen == ["a", "ab", "a", ""]
    seen.clear()
    press(editor, "x wo")
    seen.clear()
    take(editor, "word")
    assert seen == ["x word "]


def test_nothing_is_reported_while_an_input_method_composes(qtbot: QtBot, editor: Editor) -> None:
    press(editor, "a")
    offered_for = editor.context()
    with qtbot.assertNotEmitted(editor.context_changed):
        QApplication.sendEvent(editor, QInputMethodEvent("に", []))
        QApplication.sendEvent(editor, QInputMethodEvent("にほ", []))
    assert not editor.take("always", offered_for)
    commit = QInputMethodEvent("", [])
    commit.setCommitString("日本")
    with qtbot.waitSignal(editor.context_changed) as blocker:
        QApplication.sendEvent(editor, commit)
    assert blocker.args[0].text == "a日本"
    assert editor.text() == "a日本"


def test_no_break_spaces_and_line_separators_survive(editor: Editor) -> None:
    text = "a\u00a0b\u2028c\u2009d\u200be\t f"
    editor.setPlainText(text)
    assert editor.text() == text


def test_a_dropped_file_is_opened_not_spelled_out(qtbot: QtBot, editor: Editor) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile("/tmp/a b.txt")])
    with qtbot.waitSignal(editor.file_dropped) as blocker:
        editor.insertFromMimeData(data)
    assert blocker.args == [Path("/tmp/a b.txt")]
    assert editor.text() == ""


def test_the_context_of_a_long_line_is_bounded(editor: Editor) -> None:
    editor.setPlainText("lorem ipsum " * 9_000)
    editor.moveCursor(QTextCursor.MoveOperation.End)
    context = editor.context()
    assert len(context.text) == CONTEXT_CHARACTERS
    assert context.position_utf16 == 108_000
    take(editor, "dolor")
    assert editor.text().endswith("ipsum dolor ")


def test_26_another_key_can_take_what_tab_takes(qtbot: QtBot, editor: Editor) -> None:
    press(editor, "the o")
    editor.tab_takes = False
    with qtbot.assertNotEmitted(editor.take_first):
        editor.take_offered()
    editor.offers_words = True
    with qtbot.waitSignal(editor.take_first):
        editor.take_offered()
    editor.show_ghost(("ld", " house"), editor.context())
    editor.take_offered()
    assert editor.text() == "the old house "


def test_nothing_is_lost_at_fast_typing_with_random_taking(editor: Editor) -> None:
    chance = random.Random(7)
    expected = ""
    stale = editor.context()
    for _ in range(400):
        word = "".join(chance.choices("abcdef", k=chance.randint(1, 6)))
        if chance.random() < 0.2:
            editor.insertPlainText("é😀 ")
            expected += "é😀 "
        press(editor, word)
        expected += word
        if chance.random() < 0.3:
            editor.take("zzz", stale)  # words for a text that is gone
        if chance.random() < 0.4:
            stale = editor.context()
            assert take(editor, word + "x")
            expected += "x "
        else:
            press(editor, " ")
            expected += " "
    assert editor.text() == expected
