"""Small parts of the probability panel: headings, figures with captions, a switch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app import theme
from app.translation import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

UNKNOWN = "–"


def heading(text: str) -> QLabel:
    """Return the quiet title of a section."""
    label = QLabel(text)
    font = theme.interface_font(theme.SMALL_SIZE_PT)
    font.setWeight(font.Weight.DemiBold)
    label.setFont(font)
    label.setProperty("isQuiet", True)
    return label


def note(text: str = "") -> QLabel:
    """Return a quiet line of small print."""
    label = QLabel(text)
    label.setFont(theme.interface_font(theme.SMALL_SIZE_PT))
    label.setProperty("isQuiet", True)
    label.setWordWrap(True)
    return label


def link(text: str, description: str) -> QPushButton:
    """Return a button that looks like a word to click."""
    button = QPushButton(text)
    button.setProperty("isLink", True)
    button.setFont(theme.interface_font(theme.SMALL_SIZE_PT + 0.5))
    button.setCursor(Qt.CursorShape.PointingHandCursor)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setAccessibleDescription(description)
    button.setToolTip(description)
    return button


class Figure(QWidget):
    """A figure over its name."""

    def __init__(self, name: str, meaning: str) -> None:
        super().__init__()
        self._name, self._value, self._caption = name, QLabel(UNKNOWN), note(name)
        self._value.setFont(theme.interface_font(theme.INTERFACE_SIZE_PT + 1))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(1)
        column.addWidget(self._value)
        column.addWidget(self._caption)
        self.setToolTip(meaning)
        self.show_value(UNKNOWN)

    @property
    def text(self) -> str:
        """The figure as it is shown."""
        return self._value.text()

    def show_value(self, text: str, name: str | None = None, *, is_settled: bool = True) -> None:
        """Show a figure, under another name if need be.

        One that is not settled is quiet, for it is of the text as it was.
        """
        self._value.setText(text)
        self._value.setEnabled(is_settled)
        self._caption.setText(name or self._name)
        self._value.setAccessibleName(f"{name or self._name}: {text}")


class Line(QWidget):
    """A name on the left and its figure on the right."""

    def __init__(self, name: str, meaning: str) -> None:
        super().__init__()
        self._name, self._label, self._value = name, QLabel(name), QLabel(UNKNOWN)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._label)
        row.addWidget(self._value)
        for one in (self._label, self._value):
            one.setFont(theme.interface_font())
        self._value.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setToolTip(meaning)

    @property
    def text(self) -> str:
        """The figure as it is shown."""
        return self._value.text()

    def show_value(self, text: str) -> None:
        """Show a figure."""
        self._value.setText(text)
        self._value.setAccessibleName(f"{self._name}: {text}")


class Switch(QWidget):
    """Words of which one is chosen.

    Signals:
        turned(int): another one was chosen; its place.
    """

    turned = Signal(int)

    def __init__(self, name: str, choices: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self._group = QButtonGroup(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(10)
        for place, (text, meaning) in enumerate(choices):
            button = link(tr(text), tr(meaning))
            button.setCheckable(True)
            button.setChecked(place == 0)
            self._group.addButton(button, place)
            row.addWidget(button)
        self._group.idToggled.connect(self._on_toggled)

    @property
    def place(self) -> int:
        """Which one is chosen."""
        return self._group.checkedId()

    def choose(self, place: int) -> None:
        """Choose one."""
        self._group.button(place).setChecked(True)

    def _on_toggled(self, place: int, is_on: bool) -> None:
        if is_on:
            self.turned.emit(place)
