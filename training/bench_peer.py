"""The other side of the comparison: transformers and peft (the `dev` extra), used as documented.

A plain loop around `LlamaForCausalLM`, which is leaner than their `Trainer`.  Adapters as peft
makes them on every linear layer; frozen weights in the precision SmolLM2 is published in, which
transformers 5 takes by default; the fused AdamW that `Trainer` takes by default.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from training.bench_turn import ALPHA, RANK, Steps, begin_measuring_memory

if TYPE_CHECKING:
    from model.checkpoint import Checkpoint
    from model.config import GPTConfig
    from training.bench_turn import Work
    from training.device import Device

NAMES = {
    "token_embedding": "model.embed_tokens",
    "mlp_norm": "post_attention_layernorm",
    "attention_norm": "input_layernorm",
    "attention.output": "self_attn.o_proj",
    "attention.qkv": "self_attn.qkv",
    "mlp.gate": "mlp.gate_proj",
    "mlp.up": "mlp.up_proj",
    "mlp.down": "mlp.down_proj",
    "final_norm": "model.norm",
    "output": "lm_head",
}  # canonical → transformers', in the order of replacing


class NoPeer(ValueError):
    """The other libraries are not installed, or have no such model."""


def run(work: Work, checkpoint: Checkpoint, device: Device, half: bool) -> Steps:
    """Train as `work` says."""
    model = _llama(checkpoint, work, half).to(device.torch)
    model.train()
    trained = [p for p in model.parameters() if p.requires_grad]
    optimiser = torch.optim.AdamW(trained, lr=1e-4, weight_decay=0.0, fused=True)
    if work.compile:
        model.compile()
    begin_measuring_memory(device)
    seconds, losses = [], []
    for batch in torch.from_numpy(work.batches(checkpoint.config.vocab_size)):
        begun = time.perf_counter()
        total = 0.0
        for part in batch.split(work.micro_windows):
            with torch.autocast(device.torch.type, torch.bfloat16, enabled=half):
                loss = _loss(model, part.to(device.torch)) * (len(part) / len(batch))
            loss.backward()  # type: ignore[no-untyped-call]
            total += loss.item()
        nn.utils.clip_grad_norm_(trained, 1.0)
        optimiser.step()
        optimiser.zero_grad()
        if device.is_cuda:
            torch.cuda.synchronize()
        seconds.append(time.perf_counter() - begun)
        losses.append(total)
    return Steps(seconds, losses, sum(p.numel() for p in trained))


def _loss(model: Any, ids: Tensor) -> Tensor:
    """Mean loss of the next tokens in `ids` (B, T + 1)."""
    targets = ids[:, 1:].contiguous()
    loss: Tensor = model(input_ids=ids[:, :-1], labels=targets, shift_labels=targets).loss
    return loss


def _llama(checkpoint: Checkpoint, work: Work, half: bool) -> Any:
    """The model of `checkpoint` as transformers and peft have it."""
    try:
        from peft import LoraConfig, get_peft_model
        from transformers import LlamaForCausalLM
    except ImportError as err:
        raise NoPeer(f"{err.name} is not installed; run: pip install foretype[dev]") from err
    llama: Any = LlamaForCausalLM(_llama_config(checkpoint.config))
    llama.load_state_dict(_weights(checkpoint), strict=not checkpoint.config.tied)
    checkpoint.weights.clear()
    if work.method == "full":
        return llama
    adapters = LoraConfig(
        r=RANK, lora_alpha=int(ALPHA), target_modules="all-linear", task_type="CAUSAL_LM"
    )
    return get_peft_model(llama.to(torch.bfloat16) if half else llama, adapters)


def _llama_config(config: GPTConfig) -> Any:
    from transformers import LlamaConfig

    if config.position != "rope" or config.bias:
        raise NoPeer("the comparison is made for the Llama family; take a model of it, as SmolLM2")
    return LlamaConfig(
        vocab_size=config.vocab_size, hidden_size=config.width,
        intermediate_size=config.mlp_width, num_hidden_layers=config.layers,
        num_attention_heads=config.heads, num_key_value_heads=config.kv_heads,
        head_dim=config.head_width, max_position_embeddings=config.context_tokens,
        rms_norm_eps=config.norm_eps, tie_word_embeddings=config.tied, use_cache=False,
        rope_parameters={"rope_type": "default", "rope_theta": config.rope_base},
    )  # fmt: skip


def _weights(checkpoint: Checkpoint) -> dict[str, Tensor]:
    """The weights under the names that transformers gives them."""
    config = checkpoint.config
    rows = [config.query_width, config.kv_width, config.kv_width]
    named = {}
    for canonical, weight in checkpoint.weights.items():
        name = canonical.replace("blocks.", "model.layers.")
        for ours, theirs in NAMES.items():
            name = name.replace(ours, theirs)
        tensor = torch.from_numpy(weight)
        if "qkv" not in name:
            named[name] = tensor
            continue
        for letter, part in zip("qkv", torch.split(tensor, rows), strict=True):
            named[name.replace("qkv", f"{letter}_proj")] = part
    return named
