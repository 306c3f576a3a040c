"""Models of a few thousand random weights, whole and real: for tests of everything around them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from model.checkpoint import Checkpoint
from model.config import GPTConfig, weight_shapes
from model.tokenizer import Tokenizer
from model.vocabulary import Vocabulary, visible
from training.export import export

if TYPE_CHECKING:
    from pathlib import Path

    from model.bundle import Bundle

MERGES = ["Ġ t", "h e", "Ġt he", "i n", "Ġ a", "e r", "o n", "Ġa n", "Ġan d", "r e", "Ġ s", "Ġ w"]


def tiny_tokenizer() -> Tokenizer:
    """All bytes, a dozen merges, and end-of-text as the last of 269 tokens."""
    pieces = [visible(bytes([byte])) for byte in range(256)]
    merges = [(first, second) for first, second in (merge.split() for merge in MERGES)]
    pieces += [first + second for first, second in merges]
    ordinary = {piece: i for i, piece in enumerate(pieces)}
    end_of_text = len(pieces)
    special = {"<|endoftext|>": end_of_text}
    vocabulary = Vocabulary.build(ordinary, special, merges, split="gpt2", end_of_text=end_of_text)
    return Tokenizer(vocabulary)


def tiny_checkpoint(*, context_tokens: int = 64, seed: int = 1) -> Checkpoint:
    """A Llama of two layers whose opinions are random but pronounced."""
    config = GPTConfig(
        vocab_size=256 + len(MERGES) + 1, context_tokens=context_tokens, layers=2, heads=2,
        kv_heads=1, width=32, mlp_width=64,
    )  # fmt: skip
    generator = np.random.default_rng(seed)
    weights = {
        name: generator.normal(0, 0.4, shape).astype(np.float32)
        if len(shape) > 1
        else np.ones(shape, np.float32)
        for name, shape in weight_shapes(config).items()
    }
    return Checkpoint(config, weights)


def tiny_bundle(folder: Path, *, context_tokens: int = 64, seed: int = 1) -> Bundle:
    """Export the tiny model to a new `folder`."""
    folder.mkdir(parents=True)
    checkpoint = tiny_checkpoint(context_tokens=context_tokens, seed=seed)
    origin = {"kind": "test", "source": "tiny", "licence": "Apache-2.0"}
    return export(checkpoint, tiny_tokenizer(), folder, precision="float", origin=origin)
