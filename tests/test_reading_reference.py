"""The reader's figures against full passes that share none of its code: no cache, no pieces."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import onnxruntime as ort
import pytest
import torch
from tiny_models import TINY, tiny_checkpoint

from model.bundle import load_bundle
from model.checkpoint import load_checkpoint
from model.gpt import GPT
from model.reader import Draft, Reader
from model.scores import NATS_PER_BIT
from model.session import Session
from training.linear import quantize_rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from model.bundle import Bundle
    from training.export import Precision

REAL, GGUF = os.environ.get("FORETYPE_TEST_BUNDLE"), os.environ.get("FORETYPE_TEST_GGUF")
PROSE = Path(__file__).parents[1] / "assets" / "reference.txt"
LINES = "the inner ring 🚫 and on\nthe ñandú, in the ring\n\n" * 4


def read(bundle: Bundle, text: str, window: int) -> Draft:
    """Read after another text, so that caches and memo are not as new."""
    reader = Reader(Session(bundle, context_tokens=window), bundle.tokenizer())
    reader.read(text[: len(text) // 2] + " ring " + text[len(text) // 2 :])
    draft = reader.begin(text)
    for first, scores in reader.go_on(draft, seen=range(5, 9)):
        draft.scores.put(first, scores)
    return draft


def full_pass(gpt: GPT, draft: Draft) -> tuple[np.ndarray, np.ndarray]:
    """(n, V) log-probabilities in nats of every passage at once, and the rows' targets (n,)."""
    ids = torch.tensor(draft.ids.astype(np.int64))
    parts = []
    with torch.no_grad():
        for passage in draft.passages:
            logits = gpt(ids[None, passage.start : passage.stop])[0][0]
            parts.append(logits[passage.first - passage.start :].double().log_softmax(-1))
    return torch.cat(parts).numpy(), draft.ids[1:]


@pytest.mark.parametrize("family", TINY)
def test_every_figure_agrees_with_torch(
    family: str, bundle_of: Callable[[str, Precision], Bundle]
) -> None:
    draft = read(bundle_of(family, "float"), LINES, 48)
    assert len(draft.passages) > 3
    gpt = GPT.from_weights(TINY[family], tiny_checkpoint(TINY[family]).weights).eval()
    log_p, targets = full_pass(gpt, draft)
    rows = np.arange(len(targets))
    scores = draft.scores
    assert scores.nats == pytest.approx(-log_p[rows, targets], abs=2e-4)
    assert np.exp(-scores.nats) == pytest.approx(np.exp(log_p[rows, targets]), abs=1e-4)
    entropy = -(np.exp(log_p) * log_p).sum(axis=1) / NATS_PER_BIT
    assert scores.entropy_bits == pytest.approx(entropy, abs=2e-4)
    chances = np.exp(np.take_along_axis(log_p, scores.alternatives.astype(np.int64), 1))
    assert scores.chances == pytest.approx(chances, abs=1e-4)
    assert scores.chances[:, 0] == pytest.approx(np.exp(log_p.max(axis=1)), abs=1e-4)
    ranks = 1 + (log_p > log_p[rows, targets][:, None]).sum(axis=1)
    assert (abs(scores.ranks - ranks) <= 1).all()  # two may be all but equal


@pytest.mark.slow
@pytest.mark.skipif(not REAL, reason="FORETYPE_TEST_BUNDLE names no model folder")
def test_the_real_model_agrees_with_one_run_of_its_graph_without_a_cache() -> None:
    bundle = load_bundle(Path(str(REAL)))
    draft = read(bundle, PROSE.read_text(encoding="utf-8"), 512)
    network = ort.InferenceSession(str(bundle.graph_path), providers=["CPUExecutionProvider"])
    nats = np.concatenate([_plain_run(network, bundle, draft, i) for i in (0, 1, 2)])
    assert abs(draft.scores.nats[: len(nats)] - nats).max() < 1e-5


def _plain_run(network: ort.InferenceSession, bundle: Bundle, draft: Draft, i: int) -> np.ndarray:
    passage, config = draft.passages[i], bundle.config
    ids = draft.ids[passage.start : passage.stop].astype(np.int64)
    count = len(ids)
    empty = np.zeros((1, config.kv_heads, count, config.head_width), np.float32)
    feeds = {
        "input_ids": ids,
        "position_ids": np.arange(count)[None],
        "attention_bias": np.zeros((1, 1, count, count), np.float32),
        "logit_rows": np.arange(passage.first - passage.start, count),
        "seqlens_k": np.array([count - 1], np.int32),
        "total_sequence_length": np.array(count, np.int32),
    } | {
        f"past_key_values.{layer}.{kind}": empty
        for layer in range(config.layers)
        for kind in ("key", "value")
    }
    logits = network.run(["logits"], feeds)[0].astype(np.float64)
    targets = draft.ids[passage.first + 1 : passage.stop + 1]
    log_p = logits - np.logaddexp.reduce(logits, axis=1, keepdims=True)
    nats: np.ndarray = -log_p[np.arange(len(targets)), targets]
    return nats


@pytest.mark.slow
@pytest.mark.skipif(not (REAL and GGUF), reason="needs FORETYPE_TEST_BUNDLE and _GGUF")
def test_the_real_model_agrees_with_torch_at_the_exported_precision() -> None:
    """torch in double precision on the weights as they are rounded in the graph."""
    bundle, checkpoint = load_bundle(Path(str(REAL))), load_checkpoint(Path(str(GGUF)))
    draft = read(bundle, PROSE.read_text(encoding="utf-8"), 512)
    weights = {name: _as_exported(weight) for name, weight in checkpoint.weights.items()}
    gpt = GPT.from_weights(checkpoint.config, weights).eval().double()
    log_p, targets = full_pass(gpt, draft)
    differences = draft.scores.nats + log_p[np.arange(len(targets)), targets]
    assert abs(differences).mean() < 1e-3  # measured 0.0009; largest 0.006, of activations
    assert abs(differences).max() < 2e-2
    assert math.exp(differences.mean()) == pytest.approx(1, abs=1e-3)  # of the perplexity


def _as_exported(weight: np.ndarray) -> np.ndarray:
    if weight.ndim != 2:
        return weight
    codes, scales = quantize_rows(weight)
    return codes.astype(np.float32) * scales[:, None]
