"""The writing area: what its keys, its menu and its mouse do.

What is offered and taken is in `app.taking`.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QGuiApplication,
    QInputMethodEvent,
    QKeyEvent,
    QKeySequence,
    QPaintEvent,
)

from app.acceptance import TAKES_SPACE
from app.caret import line_around, text_between
from app.indenting import indent, outdent, spans_lines
from app.taking import TakingPage
from app.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable

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


class Editor(TakingPage):
    """The text the writer works on.

    Signals:
        take_first(): Tab was pressed while words are offered.
        dismissed(): Esc hid the offered words until the next character.
        file_dropped(Path): a file was dropped or pasted.
        painted(): the text has been drawn.
        menu_wanted(QMenu, int): the context menu is about to be shown, for a position in the
            text; add to it.
    """

    take_first = Signal()
    dismissed = Signal()
    file_dropped = Signal(object)
    painted = Signal()
    menu_wanted = Signal(object, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.offers_words = False  # whether words to take are on screen
        self.last_key = Keystroke(0.0, 0)
        self._typed_ms = 0.0  # when the last character was typed
        self.setTabChangesFocus(False)
        self.setAccessibleName(tr("Text"))

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


def _is_typed(event: QKeyEvent) -> bool:
    """Whether the key types a character, as Qt itself decides it."""
    text, modifiers = event.text(), event.modifiers()
    control = modifiers & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.MetaModifier)
    alt = modifiers & Qt.KeyboardModifier.AltModifier
    is_alt_gr = bool(control and alt)
    return bool(text) and text.isprintable() and (is_alt_gr or not (control or alt))
