from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QInputMethodEvent, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.editor import Editor
from app.positions import to_utf16
from app.written import Written, after_edit, sentence_around, split_around

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


class Passages(list[str]):
    """What was handed on."""

    def __init__(self, editor: Editor) -> None:
        super().__init__()
        self.before: list[str] = []
        self.written = Written(editor, editor)
        self.written.finished.connect(self._note)

    def _note(self, text: str, before: str) -> None:
        self.append(text)
        self.before.append(before)

    def look(self) -> None:
        self.written._hand_on_finished()


@pytest.fixture
def editor(qtbot: QtBot) -> Editor:
    editor = Editor()
    qtbot.addWidget(editor)
    return editor


@pytest.fixture
def passages(editor: Editor) -> Passages:
    return Passages(editor)


def press(editor: Editor, text: str) -> None:
    for character in text:
        if character == "\n":
            QTest.keyClick(editor, Qt.Key.Key_Return)
        else:  # QTest knows no emoji
            event = QKeyEvent(QEvent.Type.KeyPress, 0, Qt.KeyboardModifier.NoModifier, character)
            QApplication.sendEvent(editor, event)


def move(editor: Editor, index: int) -> None:
    cursor = editor.textCursor()
    cursor.setPosition(to_utf16(editor.text(), index))
    editor.setTextCursor(cursor)


@pytest.mark.parametrize(
    ("line", "inside"),
    [
        ("One two|", "One two|"),
        ("One. Two|", "Two|"),
        ("One. Two| three. Four", "Two| three. "),
        ("One. |Two", "|Two"),
        ("One. | ", "| "),
        ("One.|", "One.|"),
        ("e.g. this| one", "e.g. this| one"),
        ("wait... what|", "wait... what|"),
        ("|", "|"),
        ("Done! Is it? | No.", "| "),
    ],
)
def test_the_sentence_at_the_caret(line: str, inside: str) -> None:
    before, after = line.split("|")
    left, right = sentence_around(before, after)
    assert before[len(before) - left :] + "|" + after[:right] == inside


def test_ranges_follow_every_edit() -> None:
    """Against a document in which every character knows whether it is new."""
    chance = random.Random(5)
    for _ in range(300):
        ranges, marks = [], [False] * 20
        for _ in range(chance.randrange(1, 12)):
            at = chance.randrange(len(marks) + 1)
            removed, added = chance.randrange(len(marks) - at + 1), chance.randrange(4)
            is_new = chance.random() < 0.6
            ranges = after_edit(ranges, at, removed, added, is_new)
            marks[at : at + removed] = [is_new] * added
            assert [any(a <= i < b for a, b in ranges) for i in range(len(marks))] == marks
        hole = sorted(chance.randrange(len(marks) + 1) for _ in range(2))
        outside, inside = split_around(ranges, (hole[0], hole[1]))
        for i, mark in enumerate(marks):
            is_in = hole[0] <= i < hole[1]
            assert any(a <= i < b for a, b in inside) == (mark and is_in)
            assert any(a <= i < b for a, b in outside) == (mark and not is_in)


def test_a_sentence_is_finished_when_the_next_begins(editor: Editor, passages: Passages) -> None:
    press(editor, "I met Kyriakos.")
    passages.look()
    assert passages == []
    press(editor, " ")
    passages.look()
    assert passages == ["I met Kyriakos. "]
    press(editor, "He is well")
    passages.look()
    press(editor, "\n")
    passages.look()
    assert passages[1:] == ["He is well\n"]
    assert passages.before[1] == "I met Kyriakos. "
    passages.look()
    passages.written.hand_on(with_last_word=True)
    assert len(passages) == 2


def test_a_place_is_finished_when_the_caret_leaves_it(editor: Editor, passages: Passages) -> None:
    editor.setPlainText("Old words here.\nAnother line.")
    move(editor, 4)
    press(editor, "brave ")
    passages.look()
    assert passages == []
    move(editor, 30)
    passages.look()
    assert passages == ["brave "]
    assert passages.before == ["Old "]


def test_opened_pasted_and_restored_text_is_never_handed_on(
    editor: Editor, passages: Passages
) -> None:
    editor.setPlainText("opened hunter2 text. ")
    editor.moveCursor(editor.textCursor().MoveOperation.End)
    QApplication.clipboard().setText("pasted words. ")
    editor.paste()
    press(editor, "mine ")
    editor.insertPlainText("inserted ")
    press(editor, "too ")
    editor.undo()
    editor.redo()
    passages.written.hand_on(with_last_word=True)
    assert passages == ["mine "]


def test_a_word_that_is_new_in_part_only_is_left_out(editor: Editor, passages: Passages) -> None:
    editor.setPlainText("secret")
    move(editor, 0)
    press(editor, "my top")
    passages.written.hand_on(with_last_word=True)
    assert passages == ["my "]


def test_the_word_at_the_caret_waits_when_a_file_is_saved(
    editor: Editor, passages: Passages
) -> None:
    press(editor, "now 😀 the pay")
    passages.written.hand_on(with_last_word=False)
    assert passages == ["now 😀 the "]
    press(editor, "ment")
    passages.written.hand_on(with_last_word=True)
    assert passages == ["now 😀 the ", "payment"]


def test_taken_words_are_the_writers_and_composed_ones_too(
    editor: Editor, passages: Passages
) -> None:
    press(editor, "the pa")
    editor.take("payment", editor.context())
    commit = QInputMethodEvent("", [])
    commit.setCommitString("日本")
    QApplication.sendEvent(editor, commit)
    passages.written.hand_on(with_last_word=True)
    assert passages == ["the payment 日本"]


def test_deleted_text_is_not_handed_on(editor: Editor, passages: Passages) -> None:
    press(editor, "one two")
    for _ in range(3):
        QTest.keyClick(editor, Qt.Key.Key_Backspace)
    passages.written.hand_on(with_last_word=True)
    assert passages == ["one "]


def test_nothing_is_noted_while_it_is_off(editor: Editor, passages: Passages) -> None:
    press(editor, "one ")
    passages.written.is_kept = False
    passages.written.drop()
    press(editor, "two ")
    passages.written.is_kept = True
    press(editor, "three ")
    passages.written.hand_on(with_last_word=True)
    assert passages == ["three "]


def test_it_happens_by_itself_soon_after(qtbot: QtBot, editor: Editor, passages: Passages) -> None:
    press(editor, "One. Two")
    qtbot.waitUntil(lambda: passages == ["One. "], timeout=3_000)
