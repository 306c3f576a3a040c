"""Underlines what may be misspelt, on the screen only and in the pauses, and offers remedies."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtGui import QAction, QColor, QTextCharFormat, QTextCursor

from app import theme
from app.marks import mark
from app.positions import to_index, utf16_length
from app.speller import words_in
from app.translation import tr

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QTextBlock
    from PySide6.QtWidgets import QMenu, QTextEdit

    from app.editor import Editor
    from app.settings import Settings
    from app.speller import Speller

LOOKED_AT_AFTER_MS = 350  # without a key or a scroll
SLICE_S = 0.004  # well within what the writer can feel
LONGEST_LINE = 20_000
MOST_LINES_KNOWN = 4_000
Words = tuple[tuple[int, str], ...]  # offset in UTF-16 units, and the word


class Spelling(QObject):
    """Follows one editor.

    Signals:
        failed(str): a word cannot be added to the dictionary, and why.
    """

    failed = Signal(str)

    def __init__(self, editor: Editor, speller: Speller, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._editor, self._speller = editor, speller
        self._is_on = False
        self._known: dict[str, Words] = {}  # line → its wrong words
        self._slices: Iterator[None] | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._step)
        editor.textChanged.connect(self.look_soon)
        editor.turned.connect(self.look_soon)
        editor.recoloured.connect(self.look_soon)
        editor.cursorPositionChanged.connect(self.look_soon)
        editor.updateRequest.connect(self._on_update)
        editor.menu_wanted.connect(self._on_menu_wanted)

    def follow(self, settings: Settings) -> None:
        """Check or not, in the language the writer wants."""
        self._is_on = settings.spelling_checked
        if self._is_on:
            self._speller.use(settings.spelling_language)
        self._look_anew()

    @Slot()
    def look_soon(self) -> None:
        """Check what is on the screen, once the writer pauses."""
        if self._is_on:
            self._slices = None
            self._timer.start(LOOKED_AT_AFTER_MS)

    def _look_anew(self) -> None:
        self._known.clear()
        self._editor.marks.set("spelling", ())
        self.look_soon()

    @Slot(object, int)
    def _on_update(self, _: object, scrolled_px: int) -> None:
        if scrolled_px:
            self.look_soon()

    @Slot()
    def _step(self) -> None:
        if self._slices is None:
            self._slices = self._check()
        deadline = time.perf_counter() + SLICE_S
        for _ in self._slices:
            if time.perf_counter() > deadline:
                self._timer.start(0)
                return
        self._slices = None

    def _check(self) -> Iterator[None]:
        """Look at one line after the other; the last step shows the marks."""
        document = self._editor.document()
        first, last = self._editor.visible_range()
        wrong: list[QTextEdit.ExtraSelection] = []
        style = QTextCharFormat()
        style.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
        style.setUnderlineColor(QColor(theme.current().wrong))
        caret = self._editor.textCursor().position()
        block = document.findBlock(first)
        while block.isValid() and block.position() <= last:
            for offset, word in self._wrong_words(block):
                start = block.position() + offset
                end = start + utf16_length(word)
                if end != caret:  # it may still be being written
                    wrong.append(mark(document, start, end, style))
            yield
            block = block.next()
        self._editor.marks.set("spelling", wrong)

    def _wrong_words(self, block: QTextBlock) -> Words:
        if block.length() > LONGEST_LINE:
            return ()
        line = block.text()
        if (known := self._known.get(line)) is None:
            if len(self._known) > MOST_LINES_KNOWN:
                self._known.clear()
            known = self._known[line] = tuple(
                (utf16_length(line[:start]), word)
                for start, word in words_in(line)
                if not self._speller.is_right(word)
            )
        return known

    def word_at(self, position_utf16: int) -> tuple[int, str] | None:
        """Return where the wrong word at a position starts, and the word."""
        block = self._editor.document().findBlock(position_utf16)
        if not self._is_on or block.length() > LONGEST_LINE:
            return None
        at = to_index(block.text(), position_utf16 - block.position())
        for start, word in words_in(block.text()):
            if start <= at <= start + len(word) and not self._speller.is_right(word):
                return block.position() + utf16_length(block.text()[:start]), word
        return None

    def replace(self, start_utf16: int, word: str, better: str) -> None:
        """Put `better` in the place of `word`, as one undo step; the caret stays where it is."""
        cursor = QTextCursor(self._editor.document())
        cursor.setPosition(start_utf16)
        cursor.setPosition(start_utf16 + utf16_length(word), QTextCursor.MoveMode.KeepAnchor)
        if cursor.selectedText() == word:
            cursor.insertText(better)

    def add(self, word: str) -> None:
        """Take a word for right from now on."""
        try:
            self._speller.add(word)
        except OSError as err:
            self.failed.emit(tr("“{word}” is not added: {err}", word=word, err=err))
        self._look_anew()

    @Slot(object, int)
    def _on_menu_wanted(self, menu: QMenu, position_utf16: int) -> None:
        """Put the remedies for the word at a position first in its context menu."""
        if (found := self.word_at(position_utf16)) is None:
            return
        start, word = found
        better = self._speller.suggestions(word)
        items = [QAction(one.replace("&", "&&"), menu) for one in better]
        for item, one in zip(items, better, strict=True):
            font = item.font()
            font.setBold(True)
            item.setFont(font)
            item.triggered.connect(partial(self.replace, start, word, one))
        if not better:
            items = [QAction(tr("No suggestions"), menu)]
            items[0].setEnabled(False)
        add = QAction(tr("Add “{word}” to the Dictionary", word=word).replace("&", "&&"), menu)
        add.triggered.connect(partial(self.add, word))
        before = menu.actions()[0] if menu.actions() else None
        for action in (*items, _line(menu), add, _line(menu)):
            if before:
                menu.insertAction(before, action)
            else:
                menu.addAction(action)


def _line(menu: QMenu) -> QAction:
    line = QAction(menu)
    line.setSeparator(True)
    return line
