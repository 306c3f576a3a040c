import math

import pytest

from model.config import PRESETS, ConfigError, GPTConfig, weight_shapes

TINY = PRESETS["tiny-llama"]


def numbers(config: GPTConfig) -> int:
    return sum(math.prod(shape) for shape in weight_shapes(config).values())


@pytest.mark.parametrize(
    ("preset", "expected"), [("gpt2", 124_439_808), ("smollm2-135m", 134_515_008)]
)
def test_presets_have_the_published_number_of_parameters(preset: str, expected: int) -> None:
    assert numbers(PRESETS[preset]) == expected


@pytest.mark.parametrize("name", PRESETS)
def test_a_config_survives_its_json_form(name: str) -> None:
    assert GPTConfig.from_dict(PRESETS[name].to_dict()) == PRESETS[name]


def test_an_untied_model_has_an_output_of_its_own() -> None:
    untied = GPTConfig.from_dict({**TINY.to_dict(), "tied": False})
    assert numbers(untied) - numbers(TINY) == TINY.vocab_size * TINY.width
    assert "output.weight" in weight_shapes(untied)


def test_head_width_follows_from_the_width_unless_given() -> None:
    assert TINY.head_width == 16
    wide = GPTConfig.from_dict({**TINY.to_dict(), "head_width": 12})
    assert (wide.query_width, wide.kv_width) == (48, 24)
    assert weight_shapes(wide)["blocks.0.attention.output.weight"] == (64, 48)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"layers": 0}, "layers is 0; it must be a whole number of at least 1"),
        ({"kv_heads": 3}, "kv_heads is 3; it must be a divisor of 4"),
        ({"head_width": 7}, "head_width is 7; it must be even"),
        ({"position": "alibi"}, "position is 'alibi'; it must be 'learned' or 'rope'"),
        ({"norm": "batch"}, "norm is 'batch'"),
        ({"mlp": "relu"}, "mlp is 'relu'"),
        ({"norm_eps": 0.0}, "norm_eps is 0.0; it must be greater than 0"),
        ({"rope_base": float("nan")}, "rope_base is nan"),
        ({"width": "wide"}, "width is 'wide'; it must be of type int"),
        ({"layers": True}, "layers is True; it must be of type int"),
        ({"layer": 2}, "unknown field 'layer' in the model configuration; did you mean 'layers'?"),
    ],
)
def test_a_bad_field_is_named_with_its_value(change: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=f"^{message.replace('?', '[?]')}"):
        GPTConfig.from_dict({**TINY.to_dict(), **change})


def test_missing_fields_are_named() -> None:
    with pytest.raises(ConfigError, match="lacks vocab_size, mlp_width"):
        GPTConfig.from_dict(
            {k: v for k, v in TINY.to_dict().items() if k not in ("vocab_size", "mlp_width")}
        )
