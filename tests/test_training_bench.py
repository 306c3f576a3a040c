"""The comparison with other libraries: both sides do the same work, and the sums are right."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from model.config import PRESETS
from training import bench
from training.bench_turn import WARMUP_STEPS, Work, measure
from training.flops import flops_per_token, peak_flops

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Work:
    """Two steps on a tiny model as Hugging Face publishes them."""
    from transformers import LlamaConfig, LlamaForCausalLM

    folder = tmp_path_factory.mktemp("bench")
    config = LlamaConfig(
        vocab_size=99, hidden_size=32, intermediate_size=64, num_hidden_layers=2,
        num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=32,
    )  # fmt: skip
    LlamaForCausalLM(config).save_pretrained(folder)
    return Work(
        model=str(folder), method="full", window_tokens=16, batch_windows=4, micro_windows=2,
        steps=2, device="cpu", half=False, compile=False,
    )  # fmt: skip


def test_both_sides_learn_the_same_in_every_step(work: Work) -> None:
    ours, theirs = measure("foretype", work), measure("peft", work)
    assert len(ours["losses"]) == len(theirs["losses"]) == 2 + WARMUP_STEPS
    assert ours["losses"] == pytest.approx(theirs["losses"], rel=1e-5)
    assert ours["losses"][-1] != ours["losses"][0]
    assert ours["trained_parameters"] == theirs["trained_parameters"]
    assert ours["tokens_per_second"] > 0
    assert ours["peak_bytes"] is None or ours["peak_bytes"] > 0


# peft asks transformers by the name of before.
@pytest.mark.filterwarnings("ignore:.is_gradient_checkpointing.:FutureWarning")
@pytest.mark.parametrize("half", [False, True])
def test_both_sides_begin_their_adapters_at_the_same_model(work: Work, half: bool) -> None:
    work = replace(work, method="lora", half=half)
    ours, theirs = measure("foretype", work), measure("peft", work)
    assert ours["losses"][0] == pytest.approx(theirs["losses"][0], rel=1e-2 if half else 1e-5)
    # Queries, keys and values share the half A of one adapter here, and have one each there.
    assert theirs["trained_parameters"] - ours["trained_parameters"] == 2 * 2 * 16 * 32


def test_the_command_prints_a_table_and_writes_every_turn(
    work: Work, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--alone", "--methods", "full", "--rounds", "1", "--steps", "1", "--window", "8",
               "--batch", "1", "--device", "cpu", "--json", str(tmp_path / "all.json")]  # fmt: skip
    assert bench.main([work.model, *options]) == 0
    assert "full, foretype" in capsys.readouterr().out
    (turn,) = json.loads((tmp_path / "all.json").read_text())["turns"]
    assert turn["window_tokens"] == 8
    assert len(turn["step_seconds"]) == 1 + WARMUP_STEPS


def test_a_model_that_is_not_there_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert bench.main([str(tmp_path / "none"), "--methods", "lora", "--device", "cpu"]) == 1
    error = capsys.readouterr().err.splitlines()[-1]
    assert error.startswith("lora fine-tuning by foretype failed: ")
    assert str(tmp_path / "none") in error


def figures(side: str, speed: float, peak: int | None) -> dict[str, Any]:
    return {
        "method": "lora", "side": side, "tokens_per_second": speed, "peak_bytes": peak,
        "losses": [3.0 if side == "peft" else 3.5], "model_flop_share": None,
    }  # fmt: skip


def test_ratios_are_of_medians_and_no_memory_is_claimed_that_was_not_measured() -> None:
    turns = [figures("foretype", speed, 100) for speed in (30.0, 900.0, 31.0)]
    turns += [figures("peft", speed, 200) for speed in (20.0, 1.0, 20.0)]
    lora = bench.summarise(turns)["lora"]
    assert lora["speed_ratio"] == pytest.approx(31 / 20)
    assert lora["memory_ratio"] == pytest.approx(0.5)
    assert lora["loss_difference"] == pytest.approx(0.5)
    turns.append(figures("peft", 20.0, None))
    assert "memory_ratio" not in bench.summarise(turns)["lora"]
    assert "1.55" in bench.table(bench.summarise(turns))


def test_operations_are_counted_as_the_paper_does() -> None:
    gpt2 = PRESETS["gpt2"]
    matrices = 12 * 12 * 768**2 + 50_257 * 768
    attention = 12 * 12 * 768 * 1_024
    assert flops_per_token(gpt2, 1_024, None) == 6 * matrices + attention
    assert flops_per_token(gpt2, 1_024, 1_000) == 4 * matrices + 6_000 + attention


@pytest.mark.parametrize(
    ("chip", "peak"),
    [
        ("NVIDIA H200", 989e12),
        ("NVIDIA H100 PCIe", 756e12),
        ("NVIDIA H100 80GB HBM3", 989e12),
        ("NVIDIA GeForce RTX 4090", 165e12),
        ("Some Processor", None),
    ],
)
def test_a_chip_is_known_by_its_name(chip: str, peak: float | None) -> None:
    assert peak_flops(chip) == peak
