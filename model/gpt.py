"""The GPT in torch, whole: for training, and as the reference the ONNX graph is checked against.

One set of modules covers GPT-2 and the Llama family; `GPTConfig` says which parts are built.
Knows nothing of files, tokenizers or generation.  The letters: B batch, T tokens, H query heads,
K key/value heads, D head width, C model width, F feed-forward width, V vocabulary.

Sources: Vaswani et al. 2017, arXiv 1706.03762 (attention); Radford et al. 2019 (GPT-2); Zhang and
Sennrich 2019, arXiv 1910.07467 (RMSNorm); Shazeer 2020, arXiv 2002.05202 (SwiGLU); Ainslie et al.
2023, arXiv 2305.13245 (grouped queries); Su et al. 2021, arXiv 2104.09864 (rotary positions).
Idea of the single file: karpathy/nanoGPT.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.utils.checkpoint import checkpoint

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np

    from model.config import GPTConfig

Rotation = tuple[Tensor, Tensor]  # cosines and sines, (T, D/2) each

IGNORED_TARGET = -1  # a position that has no next token to predict, as padding has none
INITIAL_STD = 0.02


def attend(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> Tensor:
    """Scaled dot-product attention, softmax(Q Kᵀ / √D) V.

    `q` is (B, H, T, D), `k` and `v` are (B, K, T, D): H // K query heads share a key head.  `mask`
    (T, T), or (B, 1, T, T), is true where a query (row) may see a key (column); without it
    attention is causal.
    With the identity for `v` the result is the attention weights themselves.
    """
    return F.scaled_dot_product_attention(
        q, k, v, attn_mask=mask, is_causal=mask is None, enable_gqa=True
    )


def rotation(tokens: int, head_width: int, base: float, device: torch.device) -> Rotation:
    """Cosine and sine of every position times every frequency, base^(-2i / D)."""
    exponents = torch.arange(0, head_width, 2, device=device, dtype=torch.float32) / head_width
    positions = torch.arange(tokens, device=device, dtype=torch.float32)
    angles = positions[:, None] / base ** exponents[None, :]  # (T, D/2)
    return angles.cos(), angles.sin()


def rotate(x: Tensor, by: Rotation) -> Tensor:
    """Turn the pairs (i, i + D/2) of every head by an angle that grows with the position.

    `x` is (B, heads, T, D).  The dot product of two rotated vectors depends on their contents
    and on the distance between their positions only.
    """
    cos, sin = by
    first, second = x.chunk(2, dim=-1)
    return torch.cat((first * cos - second * sin, second * cos + first * sin), dim=-1).type_as(x)


class Norm(nn.Module):
    """LayerNorm, or RMSNorm, which only divides by the root mean square."""

    def __init__(self, config: GPTConfig) -> None:
        super().__init__()
        self.centred = config.norm == "layernorm"
        self.eps = config.norm_eps
        self.weight = nn.Parameter(torch.ones(config.width))
        self.bias = nn.Parameter(torch.zeros(config.width)) if config.bias else None

    def forward(self, x: Tensor) -> Tensor:
        """Norm every vector of `x` (…, C)."""
        if self.centred:
            return F.layer_norm(x, self.weight.shape, self.weight, self.bias, self.eps)
        y = F.rms_norm(x, self.weight.shape, self.weight, self.eps)
        return y if self.bias is None else y + self.bias


class Attention(nn.Module):
    """Every token gathers from the tokens before it what its queries ask for."""

    def __init__(self, config: GPTConfig) -> None:
        super().__init__()
        self.heads, self.kv_heads = config.heads, config.kv_heads
        self.head_width = config.head_width
        packed = config.query_width + 2 * config.kv_width
        self.qkv = nn.Linear(config.width, packed, bias=config.bias)
        self.output = nn.Linear(config.query_width, config.width, bias=config.bias)

    def forward(self, x: Tensor, by: Rotation | None, mask: Tensor | None) -> Tensor:
        """What each of `x` (B, T, C) gathers, (B, T, C)."""
        B, T, _ = x.shape
        H, K, D = self.heads, self.kv_heads, self.head_width
        qkv = self.qkv(x).view(B, T, H + 2 * K, D).transpose(1, 2)  # (B, H + 2K, T, D)
        q, k, v = qkv.split((H, K, K), dim=1)
        if by is not None:
            q, k = rotate(q, by), rotate(k, by)
        y = attend(q, k, v, mask)  # (B, H, T, D)
        gathered: Tensor = self.output(y.transpose(1, 2).reshape(B, T, H * D))
        return gathered


class Mlp(nn.Module):
    """Every token thinks for itself: C → F → C, with GELU or with SwiGLU's gate."""

    def __init__(self, config: GPTConfig) -> None:
        super().__init__()
        width, inner = config.width, config.mlp_width
        self.gate = nn.Linear(width, inner, bias=config.bias) if config.mlp == "swiglu" else None
        self.up = nn.Linear(width, inner, bias=config.bias)
        self.down = nn.Linear(inner, width, bias=config.bias)

    def forward(self, x: Tensor) -> Tensor:
        """What each of `x` (B, T, C) makes of itself, (B, T, C)."""
        h = self.up(x)  # (B, T, F)
        # GPT-2 was trained with the tanh approximation of GELU.
        h = F.gelu(h, approximate="tanh") if self.gate is None else F.silu(self.gate(x)) * h
        thought: Tensor = self.down(h)
        return thought


class Block(nn.Module):
    """Attention, then feed-forward; each reads a normed copy and adds to the residual stream."""

    def __init__(self, config: GPTConfig) -> None:
        super().__init__()
        self.attention_norm = Norm(config)
        self.attention = Attention(config)
        self.mlp_norm = Norm(config)
        self.mlp = Mlp(config)

    def forward(self, x: Tensor, by: Rotation | None, mask: Tensor | None) -> Tensor:
        """The residual stream `x` (B, T, C) after this block."""
        x = x + self.attention(self.attention_norm(x), by, mask)
        x = x + self.mlp(self.mlp_norm(x))
        return x


class GPT(nn.Module):
    """A decoder-only transformer whose state dict has the names of `weight_shapes`.

    Set `recompute` to forget the activations inside the blocks and compute them again in the
    backward pass: about a third more work for a fraction of the memory.
    """

    def __init__(self, config: GPTConfig) -> None:
        super().__init__()
        V, C = config.vocab_size, config.width
        learned = config.position == "learned"
        self.config = config
        self.recompute = False
        self.token_embedding = nn.Embedding(V, C)
        self.position_embedding = nn.Embedding(config.context_tokens, C) if learned else None
        self.blocks = nn.ModuleList(Block(config) for _ in range(config.layers))
        self.final_norm = Norm(config)
        self.output = None if config.tied else nn.Linear(C, V, bias=False)
        self._initialise()

    def _initialise(self) -> None:
        """As GPT-2: small normals, and smaller still where 2L sums enter the residual stream."""
        for module in self.modules():
            if isinstance(module, nn.Linear | nn.Embedding):
                nn.init.normal_(module.weight, std=INITIAL_STD)
            if isinstance(module, nn.Linear) and module.bias is not None:
                nn.init.zeros_(module.bias)
        for name, weight in self.named_parameters():
            if name.endswith(("attention.output.weight", "mlp.down.weight")):
                nn.init.normal_(weight, std=INITIAL_STD / math.sqrt(2 * self.config.layers))

    def forward(
        self, ids: Tensor, targets: Tensor | None = None, *, mask: Tensor | None = None
    ) -> tuple[Tensor, Tensor | None]:
        """Logits (B, T, V) of the token after each of `ids` (B, T), and the mean loss in nats.

        `targets` (B, T) are the tokens that did follow, `IGNORED_TARGET` where none counts;
        without them the loss is None.  `mask` (T, T) or (B, 1, T, T)
        replaces the causal one.

        Raises:
            ValueError: T exceeds `config.context_tokens`.
        """
        T = ids.shape[1]
        if self.config.context_tokens < T:
            raise ValueError(
                f"{T:,} tokens do not fit the {self.config.context_tokens:,} this model has "
                "positions for; feed a shorter window"
            )
        x = self.token_embedding(ids)  # (B, T, C)
        by: Rotation | None = None
        if self.position_embedding is not None:
            x = x + self.position_embedding.weight[:T]
        else:
            by = rotation(T, self.config.head_width, self.config.rope_base, ids.device)
        for block in self.blocks:
            if self.recompute and self.training:
                x = checkpoint(block, x, by, mask, use_reentrant=False)
            else:
                x = block(x, by, mask)
        projection = self.token_embedding if self.output is None else self.output
        logits = F.linear(self.final_norm(x), projection.weight)  # (B, T, V)
        if targets is None:
            return logits, None
        loss = F.cross_entropy(
            logits.flatten(0, 1).float(), targets.flatten(), ignore_index=IGNORED_TARGET
        )
        return logits, loss

    @classmethod
    def from_weights(cls, config: GPTConfig, weights: Mapping[str, np.ndarray]) -> GPT:
        """A GPT with its own copy of `weights`, which have the names of `weight_shapes`.

        Raises:
            RuntimeError: a weight is missing, surplus or of another shape.
        """
        with torch.device("meta"):  # no memory and no random numbers for what is replaced below
            gpt = cls(config)
        copies = {name: torch.tensor(w, dtype=torch.float32) for name, w in weights.items()}
        gpt.load_state_dict(copies, assign=True)
        return gpt
