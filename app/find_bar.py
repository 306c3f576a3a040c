"""The slim bar for finding and replacing, above the text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from app import theme
from app.search import PatternError, SearchTimeout, Wanted
from app.translation import marked, tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.finder import Finder

FIELD_PX, COUNT_PX = 300, 112
OPTIONS = (
    (marked("Aa"), marked("Match capitals"), "has_case"),
    (marked("Word"), marked("Whole words only"), "is_whole_word"),
    (".*", marked("Regular expression"), "is_regex"),
)


class FindBar(QFrame):
    """Asks a finder, and shows what it finds.

    Signals:
        closed(): the writer goes back to the text.
        entered(bool): the keyboard is in the bar from now on, or in the text again.
    """

    closed = Signal()
    entered = Signal(bool)

    def __init__(self, finder: Finder, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._finder = finder
        self._is_entered = False
        self.setAccessibleName(tr("Find and replace"))
        self.setAutoFillBackground(True)
        self.find_field, self.replace_field = _field(tr("Find")), _field(tr("Replace with"))
        self.count = QLabel()
        self.count.setFont(theme.interface_font(theme.SMALL_SIZE_PT))
        self.count.setProperty("isQuiet", True)
        self.count.setMinimumWidth(COUNT_PX)
        self.count.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.options = {name: _option(*map(tr, texts)) for *texts, name in OPTIONS}
        self._replacing = QWidget()
        self._lay_out()
        for option in self.options.values():
            option.toggled.connect(self._look)
        self.find_field.textChanged.connect(self._look)
        finder.counted.connect(self._on_counted)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._on_focus_changed)
        self.hide()

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(20, 7, 14, 7)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(6)
        options = QHBoxLayout()
        options.setSpacing(2)
        for option in self.options.values():
            options.addWidget(option)
        steps = QHBoxLayout()
        steps.setSpacing(2)
        steps.addWidget(_button("↑", tr("Previous"), lambda: self.step(-1)))
        steps.addWidget(_button("↓", tr("Next"), lambda: self.step(1)))
        steps.addWidget(_button("×", tr("Close"), self.close_bar))
        grid.addWidget(self.find_field, 0, 0)
        grid.addLayout(options, 0, 1)
        grid.addWidget(self.count, 0, 2)
        grid.addLayout(steps, 0, 3)
        row = QHBoxLayout(self._replacing)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        for text, act in ((tr("Replace"), self.replace), (tr("Replace All"), self.replace_all)):
            button = QPushButton(text)
            button.setAutoDefault(False)
            button.clicked.connect(act)
            row.addWidget(button)
        row.addStretch(1)
        grid.addWidget(self.replace_field, 1, 0)
        grid.addWidget(self._replacing, 1, 1, 1, 3)

    @property
    def wanted(self) -> Wanted:
        """What the writer is looking for."""
        chosen = {name: option.isChecked() for name, option in self.options.items()}
        return Wanted(self.find_field.text(), **chosen)

    def open_for(self, text: str, *, replaces: bool) -> None:
        """Show the bar, with `text` to look for if there is any."""
        self.replace_field.setVisible(replaces)
        self._replacing.setVisible(replaces)
        self.show()
        if text:
            self.find_field.setText(text)
        self.find_field.selectAll()
        self.find_field.setFocus()
        self._look()

    @Slot()
    def close_bar(self) -> None:
        """Hide the bar; the place that is selected stays so."""
        self.hide()
        self._finder.end()
        self.closed.emit()

    def step(self, steps: int) -> None:
        """Go to the next place, or with -1 to the one before."""
        self._try(lambda: self._finder.step(steps))

    @Slot()
    def replace(self) -> None:
        """Replace the place that is selected."""
        self._try(lambda: self._finder.replace(self.replace_field.text()))

    @Slot()
    def replace_all(self) -> None:
        """Replace every place."""

        def act() -> None:
            count = self._finder.replace_everything(self.replace_field.text())
            self._finder.look_for(self.wanted)
            places = tr("%n places", "", count)
            self._say(tr("Replaced {places}", places=places) if count else tr("Not found"))

        self._try(act)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter goes on, with Shift back; Esc closes."""
        if event.key() == Qt.Key.Key_Escape:
            self.close_bar()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self.replace_field.hasFocus():
                self.replace()
            else:
                self.step(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the line between the bar and the text."""
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setPen(self.palette().mid().color())
        bottom = self.height() - 0.5
        painter.drawLine(QPointF(0, bottom), QPointF(self.width(), bottom))

    @Slot()
    def _look(self) -> None:
        def act() -> None:
            self._finder.look_for(self.wanted)
            self._finder.step(1, from_start=True)

        if self.isVisible():
            if not self.find_field.text():
                self._finder.end()
                self._say("")
            else:
                self._try(act)

    def _try(self, act: Callable[[], object]) -> None:
        try:
            act()
        except (PatternError, SearchTimeout) as err:
            self._say(str(err))

    @Slot(QWidget, QWidget)
    def _on_focus_changed(self, before: QWidget | None, now: QWidget | None) -> None:
        is_here = now is not None and self.isAncestorOf(now)
        if now is not None and is_here != self._is_entered:  # None: another program's window
            self._is_entered = is_here
            self.entered.emit(is_here)

    @Slot(int, int, bool)
    def _on_counted(self, place: int, count: int, is_complete: bool) -> None:
        more = "" if is_complete else "+"
        if not count:
            self._say(tr("Not found") if is_complete else tr("Takes too long"))
        elif place:
            self._say(tr("{place:,} of {count:,}{more}", place=place, count=count, more=more))
        else:
            self._say(tr("{count:,}{more} found", count=count, more=more))

    def _say(self, text: str) -> None:
        self.count.setText(text)
        self.count.setToolTip(text)


def _field(name: str) -> QLineEdit:
    field = QLineEdit()
    field.setPlaceholderText(name)
    field.setAccessibleName(name)
    field.setFixedWidth(FIELD_PX)
    return field


def _option(text: str, tip: str) -> QToolButton:
    button = _button(text, tip, lambda: None)
    button.setCheckable(True)
    return button


def _button(text: str, tip: str, act: Callable[[], object]) -> QToolButton:
    button = QToolButton()
    button.setText(text)
    button.setToolTip(tip)
    button.setAccessibleName(tip)
    button.setAutoRaise(True)
    button.clicked.connect(lambda: act())
    return button
