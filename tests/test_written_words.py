"""Cells of the heat map: each character once, whatever the tokens are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiny_models import tiny_tokenizer

from app.positions import all_to_utf16, utf16_length
from app.written_tokens import WrittenTokens
from app.written_words import words_in
from model.scores import Scores
from model.tokenised import tokenise

TOKENIZER = tiny_tokenizer()


def tokens_of(text: str, offset: int = 0) -> WrittenTokens:
    found = tokenise(TOKENIZER, text)
    starts, ends = (all_to_utf16(text, places) + offset for places in (found.starts, found.ends))
    return WrittenTokens(found.ids, starts, ends, Scores.unknown(len(found.ids)))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("the inner ring", ["the", "inner", "ring"]),
        ("i ⭢ j", ["i", "⭢", "j"]),
        ("💩💩💩", ["💩", "💩", "💩"]),
        ("a🚫b 𒀭𒊩 naïve", ["a", "🚫", "b", "𒀭𒊩", "naïve"]),
        ("e\u0301te\u0301, non", ["e\u0301te\u0301", ",", "non"]),
        ("👩\u200d👩\u200d👧 on", ["👩\u200d👩\u200d👧", "on"]),
        ("שלום, עולם", ["שלום", ",", "עולם"]),
        ("今天天气", ["今", "天", "天", "气"]),
        ("don't stop", ["don't", "stop"]),
        ("  \n ", []),
        ("", []),
    ],
)
def test_words_come_out_whole(text: str, words: list[str]) -> None:
    assert [word.text for word in words_in(text, 0, tokens_of(text))] == words


@given(st.text("the and 'sñ🚫7.,!\u0301漢ש\ud800 \t\u200d👩𒀭", max_size=60))
def test_every_visible_character_is_in_one_word_and_every_token_in_one_at_most(text: str) -> None:
    tokens, offset = tokens_of(text, 7), 7
    words = words_in(text, offset, tokens)
    covered = [place for word in words for place in range(word.start, word.end)]
    assert len(covered) == len(set(covered))
    numbers = [n for word in words for n in range(word.tokens.start, word.tokens.stop)]
    assert len(numbers) == len(set(numbers))
    position = offset
    for character in text:
        if not character.isspace():
            assert position in covered
        position += utf16_length(character)
    assert all(offset <= word.start < word.end <= position for word in words)
