"""The ONNX graph of a GPT, built node by node from its configuration and weights.

Nothing is traced and torch is not needed.  Every node is named by where it lives
(`/blocks.0/attention/qkv/MatMul`), every value by the node it leaves.  How a linear layer stores
and multiplies its weights is `training.linear`'s concern; the graph is the same for all of them.

Inputs, for T new tokens after P cached ones and S cache slots in use:

    input_ids        (T,)          int64
    position_ids     (1, T)        int64    place of each token in its own sequence
    attention_bias   (1, 1, T, S)  float32  0, or -inf where a row must not look
    logit_rows       (R,)          int64    which of the T rows get logits
    seqlens_k        (1,)          int32    S - 1
    total_sequence_length ()       int32    S
    past_key_values.{i}.key, .value (1, K, slots, D) float32

Outputs `logits` (R, V) and `present.{i}.key`, `.value`, which share the buffers of the past: the
operator writes the new keys and values into slots S - T ... S - 1 and copies nothing.

Sources: onnxruntime, docs/ContribOperators.md (GroupQueryAttention, SkipLayerNormalization,
QuickGelu); the names of past and present are those of the Hugging Face exports.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from model.config import ConfigError

if TYPE_CHECKING:
    from model.config import GPTConfig

MICROSOFT = "com.microsoft"
OPSET, IR_VERSION = 21, 10

Weights = Mapping[str, np.ndarray]


class Graph:
    """Nodes and constants under construction."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, onnx.TensorProto] = {}
        self.values: set[str] = set()  # what the nodes leave

    def constant(self, name: str, value: np.ndarray) -> str:
        """Add a constant (once: a name that is already there is shared); return its name."""
        if name not in self.constants:
            self.constants[name] = numpy_helper.from_array(np.ascontiguousarray(value), name)
        return name

    def scalar(self, value: float, dtype: Any = np.float32) -> str:
        """A shared scalar constant."""
        return self.constant(f"/{np.dtype(dtype).name}/{value}", np.array(value, dtype))

    def axes(self, *axes: int) -> str:
        """A shared list of axes."""
        return self.constant(f"/axes/{'_'.join(map(str, axes))}", np.array(axes, np.int64))

    def op(
        self, kind: str, where: str, inputs: Sequence[str], *, domain: str = "", **attributes: Any
    ) -> str:
        """Add a node with one output; return the name of that output."""
        return self.ops(kind, where, inputs, ["output"], domain=domain, **attributes)[0]

    def ops(
        self, kind: str, where: str, inputs: Sequence[str], outputs: Sequence[str], *,
        domain: str = "", **attributes: Any,
    ) -> list[str]:  # fmt: skip
        """Add a node with several outputs; an empty output name leaves that output out."""
        name = f"{where}/{kind}"
        values = [f"{name}/{output}" if output else "" for output in outputs]
        self.nodes.append(
            helper.make_node(kind, list(inputs), values, name, domain=domain, **attributes)
        )
        self.values.update(values)
        return values


class Linear(Protocol):
    """A way to store and multiply a weight matrix."""

    def embed(self, graph: Graph, where: str, weight: np.ndarray, ids: str) -> str:
        """Rows `ids` of a (V, C) `weight`, as (T, C) float32."""
        ...

    def apply(
        self, graph: Graph, where: str, x: str, weight: np.ndarray, bias: np.ndarray | None
    ) -> str:
        """`x` (T, in) times an (out, in) `weight`, plus `bias`: (T, out) float32."""
        ...


def build_graph(config: GPTConfig, weights: Weights, linear: Linear) -> onnx.ModelProto:
    """The whole model as an ONNX file in memory; `weights` are those of `weight_shapes`.

    Raises:
        ConfigError: onnxruntime's attention has no kernel for heads of this width.
    """
    step = 16 if config.position == "rope" else 8
    if config.head_width % step:
        raise ConfigError(
            f"head_width is {config.head_width}; onnxruntime runs {config.position} positions with "
            f"multiples of {step} only; choose another model"
        )
    graph = Graph()
    x = linear.embed(graph, "/token_embedding", weights["token_embedding.weight"], "input_ids")
    if config.position == "learned":
        table = graph.constant("position_embedding.weight", weights["position_embedding.weight"])
        where = graph.op("Squeeze", "/position_ids", ["position_ids", graph.axes(0)])
        x = graph.op(
            "Add", "/positions", [x, graph.op("Gather", "/position_embedding", [table, where])]
        )
    block = _Blocks(graph, config, weights, linear)
    normed = block.first_norm(x)
    for i in range(config.layers):
        x, normed = block.add(i, x, normed)
    rows = graph.op("Gather", "/logit_rows", [normed, "logit_rows"])
    head = weights["token_embedding.weight" if config.tied else "output.weight"]
    logits = linear.apply(graph, "/output", rows, head, None)
    graph.nodes.append(helper.make_node("Identity", [logits], ["logits"], "/logits"))
    return _model(graph, config)


class _Blocks:
    """Emits transformer blocks.

    Each residual addition is fused with the norm that follows it:

        x ── attention ── + ── norm ── mlp ── + ── norm ──►   normed input of the next block
         └────────────────┘ └─────────────────┘ └──────────►   x of the next block
    """

    def __init__(self, graph: Graph, config: GPTConfig, weights: Weights, linear: Linear) -> None:
        self.graph, self.config, self.weights, self.linear = graph, config, weights, linear
        self.rms = config.norm == "rmsnorm"
        self.rotary: list[str] = ["", ""]
        if config.position == "rope":
            self.rotary = _rotary_tables(graph, config)

    def first_norm(self, x: str) -> str:
        """The norm before block 0, which follows no addition."""
        name = "blocks.0.attention_norm"
        kind = "SimplifiedLayerNormalization" if self.rms else "LayerNormalization"
        normed = self.graph.op(
            kind, _path(name), [x, *self._norm(name)], axis=-1, epsilon=self.config.norm_eps
        )
        return self._shift(name, normed)

    def add(self, i: int, x: str, normed: str) -> tuple[str, str]:
        """Block `i`: residual stream and its normed form → those of the next block."""
        last = i + 1 == self.config.layers
        x, normed = self._add_and_norm(f"blocks.{i}.mlp_norm", x, self._attention(i, normed))
        after = "final_norm" if last else f"blocks.{i + 1}.attention_norm"
        return self._add_and_norm(after, x, self._mlp(f"blocks.{i}.mlp", normed))

    def _attention(self, i: int, normed: str) -> str:
        where, graph, config = f"/blocks.{i}/attention", self.graph, self.config
        qkv = self._linear(f"blocks.{i}.attention.qkv", normed)  # (T, (H + 2K) * D)
        qkv = graph.op("Unsqueeze", f"{where}/batch", [qkv, graph.axes(0)])
        past = [f"past_key_values.{i}.{kind}" for kind in ("key", "value")]
        present = [f"present.{i}.{kind}" for kind in ("key", "value")]
        name = f"{where}/GroupQueryAttention"
        graph.nodes.append(
            helper.make_node(
                "GroupQueryAttention",
                [qkv, "", "", *past, "seqlens_k", "total_sequence_length", *self.rotary,
                 "position_ids", "attention_bias"],
                [f"{name}/output", *present], name, domain=MICROSOFT,
                num_heads=config.heads, kv_num_heads=config.kv_heads,
                do_rotary=int(config.position == "rope"), rotary_interleaved=0,
                scale=config.head_width**-0.5,
            )
        )  # fmt: skip
        heads = graph.op("Squeeze", f"{where}/batch", [f"{name}/output", graph.axes(0)])
        return self._linear(f"blocks.{i}.attention.output", heads)

    def _mlp(self, name: str, x: str) -> str:
        graph, where = self.graph, _path(name)
        up = self._linear(f"{name}.up", x)
        if self.config.mlp == "gelu":  # GPT-2's is the tanh approximation
            hidden = graph.op("Gelu", where, [up], approximate="tanh")
        else:  # SiLU is x * sigmoid(x): QuickGelu with alpha 1
            gate = self._linear(f"{name}.gate", x)
            gate = graph.op("QuickGelu", f"{where}/gate", [gate], domain=MICROSOFT, alpha=1.0)
            hidden = graph.op("Mul", f"{where}/hidden", [gate, up])
        return self._linear(f"{name}.down", hidden)

    def _add_and_norm(self, name: str, x: str, y: str) -> tuple[str, str]:
        kind = "SkipSimplifiedLayerNormalization" if self.rms else "SkipLayerNormalization"
        normed, _, _, total = self.graph.ops(
            kind, _path(name), [x, y, *self._norm(name)], ["output", "", "", "sum"],
            domain=MICROSOFT, epsilon=self.config.norm_eps,
        )  # fmt: skip
        return total, self._shift(name, normed)

    def _norm(self, name: str) -> list[str]:
        kinds = ["weight", "bias"] if self.config.bias and not self.rms else ["weight"]
        return [self.graph.constant(f"{name}.{k}", self.weights[f"{name}.{k}"]) for k in kinds]

    def _shift(self, name: str, normed: str) -> str:
        """Add the bias of an RMSNorm, for which its operators have no input."""
        if not (self.rms and self.config.bias):
            return normed
        bias = self.graph.constant(f"{name}.bias", self.weights[f"{name}.bias"])
        return self.graph.op("Add", f"{_path(name)}/bias", [normed, bias])

    def _linear(self, name: str, x: str) -> str:
        bias = self.weights[f"{name}.bias"] if self.config.bias else None
        return self.linear.apply(self.graph, _path(name), x, self.weights[f"{name}.weight"], bias)


def _path(name: str) -> str:
    """`blocks.0.mlp.up` → `/blocks.0/mlp/up`."""
    head, _, rest = name.partition(".")
    if head != "blocks":
        return f"/{name}"
    number, _, rest = rest.partition(".")
    return f"/blocks.{number}/{rest.replace('.', '/')}"


def _rotary_tables(graph: Graph, config: GPTConfig) -> list[str]:
    """Cos and sin of position * base^(-2i / D), each (positions, D / 2).

    Twice the context: the operator asks for a row for every cache slot, candidates included.
    """
    rates = config.rope_base ** (-np.arange(0, config.head_width, 2) / config.head_width)
    angles = np.outer(np.arange(2 * config.context_tokens), rates)
    return [
        graph.constant("/rotary/cos", np.cos(angles).astype(np.float32)),
        graph.constant("/rotary/sin", np.sin(angles).astype(np.float32)),
    ]


def _model(graph: Graph, config: GPTConfig) -> onnx.ModelProto:
    def value(name: str, kind: int, shape: Sequence[str | int]) -> onnx.ValueInfoProto:
        return helper.make_tensor_value_info(name, kind, shape)

    cache = (1, config.kv_heads, "slots", config.head_width)
    inputs = [
        value("input_ids", TensorProto.INT64, ["T"]),
        value("position_ids", TensorProto.INT64, [1, "T"]),
        value("attention_bias", TensorProto.FLOAT, [1, 1, "T", "S"]),
        value("logit_rows", TensorProto.INT64, ["R"]),
        value("seqlens_k", TensorProto.INT32, [1]),
        value("total_sequence_length", TensorProto.INT32, []),
    ]
    outputs = [value("logits", TensorProto.FLOAT, ["R", config.vocab_size])]
    for i in range(config.layers):
        for kind in ("key", "value"):
            inputs.append(value(f"past_key_values.{i}.{kind}", TensorProto.FLOAT, cache))
            outputs.append(value(f"present.{i}.{kind}", TensorProto.FLOAT, cache))
    made = helper.make_graph(graph.nodes, "gpt", inputs, outputs, list(graph.constants.values()))
    opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(MICROSOFT, 1)]
    return helper.make_model(made, opset_imports=opsets, ir_version=IR_VERSION,
                             producer_name="foretype")  # fmt: skip
