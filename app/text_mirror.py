"""A copy of a document's text that costs a key little, however long the text is.

Asking Qt for a megabyte takes 30 ms, too long for the thread that draws; so the copy is made in
steps once and then follows every edit.  It is kept in UTF-16, in which Qt counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from app.caret import text_between
from app.positions import utf16_length

if TYPE_CHECKING:
    from PySide6.QtGui import QTextDocument

STEP_CHARACTERS = 50_000  # copied in one go, about 2 ms
UNIT_BYTES = 2


class TextMirror(QObject):
    """Follows one document from the moment it is made.

    Signals:
        completed(): the copy, which was in the making, is whole.
    """

    completed = Signal()

    def __init__(self, document: QTextDocument, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._units = b""
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._copy_step)
        document.contentsChange.connect(self._on_contents_change)
        self._copy_step()

    @property
    def is_complete(self) -> bool:
        """Whether the copy is the document's text."""
        return len(self._units) == UNIT_BYTES * self._length()

    def units(self, start_utf16: int, end_utf16: int) -> bytes:
        """Part of the text as UTF-16, for `decoded`, which may run in another thread."""
        return self._units[UNIT_BYTES * start_utf16 : UNIT_BYTES * end_utf16]

    def stop(self) -> None:
        """Follow the document no longer."""
        self._document.contentsChange.disconnect(self._on_contents_change)
        self._timer.stop()
        self.deleteLater()

    def _length(self) -> int:
        return self._document.characterCount() - 1  # Qt counts a paragraph's end after the last

    @Slot(int, int, int)
    def _on_contents_change(self, position: int, removed: int, added: int) -> None:
        before = len(self._units) // UNIT_BYTES
        if position > before:
            return  # it will be copied when its turn comes
        if added > STEP_CHARACTERS or removed > before - position:
            # A long insertion is copied in steps; and Qt may count an end that is not there.
            self._units = self._units[: UNIT_BYTES * position]
            self._timer.start(0)
            return
        end = min(position + added, self._length())
        # An edit of half a pair of surrogates makes or breaks a character: take all of it.
        start, stop = position, _whole(self._document, end)
        if _whole(self._document, position) > position:
            start -= 1
        inserted = units_between(self._document, start, stop)
        rest = self._units[UNIT_BYTES * (position + removed + stop - end) :]
        self._units = self._units[: UNIT_BYTES * start] + inserted + rest
        if not self.is_complete:
            self._timer.start(0)

    @Slot()
    def _copy_step(self) -> None:
        done, length = len(self._units) // UNIT_BYTES, self._length()
        if done > length:
            self._units, done = b"", 0
        end = _whole(self._document, min(done + STEP_CHARACTERS, length))
        self._units += units_between(self._document, done, end)
        if end < length:
            self._timer.start(0)
        else:
            self.completed.emit()


def units_between(document: QTextDocument, start: int, end: int) -> bytes:
    """Part of a document in UTF-16; each lone surrogate, which Python is not given, as U+FFFD."""
    units = encoded(text_between(document, start, end))
    if len(units) == UNIT_BYTES * (end - start):
        return units
    if end - start == 1:
        return encoded("\ufffd")
    middle = _whole(document, (start + end) // 2)
    if middle == end:
        middle = start + 1
    return units_between(document, start, middle) + units_between(document, middle, end)


def _whole(document: QTextDocument, position: int) -> int:
    """A position, or the next one if it is in the middle of a pair of surrogates."""
    if not 0 < position < document.characterCount() - 1:
        return position
    if text_between(document, position - 1, position):
        return position
    around = text_between(document, position - 1, position + 1)
    return position + (utf16_length(around) == 2)


def encoded(text: str) -> bytes:
    """A text in UTF-16."""
    return text.encode("utf-16-le", "surrogatepass")


def decoded(units: bytes) -> str:
    """The text of `encoded`."""
    return units.decode("utf-16-le", "surrogatepass")
