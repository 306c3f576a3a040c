from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.written_tokens import WrittenTokens
from model.scores import Scores


def tokens(*widths: int, nats: float = 1.0) -> WrittenTokens:
    """Tokens of these widths, one after the other."""
    ends = np.cumsum(widths)
    scores = Scores.unknown(len(widths))
    scores.nats[:] = nats
    return WrittenTokens(np.arange(len(widths)), ends - widths, ends, scores)


def test_an_edit_moves_what_follows_and_forgets_what_it_touches() -> None:
    found = tokens(3, 4, 5, 2)
    found.edit(4, 2, 10)  # inside the second token
    assert found.starts.tolist() == [0, 4, 15, 20]
    assert found.ends.tolist() == [3, 4, 20, 22]
    assert np.isnan(found.scores.nats).tolist() == [True] * 4  # the first may go on now
    assert np.isnan(found.shown_nats).tolist() == [False, True, False, False]


def test_what_stands_before_an_edit_stays_known() -> None:
    found = tokens(3, 4, 5, 2)
    found.edit(7, 0, 1)
    assert np.isnan(found.scores.nats).tolist() == [False, True, True, True]
    assert found.starts.tolist() == [0, 3, 8, 13]


@given(
    widths=st.lists(st.integers(1, 6), max_size=12),
    edits=st.lists(st.tuples(st.integers(0, 60), st.integers(0, 20), st.integers(0, 20))),
)
def test_positions_stay_in_order_and_in_the_text(
    widths: list[int], edits: list[tuple[int, int, int]]
) -> None:
    found, length = tokens(*widths), sum(widths)
    for position, removed, added in edits:
        position = min(position, length)
        removed = min(removed, length - position)
        found.edit(position, removed, added)
        length += added - removed
        assert (np.diff(found.starts) >= 0).all()
        assert (np.diff(found.ends) >= 0).all()
        assert (found.starts >= 0).all()
        assert (found.ends <= length).all()


def test_perplexity_counts_the_tokens_that_end_in_a_range() -> None:
    found = tokens(3, 4, 5)
    found.put(1, Scores(*([column[:1] for column in _columns(2.0)])))
    assert found.perplexity(found.ending_in(0, 7)) == pytest.approx(math.exp(1.5))
    assert found.perplexity(found.ending_in(4, 7)) == pytest.approx(math.exp(2))
    assert math.isnan(found.perplexity(found.ending_in(4, 6)))
    found.edit(7, 0, 1)
    assert found.perplexity(slice(0, None)) is None
    assert found.perplexity(slice(0, None), of_known=True) == pytest.approx(math.exp(1))


def test_colours_stay_until_the_word_is_read_again() -> None:
    before = tokens(3, 4, 5, nats=2.0)
    before.edit(0, 3, 1)
    after = WrittenTokens(
        np.arange(3), np.array([0, 1, 5]), np.array([1, 5, 10]), Scores.unknown(3)
    )
    after.remember(before)
    assert np.isnan(after.shown_nats).tolist() == [True, False, False]
    assert after.bits(slice(1, 2)) == pytest.approx(2 / math.log(2))
    assert np.isnan(after.scores.nats).all()


def _columns(nats: float) -> tuple[np.ndarray, ...]:
    scores = Scores.unknown(1)
    scores.nats[:] = nats
    return (
        scores.nats, scores.ranks, scores.entropy_bits, scores.alternatives, scores.chances,
    )  # fmt: skip
