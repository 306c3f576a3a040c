"""Weights of other programs, brought into one canonical set of names, shapes and layouts.

The readers of the two file formats (`model.gguf_weights`, `model.safetensors_weights`) say what a
file contains and how its family names things; here every tensor is checked and converted.  Knows
nothing of torch.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from model.config import ConfigError, GPTConfig, weight_shapes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path


class CheckpointError(ValueError):
    """A file that holds no model Foretype can use; the message is one line."""


@dataclass(frozen=True)
class Checkpoint:
    """A model: float32 weights with exactly the names and shapes of `weight_shapes(config)`."""

    config: GPTConfig
    weights: dict[str, np.ndarray]


def load_checkpoint(path: Path) -> Checkpoint:
    """Read a GGUF file, or a Hugging Face folder (config.json, model.safetensors, sharded or not).

    Raises:
        CheckpointError: the file is damaged or foreign, its model is of a kind Foretype does not
            have, or a tensor is missing, surplus or of another shape than the model needs.
    """
    from model import gguf_weights, safetensors_weights

    read = safetensors_weights.read_folder if path.is_dir() else gguf_weights.read_gguf
    try:
        return read(path)
    except (CheckpointError, ConfigError, OSError) as err:
        reason = err.strerror if isinstance(err, OSError) and err.strerror else err
        raise CheckpointError(f"{path}: {' '.join(str(reason).split())}") from err


@dataclass(frozen=True, slots=True)
class StoredTensor:
    """One tensor in a file: its shape there, and how to read it as float32."""

    shape: tuple[int, ...]
    read: Callable[[], np.ndarray]


@dataclass(frozen=True, slots=True)
class Layout:
    """How one family of files names and lays out the canonical weights.

    `names` maps a canonical name, less its `.weight` or `.bias` and with `{}` for the number of
    the block, to the stored ones; three stored tensors are queries, keys and values, to be
    stacked.
    """

    names: Mapping[str, tuple[str, ...]]
    transposed: bool = False  # linear weights of the blocks are (in, out)
    interleaved: bool = False  # rotary pairs are (2i, 2i + 1) in the rows of queries and keys


@dataclass(frozen=True, slots=True)
class _Source:
    """A stored tensor that a canonical weight is made of, with the shape it must have."""

    name: str
    shape: tuple[int, ...]
    transposed: bool
    interleaved_heads: int  # 0: nothing to reorder

    def convert(self, tensor: np.ndarray) -> np.ndarray:
        if self.interleaved_heads:
            pairs = tensor.reshape(self.interleaved_heads, -1, 2, *tensor.shape[1:])
            tensor = pairs.swapaxes(1, 2).reshape(tensor.shape)
        return np.ascontiguousarray(tensor.T) if self.transposed else tensor


def _sources(
    config: GPTConfig, layout: Layout, canonical: str, shape: tuple[int, ...]
) -> list[_Source]:
    """The stored tensors whose rows, one after the other, are the weight `canonical`."""
    stem, leaf = canonical.rsplit(".", 1)
    block = ""
    if stem.startswith("blocks."):
        _, block, stem = stem.split(".", 2)
    transposed = layout.transposed and block != "" and len(shape) == 2
    names = layout.names[stem]
    rows, heads = [shape[0]], [0]
    if len(names) == 3:
        rows = [config.query_width, config.kv_width, config.kv_width]
        heads = [config.heads, config.kv_heads, 0] if layout.interleaved else [0, 0, 0]
    return [
        _Source(
            name=f"{name.format(block)}.{leaf}",
            shape=shape[::-1] if transposed else (count, *shape[1:]),
            transposed=transposed,
            interleaved_heads=interleaved,
        )
        for name, count, interleaved in zip(names, rows, heads, strict=True)
    ]


def assemble(
    config: GPTConfig, layout: Layout, stored: Mapping[str, StoredTensor]
) -> dict[str, np.ndarray]:
    """The canonical weights of `config`, read from `stored` once every one of them is checked.

    Raises:
        CheckpointError: a tensor is missing, surplus or misshapen.
    """
    if config.layers > len(stored):  # before a damaged number makes the plan endless
        raise CheckpointError(f"{config.layers:,} blocks, but only {len(stored):,} tensors")
    plan = {
        canonical: _sources(config, layout, canonical, shape)
        for canonical, shape in weight_shapes(config).items()
    }
    needed = {source.name: source.shape for sources in plan.values() for source in sources}
    _check(needed, stored)
    return {
        canonical: np.concatenate([s.convert(stored[s.name].read()) for s in sources])
        for canonical, sources in plan.items()
    }


def _check(needed: Mapping[str, tuple[int, ...]], stored: Mapping[str, StoredTensor]) -> None:
    counts = f"this model needs {len(needed):,} tensors, the file has {len(stored):,}"
    for name in needed:
        if name not in stored:
            raise CheckpointError(f"the tensor {name!r} is missing; {counts}")
    for name in stored:
        if name not in needed:
            raise CheckpointError(f"the tensor {name!r} has no place in this model; {counts}")
    for name, shape in needed.items():
        if stored[name].shape != shape:
            raise CheckpointError(
                f"the tensor {name!r} has the shape {stored[name].shape}; this model needs {shape}"
            )


def require(fields: Mapping[str, Any], allowed: Mapping[str, tuple[Any, ...]]) -> None:
    """Check that every field is absent or has one of its `allowed` values.

    Raises:
        CheckpointError: naming the field, its value and the values that are allowed.
    """
    for name, values in allowed.items():
        if name in fields and fields[name] not in values:
            choice = " or ".join(repr(value) for value in values)
            raise CheckpointError(
                f"{name} is {fields[name]!r}, which Foretype does not support; it must be {choice}"
            )
