"""The panel at the side: a window into the model, at the caret and all along the text."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from app.probability_caret import CaretSection
from app.probability_parts import link
from app.probability_text import TextSection
from app.probability_word import WordSection
from app.token_text import VISIBLE, visible
from app.translation import tr

__all__ = ["VISIBLE", "ProbabilityPanel", "visible"]

WIDTH_PX = 312
MARGIN_PX = 22  # left and right
LINKS = """
QPushButton[isLink="true"] { border: none; padding: 2px 0; background: transparent;
                             color: palette(placeholder-text); }
QPushButton[isLink="true"]:checked, QPushButton[isLink="true"]:hover { color: palette(link); }
QPushButton[isLink="true"]:focus { text-decoration: underline; color: palette(link); }
"""


@dataclass(frozen=True, slots=True)
class Density:
    """How closely the panel is set where it is at least `least_px` high; all in pixels."""

    least_px: int
    row: int
    next_rows: int
    plot: int
    margin: int  # above and below
    between: int  # the sections


ROOMY = Density(least_px=790, row=22, next_rows=8, plot=104, margin=22, between=14)
SNUG = Density(least_px=652, row=18, next_rows=8, plot=64, margin=12, between=8)
TIGHT = Density(least_px=0, row=18, next_rows=6, plot=56, margin=10, between=6)


class ProbabilityPanel(QFrame):
    """What comes next, what is written, and the text as a whole.

    Signals:
        export_wanted(): the figures should be written to a file.
        help_wanted(): the writer wants to know what the figures mean.
    """

    export_wanted = Signal()
    help_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Probabilities"))
        self.setFixedWidth(WIDTH_PX)
        self.setAutoFillBackground(True)
        self.setStyleSheet(LINKS)
        self.caret, self.word, self.text = CaretSection(), WordSection(), TextSection()
        self.export = link(tr("Export…"), tr("Write the figures of every token to a file"))
        self.help = link(tr("What these mean"), tr("How the figures are defined"))
        self.export.clicked.connect(self.export_wanted)
        self.help.clicked.connect(self.help_wanted)
        self._density: Density | None = None
        content = QWidget()
        self._column = column = QVBoxLayout(content)
        for section in (self.caret, self.word, self.text):
            column.addWidget(section)
        foot = QHBoxLayout()
        foot.addWidget(self.help)
        foot.addStretch(1)
        foot.addWidget(self.export)
        column.addLayout(foot)
        column.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # it follows the focus by itself
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(content)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(1, 0, 0, 0)
        outer.addWidget(scroll)

    def showEvent(self, event: QShowEvent) -> None:
        """Get the plot ready the first time."""
        self.text.load_plot()
        super().showEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Draw closer together where there is little room, rather than scroll."""
        super().resizeEvent(event)
        height_px = event.size().height()
        density = next(d for d in (ROOMY, SNUG, TIGHT) if height_px >= d.least_px)
        if density != self._density:
            self._density = density
            self._column.setContentsMargins(MARGIN_PX, density.margin, MARGIN_PX, density.margin)
            self._column.setSpacing(density.between)
            self.caret.set_room(density.row, density.next_rows)
            self.word.set_row_height(density.row)
            self.text.set_plot_height(density.plot)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the line between the text and the panel."""
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setPen(self.palette().mid().color())
        painter.drawLine(QPointF(0.5, 0), QPointF(0.5, self.height()))
