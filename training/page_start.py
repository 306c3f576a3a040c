"""Whether a trained model still needs the hidden preface of an empty page: both are tried.

What counts is the beginning of a document, where nothing else tells the network what it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from model.gpt import GPT, IGNORED_TARGET
from model.preface import PREFACE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from model.checkpoint import Checkpoint
    from model.tokenizer import Tokenizer

DOCUMENTS = 64
BEGINNING_TOKENS = 24


def needs_preface(
    checkpoint: Checkpoint, tokenizer: Tokenizer, texts: Sequence[str], *, half: bool = False
) -> bool:
    """Whether the beginnings of `texts` are expected better after the preface than without it."""
    beginnings = [tokenizer.encode(text)[:BEGINNING_TOKENS] for text in texts[:DOCUMENTS]]
    preface = tokenizer.encode(PREFACE)
    if len(preface) + 1 + BEGINNING_TOKENS > checkpoint.config.context_tokens:
        return False
    gpt = GPT.from_weights(checkpoint.config, checkpoint.weights).eval()
    with torch.autocast("cpu", torch.bfloat16, enabled=half):
        after, alone = (
            _loss(gpt, [tokenizer.end_of_text, *before], beginnings) for before in (preface, [])
        )
    return after < alone


@torch.no_grad()
def _loss(gpt: GPT, before: Sequence[int], texts: Sequence[Sequence[int]]) -> float:
    """Mean loss in nats a token of `texts`, each after `before`, which does not count."""
    length = len(before) + BEGINNING_TOKENS
    ids = torch.full((len(texts), length), before[0])
    for row, text in zip(ids, texts, strict=True):
        row[: len(before) + len(text)] = torch.tensor([*before, *text])
    targets = ids.roll(-1, 1)
    for row, text in zip(targets, texts, strict=True):
        row[: len(before) - 1] = IGNORED_TARGET
        row[len(before) - 1 + len(text) :] = IGNORED_TARGET
    _, loss = gpt(ids, targets)
    assert loss is not None  # targets were given
    return float(loss)
