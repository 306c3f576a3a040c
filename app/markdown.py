"""Shows what the signs of Markdown mean, in the lines that are on the screen.

Only the looks of these lines are set, never the text: undo, saving and the modified mark see
nothing.  `QSyntaxHighlighter` would go through all of ten megabytes at once, and again wherever a
fence of code is opened.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QTimer, Slot
from PySide6.QtGui import QFont, QFontDatabase, QTextCharFormat, QTextFormat, QTextLayout

from app.markdown_marks import LONGEST_LINE, Look, Span, State, spans, state_after
from app.positions import to_utf16

if TYPE_CHECKING:
    from PySide6.QtGui import QTextBlock

    from app.editor import Editor

SLICE_S = 0.004  # well within what the writer can feel
AT_ONCE_LINES = 500  # that are looked at before the next picture; the others follow in slices
MOST_LINES_KNOWN = 2_000
CODE_SHARE = 0.9  # of the size of the text; faces of one width look larger
NAME = QTextFormat.Property.UserProperty.value + 1  # of a format: `Look`, and in which edition
EDITION = 32  # more than any `Look`
Range = tuple[int, int, int]  # start, length in UTF-16 units, and NAME


class Markdown(QObject):
    """Follows one editor.

    The state of a line (`markdown_marks.State`) is kept in its block; those of the first `_valid`
    blocks are right.
    """

    def __init__(self, editor: Editor, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._editor = editor
        self._is_on = self._has_marks = False
        self._known: dict[tuple[str, State], tuple[Span, ...]] = {}
        self._formats: dict[int, QTextCharFormat] = {}
        self._edition, self._is_pale, self._size_pt = 0, True, 0.0  # of the formats
        self._document = editor.document()
        self._valid, self._count = 0, self._document.blockCount()
        self._changed: tuple[int, int] | None = None  # first and last block
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self._go_on)
        self._document.contentsChange.connect(self._on_contents_change)
        editor.textChanged.connect(self._on_text_changed)
        editor.turned.connect(self._on_turned)
        editor.recoloured.connect(self._on_recoloured)
        editor.verticalScrollBar().valueChanged.connect(self._refresh)
        editor.viewport().installEventFilter(self)

    def turn(self, is_on: bool) -> None:
        """Begin or end it, for the text that is seen."""
        if is_on != self._is_on:
            self._is_on = is_on
            self._has_marks = True  # in lines that will come into view again
            self._valid = 0
            self._refresh()

    def set_pale(self, is_pale: bool) -> None:
        """Let signs step back behind the words; not where grounds of many colours lie behind."""
        if is_pale != self._is_pale:
            self._is_pale = is_pale
            self._on_recoloured()

    @Slot()
    def _on_turned(self) -> None:
        self._document.contentsChange.disconnect(self._on_contents_change)
        self._document = self._editor.document()
        self._document.contentsChange.connect(self._on_contents_change)
        self._changed, self._valid = None, 0
        self._refresh()

    @Slot()
    def _on_recoloured(self) -> None:
        self._formats.clear()
        self._edition += 1
        self._refresh()

    @Slot(int, int, int)
    def _on_contents_change(self, position: int, removed: int, added: int) -> None:
        first = self._document.findBlock(position).blockNumber()
        last = self._document.findBlock(position + added).blockNumber()
        last = last if last >= first else self._document.blockCount() - 1
        if self._changed:
            first, last = min(first, self._changed[0]), max(last, self._changed[1])
        self._changed = (first, last)

    @Slot()
    def _on_text_changed(self) -> None:
        changed, self._changed = self._changed, None
        if self._is_on and changed and changed[0] < self._valid:
            self._follow(*changed)
        self._count = self._document.blockCount()
        self._refresh()

    def _follow(self, first: int, last: int) -> None:
        """Bring the states up to date after a change, as far as they could be others."""
        were_valid = self._valid + self._document.blockCount() - self._count
        block = self._document.findBlockByNumber(first)
        for number in range(first, first + AT_ONCE_LINES):
            if not block.isValid():
                break
            is_same = self._note(block)
            self._valid = number + 1
            if number >= last and is_same:
                self._valid = max(self._valid, were_valid)
                break
            block = block.next()

    def _note(self, block: QTextBlock) -> bool:
        """Work out the state after a block; whether it is what it was."""
        was, now = block.userState(), state_after(block.text(), _state_before(block))
        block.setUserState(now)
        return was == now

    @Slot()
    def _go_on(self) -> None:
        """Work out states up to what is on the screen, a slice at a time, and show them there."""
        last = self._document.findBlock(self._editor.visible_range()[1]).blockNumber()
        deadline = time.perf_counter() + SLICE_S
        block = self._document.findBlockByNumber(self._valid)
        while block.isValid() and self._valid <= last:
            if time.perf_counter() > deadline:
                self._later.start(0)
                return
            self._note(block)
            self._valid += 1
            block = block.next()
        self._refresh()

    @Slot()
    def _refresh(self) -> None:
        """Give every line on the screen its looks."""
        if not (self._is_on or self._has_marks):
            return
        if self._size_pt != self._editor.font().pointSizeF():
            self._size_pt = self._editor.font().pointSizeF()
            self._formats.clear()
            self._edition += 1
        first, last = self._editor.visible_range()
        block = self._document.findBlock(first)
        is_known = block.blockNumber() <= self._valid
        state = _state_before(block) if is_known else 0
        while block.isValid() and block.position() <= last:
            self._show(block, self._spans(block.text(), state) if self._is_on else ())
            if self._is_on and block.blockNumber() == self._valid:
                block.setUserState(state_after(block.text(), state))
                self._valid += 1
            state = state_after(block.text(), state)
            block = block.next()
        if self._is_on and not is_known:
            self._later.start(0)

    def _spans(self, line: str, state: State) -> tuple[Span, ...]:
        if len(line) > LONGEST_LINE:
            return ()
        if (known := self._known.get((line, state))) is None:
            if len(self._known) >= MOST_LINES_KNOWN:
                self._known.clear()
            known = self._known[line, state] = spans(line, state)
        return known

    def _show(self, block: QTextBlock, found: tuple[Span, ...]) -> None:
        layout, text = block.layout(), block.text() if found else ""
        if layout.preeditAreaText():  # an input method has its own looks there
            return
        wanted: list[Range] = []
        for start, end, look in found:
            at = to_utf16(text, start)
            name = look + EDITION * self._edition
            wanted.append((at, to_utf16(text, end) - at, name))
        shown = [(one.start, one.length, one.format.intProperty(NAME)) for one in layout.formats()]
        if shown != wanted:
            layout.setFormats([self._format_range(*one) for one in wanted])
            self._document.markContentsDirty(block.position(), block.length())

    def _format_range(self, start: int, length: int, name: int) -> QTextLayout.FormatRange:
        found = QTextLayout.FormatRange()
        found.start, found.length = start, length
        found.format = self._format(name)
        return found

    def _format(self, name: int) -> QTextCharFormat:
        if name not in self._formats:
            made, look = QTextCharFormat(), Look(name % EDITION)
            self._formats[name] = made
            made.setProperty(NAME, name)
            if look & Look.QUIET and self._is_pale:
                made.setForeground(self._editor.palette().placeholderText())
            if look & Look.STRONG:
                made.setFontWeight(QFont.Weight.Bold)
            made.setFontItalic(bool(look & Look.EMPHASIS))
            made.setFontStrikeOut(bool(look & Look.STRUCK))
            if look & Look.CODE:
                fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
                made.setFontFamilies([fixed.family(), "monospace"])
                made.setFontPointSize(CODE_SHARE * self._size_pt)
        return self._formats[name]

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Look again when more of the text is to be seen."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.FontChange) and (
            self._is_on or self._has_marks
        ):
            self._later.start(0)
        return False


def _state_before(block: QTextBlock) -> State:
    before = block.previous()
    return max(before.userState(), 0) if before.isValid() else 0
