"""Ids against the tokenizers library's, on the real SmolLM2 vocabulary and on small ones."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from gguf import GGUFReader
from hypothesis import given
from hypothesis import strategies as st
from reference_tokenizers import END, PRE_TOKENIZERS, any_text, ids_of, read_reference, train
from tokenizers import Tokenizer as Reference
from tokenizers import models

from model.tokenizer import Tokenizer, TokenizerError, tokenizer_from_folder, tokenizer_from_gguf
from model.vocabulary import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable

GGUF = Path(os.environ.get("FORETYPE_TEST_GGUF", "/nonexistent"))

# Ids of SmolLM2 according to tokenizers 0.23.3.
EXACT = {
    "": [],
    "   ": [333],
    "Hello, world!": [19556, 28, 905, 17],
    "Please send the pa": [10180, 5091, 260, 15125],
    "I'm sure they've said it'll work, don't you?": [
        57, 5248, 2090, 502, 3543, 1137, 357, 3060, 746, 28, 1326, 982, 346, 47,
    ],
    "  two spaces,   three, and\ttab\n\nnew paragraph  \n": [
        216, 827, 5600, 28, 256, 1296, 28, 284, 197, 15999, 198, 198, 2241, 8510, 32057,
    ],
    "In 2024, 3.14 and 1,000,000 cost €25.": [
        788, 216, 34, 32, 34, 36, 28, 216, 35, 30, 33, 36, 284, 216, 33, 28, 32, 32, 32, 28, 32,
        32, 32, 1708, 24927, 34, 37, 30,
    ],
    "naïve café, Zürich, Ελλάδα, привет": [
        3546, 46494, 37366, 28, 1777, 7170, 5130, 28, 5664, 239, 17162, 17162, 26112, 29589, 8998,
        28, 21985, 46879, 16464, 32547,
    ],
    "日本語のテキスト、中文文本": [
        23274, 115, 40993, 179, 120, 248, 26453, 11100, 224, 10391, 251, 10391, 134, 11100, 226,
        29917, 28589, 29184, 29184, 40993,
    ],
    "👩‍👩‍👧 family 😀 e\u0301": [
        10813, 235, 119, 321, 231, 10813, 235, 119, 321, 231, 10813, 235, 117, 1564, 40303, 218,
        297, 151, 219,
    ],
    "<|endoftext|> typed by a person <|im_start|>": [
        44, 108, 486, 1714, 2692, 108, 46, 30473, 411, 253, 1055, 2067, 108, 306, 79, 3738, 108, 46,
    ],
    "def f(x):\n    return x ** 2  # code": [
        1604, 275, 24, 104, 727, 472, 1003, 1792, 1903, 216, 34, 216, 907, 2909,
    ],
    "x \u00a0 \u2003 7   8": [104, 3351, 250, 459, 221, 216, 39, 333, 40],
    # NUL has a token; \x04, \x1d and lone surrogates have none and become U+FFFD.
    "\x00\x04\ud800\x1d control": [190, 24211, 24211, 24211, 1533],
}  # fmt: skip


# --- SmolLM2 itself -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def smollm2() -> Tokenizer:
    if not GGUF.exists():
        pytest.skip("FORETYPE_TEST_GGUF names no SmolLM2 GGUF")
    return tokenizer_from_gguf(GGUF)


@pytest.fixture(scope="module")
def smollm2_reference(smollm2: Tokenizer) -> Reference:
    fields = GGUFReader(GGUF).fields
    tokens = fields["tokenizer.ggml.tokens"].contents()
    merges = fields["tokenizer.ggml.merges"].contents()
    vocab = {token: i for i, token in enumerate(tokens)}
    reference = Reference(models.BPE(vocab, [tuple(merge.split(" ")) for merge in merges]))
    reference.pre_tokenizer = PRE_TOKENIZERS["smollm"]
    return reference


@pytest.mark.parametrize("text", EXACT, ids=ascii)
def test_smollm2_gives_the_exact_ids(smollm2: Tokenizer, text: str) -> None:
    assert smollm2.encode(text) == EXACT[text]


@given(any_text)
def test_smollm2_ids_equal_the_librarys(
    smollm2: Tokenizer, smollm2_reference: Reference, text: str
) -> None:
    assert smollm2.encode(text) == ids_of(smollm2_reference, smollm2.normalise(text))


def test_smollm2_facts(smollm2: Tokenizer) -> None:
    assert smollm2.vocab_size == 49_152
    assert smollm2.end_of_text == 0
    assert smollm2.special_ids == frozenset(range(17))
    assert len(smollm2.sorted_ids) == 49_152 - 17
    single = {piece[0] for piece in smollm2.pieces if len(piece) == 1}
    assert len(set(range(256)) - single) == 21


@pytest.mark.parametrize("char", ["a", " ", "\n", "!", "中", "9", "\ud800"], ids=ascii)
def test_a_million_identical_characters(
    smollm2: Tokenizer, smollm2_reference: Reference, char: str
) -> None:
    text = char * 1_000_000 + "x"  # what follows a run of white space decides how it is split
    start = time.perf_counter()
    ids = smollm2.encode(text)
    assert time.perf_counter() - start < 5
    assert smollm2.decode(ids) == smollm2.normalise(text)
    if char in " \n":
        assert ids == ids_of(smollm2_reference, text)
        assert smollm2.decode(smollm2.encode(text[:-1])) == text[:-1]


def test_it_is_fast_enough_for_every_keystroke(smollm2: Tokenizer, tmp_path: Path) -> None:
    page = ("The quick brown fox — it's lazy, 25 times; a naïve 😀 café. " * 70)[:4000]

    def best_ms(work: Callable[[], object], rounds: int) -> float:
        times = []
        for _ in range(rounds):
            start = time.perf_counter()
            work()
            times.append((time.perf_counter() - start) * 1e3)
        return min(times)

    smollm2.save(tmp_path / "tokenizer.json")
    assert best_ms(lambda: smollm2.encode(page), 20) < 1
    assert best_ms(lambda: smollm2.normalise(page), 20) < 0.1
    assert best_ms(lambda: Tokenizer.load(tmp_path / "tokenizer.json"), 3) < 500


# --- small vocabularies, trained here -------------------------------------------------------------


@pytest.fixture(scope="module", params=PRE_TOKENIZERS)
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return train(request.param, tmp_path_factory.mktemp(request.param))


@pytest.fixture(scope="module")
def small(folder: Path) -> Tokenizer:
    return tokenizer_from_folder(folder)


@given(any_text)
def test_ids_equal_the_librarys(folder: Path, small: Tokenizer, text: str) -> None:
    reference = read_reference(folder / "tokenizer.json")
    assert small.encode(text) == ids_of(reference, small.normalise(text))


@pytest.mark.parametrize("space", [" ", "\n", "\t", "\u3000", " \n"], ids=ascii)
def test_white_space_runs_split_as_the_librarys(folder: Path, small: Tokenizer, space: str) -> None:
    reference = read_reference(folder / "tokenizer.json")
    for length in (*range(1, 8), *range(97, 104), 199, 200, 201, 202):
        for tail in ("", "the", "2", ",", "'s", "\n", "中"):
            text = small.normalise("it" + space * length + tail)
            assert small.encode(text) == ids_of(reference, text)


@given(any_text)
def test_any_string_is_accepted_and_keeps_its_offsets(small: Tokenizer, text: str) -> None:
    normal = small.normalise(text)
    assert len(normal) == len(text)
    assert small.normalise(normal) == normal
    assert all(new == old or new == "\ufffd" for new, old in zip(normal, text, strict=True))
    ids = small.encode(text)
    assert small.decode(ids) == normal
    assert not small.special_ids.intersection(ids)


def test_the_replacement_is_the_best_that_the_vocabulary_has() -> None:
    def replaced(*pieces: bytes) -> str:
        return Tokenizer(Vocabulary((b"a", *pieces, b""), {}, "gpt2", 0, ())).normalise("aé")

    assert replaced(b"?", b" ", b"\xef", b"\xbf", b"\xbd") == "a\ufffd"
    assert replaced(b" ", b"?") == "a?"
    assert replaced(b" ") == "a "
    with pytest.raises(TokenizerError, match="can write neither"):
        replaced()


@given(any_text)
def test_spans_cover_every_character(small: Tokenizer, text: str) -> None:
    normal = small.normalise(text)
    ids = small.encode(text)
    spans = small.spans(text, ids)
    position = 0  # in bytes
    for token, (start, end) in zip(ids, spans, strict=True):
        piece = small.token_bytes(token)
        before = len(normal[:start].encode())
        after = len(normal[:end].encode())
        # The span holds the token's bytes, and not one character more than needed.
        assert before <= position < before + len(normal[start].encode())
        position += len(piece)
        assert after - len(normal[end - 1].encode()) < position <= after
    assert {i for start, end in spans for i in range(start, end)} == set(range(len(text)))


def test_spans_of_special_tokens_are_empty(small: Tokenizer) -> None:
    end = small.end_of_text
    ids = small.encode("pay中\ud800")
    spans = small.spans("pay中\ud800", ids)
    assert small.spans("pay中\ud800", [end, *ids, end]) == [(0, 0), *spans, (5, 5)]
    assert spans.count((3, 4)) >= 1
    assert small.spans("", []) == []
    with pytest.raises(TokenizerError, match="do not spell"):
        small.spans("paid", ids)


def test_decoding_is_on_bytes(small: Tokenizer) -> None:
    ids = small.encode("中")
    assert small.decode(ids) == "中"
    assert small.decode_bytes([small.end_of_text, *ids]) == "中".encode()
    first_byte = small.token_of("中".encode()[:1])
    assert first_byte is not None
    assert small.decode([first_byte]) == "\ufffd"


@given(st.one_of(st.binary(max_size=3), st.sampled_from([b"p", b" pa", b"\xe4\xb8", b"\xff"])))
def test_prefix_slices_hold_exactly_the_tokens_that_begin_so(
    small: Tokenizer, prefix: bytes
) -> None:
    found = small.sorted_ids[small.slice_of(prefix)].tolist()
    pieces = [small.token_bytes(i) for i in found]
    assert pieces == sorted(piece for piece in small.pieces if piece and piece.startswith(prefix))
    expected = small.pieces.index(prefix) if prefix and prefix in small.pieces else None
    assert small.token_of(prefix) == expected


def test_the_last_byte_has_a_slice_too() -> None:
    pieces = (b"?", b"\xfe\xff", b"\xff", b"\xff\xff", b"\xff\xff?", b"")
    tokenizer = Tokenizer(Vocabulary(pieces, {END: 5}, "gpt2", 5, (1, 3)))
    assert tokenizer.sorted_ids.tolist() == [0, 1, 2, 3, 4]
    for prefix in (b"", b"\xff", b"\xff\xff", b"\xfe", b"\xfe\xff"):
        pieces_found = [pieces[i] for i in tokenizer.sorted_ids[tokenizer.slice_of(prefix)]]
        assert pieces_found == sorted(p for p in pieces if p and p.startswith(prefix))


def test_ids_are_numpy_int64_where_arrays_are_promised(small: Tokenizer) -> None:
    assert small.sorted_ids.dtype == np.int64
