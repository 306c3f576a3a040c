"""The noise model against its definition: every way to slip, one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model import noise as model
from model.noise import MOST, MOST_OTHER_FIRST, as_letters, noise

if TYPE_CHECKING:
    from collections.abc import Sequence

NEAR = {"a": "qwsz", "b": "vghn", "s": "awedxz", "l": "kop", "p": "ol", "m": "njk"}


def noise_of(typed: str, *words: str, least: float = 0.0) -> list[float]:
    return noise(typed, as_letters(words), np.full(len(words), least)).tolist()


def every_way(typed: str, word: str, i: int = 0, j: int = 0, missed: int = 0) -> float:
    """P(typed[i:] | word[j:], `missed` letters before j were left out), as a tree of decisions."""
    if j > len(typed) + model.MOST_MISSING:
        return 0.0
    if i == len(typed):
        return 0.0 if missed else 1.0
    first = model.FIRST_LETTER if j == 0 else 1.0
    before = word[j - 1] if j else ""
    extra = model.DOUBLED if typed[i] == before else model.EXTRA * first
    total = extra * every_way(typed, word, i + 1, j, 0)
    if j == len(word):
        return total
    if typed[i] == word[j]:
        written = model.KEPT
    elif typed[i] in "aeiouy" and word[j] in "aeiouy":
        written = model.VOWEL * first
    elif typed[i] in NEAR.get(word[j], "") or word[j] in NEAR.get(typed[i], ""):
        written = model.NEIGHBOUR * first
    else:
        written = model.OTHER * first
    total += written * every_way(typed, word, i + 1, j + 1, 0)
    if missed < model.MOST_MISSING:
        if word[j] in "'-":
            missing = model.MISSING_MARK
        else:
            missing = model.MISSING_REPEAT if word[j] == before else model.MISSING
        total += missing * first * every_way(typed, word, i, j + 1, missed + 1)
    if typed[i : i + 2] == word[j + 1 : j + 2] + word[j] and typed[i] != word[j]:
        total += model.SWAPPED * first * every_way(typed, word, i + 2, j + 2, 0)
    return total


letters = st.text("abslm'", min_size=1, max_size=5)


@given(letters, st.lists(letters, max_size=4))
def test_it_adds_up_every_way_to_slip(typed: str, words: list[str]) -> None:
    expected = [0.0 if word.startswith(typed) else every_way(typed, word) for word in words]
    assert noise_of(typed, *words) == pytest.approx(expected, rel=1e-9)


@given(letters, st.lists(letters, max_size=4), st.floats(1e-12, 1e-2))
def test_what_is_unlikely_counts_as_nothing(typed: str, words: list[str], least: float) -> None:
    for whole, pruned in zip(
        noise_of(typed, *words), noise_of(typed, *words, least=least), strict=True
    ):
        assert pruned == (whole if whole >= least else 0.0)


@given(letters, st.text("abslm", min_size=1, max_size=5))
def test_its_bounds_hold(typed: str, word: str) -> None:
    [chance] = noise_of(typed, word)
    assert chance <= (MOST if typed[0] == word[0] else MOST_OTHER_FIRST)


@pytest.mark.parametrize(
    ("typed", "word", "least"),
    [
        ("teh", "the", model.SWAPPED),
        ("wierd", "weird", model.SWAPPED),
        ("thna", "thank", model.SWAPPED),  # mid-word
        ("recie", "receive", model.SWAPPED),
        ("goverment", "government", model.MISSING),
        ("realy", "really", model.MISSING_REPEAT),
        ("dont", "don't", model.MISSING_MARK),
        ("dont", "don’t", model.MISSING_MARK),
        ("untill", "until", model.DOUBLED),
        ("meeet", "meet", model.DOUBLED),
        ("definately", "definitely", model.VOWEL),
        ("frok", "from", model.NEIGHBOUR / 2),
        ("hte", "the", model.SWAPPED * model.FIRST_LETTER),
        ("tommorow", "tomorrow", model.DOUBLED * model.MISSING_REPEAT),  # two slips
        ("привте", "привет", model.SWAPPED),
    ],
)
def test_common_slips(typed: str, word: str, least: float) -> None:
    [chance] = noise_of(typed, word)
    assert 0.7 * least < chance < 3 * least


def test_a_neighbouring_key_is_likelier_than_a_distant_one() -> None:
    near, far = noise_of("frok", "from", "frob")  # k is beside m, not beside b
    assert near > 3 * far


def test_words_that_begin_so_have_no_slip() -> None:
    assert noise_of("the", "the", "then", "THE") == [0, 0, 0]


def test_no_words_at_all() -> None:
    assert noise_of("the") == []


@pytest.mark.parametrize(
    "words", [["straße"], ["naïve", "x" * 99], ["\ud800", "日本語", "𝔘nicode"]]
)
def test_any_script_can_be_compared(words: Sequence[str]) -> None:
    assert as_letters(words).shape == (len(words), model.LONGEST)
    assert all(0 <= chance < 1 for chance in noise_of("straxe", *words))
