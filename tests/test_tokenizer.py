"""Ids against the tokenizers library's, on the real SmolLM2 vocabulary and on small ones."""

from __future__ import annotations

import json
import os
import random
import time
from pathlib import Path

import numpy as np
import pytest
from gguf import GGUFReader, GGUFWriter
from hypothesis import given, reject
from hypothesis import strategies as st
from tokenizers import Regex, models, trainers
from tokenizers import Tokenizer as Reference
from tokenizers.pre_tokenizers import ByteLevel, Digits, Sequence, Split

from model.byte_alphabet import bytes_of, visible
from model.tokenizer import (
    Tokenizer,
    TokenizerError,
    tokenizer_from_folder,
    tokenizer_from_gguf,
)
from model.vocabulary import Vocabulary

GGUF = Path(os.environ.get("FORETYPE_TEST_GGUF", "/nonexistent"))
END = "<|endoftext|>"
# huggingface.co/meta-llama/Meta-Llama-3-8B, tokenizer.json
LLAMA3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
PRE_TOKENIZERS = {
    "gpt2": ByteLevel(add_prefix_space=False),
    "smollm": Sequence([Digits(individual_digits=True), ByteLevel(add_prefix_space=False)]),
    "llama3": Sequence(
        [
            Split(Regex(LLAMA3), "isolated", invert=False),
            ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    ),
}

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

FRAGMENTS = [
    *" \t\n\r\x00\x04\x1c\x1d\x7f\x85\xa0\u2003\u3000\u200d\ufeff\ufffd",
    *"aAzZ09'’-_.,!?\"#<|>ſéßİ²½Ⅷ٣",
    *"中本語हिन्דी한🏳😀👩👧\u0301\u0308",
    *("  ", "\n\n", " \n ", "'s", "'LL", " don't", "'ſ", "the", " pay", "ment", "12345", " 7"),
    *("\ud800", "\udfff", "\U0001f469\u200d\U0001f467", "\U00040000", "\U00011de1", "\U0010ffff"),
    *(END, "<|im_start|>", "\r\n\r\n", "…", " …"),
]
any_text = st.one_of(
    st.text(),
    st.lists(st.sampled_from(FRAGMENTS), max_size=40).map("".join),
    st.text(st.characters(exclude_categories=[]), max_size=20),
)


def ids_of(reference: Reference, text: str) -> list[int]:
    return reference.encode(text, add_special_tokens=False).ids


def read_reference(path: Path) -> Reference:
    reference = Reference.from_file(str(path))
    reference.encode_special_tokens = True  # a look-alike typed by a person is plain text
    return reference


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
    page = ("The quick brown fox — jumped over it's lazy dog, 25 times; a naïve 😀 café. " * 60)[
        :4000
    ]

    def best_ms(work: object, rounds: int) -> float:
        times = []
        for _ in range(rounds):
            start = time.perf_counter()
            work()  # type: ignore[operator]
            times.append((time.perf_counter() - start) * 1e3)
        return min(times)

    smollm2.save(tmp_path / "tokenizer.json")
    assert best_ms(lambda: smollm2.encode(page), 20) < 1
    assert best_ms(lambda: smollm2.normalise(page), 20) < 0.1
    assert best_ms(lambda: Tokenizer.load(tmp_path / "tokenizer.json"), 3) < 500


# --- small vocabularies, trained here -------------------------------------------------------------


@pytest.fixture(scope="module", params=PRE_TOKENIZERS)
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Hugging Face folder whose vocabulary lacks most bytes, as no initial alphabet is given."""
    reference = Reference(models.BPE())
    reference.pre_tokenizer = PRE_TOKENIZERS[request.param]
    words = ["the", "payment", "of", "it's", "2024,", "", "pay\n\n\tthey'll", "café", "中文", "😀?"]
    words.append("\ufffd")
    dice = random.Random(7)
    page = [" ".join(dice.choice(words) for _ in range(30)) for _ in range(40)]
    trainer = trainers.BpeTrainer(vocab_size=300, special_tokens=[END], show_progress=False)
    reference.train_from_iterator(page, trainer)
    folder = tmp_path_factory.mktemp(request.param)
    reference.save(str(folder / "tokenizer.json"))
    return folder


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


# --- the order of merges --------------------------------------------------------------------------


def relabel(folder: Path, target: Path) -> None:
    """The same tokenizer with its ids shuffled."""
    data = json.loads((folder / "tokenizer.json").read_text())
    ids = list(range(len(data["model"]["vocab"])))
    random.Random(3).shuffle(ids)
    data["model"]["vocab"] = {token: ids[i] for token, i in data["model"]["vocab"].items()}
    for token in data["added_tokens"]:
        token["id"] = ids[token["id"]]
    (target / "tokenizer.json").write_text(json.dumps(data))


@pytest.fixture(scope="module")
def shuffled(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Tokenizer, Reference]:
    target = tmp_path_factory.mktemp("shuffled")
    relabel(folder, target)
    tokenizer = tokenizer_from_folder(target)
    tokenizer.save(target / "saved.json")
    assert Tokenizer.load(target / "saved.json").vocabulary == tokenizer.vocabulary
    return Tokenizer.load(target / "saved.json"), read_reference(target / "tokenizer.json")


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
    end = len(ids)
    vocabulary = Vocabulary.build(
        ids, {END: end}, merges, split="gpt2", end_of_text=end, whole_pieces=True
    )
    tokenizer = Tokenizer(vocabulary)
    reference = Reference(models.BPE(ids, merges, ignore_merges=True))
    reference.pre_tokenizer = PRE_TOKENIZERS["gpt2"]
    for piece in [text, *words]:
        assert tokenizer.encode(piece) == ids_of(reference, piece)


# --- files ----------------------------------------------------------------------------------------


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


def test_merges_out_of_order_are_refused() -> None:
    ids = {piece: i for i, piece in enumerate(["a", "b", "?", "ab", "aba"])}
    with pytest.raises(TokenizerError, match="in the order in which they were learned"):
        Vocabulary.build(ids, {}, [("ab", "a"), ("a", "b")], split="gpt2", end_of_text=2)


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


def test_ids_are_numpy_int64_where_arrays_are_promised(small: Tokenizer) -> None:
    assert small.sorted_ids.dtype == np.int64
