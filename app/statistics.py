"""What the suggestions save the writer, counted while writing: numbers, never text.

In private mode nothing is counted.
"""

from __future__ import annotations

import time
from collections import Counter
from datetime import date
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Slot
from PySide6.QtGui import QInputMethodEvent, QKeyEvent

from app.statistics_store import Counts, StatisticsStore

if TYPE_CHECKING:
    from pathlib import Path

    from app.caret import Context
    from app.editor import Editor
    from app.prediction import PredictionController
    from app.settings import Settings
    from app.suggestion_bar import SuggestionBar

KEPT_AFTER_MS = 20_000
BIN_MS, BINS = 5, 60  # of the histogram; the last bin holds everything slower
DELETES = {Qt.Key.Key_Backspace, Qt.Key.Key_Delete}
RETURNS = {Qt.Key.Key_Return, Qt.Key.Key_Enter}
SHORTCUT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.MetaModifier


class Statistics(QObject):
    """Counts what happens in one window.

    A key counts as typed if it writes or deletes.  Taking a suggestion saves its characters less
    the one key it took.  A word counts as offered something if a suggestion was on screen while it
    was written.
    """

    def __init__(
        self, editor: Editor, bar: SuggestionBar, controller: PredictionController, path: Path,
        parent: QObject | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self.store = StatisticsStore(path)
        self._editor = editor
        self._is_private = False
        self._counts, self._latencies = Counts(), Counter[int]()
        self._word_start_utf16 = -1
        self._was_offered = False  # whether the word being written was
        self._key_ms = 0.0  # of the last key that a list was painted for
        self._has_answer = False
        self._keeping = QTimer(self)
        self._keeping.setSingleShot(True)
        self._keeping.setInterval(KEPT_AFTER_MS)
        self._keeping.timeout.connect(self.keep)
        editor.installEventFilter(self)
        editor.taken.connect(self._on_taken)
        editor.context_changed.connect(self._on_context_changed)
        controller.glanced.connect(self._on_answer)
        controller.predicted.connect(self._on_answer)
        bar.painted.connect(self._on_painted)

    def follow(self, settings: Settings) -> None:
        """Count, or in private mode nothing."""
        if settings.is_private and not self._is_private:
            self.keep()
        self._is_private = settings.is_private

    @Slot()
    def keep(self) -> None:
        """Write down what was counted."""
        self._keeping.stop()
        if self._counts != Counts() or self._latencies:
            self.store.add(today(), self._counts, self._latencies)
            self._counts, self._latencies = Counts(), Counter()

    def clear(self) -> None:
        """Forget all figures.

        Raises:
            StatisticsError: they could not be removed from the disk.
        """
        self._counts, self._latencies = Counts(), Counter()
        self.store.clear()

    def close(self) -> None:
        """Write down the rest."""
        self.keep()
        self.store.close()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Count the keys that reach the text."""
        if not self._is_private:
            typed = 0
            if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
                typed = int(_writes(event))
            elif isinstance(event, QInputMethodEvent):
                typed = len(event.commitString())
            if typed:
                self._counts.typed += typed
                self._keep_soon()
        return super().eventFilter(watched, event)

    def _keep_soon(self) -> None:
        if not self._keeping.isActive():
            self._keeping.start()

    @Slot(str)
    def _on_taken(self, text: str) -> None:
        if self._is_private:
            return
        words = max(len(text.split()), 1)
        self._counts.taken += words
        self._counts.offered += words
        self._counts.saved += max(len(text) - 1, 0)
        self._was_offered = False  # it is counted already
        self._keep_soon()

    @Slot(object)
    def _on_context_changed(self, context: Context) -> None:
        is_next = context.word_start_utf16 > self._word_start_utf16
        if is_next and self._was_offered and self._editor.is_writing and not self._is_private:
            self._counts.offered += 1
        if context.word_start_utf16 != self._word_start_utf16:
            self._word_start_utf16, self._was_offered = context.word_start_utf16, False
        elif self._editor.is_writing and (self._editor.offers_words or self._editor.ghost):
            self._was_offered = True
        self._has_answer = False

    @Slot()
    def _on_answer(self) -> None:
        self._has_answer = True

    @Slot()
    def _on_painted(self) -> None:
        """The words for the last key are on the screen."""
        pressed_ms = self._editor.last_key.handled_ms
        if self._has_answer and pressed_ms > self._key_ms and not self._is_private:
            self._key_ms = pressed_ms
            latency_ms = time.monotonic() * 1000 - pressed_ms
            self._latencies[min(int(latency_ms // BIN_MS), BINS - 1)] += 1


def today() -> str:
    """Return the day where the writer is, 2026-11-30."""
    return date.today().isoformat()


def _writes(event: QKeyEvent) -> bool:
    """Whether a key writes or deletes, and is no shortcut."""
    key, modifiers = Qt.Key(event.key()), event.modifiers()
    if modifiers & SHORTCUT and not modifiers & Qt.KeyboardModifier.AltModifier:
        return False
    if key in DELETES or key in RETURNS:
        return True
    is_alt = bool(modifiers & Qt.KeyboardModifier.AltModifier) and not modifiers & SHORTCUT
    return bool(event.text()) and event.text().isprintable() and not is_alt
