"""Ordinary words are told from names by the vocabulary."""

from __future__ import annotations

from tiny_models import tiny_tokenizer

from model.ordinary import ordinary_words


def test_words_of_the_vocabulary_are_ordinary_and_names_are_not() -> None:
    tokenizer = tiny_tokenizer()
    pieces = [tokenizer.token_bytes(i).decode("utf-8", "replace") for i in tokenizer.sorted_ids]
    word = max((p[1:] for p in pieces if p[:1] == " " and p[1:].isalpha()), key=len)
    is_ordinary = ordinary_words(tokenizer)
    assert is_ordinary(word)
    assert is_ordinary(word.capitalize())
    assert not is_ordinary("Kyriakos")
