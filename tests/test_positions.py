from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.positions import to_index, to_utf16, utf16_length

TEXT = st.text(st.characters(exclude_categories=["Cs"]))


@pytest.mark.parametrize(
    ("text", "units"),
    [("", 0), ("plain", 5), ("naïve", 5), ("a🚫b", 4), ("𒀭𒊩", 4), ("e\u0301", 2), ("👩‍👩‍👧", 8)],
)
def test_length_counts_utf16_units(text: str, units: int) -> None:
    assert utf16_length(text) == units


@given(TEXT)
def test_length_agrees_with_the_codec(text: str) -> None:
    assert utf16_length(text) == len(text.encode("utf-16-le")) // 2


@given(TEXT, st.integers(0, 100))
def test_there_and_back_is_where_we_started(text: str, index: int) -> None:
    index = min(index, len(text))
    assert to_index(text, to_utf16(text, index)) == index


def test_inside_a_surrogate_pair_is_its_character() -> None:
    assert [to_index("a🚫b", offset) for offset in range(6)] == [0, 1, 1, 2, 3, 3]


def test_positions_outside_the_text_are_clamped() -> None:
    assert to_index("abc", 99) == 3
    assert to_index("abc", -1) == 0
