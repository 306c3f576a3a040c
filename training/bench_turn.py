"""One turn of the comparison: the same steps of training, by one side, in a process of its own.

Both sides learn from the same random ids in the same batches with AdamW, a clipped gradient and
bfloat16 autocast where the machine multiplies it faster.  Knows nothing of the other side.
"""

from __future__ import annotations

import argparse
import gc
import json
import statistics
import sys
from dataclasses import asdict, dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import torch

from model import machine
from model.checkpoint import Checkpoint, load_checkpoint
from training.device import Device, choose_device
from training.flops import flops_per_token, peak_flops

if TYPE_CHECKING:
    from collections.abc import Sequence

SIDES = {"foretype": "training.bench_own", "peft": "training.bench_peer"}
WARMUP_STEPS = 2  # do not count: memory is laid out and code compiled in them
RANK, ALPHA = 16, 32.0


@dataclass(frozen=True, slots=True)
class Work:
    """What a turn does; both sides are given the same."""

    model: str  # path of a checkpoint: a .gguf, or a Hugging Face folder
    method: str  # lora or full
    window_tokens: int
    batch_windows: int
    micro_windows: int
    steps: int  # of those that count
    device: str
    half: bool | None  # bfloat16; None: where it pays
    compile: bool

    def batches(self, vocab_size: int) -> np.ndarray:
        """(steps + warm-up, B, T + 1) random ids."""
        shape = (self.steps + WARMUP_STEPS, self.batch_windows, self.window_tokens + 1)
        return np.random.default_rng(1).integers(0, vocab_size, shape)


@dataclass(frozen=True, slots=True)
class Steps:
    """What every step took and lost, the warm-up's included."""

    seconds: list[float]
    losses: list[float]  # mean, in nats
    trained_parameters: int


class Side(Protocol):
    """A module that trains: `run(work, checkpoint, device, half)`."""

    def run(self, work: Work, checkpoint: Checkpoint, device: Device, half: bool) -> Steps:
        """Train as `work` says."""


def measure(side: str, work: Work) -> dict[str, Any]:
    """The figures of one turn, as JSON values."""
    device = choose_device(work.device)
    half = device.half if work.half is None else work.half
    work = replace(work, half=half)
    checkpoint = load_checkpoint(Path(work.model))
    module: Side = import_module(SIDES[side])
    steps = module.run(work, checkpoint, device, half)
    step_seconds = statistics.median(steps.seconds[WARMUP_STEPS:])
    tokens_per_second = work.batch_windows * work.window_tokens / step_seconds
    chip = torch.cuda.get_device_name() if device.is_cuda else machine.processor()
    peak = peak_flops(chip)
    adapter = steps.trained_parameters if work.method == "lora" else None
    flops = flops_per_token(checkpoint.config, work.window_tokens, adapter) * tokens_per_second
    return {
        "side": side,
        **asdict(work),
        "chip": chip,
        "tokens_per_second": tokens_per_second,
        "model_flops_per_second": flops,
        "model_flop_share": flops / peak if peak else None,
        "step_seconds": steps.seconds,
        "losses": steps.losses,
        "trained_parameters": steps.trained_parameters,
        "peak_bytes": peak_bytes(device),
    }


def begin_measuring_memory(device: Device) -> None:
    """Forget the peak so far: reading the checkpoint is not what is compared."""
    gc.collect()
    if device.is_cuda:
        torch.cuda.reset_peak_memory_stats()
    elif sys.platform == "linux":
        Path("/proc/self/clear_refs").write_text("5")


def peak_bytes(device: Device) -> int | None:
    """The most memory held since: the GPU's, or else this process's."""
    if device.is_cuda:
        return torch.cuda.max_memory_allocated()
    return machine.memory().peak_bytes


def main(argv: Sequence[str] | None = None) -> int:
    """Do one turn and print its figures."""
    parser = argparse.ArgumentParser(prog="python -m training.bench_turn")
    parser.add_argument("side", choices=sorted(SIDES))
    parser.add_argument("work", help="JSON, the fields of Work")
    given = parser.parse_args(argv)
    print(json.dumps(measure(given.side, Work(**json.loads(given.work)))))
    return 0


def as_arguments(side: str, work: Work) -> list[str]:
    """What `main` is called with."""
    return [side, json.dumps(asdict(work))]


if __name__ == "__main__":
    sys.exit(main())
