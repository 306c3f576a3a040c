from __future__ import annotations

import json
import math
import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest
from tiny_models import TINY, tiny_bundle, tiny_checkpoint

if TYPE_CHECKING:
    from pathlib import Path

    from model.config import GPTConfig

pytest.importorskip("torch")

from training.attention import attention_weights, look
from training.float_weights import WEIGHTS, write_float_weights

IDS = [3, 100, 5, 5, 9, 200, 7]


def plainly(config: GPTConfig, weights: dict[str, np.ndarray], ids: list[int]) -> np.ndarray:
    """Softmax of Q Kᵀ / √D of the first layer, written out for one head after the other."""

    def norm(x: np.ndarray, name: str) -> np.ndarray:
        if config.norm == "layernorm":
            x = x - x.mean(-1, keepdims=True)
        size = np.sqrt((x**2).mean(-1, keepdims=True) + config.norm_eps)
        return x / size * weights[f"{name}.weight"] + weights.get(f"{name}.bias", 0)

    def turned(x: np.ndarray, at: int) -> np.ndarray:
        half = len(x) // 2
        angles = at / config.rope_base ** (np.arange(half) / half)
        a, b = x[:half], x[half:]
        turn = (a * np.cos(angles) - b * np.sin(angles), b * np.cos(angles) + a * np.sin(angles))
        return np.concatenate(turn)

    x = weights["token_embedding.weight"][ids].astype(np.float64)
    if config.position == "learned":
        x = x + weights["position_embedding.weight"][: len(ids)]
    x = norm(x, "blocks.0.attention_norm")
    qkv = x @ weights["blocks.0.attention.qkv.weight"].T
    qkv = qkv + weights.get("blocks.0.attention.qkv.bias", 0)
    D, shared = config.head_width, config.heads // config.kv_heads
    found = np.zeros((config.heads, len(ids), len(ids)))
    for head in range(config.heads):
        key_head = config.heads + head // shared
        for i in range(len(ids)):
            query = qkv[i, head * D : (head + 1) * D]
            keys = [qkv[j, key_head * D : (key_head + 1) * D] for j in range(i + 1)]
            if config.position != "learned":
                query, keys = turned(query, i), [turned(key, j) for j, key in enumerate(keys)]
            scores = np.exp([query @ key / math.sqrt(D) for key in keys])
            found[head, i, : i + 1] = scores / scores.sum()
    return found


@pytest.mark.parametrize("family", TINY)
def test_weights_are_the_softmax_of_queries_and_keys(family: str) -> None:
    checkpoint = tiny_checkpoint(TINY[family])
    weights = attention_weights(checkpoint, IDS)
    config = checkpoint.config
    assert weights.shape == (config.layers, config.heads, len(IDS), len(IDS))
    np.testing.assert_allclose(weights.sum(-1), 1, atol=1e-5)
    assert np.triu(weights, 1).max() == 0  # nothing is taken from tokens to come
    np.testing.assert_allclose(weights[0], plainly(config, checkpoint.weights, IDS), atol=1e-5)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny model that keeps its float weights."""
    from model.bundle import seal

    folder = tmp_path_factory.mktemp("attention") / "tiny"
    bundle = tiny_bundle(folder)
    write_float_weights(tiny_checkpoint(), folder)
    names = ("origin", "licence", "precision", "perplexity", "check")
    seal(folder, {name: bundle.card[name] for name in names if name in bundle.card})
    return folder


def run(folder: Path, text: str, *options: str) -> tuple[int, dict[str, object]]:
    done = subprocess.run(
        [sys.executable, *options, "-m", "training.attention", str(folder), "--json"],
        input=text.encode(), capture_output=True, check=False,
    )  # fmt: skip
    return done.returncode, json.loads(done.stdout)


def test_the_program_prints_thousandths_row_by_row(folder: Path) -> None:
    code, said = run(folder, "the hand — é")
    assert code == 0
    count = len(said["tokens"])
    pieces = [bytes.fromhex(token) for token in said["tokens"]]
    assert b"".join(pieces).decode() == "the hand — é"
    assert pieces[0] == b""
    layer = said["weights"][1]
    assert len(said["weights"]) == said["layers"] == 2
    assert len(layer) == said["heads"] == 2
    assert len(layer[0]) == count * (count + 1) // 2
    assert layer[0][0] == 1000
    assert sum(layer[0][1:3]) == pytest.approx(1000, abs=1)


def test_a_model_without_float_weights_says_what_to_do(tmp_path: Path) -> None:
    tiny_bundle(tmp_path / "tiny")
    code, said = run(tmp_path / "tiny", "the hand")
    assert code == 1
    assert f"keeps no {WEIGHTS}" in said["error"]
    assert "install the model again" in said["error"]


def test_without_torch_it_says_so(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ImportError) as err:
        look(folder, "the hand")
    assert err.value.name == "torch"
