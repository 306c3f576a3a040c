from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QInputMethodEvent, QTextCursor, QTextOption
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app import editor as module
from app.caret import CONTEXT_CHARACTERS
from app.editor import Editor
from app.page import Paper
from app.positions import to_index, to_utf16

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


@pytest.fixture
def editor(qtbot: QtBot) -> Editor:
    editor = Editor()
    qtbot.addWidget(editor)
    editor.resize(900, 600)
    editor.show()
    return editor


def put(editor: Editor, text: str) -> None:
    """Set the text, with the caret at `|`."""
    before, after = text.split("|")
    editor.setPlainText(before + after)
    cursor = editor.textCursor()
    cursor.setPosition(to_utf16(before, len(before)))
    editor.setTextCursor(cursor)


def shown(editor: Editor) -> str:
    text = editor.text()
    at = to_index(text, editor.textCursor().position())
    return text[:at] + "|" + text[at:]


def take(editor: Editor, word: str) -> bool:
    return editor.take(word, editor.context())


def press(editor: Editor, keys: str) -> None:
    for key in keys:
        if key == "\n":
            QTest.keyClick(editor, Qt.Key.Key_Return)
        elif key == "⌫":
            QTest.keyClick(editor, Qt.Key.Key_Backspace)
        else:
            QTest.keyClicks(editor, key)


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


def test_shift_return_is_a_line_end(editor: Editor) -> None:
    press(editor, "a")
    QTest.keyClick(editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    press(editor, "b")
    assert editor.text() == "a\nb"


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


def test_ten_megabytes_stay_quick(editor: Editor) -> None:
    import time

    editor.setPlainText("The quick brown fox jumps over the lazy dog and rests.\n" * 190_000)
    cursor = editor.textCursor()
    cursor.setPosition(5_000_000)
    editor.setTextCursor(cursor)
    QApplication.processEvents()
    started = time.process_time()  # of this process alone: the machine may be busy
    press(editor, "hello world ")
    QApplication.processEvents()
    assert (time.process_time() - started) / 12 < 0.030


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
