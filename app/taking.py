"""Tells where the caret stands, and puts suggestions into the text when the writer takes them.

Knows nothing of models.  What stands before the caret leaves as a string (`app.caret`); words and
phrases come back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QTextCursor

from app.acceptance import accept
from app.caret import LINE_CHARACTERS, Context, context_at, line_around, text_between, typed_prefix
from app.fitting import repeats
from app.ghost import GhostPage, rest_after
from app.positions import utf16_length
from model.wordshape import is_unspaced, wants_space

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget


class TakingPage(GhostPage):
    """A page that suggestions can be taken into.

    Signals:
        context_changed(Context): the text before the caret is another, or the caret moved.
        taken(str): a suggestion is about to be taken; what it writes after the caret.
    """

    context_changed = Signal(object)
    taken = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.is_writing = False  # whether what happens to the text now is typed or taken
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
        self.textChanged.connect(self._report)
        self.cursorPositionChanged.connect(self._report)
        self.selectionChanged.connect(self._on_selection_changed)

    def text(self) -> str:
        """Return the whole text, exactly."""
        return self.paper.text()

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
