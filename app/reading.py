"""Keeps the reading of one editor's text up, in the pauses of writing.

What is on screen is read first.  A long text is read around what is on screen only, until the
writer asks for all of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from app.caret import text_between
from app.reading_work import LINE_ENDS, PageBegun, PagePart, PageRequest, PageScored
from app.text_mirror import TextMirror, decoded
from app.word_figures import WordFigures, figures_of
from app.written_tokens import WrittenTokens
from app.written_words import WrittenWord, words_in

if TYPE_CHECKING:
    from PySide6.QtCore import QPoint

    from app.editor import Editor
    from app.prediction import PredictionController
    from model.tokenizer import Tokenizer

PAUSE_MS = 300  # without an edit or a scroll, before the text is read
LONG_CHARACTERS = 100_000  # a longer text is read around the screen; the whole takes minutes
REACH_TOKENS = 600
LONGEST_CHARACTERS = 2_000_000  # of a longer text, only a part around the screen is looked at
PART_CHARACTERS = 200_000
AROUND_CHARACTERS = 300  # of a paragraph, on either side of a word that is looked for
MISSED_PX = 14  # how far from a word the pointer may be


class Reading(QObject):
    """The model's opinion of the text in one editor, as far as it is known.

    Signals:
        changed(): tokens or scores are others, or a reading has ended.
        outdated(): the text was edited; `tokens` have followed, but their figures are old.

    Attributes:
        tokens: of the text; their positions follow every edit at once.
        is_current: whether `tokens` are those of the text as it is.
        is_complete: whether all that was asked for is read.
        tokenizer: of the model that read; None before the first time.
        window_tokens: how many tokens the model sees at once.
    """

    changed = Signal()
    outdated = Signal()

    def __init__(
        self, editor: Editor, controller: PredictionController, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.tokens = WrittenTokens.none()
        self.is_current = self.is_complete = False
        self.tokenizer: Tokenizer | None = None
        self.window_tokens = 0
        self.version = 0  # another one whenever the words are others
        self._editor, self._controller = editor, controller
        self._document = editor.document()
        self._revision = self._document.revision()
        self._mirror: TextMirror | None = None
        self._wanted_by: set[str] = set()
        self._reads_all = False
        self._ticket = 0
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE_MS)
        self._pause.timeout.connect(self._ask)
        self._document.contentsChange.connect(self._on_contents_change)
        editor.turned.connect(self._on_turned)
        editor.verticalScrollBar().valueChanged.connect(self._read_soon)
        controller.cancelled.connect(self._read_soon)
        controller.page_read.connect(self._on_part)
        controller.ready.connect(self._on_ready)

    def want(self, who: str, is_wanted: bool) -> None:
        """Read as long as anyone wants it."""
        if is_wanted:
            self._wanted_by.add(who)
        else:
            self._wanted_by.discard(who)
        if not self._wanted_by:
            self._drop_mirror()
        self._read_soon()

    def read_all(self) -> None:
        """Read a long text to its end too."""
        self._reads_all, self.is_complete = True, False
        self._read_soon()

    def give_way(self) -> None:
        """Let something shorter come first; what is not read yet follows after a pause."""
        if not self.is_complete:
            self._controller.stop_reading()
            self._read_soon()

    @property
    def is_partial(self) -> bool:
        """Whether the text is so long that only a part of it is read."""
        return self._is_long and not (self._reads_all and self.text_utf16 <= LONGEST_CHARACTERS)

    @property
    def can_read_all(self) -> bool:
        """Whether `read_all` would read more."""
        return self.is_partial and self.text_utf16 <= LONGEST_CHARACTERS

    @property
    def text_utf16(self) -> int:
        """Length of the text."""
        return self._document.characterCount() - 1

    def words(self, start: int, end: int) -> list[WrittenWord]:
        """The words between two positions, which lie in one paragraph."""
        return words_in(text_between(self._document, start, end), start, self.tokens)

    def word_at(self, position: int, *, prefers_next: bool = False) -> WrittenWord | None:
        """The word that a position is in or at the end of, or else the one that begins there."""
        block = self._document.findBlock(position)
        start = max(block.position(), position - AROUND_CHARACTERS)
        end = min(block.position() + block.length() - 1, position + AROUND_CHARACTERS)
        touching = [w for w in self.words(start, end) if w.start <= position <= w.end]
        return touching[-1 if prefers_next else 0] if touching else None

    def word_under(self, point: QPoint) -> WrittenWord | None:
        """The word at a point of the editor's viewport."""
        cursor = self._editor.cursorForPosition(point)
        place = self._editor.cursorRect(cursor)
        if not place.adjusted(-MISSED_PX, -MISSED_PX, MISSED_PX, MISSED_PX).contains(point):
            return None
        return self.word_at(cursor.position(), prefers_next=point.x() > place.x())

    def figures(self, word: WrittenWord) -> WordFigures | None:
        """What there is to say of a word; None while it is not read."""
        return figures_of(word, self.tokens, self.tokenizer) if self.tokenizer else None

    def text(self) -> str | None:
        """The text that `tokens` are of, if they are those of a whole text as it is."""
        if self._mirror is None or not self._mirror.is_complete or not self.is_current:
            return None
        return decoded(self._mirror.units(0, self.text_utf16)).translate(LINE_ENDS)

    @property
    def _is_long(self) -> bool:
        return self.text_utf16 > LONG_CHARACTERS

    def _drop_mirror(self) -> None:
        if self._mirror is not None:
            self._mirror.stop()
            self._mirror = None

    def _forget(self) -> None:
        self.tokens = WrittenTokens.none()
        self._outdate()
        self.changed.emit()

    def _outdate(self) -> None:
        self._ticket += 1
        self.version += 1
        self.is_current = self.is_complete = False
        self._read_soon()

    @Slot()
    def _on_turned(self) -> None:
        self._document.contentsChange.disconnect(self._on_contents_change)
        self._document = self._editor.document()
        self._revision = self._document.revision()
        self._document.contentsChange.connect(self._on_contents_change)
        self._reads_all = False
        self._drop_mirror()
        self._forget()

    @Slot(int, int, int)
    def _on_contents_change(self, position: int, removed: int, added: int) -> None:
        if self._document.revision() == self._revision:  # only its looks have changed
            return
        self._revision = self._document.revision()
        self._controller.cancel()
        self.tokens.edit(position, removed, added)
        self._outdate()
        self.outdated.emit()

    @Slot()
    def _read_soon(self) -> None:
        if self._wanted_by and self._controller.is_ready:
            self._pause.start()
        else:
            self._pause.stop()

    @Slot()
    def _on_ready(self) -> None:
        self._forget()  # another model has other tokens

    @Slot()
    def _ask(self) -> None:
        if not self._wanted_by or (self.is_complete and not self.is_partial):
            return
        if self._mirror is None:
            self._mirror = TextMirror(self._document, self)
            self._mirror.completed.connect(self._ask)
        if not self._mirror.is_complete:  # it will tell
            return
        self.is_complete = False
        seen = self._editor.visible_range()
        start, end = self._part(seen[0])
        request = PageRequest(
            self._ticket, self._mirror.units(start, end), start, seen,
            self._editor.textCursor().position(), REACH_TOKENS if self.is_partial else None,
        )  # fmt: skip
        self._controller.read(request)

    def _part(self, seen: int) -> tuple[int, int]:
        """Which part of the text to look at: all of it, unless it is far too long."""
        if self.text_utf16 <= LONGEST_CHARACTERS:
            return 0, self.text_utf16
        step = PART_CHARACTERS // 4  # the part stays the same while the writer scrolls a little
        start = max(0, seen // step - 1) * step
        block = self._document.findBlock(start)
        start = block.position() if start - block.position() < step else start
        return start, min(start + PART_CHARACTERS, self.text_utf16)

    @Slot(object)
    def _on_part(self, part: PagePart) -> None:
        if part.ticket != self._ticket:
            return
        if isinstance(part, PageBegun):
            part.tokens.remember(self.tokens)
            self.tokens, self.is_current = part.tokens, True
            self.version += 1
            self.tokenizer, self.window_tokens = part.tokenizer, part.window_tokens
        elif isinstance(part, PageScored):
            self.tokens.put(part.first, part.scores)
        else:
            self.is_complete = True
        self.changed.emit()
