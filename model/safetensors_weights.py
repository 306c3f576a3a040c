"""Checkpoints of Hugging Face: a folder with config.json and model.safetensors, one or sharded.

Source: `GPT2LMHeadModel` and `LlamaForCausalLM` of huggingface/transformers.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

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
from model.safetensors_file import stored_tensors

_GPT2 = Layout(
    names={
        "token_embedding": ("transformer.wte",),
        "position_embedding": ("transformer.wpe",),
        "attention_norm": ("transformer.h.{}.ln_1",),
        "attention.qkv": ("transformer.h.{}.attn.c_attn",),
        "attention.output": ("transformer.h.{}.attn.c_proj",),
        "mlp_norm": ("transformer.h.{}.ln_2",),
        "mlp.up": ("transformer.h.{}.mlp.c_fc",),
        "mlp.down": ("transformer.h.{}.mlp.c_proj",),
        "final_norm": ("transformer.ln_f",),
        "output": ("lm_head",),
    },
    transposed=True,
)
_LLAMA = Layout(
    names={
        "token_embedding": ("model.embed_tokens",),
        "attention_norm": ("model.layers.{}.input_layernorm",),
        "attention.qkv": tuple(f"model.layers.{{}}.self_attn.{x}_proj" for x in "qkv"),
        "attention.output": ("model.layers.{}.self_attn.o_proj",),
        "mlp_norm": ("model.layers.{}.post_attention_layernorm",),
        "mlp.gate": ("model.layers.{}.mlp.gate_proj",),
        "mlp.up": ("model.layers.{}.mlp.up_proj",),
        "mlp.down": ("model.layers.{}.mlp.down_proj",),
        "final_norm": ("model.norm",),
        "output": ("lm_head",),
    }
)
_ALLOWED: dict[str, dict[str, tuple[Any, ...]]] = {
    "gpt2": {
        "activation_function": ("gelu_new", "gelu_pytorch_tanh"),
        "scale_attn_weights": (True,),
        "scale_attn_by_inverse_layer_idx": (False,),
        "add_cross_attention": (False,),
    },
    "llama": {
        "hidden_act": ("silu",),
        "attention_bias": (False,),
        "mlp_bias": (False,),
        "rope_interleaved": (False,),
        "partial_rotary_factor": (None, 1),
    },
}
_BUFFERS = (
    ".attn.bias",
    ".attn.masked_bias",
    ".rotary_emb.inv_freq",
)  # masks and tables, no weights


def read_folder(folder: Path) -> Checkpoint:
    """Read the model in a Hugging Face folder; use `load_checkpoint`, which names it in errors.

    Raises:
        CheckpointError, ConfigError, OSError: as `load_checkpoint` explains.
    """
    fields = _json(folder / "config.json")
    require({"model_type": fields.get("model_type")}, {"model_type": tuple(_ALLOWED)})
    require(fields, {"quantization_config": (None,), **_ALLOWED[fields["model_type"]]})
    is_gpt2 = fields["model_type"] == "gpt2"
    config = _gpt2_config(fields) if is_gpt2 else _llama_config(fields)
    stored = _with_prefix(_tensors(folder), "transformer." if is_gpt2 else "model.")
    layout = _GPT2 if is_gpt2 else _LLAMA
    if config.tied:
        _drop_copied_output(stored, layout)
    return Checkpoint(config, assemble(config, layout, stored))


def _gpt2_config(fields: dict[str, Any]) -> GPTConfig:
    heads, width = _count(fields, "n_head"), _count(fields, "n_embd")
    return GPTConfig.from_dict({
        "vocab_size": _count(fields, "vocab_size"),
        "context_tokens": _count(fields, "n_positions"),
        "layers": _count(fields, "n_layer"),
        "heads": heads,
        "kv_heads": heads,
        "width": width,
        "mlp_width": fields.get("n_inner") or 4 * width,
        "position": "learned",
        "norm": "layernorm",
        "mlp": "gelu",
        "norm_eps": fields.get("layer_norm_epsilon", 1e-5),
        "bias": True,
        "tied": fields.get("tie_word_embeddings", True),
    })  # fmt: skip


def _llama_config(fields: dict[str, Any]) -> GPTConfig:
    heads = _count(fields, "num_attention_heads")
    return GPTConfig.from_dict({
        "vocab_size": _count(fields, "vocab_size"),
        "context_tokens": _count(fields, "max_position_embeddings"),
        "layers": _count(fields, "num_hidden_layers"),
        "heads": heads,
        "kv_heads": fields.get("num_key_value_heads") or heads,
        "width": _count(fields, "hidden_size"),
        "mlp_width": _count(fields, "intermediate_size"),
        "head_width": fields.get("head_dim") or 0,
        "norm_eps": fields.get("rms_norm_eps", 1e-6),
        "rope_base": _rope_base(fields),
        "bias": False,
        "tied": fields.get("tie_word_embeddings", False),
    })  # fmt: skip


def _count(fields: dict[str, Any], name: str) -> int:
    value = fields.get(name)
    if type(value) is not int:
        raise CheckpointError(f"{name} in config.json is {value!r}; it must be a whole number")
    return value


def _rope_base(fields: dict[str, Any]) -> Any:
    """The base of the rotary frequencies, which moved into `rope_parameters` in transformers 5."""
    base = fields.get("rope_theta", 10_000.0)
    for name in ("rope_scaling", "rope_parameters"):
        rope = fields.get(name) or {}
        if not isinstance(rope, dict):
            raise CheckpointError(f"{name} in config.json is {rope!r}; it must be an object")
        kinds = {"rope_type": ("default",), "type": ("default",)}
        require(rope, {**kinds, "partial_rotary_factor": (None, 1)})
        base = rope.get("rope_theta", base)
    return base


def _with_prefix(stored: dict[str, StoredTensor], prefix: str) -> dict[str, StoredTensor]:
    """Full names: a model saved without its output head has no prefix; buffers are left out."""
    bare = not any(name.startswith(prefix) for name in stored)
    return {
        prefix + name if bare and not name.startswith("lm_head.") else name: tensor
        for name, tensor in stored.items()
        if not name.endswith(_BUFFERS)
    }


def _drop_copied_output(stored: dict[str, StoredTensor], layout: Layout) -> None:
    output = stored.pop("lm_head.weight", None)
    embedding = stored.get(f"{layout.names['token_embedding'][0]}.weight")
    if output and embedding and not np.array_equal(output.read(), embedding.read()):
        raise CheckpointError(
            "config.json says that output and embedding are tied (tie_word_embeddings), "
            "but 'lm_head.weight' differs from the embedding"
        )


def _json(file: Path) -> dict[str, Any]:
    if not file.is_file():
        raise CheckpointError(f"{file.name} is missing from the folder")
    try:
        content = json.loads(file.read_bytes())
    except (ValueError, RecursionError) as err:
        raise CheckpointError(f"{file.name} is not valid JSON ({err})") from err
    if not isinstance(content, dict):
        raise CheckpointError(f"{file.name} holds {type(content).__name__}, not a JSON object")
    return content


def _tensors(folder: Path) -> dict[str, StoredTensor]:
    """The tensors of model.safetensors, or of all the shards that its index names."""
    if (folder / "model.safetensors").is_file():
        return stored_tensors(folder / "model.safetensors")
    if not (folder / "model.safetensors.index.json").is_file():
        raise CheckpointError(
            "model.safetensors is missing from the folder; save the model with "
            "`save_pretrained(folder)`, which writes it"
        )
    files = _json(folder / "model.safetensors.index.json").get("weight_map")
    if not isinstance(files, dict) or not all(_is_plain_name(name) for name in files.values()):
        raise CheckpointError("model.safetensors.index.json names no shards in its weight_map")
    stored: dict[str, StoredTensor] = {}
    for shard in sorted(set(files.values())):
        for name, tensor in stored_tensors(folder / shard).items():
            if name in stored:
                raise CheckpointError(f"the tensor {name!r} is in two shards")
            stored[name] = tensor
    return stored


def _is_plain_name(name: object) -> bool:
    """Whether a shard lies in the folder itself."""
    return isinstance(name, str) and Path(name).name == name
