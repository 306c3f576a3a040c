"""The Personalise dialog: four steps from a folder of texts to a model that knows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QMessageBox,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app import models, paths, theme
from app.personalise import request as requests
from app.personalise.check_page import CheckPage
from app.personalise.choose_page import ChoosePage
from app.personalise.progress_page import ProgressPage
from app.personalise.request import Request
from app.personalise.result_page import ResultPage
from app.translation import marked, tr
from model.files import why_unwritable

if TYPE_CHECKING:
    from app.personalise.page import Page
    from app.personalise.training import Training

STEPS = (marked("Choose"), marked("Check"), marked("Train"), marked("Compare"))
WIDTH_PX, HEIGHT_PX = 740, 620


class PersonaliseDialog(QDialog):
    """Leads through a `Training`; closing it ends nothing.

    Signals:
        use_wanted(str): the new version, as the catalogue refers to it, is to be used now.
    """

    use_wanted = Signal(str)

    def __init__(self, training: Training, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Personalise"))
        self.resize(WIDTH_PX, HEIGHT_PX)
        self._training = training
        self.choose, self.check = ChoosePage(), CheckPage()
        self.progress, self.compare = ProgressPage(training), ResultPage()
        self.pages: list[Page] = [self.choose, self.check, self.progress, self.compare]
        self._stack = QStackedWidget()
        self._steps = [
            QLabel(f"{number}  {tr(name)}") for number, name in enumerate(STEPS, start=1)
        ]
        self.close_button, self.back = QPushButton(tr("Close")), QPushButton()
        self.forward = QPushButton()
        self._lay_out()
        for page in self.pages:
            self._stack.addWidget(page)
            page.changed.connect(self._follow_page)
        self.close_button.clicked.connect(self.close)
        self.back.clicked.connect(self._on_back)
        self.forward.clicked.connect(self._on_forward)
        training.changed.connect(self._follow_training)
        if earlier := training.request or requests.last():
            self.choose.add(earlier.paths)
            self.choose.author.setText(earlier.author)
        self._turn_to(self.choose)
        self._follow_training()

    @property
    def page(self) -> Page:
        """The step that is shown."""
        return self.pages[self._stack.currentIndex()]

    def _lay_out(self) -> None:
        steps = QHBoxLayout()
        steps.setSpacing(22)
        for label in self._steps:
            label.setFont(theme.interface_font(theme.SMALL_SIZE_PT))
            steps.addWidget(label)
        steps.addStretch()
        buttons = QHBoxLayout()
        buttons.addWidget(self.close_button)
        buttons.addStretch()
        for button in (self.back, self.forward):
            buttons.addWidget(button)
        for button in (self.close_button, self.back):
            button.setAutoDefault(False)
        self.forward.setDefault(True)
        self.forward.setProperty("isMain", True)
        column = QVBoxLayout(self)
        column.setContentsMargins(26, 20, 26, 18)
        column.setSpacing(16)
        column.addLayout(steps)
        column.addWidget(self._stack, 1)
        column.addLayout(buttons)

    def _turn_to(self, page: Page) -> None:
        self._stack.setCurrentWidget(page)
        for label, one in zip(self._steps, self.pages, strict=True):
            label.setProperty("isQuiet", one is not page)
            label.style().unpolish(label)  # a style sheet reads a property only once
            label.style().polish(label)
        self._follow_page()
        if page is self.choose and not self.choose.paths:
            self.choose.add_files.setFocus()
        else:
            (self.forward if page.forward else self.close_button).setFocus()

    @Slot()
    def _follow_page(self) -> None:
        page = self.page
        for button, text in ((self.forward, page.forward), (self.back, page.back)):
            button.setText(text)
            button.setVisible(bool(text))
        self.forward.setEnabled(page.is_ready)

    @Slot()
    def _follow_training(self) -> None:
        """Show the page that fits what the training does."""
        state = self._training.state
        if state == "finished" and self._training.result:
            self.compare.show_result(self._training.result)
            self._turn_to(self.compare)
        elif state in ("running", "stopping", "paused", "failed"):
            if self.page is not self.progress:
                self._turn_to(self.progress)
        elif self.page in (self.progress, self.compare):
            self._turn_to(self.choose)

    @Slot()
    def _on_forward(self) -> None:
        if self.page is self.choose:
            author = self.choose.author.text().strip()
            self.check.read(Request(tuple(self.choose.paths), author, models.base()))
            self._turn_to(self.check)
        elif self.page is self.check:
            self._begin()
        elif self._training.result:
            reference = self._training.result.reference
            self._training.put_away()
            self.close()
            self.use_wanted.emit(reference)

    @Slot()
    def _on_back(self) -> None:
        if self.page is self.check:
            self.check.stop()
            self._turn_to(self.choose)
        else:
            self._training.put_away()
            self.close()

    def _begin(self) -> None:
        try:
            self._training.begin(self.choose.paths, self.choose.author.text().strip())
        except OSError as err:
            reason = why_unwritable(paths.training(), err)
            QMessageBox.warning(self, tr("Personalise"), f"{reason}.")
