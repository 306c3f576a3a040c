"""The weights a model folder keeps for training: `weights.safetensors`, float16, canonical names.

The graph's own 8-bit weights cannot be trained on: they lie on the grid they would be rounded to
again, so that every change below half a step would be lost.  Half precision is finer than any
rounding that follows (relative error at most 2⁻¹¹).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from model.checkpoint import Checkpoint, CheckpointError
from model.config import weight_shapes
from model.files import write_atomically
from model.safetensors_file import stored_tensors

if TYPE_CHECKING:
    from pathlib import Path

    from model.bundle import Bundle

WEIGHTS = "weights.safetensors"


def write_float_weights(checkpoint: Checkpoint, folder: Path) -> None:
    """Write the weights of `checkpoint` into `folder`.

    Raises:
        CheckpointError: a weight is too large for float16.
    """
    from safetensors.numpy import save

    with np.errstate(over="ignore"):
        halves = {
            name: np.ascontiguousarray(w, np.float16) for name, w in checkpoint.weights.items()
        }
    for name, half in halves.items():
        if not np.isfinite(half).all():
            raise CheckpointError(f"the weight {name!r} holds values that float16 cannot express")
    write_atomically(folder / WEIGHTS, save(halves))


def read_float_weights(bundle: Bundle) -> Checkpoint:
    """The weights of an installed model, as float32.

    Raises:
        CheckpointError: the model was installed without them, or they are another model's.
    """
    path = bundle.folder / WEIGHTS
    if not path.is_file():
        raise CheckpointError(
            f"{bundle.folder} keeps no {WEIGHTS}, which training needs; install the model again "
            "with --force"
        )
    stored, shapes = stored_tensors(path), weight_shapes(bundle.config)
    if {name: tensor.shape for name, tensor in stored.items()} != shapes:
        raise CheckpointError(f"{path} holds another model's weights; install the model again")
    return Checkpoint(bundle.config, {name: stored[name].read() for name in shapes})
