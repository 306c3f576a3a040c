"""Five words the writer may take, under the text, each with its probability.

Which words these are depends on the text alone, and the first place holds the likeliest.  While
one word is being typed, the others keep their places as long as they stay among the five, so that
the eye finds them where it saw them; only where that would set a word before one that is really
likelier do the two change places.  A correction, which replaces the typed letters, and a next word,
which follows them after a space, are marked; Tab takes them only if they stand in the first place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QContextMenuEvent, QFontMetricsF, QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QSizePolicy, QWidget

from app import theme
from app.translation import localised, tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.caret import Context
    from model.offer import Word

PLACES = 5
HEIGHT_PX = 62
GAP_PX = 14
GAUGE_PX = 2
FIGURE_PX = 36  # wide enough for 100%, so that the keys stand in line
WORD_SIZE_PT = 13.0
CORRECTS, FOLLOWS, SIGN_PX = "↺", "+", 16
# Only a difference that can be seen moves a word: of so many times, and so much probability.
REALLY_LIKELIER, CLEARLY_MORE = 2.0, 0.03


def arrange(
    shown: Sequence[Word | None], ranked: Sequence[Word], keep_places: bool
) -> list[Word | None]:
    """Return the word of each place: the best first, known ones where they were, then by rank.

    No word stands before one that is really likelier.
    """
    places: list[Word | None] = [None] * PLACES
    best = list(ranked[:PLACES])
    if keep_places and best:
        places[0] = best.pop(0)
        was = {(word.text, word.is_next): place for place, word in enumerate(shown) if word}
        for word in list(best):
            place = was.get((word.text, word.is_next), 0)
            if place and places[place] is None:
                places[place] = word
                best.remove(word)
    for place in range(PLACES):
        if places[place] is None and best:
            places[place] = best.pop(0)
    filled = [place for place, word in enumerate(places) if word]
    for left in filled:
        for right in filled:
            if left < right and _is_really_likelier(places[right], places[left]):
                places[left], places[right] = places[right], places[left]
    return places


def _is_really_likelier(word: Word | None, other: Word | None) -> bool:
    assert word is not None
    assert other is not None
    difference = word.probability - other.probability
    times = word.probability / max(other.probability, 1e-9)
    return difference >= CLEARLY_MORE and times >= REALLY_LIKELIER


def kind_of(word: Word | None) -> tuple[str, str]:
    """Return what a word is to the typed letters, and the sign that says so; "" if it is usual."""
    if word and word.is_correction:
        return tr("Correction"), CORRECTS
    return (tr("Next word"), FOLLOWS) if word and word.is_next else (tr("Suggestion"), "")


def percent(probability: float) -> str:
    """Return a probability as a short percentage."""
    return "<" + localised("1%") if probability <= 0.005 else localised(f"{probability:.0%}")


def native(key: str) -> str:
    """Return the name of a key as this platform writes it."""
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)


class WordCell(QAbstractButton):
    """One place of the bar.

    Signals:
        painted(): the cell has been drawn.
        menu_wanted(QPoint): the cell was clicked with the right button; where on the screen.
    """

    painted = Signal()
    menu_wanted = Signal(QPoint)

    def __init__(self, place: int, parent: QWidget) -> None:
        super().__init__(parent)
        self.word: Word | None = None
        self._place = place
        self._has_tab = place == 0
        self._word_font = theme.writing_font(WORD_SIZE_PT)
        self._small_font = theme.interface_font(theme.SMALL_SIZE_PT)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # a click leaves the caret in the text
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.show_word(None)

    def show_word(self, word: Word | None) -> None:
        """Show a word, or an empty place."""
        self.word = word
        self.setEnabled(word is not None)
        self.setCursor(Qt.CursorShape.PointingHandCursor if word else Qt.CursorShape.ArrowCursor)
        keys = tr("Tab or {key}", key=native("Alt+1")) if self._has_tab else self._key
        kind, sign = kind_of(word)
        said = f"{word.text}, {percent(word.probability)}, {keys}" if word else tr("none")
        self.setAccessibleName(f"{kind} {self._place + 1}: {said}")
        tip = f"{word.text} · {localised(f'{word.probability:.2%}')} · {keys}" if word else ""
        self.setToolTip(f"{sign} {kind}: {tip}" if sign else tip)
        self.update()

    @property
    def _key(self) -> str:
        return native("Tab" if self._has_tab else f"Alt+{self._place + 1}")

    def set_tab(self, has_tab: bool) -> None:
        """Say whether Tab takes the word of this place."""
        self._has_tab = has_tab
        self.show_word(self.word)

    def sizeHint(self) -> QSize:
        """All places are equally wide, whatever stands in them."""
        return QSize(80, HEIGHT_PX)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu of this word."""
        if self.word:
            self.menu_wanted.emit(event.globalPos())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the gauge, the word, and its probability and key."""
        painter = QPainter(self)
        palette, width = self.palette(), float(self.width())
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.fillRect(QRectF(0, 0, width, GAUGE_PX), palette.mid())
        if self.word:
            length = width * min(1.0, self.word.probability)
            painter.fillRect(QRectF(0, 0, max(length, GAUGE_PX), GAUGE_PX), palette.accent())
            is_lit = self.underMouse() or self._place == 0
            painter.setPen((palette.accent() if is_lit else palette.text()).color())
            painter.setFont(self._word_font)
            metrics = QFontMetricsF(self._word_font)
            sign = kind_of(self.word)[1]
            left = SIGN_PX if sign else 0
            text = metrics.elidedText(self.word.text, Qt.TextElideMode.ElideRight, width - left)
            painter.drawText(QRectF(left, 8, width - left, 26), middle, text)
            painter.setPen(palette.placeholderText().color())
            painter.setFont(self._small_font)
            figure = percent(self.word.probability)
            painter.drawText(QRectF(0, 34, FIGURE_PX, 18), middle, figure)
            painter.drawText(QRectF(FIGURE_PX, 34, width - FIGURE_PX, 18), middle, self._key)
            painter.drawText(QRectF(0, 8, SIGN_PX, 26), middle, sign)
        painter.end()
        self.painted.emit()


class SuggestionBar(QWidget):
    """The row of five words.

    Signals:
        taken(int): the word in this place was clicked.
        menu_wanted(int, QPoint): more is wanted of that word; where on the screen.
        painted(): the words last given have been drawn.
    """

    taken = Signal(int)
    menu_wanted = Signal(int, QPoint)
    painted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.offered_for: Context | None = None  # the text that the shown words go on with
        self._is_paint_due = False
        self.setAccessibleName(tr("Suggestions"))
        self.setFixedHeight(HEIGHT_PX)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GAP_PX)
        self._cells = [WordCell(place, self) for place in range(PLACES)]
        for place, cell in enumerate(self._cells):
            row.addWidget(cell, 1)
            cell.clicked.connect(lambda _=False, place=place: self.taken.emit(place))
            cell.menu_wanted.connect(lambda at, place=place: self.menu_wanted.emit(place, at))
        self._cells[-1].painted.connect(self._on_painted)  # siblings are drawn in order

    @property
    def words(self) -> list[Word | None]:
        """The word in each place."""
        return [cell.word for cell in self._cells]

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to take."""
        return not any(self.words)

    def show_words(self, ranked: Sequence[Word], context: Context) -> None:
        """Show the likeliest words for `context`."""
        before = self.offered_for
        is_same_word = before is not None and before.word_start_utf16 == context.word_start_utf16
        self.offered_for = context
        for cell, word in zip(self._cells, arrange(self.words, ranked, is_same_word), strict=True):
            if cell.word != word:
                cell.show_word(word)
        self._is_paint_due = True
        self.update()

    def set_tab(self, takes_first: bool) -> None:
        """Say whether Tab takes the first word."""
        self._cells[0].set_tab(takes_first)

    def clear(self) -> None:
        """Show nothing."""
        self.offered_for = None
        for cell in self._cells:
            cell.show_word(None)

    @Slot()
    def _on_painted(self) -> None:
        if self._is_paint_due:
            self._is_paint_due = False
            self.painted.emit()
