"""The figures of every token as a CSV or JSON file, with their definitions."""

from __future__ import annotations

import csv
import io
import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from app.positions import all_to_utf16, utf16_length
from app.token_text import visible
from model.files import write_atomically
from model.scores import NATS_PER_BIT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from app.written_tokens import WrittenTokens
    from model.tokenizer import Tokenizer

FILTERS = "CSV table (*.csv);;JSON (*.json)"
COLUMNS = {
    "token": "bytes of the token as text; parts of a character in hexadecimal",
    "text": "the characters it belongs to; tokens of one character share them",
    "start": "where they begin in the text, in Unicode characters from 0",
    "end": "where they end",
    "probability": "p of the token, given those before it in its window",
    "surprisal_bits": "−log2 p",
    "rank": "its place among all tokens; 1 is the most expected",
    "entropy_bits": "mean surprisal of the distribution it was drawn from",
}
CONTEXT = (
    "Each token is given those before it, from end-of-text on. A text longer than the window is "
    "read in passages that begin at a line start, or else half a window, after the one before."
)


@dataclass(frozen=True, slots=True)
class Figures:
    """What is exported: the tokens of `text`, and what they are called after."""

    text: str
    tokens: WrittenTokens
    tokenizer: Tokenizer
    model: str
    window_tokens: int

    def about(self) -> dict[str, object]:
        """What the figures are, and of how much of the text."""
        perplexity = self.tokens.perplexity(slice(0, None))
        is_known = perplexity is not None and not math.isnan(perplexity)
        return {
            "model": self.model,
            "window_tokens": self.window_tokens,
            "context": CONTEXT,
            "tokens": len(self.tokens),
            "tokens_read": self.tokens.known,
            "perplexity": perplexity if is_known else None,
            "columns": COLUMNS,
        }

    def rows(self) -> Iterator[dict[str, object]]:
        """The figures of each token that was read."""
        scores, offsets = self.tokens.scores, _code_points(self.text)
        for i in np.flatnonzero(np.isfinite(scores.nats)).tolist():
            start = offsets(int(self.tokens.starts[i]))
            end = offsets(int(self.tokens.ends[i]))
            yield {
                "token": visible(self.tokenizer.token_bytes(int(self.tokens.ids[i]))),
                "text": self.text[start:end],
                "start": start,
                "end": end,
                "probability": math.exp(-scores.nats[i]),
                "surprisal_bits": scores.nats[i] / NATS_PER_BIT,
                "rank": int(scores.ranks[i]),
                "entropy_bits": float(scores.entropy_bits[i]),
            }


def write(path: Path, figures: Figures) -> None:
    """Write a JSON file if `path` ends so, and else a CSV table, whole or not at all.

    Raises:
        OSError: the file cannot be written.
    """
    make = _json if path.suffix.lower() == ".json" else _csv
    write_atomically(path, make(figures).encode("utf-8", "replace"))  # lone surrogates are no text


def _json(figures: Figures) -> str:
    about = {"about": figures.about(), "tokens": list(figures.rows())}
    return json.dumps(about, ensure_ascii=False, indent=1) + "\n"


def _csv(figures: Figures) -> str:
    """Lines of definitions that begin with #, a line of names, a line a token."""
    file = io.StringIO()
    for name, value in figures.about().items():
        lines = value.items() if isinstance(value, dict) else [(name, value)]
        file.writelines(f"# {key}: {meaning}\n" for key, meaning in lines)
    table = csv.DictWriter(file, list(COLUMNS), lineterminator="\n")
    table.writeheader()
    table.writerows(figures.rows())
    return file.getvalue()


def _code_points(text: str) -> Callable[[int], int]:
    """A function from Qt's positions in `text` to Python's."""
    if utf16_length(text) == len(text):
        return lambda position: position
    places = all_to_utf16(text, np.arange(len(text) + 1))
    return lambda position: int(np.searchsorted(places, position))
