"""`foretype score`: how well the model expects a text that is already written."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.commands.loading import load_bundle
from app.document import decode, read_document
from app.line_endings import split_lines

if TYPE_CHECKING:
    from model.reader import Reading


def show(file: str, model: str | None, as_json: bool) -> None:
    """Print tokens, perplexity and bits per byte of a file, or of stdin for `-`."""
    text = _read(file)
    from model.reader import Reader
    from model.session import Session

    bundle = load_bundle(model)
    reading = Reader(Session(bundle), bundle.tokenizer()).read(text)
    if as_json:
        print(json.dumps(_as_json(reading, text), ensure_ascii=False))
        return
    print(f"tokens         {len(reading.tokens):,}")
    if reading.tokens:
        print(f"perplexity     {reading.perplexity:.2f}")
        print(f"bits per byte  {reading.bits_per_byte:.3f}")


def _read(file: str) -> str:
    if file != "-":
        return read_document(Path(file))[1]
    text = decode(sys.stdin.buffer.read(), "standard input")[2]
    return "\n".join(line for line, _ in split_lines(text))


def _as_json(reading: Reading, text: str) -> dict[str, Any]:
    tokens = [
        {
            "id": token.id,
            "text": text[token.start : token.end],
            "start": token.start,
            "end": token.end,
            "surprisal_bits": round(token.surprisal_bits, 4),
            "rank": token.rank,
            "entropy_bits": round(token.entropy_bits, 4),
        }
        for token in reading.tokens
    ]
    return {
        "tokens": tokens,
        "bytes": reading.bytes,
        "perplexity": reading.perplexity if tokens else None,
        "bits_per_byte": reading.bits_per_byte if tokens else None,
    }
