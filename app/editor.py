"""The writing area: tells where the caret stands, takes suggestions, and is otherwise an editor.

Knows nothing of models but how to split a text at the caret.  What stands before the caret leaves
as a string, at most `CONTEXT_CHARACTERS` of it, so that a key costs the same in a long document as
in a short one.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QMimeData, Qt, Signal, Slot
from PySide6.QtGui import QInputMethodEvent, QKeyEvent, QPaintEvent, QTextCursor

from app.acceptance import TAKES_SPACE, accept
from app.page import Page
from app.positions import utf16_length
from model.wordshape import split_at_caret

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

CONTEXT_CHARACTERS = 16_000
LINE_CHARACTERS = 400  # of the caret's line, on either side: longer than any word


@dataclass(frozen=True, slots=True)
class Context:
    """The text before the caret at one moment of the document's life."""

    text: str
    position_utf16: int
    revision: int
    word_start_utf16: int  # where the word that is being typed begins; the caret if none is


@dataclass(frozen=True, slots=True)
class Keystroke:
    """When a key event reached the editor, on the `time.monotonic` clock, in milliseconds.

    `event_ms` is when the window system says it happened (0 if it does not say).
    """

    handled_ms: float
    event_ms: int


class Editor(Page):
    """The text the writer works on.

    Signals:
        context_changed(Context): the text before the caret is another, or the caret moved.
        take_first(): Tab was pressed while words are offered.
        dismissed(): Esc hid the offered words until the next character.
        file_dropped(Path): a file was dropped or pasted.
        painted(): the text has been drawn.
    """

    context_changed = Signal(object)
    take_first = Signal()
    dismissed = Signal()
    file_dropped = Signal(object)
    painted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.offers_words = False  # whether words to take are on screen
        self.last_key = Keystroke(0.0, 0)
        self._reported = (-1, -1)  # revision and position of the last context_changed
        self._is_composing = False
        self._is_dismissed = False
        self._is_replacing = False
        self._automatic_space: tuple[int, int, Literal["added", "passed"]] | None = None
        self._must_seal = False  # whether the next typed character begins a new undo step
        self.setTabChangesFocus(False)
        self.setAccessibleName("Text")
        self.textChanged.connect(self._report)
        self.cursorPositionChanged.connect(self._report)

    def text(self) -> str:
        """Return the whole text, exactly; `toPlainText` would turn no-break spaces into spaces."""
        return self.document().toRawText().replace("\u2029", "\n")

    def context(self) -> Context:
        """Return what stands before the caret now."""
        position = self.textCursor().position()
        text = self._slice(max(0, position - CONTEXT_CHARACTERS), position)
        start = position - utf16_length(_typed_prefix(text[-LINE_CHARACTERS:]))
        return Context(text, position, self.document().revision(), start)

    def take(self, word: str, offered_for: Context) -> bool:
        """Put `word` where the writer is typing it, as one undo step; False if it came too late.

        A word is taken while it still goes on with what is typed: it may have been offered a
        letter ago, but not a word ago.
        """
        now = self.context()
        before, after = self._line_around_caret()
        prefix = _typed_prefix(before)
        is_same_word = now.word_start_utf16 == offered_for.word_start_utf16
        goes_on = is_same_word and word.casefold().startswith(prefix.casefold())
        if not goes_on or self._is_composing or self.textCursor().hasSelection():
            return False
        edit = accept(before, after, prefix, word)
        start = now.position_utf16 - utf16_length(before[len(before) - edit.before :])
        end = now.position_utf16 + utf16_length(after[: edit.after])
        self._replace(start, end, edit.text, edit.skip)
        if edit.adds_space or edit.skip:
            kind: Literal["added", "passed"] = "added" if edit.adds_space else "passed"
            here = self.textCursor().position()
            self._automatic_space = (here, self.document().revision(), kind)
        return True

    def _replace(self, start_utf16: int, end_utf16: int, text: str, skip: int = 0) -> None:
        """Replace a range in one undo step of its own and put the caret `skip` after it."""
        self._is_replacing = True
        cursor = self.textCursor()
        cursor.beginEditBlock()
        cursor.setPosition(start_utf16)
        cursor.setPosition(end_utf16, QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(text)
        cursor.endEditBlock()
        cursor.setPosition(cursor.position() + skip)
        self.setTextCursor(cursor)
        self.ensureCursorVisible()
        self._must_seal = True
        self._is_replacing = False
        self._report()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handle the keys that suggestions change; all others are Qt's."""
        self.last_key = Keystroke(time.monotonic() * 1000, event.timestamp())
        if event.key() == Qt.Key.Key_Tab and not event.modifiers():
            self._press_tab(event)
        elif event.key() == Qt.Key.Key_Escape and self.offers_words:
            self._is_dismissed = True
            self.dismissed.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._is_dismissed = False
            # Shift+Return would insert a Unicode line separator, a stranger in a text file.
            self._type("\n", QKeyEvent(event.type(), event.key(), Qt.KeyboardModifier.NoModifier))
        elif _is_typed(event):
            self._is_dismissed = False
            self._type(event.text(), event)
        else:
            super().keyPressEvent(event)

    def _press_tab(self, event: QKeyEvent) -> None:
        before, _ = self._line_around_caret()
        if self.offers_words and before.strip():
            self.take_first.emit()  # even if it takes nothing: a quick second Tab is no tab
        else:
            super().keyPressEvent(event)

    def _type(self, text: str, event: QKeyEvent) -> None:
        """Let Qt insert typed text, in an undo step per word, minding an automatic space."""
        cursor = self.textCursor()
        automatic, self._automatic_space = self._automatic_space, None
        here = (cursor.position(), self.document().revision())
        if automatic and automatic[:2] == here and not cursor.hasSelection():
            kind = automatic[2]
            if text == " ":
                return  # the space the writer means is there already
            if text in TAKES_SPACE and kind == "passed":
                self._replace(here[0] - 1, here[0] - 1, text, skip=1)
                return
            if kind == "added" and (text in TAKES_SPACE or text == "\n"):
                self._replace(here[0] - 1, here[0], text)
                return
        starts_word = not text.isspace() and self._slice(max(0, here[0] - 1), here[0]).isspace()
        if self._must_seal or starts_word:
            # An insertion inside an edit block does not merge into the undo step before it.
            self._must_seal = False
            cursor.beginEditBlock()
            super().keyPressEvent(event)
            cursor.endEditBlock()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the text, and tell."""
        super().paintEvent(event)
        self.painted.emit()

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        """Report nothing while an input method composes: the text is not the writer's yet."""
        self._is_composing = bool(event.preeditString())
        if event.commitString():
            self._is_dismissed = False
            self._automatic_space = None
        super().inputMethodEvent(event)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Accept files as well as text."""
        return source.hasUrls() or super().canInsertFromMimeData(source)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Paste plain text; a dropped file is opened instead of spelled out."""
        files = [url.toLocalFile() for url in source.urls() if url.isLocalFile()]
        if files:
            self.file_dropped.emit(Path(files[0]))
        else:
            super().insertFromMimeData(source)

    @Slot()
    def _report(self) -> None:
        """Announce a new context once, though Qt reports text and caret separately."""
        if self._is_composing or self._is_dismissed or self._is_replacing:
            return
        now = (self.document().revision(), self.textCursor().position())
        if now != self._reported:
            self._reported = now
            self.context_changed.emit(self.context())

    def _line_around_caret(self) -> tuple[str, str]:
        cursor, block = self.textCursor(), self.textCursor().block()
        at, start = cursor.position(), block.position()
        end = start + block.length() - 1
        before = self._slice(max(start, at - LINE_CHARACTERS), at)
        return before, self._slice(at, min(end, at + LINE_CHARACTERS))

    def _slice(self, start_utf16: int, end_utf16: int) -> str:
        cursor = QTextCursor(self.document())
        cursor.setPosition(start_utf16)
        cursor.setPosition(end_utf16, QTextCursor.MoveMode.KeepAnchor)
        return cursor.selectedText().replace("\u2029", "\n")


def _typed_prefix(text: str) -> str:
    """The letters typed so far of the word that ends `text`, as the predictor sees it."""
    return split_at_caret(text)[1]


def _is_typed(event: QKeyEvent) -> bool:
    """Whether the key types a character, as Qt itself decides it."""
    text, modifiers = event.text(), event.modifiers()
    control = modifiers & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.MetaModifier)
    alt = modifiers & Qt.KeyboardModifier.AltModifier
    is_alt_gr = bool(control and alt)
    return bool(text) and text.isprintable() and (is_alt_gr or not (control or alt))
