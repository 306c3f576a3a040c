"""`foretype generate`: let the model write on, shown as it writes."""

from __future__ import annotations

import codecs
from typing import IO, TYPE_CHECKING

import numpy as np

from app.commands.loading import load_bundle
from model.sampling import sample
from model.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterator

    from model.sampling import SamplingSettings
    from model.tokenizer import Tokenizer


def show(
    prompt: str,
    model: str | None,
    most_tokens: int,
    settings: SamplingSettings,
    seed: int | None,
    out: IO[str],
) -> None:
    """Write `prompt` and its continuation to `out`, never half a character."""
    bundle = load_bundle(model)
    tokenizer = bundle.tokenizer()
    session = Session(bundle)
    out.write(prompt)
    out.flush()
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    generator = np.random.default_rng(seed)
    try:
        for token in continuation(session, tokenizer, prompt, most_tokens, settings, generator):
            out.write(decoder.decode(tokenizer.token_bytes(token)))
            out.flush()
    finally:
        out.write("\n")


def continuation(
    session: Session,
    tokenizer: Tokenizer,
    prompt: str,
    most_tokens: int,
    settings: SamplingSettings,
    generator: np.random.Generator,
) -> Iterator[int]:
    """The ids after `prompt`, one by one, until the text ends or there are `most_tokens`.

    When the context is full, its later half goes on as the new context.
    """
    ids = [tokenizer.end_of_text, *tokenizer.encode(prompt)]
    cache = session.cache()
    for _ in range(most_tokens):
        if len(ids) > session.context_tokens:
            ids = ids[-(session.context_tokens // 2) :]
        token = sample(cache.follow(ids), settings, generator)
        if token in tokenizer.special_ids:
            return
        yield token
        ids.append(token)
