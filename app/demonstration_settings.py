"""The controls of the draw: temperature, the three filters in their order, and the seed."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QDoubleSpinBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSlider,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.demonstration_words import STAGES, percent
from app.token_text import visible
from app.translation import marked, tr
from model.sampling import SamplingSettings

if TYPE_CHECKING:
    from model.generation_moment import Moment, Option

MODEL = marked("What the model itself expects: the softmax of its scores, before any setting.")
TEMPERATURE = marked(
    "Divides the model's scores before they become probabilities.  Below 1 the likely becomes "
    "likelier, above 1 the unlikely does; 0 always takes the likeliest."
)
TOP_K = marked("Applied second: keep so many of the likeliest tokens.  0 keeps all.")
TOP_P = marked(
    "Applied third: keep the fewest likeliest tokens that together hold this probability."
)
MIN_P = marked("Applied last: drop tokens below this fraction of the likeliest one's probability.")
SEED = marked(
    "Where the random numbers begin.  The same text, model, settings and seed give the same tokens."
)
MEANINGS = (MODEL, TEMPERATURE, TOP_K, TOP_P, MIN_P)
BEGINNING = SamplingSettings(temperature=0.8, top_k=40, top_p=0.95)
FIRST_SEED = 1
LARGEST_SEED = 999_999
HUNDREDTHS = 100


class SamplingControls(QWidget):
    """The way of one token through the settings, each under its name; and the seed.

    Signals:
        changed(): a setting or the seed is another.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._temperature_slider = QSlider(Qt.Orientation.Horizontal)
        self._temperature_slider.setRange(0, 2 * HUNDREDTHS)
        self._temperature_slider.setPageStep(10)
        self._temperature_slider.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._token = _figure()
        self._temperature = _decimal(0, 2, 0.05, BEGINNING.temperature)
        self._top_k = _whole(0, 1000, BEGINNING.top_k)
        self._top_k.setSpecialValueText(tr("all"))
        self._top_p = _decimal(0.01, 1, 0.05, BEGINNING.top_p)
        self._min_p = _decimal(0, 1, 0.01, BEGINNING.min_p)
        self._chances = [_figure() for _ in STAGES]
        self._left = [_figure(is_quiet=True) for _ in STAGES]
        self._seed = _whole(0, LARGEST_SEED, FIRST_SEED)
        self._new_seed = QPushButton(tr("New Seed"))
        self._lay_out()
        self._temperature_slider.setValue(round(BEGINNING.temperature * HUNDREDTHS))
        self._temperature_slider.valueChanged.connect(self._on_slider_moved)
        self._temperature.valueChanged.connect(self._on_temperature_changed)
        for one in (self._top_k, self._top_p, self._min_p, self._seed):
            one.valueChanged.connect(self._on_changed)
        self._new_seed.clicked.connect(self.take_new_seed)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        boxes = (self._token, self._temperature, self._top_k, self._top_p, self._min_p)
        for place, (name, box) in enumerate(zip(map(tr, STAGES), boxes, strict=True)):
            grid.addWidget(_named(name, box, tr(MEANINGS[place])), 0, place)
            grid.addWidget(box, 1, place)
            grid.addWidget(self._chances[place], 2, place)
            grid.addWidget(self._left[place], 3, place)
            grid.setColumnStretch(place, 1)
            self._chances[place].setAccessibleName(tr("The token after {name}", name=name))
            self._left[place].setAccessibleName(tr("Tokens left after {name}", name=name))
        column.addLayout(grid)
        row = QHBoxLayout()
        row.addWidget(_named(tr("Seed"), self._seed, tr(SEED)))
        row.addWidget(self._seed)
        row.addWidget(self._new_seed)
        row.addSpacing(14)
        row.addWidget(_named(tr("Temperature"), self._temperature_slider, tr(MEANINGS[1])))
        row.addWidget(self._temperature_slider, 1)
        self._temperature_slider.setAccessibleName(tr("Temperature, in hundredths"))
        self._new_seed.setToolTip(tr("Begin the random numbers elsewhere (N)"))
        self._new_seed.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        column.addLayout(row)

    def show_way(self, option: Option | None, moment: Moment) -> None:
        """Show what each setting makes of one token, and how many tokens it leaves."""
        self._token.setText(visible(option.piece) if option else "")
        stages = option.stages if option else ()
        for place, label in enumerate(self._chances):
            chance = stages[place] if option else 0.0
            label.setText(percent(chance) if chance else "–")
        first, *rest = moment.left
        for label, count in zip(self._left, (first, first, *rest), strict=True):
            label.setText(tr("1 token") if count == 1 else tr("{count:,} left", count=count))

    @property
    def settings(self) -> SamplingSettings:
        """What the controls stand at."""
        return SamplingSettings(
            temperature=round(self._temperature.value(), 2), top_k=self._top_k.value(),
            top_p=round(self._top_p.value(), 2), min_p=round(self._min_p.value(), 2),
        )  # fmt: skip

    @property
    def seed(self) -> int:
        """Where the random numbers begin."""
        return self._seed.value()

    @Slot(int)
    def _on_slider_moved(self, hundredths: int) -> None:
        self._temperature.setValue(hundredths / HUNDREDTHS)

    @Slot()
    def _on_temperature_changed(self) -> None:
        with QSignalBlocker(self._temperature_slider):
            self._temperature_slider.setValue(round(self._temperature.value() * HUNDREDTHS))
        self.changed.emit()

    @Slot()
    def _on_changed(self) -> None:
        self.changed.emit()

    @Slot()
    def take_new_seed(self) -> None:
        """Begin the random numbers elsewhere."""
        self._seed.setValue(random.randrange(LARGEST_SEED))


def _named(name: str, box: QWidget, meaning: str) -> QLabel:
    label = QLabel(name)
    label.setFont(theme.interface_font(theme.SMALL_SIZE_PT + 0.5))
    label.setBuddy(box)
    label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    for one in (label, box):
        one.setToolTip(meaning)
    box.setAccessibleName(name)
    box.setAccessibleDescription(meaning)
    return label


def _figure(*, is_quiet: bool = False) -> QLabel:
    label = QLabel()
    label.setFont(theme.interface_font(theme.SMALL_SIZE_PT + 0.5))
    label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    label.setProperty("isQuiet", is_quiet)
    return label


def _decimal(least: float, most: float, step: float, value: float) -> QDoubleSpinBox:
    box = QDoubleSpinBox()
    box.setDecimals(2)
    box.setRange(least, most)
    box.setSingleStep(step)
    box.setValue(value)
    _calm(box)
    return box


def _whole(least: int, most: int, value: int) -> QSpinBox:
    box = QSpinBox()
    box.setRange(least, most)
    box.setValue(value)
    _calm(box)
    return box


def _calm(box: QAbstractSpinBox) -> None:
    box.setFont(theme.interface_font(theme.SMALL_SIZE_PT + 0.5))
    box.setMinimumWidth(66)
    box.setAlignment(Qt.AlignmentFlag.AlignRight)
