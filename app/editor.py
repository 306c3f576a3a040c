"""The writing area: tells where the caret stands, takes suggestions, and is otherwise an editor.

Knows nothing of models.  What stands before the caret leaves as a string (`app.caret`); words and
phrases come back, and become text only when the writer takes them.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QMimeData, Qt, Signal, Slot
from PySide6.QtGui import (
    QContextMenuEvent,
    QGuiApplication,
    QInputMethodEvent,
    QKeyEvent,
    QKeySequence,
    QPaintEvent,
    QTextCursor,
)

from app.acceptance import TAKES_SPACE, accept
from app.caret import LINE_CHARACTERS, Context, context_at, line_around, text_between, typed_prefix
from app.fitting import repeats
from app.ghost import GhostPage, rest_after
from app.indenting import indent, outdent, spans_lines
from app.positions import utf16_length
from model.wordshape import is_unspaced, wants_space

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtWidgets import QWidget

    from app.page import Paper

PAUSE_MS = 2_000  # after which Undo stops


@dataclass(frozen=True, slots=True)
class Keystroke:
    """When a key event reached the editor, on the `time.monotonic` clock, in milliseconds.

    `event_ms` is when the window system says it happened (0 if it does not say).
    """

    handled_ms: float
    event_ms: int


class Editor(GhostPage):
    """The text the writer works on.

    Signals:
        context_changed(Context): the text before the caret is another, or the caret moved.
        take_first(): Tab was pressed while words are offered.
        taken(str): a suggestion is about to be taken; what it writes after the caret.
        dismissed(): Esc hid the offered words until the next character.
        file_dropped(Path): a file was dropped or pasted.
        painted(): the text has been drawn.
        menu_wanted(QMenu, int): the context menu is about to be shown, for a position in the
            text; add to it.
    """

    context_changed = Signal(object)
    take_first = Signal()
    taken = Signal(str)
    dismissed = Signal()
    file_dropped = Signal(object)
    painted = Signal()
    menu_wanted = Signal(object, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.offers_words = False  # whether words to take are on screen
        self.is_writing = False  # whether what happens to the text now is typed or taken
        self.last_key = Keystroke(0.0, 0)
        # Revision of the text and position of the caret when they were last
        self._seen = (-1, -1)  # looked at,
        self._reported = (-1, -1)  # and announced.
        self._is_composing = False
        self._is_dismissed = False
        self._is_replacing = False
        self._written = ""  # by what is happening, as far as it goes on after the caret
        self._may_show_ghost = False
        self._automatic_space: tuple[int, int, Literal["added", "passed"]] | None = None
        self._must_seal = False  # whether the next typed character begins a new undo step
        self._typed_ms = 0.0  # when the last character was typed
        self.setTabChangesFocus(False)
        self.setAccessibleName("Text")
        self.textChanged.connect(self._report)
        self.cursorPositionChanged.connect(self._report)
        self.selectionChanged.connect(self._on_selection_changed)

    def text(self) -> str:
        """Return the whole text, exactly."""
        return self.paper.text()

    def turn_to(self, paper: Paper, place_caret: Callable[[], None] | None = None) -> None:
        """Show another text; nothing that was offered or about to happen concerns it."""
        QGuiApplication.inputMethod().commit()
        self.set_ghost(())
        self._automatic_space = None
        self._is_dismissed = self._is_composing = self.offers_words = False
        self._must_seal = self._is_replacing = True  # says nothing while Qt sets the text
        super().turn_to(paper, place_caret)
        self._is_replacing = False
        self._seen = self._reported = (-1, -1)
        self._report()

    def context(self) -> Context:
        """Return what stands before the caret now."""
        return context_at(self.textCursor())

    def take(
        self, word: str, offered_for: Context, *, corrects: bool = False, follows: bool = False
    ) -> bool:
        """Put `word` where the writer is typing it, as one undo step; False if it came too late.

        A word is taken while it still goes on with what is typed: it may have been offered a
        letter ago, but not a word ago.  One that corrects or follows what is typed is taken for
        exactly that.
        """
        now = self.context()
        before, after = line_around(self.textCursor())
        prefix = "" if follows else typed_prefix(before)
        is_same_word = now.word_start_utf16 == offered_for.word_start_utf16
        if corrects or follows:
            fits = offered_for == now
        else:
            fits = is_same_word and word.casefold().startswith(prefix.casefold())
        if not fits or self._is_composing or self.textCursor().hasSelection():
            return False
        edit = accept(before, after, prefix, word)
        start = now.position_utf16 - utf16_length(before[len(before) - edit.before :])
        end = now.position_utf16 + utf16_length(after[: edit.after])
        self.taken.emit(edit.text[len(prefix) :])
        self._replace(start, end, edit.text, edit.skip, written=edit.text[len(prefix) :])
        self._note_space(edit.adds_space, edit.skip)
        return True

    def insert(self, text: str) -> None:
        """Put text that the writer has not written at the caret, as one undo step."""
        cursor = self.textCursor()
        cursor.clearSelection()  # what is selected stays
        cursor.beginEditBlock()
        cursor.insertText(text)
        cursor.endEditBlock()
        self.setTextCursor(cursor)
        self.ensureCursorVisible()
        self._must_seal = True

    @property
    def wants_ghost(self) -> bool:
        """Whether the writer has just written at the end of a line, and sees no ghost text yet."""
        before, after = line_around(self.textCursor())
        is_at_end = before.strip() != "" and after.strip() == ""
        is_free = not self._is_composing and not self.textCursor().hasSelection()
        return self._may_show_ghost and is_at_end and is_free and not self.ghost

    def show_ghost(self, pieces: Sequence[str], context: Context) -> None:
        """Show what follows `context`, if that is still where the writer is."""
        at = self.textCursor().position()
        before, _ = line_around(self.textCursor())
        following = text_between(self.document(), at, min(at + LINE_CHARACTERS, self._end()))
        is_here = (context.revision, context.position_utf16) == self._place()
        if is_here and self.wants_ghost and not repeats(pieces, before, following):
            space = " " if wants_space(before) and not typed_prefix(before) else ""
            self.set_ghost((space + pieces[0], *pieces[1:]))

    def take_ghost(self, count: int | None = None) -> None:
        """Take the first `count` pieces of the ghost text, or all; the others stay."""
        text, after = "".join(self.ghost[:count]), line_around(self.textCursor())[1]
        is_all = count is None or count >= len(self.ghost)
        adds_space = is_all and not after and not is_unspaced(text[-1])
        skip = int(is_all and after.startswith(" "))
        text += " " if adds_space else ""
        here = self.textCursor().position()
        self.taken.emit(text)
        self._replace(here, here, text, skip, written=text)
        self._note_space(adds_space, skip)

    def _end(self) -> int:
        return self.document().characterCount() - 1

    def _note_space(self, is_added: bool, skipped: int) -> None:
        if is_added or skipped:
            here = self.textCursor().position()
            kind: Literal["added", "passed"] = "added" if is_added else "passed"
            self._automatic_space = (here, self.document().revision(), kind)

    def _replace(
        self, start_utf16: int, end_utf16: int, text: str, skip: int = 0, *, written: str
    ) -> None:
        """Replace a range in one undo step of its own and put the caret `skip` after it.

        `written` is what goes on from the caret as it was: ghost text that agrees with it stays.
        """
        self._is_replacing = self.is_writing = True
        self._written = written
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
        self.is_writing = False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handle the keys that suggestions change; all others are Qt's."""
        self.last_key = Keystroke(time.monotonic() * 1000, event.timestamp())
        if event.key() == Qt.Key.Key_Tab and not event.modifiers():
            self._press_tab(event)
        elif event.key() == Qt.Key.Key_Backtab:
            outdent(self.textCursor())
        elif event.key() == Qt.Key.Key_Escape and (self.offers_words or self.ghost):
            self._is_dismissed = True
            self.set_ghost(())
            self.dismissed.emit()
        elif event.matches(QKeySequence.StandardKey.MoveToNextWord) and self.ghost:
            self.take_ghost(1)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._is_dismissed = False
            # Shift+Return would insert a Unicode line separator, a stranger in a text file.
            self._type("\n", QKeyEvent(event.type(), event.key(), Qt.KeyboardModifier.NoModifier))
        elif _is_typed(event):
            self._is_dismissed = False
            self._type(event.text(), event)
        else:
            super().keyPressEvent(event)

    def take_offered(self) -> None:
        """Take the ghost text, or else the first suggestion."""
        if self.ghost:
            self.take_ghost()
        elif self.offers_words:
            self.take_first.emit()

    def _press_tab(self, event: QKeyEvent) -> None:
        before, _ = line_around(self.textCursor())
        if spans_lines(self.textCursor()):
            indent(self.textCursor())
        elif self.ghost and self.tab_takes:
            self.take_ghost()
        elif self.textCursor().hasSelection():
            super().keyPressEvent(event)
        elif self.offers_words and self.tab_takes and before.strip():
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
                self._replace(here[0] - 1, here[0] - 1, text, skip=1, written=text)
                return
            if kind == "added" and (text in TAKES_SPACE or text == "\n"):
                self._replace(here[0] - 1, here[0], text, written=text)
                return
        self.is_writing, self._written = True, text
        starts_word = (
            not text.isspace()
            and text_between(self.document(), max(0, here[0] - 1), here[0]).isspace()
        )
        now_ms = self.last_key.handled_ms
        paused_ms, self._typed_ms = now_ms - self._typed_ms, now_ms
        if self._must_seal or starts_word or paused_ms > PAUSE_MS:
            # An insertion inside an edit block does not merge into the undo step before it.
            self._must_seal = False
            cursor.beginEditBlock()
            super().keyPressEvent(event)
            cursor.endEditBlock()
        else:
            super().keyPressEvent(event)
        self.is_writing = False

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Show Qt's menu with what others add to it."""
        menu = self.createStandardContextMenu(event.pos())
        is_by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        cursor = self.textCursor() if is_by_key else self.cursorForPosition(event.pos())
        self.menu_wanted.emit(menu, cursor.position())
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(event.globalPos())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the text, and tell."""
        super().paintEvent(event)
        self.painted.emit()

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        """Report nothing while an input method composes: the text is not the writer's yet."""
        self._is_composing = bool(event.preeditString())
        if self._is_composing:
            self.set_ghost(())
        if event.commitString():
            self._is_dismissed = False
            self._automatic_space = None
            self.is_writing, self._written = True, event.commitString()
        super().inputMethodEvent(event)
        self.is_writing = False

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Accept files as well as text."""
        return source.hasUrls() or super().canInsertFromMimeData(source)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Paste plain text; a dropped file is opened instead of spelled out."""
        files = [url.toLocalFile() for url in source.urls() if url.isLocalFile()]
        if files:
            for file in files:
                self.file_dropped.emit(Path(file))
        else:
            super().insertFromMimeData(source)

    @Slot()
    def _report(self) -> None:
        """Announce a new context once, though Qt reports text and caret separately."""
        if self._place() != self._seen:
            self._seen = self._place()
            self._may_show_ghost = self.is_writing  # not after deleting, undoing, moving, pasting
            self._follow_with_ghost()
        if self._is_composing or self._is_dismissed or self._is_replacing:
            return
        if self._seen != self._reported:
            self._reported = self._seen
            self.context_changed.emit(self.context())

    def _follow_with_ghost(self) -> None:
        """Keep the ghost text that is left after what was written; drop it after anything else."""
        rest = self._pieces if self.is_writing else ()
        written, self._written = self._written, ""
        self.set_ghost(rest_after(rest, written))

    @Slot()
    def _on_selection_changed(self) -> None:
        if self.textCursor().hasSelection():
            self.set_ghost(())


def _is_typed(event: QKeyEvent) -> bool:
    """Whether the key types a character, as Qt itself decides it."""
    text, modifiers = event.text(), event.modifiers()
    control = modifiers & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.MetaModifier)
    alt = modifiers & Qt.KeyboardModifier.AltModifier
    is_alt_gr = bool(control and alt)
    return bool(text) and text.isprintable() and (is_alt_gr or not (control or alt))
