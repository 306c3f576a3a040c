from __future__ import annotations

import pytest

from app.token_text import insertable, quoted, spoken, visible


@pytest.mark.parametrize(
    ("piece", "text", "said"),
    [
        (b" the", "·the", "the"),
        (b"\n\n", "↵↵", "line end line end"),
        (b"\t", "⇥", "tab"),
        (b" ", "·", "space"),
        ("é".encode(), "é", "é"),
        (b"\xe2\x80", "E2 80", "E2 80"),
        (b"", "end of text", "end of text"),
        (b"\x00", "U+0000", "\x00"),
        ("\u00a0".encode(), "⍽", "space"),
        ("\u200b".encode(), "U+200B", "\u200b"),
    ],
)
def test_every_token_can_be_seen_and_said(piece: bytes, text: str, said: str) -> None:
    assert visible(piece) == text
    assert spoken(piece) == said


def test_only_whole_characters_can_be_put_into_a_text() -> None:
    assert insertable(" 🚫".encode()) == " 🚫"
    assert insertable(b"\xe2\x80") is None
    assert insertable(b"") is None


def test_in_a_sentence_a_token_stands_in_quotes() -> None:
    assert [quoted(piece) for piece in (b",", b" ", b" the", b"\xe2", b"")] == [
        "“,”", "“·”", "“·the”", "E2", "end of text",
    ]  # fmt: skip
