"""What this machine can do: how fast it reads memory and multiplies matrices, in numbers.

The two speeds bound every network: its weights have to be read, and its products computed.  The
products run in onnxruntime with a session's own threads, so that they are the best its kernels do.
"""

from __future__ import annotations

import platform
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from model.session import Session

# Element types of tensors, as onnx.proto numbers them.
FLOAT, UINT8, INT8, INT32 = 1, 2, 3, 6


@dataclass(frozen=True, slots=True)
class Speeds:
    """Bytes read and operations done per second; a multiplication and its addition are two."""

    read_gb_per_s: float
    float_gflop_per_s: float
    int8_gop_per_s: float


@dataclass(frozen=True, slots=True)
class Memory:
    """What this process holds now and at most held, in bytes; None where the system won't say."""

    resident_bytes: int | None
    peak_bytes: int | None


def measure_speeds(
    session: Session, *, buffer_bytes: int, matrix_width: int, runs: int
) -> tuple[Speeds, Speeds]:
    """Median and best speeds, with as many threads as the session uses.

    Args:
        session: lends its threads.
        buffer_bytes: of the buffer to read, many times what the caches hold.
        matrix_width: of the square matrices to multiply.
        runs: of each, after one that does not count.
    """
    shape = (matrix_width, matrix_width)
    operations = 2 * matrix_width**3
    signed, unsigned = np.ones(shape, np.int8), np.ones(shape, np.uint8)
    real = np.ones(shape, np.float32)
    reading = _seconds(_reader(buffer_bytes, threads(session)), runs)
    floats = _seconds(_product(session, "MatMul", (FLOAT, FLOAT, FLOAT), real, real), runs)
    integers = _seconds(
        _product(session, "MatMulInteger", (UINT8, INT8, INT32), unsigned, signed), runs
    )
    median, best = (
        Speeds(
            buffer_bytes / float(pick(reading)) / 1e9,
            operations / float(pick(floats)) / 1e9,
            operations / float(pick(integers)) / 1e9,
        )
        for pick in (np.median, np.min)
    )
    return median, best


def threads(session: Session) -> int:
    """How many threads a session computes with."""
    return int(session.network.get_session_options().intra_op_num_threads)


def memory() -> Memory:
    """What this process takes now."""
    if sys.platform == "linux":
        status = dict(
            line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines()
        )
        resident, peak = (int(status[name].split()[0]) * 1024 for name in ("VmRSS", "VmHWM"))
        return Memory(resident, peak)
    if sys.platform == "darwin":
        import resource

        return Memory(None, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    return Memory(None, None)


def processor() -> str:
    """The processor's name."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, "") or platform.processor() or platform.machine()


def _seconds(work: Callable[[], object], runs: int) -> list[float]:
    """How long each run takes, after one that warms up."""
    work()
    taken = []
    for _ in range(runs):
        begun = time.perf_counter()
        work()
        taken.append(time.perf_counter() - begun)
    return taken


def _reader(buffer_bytes: int, threads: int) -> Callable[[], object]:
    """Reads a buffer once; numpy finds a maximum three times as fast as memory delivers."""
    parts = np.array_split(np.ones(buffer_bytes // 8, np.int64), threads)

    def read() -> None:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(np.max, parts))

    return read


def _product(
    session: Session, operator: str, elements: tuple[int, int, int], a: np.ndarray, b: np.ndarray
) -> Callable[[], object]:
    """Multiplies two matrices with the runtime and the options of a session."""
    network: Any = type(session.network)(
        product_graph(operator, elements),
        session.network.get_session_options(),
        providers=["CPUExecutionProvider"],
    )
    return lambda: network.run(None, {"a": a, "b": b})


def product_graph(operator: str, elements: tuple[int, int, int]) -> bytes:
    """An ONNX model of one node, c = operator(a, b), without the `onnx` library.

    Source: the field numbers are those of onnx.proto.
    """
    matrix = _message((1, b""), (1, b""))  # two dimensions of any length
    a, b, c = (
        _message((1, name), (2, _message((1, _message((1, element), (2, matrix))))))
        for name, element in zip((b"a", b"b", b"c"), elements, strict=True)
    )
    node = _message((1, b"a"), (1, b"b"), (2, b"c"), (4, operator.encode()))
    graph = _message((1, node), (2, b"product"), (11, a), (11, b), (12, c))
    return _message((1, 8), (7, graph), (8, _message((1, b""), (2, 17))))  # format 8, operators 17


def _message(*fields: tuple[int, int | bytes]) -> bytes:
    """A protobuf message of fields (number, value) whose numbers and lengths are below 128."""
    encoded = bytearray()
    for number, value in fields:
        if isinstance(value, int):
            encoded += bytes([number << 3, value])
        else:
            encoded += bytes([number << 3 | 2, len(value)]) + value
    return bytes(encoded)
