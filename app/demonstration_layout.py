"""How the demonstration lies on the screen: text and branches left, probabilities right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QSlider,
    QVBoxLayout,
    QWidget,
)

from app import demonstration_words as words
from app import theme
from app.demonstration_bars import OptionBars
from app.demonstration_draw import DrawBar
from app.demonstration_page import DemonstrationPage
from app.demonstration_settings import SamplingControls
from app.demonstration_tree import BranchArea, BranchTree, KeylessArea
from app.suggestion_bar import native
from app.translation import marked, tr

if TYPE_CHECKING:
    from PySide6.QtGui import QTextDocument

    from app.demonstration_worker import Scene

SIDE_PX, GAP_PX = 22, 10
RIGHT_PX = 456
SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)  # tokens a second
USUAL_SPEED = 2  # place in SPEEDS
KEYS = marked(
    "← → step    Space plays    ↑ ↓ Enter choose by hand    Ctrl+Enter accepts    Esc leaves"
)
STYLE = """
    QPushButton:checked { background: palette(highlight); }
    QSlider::groove:horizontal { height: 4px; border-radius: 2px; background: palette(mid); }
    QSlider::handle:horizontal { width: 14px; margin: -5px 0; border-radius: 7px;
                                 background: palette(link); }
    QSlider::handle:horizontal:focus { border: 2px solid palette(text); width: 12px; }
"""
CACHE = marked(
    "What the model keeps of every token it has read, its keys and values, so that one more token "
    "costs one step and not all of them again.  Going back only shortens it.  Hidden before your "
    "text: end-of-text, and at the beginning of a page a preface of everyday sentences."
)
CHAIN = marked(
    "The chain rule: the probability of all the tokens together is the product of the probability "
    "of each, given all before it.  The figures are the model's own, before the settings."
)


class Stage(QWidget):
    """All the pieces of the demonstration, unconnected."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        self.setStyleSheet(STYLE)
        self.narration = QLabel()
        self.page, self.greedy_page = DemonstrationPage(), DemonstrationPage()
        self.greedy_figures, self.figures = small_label(), small_label()
        self.tree = BranchTree()
        self.product, self.logarithm, self.chances = small_label(), small_label(), small_label()
        self.cache_label, self.cache_bar = small_label(), QProgressBar()
        self.bars, self.draw = OptionBars(), DrawBar()
        self.interval = small_label()
        self.controls = SamplingControls()
        self.explain = _button(tr("How This Works"), "F1")
        self.beside = _button(tr("Beside Greedy"), "G")
        self.back, self.forward = _button(tr("Back"), "←"), _button(tr("Draw"), "→")
        self.play = _button(tr("Play"), "Space")
        self.speed, self.speed_label = QSlider(Qt.Orientation.Horizontal), small_label()
        self.discard = _button(tr("Discard"), "Esc")
        self.accept = _button(tr("Accept"), "Ctrl+Return")
        self._lay_out()

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._head())
        inside = QWidget()
        body = QHBoxLayout(inside)
        body.setContentsMargins(0, 0, 0, 0)
        body.setSpacing(0)
        body.addLayout(self._left(), 1)
        body.addWidget(self._right())
        area = KeylessArea()  # for windows that are too small for everything
        area.setWidget(inside)
        area.setWidgetResizable(True)
        inside.setBackgroundRole(QPalette.ColorRole.Base)
        column.addWidget(area, 1)
        column.addLayout(self._foot())

    @property
    def tokens_per_second(self) -> float:
        """The chosen speed."""
        return SPEEDS[self.speed.value()]

    @Slot()
    def _on_speed_changed(self) -> None:
        self.speed_label.setText(words.pace(self.tokens_per_second))

    def show_text(self, document: QTextDocument, position_utf16: int) -> None:
        """Show a text with nothing generated yet; there is nothing to press until there is more."""
        for page in (self.page, self.greedy_page):
            page.show_around(document, position_utf16)
        for button in (self.back, self.forward, self.play, self.accept):
            button.setEnabled(False)

    def show_scene(self, scene: Scene, is_drawn: bool, *, is_calm: bool) -> None:
        """Let every piece show where we are, and whether the next token is drawn."""
        moment = scene.moment
        self.page.show_generated(moment.text, words.last_piece(moment))
        self.bars.show_moment(moment, is_drawn)
        self.draw.show_moment(moment, is_drawn, is_calm=is_calm)
        self.interval.setText(words.interval(moment) if is_drawn else words.before_draw(moment))
        self.tree.show_moment(moment)
        self.product.setText(words.product(moment.path, moment.log_probability))
        self.logarithm.setText(words.logarithm(moment))
        self.chances.setText(words.chances(moment))
        self.cache_label.setText(words.cache(moment.cache))
        self.cache_bar.setRange(0, moment.cache.room)
        self.cache_bar.setValue(moment.cache.tokens)
        if scene.greedy is not None:
            self.greedy_page.show_generated(scene.greedy.text, words.last_piece(scene.greedy))
            self.greedy_figures.setText(words.caption(tr("Always the likeliest"), scene.greedy))
            self.figures.setText(
                words.caption(tr("Drawn, seed {seed}", seed=self.controls.seed), moment)
            )
        self.forward.setText(words.next_act(moment, is_drawn))
        self.forward.setEnabled(not moment.is_ended)
        self.play.setEnabled(not moment.is_ended)
        self.back.setEnabled(is_drawn or bool(moment.path))
        self.accept.setEnabled(bool(moment.text))

    def _head(self) -> QHBoxLayout:
        title = QHBoxLayout()
        title.setSpacing(GAP_PX)
        title.addWidget(heading(tr("Demonstration")))
        keys = QLabel(tr(KEYS))
        keys.setFont(theme.interface_font(theme.SMALL_SIZE_PT))
        keys.setProperty("isQuiet", True)
        title.addWidget(keys, 1)
        self.narration.setFont(theme.writing_font(14))
        self.narration.setWordWrap(True)
        self.narration.setAccessibleName(tr("What is happening"))
        said = QVBoxLayout()
        said.setSpacing(4)
        said.addLayout(title)
        said.addWidget(self.narration)
        head = QHBoxLayout()
        head.setContentsMargins(SIDE_PX, 10, SIDE_PX, 8)
        head.setSpacing(GAP_PX)
        head.addLayout(said, 1)
        self.beside.setCheckable(True)
        head.addWidget(self.beside, 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(self.explain, 0, Qt.AlignmentFlag.AlignTop)
        return head

    def _left(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        pages = QHBoxLayout()
        pages.setSpacing(0)
        self.greedy = QWidget()
        for holder, page, figures in (
            (QWidget(), self.page, self.figures),
            (self.greedy, self.greedy_page, self.greedy_figures),
        ):
            inside = QVBoxLayout(holder)
            inside.setContentsMargins(0, 0, 0, 0)
            inside.setSpacing(0)
            figures.setContentsMargins(SIDE_PX, 4, SIDE_PX, 4)
            inside.addWidget(figures)
            inside.addWidget(page, 1)
            page.setMinimumSize(180, 120)
            pages.addWidget(holder, 1)
        self.greedy_page.setAccessibleName(tr("The same text, always taking the likeliest token"))
        self.greedy.hide()
        self.figures.hide()
        column.addLayout(pages, 1)
        beneath = QVBoxLayout()
        beneath.setContentsMargins(SIDE_PX, 6, SIDE_PX, 6)
        beneath.setSpacing(4)
        beneath.addWidget(heading(tr("Branches and their probabilities")))
        beneath.addWidget(BranchArea(self.tree))
        for label in (self.product, self.logarithm, self.chances):
            label.setToolTip(tr(CHAIN))
            beneath.addWidget(label)
        beneath.addSpacing(6)
        beneath.addLayout(self._cache())
        self.product.setFont(theme.writing_font(12.5))
        self.product.setAccessibleName(tr("Chain rule"))
        column.addLayout(beneath)
        return column

    def _right(self) -> QWidget:
        panel = _Side()
        column = QVBoxLayout(panel)
        column.setContentsMargins(SIDE_PX, 6, SIDE_PX, 6)
        column.setSpacing(4)
        column.addWidget(heading(tr("Next token")))
        column.addWidget(self.bars, 1)
        column.addSpacing(4)
        column.addWidget(heading(tr("Draw")))
        column.addWidget(self.draw)
        column.addWidget(self.interval)
        column.addSpacing(4)
        column.addWidget(
            heading(tr("Settings, in the order they apply, and what they make of one token"))
        )
        column.addWidget(self.controls)
        return panel

    def _cache(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(GAP_PX)
        self.cache_bar.setTextVisible(False)
        self.cache_bar.setFixedSize(120, 4)
        self.cache_bar.setAccessibleName(tr("Tokens in the cache"))
        self.cache_label.setAccessibleName(tr("Cache of keys and values"))
        for one in (heading(tr("Cache")), self.cache_bar, self.cache_label):
            one.setToolTip(tr(CACHE))
            row.addWidget(one)
        row.addStretch(1)
        return row

    def _foot(self) -> QHBoxLayout:
        foot = QHBoxLayout()
        foot.setContentsMargins(SIDE_PX, 8, SIDE_PX, 8)
        foot.setSpacing(GAP_PX)
        for button in (self.back, self.forward, self.play):
            foot.addWidget(button)
        self.forward.setMinimumWidth(170)
        self.speed.setRange(0, len(SPEEDS) - 1)
        self.speed.valueChanged.connect(self._on_speed_changed)
        self.speed.setValue(USUAL_SPEED)
        self.speed.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.speed.setPageStep(1)
        self.speed.setFixedWidth(110)
        self.speed.setAccessibleName(tr("Speed"))
        foot.addSpacing(GAP_PX)
        foot.addWidget(self.speed)
        foot.addWidget(self.speed_label)
        foot.addStretch(1)
        foot.addWidget(self.discard)
        foot.addWidget(self.accept)
        return foot


class _Side(QFrame):
    """The right side, on the quieter ground."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedWidth(RIGHT_PX)
        self.setBackgroundRole(QPalette.ColorRole.Window)
        self.setAutoFillBackground(True)

    def sizeHint(self) -> QSize:
        """As high as there is room."""
        return QSize(RIGHT_PX, 400)


def heading(text: str) -> QLabel:
    """Return a small quiet heading."""
    label = QLabel(text)
    font = theme.interface_font(theme.SMALL_SIZE_PT)
    font.setWeight(font.Weight.DemiBold)
    label.setFont(font)
    label.setProperty("isQuiet", True)
    return label


def small_label() -> QLabel:
    """Return an empty label in the interface's face."""
    label = QLabel()
    label.setFont(theme.interface_font(theme.SMALL_SIZE_PT + 0.5))
    return label


def _button(text: str, keys: str) -> QPushButton:
    """A button that a click does not give the focus, so that the keys go on as before."""
    button = QPushButton(text)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setToolTip(native(keys))
    button.setAccessibleDescription(tr("Key: {keys}", keys=native(keys)))
    return button
