"""Where words begin and end."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.wordshape import is_word, split_at_caret


@pytest.mark.parametrize(
    ("context", "word"),
    [
        ("", ""),
        ("", "Hel"),
        ("I don't ", "kn"),
        ("I ", "don't"),
        ("I ", "don’"),
        ('She said "', "wel"),
        ("(", "see"),
        ("It costs ", "3.5"),
        ("end. ", ""),
        ("line one\n", ""),
        ("line one\n", "Two"),
        ("two  ", "spaces"),
        ("yes!", "no"),
        ("street.", ""),
        ("It costs ", "3."),
        ("I ", "don'"),
        ("e.", ""),
        ("", "e.g"),
        ("(see)", ""),
        ("(", "and/or"),
        ("Привет ", "ми"),
        ("— ", "dash"),
        ("😀 ", "smile"),
        ("😀", "smile"),
        ("a\u00a0", "b"),
    ],
)
def test_the_word_before_the_caret(context: str, word: str) -> None:
    assert split_at_caret(context + word) == (context, word)


@given(st.text(max_size=40))
def test_nothing_is_lost_at_the_caret(text: str) -> None:
    context, word = split_at_caret(text)
    assert context + word == text


@pytest.mark.parametrize(
    "word", ["a", "don't", "don’t", "well-known", "3.5", "and/or", "AT&T", "café", "ångström", "U2"]
)
def test_words(word: str) -> None:
    assert is_word(word)


@pytest.mark.parametrize(
    "fragment", ["", "-", "don'", "'tis", "a b", "well-", "x--y", "\ufffd", "."]
)
def test_fragments(fragment: str) -> None:
    assert not is_word(fragment)
