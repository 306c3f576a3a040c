"""Where words begin and end."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiny_models import tiny_tokenizer

from model.wordshape import TokenShapes, is_word, split_at_caret, wants_space


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
        ("今天天气很", ""),
        ("日本の首都は", ""),
        ("ประเทศไทย", ""),
        ("我用", "Pyth"),
        ("我用Python的", ""),
        ("好，", "yes"),
        ("오늘 ", "날씨"),
        ("مرحبا بك ", "في"),
        ("שלום ", "עול"),
    ],
)
def test_the_word_before_the_caret(context: str, word: str) -> None:
    assert split_at_caret(context + word) == (context, word)


@given(st.text(max_size=40))
def test_nothing_is_lost_at_the_caret(text: str) -> None:
    context, word = split_at_caret(text)
    assert context + word == text


@pytest.mark.parametrize(
    "word",
    [
        "a",
        "don't",
        "don’t",
        "well-known",
        "3.5",
        "and/or",
        "AT&T",
        "café",
        "ångström",
        "U2",
        "天",
        "天气很好",
        "กิน",
        "날씨",
        "في",
    ],
)
def test_words(word: str) -> None:
    assert is_word(word)


@pytest.mark.parametrize(
    "fragment",
    [
        "",
        "-",
        "don'",
        "'tis",
        "a b",
        "well-",
        "x--y",
        "\ufffd",
        ".",
        "天气很好吗",
        "Python的",
        "的a",
        "ิน",
        "เ",
        "าน",
    ],
)
def test_fragments(fragment: str) -> None:
    assert not is_word(fragment)


def test_bytes_are_told_apart_by_their_script() -> None:
    """A Chinese character ends a Latin word; Hangul, Cyrillic and accents go on with theirs."""
    tokenizer = tiny_tokenizer()
    shapes = TokenShapes(tokenizer)
    unspaced = {byte for byte in range(256) if shapes.unspaced[tokenizer.token_of(bytes([byte]))]}
    assert unspaced == set(range(0xE3, 0xEA))
    for first in (0xC3, 0xD0, 0xEC, ord("a")):
        assert shapes.continues[tokenizer.token_of(bytes([first]))]
    assert not shapes.continues[tokenizer.token_of(b"\xe5")]


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("end.", True), ("end. ", False), ("(", False), ("(see)", True), ('"Hi"', True),
        ('She said "', False), ("", False), ("word", False), ("好。", False),
    ],
)  # fmt: skip
def test_where_a_space_is_due(before: str, expected: bool) -> None:
    assert wants_space(before) is expected
