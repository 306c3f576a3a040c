"""One page that explains prediction with the writer's own sentence."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QCloseEvent, QKeyEvent, QPalette
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from app import how_it_works_words as words
from app import theme
from app.how_it_works_attention import AttentionProcess, Looks
from app.how_it_works_drawings import ChanceBars, Chips, Loop
from app.how_it_works_looks import AttentionView
from app.how_it_works_worker import Explainer
from app.training_process import torch_command
from app.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from app.prediction import PredictionController
    from model.generation_sentence import Sentence

WIDTH_PX, HEIGHT_PX = 780, 820
COLUMN_PX = 640
BODY_PT, TITLE_PT, HEAD_PT = 13.5, 27, 18


class HowItWorks(QWidget):
    """The page, in a window of its own.

    Args:
        controller: the model at work.
        folder: gives the folder of that model; None if there is none.
        parent: the window it belongs to.

    Signals:
        demonstration_wanted(): the reader wants to see it happen.
    """

    demonstration_wanted = Signal()
    _explanation_wanted = Signal(str)

    def __init__(
        self, controller: PredictionController, folder: Callable[[], Path | None], parent: QWidget
    ) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setWindowTitle(tr("How prediction works"))
        self.resize(WIDTH_PX, HEIGHT_PX)
        self._folder = folder
        self._sentence: Sentence | None = None
        self._explainer = Explainer(controller.engine)
        controller.share(self._explainer)
        self._attention = AttentionProcess(self)
        self.field = QLineEdit()
        self.tokens = Chips(tr("The tokens of the sentence"), has_figures=False)
        self.chances = Chips(tr("Every token with its probability"), has_figures=True)
        self.count, self.about, self.product = body(), body(), body()
        self.bars, self.loop = ChanceBars(), Loop()
        self.show_me = QPushButton(tr("Show It Step by Step"))
        self.look = QPushButton(tr("Look Inside"))
        self.trouble, self.seen = body(), body()
        self.layer, self.head, self.as_matrix = QSpinBox(), QSpinBox(), QCheckBox(tr("As a matrix"))
        self.view = AttentionView()
        self._lay_out()
        self._connect()

    def _connect(self) -> None:
        self._explanation_wanted.connect(self._explainer.explain)
        self._explainer.explained.connect(self._on_explained)
        self._explainer.failed.connect(self.count.setText)
        self._attention.found.connect(self._on_found)
        self._attention.failed.connect(self._on_attention_failed)
        self.field.returnPressed.connect(self._on_entered)
        self.chances.pointed.connect(self._on_pointed)
        self.show_me.clicked.connect(self.demonstration_wanted)
        self.look.clicked.connect(self._on_look)
        self.view.pointed.connect(self.seen.setText)
        for box in (self.layer, self.head):
            box.valueChanged.connect(self._on_chosen)
        self.as_matrix.toggled.connect(self._on_chosen)

    def _lay_out(self) -> None:
        paper = QWidget()
        paper.setBackgroundRole(QPalette.ColorRole.Base)
        column = QVBoxLayout()
        column.setContentsMargins(0, 44, 0, 56)
        column.setSpacing(12)
        self._fill(column)
        self._fill_attention(column)
        column.addStretch(1)
        centred = QHBoxLayout(paper)
        centred.addStretch(1)
        inside = QWidget()
        inside.setLayout(column)
        inside.setFixedWidth(COLUMN_PX)
        centred.addWidget(inside)
        centred.addStretch(1)
        area = QScrollArea()
        area.setWidget(paper)
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(area)

    def _fill(self, column: QVBoxLayout) -> None:
        self.field.setFont(theme.writing_font(BODY_PT))
        self.field.setAccessibleName(tr("Your sentence; Enter reads it"))
        column.addWidget(title(tr("How prediction works"), TITLE_PT))
        column.addWidget(body(tr(words.LEAD)))
        column.addWidget(self.field)
        column.addWidget(body(tr(words.FIELD), is_quiet=True))
        column.addWidget(title(tr("1  Text becomes tokens")))
        column.addWidget(body(tr(words.TOKENS)))
        column.addWidget(self.tokens)
        column.addWidget(self.count)
        column.addWidget(title(tr("2  Every token gets a probability")))
        column.addWidget(body(tr(words.NEXT)))
        column.addWidget(self.bars)
        column.addWidget(title(tr("3  A text is a product")))
        column.addWidget(body(tr(words.CHAIN)))
        column.addWidget(self.chances)
        column.addWidget(self.about)
        column.addWidget(self.product)
        column.addWidget(title(tr("4  One token, then again")))
        column.addWidget(body(tr(words.LOOP)))
        column.addWidget(self.loop)
        column.addWidget(self.show_me, 0, Qt.AlignmentFlag.AlignLeft)

    def _fill_attention(self, column: QVBoxLayout) -> None:
        column.addWidget(title(tr("5  What a token looks at")))
        column.addWidget(body(tr(words.ATTENTION)))
        column.addWidget(self.trouble)
        row = QHBoxLayout()
        row.addWidget(self.look)
        for name, box in ((tr("Layer"), self.layer), (tr("Head"), self.head)):
            label = QLabel(name)
            label.setBuddy(box)
            box.setMinimum(1)
            box.setAccessibleName(name)
            row.addSpacing(10)
            row.addWidget(label)
            row.addWidget(box)
        row.addSpacing(10)
        row.addWidget(self.as_matrix)
        row.addStretch(1)
        column.addLayout(row)
        column.addWidget(self.seen)
        column.addWidget(self.view)
        column.addWidget(body(tr(words.CAUTION), is_quiet=True))
        self._enable_attention(False)
        command = torch_command()
        self.look.setEnabled(command is None)
        if command is not None:
            self.trouble.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            self.trouble.setText(words.without_torch(shlex.join(command)))
        self.trouble.setVisible(command is not None)

    def open(self, sentence: str) -> None:
        """Show the page with this sentence, or with one of ours if there is none."""
        self.show()
        self.raise_()
        self.activateWindow()
        self.field.setText(sentence or words.SAMPLE)
        self.field.setFocus()
        self._on_entered()

    @Slot()
    def _on_entered(self) -> None:
        text = self.field.text().strip()
        if text:
            self._attention.stop()
            self._enable_attention(False)
            self.view.hide()
            self._explanation_wanted.emit(text)

    @Slot(object)
    def _on_explained(self, sentence: Sentence) -> None:
        self._sentence = sentence
        for chips in (self.tokens, self.chances):
            chips.show_sentence(sentence)
        self.count.setText(words.count(sentence))
        self.bars.show_rows(sentence.following)
        self.product.setText(words.product(sentence))
        self._on_pointed(0)

    @Slot(int)
    def _on_pointed(self, place: int) -> None:
        if self._sentence is not None and self._sentence.tokens:
            self.about.setText(words.about(self._sentence, place))

    @Slot()
    def _on_look(self) -> None:
        folder = self._folder()
        if folder is None or self._sentence is None:
            return
        self.trouble.setText(tr(words.WORKING))
        self.trouble.show()
        self.look.setEnabled(False)
        self._attention.start(folder, self._sentence.text)

    @Slot(object)
    def _on_found(self, looks: Looks) -> None:
        self.trouble.hide()
        self.layer.setMaximum(looks.layers)
        self.head.setMaximum(looks.heads)
        self._enable_attention(True)
        self.view.show_looks(looks)
        self.view.show()

    @Slot(str)
    def _on_attention_failed(self, problem: str) -> None:
        self.look.setEnabled(True)
        self.trouble.setText(f"{problem[:1].upper()}{problem[1:]}.")
        self.trouble.show()

    @Slot()
    def _on_chosen(self) -> None:
        layer, head = self.layer.value() - 1, self.head.value() - 1
        self.view.choose(layer, head, is_matrix=self.as_matrix.isChecked())

    def _enable_attention(self, is_there: bool) -> None:
        for widget in (self.layer, self.head, self.as_matrix):
            widget.setEnabled(is_there)
        self.look.setEnabled(not is_there and torch_command() is None)
        self.seen.setVisible(is_there)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes the page."""
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """End the reference model, if it runs."""
        self._attention.stop()
        super().closeEvent(event)


def title(text: str, size_pt: float = HEAD_PT) -> QLabel:
    """Return a heading in the face of the text."""
    label = QLabel(text)
    label.setFont(theme.writing_font(size_pt))
    label.setWordWrap(True)
    if size_pt == HEAD_PT:
        label.setContentsMargins(0, 26, 0, 0)
    return label


def body(text: str = "", *, is_quiet: bool = False) -> QLabel:
    """Return a paragraph."""
    label = QLabel(text)
    label.setFont(theme.interface_font() if is_quiet else theme.writing_font(BODY_PT))
    label.setProperty("isQuiet", is_quiet)
    label.setWordWrap(True)
    return label
