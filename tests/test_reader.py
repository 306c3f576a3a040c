"""Every token of a text is scored once, with the context that was promised."""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiny_models import tiny_bundle

from model.passages import passages
from model.reader import Reader, Reading
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


def expected_nats(session: Session, tokenizer: Tokenizer, ids: list[int], i: int) -> float:
    """−log p of token i of `ids`, whose context starts where the passages say."""
    lines = [
        j
        for j in range(1, len(ids))
        if tokenizer.token_bytes(ids[j - 1]).endswith(b"\n")
        and not tokenizer.token_bytes(ids[j]).endswith(b"\n")
    ]
    plan = passages(len(ids) - 1, WINDOW, lines)
    start = next(passage.start for passage in plan if i - 1 < passage.stop)
    row = session.cache().extend(ids[start:i])[0]
    return -math.log(softmax(row)[ids[i]])


@pytest.mark.parametrize("length", [0, 1, 30, 31, 32, 33, 100, 200])
@pytest.mark.parametrize("line", ["the inner ring and a ww ", "the inner ring\n", "in\n\n"])
def test_every_token_is_scored_once_by_its_passage(
    session: Session, tokenizer: Tokenizer, line: str, length: int
) -> None:
    text = tokenizer.decode(tokenizer.encode(line * 60)[:length])
    reading = Reader(session, tokenizer).read(text)
    ids = [tokenizer.end_of_text, *tokenizer.encode(text)]
    assert [token.id for token in reading.tokens] == ids[1:]
    expected = [expected_nats(session, tokenizer, ids, i) for i in range(1, len(ids))]
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


def prose(seed: int, lines: int) -> str:
    """Lines of random words, none like another."""
    words = ["the", "and", "inner", "ring", "on", "in", "ww", "ñandú", "🚫", "re"]
    generator = random.Random(seed)
    return "\n".join(
        " ".join(generator.choices(words, k=generator.randint(2, 8))) for _ in range(lines)
    )


def test_appending_computes_only_what_is_new(session: Session, tokenizer: Tokenizer) -> None:
    reader = Reader(session, tokenizer)
    text = prose(1, 20)
    reader.read(text)
    steps: list[tuple[int, int]] = []
    reader.read(text + " the", progress=lambda done, total: steps.append((done, total)))
    assert len(steps) == 1
    steps.clear()
    reader.read(text + " the", progress=lambda done, total: steps.append((done, total)))
    assert steps == []


def test_an_edit_costs_the_passages_around_it_and_not_the_rest(
    session: Session, tokenizer: Tokenizer
) -> None:
    reader = Reader(session, tokenizer)
    text = prose(2, 60)
    count = len(reader.read(text).tokens)
    edited = "the ring on " + text
    draft = reader.begin(edited)
    unknown = np.flatnonzero(np.isnan(draft.scores.nats))
    assert 0 < len(unknown) < count / 3
    assert unknown[0] == 0
    assert reader.read(edited) == Reader(session, tokenizer).read(edited)


def test_what_is_on_screen_is_read_first_and_no_more_than_is_asked_for(
    session: Session, tokenizer: Tokenizer
) -> None:
    reader = Reader(session, tokenizer)
    draft = reader.begin(prose(3, 60))
    seen = range(300, 320)
    found = list(reader.go_on(draft, seen=seen, caret=310, reach=40))
    first, scores = found[0]
    assert first <= 300 < first + len(scores)
    rows = [row for first, scores in found for row in range(first, first + len(scores))]
    assert len(rows) == len(set(rows))
    assert set(range(260, 360)) <= set(rows) <= set(range(260 - WINDOW, 360 + WINDOW))
    for first, scores in reader.go_on(draft, seen=seen):
        draft.scores.put(first, scores)
    for first, scores in found:
        draft.scores.put(first, scores)
    whole = Reader(session, tokenizer).read(draft.text.text)
    expected = [token.surprisal_bits * math.log(2) for token in whole.tokens]
    assert draft.scores.nats.tolist() == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("text", ["", "the", "the inner ring and on", prose(4, 30)])
def test_the_next_token_is_expected_as_it_is_scored_once_it_stands(
    session: Session, tokenizer: Tokenizer, text: str
) -> None:
    reader = Reader(session, tokenizer)
    expected = reader.next_token(text)
    token = reader.read(text + " the").tokens[-1]
    assert token.piece == b" the"
    assert token.entropy_bits == pytest.approx(expected.entropy_bits, abs=1e-5)
    assert [i for i, _ in token.alternatives] == [t.id for t in expected.tokens[:5]]
    assert [p for _, p in token.alternatives] == pytest.approx(
        [t.probability for t in expected.tokens[:5]], abs=1e-6
    )
    assert len(expected.tokens) == 10


def test_after_a_space_the_next_token_begins_with_it(
    session: Session, tokenizer: Tokenizer
) -> None:
    found = Reader(session, tokenizer).next_token("the ")
    assert {token.piece[:1] for token in found.tokens} == {b" "}


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
