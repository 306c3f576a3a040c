"""A line of text with a button or two, in the window: for what should not stop the writer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from app.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable


class Notice(QFrame):
    """Says one thing at a time, and is hidden when it has nothing to say."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAutoFillBackground(True)
        self._text = QLabel()
        self._text.setWordWrap(True)
        self._text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(20, 9, 14, 9)
        self._row.setSpacing(8)
        self._row.addWidget(self._text, 1)
        self._buttons: list[QPushButton] = []
        self.hide()

    @property
    def text(self) -> str:
        """What is said, or "" if nothing is."""
        return self._text.text() if not self.isHidden() else ""

    def say(
        self, text: str, *answers: tuple[str, Callable[[], object]], is_question: bool = False
    ) -> None:
        """Show `text` and a button for each answer; every button also ends the notice.

        What is no question can be dismissed without an answer.
        """
        for button in self._buttons:
            self._row.removeWidget(button)
            button.deleteLater()
        self._text.setText(text)
        dismiss = () if is_question else ((tr("Dismiss"), lambda: None),)
        self._buttons = [self._button(label, act) for label, act in (*answers, *dismiss)]
        self.show()

    def answer(self, label: str) -> None:
        """Press the button with this label."""
        next(button for button in self._buttons if button.text() == label).click()

    def _button(self, label: str, act: Callable[[], object]) -> QPushButton:
        def pressed() -> None:
            self.hide()
            act()

        button = QPushButton(label)
        button.clicked.connect(pressed)
        self._row.addWidget(button)
        return button

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the line between the notice and the text."""
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setPen(self.palette().mid().color())
        bottom = self.height() - 0.5
        painter.drawLine(QPointF(0, bottom), QPointF(self.width(), bottom))
