from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.line_endings import join_lines, prevailing_ending, split_lines

ODD_TEXT = st.text(st.sampled_from("ab\n\r\u2029\u2028\ufdd0 \t"), max_size=40)


@given(ODD_TEXT)
def test_an_unedited_text_comes_back_exactly(text: str) -> None:
    lines = split_lines(text)
    assert join_lines([line for line, _ in lines], lines, "\n") == text


@given(ODD_TEXT, st.integers(0, 40))
def test_editing_one_line_keeps_every_ending(text: str, where: int) -> None:
    lines = split_lines(text)
    where %= len(lines)
    edited = [line for line, _ in lines]
    edited[where] += "é"
    joined = join_lines(edited, lines, "\n")
    assert [ending for _, ending in split_lines(joined)] == [ending for _, ending in lines]


@pytest.mark.parametrize(
    ("old", "lines", "expected"),
    [
        ("a\r\nb\nc", ["a", "new", "b", "c"], "a\r\nnew\nb\nc"),
        ("a\r\nb\nc", ["a", "c"], "a\r\nc"),
        ("a\r\nb\nc", ["a", "b", "c", ""], "a\r\nb\nc\n"),
        ("a\r\nb\n", ["b"], "b"),
        ("one\r\ntwo\r\nthree\n", ["zero", "one", "two", "three", ""],
         "zero\none\r\ntwo\r\nthree\n"),
    ],
)  # fmt: skip
def test_new_lines_get_the_prevailing_ending_and_old_ones_keep_theirs(
    old: str, lines: list[str], expected: str
) -> None:
    assert join_lines(lines, split_lines(old), "\n") == expected


def test_a_huge_rewrite_of_a_mixed_file_is_not_compared_line_by_line() -> None:
    old = split_lines("\r\n".join(f"old {i}" for i in range(3_000)) + "\n")
    new = [f"new {i}" for i in range(3_000)]
    assert join_lines(new, old, "\n").count("\n") == 2_999


@pytest.mark.parametrize(
    ("text", "ending"), [("", "\n"), ("a", "\n"), ("a\r\nb\r\nc\n", "\r\n"), ("a\rb", "\r")]
)
def test_the_prevailing_ending_is_the_most_frequent(text: str, ending: str) -> None:
    assert prevailing_ending(split_lines(text)) == ending
