"""Models to train from scratch: by name, with the tokenizer's vocabulary."""

from __future__ import annotations

import math

import pytest

from model.config import ConfigError, weight_shapes
from training.presets import from_scratch


@pytest.mark.parametrize(("name", "most"), [("nano", 3e6), ("mini", 15e6)])
def test_a_preset_is_small_and_takes_the_vocabulary_that_was_learnt(name: str, most: float) -> None:
    preset = from_scratch(name)
    config = preset.config(300)
    assert config.vocab_size == 300
    assert config.layers == preset.shape.layers
    assert sum(math.prod(shape) for shape in weight_shapes(preset.shape).values()) < most


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(ConfigError, match=r"no preset 'nanno'.*nano, mini: did you mean 'nano'"):
        from_scratch("nanno")
    with pytest.raises(ConfigError, match=r"no preset 'gpt2' .*nano, mini: take one"):
        from_scratch("gpt2")
