from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from scripted_engine import prediction

from app.caret import Context
from app.suggestion_bar import SuggestionBar, arrange, percent
from model.offer import Word

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytestqt.qtbot import QtBot


def words(texts: str) -> list[Word | None]:
    """`"a b _ d"` as places; `_` is empty."""
    return [None if t == "_" else Word(t, 0.1) for t in texts.split()]


def ranked(texts: str) -> list[Word]:
    return [word for word in words(texts) if word]


def context(word_start: int, letters: str = "") -> Context:
    end = word_start + len(letters)
    return Context("x" * word_start + letters, end, end, word_start)


def texts(found: Sequence[Word | None]) -> str:
    return " ".join(word.text if word else "_" for word in found)


@pytest.fixture
def bar(qtbot: QtBot) -> SuggestionBar:
    bar = SuggestionBar()
    qtbot.addWidget(bar)
    bar.resize(600, 62)
    bar.show()
    qtbot.waitExposed(bar)
    return bar


@pytest.mark.parametrize(
    ("shown", "new", "expected"),
    [
        ("_ _ _ _ _", "a b c d e", "a b c d e"),
        ("a b c d e", "a b c d e", "a b c d e"),
        ("a b c d e", "a c b d e", "a b c d e"),
        ("a b c d e", "a x c e b", "a b c x e"),
        ("a b c d e", "b a c d e", "b a c d e"),
        ("a b c d e", "x y z", "x y z _ _"),
        ("a b c d e", "c", "c _ _ _ _"),
        ("a b c d e", "x e", "x _ _ _ e"),
        ("a b c d e", "", "_ _ _ _ _"),
        ("a b _ _ _", "b c d e f", "b c d e f"),
    ],
)
def test_the_best_is_first_and_the_others_keep_their_places(
    shown: str, new: str, expected: str
) -> None:
    assert texts(arrange(words(shown), ranked(new), keep_places=True)) == expected


@pytest.mark.parametrize(
    ("shown", "new", "expected"),
    [
        ("a b c", "a.5 c.2 x.03", "a c x"),  # x would stand before c, which is really likelier
        ("a b c", "a.5 c.2 x.15", "a x c"),  # not really: c keeps its place
        ("a b c", "a.9 c.02 x.005", "a x c"),  # too little to be seen
        ("a b c d e", "b.4 a.3 c.1 d.05 x.01", "b a c d x"),
    ],
)
def test_no_word_stands_before_one_that_is_really_likelier(
    shown: str, new: str, expected: str
) -> None:
    ranking = [Word(item[0], float(item[1:])) for item in new.split()]
    found = arrange(words(shown), ranking, keep_places=True)
    assert texts(found).replace(" _", "") == expected


@given(st.data())
def test_what_is_shown_depends_on_the_text_but_for_the_places(data: st.DataObject) -> None:
    """The same words, the likeliest first, none before a really likelier one."""
    letters = st.permutations("abcdefgh")
    shown: list[Word | None] = [Word(letter, 0.1) for letter in data.draw(letters)[:5]]
    chances = data.draw(st.lists(st.floats(0.001, 0.5), min_size=1, max_size=7))
    ranking = [
        Word(letter, chance)
        for letter, chance in zip(data.draw(letters), sorted(chances, reverse=True), strict=False)
    ]
    found = [word for word in arrange(shown, ranking, keep_places=True) if word]
    assert set(found) == set(ranking[:5])
    assert found[0] == ranking[0]
    for i, word in enumerate(found):
        for later in found[i + 1 :]:
            assert later.probability < max(2 * word.probability, word.probability + 0.03) + 1e-9


def test_a_new_word_is_ranked_afresh() -> None:
    assert texts(arrange(words("a b c d e"), ranked("a d c b e"), keep_places=False)) == "a d c b e"


def test_places_hold_while_a_word_is_typed_and_not_beyond(bar: SuggestionBar) -> None:
    bar.show_words(ranked("pa pb pc pd pe"), context(4))
    bar.show_words(ranked("pa pe pd pc px"), context(4, "p"))
    assert texts(bar.words) == "pa px pc pd pe"
    bar.show_words(ranked("pa pe pd pc px"), context(9))
    assert texts(bar.words) == "pa pe pd pc px"


def test_the_bar_is_never_blank_between_two_predictions(qtbot: QtBot, bar: SuggestionBar) -> None:
    blanks = []
    bar.painted.connect(lambda: blanks.append(bar.is_empty))
    for letters in ("q", "qu", "qui", "quic"):
        with qtbot.waitSignal(bar.painted):
            bar.show_words(prediction(letters + "a", letters + "b").words, context(0, letters))
    assert blanks == [False] * 4


def test_cells_are_equally_wide_whatever_they_show(qtbot: QtBot, bar: SuggestionBar) -> None:
    long = "antidisestablishmentarianism"
    bar.show_words([Word(long, 0.9), Word("a", 0.1)], context(0))
    qtbot.wait(20)
    widths = [cell.width() for cell in bar._cells]
    assert max(widths) - min(widths) <= 1


def test_painted_is_told_once_per_answer_even_if_nothing_changed(
    qtbot: QtBot, bar: SuggestionBar
) -> None:
    for _ in range(2):
        with qtbot.waitSignal(bar.painted):
            bar.show_words(ranked("a b"), context(0))
    with qtbot.assertNotEmitted(bar.painted, wait=30):
        bar.repaint()


def test_a_click_takes_its_word_and_an_empty_place_takes_nothing(
    qtbot: QtBot, bar: SuggestionBar
) -> None:
    bar.show_words(ranked("a b c"), context(0))
    with qtbot.waitSignal(bar.taken) as taken:
        qtbot.mouseClick(bar._cells[1], Qt.MouseButton.LeftButton)
    assert taken.args == [1]
    with qtbot.assertNotEmitted(bar.taken):
        qtbot.mouseClick(bar._cells[4], Qt.MouseButton.LeftButton)


def test_a_screen_reader_hears_word_chance_and_key(bar: SuggestionBar) -> None:
    bar.show_words([Word("brown", 0.343), Word("red", 0.002)], context(0))
    assert bar._cells[0].accessibleName() == "Suggestion 1: brown, 34%, Tab or Alt+1"
    assert bar._cells[1].accessibleName() == "Suggestion 2: red, <1%, Alt+2"
    assert bar._cells[2].accessibleName() == "Suggestion 3: none"


def test_a_correction_is_marked_for_eye_and_ear(bar: SuggestionBar) -> None:
    bar.show_words([Word("teh", 0.5)], context(0))
    plain = bar._cells[0].grab().toImage()
    bar.show_words([Word("teh", 0.5, is_correction=True)], context(0))
    assert bar._cells[0].accessibleName() == "Correction 1: teh, 50%, Tab or Alt+1"
    assert bar._cells[0].toolTip() == "↺ Correction: teh · 50.00% · Tab or Alt+1"
    assert bar._cells[0].grab().toImage() != plain


def test_a_next_word_is_marked_too_and_is_not_the_word_of_the_same_letters(
    bar: SuggestionBar,
) -> None:
    bar.show_words([Word("to", 0.5, is_next=True)], context(0, "report"))
    assert bar._cells[0].accessibleName() == "Next word 1: to, 50%, Tab or Alt+1"
    assert bar._cells[0].toolTip() == "+ Next word: to · 50.00% · Tab or Alt+1"
    shown: list[Word | None] = [Word("a", 0.2), Word("to", 0.1), Word("b", 0.1)]
    ranking = [Word("a", 0.2), Word("b", 0.1), Word("to", 0.09, is_next=True)]
    assert texts(arrange(shown, ranking, keep_places=True)) == "a to b _ _"


@pytest.mark.parametrize(
    ("probability", "text"),
    [(1.0, "100%"), (0.345, "34%"), (0.005, "<1%"), (0.0051, "1%"), (0.001, "<1%")],
)
def test_percentages_are_short(probability: float, text: str) -> None:
    assert percent(probability) == text
