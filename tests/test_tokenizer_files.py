"""Every file a vocabulary comes from, what is refused, and the file that Foretype saves."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from gguf import GGUFWriter
from hypothesis import given
from hypothesis import strategies as st
from reference_tokenizers import PRE_TOKENIZERS, train

from model.byte_alphabet import bytes_of, visible
from model.tokenizer import Tokenizer, TokenizerError, tokenizer_from_folder, tokenizer_from_gguf

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module", params=PRE_TOKENIZERS)
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return train(request.param, tmp_path_factory.mktemp(request.param))


@pytest.fixture(scope="module")
def small(folder: Path) -> Tokenizer:
    return tokenizer_from_folder(folder)


def write_gguf(path: Path, tokenizer: Tokenizer, **changes: object) -> None:
    """A GGUF that holds nothing but a tokenizer."""
    specials = {i: name for name, i in tokenizer.vocabulary.special_tokens.items()}
    merges = json.loads((path.parent / "tokenizer.json").read_text())["model"]["merges"]
    fields: dict[str, object] = {
        "model": "gpt2",
        "pre": {"gpt2": "gpt-2", "llama3": "llama-bpe"}.get(
            tokenizer.vocabulary.split, tokenizer.vocabulary.split
        ),
        "tokens": [specials.get(i, visible(piece)) for i, piece in enumerate(tokenizer.pieces)],
        "token_type": [3 if i in specials else 1 for i in range(tokenizer.vocab_size)],
        "merges": [" ".join(merge) for merge in merges],
    } | changes
    writer = GGUFWriter(path, "llama")
    writer.add_vocab_size(tokenizer.vocab_size)
    for name, value in fields.items():
        if isinstance(value, str):
            writer.add_string(f"tokenizer.ggml.{name}", value)
        elif value is not None:
            writer.add_array(f"tokenizer.ggml.{name}", value)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.close()


def test_every_source_and_the_saved_file_agree(folder: Path, small: Tokenizer) -> None:
    write_gguf(folder / "small.gguf", small)
    assert tokenizer_from_gguf(folder / "small.gguf").vocabulary == small.vocabulary
    small.save(folder / "saved.json")
    assert Tokenizer.load(folder / "saved.json").vocabulary == small.vocabulary


@pytest.mark.parametrize("names", [("encoder.json", "vocab.bpe"), ("vocab.json", "merges.txt")])
def test_gpt2_files(folder: Path, small: Tokenizer, names: tuple[str, str], tmp_path: Path) -> None:
    bpe = json.loads((folder / "tokenizer.json").read_text())["model"]
    (tmp_path / names[0]).write_text(json.dumps(bpe["vocab"]), encoding="utf-8")
    lines = ["#version: 0.2", *(" ".join(merge) for merge in bpe["merges"]), ""]
    (tmp_path / names[1]).write_text("\n".join(lines), encoding="utf-8")
    tokenizer = tokenizer_from_folder(tmp_path)
    assert tokenizer.pieces == small.pieces
    assert tokenizer.vocabulary.merged == small.vocabulary.merged
    assert tokenizer.end_of_text == small.end_of_text


def test_the_model_may_have_more_ids_than_tokens(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_bytes((folder / "tokenizer.json").read_bytes())
    (tmp_path / "config.json").write_text('{"vocab_size": 512}')
    padded = tokenizer_from_folder(tmp_path)
    assert padded.vocab_size == 512
    assert padded.token_bytes(511) == b""
    assert 511 not in padded.sorted_ids
    padded.save(tmp_path / "saved.json")
    assert Tokenizer.load(tmp_path / "saved.json").vocab_size == 512
    (tmp_path / "config.json").write_text('{"vocab_size": 20}')
    with pytest.raises(TokenizerError, match=r"run from 0 to \d+, and the model has 20 tokens"):
        tokenizer_from_folder(tmp_path)


BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "use_regex": True}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"model": {"type": "Unigram", "vocab": []}}, "kind 'Unigram'.*SentencePiece does not"),
        ({"model": {"byte_fallback": True}}, "SentencePiece does not"),
        ({"model": {"end_of_word_suffix": "</w>"}}, "end_of_word_suffix"),
        ({"normalizer": {"type": "NFC"}}, "normalizer 'NFC'"),
        ({"pre_tokenizer": None}, r"splits text by \[\{\}\]"),
        ({"pre_tokenizer": {"type": "Metaspace"}}, "Metaspace"),
        ({"pre_tokenizer": {**BYTE_LEVEL, "add_prefix_space": True}}, "splits text by"),
        ({"pre_tokenizer": {"type": "Digits", "individual_digits": True}}, "splits text by"),
        ({"added_tokens": [{"id": 0, "content": "  ", "special": False}]}, "takes '  ' out"),
        ({"added_tokens": []}, "no end-of-text token"),
        ({"model": {"merges": ["Ġ t", "q Ġt"]}}, "needs a token that the vocabulary lacks"),
        ({"model": {"merges": ["a b c"]}}, "is no merge"),
        ({"model": {"ignore_merges": True, "merges": []}}, "taken whole"),
        ({"model": None}, "is damaged"),
        ({"model": {"vocab": {"a": "1"}}}, "is damaged"),
        ({"model": {"vocab": {"a": -1}, "merges": []}}, "run from -1"),
        ({"model": {"vocab": {"▁the": 0}}}, "byte alphabet"),
        ({"model": {"vocab": {"a": 1, "b": 1}, "merges": []}}, "share one id"),
    ],
)
def test_what_cannot_be_reproduced_is_refused(
    folder: Path, tmp_path: Path, change: dict[str, object], reason: str
) -> None:
    data = json.loads((folder / "tokenizer.json").read_text())
    for key, value in change.items():
        data[key] = {**data[key], **value} if isinstance(value, dict) and data[key] else value
    (tmp_path / "tokenizer.json").write_text(json.dumps(data))
    with pytest.raises(TokenizerError, match=reason) as caught:
        tokenizer_from_folder(tmp_path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"model": "llama"}, "kind 'llama'.*SentencePiece does not"),
        ({"pre": "deepseek-coder"}, "pre-tokenizer is 'deepseek-coder'.*reproduces gpt-2"),
        ({"pre": None}, "pre-tokenizer is 'default'"),
        ({"merges": None}, "lacks tokenizer.ggml.merges"),
        ({"token_type": [1, 3]}, "zip"),
    ],
)
def test_what_a_gguf_may_not_hold(
    folder: Path, small: Tokenizer, change: dict[str, object], reason: str
) -> None:
    write_gguf(folder / "changed.gguf", small, **change)
    with pytest.raises(TokenizerError, match=f"changed.gguf.*{reason}"):
        tokenizer_from_gguf(folder / "changed.gguf")


def test_a_damaged_gguf_is_refused(folder: Path, small: Tokenizer, tmp_path: Path) -> None:
    write_gguf(folder / "whole.gguf", small)
    whole = (folder / "whole.gguf").read_bytes()
    for size in (0, 3, 20, 200, len(whole) // 2, len(whole) - 5):
        (tmp_path / "cut.gguf").write_bytes(whole[:size])
        with pytest.raises(TokenizerError, match=r"cut\.gguf"):
            tokenizer_from_gguf(tmp_path / "cut.gguf")
    with pytest.raises(TokenizerError, match=r"absent\.gguf is no readable GGUF file"):
        tokenizer_from_gguf(tmp_path / "absent.gguf")


def test_a_folder_without_a_tokenizer_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TokenizerError, match=r"needs tokenizer\.json"):
        tokenizer_from_folder(tmp_path)
    (tmp_path / "tokenizer.model").write_bytes(b"\n\x0e")
    with pytest.raises(TokenizerError, match="SentencePiece"):
        tokenizer_from_folder(tmp_path)


def test_foreign_files_are_refused_in_one_line(folder: Path, tmp_path: Path) -> None:
    foreign = [b"", b"\xff\xfe", b"{", b"[]", b"7", b"[" * 100_000, b'{"format": 2}', b"{}"]
    foreign.append((folder / "tokenizer.json").read_bytes())
    path = tmp_path / "tokenizer.json"
    for content in foreign:
        path.write_bytes(content)
        with pytest.raises(TokenizerError) as caught:
            Tokenizer.load(path)
        assert str(path) in str(caught.value)
        assert "\n" not in str(caught.value)
    with pytest.raises(TokenizerError, match="absent"):
        Tokenizer.load(tmp_path / "absent")


json_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5)),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)


@given(st.data())
def test_a_damaged_file_is_refused_or_works(
    small: Tokenizer, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = tmp_path_factory.getbasetemp() / "damaged.json"
    small.save(path)
    fields = json.loads(path.read_bytes())
    name = data.draw(st.sampled_from(sorted(fields)))
    if isinstance(fields[name], list) and data.draw(st.booleans()):
        fields[name][data.draw(st.integers(0, len(fields[name]) - 1))] = data.draw(json_values)
    else:
        fields[name] = data.draw(json_values)
    path.write_text(json.dumps(fields))
    try:
        tokenizer = Tokenizer.load(path)
    except TokenizerError:
        return
    text = "the payment\x04 中 2024"
    assert tokenizer.decode(tokenizer.encode(text)) == tokenizer.normalise(text)


def test_the_byte_alphabet_is_a_bijection() -> None:
    every_byte = bytes(range(256))
    assert bytes_of(visible(every_byte)) == every_byte
    assert visible(b" \n\x00\xff!") == "ĠĊĀÿ!"
    for foreign in (" ", "\n", "\xa0", "\xad", "▁", "\ud800"):
        with pytest.raises(TokenizerError, match="byte alphabet"):
            bytes_of(foreign)
