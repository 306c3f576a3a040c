"""The last step: what was gained, in numbers and words, and whether to use it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget

from app import theme
from app.personalise.measures import changes, duration
from app.personalise.page import Page, quiet, wrapped
from app.translation import marked, tr

if TYPE_CHECKING:
    from app.personalise.protocol import Finished

UNDECIDED = marked(
    "Nothing changes until you decide, and you can go back at any time: Model menu, Go Back."
)
INTRODUCTION = marked("Both models were tried on texts of yours kept back from training.")
AMOUNT_SIZE_PT = 15.0


class ResultPage(Page):
    """Before and after, side by side."""

    def __init__(self) -> None:
        super().__init__(tr("Your personal model is ready"), _introduction(is_compared=True))
        self.verdict = wrapped()
        self.verdict.setFont(theme.writing_font(12.5))
        self._figures = QWidget()
        self._time = quiet()
        self.column.addWidget(self.verdict)
        self.column.addSpacing(6)
        self.column.addWidget(self._figures)
        self.column.addWidget(self._time)
        self.column.addStretch(1)

    def show_result(self, result: Finished) -> None:
        """Show the result of a training."""
        self.verdict.setText(result.verdict.rstrip(".") + ".")
        self._time.setText(tr("Trained in {time}.", time=duration(result.seconds)))
        is_compared = bool(changes(result.before, result.after))
        self.introduction.setText(_introduction(is_compared=is_compared))
        figures = _figures(result) if is_compared else QWidget()
        self.column.replaceWidget(self._figures, figures)
        self._figures.deleteLater()
        self._figures = figures
        self.set_buttons(tr("&Use It Now"), tr("&Keep the Old One"), is_ready=True)


def _introduction(*, is_compared: bool) -> str:
    return f"{tr(INTRODUCTION)} {tr(UNDECIDED)}" if is_compared else tr(UNDECIDED)


def _figures(result: Finished) -> QWidget:
    table = QWidget()
    grid = QGridLayout(table)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(28)
    grid.setVerticalSpacing(10)
    grid.setColumnStretch(0, 1)
    right = Qt.AlignmentFlag.AlignRight
    when = (tr("before"), tr("after"))
    for column, title in enumerate(when, start=1):
        grid.addWidget(quiet(title), 0, column, right)
    for row, change in enumerate(changes(result.before, result.after), start=1):
        measure = change.measure
        name, explanation = QLabel(tr(measure.title)), quiet(tr(measure.explanation))
        explanation.setFont(theme.interface_font(theme.SMALL_SIZE_PT))
        told = QVBoxLayout()
        told.setSpacing(1)
        told.addWidget(name)
        told.addWidget(explanation)
        grid.addLayout(told, row, 0)
        for column, value in ((1, change.before), (2, change.after)):
            amount = QLabel(measure.written(value))
            amount.setFont(theme.interface_font(AMOUNT_SIZE_PT))
            amount.setProperty("isQuiet", column == 1)
            amount.setAccessibleName(f"{tr(measure.title)}, {when[column - 1]}")
            grid.addWidget(amount, row, column, right | Qt.AlignmentFlag.AlignTop)
    return table
