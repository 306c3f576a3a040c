"""Checkpoints of llama.cpp: one GGUF file with metadata and, often quantised, tensors.

Source: the GGUF specification and `convert_hf_to_gguf.py` of ggml-org/llama.cpp, which stores the
rows of a Llama's queries and keys with interleaved rotary pairs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from model.checkpoint import (
    Checkpoint,
    CheckpointError,
    Layout,
    StoredTensor,
    assemble,
    require,
)
from model.config import GPTConfig

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from gguf import GGUFReader, ReaderTensor

_SHARED_NAMES = {
    "token_embedding": ("token_embd",),
    "attention_norm": ("blk.{}.attn_norm",),
    "attention.output": ("blk.{}.attn_output",),
    "mlp_norm": ("blk.{}.ffn_norm",),
    "mlp.up": ("blk.{}.ffn_up",),
    "mlp.down": ("blk.{}.ffn_down",),
    "final_norm": ("output_norm",),
    "output": ("output",),
}
_LAYOUTS = {
    "llama": Layout(
        names={
            **_SHARED_NAMES,
            "attention.qkv": ("blk.{}.attn_q", "blk.{}.attn_k", "blk.{}.attn_v"),
            "mlp.gate": ("blk.{}.ffn_gate",),
        },
        interleaved=True,
    ),
    "gpt2": Layout(
        names={
            **_SHARED_NAMES,
            "position_embedding": ("position_embd",),
            "attention.qkv": ("blk.{}.attn_qkv",),
        }
    ),
}
_ALLOWED = {
    "general.architecture": tuple(_LAYOUTS),
    "split.count": (0, 1),
    "llama.expert_count": (0,),
    "llama.rope.scaling.type": ("none",),
    "llama.rope.scale_linear": (1.0,),
}


def read_gguf(path: Path) -> Checkpoint:
    """Read the model in a GGUF file; use `load_checkpoint`, which names the file in errors.

    Raises:
        CheckpointError, ConfigError, OSError: as `load_checkpoint` explains.
    """
    reader = _open(path)
    metadata = _metadata(reader)
    require(metadata, _ALLOWED)
    stored = {tensor.name: _stored(tensor) for tensor in reader.tensors}
    if "rope_freqs.weight" in stored:
        raise CheckpointError("it scales rotary frequencies, which Foretype does not support")
    tied = _is_copy(reader, "output.weight", "token_embd.weight")
    if tied:
        stored.pop("output.weight", None)
    config = _config(metadata, stored, tied)
    return Checkpoint(config, assemble(config, _LAYOUTS[metadata["general.architecture"]], stored))


def _open(path: Path) -> GGUFReader:
    from gguf import GGUFReader

    try:
        with np.errstate(over="ignore"):  # offsets in a damaged file may be anything
            reader = GGUFReader(path)
    except (ValueError, IndexError, KeyError, TypeError, OverflowError) as err:
        raise CheckpointError(f"not a GGUF file, or a damaged one ({err})") from err
    if reader.byte_order != "I":
        raise CheckpointError("it was made for big-endian machines")
    return reader


def _metadata(reader: GGUFReader) -> dict[str, Any]:
    """All values but the lists, which describe the tokenizer."""
    from gguf import GGUFValueType

    try:
        metadata = {
            name: field.contents()
            for name, field in reader.fields.items()
            if field.types[0] != GGUFValueType.ARRAY
        }
    except (ValueError, IndexError) as err:
        raise CheckpointError(f"its metadata is damaged ({err})") from err
    return {"general.architecture": None, **metadata}


def _stored(tensor: ReaderTensor) -> StoredTensor:
    def read() -> np.ndarray:
        from gguf import dequantize

        try:
            return dequantize(tensor.data, tensor.tensor_type).astype(np.float32, copy=False)
        except NotImplementedError as err:
            raise CheckpointError(f"the tensor {tensor.name!r} cannot be read: {err}") from err

    return StoredTensor(tuple(int(n) for n in reversed(tensor.shape)), read)


def _is_copy(reader: GGUFReader, name: str, original: str) -> bool:
    """Whether a tensor is absent or repeats another, as GPT-2's tied output does in many files."""
    data = {tensor.name: tensor.data for tensor in reader.tensors}
    return name not in data or (original in data and np.array_equal(data[name], data[original]))


def _config(
    metadata: Mapping[str, Any], stored: Mapping[str, StoredTensor], tied: bool
) -> GPTConfig:
    architecture = metadata["general.architecture"]

    def value(name: str, default: Any = None) -> Any:
        found = metadata.get(f"{architecture}.{name}", default)
        if found is None:
            raise CheckpointError(f"its metadata lacks {architecture}.{name}")
        # Stored in single precision, 1e-5 reads as 9.999999747378752e-06; give the decimal back.
        return float(str(np.float32(found))) if isinstance(found, float) else found

    if "token_embd.weight" not in stored:
        raise CheckpointError("the tensor 'token_embd.weight' is missing")
    heads = value("attention.head_count")
    shape = {
        "vocab_size": value("vocab_size", stored["token_embd.weight"].shape[0]),
        "context_tokens": value("context_length"),
        "layers": value("block_count"),
        "heads": heads,
        "kv_heads": value("attention.head_count_kv", heads),
        "width": value("embedding_length"),
        "mlp_width": value("feed_forward_length"),
        "head_width": value("attention.key_length", 0),
        "tied": tied,
    }
    if architecture == "gpt2":
        return GPTConfig.from_dict({
            **shape, "position": "learned", "norm": "layernorm", "mlp": "gelu", "bias": True,
            "norm_eps": value("attention.layer_norm_epsilon"),
        })  # fmt: skip
    config = GPTConfig.from_dict({
        **shape, "position": "rope", "norm": "rmsnorm", "mlp": "swiglu", "bias": False,
        "norm_eps": value("attention.layer_norm_rms_epsilon"),
        "rope_base": value("rope.freq_base", 10_000.0),
    })  # fmt: skip
    for name in ("rope.dimension_count", "attention.value_length"):
        require(metadata, {f"llama.{name}": (config.head_width,)})
    return config
