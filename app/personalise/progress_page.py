"""The third step: how far the training is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QHBoxLayout, QMessageBox, QProgressBar, QPushButton

from app import theme
from app.personalise.curve import Curve
from app.personalise.measures import duration
from app.personalise.page import Page, quiet, wrapped

if TYPE_CHECKING:
    from app.personalise.training import Training

INTRODUCTION = (
    "You can close this and go on writing: training goes on in the background, and a note at the "
    "foot of the window says how far it is."
)
PAUSED = (
    "Paused. What is trained so far is saved, even if you close Foretype or switch the computer "
    "off."
)
TRAINED_SHARE = 0.8  # of the whole time; the rest is putting together and comparing
GIVE_UP = "Throw away what was trained so far?"
WHAT_IS_LOST = "Your texts and the model you use now stay as they are."


class ProgressPage(Page):
    """Shows a `Training`, and pauses it or gives it up."""

    def __init__(self, training: Training) -> None:
        super().__init__("Training", INTRODUCTION)
        self._training = training
        self.bar = QProgressBar()
        self.bar.setRange(0, 1000)
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(4)
        self.bar.setAccessibleName("Training progress")
        self.now = wrapped()
        self.now.setFont(theme.writing_font(12.5))
        self.detail = quiet()
        self.curve = Curve()
        policy = self.curve.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # nothing jumps when the first step comes
        self.curve.setSizePolicy(policy)
        self.pause, self.cancel = QPushButton("&Pause"), QPushButton("&Give Up…")
        buttons = QHBoxLayout()
        for button in (self.pause, self.cancel):
            button.setAutoDefault(False)
            buttons.addWidget(button)
        buttons.addStretch()
        for widget in (self.bar, self.now, self.detail):
            self.column.addWidget(widget)
        self.column.addWidget(self.curve, 1)
        self.column.addLayout(buttons)
        self.pause.clicked.connect(self._on_pause)
        self.cancel.clicked.connect(self._on_cancel)
        training.changed.connect(self.follow)
        training.said.connect(self.follow)
        self.follow()

    @Slot()
    def follow(self) -> None:
        """Show the training as it stands."""
        training = self._training
        self.bar.setValue(round(1000 * progress_of(training)))
        self.now.setText(said_of(training))
        self.detail.setText(_detail(training))
        steps = training.step.steps if training.step else 0
        self.curve.show_points(training.losses, training.held, steps)
        self.curve.setVisible(bool(training.losses))
        is_at_work = training.state in ("running", "stopping")
        again = "&Try Again" if training.state == "failed" else "&Continue"
        self.pause.setText("&Pause" if is_at_work else again)
        self.pause.setEnabled(training.state != "stopping")
        self.cancel.setEnabled(training.state != "stopping")

    @Slot()
    def _on_pause(self) -> None:
        if self._training.state == "running":
            self._training.pause()
        else:
            self._training.go_on()

    @Slot()
    def _on_cancel(self) -> None:
        box = QMessageBox(QMessageBox.Icon.NoIcon, "Personalise", GIVE_UP, parent=self)
        box.setInformativeText(WHAT_IS_LOST)
        agreed = box.addButton("Throw Away", QMessageBox.ButtonRole.DestructiveRole)
        box.setDefaultButton(box.addButton("Keep", QMessageBox.ButtonRole.RejectRole))
        box.setWindowModality(Qt.WindowModality.WindowModal)
        box.exec()
        if box.clickedButton() is agreed:
            self._training.give_up()


def progress_of(training: Training) -> float:
    """The share that is done, from 0 to 1, as near as is known."""
    if training.stage and training.stage.name in ("merge", "export", "check", "evaluate"):
        part = training.stage.done / training.stage.total if training.stage.total else 0.0
        order = ("merge", "export", "check", "evaluate").index(training.stage.name)
        return TRAINED_SHARE + (1 - TRAINED_SHARE) * (order + part) / 4
    if training.step and training.step.steps:
        return TRAINED_SHARE * training.step.step / training.step.steps
    return 1.0 if training.state == "finished" else 0.0


def said_of(training: Training) -> str:
    """One sentence on where the training stands."""
    if training.state == "stopping":
        return "Saving what is trained so far …"
    if training.state == "paused":
        return training.problem or PAUSED
    if training.state == "failed":
        return f"It did not work: {training.problem.rstrip('.')}."
    if training.stage:
        return f"{training.stage.title} …"
    if training.step:
        return f"About {duration(training.step.seconds_left)} of training left."
    return "Starting …"


def _detail(training: Training) -> str:
    step = training.step
    if step is None:
        return ""
    said = [f"Step {step.step:,} of {step.steps:,}", f"{step.tokens_per_second:,.0f} tokens/s"]
    if training.held:
        said.append(f"perplexity on texts kept back {training.held[-1][1]:.1f}")
        if len(training.held) > 1:
            said[-1] += f" (at first {training.held[0][1]:.1f})"
    return "  ·  ".join(said)
