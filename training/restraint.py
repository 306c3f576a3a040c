"""How far to go from the old model to the trained one, so that general language is not forgotten.

Weights between the two, W + s (W' − W), keep most of what was learnt and lose little of what was
known: of a writer's text, half the way brought 17 of 20 % in perplexity, at a tenth of the harm to
general English (docs/training.md).  The way is the longest that leaves general text well expected.

Source: Wortsman et al. 2022, arXiv 2109.01903 (WiSE-FT).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from model.checkpoint import Checkpoint
from model.gpt import GPT
from training.evaluation.comparing import GENERAL_TEXT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from model.tokenizer import Tokenizer
    from training.loop import Report

STRENGTHS = (0.8, 0.65, 0.5, 0.4, 0.3, 0.2)
MOST_FORGOTTEN = 0.02  # of perplexity on general text; below what an evaluation calls worse
WINDOW_TOKENS = 256


def restrained(
    base: Checkpoint,
    trained: Checkpoint,
    tokenizer: Tokenizer,
    *,
    most: float = 1.0,
    half: bool,
    report: Report,
) -> tuple[Checkpoint, float]:
    """The weights on the way from `base` to `trained`, and how far they go: `most`, or less.

    Judged on every other paragraph of the general text.
    """
    gpt = GPT.from_weights(base.config, base.weights).eval()
    windows = _windows(tokenizer, min(WINDOW_TOKENS, base.config.context_tokens))
    known = _loss(gpt, windows, half)
    strengths = [most, *(strength for strength in STRENGTHS if strength < most)]
    for done, strength in enumerate(strengths, 1):
        report("merge", done=done, total=len(strengths), message=f"{strength:.0%} of the way")
        between = _between(base, trained, strength)
        gpt.load_state_dict({name: torch.from_numpy(w) for name, w in between.weights.items()})
        if _loss(gpt, windows, half) - known <= MOST_FORGOTTEN:
            break
    return between, strength


def _between(base: Checkpoint, trained: Checkpoint, strength: float) -> Checkpoint:
    if strength == 1:
        return trained
    weights = {
        name: old + strength * (trained.weights[name] - old) for name, old in base.weights.items()
    }
    return Checkpoint(base.config, weights)


def _windows(tokenizer: Tokenizer, length: int) -> list[list[int]]:
    paragraphs = GENERAL_TEXT.read_text(encoding="utf-8").split("\n\n")[::2]
    ids = [i for text in paragraphs for i in (tokenizer.end_of_text, *tokenizer.encode(text))]
    return [ids[start : start + length + 1] for start in range(0, len(ids) - 1, length)]


@torch.no_grad()
def _loss(gpt: GPT, windows: Sequence[list[int]], half: bool) -> float:
    """Mean loss in nats a token."""
    total = count = 0.0
    for window in windows:
        ids = torch.tensor([window])
        with torch.autocast("cpu", torch.bfloat16, enabled=half):
            _, loss = gpt(ids[:, :-1], ids[:, 1:])
        total, count = total + loss.item() * (len(window) - 1), count + len(window) - 1
    return total / count
