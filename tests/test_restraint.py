"""Training goes only so far that general language stays known."""

from __future__ import annotations

import numpy as np
import pytest
from tiny_models import TINY_LLAMA, tiny_checkpoint, tiny_tokenizer
from training_runs import calm_weights

from model.checkpoint import Checkpoint
from training.restraint import STRENGTHS, restrained


def go(trained: Checkpoint, most: float = 1.0) -> tuple[Checkpoint, float, list[str]]:
    told: list[str] = []
    base = Checkpoint(TINY_LLAMA, calm_weights())
    found, strength = restrained(
        base, trained, tiny_tokenizer(), most=most, half=False,
        report=lambda stage, **figures: told.append(figures["message"]),
    )  # fmt: skip
    return found, strength, told


def test_harmless_training_is_taken_whole() -> None:
    weights = calm_weights()
    weights["final_norm.weight"] = weights["final_norm.weight"] * np.float32(1.0001)
    trained = Checkpoint(TINY_LLAMA, weights)
    found, strength, told = go(trained)
    assert (strength, found) == (1.0, trained)
    assert told == ["100% of the way"]


def test_no_more_than_was_asked_for_is_taken() -> None:
    weights = calm_weights()
    weights["final_norm.weight"] = weights["final_norm.weight"] * np.float32(1.004)
    found, strength, told = go(Checkpoint(TINY_LLAMA, weights), most=0.25)
    assert (strength, told) == (0.25, ["25% of the way"])
    gone = found.weights["final_norm.weight"] / calm_weights()["final_norm.weight"]
    np.testing.assert_allclose(gone, 1.001, rtol=1e-6)


def test_harmful_training_is_taken_in_part() -> None:
    # A model with pronounced random opinions expects general text far worse than a calm one.
    trained = tiny_checkpoint(seed=9)
    found, strength, _ = go(trained)
    assert strength < 1
    for name, weight in found.weights.items():
        old, new = calm_weights()[name], trained.weights[name]
        np.testing.assert_allclose(weight, old + strength * (new - old), rtol=1e-6)


def test_hopeless_training_goes_the_shortest_way() -> None:
    trained = Checkpoint(TINY_LLAMA, {n: 50 * w for n, w in tiny_checkpoint().weights.items()})
    assert go(trained)[1] == pytest.approx(STRENGTHS[-1])
