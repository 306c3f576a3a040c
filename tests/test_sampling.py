import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.sampling import SamplingError, SamplingSettings, filtered, sample, softmax

LOGITS = np.log([0.5, 0.3, 0.15, 0.05]).astype(np.float32)


def kept(**settings: float) -> list[int]:
    return np.flatnonzero(filtered(LOGITS, SamplingSettings(**settings))).tolist()


def test_the_defaults_change_nothing() -> None:
    np.testing.assert_allclose(filtered(LOGITS, SamplingSettings()), [0.5, 0.3, 0.15, 0.05])


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"temperature": 0.0}, [0]),
        ({"top_k": 1}, [0]),
        ({"top_k": 3}, [0, 1, 2]),
        ({"top_k": 99}, [0, 1, 2, 3]),
        ({"top_p": 0.4}, [0]),
        ({"top_p": 0.51}, [0, 1]),
        ({"top_p": 0.9}, [0, 1, 2]),
        ({"min_p": 0.29}, [0, 1, 2]),
        ({"min_p": 1.0}, [0]),
        ({"top_k": 3, "top_p": 0.8}, [0, 1]),  # 0.5 and 0.3 of 0.95 are 84 %
        ({"temperature": 0.5, "min_p": 0.2}, [0, 1]),
    ],
)
def test_filters_keep_these_tokens(settings: dict[str, float], expected: list[int]) -> None:
    assert kept(**settings) == expected


def test_what_is_kept_keeps_its_proportions() -> None:
    np.testing.assert_allclose(
        filtered(LOGITS, SamplingSettings(top_k=2)), [0.625, 0.375, 0, 0], atol=1e-7
    )


def test_equal_logits_are_told_apart_by_their_id() -> None:
    assert np.flatnonzero(filtered(np.zeros(5), SamplingSettings(top_k=2))).tolist() == [0, 1]
    assert filtered(np.zeros(5), SamplingSettings(temperature=0)).tolist() == [1, 0, 0, 0, 0]


@given(
    st.lists(st.floats(-1e4, 1e4, width=32), min_size=1, max_size=40),
    st.floats(0, 1e6),
    st.integers(0, 50),
    st.floats(0, 1, exclude_min=True),
    st.floats(0, 1),
)
def test_any_setting_leaves_a_distribution_that_has_the_likeliest_token(
    logits: list[float], temperature: float, top_k: int, top_p: float, min_p: float
) -> None:
    settings = SamplingSettings(temperature=temperature, top_k=top_k, top_p=top_p, min_p=min_p)
    probabilities = filtered(np.array(logits, np.float32), settings)
    assert probabilities.sum() == pytest.approx(1)
    assert probabilities.min() >= 0
    assert probabilities[np.argmax(logits)] == probabilities.max()


def test_minus_infinity_bans_a_token() -> None:
    banned = np.array([1.0, -np.inf, 0.0], np.float32)
    for temperature in (0.0, 1e-300, 1.0, 100.0):
        assert filtered(banned, SamplingSettings(temperature=temperature))[1] == 0


def test_the_seed_decides_the_draw_and_draws_follow_the_probabilities() -> None:
    def draws(seed: int) -> list[int]:
        generator = np.random.default_rng(seed)
        return [sample(LOGITS, SamplingSettings(), generator) for _ in range(4000)]

    assert draws(1) == draws(1)
    assert draws(1) != draws(2)
    np.testing.assert_allclose(np.bincount(draws(3)) / 4000, softmax(LOGITS), atol=0.03)


@pytest.mark.parametrize(
    ("field", "value"),
    [("temperature", -1.0), ("temperature", float("inf")), ("temperature", float("nan")),
     ("top_k", -1), ("top_p", 0.0), ("top_p", 1.1), ("min_p", -0.1), ("min_p", 2.0)],
)  # fmt: skip
def test_a_setting_out_of_range_is_named_with_its_value(field: str, value: float) -> None:
    with pytest.raises(SamplingError, match=f"{field} is {value}; it must be"):
        SamplingSettings(**{field: value})


def test_filters_agree_with_transformers() -> None:
    torch = pytest.importorskip("torch")
    process = pytest.importorskip("transformers.generation.logits_process")
    logits = np.random.default_rng(0).normal(size=300, scale=3).astype(np.float32)
    scores = torch.tensor(logits)[None]
    for warp in (
        process.TemperatureLogitsWarper(0.7),
        process.TopKLogitsWarper(40),
        process.TopPLogitsWarper(0.9),
        process.MinPLogitsWarper(0.05),
    ):
        scores = warp(None, scores)
    settings = SamplingSettings(temperature=0.7, top_k=40, top_p=0.9, min_p=0.05)
    expected = scores.softmax(-1)[0].numpy()
    np.testing.assert_allclose(filtered(logits, settings), expected, atol=1e-6)
