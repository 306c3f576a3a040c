"""How a linear layer stores its weights and multiplies by them: three interchangeable ways.

`FloatLinear` is the reference.  `Int8Linear` is what the editor runs.  `BlockLinear` serves
processors whose 8-bit products saturate (x86 without VNNI), as `training.export` notices.
"""

from __future__ import annotations

import numpy as np

from training.graph import MICROSOFT, Graph

LEVELS = 127  # of a symmetric 8-bit number: -127 ... 127
FINE = 2 * LEVELS  # steps of the fine plane within one step of the coarse one


class FloatLinear:
    """float32 weights, float32 products."""

    def embed(self, graph: Graph, where: str, weight: np.ndarray, ids: str) -> str:
        """Rows `ids` of the table."""
        return graph.op("Gather", where, [graph.constant(f"{where}/weight", weight), ids])

    def apply(
        self, graph: Graph, where: str, x: str, weight: np.ndarray, bias: np.ndarray | None
    ) -> str:
        """`x` times the transposed weight, plus the bias."""
        matrix = graph.constant(f"{where}/weight", weight.T)
        return _add_bias(graph, where, graph.op("MatMul", where, [x, matrix]), bias)


class Int8Linear:
    """8-bit weights, one scale per output; activations as two 8-bit planes, one scale per row.

    A row x of activations becomes a coarse and a fine plane,

        x ≈ m * (coarse + fine / 254) / 127,    m = max |x|,    both planes in -127 ... 127,

    stacked as rows of one integer product, so that the weights, which are what one token waits
    for, are read once.  16 bits leave the weights' rounding as the only error that counts:
    measured on 512 tokens of prose, mean KL to float is 0.004 nats (8-bit blocks of 32 with 8-bit
    activations: 0.004 to 0.005; one 8-bit plane: 0.036), and because integers add up exactly, a
    row's result does not depend on how many other rows are computed with it.  On processors with
    8-bit matrix units the second plane costs next to nothing.
    """

    def embed(self, graph: Graph, where: str, weight: np.ndarray, ids: str) -> str:
        """Rows `ids` of the table, each with a scale of its own."""
        codes, scales = quantize_rows(weight)
        table = graph.constant(f"{where}/codes", codes)
        rows = graph.op("Gather", where, [table, ids])
        rows = graph.op("Cast", where, [rows], to=1)
        column = graph.constant(f"{where}/scales", scales[:, None])
        scale = graph.op("Gather", f"{where}/scales", [column, ids])
        return graph.op("Mul", where, [rows, scale])

    def apply(
        self, graph: Graph, where: str, x: str, weight: np.ndarray, bias: np.ndarray | None
    ) -> str:
        """One integer product of both planes, then their weighted sum."""
        planes, size = self._planes(graph, x)
        codes, column_scales = quantize_rows(weight)
        product = graph.op(
            "MatMulIntegerToFloat", where,
            [planes, graph.constant(f"{where}/codes", codes.T), graph.scalar(1 / LEVELS),
             graph.constant(f"{where}/scales", column_scales), graph.scalar(128, np.uint8)],
            domain=MICROSOFT,
        )  # (2T, out)  # fmt: skip
        coarse, fine = graph.ops(
            "Split", f"{where}/planes", [product], ["coarse", "fine"], axis=0, num_outputs=2
        )
        fine = graph.op("Mul", f"{where}/fine", [fine, graph.scalar(1 / FINE)])
        total = graph.op("Add", f"{where}/planes", [coarse, fine])
        total = graph.op("Mul", f"{where}/size", [total, size])
        return _add_bias(graph, where, total, bias)

    def _planes(self, graph: Graph, x: str) -> tuple[str, str]:
        """Both planes (2T, in) uint8 around 128, coarse rows first, and max |x| (T, 1)."""
        where = f"{x}/planes"
        planes, size = f"{where}/Concat/output", f"{where}/Max/output"
        if planes in graph.values:
            return planes, size  # gate and up read the same activations
        zero, coarse_step = graph.scalar(128, np.uint8), graph.scalar(1 / LEVELS)
        fine_step = graph.scalar(1 / LEVELS / FINE)
        largest = graph.op("ReduceMax", where, [graph.op("Abs", where, [x]), graph.axes(-1)])
        graph.op("Max", where, [largest, graph.scalar(1e-30)])  # a row of zeros stays zeros
        unit = graph.op("Div", where, [x, size])
        coarse = graph.op("QuantizeLinear", f"{where}/coarse", [unit, coarse_step, zero])
        known = graph.op("DequantizeLinear", where, [coarse, coarse_step, zero])
        rest = graph.op("Sub", where, [unit, known])
        fine = graph.op("QuantizeLinear", f"{where}/fine", [rest, fine_step, zero])
        graph.op("Concat", where, [coarse, fine], axis=0)
        return planes, size


class BlockLinear(Int8Linear):
    """8-bit weights in blocks of 32 with a scale each, multiplied by `MatMulNBits`.

    Its kernels never saturate, but a single row takes another path than many do, so a caller that
    wants equal numbers feeds at least two rows (`model.session` does).
    """

    block_size = 32

    def apply(
        self, graph: Graph, where: str, x: str, weight: np.ndarray, bias: np.ndarray | None
    ) -> str:
        """`x` times the weight, 8-bit activations inside the kernel."""
        out, into = weight.shape
        blocks = -(-into // self.block_size)
        padded = np.zeros((out, blocks * self.block_size), np.float32)
        padded[:, :into] = weight
        codes, scales = quantize_rows(padded.reshape(-1, self.block_size))
        unsigned = (codes.astype(np.int16) + 128).astype(np.uint8)
        product = graph.op(
            "MatMulNBits", where,
            [x, graph.constant(f"{where}/codes", unsigned.reshape(out, blocks, self.block_size)),
             graph.constant(f"{where}/scales", scales)],
            domain=MICROSOFT, K=into, N=out, bits=8, block_size=self.block_size, accuracy_level=4,
        )  # fmt: skip
        return _add_bias(graph, where, product, bias)


def quantize_rows(weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(N, K) float32 → codes (N, K) int8 and scales (N,) float32 with weight ≈ codes * scales."""
    largest = np.abs(weight).max(axis=1)
    scales = np.where(largest > 0, largest / LEVELS, 1).astype(np.float32)
    return np.rint(weight / scales[:, None]).astype(np.int8), scales


def _add_bias(graph: Graph, where: str, x: str, bias: np.ndarray | None) -> str:
    if bias is None:
        return x
    return graph.op("Add", f"{where}/bias", [x, graph.constant(f"{where}/bias", bias)])
