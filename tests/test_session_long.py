"""Contexts of several chunks: cancelled between them, cut anywhere, in memory that stays flat."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tiny_models import TINY, tiny_bundle

from model.session import CHUNK_TOKENS, RESERVE, Cancelled, Session


def tokens(count: int) -> list[int]:
    return np.random.default_rng(0).integers(269, size=count).tolist()


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Session:
    """A model with room for several chunks."""
    config = replace(TINY["llama"], context_tokens=512)
    return Session(tiny_bundle(tmp_path_factory.mktemp("long") / "tiny", config), threads=1)


def test_cancelling_between_chunks_leaves_a_valid_cache(long: Session) -> None:
    ids = tokens(3 * CHUNK_TOKENS + 10)
    expected = long.cache().extend(ids, rows="all")
    for chunks in range(4):
        cache = long.cache()
        cache.follow(ids[:3])
        answers = iter([False] * chunks + [True])
        with pytest.raises(Cancelled):
            cache.follow(ids, lambda answers=answers: next(answers))
        assert cache.ids == ids[: 3 + chunks * CHUNK_TOKENS]
        np.testing.assert_array_equal(cache.follow(cache.ids.copy()), expected[len(cache.ids) - 1])
        np.testing.assert_array_equal(cache.follow(ids), expected[-1])


def test_a_pasted_text_is_cancellable_every_64_tokens(long: Session) -> None:
    asked = []
    long.cache().extend(tokens(200), cancelled=lambda: bool(asked.append(1)))
    assert len(asked) == -(-200 // CHUNK_TOKENS)


@pytest.mark.parametrize("size", [1, 2, 31, 32, 33, 63, 64, 65, 200])
def test_rows_of_many_chunks_agree_with_pieces_of_any_size(long: Session, size: int) -> None:
    ids = tokens(200)
    cache = long.cache()
    pieces = [ids[start : start + size] for start in range(0, len(ids), size)]
    found = np.concatenate([cache.extend(piece, rows="all") for piece in pieces])
    np.testing.assert_array_equal(found, long.cache().extend(ids, rows="all"))


def resident_bytes() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="reads Linux's /proc")
def test_memory_stays_flat_over_calls_of_every_length(long: Session) -> None:
    """microsoft/onnxruntime#11118: every call has a length not seen before."""
    cache = long.cache()
    cache.extend(tokens(512), rows="all")

    def write(calls: int, seed: int) -> None:
        random = np.random.default_rng(seed)
        for _ in range(calls):
            cache.rewind(int(random.integers(400)))
            cache.extend(tokens(int(random.integers(1, 100))), rows="all")
            cache.grow(tokens(count := int(random.integers(1, 20))), [-1] * count)
            cache.peek(tokens(int(random.integers(1, RESERVE))))

    write(100, seed=1)
    before = resident_bytes()
    write(300, seed=2)
    assert resident_bytes() - before < 4 << 20
