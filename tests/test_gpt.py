import dataclasses
import math

import numpy as np
import pytest
import torch

from model.config import PRESETS, GPTConfig, weight_shapes
from model.gpt import GPT, IGNORED_TARGET, attend, rotate, rotation

GPT2, LLAMA = PRESETS["tiny-gpt2"], PRESETS["tiny-llama"]
CONFIGS = {
    "gpt2": GPT2,
    "llama": LLAMA,
    "untied": dataclasses.replace(LLAMA, tied=False),
    "wide heads": dataclasses.replace(LLAMA, head_width=12),
    "rmsnorm with biases": dataclasses.replace(LLAMA, bias=True),
    "gpt2 without biases": dataclasses.replace(GPT2, bias=False),
}
every_config = pytest.mark.parametrize("config", CONFIGS.values(), ids=CONFIGS)


def tokens(*shape: int) -> torch.Tensor:
    return torch.randint(GPT2.vocab_size, shape, generator=torch.Generator().manual_seed(1))


@every_config
def test_the_state_dict_has_the_canonical_names_and_shapes_in_order(config: GPTConfig) -> None:
    shapes = {name: tuple(weight.shape) for name, weight in GPT(config).state_dict().items()}
    assert list(shapes.items()) == list(weight_shapes(config).items())


@every_config
def test_a_new_model_expects_every_token_about_equally(config: GPTConfig) -> None:
    torch.manual_seed(0)
    ids = tokens(2, 33)
    logits, loss = GPT(config)(ids[:, :-1], ids[:, 1:])
    assert logits.shape == (2, 32, config.vocab_size)
    assert loss.item() == pytest.approx(math.log(config.vocab_size), abs=0.1)


def test_residual_projections_start_smaller_the_deeper_the_model() -> None:
    torch.manual_seed(0)
    weights = GPT(PRESETS["nano"]).state_dict()
    assert weights["blocks.0.attention.qkv.weight"].std().item() == pytest.approx(0.02, rel=0.05)
    for name in ("attention.output", "mlp.down"):
        std = weights[f"blocks.3.{name}.weight"].std().item()
        assert std == pytest.approx(0.02 / math.sqrt(8), rel=0.05)
    assert not weights["blocks.0.mlp.up.bias"].any()


def test_the_loss_is_the_mean_over_targets_that_count() -> None:
    gpt = GPT(LLAMA)
    ids = tokens(1, 9)
    targets = ids[:, 1:].clone()
    targets[0, 3:] = IGNORED_TARGET
    logits, loss = gpt(ids[:, :-1], targets)
    nats = -logits[0].log_softmax(-1)[range(3), targets[0, :3]]
    assert loss.item() == pytest.approx(nats.mean().item(), rel=1e-5)
    assert gpt(ids)[1] is None


def test_more_tokens_than_positions_are_refused() -> None:
    with pytest.raises(ValueError, match="65 tokens do not fit the 64"):
        GPT(LLAMA)(tokens(1, 65))


@every_config
def test_weights_make_the_same_model_again_and_stay_untouched(config: GPTConfig) -> None:
    gpt = GPT(config)
    weights = {name: weight.numpy().copy() for name, weight in gpt.state_dict().items()}
    again = GPT.from_weights(config, weights)
    assert torch.equal(gpt(tokens(1, 16))[0], again(tokens(1, 16))[0])
    with torch.no_grad():
        again.token_embedding.weight.zero_()
    assert weights["token_embedding.weight"].any()
    assert all(weight.requires_grad for weight in again.parameters())


def test_a_misshapen_weight_is_named() -> None:
    weights = {name: np.zeros(shape, np.float32) for name, shape in weight_shapes(LLAMA).items()}
    weights["blocks.1.mlp.up.weight"] = np.zeros((3, 32), np.float32)
    del weights["final_norm.weight"]
    with pytest.raises(RuntimeError, match=r"final_norm\.weight[^$]*blocks\.1\.mlp\.up\.weight"):
        GPT.from_weights(LLAMA, weights)


def test_recomputing_activations_changes_no_gradient() -> None:
    torch.manual_seed(0)
    gpt = GPT(LLAMA)
    ids = tokens(2, 17)

    def gradient() -> torch.Tensor:
        gpt.zero_grad()
        gpt(ids[:, :-1], ids[:, 1:])[1].backward()
        return gpt.token_embedding.weight.grad.clone()

    stored = gradient()
    gpt.recompute = True
    torch.testing.assert_close(gradient(), stored)


@pytest.mark.parametrize("config", [GPT2, LLAMA], ids=["gpt2", "llama"])
def test_it_learns_a_text_by_heart(config: GPTConfig) -> None:
    torch.manual_seed(0)
    gpt = GPT(config)
    ids = torch.randperm(config.vocab_size)[None, :33]
    optimizer = torch.optim.AdamW(gpt.parameters(), lr=0.01)
    for _ in range(80):
        loss = gpt(ids[:, :-1], ids[:, 1:])[1]
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert loss.item() < 0.1


def test_a_group_of_queries_shares_one_key_and_value_head() -> None:
    q, k, v = torch.randn(1, 6, 5, 4), torch.randn(1, 2, 5, 4), torch.randn(1, 2, 5, 4)
    repeated = attend(q, k.repeat_interleave(3, dim=1), v.repeat_interleave(3, dim=1))
    torch.testing.assert_close(attend(q, k, v), repeated)


def test_rotated_vectors_feel_distance_but_not_place() -> None:
    by = rotation(50, 8, 10_000.0, torch.device("cpu"))
    q, k = torch.randn(8), torch.randn(8)
    at = [rotate(x.expand(50, 8), by) for x in (q, k)]  # the same vector at 50 positions
    torch.testing.assert_close(at[0][0], q)
    torch.testing.assert_close(at[0][7] @ at[1][3], at[0][46] @ at[1][42])
    assert not torch.isclose(at[0][7] @ at[1][3], at[0][7] @ at[1][6])
    torch.testing.assert_close(at[0].norm(dim=-1), q.norm().expand(50))
