"""What a training does, as frozen, validated data; the defaults are what a beginner should take."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Literal

Method = Literal["lora", "full"]


class SettingsError(ValueError):
    """A setting that no training can run with; the message says what is allowed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainSettings:
    """The schedule and size of one training.

    A step learns from `batch_windows` windows of `window_tokens` tokens, fed `micro_windows` at a
    time: memory grows with the micro-batch, the result depends on the batch alone.
    """

    method: Method = "lora"
    window_tokens: int = 256
    batch_windows: int = 8
    micro_windows: int = 4
    epochs: float = 2.0
    learning_rate: float = 5e-4  # its peak, after the warm-up
    final_rate: float = 0.1  # where the cosine ends, as a share of the peak
    warmup: float = 0.05  # share of the steps
    weight_decay: float = 0.0
    clip_norm: float = 1.0
    beta2: float = 0.99
    rank: int = 16  # of the adapters
    alpha: float = 32.0  # their strength: the detour counts alpha / rank
    evaluations: int = 8  # of the held-out loss, evenly over the run
    patience: int = 3  # evaluations without a better one before it stops
    held_windows: int = 96  # at most so many are evaluated
    seed: int = 0
    half: bool = False  # bfloat16 autocast
    recompute: bool = False  # activation checkpointing
    compile: bool = False

    def __post_init__(self) -> None:
        counts = ("window_tokens", "batch_windows", "micro_windows", "rank", "evaluations",
                  "patience", "held_windows")  # fmt: skip
        for name in counts:
            self._require(getattr(self, name) >= 1, name, "at least 1")
        for name in ("epochs", "learning_rate", "clip_norm", "alpha"):
            self._require(getattr(self, name) > 0, name, "greater than 0")
        for name in ("final_rate", "warmup"):
            self._require(0 <= getattr(self, name) <= 1, name, "from 0 to 1")
        self._require(0 <= self.weight_decay < 1, "weight_decay", "from 0 to below 1")
        self._require(self.method in ("lora", "full"), "method", "'lora' or 'full'")

    def _require(self, holds: bool, name: str, allowed: str) -> None:
        if not holds:
            raise SettingsError(f"{name} is {getattr(self, name)!r}; it must be {allowed}")

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain JSON values."""
        return dataclasses.asdict(self)
