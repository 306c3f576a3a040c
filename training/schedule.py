"""How large a step is at which time, and which weights shrink: AdamW with warm-up and cosine.

Sources: Loshchilov and Hutter 2019, arXiv 1711.05101 (AdamW); 2017, arXiv 1608.03983 (cosine).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from torch import nn

    from training.settings import TrainSettings


def learning_rate(step: int, steps: int, settings: TrainSettings) -> float:
    """The rate of `step` (from 0) of `steps`: up in a line, then down along half a cosine.

    >>> from training.settings import TrainSettings
    >>> settings = TrainSettings(learning_rate=1.0, warmup=0.1, final_rate=0.1)
    >>> [round(learning_rate(step, 100, settings), 2) for step in (0, 9, 10, 55, 99)]
    [0.1, 1.0, 1.0, 0.55, 0.1]
    """
    peak, rising = settings.learning_rate, round(settings.warmup * steps)
    if step < rising:
        return peak * (step + 1) / rising
    done = (step - rising) / max(1, steps - rising)
    lowest = peak * settings.final_rate
    return lowest + (peak - lowest) * (1 + math.cos(math.pi * min(1.0, done))) / 2


def build_optimiser(model: nn.Module, settings: TrainSettings) -> torch.optim.AdamW:
    """AdamW over what is trained; only matrices decay, not norms and biases."""
    trained = [p for p in model.parameters() if p.requires_grad]
    groups = [
        {"params": [p for p in trained if p.dim() >= 2], "weight_decay": settings.weight_decay},
        {"params": [p for p in trained if p.dim() < 2], "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(
        [group for group in groups if group["params"]],
        lr=settings.learning_rate,
        betas=(0.9, settings.beta2),
        fused=trained[0].device.type in ("cpu", "cuda"),
    )
