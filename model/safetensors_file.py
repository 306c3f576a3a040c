"""The safetensors format, read in a few lines because the library's numpy side has no bfloat16.

Source: https://github.com/huggingface/safetensors#format.
"""

from __future__ import annotations

import json
import math
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from model.checkpoint import CheckpointError, StoredTensor

if TYPE_CHECKING:
    from pathlib import Path

_DTYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2"}


def stored_tensors(file: Path) -> dict[str, StoredTensor]:
    """The tensors of one file: length of the header, JSON header, then the numbers.

    Raises:
        CheckpointError: the file is missing, damaged or quantised.
    """
    if not file.is_file():
        raise CheckpointError(f"{file.name} is missing from the folder")
    try:
        data = np.memmap(file, mode="r")
        begin = 8 + int.from_bytes(data[:8].tobytes(), "little")
        header = json.loads(data[8:begin].tobytes())
        header.pop("__metadata__", None)
        return {name: _tensor(data[begin:], name, **entry) for name, entry in header.items()}
    except CheckpointError:
        raise
    except (ValueError, TypeError, AttributeError, OverflowError, RecursionError) as err:
        raise CheckpointError(f"{file.name} is damaged or no safetensors file ({err})") from err


def _tensor(
    data: np.ndarray, name: str, *, dtype: str, shape: list[int], data_offsets: list[int]
) -> StoredTensor:
    if dtype not in _DTYPES:
        allowed = ", ".join(_DTYPES)
        raise CheckpointError(f"the tensor {name!r} is stored as {dtype}; it must be of {allowed}")
    if not all(type(n) is int and n >= 0 for n in (*shape, *data_offsets)):
        raise CheckpointError(f"the tensor {name!r} has the shape {shape} at {data_offsets}")
    begin, end = data_offsets
    needed = math.prod(shape) * np.dtype(_DTYPES[dtype]).itemsize
    if end > len(data) or end - begin != needed:
        raise CheckpointError(
            f"the tensor {name!r} of {needed:,} bytes lies at {begin:,}–{end:,} of "
            f"{len(data):,}; the file is cut off or damaged"
        )
    return StoredTensor(tuple(shape), partial(_read, data[begin:end], dtype, tuple(shape)))


def _read(data: np.ndarray, dtype: str, shape: tuple[int, ...]) -> np.ndarray:
    numbers = np.frombuffer(data.tobytes(), _DTYPES[dtype])
    if dtype == "BF16":  # the upper half of a float32
        numbers = (numbers.astype(np.uint32) << 16).view(np.float32)
    return numbers.reshape(shape).astype(np.float32, copy=False)
