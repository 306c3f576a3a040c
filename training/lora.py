"""Low-rank adapters: a frozen linear layer plus a trained detour of rank r.

    y = W x + b + (α / r) B A x,   A (r, in), B (out, r)

A starts random and B at zero, so that training begins at the base model.  Merged, the detour is
part of W and costs nothing at inference.

Source: Hu et al. 2021, arXiv 2106.09685; the larger learning rate of B is LoRA+, Hayou et al.
2024, arXiv 2402.12354.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from training.adapter import Adapter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from model.gpt import GPT


class LoraLinear(nn.Module):
    """A linear layer (…, in) → (…, out) whose own weights are frozen; A and B are trained."""

    def __init__(self, base: nn.Linear, rank: int, alpha: float, frozen_dtype: torch.dtype) -> None:
        super().__init__()
        device = base.weight.device
        self.scale = alpha / rank
        self.weight = nn.Parameter(base.weight.detach().to(frozen_dtype), requires_grad=False)
        self.bias = base.bias
        self.down = nn.Parameter(torch.empty(rank, base.in_features, device=device))  # A
        self.up = nn.Parameter(torch.zeros(base.out_features, rank, device=device))  # B
        nn.init.kaiming_uniform_(self.down, a=math.sqrt(5))

    def forward(self, x: Tensor) -> Tensor:
        """The layer's answer to `x`, detour included."""
        # Scaling B and not what comes out of it saves a pass over (…, out).
        detour = F.linear(F.linear(x, self.down), self.up * self.scale)
        return F.linear(x, self.weight, self.bias) + detour


def add_adapters(gpt: GPT, rank: int, alpha: float, frozen_dtype: torch.dtype) -> None:
    """Freeze `gpt` and give every linear layer of its blocks an adapter, in place.

    `frozen_dtype` is what the frozen weights are kept in; in half precision they need no
    conversion at every step of training in half precision.
    """
    gpt.requires_grad_(False)
    for parent, name, layer in _linear_layers(gpt):
        setattr(parent, name, LoraLinear(layer, rank, alpha, frozen_dtype))


def adapter_of(gpt: GPT) -> Adapter:
    """What was trained, as numbers apart from the model: for saving and merging."""
    layers = {
        name.removeprefix("_orig_mod."): module
        for name, module in gpt.named_modules()
        if isinstance(module, LoraLinear)
    }
    return Adapter(
        {
            f"{name}.weight": (
                layer.up.detach().float().cpu().numpy() * layer.scale,
                layer.down.detach().float().cpu().numpy(),
            )
            for name, layer in layers.items()
        }
    )


def _linear_layers(gpt: GPT) -> Iterator[tuple[nn.Module, str, nn.Linear]]:
    """Every linear layer inside the blocks, with where it hangs."""
    for block in gpt.blocks:
        for part in block.modules():
            for name, layer in list(part.named_children()):
                if isinstance(layer, nn.Linear):
                    yield part, name, layer
