"""What the steps of the Personalise dialog have in common: a heading, and words under it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QVBoxLayout, QWidget

from app import theme

HEADING_SIZE_PT = 17.0


class Page(QWidget):
    """One step.

    `forward` and `back` are the texts of the dialog's buttons, "" for none; `is_ready` tells
    whether the one that leads forward may be pressed.

    Signals:
        changed(): a button's text, or whether it may be pressed.
    """

    changed = Signal()

    def __init__(self, heading: str, introduction: str = "") -> None:
        super().__init__()
        self.forward, self.back, self.is_ready = "", "", False
        self.heading = QLabel(heading)
        self.heading.setFont(theme.writing_font(HEADING_SIZE_PT))
        self.introduction = quiet(introduction)
        self.introduction.setVisible(bool(introduction))
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(8)
        self.column.addWidget(self.heading)
        self.column.addWidget(self.introduction)

    def set_buttons(self, forward: str, back: str, *, is_ready: bool) -> None:
        """Name the buttons of the dialog while this page is shown."""
        self.forward, self.back, self.is_ready = forward, back, is_ready
        self.changed.emit()


def framed(widget: QFrame) -> None:
    """Draw a quiet line around a list or a text."""
    widget.setFrameShape(QFrame.Shape.NoFrame)
    widget.setProperty("isFramed", True)


def wrapped(text: str = "") -> QLabel:
    """A label of as many lines as it takes, whose text can be copied."""
    label = QLabel(text)
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
    return label


def quiet(text: str = "") -> QLabel:
    """A label that may be overlooked."""
    label = wrapped(text)
    label.setProperty("isQuiet", True)
    return label
