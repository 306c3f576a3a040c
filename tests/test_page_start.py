"""The hidden preface goes where a model does better without it, and stays where it helps."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
import torch
from tiny_models import TINY_LLAMA, tiny_tokenizer
from training_runs import calm_weights

from model.bundle import load_bundle, seal
from model.checkpoint import Checkpoint
from model.gpt import GPT
from model.predictor import load_predictor
from model.preface import PREFACE, preface_of
from training import page_start
from training.page_start import needs_preface

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from model.bundle import Bundle
    from training.export import Precision

TEXTS = ["the cat sat on the mat", "and the dog", "on the log"] * 4
LESSON = "zebra and quail "  # what comes after the preface in one lesson, alone in the other


def taught(before: str, text: str) -> Checkpoint:
    """A tiny model that has learnt `text` by heart, where it comes after `before`."""
    tokenizer = tiny_tokenizer()
    gpt = GPT.from_weights(TINY_LLAMA, calm_weights())
    start = [tokenizer.end_of_text, *tokenizer.encode(before)]
    ids = torch.tensor([[*start, *tokenizer.encode(text)]])
    optimiser = torch.optim.AdamW(gpt.parameters(), lr=1e-2)
    for _ in range(30):
        targets = ids[:, 1:].clone()
        targets[:, : len(start) - 1] = -1
        gpt(ids[:, :-1], targets)[1].backward()
        optimiser.step()
        optimiser.zero_grad()
    return Checkpoint(TINY_LLAMA, {n: w.detach().numpy() for n, w in gpt.state_dict().items()})


@pytest.mark.parametrize("before", [PREFACE, ""], ids=["after it", "alone"])
def test_what_was_learnt_decides(before: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_start, "PREFACE", PREFACE[:40])
    checkpoint = taught(before and PREFACE[:40], LESSON)
    assert needs_preface(checkpoint, tiny_tokenizer(), [LESSON]) == bool(before)


def test_card_decides_what_an_empty_page_begins_with(
    bundle_of: Callable[[str, Precision], Bundle], tmp_path: Path
) -> None:
    folder = tmp_path / "model"
    shutil.copytree(bundle_of("llama", "float").folder, folder)
    assert load_predictor(folder).preface == PREFACE
    seal(folder, {**load_bundle(folder).card, "preface": False})
    predictor = load_predictor(folder)
    assert predictor.preface == preface_of({"preface": False}) == ""
    assert predictor.window.ids("") == [tiny_tokenizer().end_of_text]
