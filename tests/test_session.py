"""However a context came about, its logits are those of a fresh run."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny_models import TINY

from model.bundle import Bundle, load_bundle
from model.session import (
    CHUNK_TOKENS,
    RESERVE,
    Cancelled,
    ContextFull,
    Session,
    common_prefix,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from training.export import Precision

    BundleOf = Callable[[str, Precision], Bundle]

REAL = os.environ.get("FORETYPE_TEST_BUNDLE")
KINDS = [(family, precision) for family in TINY for precision in ("float", "int8")]
TREE_ATOL = {"float": 1e-4, "int8": 0.1}  # one rounding step of an activation, in another slot


class Fresh:
    """What a cache of its own says of a context, computed once per context."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._known: dict[tuple[int, ...], np.ndarray] = {}

    def logits(self, ids: Sequence[int]) -> np.ndarray:
        key = tuple(ids)
        if key not in self._known:
            self._known[key] = self.session.cache().extend(key)[-1]
        return self._known[key]


@pytest.fixture(scope="module", params=KINDS, ids=[" ".join(kind) for kind in KINDS])
def session(request: pytest.FixtureRequest, bundle_of: BundleOf) -> Session:
    return Session(bundle_of(*request.param), threads=1)


@pytest.fixture(scope="module")
def fresh(session: Session) -> Fresh:
    return Fresh(session)


@pytest.fixture
def llama(bundle_of: BundleOf) -> Session:
    return Session(bundle_of("llama", "float"), threads=1)


def tokens(count: int, seed: int = 0, vocab_size: int = 269) -> list[int]:
    return np.random.default_rng(seed).integers(vocab_size, size=count).tolist()


# What a writer does, each with numbers that the test turns into places and tokens.
NUMBER = st.integers(0, 1 << 16)
ACTIONS = st.lists(
    st.one_of(
        st.tuples(st.just("type"), st.lists(NUMBER, min_size=1, max_size=1)),
        st.tuples(st.just("delete"), st.lists(NUMBER, min_size=1, max_size=1)),
        st.tuples(st.just("paste"), st.lists(NUMBER, min_size=1, max_size=90)),
        st.tuples(st.just("move"), st.lists(NUMBER, min_size=1, max_size=1)),
        st.tuples(st.just("accept"), st.lists(NUMBER, min_size=1, max_size=RESERVE)),
        st.tuples(st.just("grow"), st.lists(NUMBER, min_size=1, max_size=12)),
    ),
    min_size=3,
    max_size=20,
)


class Writer:
    """A document of tokens with a caret, written through one cache and compared at every step."""

    def __init__(self, fresh: Fresh) -> None:
        self.fresh, self.session = fresh, fresh.session
        self.cache = self.session.cache()
        self.document = [0]
        self.caret = 1

    def act(self, action: str, numbers: list[int]) -> None:
        ids = [number % self.session.config.vocab_size for number in numbers]
        getattr(self, f"_{action}")(ids)
        context = self.context()
        np.testing.assert_array_equal(self.cache.follow(context), self.fresh.logits(context))
        assert self.cache.ids == context

    def context(self) -> list[int]:
        return self.document[max(self.caret - self.session.context_tokens, 0) : self.caret]

    def _type(self, ids: list[int]) -> None:
        self.document[self.caret : self.caret] = ids
        self.caret += len(ids)

    _paste = _type

    def _delete(self, ids: list[int]) -> None:
        count = min(ids[0] % 9, self.caret - 1)
        del self.document[self.caret - count : self.caret]
        self.caret -= count

    def _move(self, ids: list[int]) -> None:
        self.caret = 1 + ids[0] % len(self.document)

    def _accept(self, ids: list[int]) -> None:
        before = self.cache.ids.copy()
        seen = self.cache.peek(ids)
        assert self.cache.ids == before
        if len(before) + len(ids) <= self.session.context_tokens:
            np.testing.assert_array_equal(self.cache.extend(ids)[-1], seen)
        self._type(ids)

    def _grow(self, ids: list[int]) -> None:
        size = self.cache.tree_size
        parents = [number % (size + i + 1) - 1 for i, number in enumerate(ids)]
        try:
            self.cache.grow(ids, parents)
        except ContextFull:
            assert self.cache.tree_size == size
            self.cache.prune(size // 2)


@given(actions=ACTIONS)
@settings(max_examples=25)
def test_writing_in_any_order_equals_a_fresh_run_bit_for_bit(
    fresh: Fresh, actions: list[tuple[str, list[int]]]
) -> None:
    writer = Writer(fresh)
    for action, numbers in actions:
        writer.act(action, numbers)


@pytest.fixture(scope="module")
def real_session() -> Session:
    if REAL is None:
        pytest.skip("FORETYPE_TEST_BUNDLE names no model folder")
    return Session(load_bundle(Path(REAL)))


@pytest.mark.slow
@given(actions=ACTIONS)
@settings(max_examples=5)
def test_writing_with_the_real_model_equals_a_fresh_run_bit_for_bit(
    real_session: Session, actions: list[tuple[str, list[int]]]
) -> None:
    writer = Writer(Fresh(real_session))
    writer.act("paste", tokens(300, vocab_size=1 << 16))
    for action, numbers in actions:
        writer.act(action, numbers)


@pytest.mark.slow
def test_pieces_of_any_size_agree_in_the_real_model(real_session: Session) -> None:
    ids = tokens(400, vocab_size=real_session.config.vocab_size)
    whole = real_session.cache().extend(ids, rows="all")
    for size in (1, 2, 3, 5, 17, 63, 64, 65):
        cache, end = real_session.cache(), min(40 * size, len(ids))
        for start in range(0, end, size):
            row = cache.extend(ids[start : min(start + size, end)])[0]
            np.testing.assert_array_equal(row, whole[len(cache.ids) - 1])


def chain_and_siblings(count: int) -> tuple[list[int], list[int]]:
    """`count` first words, a pair below each of the first five, and four below the last pair."""
    parents = [-1] * count + [i for i in range(5) for _ in range(2)] + [count + 9] * 4
    return tokens(len(parents), seed=3), parents


def paths_of(ids: list[int], parents: list[int]) -> list[list[int]]:
    """The tokens from the root to each node."""
    paths: list[list[int]] = []
    for token, parent in zip(ids, parents, strict=True):
        paths.append([*(paths[parent] if parent >= 0 else []), token])
    return paths


def test_a_tree_agrees_with_its_paths_one_by_one(
    session: Session, fresh: Fresh, request: pytest.FixtureRequest
) -> None:
    precision = request.node.callspec.params["session"][1]
    ids, parents = chain_and_siblings(20)
    for context in ([], tokens(1), tokens(25)):
        cache = session.cache()
        cache.extend(context)
        found = np.concatenate(
            [
                cache.grow(ids[start:stop], parents[start:stop])
                for start, stop in ((0, 20), (20, 21), (21, 30), (30, 34))
            ]
        )
        assert cache.tree_size == len(ids)
        for logits, path in zip(found, paths_of(ids, parents), strict=True):
            np.testing.assert_allclose(
                logits, fresh.logits(context + path), atol=TREE_ATOL[precision], rtol=0
            )


@pytest.mark.slow
def test_a_tree_of_the_real_model_agrees_with_its_paths(real_session: Session) -> None:
    context = tokens(300, vocab_size=real_session.config.vocab_size)
    ids, parents = chain_and_siblings(20)
    cache = real_session.cache()
    cache.extend(context)
    for logits, path in zip(cache.grow(ids, parents), paths_of(ids, parents), strict=True):
        np.testing.assert_allclose(logits, cache.follow(context + path), atol=0.05, rtol=0)


def test_pruned_nodes_are_forgotten_and_their_places_used_again(llama: Session) -> None:
    cache = llama.cache()
    cache.extend(tokens(10))
    cache.grow([1, 2, 3], [-1, -1, 0])
    cache.prune(2)
    again = cache.grow([4, 5], [1, 2])
    assert cache.tree_size == 4
    np.testing.assert_allclose(
        again[1], Fresh(llama).logits([*tokens(10), 2, 4, 5]), atol=1e-4, rtol=0
    )
    cache.extend([6])
    assert cache.tree_size == 0


def test_a_node_of_a_tree_that_does_not_exist_changes_nothing(llama: Session) -> None:
    cache = llama.cache()
    cache.extend([1, 2])
    cache.grow([3], [-1])
    with pytest.raises(IndexError):
        cache.grow([4, 5], [0, 7])
    assert cache.tree_size == 1


def test_a_tree_too_large_is_refused_and_the_old_one_stays(session: Session) -> None:
    cache = session.cache()
    context = tokens(session.context_tokens)
    cache.extend(context)
    room = session.room - RESERVE - 1
    with pytest.raises(ContextFull, match=f"{room + 1} candidates do not fit a tree of {room}"):
        cache.grow(tokens(room + 1), [-1] * (room + 1))
    assert cache.tree_size == 0
    assert np.isfinite(cache.grow(tokens(room), [-1] * room)).all()
    with pytest.raises(ContextFull):
        cache.grow([1], [room - 1])
    assert cache.tree_size == room


@pytest.mark.parametrize("length", [1, 2, RESERVE])
def test_peeking_equals_following_and_changes_nothing(
    session: Session, fresh: Fresh, length: int
) -> None:
    context, ahead = tokens(30), tokens(length, seed=5)
    cache = session.cache()
    cache.follow(context)
    logits = cache.follow(context)
    tree = cache.grow([1, 2], [-1, 0])
    np.testing.assert_array_equal(cache.peek(ahead), fresh.logits(context + ahead))
    assert cache.ids == context
    assert cache.follow(context) is logits
    np.testing.assert_allclose(cache.grow([2], [0])[0], tree[1], atol=0.1, rtol=0)
    np.testing.assert_array_equal(cache.follow(context + ahead), fresh.logits(context + ahead))


@pytest.mark.parametrize("count", [0, RESERVE + 1])
def test_peeking_has_a_limit(llama: Session, count: int) -> None:
    with pytest.raises(ContextFull, match=f"{count} tokens to peek at; allowed are 1 to {RESERVE}"):
        llama.cache().peek(tokens(count))


def test_rewinding_to_nothing_by_too_much_and_below_zero(session: Session, fresh: Fresh) -> None:
    """huggingface/transformers#47433: 3 tokens, rolled back to 0 and by 5."""
    cache = session.cache()
    for length in (0, 3 - 5):
        cache.extend([1, 2, 3])
        cache.rewind(length)
        assert cache.ids == []
        np.testing.assert_array_equal(cache.extend([4, 5])[0], fresh.logits([4, 5]))
        cache.rewind(0)
    cache.extend([1, 2, 3])
    logits = cache.follow([1, 2, 3])
    cache.rewind(3)
    cache.rewind(1000)
    assert cache.ids == [1, 2, 3]
    assert cache.follow([1, 2, 3]) is logits


def test_rewinding_gives_the_logits_of_what_is_left(session: Session, fresh: Fresh) -> None:
    """microsoft/onnxruntime-genai#2140: 5 tokens, 0, 3 others; 20 tokens, back to 12, read."""
    cache = session.cache()
    cache.extend(tokens(5))
    cache.rewind(0)
    np.testing.assert_array_equal(cache.extend([7, 8, 9])[0], fresh.logits([7, 8, 9]))
    cache.rewind(0)
    cache.extend(tokens(20))
    cache.rewind(12)
    np.testing.assert_array_equal(cache.follow(tokens(12)), fresh.logits(tokens(12)))
    generated = int(np.argmax(cache.follow(tokens(12))))
    np.testing.assert_array_equal(
        cache.extend([generated])[0], fresh.logits([*tokens(12), generated])
    )


def test_rows_asks_for_logits_after_all_the_last_or_none(session: Session, fresh: Fresh) -> None:
    vocab_size = session.config.vocab_size
    ids = tokens(min(session.context_tokens, CHUNK_TOKENS))
    cache = session.cache()
    rows = cache.extend(ids, rows="all")
    assert rows.shape == (len(ids), vocab_size)
    assert rows.dtype == np.float32
    for count in (1, 2, len(ids)):
        np.testing.assert_array_equal(rows[count - 1], fresh.logits(ids[:count]))
    cache.rewind(0)
    assert cache.extend(ids, rows="none").shape == (0, vocab_size)
    assert cache.ids == ids
    np.testing.assert_array_equal(cache.follow(ids), rows[-1])
    assert cache.extend([]).shape == (0, vocab_size)
    assert cache.follow(ids) is not None


def test_a_context_that_is_full_says_so_and_stays(session: Session, fresh: Fresh) -> None:
    room = session.context_tokens
    cache = session.cache()
    cache.extend(tokens(room - 1))
    with pytest.raises(ContextFull, match=f"{room + 1} tokens do not fit a context of {room}"):
        cache.extend([1, 2])
    assert cache.ids == tokens(room - 1)
    np.testing.assert_array_equal(cache.extend([1])[0], fresh.logits([*tokens(room - 1), 1]))


def test_a_context_shorter_than_the_self_test_is_possible(bundle_of: BundleOf) -> None:
    session = Session(bundle_of("llama", "float"), context_tokens=4)
    assert len(bundle_of("llama", "float").card["check"]["ids"]) > session.context_tokens == 4
    assert session.cache().extend([1, 2, 3, 4]).shape == (1, 269)


def test_a_single_token_is_a_context(session: Session, fresh: Fresh) -> None:
    cache = session.cache()
    for token in (0, 5, 0):
        np.testing.assert_array_equal(cache.follow([token]), fresh.logits([token]))
        np.testing.assert_array_equal(cache.peek([9]), fresh.logits([token, 9]))


def test_learned_positions_end_where_their_table_does(bundle_of: BundleOf) -> None:
    """The context stops short of the table, so that what is peeked at has positions too."""
    session = Session(bundle_of("gpt2", "float"), threads=1)
    places = TINY["gpt2"].context_tokens
    assert session.context_tokens == places - RESERVE
    roomy = Session(bundle_of("gpt2", "float"), context_tokens=40, threads=1)
    assert roomy.context_tokens == 40
    cache = session.cache()
    context, ahead = tokens(session.context_tokens), tokens(RESERVE, seed=1)
    cache.extend(context)
    whole = cache._run(0, context + ahead, [places - 1])[0]
    cache.extend([])
    np.testing.assert_array_equal(cache.peek(ahead), whole)
    deep = list(range(-1, RESERVE - 1))
    np.testing.assert_allclose(cache.grow(ahead, deep)[-1], whole, atol=1e-4, rtol=0)
    with pytest.raises(ContextFull, match=f"token {places + 1} of a text, .* for {places}"):
        cache.grow([1], [RESERVE - 1])
    assert cache.tree_size == RESERVE
    assert np.isfinite(cache.grow([1], [RESERVE - 2])).all()


def test_nothing_is_computed_where_nothing_changed(llama: Session) -> None:
    cache = llama.cache()
    cache.extend([1, 2, 3])
    logits = cache.follow([1, 2, 3])
    cache.grow([4], [-1])
    cache.peek([4])
    assert cache.follow([1, 2, 3]) is logits
    assert cache.tree_size == 1


def test_two_caches_do_not_share_anything(llama: Session) -> None:
    one, other = llama.cache(), llama.cache()
    one.extend(tokens(20))
    other.extend(tokens(20, seed=9))
    np.testing.assert_array_equal(one.extend([1])[0], Fresh(llama).logits([*tokens(20), 1]))


@given(st.lists(st.integers(0, 2)), st.lists(st.integers(0, 2)))
def test_the_common_prefix_is_the_longest(a: list[int], b: list[int]) -> None:
    shared = common_prefix(a, b)
    assert a[:shared] == b[:shared]
    assert a[shared : shared + 1] != b[shared : shared + 1] or shared == min(len(a), len(b))


def test_trying_candidates_is_interrupted_and_extending_is_not(session: Session) -> None:
    cache = session.cache()
    cache.extend([1, 2, 3])
    expected = cache.peek([4, 5])
    session.interrupt()
    with pytest.raises(Cancelled):
        cache.peek([4, 5])
    with pytest.raises(Cancelled):
        cache.grow([4, 5], [-1, 0])
    assert cache.tree_size == 0
    cache.extend([4])
    assert cache.ids == [1, 2, 3, 4]
    cache.rewind(3)
    reading = session.cache(is_interruptible=True)
    with pytest.raises(Cancelled):
        reading.extend([1, 2])
    session.resume()
    assert np.array_equal(cache.peek([4, 5]), expected)
    assert np.array_equal(reading.extend([1, 2, 3, 4, 5])[0], expected)
