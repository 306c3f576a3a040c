"""The ONNX graph computes what the torch GPT and the original authors' code compute."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np
import onnx
import onnxruntime as ort
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from onnx import TensorProto, helper
from tiny_models import TINY, tiny_checkpoint
from transformers import GPT2Config, GPT2LMHeadModel, LlamaConfig, LlamaForCausalLM

from model.bundle import GRAPH, Bundle
from model.checkpoint import load_checkpoint
from model.config import PRESETS, ConfigError, GPTConfig
from model.gpt import GPT
from model.session import Session
from training.export import compare
from training.graph import IR_VERSION, MICROSOFT, OPSET, Graph, Linear, build_graph
from training.linear import BlockLinear, FloatLinear, Int8Linear, quantize_rows

if TYPE_CHECKING:
    from pathlib import Path

    from model.checkpoint import Checkpoint

ATOL = 1e-4  # logits of order 10, float32
IDS = [(7 * i * i + 3) % 96 for i in range(30)]
MECHANISMS = list(
    itertools.product(
        ("rope", "learned"), ("rmsnorm", "layernorm"), ("swiglu", "gelu"), (False, True)
    )
)
LINEARS = {"float": FloatLinear(), "int8": Int8Linear(), "int8-blocks": BlockLinear()}


def session_of(checkpoint: Checkpoint, linear: Linear, folder: Path) -> Session:
    onnx.save(build_graph(checkpoint.config, checkpoint.weights, linear), folder / GRAPH)
    return Session(Bundle(folder, checkpoint.config, {}), threads=1)


def in_pieces(session: Session, ids: list[int], size: int) -> np.ndarray:
    """Logits (T, V) of `ids`, fed `size` at a time to one cache."""
    cache = session.cache()
    pieces = [ids[start : start + size] for start in range(0, len(ids), size)]
    return np.concatenate([cache.extend(piece, rows="all") for piece in pieces])


def torch_logits(gpt: torch.nn.Module, ids: list[int]) -> np.ndarray:
    with torch.no_grad():
        return gpt(torch.tensor([ids]))[0][0].numpy()


@pytest.mark.parametrize(("position", "norm", "mlp", "bias"), MECHANISMS)
def test_every_mechanism_agrees_with_torch_whole_in_chunks_and_one_by_one(
    position: str, norm: str, mlp: str, bias: bool, tmp_path: Path
) -> None:
    for heads, kv_heads, tied in ((2, 2, True), (4, 2, False)):
        config = GPTConfig(
            vocab_size=96, context_tokens=48, layers=2, heads=heads, kv_heads=kv_heads, width=32,
            mlp_width=40, head_width=16, position=position, norm=norm, mlp=mlp, bias=bias,
            tied=tied, rope_base=500.0, norm_eps=1e-3,
        )  # fmt: skip
        checkpoint = tiny_checkpoint(config)
        expected = torch_logits(GPT.from_weights(config, checkpoint.weights), IDS)
        session = session_of(checkpoint, FloatLinear(), tmp_path)
        for size in (len(IDS), 7, 1):
            found = in_pieces(session, IDS, size)
            np.testing.assert_allclose(found, expected, atol=ATOL, rtol=0)


@pytest.mark.parametrize("family", ["gpt2", "llama", "llama tied"])
def test_a_transformers_model_gives_the_same_logits_through_its_checkpoint(
    family: str, tmp_path: Path
) -> None:
    torch.manual_seed(2)
    if family == "gpt2":
        reference = GPT2LMHeadModel(
            GPT2Config(vocab_size=96, n_positions=64, n_embd=32, n_layer=2, n_head=4)
        )
    else:
        reference = LlamaForCausalLM(
            LlamaConfig(
                vocab_size=96, max_position_embeddings=64, hidden_size=64, intermediate_size=96,
                num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2,
                tie_word_embeddings=family == "llama tied",
            )
        )  # fmt: skip
    with torch.no_grad():
        for parameter in reference.parameters():
            parameter.normal_(std=0.25)
    reference.eval().save_pretrained(tmp_path / "folder")
    session = session_of(load_checkpoint(tmp_path / "folder"), FloatLinear(), tmp_path)
    expected = torch_logits(reference, IDS)
    for size in (len(IDS), 4, 1):
        np.testing.assert_allclose(in_pieces(session, IDS, size), expected, atol=ATOL, rtol=0)


@pytest.mark.parametrize("family", TINY)
@pytest.mark.parametrize("kernel", ["int8", "int8-blocks"])
def test_eight_bits_change_little_and_pieces_change_nothing(
    family: str, kernel: str, tmp_path: Path
) -> None:
    """Random weights without outliers are the hardest to round: real models lose 0.004 nats."""
    checkpoint = tiny_checkpoint(TINY[family])
    whole = in_pieces(session_of(checkpoint, LINEARS[kernel], tmp_path), IDS, len(IDS))
    expected = in_pieces(session_of(checkpoint, FloatLinear(), tmp_path), IDS, len(IDS))
    assert compare(expected, whole, IDS)["divergence_nats"] < 0.03
    session = session_of(checkpoint, LINEARS[kernel], tmp_path)
    for size in (7, 1):
        np.testing.assert_array_equal(in_pieces(session, IDS, size), whole)


def test_slots_not_yet_in_use_may_hold_anything(tmp_path: Path) -> None:
    """Zeros, not-a-number or no slots at all: the first call reads none of them."""
    checkpoint = tiny_checkpoint()
    config = checkpoint.config
    network = session_of(checkpoint, FloatLinear(), tmp_path).network
    count = len(IDS)
    feeds = {
        "input_ids": np.array(IDS),
        "position_ids": np.arange(count)[None],
        "attention_bias": np.zeros((1, 1, count, count), np.float32),
        "logit_rows": np.arange(count),
        "seqlens_k": np.array([count - 1], np.int32),
        "total_sequence_length": np.array(count, np.int32),
    }
    logits = []
    for slots, content in ((0, 0.0), (64, 0.0), (64, np.nan)):
        past = np.full((1, config.kv_heads, slots, config.head_width), content, np.float32)
        pasts = {
            f"past_key_values.{i}.{kind}": past
            for i in range(config.layers)
            for kind in ("key", "value")
        }
        logits.append(network.run(["logits"], feeds | pasts)[0])
    assert np.isfinite(logits[0]).all()
    np.testing.assert_array_equal(logits[0], logits[1])
    np.testing.assert_array_equal(logits[0], logits[2])


@pytest.mark.parametrize("linear", LINEARS.values(), ids=LINEARS)
def test_names_say_where_things_live_and_follow_the_ecosystem(linear: Linear) -> None:
    checkpoint = tiny_checkpoint()
    model = build_graph(checkpoint.config, checkpoint.weights, linear)
    names = [node.name for node in model.graph.node]
    assert len(set(names)) == len(names)
    assert {"/blocks.0/attention/GroupQueryAttention", "/logits"} < set(names)
    assert any(name.startswith("/blocks.1/mlp/down/") for name in names)
    inputs = [value.name for value in model.graph.input]
    assert inputs[:2] == ["input_ids", "position_ids"]
    assert inputs[-2:] == ["past_key_values.1.key", "past_key_values.1.value"]
    outputs = [value.name for value in model.graph.output]
    assert outputs[:3] == ["logits", "present.0.key", "present.0.value"]


def test_gate_and_up_share_the_planes_of_their_input() -> None:
    checkpoint = tiny_checkpoint()
    model = build_graph(checkpoint.config, checkpoint.weights, Int8Linear())
    stacked = [node for node in model.graph.node if node.name.endswith("/planes/Concat")]
    assert len(stacked) == 4 * checkpoint.config.layers + 1  # qkv, output, gate and up, down


@pytest.mark.parametrize(
    ("position", "head_width", "step"), [("rope", 8, 16), ("rope", 24, 16), ("learned", 12, 8)]
)
def test_heads_that_onnxruntime_has_no_kernel_for_are_refused(
    position: str, head_width: int, step: int
) -> None:
    config = GPTConfig(
        vocab_size=9, context_tokens=8, layers=1, heads=1, kv_heads=1, width=8, mlp_width=8,
        head_width=head_width, position=position,
    )  # fmt: skip
    with pytest.raises(ConfigError, match=f"head_width is {head_width}; .* multiples of {step}"):
        build_graph(config, tiny_checkpoint(config).weights, FloatLinear())


@pytest.mark.parametrize("name", ["gpt2", "smollm2-135m", "nano", "mini"])
def test_every_preset_that_people_use_has_heads_with_a_kernel(name: str) -> None:
    config = PRESETS[name]
    assert config.head_width % (16 if config.position == "rope" else 8) == 0


def run_linear(
    linear: Linear, x: np.ndarray, weight: np.ndarray, bias: np.ndarray | None
) -> np.ndarray:
    """`x` (T, in) through one linear layer."""
    graph = Graph()
    y = linear.apply(graph, "/layer", "x", weight, bias)
    value = helper.make_tensor_value_info
    made = helper.make_graph(
        graph.nodes, "layer", [value("x", TensorProto.FLOAT, ["T", x.shape[1]])],
        [value(y, TensorProto.FLOAT, None)], list(graph.constants.values()),
    )  # fmt: skip
    opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(MICROSOFT, 1)]
    model = helper.make_model(made, opset_imports=opsets, ir_version=IR_VERSION)
    session = ort.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    return session.run(None, {"x": x})[0]


@pytest.mark.parametrize("kernel", LINEARS)
@pytest.mark.parametrize("into", [16, 40, 96])  # blocks are of 32
def test_a_linear_layer_is_a_product_and_a_sum(kernel: str, into: int) -> None:
    random = np.random.default_rng(0)
    x = random.normal(size=(6, into)).astype(np.float32)
    x[3] = 0  # a row of zeros has no largest element to divide by
    weight = random.normal(size=(24, into)).astype(np.float32)
    bias = random.normal(size=24).astype(np.float32)
    expected = x @ weight.T + bias
    found = run_linear(LINEARS[kernel], x, weight, bias)
    share = np.linalg.norm(found - expected) / np.linalg.norm(expected)
    assert share < {"float": 1e-6, "int8": 0.01, "int8-blocks": 0.015}[kernel]
    np.testing.assert_allclose(found[3], bias, atol=1e-6)


def test_two_planes_leave_the_rounding_of_the_weights_as_the_only_error() -> None:
    random = np.random.default_rng(1)
    x = random.normal(size=(8, 64)).astype(np.float32) * np.geomspace(1e-6, 1e6, 8)[:, None]
    x = x.astype(np.float32)
    weight = random.normal(size=(32, 64)).astype(np.float32)
    codes, scales = quantize_rows(weight)
    exact = x.astype(np.float64) @ (codes * scales[:, None]).astype(np.float64).T
    found = run_linear(Int8Linear(), x, weight, None)
    error = np.abs(found - exact).max(axis=1) / np.abs(x).max(axis=1)
    assert error.max() < 64 * np.abs(weight).max() / 127 / 254 / 2


@given(
    weight=hnp.arrays(
        np.float32,
        hnp.array_shapes(min_dims=2, max_dims=2, max_side=8),
        elements=st.floats(-1e6, 1e6, width=32, allow_subnormal=False),
    )
)
def test_a_rounded_weight_is_off_by_half_a_step_at_most(weight: np.ndarray) -> None:
    codes, scales = quantize_rows(weight)
    assert codes.dtype == np.int8
    assert np.abs(codes.astype(int)).max() <= 127
    off = np.abs(codes * scales[:, None].astype(np.float64) - weight)
    assert (off <= 0.501 * scales[:, None]).all()
