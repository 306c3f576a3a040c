"""The part of a text that the model sees."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tiny_models import tiny_tokenizer

from model.window import ANCHOR_CHARACTERS, Window, rough_start

TOKENIZER = tiny_tokenizer()
WORDS = "the rain in Spain stays mainly in the plain and nobody there complains\n"


def test_a_short_text_is_seen_whole_after_the_preface() -> None:
    window = Window(TOKENIZER, 200, "Hello.\n")
    preface, text = TOKENIZER.encode("Hello.\n"), TOKENIZER.encode("the rain")
    ids = window.ids("the rain")
    assert ids == [TOKENIZER.end_of_text, *preface, *text]
    assert window.tokens_of_text(ids) == len(text)
    assert window.tokens_of_text(window.ids("")) == 0


def test_the_window_slides_by_halves_and_never_overflows() -> None:
    window = Window(TOKENIZER, 64)
    starts = set()
    for length in range(1, 600):
        text = (WORDS * 9)[:length]
        ids = window.ids(text)
        assert len(ids) <= 64
        assert ids[0] == TOKENIZER.end_of_text
        assert TOKENIZER.decode(ids) == text[len(text) - len(TOKENIZER.decode(ids)) :]
        starts.add(len(text) - len(TOKENIZER.decode(ids)))
    assert len(starts) < 25  # not once per character


def test_a_nearly_full_window_tells_how_the_next_one_begins() -> None:
    window = Window(TOKENIZER, 64)
    text, announced = "", None
    for character in WORDS * 4:
        ids = window.ids(text + character)
        if announced and len(ids) < len(window.ids(text)):
            assert ids[: len(announced) - 1] == announced[:-1]
            return
        announced = window.following(ids) or announced
        text += character
    raise AssertionError("the window never slid")


@given(st.integers(0, 40_000), st.sampled_from([WORDS, "x" * 97, "中文 "]))
def test_the_rough_start_leaves_one_to_two_steps(length: int, words: str) -> None:
    text = (words * (length // len(words) + 1))[:length]
    rest = len(text) - rough_start(text)
    assert rest <= 2 * ANCHOR_CHARACTERS
    assert rough_start(text) == 0 or rest > ANCHOR_CHARACTERS * 0.7
