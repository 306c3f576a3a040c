"""The texts to evaluate on: files read like a corpus, or what a training has kept back."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from training.corpus import read_corpus
from training.evaluation.sample import EvaluationError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from training.corpus import CorpusOptions

HELD = "held.jsonl"  # in the folder of a training


def read_documents(paths: Sequence[Path], options: CorpusOptions) -> tuple[list[str], list[str]]:
    """The texts of files and folders, and what was left out of them, in words.

    The folder of a training, or its `held.jsonl`, stands for the documents it kept back.

    Raises:
        EvaluationError: there is no text, or what was kept back cannot be read.
        CorpusError: a path does not exist.
    """
    texts, others = [], []
    for path in paths:
        kept = path / HELD if (path / HELD).is_file() else path
        if kept.name == HELD and kept.is_file():
            texts += _kept_back(kept)
        else:
            others.append(path)
    remarks = []
    if others:
        corpus = read_corpus(others, options)
        texts += [document.text for document in corpus.documents]
        remarks = [f"{left.count:,} × {left.what}: {left.why}" for left in corpus.report.left_out]
        remarks += corpus.report.advice
    if not texts:
        names = ", ".join(map(str, paths)) or "nothing"
        said = f" ({'; '.join(remarks)})" if remarks else ""
        raise EvaluationError(f"there is no text to evaluate on in {names}{said}; give other files")
    return texts, remarks


def _kept_back(file: Path) -> list[str]:
    """The texts of a file with one `{"text": …}` a line."""
    texts = []
    for number, line in enumerate(file.read_bytes().splitlines(), 1):
        try:
            texts.append(str(json.loads(line)["text"]))
        except (ValueError, KeyError, TypeError) as err:
            raise EvaluationError(
                f"line {number} of {file} is no document; evaluate on other files, or train again"
            ) from err
    return texts
