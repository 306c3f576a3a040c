"""Which text is the writer's own and new: typed or taken in this window, and not learnt from yet.

Pasted and opened text never is.  A passage is finished when the caret has left its sentence or
line; then it is handed on, once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from app.caret import line_around, text_between, typed_prefix
from app.positions import utf16_length
from model.sentences import ends_sentence, words_of
from model.wordshape import is_letter

if TYPE_CHECKING:
    from app.editor import Editor

Range = tuple[int, int]  # of UTF-16 positions, the end not included

LOOKED_AT_AFTER_MS = 500  # often enough, and seldom enough to cost a typist nothing
BEFORE_CHARACTERS = 200  # handed on with a passage, so that its first words have a history


def after_edit(
    ranges: list[Range], position: int, removed: int, added: int, is_new: bool
) -> list[Range]:
    """The ranges after `removed` characters at `position` gave way to `added` others."""
    end, shift = position + removed, added - removed
    kept = [(a, min(b, position)) for a, b in ranges if a < position]
    kept += [(max(a, end) + shift, b + shift) for a, b in ranges if b > end]
    if is_new and added:
        kept.append((position, position + added))
    return _joined(kept)


def split_around(ranges: list[Range], hole: Range) -> tuple[list[Range], list[Range]]:
    """The parts of `ranges` outside of `hole`, and those inside."""
    first, last = hole
    outside = [(a, min(b, first)) for a, b in ranges if a < first]
    outside += [(max(a, last), b) for a, b in ranges if b > last]
    inside = [(max(a, first), min(b, last)) for a, b in ranges if a < last and b > first]
    return _joined(outside), inside


def sentence_around(before: str, after: str) -> tuple[int, int]:
    """How many characters of a line, before and after the caret, belong to the caret's sentence."""
    start, end, last_end, last = 0, len(before) + len(after), 0, ""
    for word in words_of(before + after):
        if word.begins_sentence and last:
            if word.start > len(before):
                end = word.start
                break
            start = word.start
        last, last_end = word.text, word.start + len(word.text)
    gap = (before + after)[last_end:end]
    if last_end <= len(before) and last and ends_sentence(last, gap[: len(before) - last_end]):
        start = len(before)  # the next sentence has not begun
    return len(before) - start, end - len(before)


def _joined(ranges: list[Range]) -> list[Range]:
    joined: list[Range] = []
    for a, b in sorted(ranges):
        if joined and a <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(b, joined[-1][1]))
        elif a < b:
            joined.append((a, b))
    return joined


class Written(QObject):
    """Follows one editor.

    Signals:
        finished(str, str): a passage of whole words, and what stands before it.

    Attributes:
        is_kept: whether new text is noted at all; `drop` forgets what was noted before.
    """

    finished = Signal(str, str)

    def __init__(self, editor: Editor, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.is_kept = True
        self._editor = editor
        self._ranges: list[Range] = []
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(LOOKED_AT_AFTER_MS)
        self._timer.timeout.connect(self._hand_on_finished)
        self._document = editor.document()
        self._document.contentsChange.connect(self._on_contents_change)
        editor.turned.connect(self._on_turned)
        editor.cursorPositionChanged.connect(self._look_soon)

    def drop(self) -> None:
        """Take nothing of what stands there now for new."""
        self._ranges = []

    def hand_on(self, *, with_last_word: bool) -> None:
        """Hand on all there is, finished or not; the word at the caret only if asked for."""
        cursor = self._editor.textCursor()
        begun = "" if with_last_word else typed_prefix(line_around(cursor)[0])
        self._split_off((cursor.position() - utf16_length(begun), cursor.position()))

    @Slot()
    def _on_turned(self) -> None:
        self._document.contentsChange.disconnect(self._on_contents_change)
        self._document = self._editor.document()
        self._document.contentsChange.connect(self._on_contents_change)
        self.drop()

    @Slot(int, int, int)
    def _on_contents_change(self, position: int, removed: int, added: int) -> None:
        is_new = self._editor.is_writing and self.is_kept
        self._ranges = after_edit(self._ranges, position, removed, added, is_new)
        self._look_soon()

    @Slot()
    def _look_soon(self) -> None:
        if self._ranges and not self._timer.isActive():
            self._timer.start()

    @Slot()
    def _hand_on_finished(self) -> None:
        cursor = self._editor.textCursor()
        before, after = line_around(cursor)
        left, right = sentence_around(before, after)
        at = cursor.position()
        start = at - utf16_length(before[len(before) - left :])
        self._split_off((start, at + utf16_length(after[:right])))

    def _split_off(self, unfinished: Range) -> None:
        finished, self._ranges = split_around(self._ranges, unfinished)
        document = self._editor.document()
        last = document.characterCount() - 1
        for start, end in finished:
            text = text_between(document, start, min(end, last))
            following = text_between(document, min(end, last), min(end + 1, last))
            if following and is_letter(following):  # the word's end is not new
                text = text[: len(text) - len(_last_letters(text))]
            if text.strip():
                before = text_between(document, max(0, start - BEFORE_CHARACTERS), start)
                self.finished.emit(text, before)


def _last_letters(text: str) -> str:
    start = len(text)
    while start and is_letter(text[start - 1]):
        start -= 1
    return text[start:]
