"""The third step: how far the training is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QHBoxLayout, QMessageBox, QProgressBar, QPushButton

from app import theme
from app.personalise.curve import Curve
from app.personalise.measures import duration
from app.personalise.page import Page, quiet, wrapped
from app.translation import marked, tr

if TYPE_CHECKING:
    from app.personalise.training import Training

INTRODUCTION = marked(
    "You can close this and go on writing: training goes on in the background, and a note at the "
    "foot of the window says how far it is."
)
PAUSED = marked(
    "Paused. What is trained so far is saved, even if you close Foretype or switch the computer "
    "off."
)
TRAINED_SHARE = 0.8  # of the whole time; the rest is putting together and comparing
GIVE_UP = marked("Throw away what was trained so far?")
WHAT_IS_LOST = marked("Your texts and the model you use now stay as they are.")


class ProgressPage(Page):
    """Shows a `Training`, and pauses it or gives it up."""

    def __init__(self, training: Training) -> None:
        super().__init__(tr("Training"), tr(INTRODUCTION))
        self._training = training
        self.bar = QProgressBar()
        self.bar.setRange(0, 1000)
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(4)
        self.bar.setAccessibleName(tr("Training progress"))
        self.now = wrapped()
        self.now.setFont(theme.writing_font(12.5))
        self.detail = quiet()
        self.curve = Curve()
        policy = self.curve.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # nothing jumps when the first step comes
        self.curve.setSizePolicy(policy)
        self.pause, self.cancel = QPushButton(tr("&Pause")), QPushButton(tr("&Give Up…"))
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
        again = tr("&Try Again") if training.state == "failed" else tr("&Continue")
        self.pause.setText(tr("&Pause") if is_at_work else again)
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
        box = QMessageBox(QMessageBox.Icon.NoIcon, tr("Personalise"), tr(GIVE_UP), parent=self)
        box.setInformativeText(tr(WHAT_IS_LOST))
        agreed = box.addButton(tr("Throw Away"), QMessageBox.ButtonRole.DestructiveRole)
        box.setDefaultButton(box.addButton(tr("Keep"), QMessageBox.ButtonRole.RejectRole))
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
        return tr("Saving what is trained so far …")
    if training.state == "paused":
        return training.problem or tr(PAUSED)
    if training.state == "failed":
        return tr("It did not work: {problem}.", problem=training.problem.rstrip("."))
    if training.stage:
        return f"{training.stage.title} …"
    if training.step:
        return tr(
            "About {time} of training left.",
            time=duration(training.step.seconds_left),
        )
    return tr("Starting …")


def _detail(training: Training) -> str:
    step = training.step
    if step is None:
        return ""
    said = [
        tr("Step {step:,} of {steps:,}", step=step.step, steps=step.steps),
        tr("{tokens_per_second:,.0f} tokens/s", tokens_per_second=step.tokens_per_second),
    ]
    if training.held:
        said.append(
            tr("perplexity on texts kept back {perplexity:.1f}", perplexity=training.held[-1][1])
        )
        if len(training.held) > 1:
            said[-1] += tr(" (at first {perplexity:.1f})", perplexity=training.held[0][1])
    return "  ·  ".join(said)
