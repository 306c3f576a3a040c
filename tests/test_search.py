from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app import search
from app.positions import to_utf16
from app.search import PatternError, SearchTimeout, Wanted, find_all, in_utf16, replace_all

ENDLESS = Wanted(r"(?:a|aa|b?a)+$", is_regex=True)


@pytest.mark.parametrize(
    ("wanted", "text", "found"),
    [
        (Wanted("a.c"), "abc a.c A.C", ["a.c", "A.C"]),
        (Wanted("a.c", has_case=True), "abc a.c A.C", ["a.c"]),
        (Wanted("a.c", is_regex=True), "abc a.c A.C a\nc", ["abc", "a.c", "A.C"]),
        (Wanted("cat", is_whole_word=True), "cat concat cat's cats", ["cat", "cat"]),
        (Wanted("été", is_whole_word=True), "Été étés été.", ["Été", "été"]),
        (Wanted("^b", is_regex=True), "b\nab\nb", ["b", "b"]),
        (Wanted("x*", is_regex=True), "axxb", ["xx"]),
        (Wanted("two  spaces"), "two  spaces two spaces", ["two  spaces"]),
        (Wanted("straße"), "STRASSE Straße", ["Straße"]),
        (Wanted(""), "anything", []),
        (Wanted("a\nb"), "a\nb", ["a\nb"]),
    ],
)
def test_what_is_found(wanted: Wanted, text: str, found: list[str]) -> None:
    assert [text[start:end] for start, end in find_all(text, wanted).spans] == found


@pytest.mark.parametrize("source", ["(", "[a", "*", r"\1", "(?P<n>a", "a{2,1}"])
def test_a_broken_expression_is_explained(source: str) -> None:
    with pytest.raises(PatternError, match="Not a regular expression: "):
        find_all("text", Wanted(source, is_regex=True))


def test_an_expression_that_would_try_for_ever_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "a" * 40 + "c"
    begun = time.monotonic()
    found = find_all(text, ENDLESS, within_s=0.1)
    assert not found.is_complete
    assert time.monotonic() - begun < 5
    monkeypatch.setattr(search, "REPLACED_WITHIN_S", 0.1)
    with pytest.raises(SearchTimeout, match="Nothing was replaced"):
        replace_all(text, ENDLESS, "")


@pytest.mark.parametrize(
    ("wanted", "template", "text", "expected"),
    [
        (Wanted("a"), "b", "a-A-a", "b-b-b"),
        (Wanted("a"), r"\1\n", "xay", r"x\1\ny"),
        (Wanted(r"(\w+), (\w+)", is_regex=True), r"\2 \1", "Doe, Jane", "Jane Doe"),
        (Wanted("(?P<n>b)", is_regex=True), r"<\g<n>>", "abc", "a<b>c"),
        (Wanted(", ", is_regex=True), r"\n", "a, b, c", "a\nb\nc"),
        (Wanted("x"), "y", "abc", "abc"),
        (Wanted("aa"), "a", "aaaa", "aa"),
        (Wanted("a"), "", "banana", "bnn"),
    ],
)
def test_replacing_all(wanted: Wanted, template: str, text: str, expected: str) -> None:
    edit = replace_all(text, wanted, template)
    if edit:
        text = text[: edit.span[0]] + edit.text + text[edit.span[1] :]
    assert text == expected


def test_a_template_with_a_group_that_is_not_there_is_explained() -> None:
    with pytest.raises(PatternError, match="does not fit"):
        replace_all("abc", Wanted("b", is_regex=True), r"\3")


@given(st.text(alphabet="ab😀é\n", max_size=60))
def test_places_are_those_of_qt(text: str) -> None:
    spans = find_all(text, Wanted("a")).spans
    expected = [(to_utf16(text, start), to_utf16(text, end)) for start, end in spans]
    assert in_utf16(text, spans) == expected
