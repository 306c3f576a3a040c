"""Every token of a text is scored once, with the context that was promised."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiny_models import tiny_bundle

from model.reader import Reader, Reading, score
from model.sampling import softmax
from model.session import Cancelled, Session

if TYPE_CHECKING:
    from model.tokenizer import Tokenizer

WINDOW = 32


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    bundle = tiny_bundle(tmp_path_factory.mktemp("reader") / "tiny")
    return Session(bundle, context_tokens=WINDOW, threads=1)


@pytest.fixture(scope="module")
def tokenizer(session: Session, tmp_path_factory: pytest.TempPathFactory) -> Tokenizer:
    return tiny_bundle(tmp_path_factory.mktemp("tokenizer") / "tiny").tokenizer()


def expected_nats(session: Session, ids: list[int], i: int) -> float:
    """−log p of token i of `ids`, whose context starts where the windows say."""
    start = 0 if i <= WINDOW else ((i - 1 - WINDOW) // (WINDOW // 2) + 1) * (WINDOW // 2)
    row = session.cache().extend(ids[start:i])[0]
    return -math.log(softmax(row)[ids[i]])


@pytest.mark.parametrize("length", [0, 1, 30, 31, 32, 33, 100, 200])
def test_every_token_is_scored_once_with_at_least_half_a_window(
    session: Session, tokenizer: Tokenizer, length: int
) -> None:
    text = "the inner ring and a ww " * 20
    text = tokenizer.decode(tokenizer.encode(text)[:length])
    reading = Reader(session, tokenizer).read(text)
    ids = [tokenizer.end_of_text, *tokenizer.encode(text)]
    assert [token.id for token in reading.tokens] == ids[1:]
    expected = [expected_nats(session, ids, i) for i in range(1, len(ids))]
    found = [token.surprisal_bits * math.log(2) for token in reading.tokens]
    assert found == pytest.approx(expected, abs=1e-5)
    assert reading.nats == pytest.approx(sum(expected), abs=1e-3)
    assert reading.bytes == len(text.encode())


@given(texts=st.lists(st.text(alphabet="the and ñ🚫\n", max_size=80), max_size=6))
def test_reading_again_after_any_edit_equals_reading_afresh(
    session: Session, tokenizer: Tokenizer, texts: list[str]
) -> None:
    reader = Reader(session, tokenizer)
    for text in texts:
        assert reader.read(text) == Reader(session, tokenizer).read(text)


def test_appending_computes_only_what_is_new(session: Session, tokenizer: Tokenizer) -> None:
    reader = Reader(session, tokenizer)
    reader.read("the and " * 30)
    steps: list[tuple[int, int]] = []
    reader.read("the and " * 30 + "the", progress=lambda done, total: steps.append((done, total)))
    assert len(steps) == 1
    steps.clear()
    reader.read("the and " * 30 + "the", progress=lambda done, total: steps.append((done, total)))
    assert steps == []


def test_a_cancelled_reading_goes_on_where_it_stopped(
    session: Session, tokenizer: Tokenizer
) -> None:
    text = "in the ring and on " * 20
    reader = Reader(session, tokenizer)
    answers = iter([False] * 4 + [True])
    with pytest.raises(Cancelled):
        reader.read(text, cancelled=lambda: next(answers))
    steps: list[int] = []
    assert reader.read(text, progress=lambda done, _: steps.append(done)) == Reader(
        session, tokenizer
    ).read(text)
    assert steps[0] > 2 * WINDOW // 2


def test_tokens_of_one_character_share_its_span(session: Session, tokenizer: Tokenizer) -> None:
    reading = Reader(session, tokenizer).read("a🚫b\x00\ud800")
    assert [(token.start, token.end) for token in reading.tokens] == [
        (0, 1), *[(1, 2)] * 4, (2, 3), (3, 4), *[(4, 5)] * 3,
    ]  # fmt: skip
    assert b"".join(token.piece for token in reading.tokens) == "a🚫b\x00\ufffd".encode()


def test_an_empty_text_has_no_perplexity(session: Session, tokenizer: Tokenizer) -> None:
    reading = Reader(session, tokenizer).read("")
    assert reading == Reading((), 0.0, 0)
    assert math.isnan(reading.perplexity)
    assert math.isnan(reading.bits_per_byte)


def test_the_summary_of_known_logits() -> None:
    logits = np.log(np.array([[0.5, 0.3, 0.2, 0.0 + 1e-30], [0.25, 0.25, 0.25, 0.25]]))
    first, second = score(logits.astype(np.float32), [1, 2])
    assert first.nats == pytest.approx(-math.log(0.3), abs=1e-6)
    assert (first.rank, second.rank) == (2, 1)
    assert first.entropy_bits == pytest.approx(1.4855, abs=1e-4)
    assert second.entropy_bits == pytest.approx(2, abs=1e-6)
    assert [token for token, _ in first.alternatives[:3]] == [0, 1, 2]
    assert [chance for _, chance in first.alternatives[:3]] == pytest.approx([0.5, 0.3, 0.2])


def test_perplexity_of_known_surprisals() -> None:
    """The mean of 3.00, 1.20, 0.69, 0.36 and 2.30 nats is 1.51, and e to that is 4.5."""
    logits = np.stack(
        [np.log(np.array([p, 1 - p])) for p in np.exp([-3, -1.2, -0.69, -0.36, -2.3])]
    )
    scores = score(logits, [0] * 5)
    mean = sum(found.nats for found in scores) / 5
    assert mean == pytest.approx(1.51)
    assert math.exp(mean) == pytest.approx(4.5, abs=0.03)
