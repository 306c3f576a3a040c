from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QTextCursor, QTextDocument
from PySide6.QtWidgets import QPlainTextDocumentLayout

from app.reading_work import LINE_ENDS
from app.text_mirror import STEP_CHARACTERS, TextMirror, decoded, encoded

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

ACTIONS = st.lists(
    st.tuples(
        st.sampled_from(["insert", "delete", "undo", "redo", "set"]),
        st.integers(0, 40), st.integers(0, 12), st.text("ab🚫\n\u0301漢", max_size=8),
    ),
    max_size=15,
)  # fmt: skip


def document_of(text: str) -> QTextDocument:
    document = QTextDocument()
    document.setDocumentLayout(QPlainTextDocumentLayout(document))
    document.setPlainText(text)
    return document


def text_of(document: QTextDocument) -> str:
    return document.toRawText().translate(LINE_ENDS)


def mirrored(mirror: TextMirror, document: QTextDocument) -> str:
    return decoded(mirror.units(0, document.characterCount() - 1)).translate(LINE_ENDS)


@given(actions=ACTIONS)
def test_the_copy_follows_every_edit(
    qapp: object, actions: list[tuple[str, int, int, str]]
) -> None:
    document = document_of("one 🚫\ntwo")
    mirror = TextMirror(document)
    for action, position, length, text in actions:
        cursor, last = QTextCursor(document), document.characterCount() - 1
        cursor.setPosition(min(position, last))
        if action == "insert":
            cursor.insertText(text)
        elif action == "delete":
            cursor.setPosition(min(position + length, last), QTextCursor.MoveMode.KeepAnchor)
            cursor.removeSelectedText()
        elif action == "set":
            document.setPlainText(text)
        else:
            getattr(document, action)()
        while not mirror.is_complete:
            mirror._copy_step()
        found = mirrored(mirror, document)
        assert len(encoded(found)) == 2 * (document.characterCount() - 1)
        halves = re.sub("[\ud800-\udfff\ufffd]", "", found)  # PySide tells nothing of these
        assert halves == text_of(document)


def test_half_a_pair_keeps_its_place(qapp: object) -> None:
    document = document_of("one \ud800two 🚫🚫🚫 end")
    assert mirrored(TextMirror(document), document) == "one \ufffdtwo 🚫🚫🚫 end"


def test_a_long_text_is_copied_in_steps_and_may_change_meanwhile(qtbot: QtBot) -> None:
    generator = random.Random(1)
    words = ["the", "🚫", "ring\n", "and"]
    document = document_of(" ".join(generator.choices(words, k=STEP_CHARACTERS)))
    mirror = TextMirror(document)
    assert not mirror.is_complete
    QTextCursor(document).insertText("at the beginning, while the copy is made ")
    with qtbot.waitSignal(mirror.completed):
        pass
    assert mirror.is_complete
    assert mirrored(mirror, document) == text_of(document)
    cursor = QTextCursor(document)
    cursor.setPosition(1000)
    cursor.insertText("a long passage " * STEP_CHARACTERS)
    with qtbot.waitSignal(mirror.completed):
        pass
    assert mirrored(mirror, document) == text_of(document)
