"""Words and where sentences begin, in agreement with what the caret sees while they are typed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.sentences import words_of
from model.wordshape import is_word, split_at_caret


@pytest.mark.parametrize(
    ("text", "beginnings"),
    [
        ("He came. She left! Why? \"Yes.\" Well (no.) Fine", "He She Why Yes Well Fine"),
        ("wait... what… then. Now", "wait Now"),
        ("e.g. this, i.e. that, at 5 p.m. we met Mr. Smith and J. R. Jones. Yes", "e.g Yes"),
        ("it is 3.5 km. Far", "it Far"),
        ("one\ntwo\n- three", "one two three"),
        ("So did I. Then", "So Then"),
        ("他来了。她走了", "他来了 她走了"),
    ],
)  # fmt: skip
def test_sentences_begin_after_real_ends_only(text: str, beginnings: str) -> None:
    assert [w.text for w in words_of(text) if w.begins_sentence] == beginnings.split()


def test_a_capital_is_chosen_where_none_is_due() -> None:
    text = 'Then Anna, Bob and Mr. Smith said: "Fine." Wait... No (Yes) – But I'
    assert [w.text for w in words_of(text) if w.chose_case and w.text[0].isupper()] == [
        "Anna", "Bob", "Mr", "Smith", "I",
    ]  # fmt: skip


@given(st.text("aB1é’'-./ \n\"(,…", max_size=30))
def test_words_are_those_that_are_being_typed_at_their_end(text: str) -> None:
    for word in words_of(text):
        end = word.start + len(word.text)
        assert is_word(word.text)
        assert text[word.start : end] == word.text
        before, typed = split_at_caret(text[:end])
        if is_word(typed):  # "a..b" is typed in one go, and no word
            assert (before, typed) == (text[: word.start], word.text)


@given(st.text())
def test_every_letter_is_in_one_word(text: str) -> None:
    letters = [c for c in text if c.isalnum()]
    assert [c for word in words_of(text) for c in word.text if c.isalnum()] == letters
