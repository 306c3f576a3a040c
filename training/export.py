"""Checkpoint → bundle: build the graph, compare it with the reference on real text, seal it.

Needs no torch: the reference is the float32 graph, run by onnxruntime (its agreement with
`model.gpt` is a test).  Nothing is sealed that computes something else than the reference.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Callable, Mapping
from importlib import resources
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import onnx

from model.bundle import CONFIG, GRAPH, TOKENIZER, Bundle, seal
from model.files import write_atomically
from model.session import Session
from training.graph import Linear, build_graph
from training.linear import BlockLinear, FloatLinear, Int8Linear

if TYPE_CHECKING:
    from model.checkpoint import Checkpoint
    from model.tokenizer import Tokenizer

Precision = Literal["int8", "float"]
Progress = Callable[[str, int, int], None]

REFERENCE = "assets/reference.txt"
LOGITS_TOKENS = 512  # of the reference text; also the context its perplexity is stated for
LARGEST_FILE_BYTES = 1_900_000_000  # protobuf refuses 2 GiB; larger graphs keep weights beside them
MOST_DIVERGENCE_NATS = 0.03
MOST_PERPLEXITY_RATIO = 1.02
KERNELS: dict[Precision, dict[str, Linear]] = {  # in the order in which they are tried
    "float": {"float": FloatLinear()},
    "int8": {"int8": Int8Linear(), "int8-blocks": BlockLinear()},
}


class ExportError(ValueError):
    """The exported graph does not compute what the checkpoint does."""


def export(
    checkpoint: Checkpoint,
    tokenizer: Tokenizer,
    folder: Path,
    *,
    precision: Precision = "int8",
    origin: Mapping[str, Any],
    notes: Mapping[str, Any] | None = None,
    progress: Progress = lambda stage, done, total: None,
) -> Bundle:
    """Write a sealed bundle into `folder`, which exists and is empty.

    Args:
        checkpoint: configuration and float32 weights.
        tokenizer: its size must be the model's.
        folder: where to; the caller renames it into place.
        precision: of the weights.  8-bit falls back to 8-bit blocks where this processor's
            integer products saturate.
        origin: what the card says of the model: at least `source` and `licence`.
        notes: more for the card.
        progress: called with stage, steps done, steps in all.

    Raises:
        ExportError: tokenizer and model differ in size, or the graph fails the comparison.
        ConfigError: onnxruntime cannot run a model of this shape.
    """
    config = checkpoint.config
    if tokenizer.vocab_size != config.vocab_size:
        raise ExportError(
            f"the tokenizer has {tokenizer.vocab_size:,} tokens and the model "
            f"{config.vocab_size:,}; take both from the same model"
        )
    write_atomically(folder / CONFIG, json.dumps(config.to_dict(), indent=2) + "\n")
    tokenizer.save(folder / TOKENIZER)
    ids = reference_ids(tokenizer, min(LOGITS_TOKENS, config.context_tokens))
    progress("export", 0, 3)
    with TemporaryDirectory(dir=folder.parent, prefix=".reference-") as reference:
        _write_graph(checkpoint, FloatLinear(), Path(reference), external=True)
        progress("export", 1, 3)
        expected = _logits(Bundle(Path(reference), config, {}), ids)
    if not np.isfinite(expected).all():
        raise ExportError("the checkpoint computes numbers that are not finite; fetch it again")
    ids = ids[: len(expected)]
    progress("export", 2, 3)
    measured = _write_and_compare(checkpoint, precision, folder, expected, ids, progress)
    licence = origin.get("licence", "unknown")
    return seal(
        folder,
        {
            "origin": dict(origin),
            "licence": licence,
            "precision": precision,
            **measured,
            **(notes or {}),
        },
    )


def reference_ids(tokenizer: Tokenizer, count: int) -> list[int]:
    """End-of-text and the first tokens of the reference text, `count` in all."""
    text = (resources.files("assets") / Path(REFERENCE).name).read_text(encoding="utf-8")
    return [tokenizer.end_of_text, *tokenizer.encode(text)][:count]


def compare(expected: np.ndarray, found: np.ndarray, ids: list[int]) -> dict[str, float]:
    """Perplexity of `ids` by both logits (T, V), and the mean KL divergence in nats."""
    losses, divergence = np.zeros((2, len(ids) - 1)), 0.0
    for t, (one, other) in enumerate(zip(expected, found, strict=True)):  # rows: V is large
        p, q = _log_softmax(one), _log_softmax(other)
        divergence += float((np.exp(p) * (p - q)).sum()) / len(ids)
        if t + 1 < len(ids):
            losses[:, t] = -p[ids[t + 1]], -q[ids[t + 1]]
    reference, exported = np.exp(losses.mean(axis=1)).tolist()
    return {"reference": reference, "exported": exported, "divergence_nats": divergence}


def _write_and_compare(
    checkpoint: Checkpoint,
    precision: Precision,
    folder: Path,
    expected: np.ndarray,
    ids: list[int],
    progress: Progress,
) -> dict[str, Any]:
    """Write the graph with the first kernel that computes what is `expected`; notes for the card.

    Raises:
        ExportError: none does.
    """
    for kernel, linear in KERNELS[precision].items():
        _write_graph(checkpoint, linear, folder)
        progress("export", 3, 3)
        progress("check", 0, 1)
        found = _logits(Bundle(folder, checkpoint.config, {}), ids)
        comparison = compare(expected, found, ids)
        progress("check", 1, 1)
        if _agrees(comparison):
            return {
                "kernel": kernel,
                "perplexity": {"text": REFERENCE, "tokens": len(ids) - 1, **comparison},
                "check": _self_check(found, ids),
            }
    raise ExportError(
        f"the {precision} graph differs from the reference: mean KL "
        f"{comparison['divergence_nats']:.3f} nats (at most {MOST_DIVERGENCE_NATS}), perplexity "
        f"{comparison['exported']:.2f} instead of {comparison['reference']:.2f}; "
        "try --precision float"
    )


def _agrees(comparison: Mapping[str, float]) -> bool:
    ratio = comparison["exported"] / comparison["reference"]
    return comparison["divergence_nats"] < MOST_DIVERGENCE_NATS and ratio < MOST_PERPLEXITY_RATIO


def _write_graph(
    checkpoint: Checkpoint, linear: Linear, folder: Path, *, external: bool = False
) -> None:
    """Write the graph; its weights beside it where they are wanted there or too large for it."""
    model = build_graph(checkpoint.config, checkpoint.weights, linear)
    external |= sum(len(t.raw_data) for t in model.graph.initializer) > LARGEST_FILE_BYTES
    for leftover in (GRAPH, f"{GRAPH}.data"):
        (folder / leftover).unlink(missing_ok=True)
    onnx.save(model, folder / GRAPH, save_as_external_data=external, location=f"{GRAPH}.data")
    del model
    gc.collect()  # a float graph of SmolLM2 is 650 MB


def _logits(bundle: Bundle, ids: list[int]) -> np.ndarray:
    """(T, V) logits after as many of `ids` as a session of the bundle has room for."""
    session = Session(bundle, context_tokens=len(ids))
    return session.cache().extend(ids[: session.context_tokens], rows="all")


def _self_check(logits: np.ndarray, ids: list[int]) -> dict[str, Any]:
    """What a session computes again when it starts: one log-probability after a few tokens."""
    count = min(16, len(logits) - 1)
    row = _log_softmax(logits[count - 1])
    return {"ids": ids[:count], "token": ids[count], "log_probability": float(row[ids[count]])}


def _log_softmax(logits: np.ndarray) -> np.ndarray:
    wide = logits.astype(np.float64)
    log_probabilities: np.ndarray = wide - np.logaddexp.reduce(wide)
    return log_probabilities
