"""A trained low-rank change of a model's weights, on disk and merged; no torch.

A safetensors file with two tensors for each weight it changes: `NAME.up` (out, r) and `NAME.down`
(r, in); the weight becomes W + up · down.  Names are canonical (`model.config.weight_shapes`).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from model.checkpoint import Checkpoint, CheckpointError
from model.files import sha256_of, write_atomically
from model.safetensors_file import stored_tensors

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class Adapter:
    """Weight name → (up, down), float32."""

    factors: Mapping[str, tuple[np.ndarray, np.ndarray]]

    def merged_into(self, checkpoint: Checkpoint) -> Checkpoint:
        """`checkpoint` with the change added; the original stays as it was.

        Raises:
            CheckpointError: the adapter was made for another model.
        """
        weights = dict(checkpoint.weights)
        for name, (up, down) in self.factors.items():
            if name not in weights or weights[name].shape != (up.shape[0], down.shape[1]):
                held = weights[name].shape if name in weights else "no such weight"
                raise CheckpointError(
                    f"the adapter changes {name!r} {(up.shape[0], down.shape[1])}, the model has "
                    f"{held}; take the model it was made for"
                )
            weights[name] = weights[name] + up @ down
        return Checkpoint(checkpoint.config, weights)

    def scaled(self, strength: float) -> Adapter:
        """The adapter whose whole change is `strength` times this one's."""
        scale = np.float32(strength)
        return Adapter({name: (up * scale, down) for name, (up, down) in self.factors.items()})

    def save(self, path: Path, metadata: Mapping[str, str] | None = None) -> None:
        """Write float16 factors to `path`, whole or not at all."""
        from safetensors.numpy import save

        tensors = {}
        for name, (up, down) in sorted(self.factors.items()):
            # Balanced factors round evenly in half precision.
            ratio = np.float32(np.sqrt((np.abs(down).max() or 1) / (np.abs(up).max() or 1)))
            tensors[f"{name}.up"] = np.ascontiguousarray(up * ratio, np.float16)
            tensors[f"{name}.down"] = np.ascontiguousarray(down / ratio, np.float16)
        write_atomically(path, save(tensors, dict(metadata or {})))


def load_adapter(path: Path) -> Adapter:
    """Read an adapter that `Adapter.save` wrote.

    Raises:
        CheckpointError: the file is missing, damaged or something else.
    """
    stored = stored_tensors(path)
    names = {name.removesuffix(".up") for name in stored if name.endswith(".up")}
    if not names or set(stored) != {f"{n}.{side}" for n in names for side in ("up", "down")}:
        raise CheckpointError(f"{path} is no adapter of Foretype: it lacks pairs of up and down")
    return Adapter({n: (stored[f"{n}.up"].read(), stored[f"{n}.down"].read()) for n in names})


def adapter_path(name: str) -> Path:
    """Where the adapter `name` that comes with Foretype lies."""
    return Path(str(resources.files("assets") / "adapters" / f"{name}.safetensors"))


def adapter_notes(name: str) -> dict[str, Any]:
    """What the card of a model says of the adapter merged into it: its hash, and its own card.

    Raises:
        CheckpointError: it, or the card beside it, cannot be read.
    """
    path = adapter_path(name)
    try:
        card = json.loads(path.with_suffix(".json").read_bytes())
        return {"name": name, "sha256": sha256_of(path), **card}
    except (OSError, ValueError) as err:
        raise CheckpointError(f"{path} or its card cannot be read: {err}") from err
