"""Counting the words of a text without ever holding up the writer."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QTextDocument

WORD = re.compile(r"\w\S*")  # a dash between spaces is none
AFTER_MS = 250  # without a change
SLICE_CHARACTERS = 60_000  # counted in one go, about 2 ms


class WordCount(QObject):
    """Counts a document's words in slices whenever it has not changed for a moment.

    Signals:
        counted(int): the words of the document as it is.
    """

    counted = Signal(int)

    def __init__(self, document: QTextDocument, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._slices: Iterator[int | None] | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._step)
        document.contentsChanged.connect(self._restart)
        self._restart()

    def follow(self, document: QTextDocument) -> None:
        """Count the words of another document from now on."""
        self._document.contentsChanged.disconnect(self._restart)
        self._document = document
        document.contentsChanged.connect(self._restart)
        self._restart()

    @Slot()
    def _restart(self) -> None:
        self._slices = None
        self._timer.start(AFTER_MS)

    @Slot()
    def _step(self) -> None:
        if self._slices is None:
            self._slices = self._count()
        total = next(self._slices)
        if total is None:
            self._timer.start(0)
        else:
            self._slices = None
            self.counted.emit(total)

    def _count(self) -> Iterator[int | None]:
        """Yield None after each slice but the last, which gives the total."""
        total = characters = 0
        block = self._document.begin()
        while block.isValid():
            text = block.text()
            total += len(WORD.findall(text))
            characters += len(text) + 1
            if characters > SLICE_CHARACTERS:
                characters = 0
                yield None
            block = block.next()
        yield total
