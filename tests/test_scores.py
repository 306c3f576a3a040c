from __future__ import annotations

import math

import numpy as np
import pytest

from model.scores import Scores, likeliest, score


def test_the_summary_of_known_logits() -> None:
    logits = np.log(np.array([[0.5, 0.3, 0.2, 0.0 + 1e-30], [0.25, 0.25, 0.25, 0.25]]))
    found = score(logits.astype(np.float32), [1, 2])
    assert found.nats == pytest.approx([-math.log(0.3), math.log(4)], abs=1e-6)
    assert found.ranks.tolist() == [2, 1]
    assert found.entropy_bits == pytest.approx([1.4855, 2], abs=1e-4)
    assert found.alternatives[0].tolist() == [0, 1, 2, 3, -1]
    assert found.chances[0, :3] == pytest.approx([0.5, 0.3, 0.2])


def test_perplexity_of_known_surprisals() -> None:
    """The mean of 3.00, 1.20, 0.69, 0.36 and 2.30 nats is 1.51, and e to that is 4.5."""
    logits = np.stack(
        [np.log(np.array([p, 1 - p])) for p in np.exp([-3, -1.2, -0.69, -0.36, -2.3])]
    )
    mean = score(logits, [0] * 5).nats.mean()
    assert mean == pytest.approx(1.51)
    assert math.exp(mean) == pytest.approx(4.5, abs=0.03)


@pytest.mark.parametrize("size", [3, 64, 269, 700, 49_152])
def test_the_likeliest_are_those_a_full_sort_finds(size: int) -> None:
    logits = np.random.default_rng(size).normal(size=(7, size)).astype(np.float32)
    logits[:, size // 2] = logits[:, size // 3]  # equal ones come by id
    expected = np.argsort(-logits, axis=1, kind="stable")[:, :5]
    assert likeliest(logits, 5).tolist() == expected.tolist()


def test_scores_agree_with_sums_in_double_precision() -> None:
    logits = np.random.default_rng(1).normal(0, 4, (64, 49_152)).astype(np.float32)
    wide = logits.astype(np.float64)
    log_p = wide - np.logaddexp.reduce(wide, axis=1, keepdims=True)
    found = score(logits, list(range(64)))
    assert found.nats == pytest.approx(-log_p[range(64), range(64)], abs=1e-5)
    entropy = -(np.exp(log_p) * log_p).sum(axis=1) / math.log(2)
    assert found.entropy_bits == pytest.approx(entropy, abs=1e-5)


def test_scores_are_cut_joined_and_put_in_place() -> None:
    scores = score(np.random.default_rng(2).normal(size=(6, 9)).astype(np.float32), [1] * 6)
    whole = Scores.unknown(6)
    whole.put(2, scores[2:])
    assert np.isnan(whole.nats).tolist() == [True, True, False, False, False, False]
    whole.put(0, Scores.joined([scores[:1], scores[1:2]]))
    assert whole.nats.tolist() == scores.nats.tolist()
    assert whole.alternatives.tolist() == scores.alternatives.tolist()
