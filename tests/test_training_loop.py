"""The training loop: exact under accumulation, resuming, several processes and lack of memory."""

from __future__ import annotations

import math
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from training_runs import SETTINGS, calm_weights, full, tiny_trainer

from training.loop import Interrupted, OutOfMemory, Trainer
from training.lora import adapter_of
from training.schedule import learning_rate
from training.settings import SettingsError, TrainSettings
from training.windows import IGNORED_TARGET, Batch


def trained(trainer: Trainer) -> dict[str, torch.Tensor]:
    return {n: p.detach().clone() for n, p in trainer.gpt.named_parameters() if p.requires_grad}


def assert_equal(one: dict[str, torch.Tensor], other: dict[str, torch.Tensor], atol: float) -> None:
    assert one.keys() == other.keys()
    for name, weight in one.items():
        torch.testing.assert_close(weight, other[name], rtol=0, atol=atol, msg=name)


def test_tiny_model_overfits_to_nearly_nothing(tmp_path: Path) -> None:
    settings = full(epochs=60, learning_rate=1e-2, evaluations=2, window_tokens=32)
    told: list[dict[str, Any]] = []
    outcome = tiny_trainer(tmp_path, settings, told=told).run()
    assert outcome.loss_before > 4
    # The first tokens of a window, of which too little is seen, cannot be known.
    assert outcome.loss_after < 0.3
    assert told[-1]["step"] == told[-1]["steps"] == outcome.steps


def test_document_is_learnt_as_if_nothing_stood_before_it(tmp_path: Path) -> None:
    texts = ["the cat sat on the log", "and the dog", "on the mat the cat"]
    together = tiny_trainer(tmp_path / "together", full(window_tokens=64), texts=texts)
    alone = [
        tiny_trainer(tmp_path / text, full(window_tokens=64), texts=[text]).held_loss()
        * (len(together.train.tokens.ids[a:b]) - 1)
        for text, a, b in zip(texts, *_bounds(together), strict=True)
    ]
    batch = together._batch(0)
    ends = batch.inputs[:, 1:] == batch.inputs[0, 0]
    batch.targets[:, :-1][ends] = IGNORED_TARGET  # that a text ends here, one alone never learns
    with torch.no_grad():
        found = together._summed_loss(batch.part(slice(1)))
    assert found.item() == pytest.approx(sum(alone), rel=1e-4)


def _bounds(trainer: Trainer) -> tuple[list[int], list[int]]:
    starts = trainer.train.tokens.starts.tolist()
    return starts, [*starts[1:], len(trainer.train.tokens)]


@pytest.mark.parametrize("micro", [1, 2, 3])
def test_accumulation_equals_the_large_batch(tmp_path: Path, micro: int) -> None:
    whole, parts = (
        tiny_trainer(tmp_path / str(size), full(micro_windows=size, epochs=1))
        for size in (4, micro)
    )
    for trainer in (whole, parts):
        batch = trainer._batch(0)
        batch.targets[1, 5:] = -1  # padding must not count for more in a small micro-batch
        trainer._accumulate(batch, batch.target_count)
    for (name, one), (_, other) in zip(
        whole.gpt.named_parameters(), parts.gpt.named_parameters(), strict=True
    ):
        torch.testing.assert_close(one.grad, other.grad, rtol=1e-4, atol=1e-6, msg=name)


@pytest.mark.parametrize("method", ["lora", "full"])
@pytest.mark.parametrize("stop_after", [1, 5])
def test_interrupted_run_ends_like_an_unbroken_one(
    tmp_path: Path, method: str, stop_after: int
) -> None:
    settings = SETTINGS if method == "lora" else full()
    unbroken = tiny_trainer(tmp_path / "unbroken", settings)
    expected = unbroken.run()
    steps = iter(range(100))
    broken = tiny_trainer(
        tmp_path / "broken", settings, is_stopped=lambda: next(steps) + 1 >= stop_after
    )
    with pytest.raises(Interrupted):
        broken.run()
    resumed = tiny_trainer(tmp_path / "broken", settings)
    assert resumed.step == stop_after
    outcome = resumed.run()
    assert (outcome.steps, outcome.tokens) == (expected.steps, expected.tokens)
    assert resumed.losses == unbroken.losses
    assert_equal(trained(resumed), trained(unbroken), atol=0)


def test_best_weights_are_kept_not_the_last(tmp_path: Path) -> None:
    # A rate this large destroys the model, so that the best one is the first.
    trainer = tiny_trainer(tmp_path, full(learning_rate=30.0, patience=2, evaluations=6))
    before = trained(trainer)
    outcome = trainer.run()
    assert outcome.stopped_early
    assert outcome.best_step == 0
    assert_equal(trained(trainer), before, atol=0)


def test_lack_of_memory_halves_the_micro_batch_and_changes_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = tiny_trainer(tmp_path / "roomy", full())
    expected.run()
    told: list[dict[str, Any]] = []
    trainer = tiny_trainer(tmp_path / "narrow", full(), told=told)
    compute = Trainer._summed_loss

    def limited(self: Trainer, batch: Batch) -> torch.Tensor:
        if self is trainer and len(batch.inputs) > 1 and self.model.training:
            raise RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried 1 TB")
        return compute(self, batch)

    monkeypatch.setattr(Trainer, "_summed_loss", limited)
    trainer.run()
    assert [note["micro_windows"] for note in told if note["stage"] == "memory"] == [2, 1]
    assert_equal(trained(trainer), trained(expected), atol=1e-4)


def test_window_that_never_fits_is_explained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(self: Trainer, batch: Batch) -> torch.Tensor:
        if self.model.training:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return torch.tensor(1.0)

    monkeypatch.setattr(Trainer, "_summed_loss", never)
    with pytest.raises(OutOfMemory, match="shorter windows"):
        tiny_trainer(tmp_path).run()


def test_other_errors_are_not_mistaken_for_a_lack_of_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(self: Trainer, batch: Batch) -> torch.Tensor:
        raise RuntimeError("shapes differ")

    monkeypatch.setattr(Trainer, "_summed_loss", broken)
    with pytest.raises(RuntimeError, match="shapes differ"):
        tiny_trainer(tmp_path).run()


def test_merged_adapter_equals_applied_adapter(tmp_path: Path) -> None:
    from model.checkpoint import Checkpoint
    from model.gpt import GPT

    trainer = tiny_trainer(tmp_path)
    trainer.run()
    base = Checkpoint(trainer.gpt.config, calm_weights())
    merged = adapter_of(trainer.gpt).merged_into(base)
    ids = torch.randint(0, base.config.vocab_size, (2, 20))
    with torch.no_grad():
        applied = trainer.gpt.eval()(ids)[0]
        plain = GPT.from_weights(base.config, base.weights)(ids)[0]
        found = GPT.from_weights(merged.config, merged.weights)(ids)[0]
    assert (applied - plain).abs().max() > 0.1  # it has learnt something
    torch.testing.assert_close(found, applied, rtol=0, atol=1e-4)


def test_adapter_starts_as_the_base_model(tmp_path: Path) -> None:
    adapter = adapter_of(tiny_trainer(tmp_path).gpt)
    assert len(adapter.factors) == 2 * 5  # qkv, output, gate, up, down of two blocks
    assert all(not (up @ down).any() for up, down in adapter.factors.values())


def test_schedule_rises_then_falls() -> None:
    settings = TrainSettings(learning_rate=1.0, warmup=0.1, final_rate=0.0)
    rates = [learning_rate(step, 200, settings) for step in range(200)]
    assert max(rates) == 1.0
    assert rates.index(1.0) in (19, 20)
    assert rates[:20] == sorted(rates[:20])
    assert rates[20:] == sorted(rates[20:], reverse=True)
    assert math.isclose(rates[110], 0.5, abs_tol=1e-9)


@pytest.mark.parametrize(
    ("field", "value"),
    [("epochs", 0), ("rank", 0), ("warmup", 2), ("method", "magic"), ("weight_decay", 1.5)],
)
def test_impossible_settings_are_refused(field: str, value: Any) -> None:
    with pytest.raises(SettingsError, match=rf"{field} is .*must be"):
        replace(SETTINGS, **{field: value})


PROCESSES = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
import torch
from torch import distributed
from training.parallel import join_group
from training_runs import full, tiny_trainer
group = join_group(torch.device("cpu"))
torch.set_num_threads(1)
trainer = tiny_trainer(Path(sys.argv[2]), full(batch_windows=4, micro_windows=1), group=group)
trainer.run()
if group.is_first:
    torch.save(trainer.gpt.state_dict(), sys.argv[3])
distributed.destroy_process_group()
"""


def test_two_processes_train_like_one(tmp_path: Path) -> None:
    expected = tiny_trainer(tmp_path / "one", full(batch_windows=4, micro_windows=1))
    expected.run()
    # Both read the tokens that a first process wrote.
    tiny_trainer(tmp_path / "two", full())
    script = tmp_path / "processes.py"
    script.write_text(PROCESSES, encoding="utf-8")
    start = [sys.executable, "-m", "torch.distributed.run", "--nproc-per-node=2", "--standalone"]
    subprocess.run(
        [*start, str(script), str(Path(__file__).parent), str(tmp_path / "two"),
         str(tmp_path / "weights.pt")],
        check=True, capture_output=True, cwd=Path(__file__).parents[1], timeout=300,
    )  # fmt: skip
    found = torch.load(tmp_path / "weights.pt", weights_only=True)
    assert_equal(found, dict(expected.gpt.state_dict()), atol=1e-4)
