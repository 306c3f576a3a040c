"""`python -m training.train` on a tiny model: what it is given, how it is started and read."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
from tiny_models import TINY_LLAMA, tiny_tokenizer
from training_runs import calm_weights

from model.checkpoint import Checkpoint
from training.export import export
from training.float_weights import write_float_weights

REPOSITORY = Path(__file__).parents[1]
WORDS = ["the", "cat", "sat", "on", "a", "mat", "and", "dog", "ate", "an", "onion", "in", "rain"]
FAST = ("--epochs", "1", "--window", "32", "--batch", "8", "--words", "200", "--no-compile")


def make_base(folder: Path) -> Path:
    """A model to begin with."""
    checkpoint = Checkpoint(TINY_LLAMA, calm_weights())
    write_float_weights(checkpoint, folder)
    export(checkpoint, tiny_tokenizer(), folder, origin={"source": "test", "licence": "MIT"})
    return folder


def write_texts(folder: Path) -> Path:
    """Thirty texts of a hundred words."""
    folder.mkdir()
    random = np.random.default_rng(3)
    for number in range(30):
        words = " ".join(random.choice(WORDS) for _ in range(100))
        (folder / f"{number:02}.txt").write_text(f"{words}.\n", encoding="utf-8")
    return folder


def arguments(texts: Path, root: Path, base: Path, *more: str) -> list[str]:
    """The command line that trains `base` on `texts` in a few steps."""
    return [str(texts), "--root", str(root), "--base", str(base), *FAST, *more]


def said(out: str) -> list[dict[str, Any]]:
    """What the lines of `--json` say."""
    return [json.loads(line) for line in out.splitlines()]


def start(command: list[str]) -> subprocess.Popen[str]:
    """Train in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "training.train", *command],
        stdout=subprocess.PIPE, text=True, cwd=REPOSITORY, env=os.environ.copy(),
    )  # fmt: skip
