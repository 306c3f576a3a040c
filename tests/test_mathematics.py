"""The textbook values of attention, loss, perplexity and sampling, computed by our own code."""

import dataclasses
import math

import numpy as np
import pytest
import torch

from model.config import PRESETS, GPTConfig
from model.gpt import GPT, attend
from model.sampling import SamplingSettings, filtered, softmax

FAMILIES = [PRESETS["tiny-gpt2"], PRESETS["tiny-llama"]]
both_families = pytest.mark.parametrize("config", FAMILIES, ids=["gpt2", "llama"])

# Three positions, two numbers each: queries, keys and values alike.
THREE = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
UNEMBEDDING = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [-1.0, -1.0]])


def heads(x: torch.Tensor) -> torch.Tensor:
    return x[None, None]  # (B=1, H=1, T, D)


def random_gpt(config: GPTConfig) -> GPT:
    """Weights far larger than a new model's, so that every mechanism shows in the logits."""
    torch.manual_seed(5)
    gpt = GPT(config)
    with torch.no_grad():
        for name, weight in gpt.named_parameters():
            weight.normal_(mean=float("norm.weight" in name), std=0.3)
    return gpt.eval()


def random_ids(count: int) -> torch.Tensor:
    return torch.randint(128, (1, count), generator=torch.Generator().manual_seed(8))


def log_probabilities(gpt: GPT, ids: torch.Tensor) -> torch.Tensor:
    """Row t is the distribution after `ids[:, :t + 1]`, in nats, from one pass."""
    with torch.no_grad():
        return gpt(ids)[0][0].double().log_softmax(-1)


def bigram_gpt(table: list[list[float]]) -> GPT:
    """A GPT whose blocks add nothing, so that `table[i][j]` is the probability of j after i."""
    V = len(table)
    config = GPTConfig(
        vocab_size=V, context_tokens=8, layers=1, heads=1, kv_heads=1, width=V, head_width=2,
        mlp_width=1, tied=False, norm_eps=1e-12,
    )  # fmt: skip
    gpt = GPT(config)
    with torch.no_grad():
        for weight in gpt.blocks.parameters():
            weight.zero_()
        gpt.token_embedding.weight.copy_(torch.eye(V))  # RMSNorm makes a 1 of it √V
        gpt.output.weight.copy_(torch.tensor(table).log().T / math.sqrt(V))
    return gpt


def mean_nats(probabilities: list[float]) -> float:
    """The loss of a GPT that gave the tokens that came these probabilities."""
    count = len(probabilities)
    even = 1 / (count + 1)
    table = [[(1 - p) / count] * (count + 1) for p in [*probabilities, even]]
    for i, p in enumerate(probabilities):
        table[i][i + 1] = p
    ids = torch.arange(count + 1)[None]
    return bigram_gpt(table)(ids[:, :-1], ids[:, 1:])[1].item()


def test_the_causal_mask_of_three_positions() -> None:
    blind = torch.zeros(3, 2)  # every key fits equally, so that the mask alone decides
    weights = attend(heads(blind), heads(blind), heads(torch.eye(3)))[0, 0]
    expected = torch.tensor([[1, 0, 0], [1 / 2, 1 / 2, 0], [1 / 3, 1 / 3, 1 / 3]])
    torch.testing.assert_close(weights, expected)
    assert torch.equal(weights == 0, torch.ones(3, 3, dtype=torch.bool).triu(1))


def test_attention_over_three_positions() -> None:
    weights = attend(heads(THREE), heads(THREE), heads(torch.eye(3)))[0, 0]
    assert weights[2].tolist() == pytest.approx([0.2482, 0.2482, 0.5035], abs=1e-4)
    assert weights[1, :2].tolist() == pytest.approx([0.3302, 0.6698], abs=1e-4)
    assert weights[1, 2] == 0
    assert weights[0].tolist() == [1, 0, 0]
    output = attend(heads(THREE), heads(THREE), heads(THREE))[0, 0]
    assert output[2].tolist() == pytest.approx([0.7518, 0.7518], abs=1e-4)


def test_attention_output_becomes_a_distribution_over_four_words() -> None:
    output = attend(heads(THREE), heads(THREE), heads(THREE))[0, 0, 2]
    probabilities = softmax((UNEMBEDDING @ output).numpy())
    assert probabilities.tolist() == pytest.approx([0.237, 0.237, 0.502, 0.025], abs=5e-4)


@pytest.mark.parametrize(
    ("probabilities", "perplexity"), [([0.4, 0.3, 0.5, 0.6], 2.30), ([0.25, 0.4, 0.5], 2.71)]
)
def test_perplexity_of_given_probabilities(probabilities: list[float], perplexity: float) -> None:
    assert math.exp(mean_nats(probabilities)) == pytest.approx(perplexity, abs=0.005)


def test_mean_loss_and_its_perplexity() -> None:
    nats = mean_nats([math.exp(-loss) for loss in (3.00, 1.20, 0.69, 0.36, 2.30)])
    assert nats == pytest.approx(1.51, abs=1e-5)
    assert math.exp(nats) == pytest.approx(4.5, abs=0.05)


def test_temperature_runs_from_one_hot_to_uniform() -> None:
    logits = np.log([0.5, 0.3, 0.2])

    def at(temperature: float) -> np.ndarray:
        return filtered(logits, SamplingSettings(temperature=temperature))

    np.testing.assert_allclose(at(1), [0.5, 0.3, 0.2])
    np.testing.assert_allclose(at(0.5), np.array([25, 9, 4]) / 38)  # squares
    np.testing.assert_allclose(at(0.01), [1, 0, 0], atol=1e-12)
    np.testing.assert_allclose(at(1e4), [1 / 3] * 3, atol=1e-4)
    assert at(0).tolist() == [1, 0, 0]


@both_families
def test_chain_rule_holds_for_every_split(config: GPTConfig) -> None:
    gpt, ids = random_gpt(config), random_ids(12)

    def nats(begin: int, end: int) -> float:
        """−log P(ids[begin:end] | ids[:begin]); the first token is given."""
        rows = log_probabilities(gpt, ids[:, : end - 1])
        return -sum(rows[t - 1, ids[0, t]].item() for t in range(begin, end))

    whole = nats(1, 12)
    for split in range(2, 12):
        assert nats(1, split) + nats(split, 12) == pytest.approx(whole, abs=1e-4)


@both_families
def test_teacher_forcing_equals_step_by_step(config: GPTConfig) -> None:
    gpt, ids = random_gpt(config), random_ids(20)
    at_once = log_probabilities(gpt, ids)
    for t in range(20):
        one_step = log_probabilities(gpt, ids[:, : t + 1])[-1]
        torch.testing.assert_close(one_step, at_once[t], atol=1e-4, rtol=0)


@both_families
def test_a_later_token_never_changes_an_earlier_output(config: GPTConfig) -> None:
    gpt, ids = random_gpt(config), random_ids(20)
    before = log_probabilities(gpt, ids)
    changed = ids.clone()
    changed[0, 13] = (ids[0, 13] + 1) % config.vocab_size
    after = log_probabilities(gpt, changed)
    assert torch.equal(before[:13], after[:13])
    assert not torch.isclose(before[13:], after[13:]).all(dim=-1).any()


def test_without_positions_or_mask_order_does_not_matter() -> None:
    gpt, ids = random_gpt(FAMILIES[0]), random_ids(10)
    everything = torch.ones(10, 10, dtype=torch.bool)
    order = torch.randperm(10, generator=torch.Generator().manual_seed(3))

    def logits(ids: torch.Tensor, mask: torch.Tensor | None) -> torch.Tensor:
        with torch.no_grad():
            return gpt(ids, mask=mask)[0][0]

    assert not torch.isclose(
        logits(ids[:, order], everything), logits(ids, everything)[order]
    ).all()
    with torch.no_grad():
        gpt.position_embedding.weight.zero_()
    torch.testing.assert_close(logits(ids[:, order], everything), logits(ids, everything)[order])
    assert not torch.isclose(logits(ids[:, order], None), logits(ids, None)[order]).all()


def test_the_explicit_causal_mask_is_the_default() -> None:
    causal = torch.ones(9, 9, dtype=torch.bool).tril()
    for config in FAMILIES:
        gpt, ids = random_gpt(dataclasses.replace(config, context_tokens=9)), random_ids(9)
        torch.testing.assert_close(gpt(ids, mask=causal)[0], gpt(ids)[0])
