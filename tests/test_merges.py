"""Merge orders, odd ones too, against the tokenizers library's ids."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st
from reference_tokenizers import PRE_TOKENIZERS, any_text, ids_of, read_reference, train
from tokenizers import Tokenizer as Reference
from tokenizers import models

from model.tokenizer import Tokenizer, TokenizerError, tokenizer_from_folder
from model.vocabulary import Vocabulary


@pytest.fixture(scope="module", params=PRE_TOKENIZERS)
def shuffled(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Tokenizer, Reference]:
    """A tokenizer with its ids shuffled, saved and loaded."""
    folder = train(request.param, tmp_path_factory.mktemp("shuffled"))
    data = json.loads((folder / "tokenizer.json").read_text())
    ids = list(range(len(data["model"]["vocab"])))
    random.Random(3).shuffle(ids)
    data["model"]["vocab"] = {token: ids[i] for token, i in data["model"]["vocab"].items()}
    for token in data["added_tokens"]:
        token["id"] = ids[token["id"]]
    (folder / "tokenizer.json").write_text(json.dumps(data))
    tokenizer = tokenizer_from_folder(folder)
    tokenizer.save(folder / "saved.json")
    loaded = Tokenizer.load(folder / "saved.json")
    assert loaded.vocabulary == tokenizer.vocabulary
    return loaded, read_reference(folder / "tokenizer.json")


@given(any_text)
def test_ids_need_not_follow_the_merges(shuffled: tuple[Tokenizer, Reference], text: str) -> None:
    tokenizer, reference = shuffled
    assert tokenizer.encode(text) == ids_of(reference, tokenizer.normalise(text))
    assert all(type(i) is int for i in tokenizer.encode(text))


@st.composite
def merge_lists(draw: st.DrawFn) -> list[tuple[str, str]]:
    """Merges in a possible order, many of which tear each other's tokens apart."""
    pieces = ["a", "b", "c"]
    merges = []
    for _ in range(draw(st.integers(1, 14))):
        pair = draw(st.sampled_from(pieces)), draw(st.sampled_from(pieces))
        if pair not in merges:
            merges.append(pair)
            pieces = list(dict.fromkeys([*pieces, "".join(pair)]))
    return merges


@given(merge_lists(), st.lists(st.text("abc", max_size=40), min_size=5))
def test_merges_that_never_meet_are_left_out(
    merges: list[tuple[str, str]], texts: list[str]
) -> None:
    pieces = dict.fromkeys(["a", "b", "c", "?", *("".join(pair) for pair in merges)])
    ids = {piece: i for i, piece in enumerate(pieces)}
    try:
        vocabulary = Vocabulary.build(ids, {}, merges, split="gpt2", end_of_text=0)
    except TokenizerError as err:
        if "in which they were learned" not in str(err):
            raise
        reject()
    tokenizer = Tokenizer(vocabulary)
    reference = Reference(models.BPE(ids, merges))
    for text in [*texts, *pieces]:
        assert tokenizer.encode(text) == ids_of(reference, text)


@given(st.sets(st.text("abc", min_size=2, max_size=6), max_size=12), st.text("abc", max_size=40))
def test_llama3_takes_known_pieces_whole(words: set[str], text: str) -> None:
    ids = {piece: i for i, piece in enumerate(["a", "b", "c", "?", *sorted(words)])}
    cuts = [(word[:i], word[i:]) for word in ids for i in range(1, len(word))]
    merges = [pair for pair in cuts if pair[0] in ids and pair[1] in ids]
    vocabulary = Vocabulary.build(ids, {}, merges, split="gpt2", end_of_text=0, whole_pieces=True)
    tokenizer = Tokenizer(vocabulary)
    reference = Reference(models.BPE(ids, merges, ignore_merges=True))
    reference.pre_tokenizer = PRE_TOKENIZERS["gpt2"]
    for piece in [text, *words]:
        assert tokenizer.encode(piece) == ids_of(reference, piece)


def test_merges_out_of_order_are_refused() -> None:
    ids = {piece: i for i, piece in enumerate(["a", "b", "?", "ab", "aba"])}
    with pytest.raises(TokenizerError, match="in the order in which they were learned"):
        Vocabulary.build(ids, {}, [("ab", "a"), ("a", "b")], split="gpt2", end_of_text=2)
