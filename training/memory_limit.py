"""Telling a lack of memory from other errors."""

from __future__ import annotations

import torch

# What the allocators of torch say where they raise no error of its own class.
_SAID = ("out of memory", "can't allocate memory", "not enough memory", "failed to allocate")


def is_out_of_memory(err: Exception) -> bool:
    """Whether `err` says that memory ran out, on a GPU or not."""
    return isinstance(err, torch.OutOfMemoryError) or any(s in str(err).lower() for s in _SAID)
