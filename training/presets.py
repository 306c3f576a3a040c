"""Models to train from nothing, small enough for a laptop: their shape is in `model.config`."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, replace

from model.config import PRESETS, ConfigError, GPTConfig


@dataclass(frozen=True, slots=True, kw_only=True)
class FromScratch:
    """How a model is trained from random weights; an epoch is one pass over the corpus."""

    shape: GPTConfig  # its `vocab_size` is the most that the tokenizer may learn
    batch_windows: int  # of `shape.context_tokens` tokens each, per step
    epochs: float  # at most: training stops when the held-out loss does not fall any more
    learning_rate: float  # its peak
    weight_decay: float = 0.1
    beta2: float = 0.95

    def config(self, vocab_size: int) -> GPTConfig:
        """The architecture with the vocabulary that the tokenizer came to have."""
        return replace(self.shape, vocab_size=vocab_size)


FROM_SCRATCH: dict[str, FromScratch] = {
    "nano": FromScratch(
        shape=PRESETS["nano"], batch_windows=16, epochs=8, learning_rate=3e-3
    ),
    "mini": FromScratch(
        shape=PRESETS["mini"], batch_windows=16, epochs=4, learning_rate=1e-3
    ),
}  # fmt: skip


def from_scratch(name: str) -> FromScratch:
    """The preset `name`.

    Raises:
        ConfigError: there is none of that name.
    """
    if name in FROM_SCRATCH:
        return FROM_SCRATCH[name]
    near = difflib.get_close_matches(name, FROM_SCRATCH, 1)
    hint = f"did you mean {near[0]!r}?" if near else "take one of those"
    raise ConfigError(
        f"there is no preset {name!r} to train from scratch; there are "
        f"{', '.join(FROM_SCRATCH)}: {hint}"
    )
