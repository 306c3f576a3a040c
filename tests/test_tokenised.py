"""A text that is edited has the tokens that the whole text has, wherever it was cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiny_models import MERGES

from model.byte_alphabet import visible
from model.session import Cancelled
from model.tokenised import EMPTY, TokenisedText, tokenise
from model.tokenizer import Tokenizer
from model.vocabulary import SPLITS, Vocabulary

ALPHABET = "the and 'sñ🚫7.,!\n\r\t\u0301漢ש\ud800"


def tokenizer_of(split: str) -> Tokenizer:
    merges = [*MERGES, ". Ċ", "Ċ Ċ", "Ġ Ġ", "! Ċ", "ĊĊ Ċ"]
    pieces = [visible(bytes([byte])) for byte in range(256)]
    pairs = [(first, second) for first, second in (merge.split() for merge in merges)]
    pieces += [first + second for first, second in pairs]
    ordinary = {piece: i for i, piece in enumerate(pieces)}
    end = len(pieces)
    vocabulary = Vocabulary.build(
        ordinary, {"<|endoftext|>": end}, pairs, split=split, end_of_text=end
    )
    return Tokenizer(vocabulary)


TOKENIZERS = {split: tokenizer_of(split) for split in SPLITS}


@pytest.mark.parametrize("split", SPLITS)
@given(texts=st.lists(st.text(ALPHABET, max_size=60), max_size=5))
def test_a_text_tokenised_after_another_is_tokenised_as_afresh(
    split: str, texts: list[str]
) -> None:
    tokenizer, found = TOKENIZERS[split], EMPTY
    for text in texts:
        found = tokenise(tokenizer, text, found)
        check(tokenizer, text, found)


@pytest.mark.parametrize("split", SPLITS)
@given(text=st.text(ALPHABET, max_size=80), data=st.data())
def test_an_edit_gives_the_tokens_of_the_whole(split: str, text: str, data: st.DataObject) -> None:
    tokenizer = TOKENIZERS[split]
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    edited = text[:start] + data.draw(st.text(ALPHABET, max_size=6)) + text[end:]
    check(tokenizer, edited, tokenise(tokenizer, edited, tokenise(tokenizer, text)))


def test_a_long_text_is_cut_and_can_be_given_up() -> None:
    tokenizer, text = TOKENIZERS["gpt2"], "in the rings, and on. " * 5_000
    check(tokenizer, text, tokenise(tokenizer, text))
    asked = iter([False, True])
    with pytest.raises(Cancelled):
        tokenise(tokenizer, text, cancelled=lambda: next(asked))


def check(tokenizer: Tokenizer, text: str, found: TokenisedText) -> None:
    ids = tokenizer.encode(text)
    assert found.text == text
    assert found.ids.tolist() == ids
    assert list(zip(found.starts.tolist(), found.ends.tolist(), strict=True)) == tokenizer.spans(
        text, ids
    )
