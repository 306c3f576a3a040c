"""Foretype's side of the comparison: the loop that `foretype train` runs, timed by its reports."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from model.gpt import GPT
from training.bench_turn import ALPHA, RANK, Steps, begin_measuring_memory
from training.loop import Trainer
from training.lora import add_adapters
from training.parallel import Group
from training.run_folder import RunFolder
from training.settings import TrainSettings
from training.windows import Batch

if TYPE_CHECKING:
    from model.checkpoint import Checkpoint
    from training.bench_turn import Work
    from training.device import Device
    from training.windows import Windows


class Batches:
    """The batches of the comparison, served as `Windows` are: one endless document."""

    documents = 1

    def __init__(self, ids: np.ndarray) -> None:
        self.ids = ids.reshape(-1, ids.shape[-1])
        self.per_epoch = len(self.ids)

    def batch(self, epoch: int, start: int, count: int) -> Batch:
        """Windows `start` to `start + count`."""
        windows = self.ids[start : start + count]
        inputs = windows[:, :-1].copy()
        return Batch(inputs, windows[:, 1:].copy(), np.zeros_like(inputs))


def run(work: Work, checkpoint: Checkpoint, device: Device, half: bool) -> Steps:
    """Train as `work` says."""
    settings = TrainSettings(
        method=work.method,  # type: ignore[arg-type]
        window_tokens=work.window_tokens, batch_windows=work.batch_windows,
        micro_windows=work.micro_windows, epochs=1, learning_rate=1e-4, rank=RANK, alpha=ALPHA,
        evaluations=1, held_windows=1, warmup=0, final_rate=1, beta2=0.999, half=half,
        compile=work.compile,
    )  # fmt: skip
    gpt = GPT.from_weights(checkpoint.config, checkpoint.weights)
    checkpoint.weights.clear()
    if work.method == "lora":
        add_adapters(gpt, RANK, ALPHA, torch.bfloat16 if half else torch.float32)
    gpt.to(device.torch)
    begin_measuring_memory(device)
    batches = Batches(work.batches(gpt.config.vocab_size))
    losses, rates = _train(gpt, batches, settings, device)
    tokens = work.batch_windows * work.window_tokens
    trained = sum(p.numel() for p in gpt.parameters() if p.requires_grad)
    return Steps([tokens / rate for rate in rates], losses, trained)


def _train(
    gpt: GPT, batches: Batches, settings: TrainSettings, device: Device
) -> tuple[list[float], list[float]]:
    """Loss and tokens per second of every step."""
    losses, rates = [], []

    def report(stage: str, **figures: Any) -> None:
        if stage == "train":
            losses.append(figures["loss"])
            rates.append(figures["tokens_per_second"])

    windows: Windows = batches  # type: ignore[assignment]
    with TemporaryDirectory() as folder:
        Trainer(
            gpt, windows, windows, settings, device=device, folder=RunFolder(Path(folder)),
            group=Group(device=device.torch), report=report,
        ).run()  # fmt: skip
    return losses, rates
