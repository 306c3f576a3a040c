"""How much of a GPU's peak a training uses: model FLOPs per second over what the chip can do.

Per token, a product with N weights takes 2 N operations forward, 2 N to carry the gradient back
through it and 2 N for the gradient of the weights themselves, which frozen weights do without.
Attention adds 4 L H D T forward and twice that backward; its causal half is not subtracted, and
recomputed activations do not count, as is the custom.

Source: Chowdhery et al. 2022, arXiv 2204.02311, appendix B.  Peaks: NVIDIA's data sheets, dense
bfloat16 products.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from model.config import weight_shapes

if TYPE_CHECKING:
    from model.config import GPTConfig

# Name as torch gives it, or the part that tells → operations per second; the first that fits.
PEAK_FLOPS = {
    "B200": 2.25e15,
    "H200": 989e12,
    "H100 PCIe": 756e12,
    "H100": 989e12,
    "A100": 312e12,
    "L40S": 362e12,
    "L4": 121e12,
    "A10": 125e12,
    "RTX 4090": 165e12,
    "RTX 3090": 71e12,
}


def peak_flops(chip: str) -> float | None:
    """Dense bfloat16 operations per second of `chip`; None if it is not known."""
    return next((peak for name, peak in PEAK_FLOPS.items() if name in chip), None)


def flops_per_token(config: GPTConfig, window_tokens: int, adapter_parameters: int | None) -> float:
    """Operations per token of training; `adapter_parameters` is None if all weights learn."""
    shapes = weight_shapes(config)
    products = sum(
        math.prod(s) for name, s in shapes.items() if name.startswith("blocks.") and len(s) == 2
    )
    products += config.vocab_size * config.width  # the projection; looking up an embedding is free
    attention = 12 * config.layers * config.query_width * window_tokens
    if adapter_parameters is None:
        return 6 * products + attention
    return 4 * products + 6 * adapter_parameters + attention
