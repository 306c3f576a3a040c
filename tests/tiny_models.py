"""Models of a few thousand random weights, whole and real: for tests of everything around them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from model.byte_alphabet import visible
from model.checkpoint import Checkpoint
from model.config import PRESETS, GPTConfig, weight_shapes
from model.tokenizer import Tokenizer
from model.vocabulary import Vocabulary
from training.export import export

if TYPE_CHECKING:
    from pathlib import Path

    from model.bundle import Bundle
    from training.export import Precision

MERGES = ["Ġ t", "h e", "Ġt he", "i n", "Ġ a", "e r", "o n", "Ġa n", "Ġan d", "r e", "Ġ s", "Ġ w"]
VOCAB_SIZE = 256 + len(MERGES) + 1

TINY_LLAMA = GPTConfig(
    vocab_size=VOCAB_SIZE, context_tokens=64, layers=2, heads=2, kv_heads=1, width=32, mlp_width=64,
)  # fmt: skip
TINY = {
    "llama": TINY_LLAMA,
    "llama untied": replace(TINY_LLAMA, heads=4, kv_heads=2, width=64, tied=False),
    "gpt2": replace(PRESETS["tiny-gpt2"], vocab_size=VOCAB_SIZE),
}


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


def tiny_checkpoint(config: GPTConfig = TINY_LLAMA, *, seed: int = 1) -> Checkpoint:
    """A model whose opinions are random but pronounced; norms and biases are random too."""
    generator = np.random.default_rng(seed)
    weights = {}
    for name, shape in weight_shapes(config).items():
        centre = 1 if name.endswith("norm.weight") else 0
        weights[name] = generator.normal(centre, 0.3, shape).astype(np.float32)
    return Checkpoint(config, weights)


def tiny_bundle(
    folder: Path,
    config: GPTConfig = TINY_LLAMA,
    *,
    precision: Precision = "float",
    seed: int = 1,
) -> Bundle:
    """Export such a model to a new `folder`."""
    folder.mkdir(parents=True)
    origin = {"kind": "test", "source": "tiny", "licence": "Apache-2.0"}
    checkpoint = tiny_checkpoint(config, seed=seed)
    return export(checkpoint, tiny_tokenizer(), folder, precision=precision, origin=origin)


def hugging_face_folder(folder: Path) -> Path:
    """A model as Hugging Face publishes them: random weights, a trained tokenizer."""
    from tokenizers import ByteLevelBPETokenizer
    from transformers import LlamaConfig, LlamaForCausalLM

    tokenizer = ByteLevelBPETokenizer()
    tokenizer.train_from_iterator(
        ["the cat sat on the mat and the rat sat on the cat"] * 9,
        vocab_size=300,
        special_tokens=["<|endoftext|>"],
        show_progress=False,
    )
    folder.mkdir()
    tokenizer.save(str(folder / "tokenizer.json"))
    config = LlamaConfig(
        vocab_size=tokenizer.get_vocab_size(), hidden_size=32, intermediate_size=64,
        num_hidden_layers=1, num_attention_heads=2, num_key_value_heads=1,
        max_position_embeddings=64, tie_word_embeddings=True, eos_token_id=0, bos_token_id=0,
    )  # fmt: skip
    LlamaForCausalLM(config).save_pretrained(folder)
    return folder
