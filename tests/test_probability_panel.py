from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QApplication, QScrollArea
from scripted_engine import prediction

from app import theme
from app.probability_caret import WORDS
from app.probability_panel import ProbabilityPanel
from app.probability_word import NOTHING, TOKENS
from app.word_figures import WordFigures
from model.reader import NextToken

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

CAT = WordFigures(
    "cat",
    3,
    7,
    4.0,
    ((b" cat", 1 / 16),),
    (7,),
    ((b" mat", 0.25), (b"\xe2", 0.125), (b"!", 0.1), (b"", 0.01)),
)


def test_the_panel_says_what_comes_next(qtbot: QtBot) -> None:
    panel = ProbabilityPanel()
    qtbot.addWidget(panel)
    caret = panel.caret
    caret.show_token(NextToken(prediction(tokens=10).tokens, 2.5))
    caret.show_words(prediction("quick", "queen").words)
    assert caret.bars.accessibleDescription().startswith("t0 50.00 %, t1 25.00 %")
    assert caret.entropy.text == "2.50 bits"
    caret.switch.choose(WORDS)
    assert caret.bars.accessibleDescription() == "quick 50.00 %, queen 25.00 %"
    caret.clear()
    assert caret.bars.accessibleDescription() == ""
    assert caret.entropy.text == "–"


def test_the_panel_says_what_is_written(qtbot: QtBot) -> None:
    panel = ProbabilityPanel()
    qtbot.addWidget(panel)
    word = panel.word
    assert word.word.text() == NOTHING
    word.show_word(CAT)
    assert word.word.text() == "cat"
    figures = (word.probability.text, word.rank.text, word.surprisal.text)
    assert figures == ("6.25 %", "7", "4.00 bits")
    taken: list[str] = []
    word.replacement_wanted.connect(lambda _, text: taken.append(text))
    word.show_words(CAT, " ", prediction("mattress", "sofa").words)
    assert word.instead.accessibleDescription() == "mattress 50.00 %, sofa 25.00 %"
    for row in word.instead.rows:
        row.click()
    assert taken == [" mattress", " sofa"]
    word.switch.choose(TOKENS)
    assert word.instead.rows[0].accessibleName() == "mat, 25.00 %"
    taken.clear()
    for row in word.instead.rows:
        row.click()
    assert taken == ["!"]  # no part of a word or character, and no end of text


def test_words_come_for_the_word_that_is_shown_only(qtbot: QtBot) -> None:
    panel = ProbabilityPanel()
    qtbot.addWidget(panel)
    word = panel.word
    word.show_word(CAT)
    word.show_words(replace(CAT, start=9, end=13), " ", prediction("late").words)
    assert word.instead.accessibleDescription() == ""
    word.show_words(CAT, " ", prediction("sofa").words)
    word.show_word(CAT)  # such as when the panel is brought up to date
    assert word.instead.accessibleDescription() == "sofa 50.00 %"
    word.show_word(replace(CAT, text="dog"))
    assert word.instead.accessibleDescription() == ""


@pytest.mark.parametrize("height_px", [790, 664, 624])  # 664 and 624: windows of 740 and 700
def test_the_panel_needs_no_scroll_bar(qtbot: QtBot, height_px: int) -> None:
    panel = ProbabilityPanel()
    qtbot.addWidget(panel)
    panel.word.show_word(replace(CAT, tokens=((b" c", 0.5), (b"a", 0.25), (b"t", 0.5))))
    panel.show()
    qtbot.waitUntil(lambda: panel.text._plot is not None, timeout=30_000)
    panel.resize(panel.width(), height_px)
    area = panel.findChild(QScrollArea)
    assert isinstance(area, QScrollArea)
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() == 0)
    assert area.widget().sizeHint().height() <= height_px


def test_figures_that_are_not_known_yet_keep_their_place_quietly(qtbot: QtBot) -> None:
    panel = ProbabilityPanel()
    qtbot.addWidget(panel)
    panel.text.show_perplexities(1234.56, 20.0, math.nan)
    assert (panel.text.page.text, panel.text.selection.text) == ("1,234.6", "–")
    panel.text.show_perplexities(None, 21.0, 3.0)
    assert (panel.text.page.text, panel.text.paragraph.text) == ("1,234.6", "21.0")
    assert not panel.text.page._value.isEnabled()


def test_the_plot_stands_on_the_panels_ground_in_every_theme(qtbot: QtBot) -> None:
    from app.probability_plot import Plot

    application = QApplication.instance()
    assert isinstance(application, QApplication)
    plot = Plot(100)
    qtbot.addWidget(plot)
    plot.show()
    for name in ("dark", "light"):
        theme.paint_application(application, name)
        assert plot.backgroundBrush().color().name() == theme.current().ground
    theme.paint_application(application, "system")
