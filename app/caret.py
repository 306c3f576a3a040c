"""What stands around the caret, as Python strings.

At most `CONTEXT_CHARACTERS` before the caret are read, so that a key costs the same in a long
document as in a short one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtGui import QTextCursor

from app.acceptance import rest_of_word
from app.positions import utf16_length
from model.wordshape import split_at_caret

if TYPE_CHECKING:
    from PySide6.QtGui import QTextDocument

CONTEXT_CHARACTERS = 16_000
LINE_CHARACTERS = 400  # of the caret's line, on either side: longer than any word


@dataclass(frozen=True, slots=True)
class Context:
    """The text before the caret at one moment of the document's life."""

    text: str
    position_utf16: int
    revision: int
    word_start_utf16: int  # where the word that is being typed begins; the caret if none is


def context_at(cursor: QTextCursor) -> Context:
    """What stands before the caret now."""
    position, document = cursor.position(), cursor.document()
    text = text_between(document, max(0, position - CONTEXT_CHARACTERS), position)
    start = position - utf16_length(typed_prefix(text[-LINE_CHARACTERS:]))
    return Context(text, position, document.revision(), start)


def line_around(cursor: QTextCursor) -> tuple[str, str]:
    """The caret's line before and after it."""
    block, at = cursor.block(), cursor.position()
    start, end = block.position(), block.position() + block.length() - 1
    before = text_between(cursor.document(), max(start, at - LINE_CHARACTERS), at)
    return before, text_between(cursor.document(), at, min(end, at + LINE_CHARACTERS))


def word_around(cursor: QTextCursor) -> str:
    """The word that the caret is in, or at either end of; "" if there is none."""
    before, after = line_around(cursor)
    return typed_prefix(before) + after[: rest_of_word(after)]


def typed_prefix(text: str) -> str:
    """The letters typed so far of the word that ends `text`, as the predictor sees it."""
    return split_at_caret(text)[1]


def text_between(document: QTextDocument, start_utf16: int, end_utf16: int) -> str:
    """Part of a document, its lines ended by line feeds."""
    cursor = QTextCursor(document)
    cursor.setPosition(start_utf16)
    cursor.setPosition(end_utf16, QTextCursor.MoveMode.KeepAnchor)
    return cursor.selectedText().replace("\u2029", "\n")
