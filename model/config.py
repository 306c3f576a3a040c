"""The architecture of a GPT as frozen, validated data.

Eleven numbers and four choices tell GPT-2 (learned positions, LayerNorm, GELU, biases, as many
key/value heads as query heads) from the Llama family that SmolLM2 belongs to (rotary positions,
RMSNorm, SwiGLU, grouped queries).  Knows nothing of torch, onnxruntime or files.

Sources: Radford et al. 2019 (GPT-2); Touvron et al. 2023, arXiv 2302.13971 (Llama); Ainslie et
al. 2023, arXiv 2305.13245 (grouped queries); Su et al. 2021, arXiv 2104.09864 (rotary positions).
"""

from __future__ import annotations

import dataclasses
import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

if TYPE_CHECKING:
    from collections.abc import Mapping

Position = Literal["learned", "rope"]
Norm = Literal["layernorm", "rmsnorm"]
Mlp = Literal["gelu", "swiglu"]


class ConfigError(ValueError):
    """A configuration that describes no model Foretype can build."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GPTConfig:
    """Shape and kind of one GPT; every size is a count, never a byte.

    `kv_heads` query groups share one key and value head each, so H = heads and K = kv_heads give
    H // K queries per key.  `head_width` (D) may differ from `width // heads`; 0 means that it
    does not.
    """

    vocab_size: int  # V
    context_tokens: int  # longest sequence the positions can express
    layers: int  # L
    heads: int  # H
    kv_heads: int  # K
    width: int  # C, the residual stream
    mlp_width: int  # F
    head_width: int = 0  # D
    position: Position = "rope"
    norm: Norm = "rmsnorm"
    mlp: Mlp = "swiglu"
    norm_eps: float = 1e-5
    rope_base: float = 10_000.0
    bias: bool = False  # on every linear layer and norm
    tied: bool = True  # the output projection is the token embedding

    def __post_init__(self) -> None:
        if self.head_width == 0:
            object.__setattr__(self, "head_width", self.width // max(self.heads, 1))
        for name in ("vocab_size", "context_tokens", "layers", "heads", "kv_heads", "width",
                     "mlp_width", "head_width"):  # fmt: skip
            self._require(getattr(self, name) >= 1, name, "a whole number of at least 1")
        self._require(self.heads % self.kv_heads == 0, "kv_heads", f"a divisor of {self.heads}")
        self._require(self.position in get_args(Position), "position", "'learned' or 'rope'")
        self._require(self.norm in get_args(Norm), "norm", "'layernorm' or 'rmsnorm'")
        self._require(self.mlp in get_args(Mlp), "mlp", "'gelu' or 'swiglu'")
        self._require(self.norm_eps > 0, "norm_eps", "greater than 0")
        self._require(self.rope_base > 1, "rope_base", "greater than 1")
        if self.position == "rope":
            self._require(self.head_width % 2 == 0, "head_width", "even: rotation turns pairs")

    def _require(self, holds: bool, field: str, allowed: str) -> None:
        if not holds:
            raise ConfigError(f"{field} is {getattr(self, field)!r}; it must be {allowed}")

    @property
    def query_width(self) -> int:
        """Width of all query heads together, H * D."""
        return self.heads * self.head_width

    @property
    def kv_width(self) -> int:
        """Width of all key (or value) heads together, K * D."""
        return self.kv_heads * self.head_width

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain JSON values."""
        return dataclasses.asdict(self)

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> GPTConfig:
        """The inverse of `to_dict`.

        Raises:
            ConfigError: a field is unknown, missing, of the wrong type or out of range.
        """
        known = {f.name: f for f in dataclasses.fields(cls)}
        for name, value in fields.items():
            if name not in known:
                near = difflib.get_close_matches(name, known, 1)
                hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(known)}"
                raise ConfigError(f"unknown field {name!r} in the model configuration; {hint}")
            wanted = known[name].type
            if wanted == "float" and type(value) is int:
                continue
            if wanted in ("int", "float", "bool") and type(value).__name__ != wanted:
                raise ConfigError(f"{name} is {value!r}; it must be of type {wanted}")
        try:
            return cls(**fields)
        except TypeError as err:
            missing = [n for n, f in known.items()
                       if f.default is dataclasses.MISSING and n not in fields]  # fmt: skip
            raise ConfigError(f"the model configuration lacks {', '.join(missing)}") from err


def weight_shapes(config: GPTConfig) -> dict[str, tuple[int, ...]]:
    """Canonical name → shape of every weight, in the order of the forward pass.

    Linear weights are (out, in), as torch stores them.  `attention.qkv` stacks the H query heads,
    then the K key heads, then the K value heads.  Rotary pairs are (i, i + D/2), the layout of
    Hugging Face.  These names are the state dict of `model.gpt.GPT`, the keys of
    `model.checkpoint.Checkpoint.weights` and what `training.graph` reads.
    """
    c, f = config.width, config.mlp_width
    shapes: dict[str, tuple[int, ...]] = {"token_embedding.weight": (config.vocab_size, c)}
    if config.position == "learned":
        shapes["position_embedding.weight"] = (config.context_tokens, c)

    def linear(name: str, out: int, into: int) -> None:
        shapes[f"{name}.weight"] = (out, into)
        if config.bias:
            shapes[f"{name}.bias"] = (out,)

    def norm(name: str) -> None:
        shapes[f"{name}.weight"] = (c,)
        if config.bias:
            shapes[f"{name}.bias"] = (c,)

    for i in range(config.layers):
        block = f"blocks.{i}"
        norm(f"{block}.attention_norm")
        linear(f"{block}.attention.qkv", config.query_width + 2 * config.kv_width, c)
        linear(f"{block}.attention.output", c, config.query_width)
        norm(f"{block}.mlp_norm")
        if config.mlp == "swiglu":
            linear(f"{block}.mlp.gate", f, c)
        linear(f"{block}.mlp.up", f, c)
        linear(f"{block}.mlp.down", c, f)
    norm("final_norm")
    if not config.tied:
        shapes["output.weight"] = (config.vocab_size, c)
    return shapes


def _gpt2(vocab_size: int, context: int, layers: int, heads: int, width: int) -> GPTConfig:
    """The classic architecture: as many keys as queries, and a feed-forward four times as wide."""
    return GPTConfig(
        vocab_size=vocab_size, context_tokens=context, layers=layers, heads=heads, kv_heads=heads,
        width=width, mlp_width=4 * width, position="learned", norm="layernorm", mlp="gelu",
        bias=True,
    )  # fmt: skip


PRESETS: dict[str, GPTConfig] = {
    # https://huggingface.co/HuggingFaceTB/SmolLM2-135M/blob/main/config.json
    "smollm2-135m": GPTConfig(
        vocab_size=49_152, context_tokens=8_192, layers=30, heads=9, kv_heads=3, width=576,
        mlp_width=1_536, rope_base=100_000.0,
    ),
    # https://huggingface.co/openai-community/gpt2/blob/main/config.json
    "gpt2": _gpt2(50_257, 1_024, 12, 12, 768),
    # To train from scratch: `nano` in minutes on a laptop, `mini` over lunch.
    "nano": _gpt2(4_096, 256, 4, 6, 192),
    "mini": _gpt2(8_192, 512, 6, 6, 384),
    # For tests: every mechanism, hardly any numbers.
    "tiny-gpt2": _gpt2(128, 64, 2, 2, 16),
    "tiny-llama": GPTConfig(
        vocab_size=128, context_tokens=64, layers=2, heads=4, kv_heads=2, width=64, mlp_width=96,
    ),
}  # fmt: skip
