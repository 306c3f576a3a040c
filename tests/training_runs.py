"""Small trainings, whole and real, for the tests of the loop and of what stands around it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import torch
from tiny_models import TINY_LLAMA, tiny_checkpoint, tiny_tokenizer

from model.gpt import GPT
from training.device import Device
from training.loop import Trainer
from training.lora import add_adapters
from training.parallel import Group
from training.run_folder import RunFolder
from training.settings import TrainSettings
from training.windows import TokenFile, Windows, write_tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

CPU = Device(torch.device("cpu"), half=False)
TEXT = "the cat sat on the mat and the dog sat on the log. " * 8
SETTINGS = TrainSettings(
    window_tokens=16, batch_windows=4, micro_windows=4, epochs=3, rank=4, learning_rate=1e-2,
    evaluations=3,
)  # fmt: skip


def tiny_trainer(
    folder: Path,
    settings: TrainSettings = SETTINGS,
    *,
    texts: Sequence[str] = (TEXT,),
    is_stopped: Callable[[], bool] = lambda: False,
    told: list[dict[str, Any]] | None = None,
    group: Group | None = None,
) -> Trainer:
    """A trainer of a tiny Llama on `texts`, whose start depends on the settings alone."""
    run = RunFolder(folder)
    if run.request is None:
        run.begin({})
    tokenizer = tiny_tokenizer()
    for path in (run.train_tokens, run.held_tokens):
        if not path.is_file():
            write_tokens(texts, tokenizer, path)
    train, held = (
        Windows(TokenFile.open(path), settings.window_tokens, settings.seed)
        for path in (run.train_tokens, run.held_tokens)
    )
    gpt = GPT.from_weights(TINY_LLAMA, calm_weights())
    torch.manual_seed(settings.seed)
    if settings.method == "lora":
        add_adapters(gpt, settings.rank, settings.alpha, torch.float32)
    notes = told if told is not None else []
    return Trainer(
        gpt, train, held, settings, device=CPU, folder=run, group=group or Group(),
        report=lambda stage, **figures: notes.append({"stage": stage, **figures}),
        is_stopped=is_stopped,
    )  # fmt: skip


def calm_weights() -> dict[str, Any]:
    """Weights small enough to learn from."""
    return {
        name: weight if "norm" in name else 0.1 * weight
        for name, weight in tiny_checkpoint().weights.items()
    }


def full(**changes: Any) -> TrainSettings:
    """Settings that train all weights."""
    return replace(SETTINGS, method="full", **changes)
