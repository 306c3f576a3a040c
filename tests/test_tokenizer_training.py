"""Tokenizers learnt from a text write what the library that learnt them would write."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference_tokenizers import any_text, ids_of
from tokenizers import Tokenizer as Reference

from model.tokenizer import Tokenizer, TokenizerError
from training.tokenizer_training import _as_tokenizer, _learn, train_tokenizer

SAMPLE = (Path(__file__).parents[1] / "assets" / "sample.txt").read_text(encoding="utf-8")
PARAGRAPHS = SAMPLE.split("\n\n")[:400]


@pytest.fixture(scope="module")
def learnt() -> tuple[Tokenizer, Reference]:
    """Our tokenizer of a few chapters, and the library's own before the conversion."""
    description = _learn(PARAGRAPHS, 700)
    reference = Reference.from_str(description)
    reference.encode_special_tokens = True  # a look-alike typed by a person is plain text
    return _as_tokenizer(description), reference


@given(text=st.one_of(any_text, st.sampled_from(PARAGRAPHS)))
def test_ids_are_the_librarys_and_spell_the_text(
    learnt: tuple[Tokenizer, Reference], text: str
) -> None:
    ours, reference = learnt
    ids = ours.encode(text)
    assert ids == ids_of(reference, ours.normalise(text))
    assert ours.decode(ids) == ours.normalise(text)


def test_the_whole_sample_is_written_in_fewer_tokens_by_a_larger_vocabulary() -> None:
    ids = {size: train_tokenizer([SAMPLE], size).encode(SAMPLE) for size in (257, 1_000, 4_096)}
    assert len(ids[257]) == len(SAMPLE.encode())  # bytes alone
    assert len(ids[257]) > 2 * len(ids[1_000]) > 2 * len(ids[4_096])
    assert max(ids[4_096]) < 4_096


def test_the_same_texts_give_the_same_file_and_it_survives_the_disk(tmp_path: Path) -> None:
    for name in ("first", "second"):
        train_tokenizer(iter(PARAGRAPHS), 600).save(tmp_path / name)
    assert (tmp_path / "first").read_bytes() == (tmp_path / "second").read_bytes()
    assert Tokenizer.load(tmp_path / "first").encode("Alice!") == train_tokenizer(
        PARAGRAPHS, 600
    ).encode("Alice!")


def test_a_vocabulary_has_end_of_text_every_byte_and_single_digits(
    learnt: tuple[Tokenizer, Reference],
) -> None:
    ours, _ = learnt
    assert ours.vocab_size == 700
    assert ours.token_bytes(ours.end_of_text) == b""
    assert {bytes([byte]) for byte in range(256)} <= set(ours.pieces)
    assert len(train_tokenizer(["in 1984 and 1984"] * 9, 300).encode("1984")) == 4
    assert ours.vocabulary.special_tokens == {"<|endoftext|>": 0}


def test_a_short_corpus_gives_fewer_tokens_and_an_empty_one_the_bytes() -> None:
    assert train_tokenizer(["a cat, a cat"], 4_096).vocab_size < 270
    bytes_only = train_tokenizer([], 4_096)
    assert bytes_only.vocab_size == 257
    assert bytes_only.decode(bytes_only.encode("né 😀")) == "né 😀"


def test_what_utf_8_cannot_hold_is_learnt_around() -> None:
    assert train_tokenizer(["a cat \ud800 a cat \ud800"], 300).encode(" cat") != []


@pytest.mark.parametrize("size", [0, 256, 1 << 23])
def test_a_vocabulary_without_room_for_the_bytes_or_beyond_reason_is_refused(size: int) -> None:
    with pytest.raises(TokenizerError, match=f"{size:,} tokens; it must have 257 to"):
        train_tokenizer(PARAGRAPHS, size)
