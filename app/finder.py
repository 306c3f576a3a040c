"""Looks for what the find bar asks, shows the places in the text, and replaces them."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor

from app import theme
from app.marks import mark
from app.positions import to_index, to_utf16
from app.search import Found, Span, Wanted, find_all, in_utf16, replace_all, replace_one

if TYPE_CHECKING:
    from app.editor import Editor

LOOKED_AGAIN_AFTER_MS = 200  # without a change of the text
MOST_MARKS = 400  # on one screen there is no room for more


class Finder(QObject):
    """The search at work in one editor, from `look_for` to `end`.

    Signals:
        counted(int, int, bool): which place is selected (0: none), how many there are, and
            whether these are all.
    """

    counted = Signal(int, int, bool)

    def __init__(self, editor: Editor, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._editor = editor
        self._wanted = Wanted("")
        self._text, self._spans, self._is_complete = "", [(0, 0)][:0], True
        self._seen: tuple[object, int] = (None, -1)  # document and revision of `_text`
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(LOOKED_AGAIN_AFTER_MS)
        self._timer.timeout.connect(self._look_again)
        editor.textChanged.connect(self._look_soon)
        editor.turned.connect(self._look_soon)
        editor.recoloured.connect(self._mark)
        editor.cursorPositionChanged.connect(self._count)
        editor.verticalScrollBar().valueChanged.connect(self._mark)

    def look_for(self, wanted: Wanted) -> None:
        """Find what is wanted and mark it.

        Raises:
            PatternError: it is no regular expression; what was found before is forgotten.
        """
        self._wanted = wanted
        self._spans = []
        try:
            self._look()
        finally:
            self._mark()
            self._count()

    def end(self) -> None:
        """Show nothing any more."""
        self._wanted, self._spans, self._text = Wanted(""), [], ""
        self._seen = (None, -1)
        self._mark()

    def step(self, steps: int, *, from_start: bool = False) -> bool:
        """Select the next place, or with -1 the one before; False if there is none.

        `from_start` counts from the start of what is selected, so that the place at hand stays.
        """
        self._look()
        if not self._spans:
            return False
        cursor = self._editor.textCursor()
        if steps > 0:
            at = cursor.selectionStart() if from_start else cursor.selectionEnd()
            place = bisect_left(self._spans, (at, 0))
            place = place if place < len(self._spans) else 0
        else:
            place = bisect_left(self._spans, (cursor.selectionStart(), 0)) - 1
        self._select(self._spans[place])
        return True

    def replace(self, template: str) -> bool:
        """Replace the selected place and select the next; if none is selected, only that.

        Raises:
            PatternError: the replacement does not fit the regular expression.
        """
        self._look()
        cursor = self._editor.textCursor()
        span = (cursor.selectionStart(), cursor.selectionEnd())
        if span in self._spans:
            start, end = (to_index(self._text, position) for position in span)
            text = replace_one(self._text, (start, end), self._wanted, template)
            if text is not None:
                cursor.insertText(text)
                self._editor.setTextCursor(cursor)
        return self.step(1)

    def replace_everything(self, template: str) -> int:
        """Replace all places as one undo step and return how many there were.

        Raises:
            PatternError: the replacement does not fit the regular expression.
            SearchTimeout: it takes too long.
        """
        self._look()
        cursor = self._editor.textCursor()
        caret = to_index(self._text, cursor.position())
        edit = replace_all(self._text, self._wanted, template, caret)
        if edit is None:
            return 0
        cursor.setPosition(to_utf16(self._text, edit.span[0]))
        cursor.setPosition(to_utf16(self._text, edit.span[1]), QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(edit.text)
        cursor.setPosition(to_utf16(self._editor.text(), edit.caret))
        self._editor.setTextCursor(cursor)
        return edit.count

    @Slot()
    def _look_soon(self) -> None:
        if self._wanted.text:
            self._timer.start()

    @Slot()
    def _look_again(self) -> None:
        self.look_for(self._wanted)

    def _look(self) -> None:
        """Bring the places up to date with the text."""
        document = self._editor.document()
        now = (document, document.revision())
        if now != self._seen:
            self._text, self._seen, self._spans = self._editor.text(), now, []
        if not self._spans and self._wanted.text:
            found: Found = find_all(self._text, self._wanted)
            self._spans, self._is_complete = in_utf16(self._text, found.spans), found.is_complete

    def _select(self, span: Span) -> None:
        cursor = self._editor.textCursor()
        cursor.setPosition(span[0])
        cursor.setPosition(span[1], QTextCursor.MoveMode.KeepAnchor)
        self._editor.setTextCursor(cursor)
        self._editor.show_caret_clear()

    @Slot()
    def _count(self) -> None:
        if self._wanted.text:
            cursor = self._editor.textCursor()
            span = (cursor.selectionStart(), cursor.selectionEnd())
            place = bisect_left(self._spans, span)
            is_place = place < len(self._spans) and self._spans[place] == span
            self.counted.emit(place + 1 if is_place else 0, len(self._spans), self._is_complete)

    @Slot()
    def _mark(self) -> None:
        """Mark what is on the screen; marks for ten megabytes would hold up every key."""
        document = self._editor.document()
        first, last = self._editor.visible_range()
        style = QTextCharFormat()
        style.setBackground(QColor(theme.current().found))
        start = bisect_left(self._spans, (first, 0))
        marks = []
        for span in self._spans[start : start + MOST_MARKS]:
            if span[0] > last or span[1] >= document.characterCount():
                break
            marks.append(mark(document, *span, style))
        self._editor.marks.set("found", marks)
