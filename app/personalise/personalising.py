"""Personalising, as the window sees it: opened from the menu, noted at its foot, ended with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QMessageBox, QPushButton, QWidget

from app import theme
from app.personalise.measures import duration
from app.personalise.training import Training
from app.translation import marked, tr

if TYPE_CHECKING:
    from app.notice import Notice
    from app.personalise.dialog import PersonaliseDialog

INTERRUPTED = marked("A training of your personal model was interrupted. It can go on from there.")
STOP = marked("Your personal model is still being trained. Stop and close?")
GOES_ON = marked("What is trained so far is saved, and the next start of Foretype offers to go on.")


class Personalising(QObject):
    """The training of one window, and the dialog that shows it.

    Signals:
        use_wanted(str): the writer wants this version of a model at work now.
    """

    use_wanted = Signal(str)

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.training = Training(self)
        self.dialog: PersonaliseDialog | None = None
        self.note = QPushButton(window)
        self.note.setFlat(True)
        self.note.setFont(theme.interface_font(theme.SMALL_SIZE_PT))
        self.note.setToolTip(tr("Show the training of your personal model"))
        self.note.clicked.connect(self.open)
        self.training.changed.connect(self._follow)
        self.training.said.connect(self._follow)
        self._follow()

    @Slot()
    def open(self) -> None:
        """Show the dialog, at the step where things stand."""
        if self.dialog is None:
            from app.personalise.dialog import PersonaliseDialog  # it brings the plots along

            self.dialog = PersonaliseDialog(self.training, self._window)
            self.dialog.use_wanted.connect(self.use_wanted)
        self.dialog.show()
        self.dialog.raise_()
        self.dialog.activateWindow()

    def offer_to_continue(self, notice: Notice) -> None:
        """Ask whether an interrupted training is to go on, if there is one."""
        if self.training.state == "paused" and not self.training.is_elsewhere:
            notice.say(
                tr(INTERRUPTED),
                (tr("Continue"), self.training.go_on),
                (tr("Throw Away"), self.training.give_up),
                (tr("Later"), self._follow),
                is_question=True,
            )

    def may_close(self) -> bool:
        """Ask before the end of the app ends a training."""
        if not self.training.is_running:
            return True
        box = QMessageBox(QMessageBox.Icon.NoIcon, "Foretype", tr(STOP), parent=self._window)
        box.setInformativeText(tr(GOES_ON))
        agreed = box.addButton(tr("Stop and Close"), QMessageBox.ButtonRole.AcceptRole)
        box.setDefaultButton(box.addButton(tr("Keep Training"), QMessageBox.ButtonRole.RejectRole))
        box.setWindowModality(Qt.WindowModality.WindowModal)
        box.exec()
        return box.clickedButton() is agreed

    def stop(self) -> None:
        """End what runs, with its work saved."""
        if self.dialog is not None:
            self.dialog.check.stop()
            self.dialog.close()
        self.training.stop()

    @Slot()
    def _follow(self) -> None:
        text = self._noted()
        self.note.setText(text)
        self.note.setVisible(bool(text))

    def _noted(self) -> str:
        training = self.training
        if training.state == "running":
            if training.stage is None and training.step is not None:
                return tr(
                    "Training · {time} left",
                    time=duration(training.step.seconds_left),
                )
            return (
                tr("Training · {title}", title=training.stage.title)
                if training.stage
                else tr("Training")
            )
        return {
            "stopping": tr("Training · saving"), "paused": tr("Training paused"),
            "failed": tr("Training failed"), "finished": tr("Your personal model is ready"),
            "idle": "",
        }[training.state]  # fmt: skip
