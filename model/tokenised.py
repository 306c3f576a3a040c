"""A text and its tokens, kept up with the writer: after an edit only its surroundings are redone.

The tokenizer never joins a letter to the space or line end after it, so a text may be cut there
and its parts tokenised alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from model.session import Cancelled

if TYPE_CHECKING:
    from collections.abc import Callable

    from model.session import Cancel
    from model.tokenizer import Tokenizer

PIECE_CHARACTERS = 32_768  # tokenised in one go, about 6 ms


@dataclass(frozen=True, slots=True, eq=False)
class TokenisedText:
    """`ids` (n,) int32 of `text`, and where each token starts and ends in it, in code points.

    Tokens that share a character share its span.
    """

    text: str
    ids: np.ndarray
    starts: np.ndarray
    ends: np.ndarray


EMPTY = TokenisedText("", *(np.zeros(0, kind) for kind in (np.int32, np.int64, np.int64)))


def tokenise(
    tokenizer: Tokenizer,
    text: str,
    before: TokenisedText = EMPTY,
    cancelled: Cancel | None = None,
) -> TokenisedText:
    """The tokens of `text`, taking from `before` what the two have in common at either end.

    Raises:
        Cancelled: asked for between two pieces.
    """
    if text == before.text:
        return before
    head, tail = _shared(before.text, text)
    head = _cut_before(text, head)
    tail = len(text) - _cut_after(text, len(text) - tail)
    first = int(np.searchsorted(before.starts, head))
    last = int(np.searchsorted(before.starts, len(before.text) - tail))
    pieces = [_part(before, slice(0, first), 0)]
    start, end = head, len(text) - tail
    while start < end:
        if cancelled and cancelled():
            raise Cancelled
        stop = min(end, _cut_after(text, min(start + PIECE_CHARACTERS, end)))
        pieces.append(_piece(tokenizer, text[start:stop], start))
        start = stop
    pieces.append(_part(before, slice(last, None), len(text) - len(before.text)))
    columns = (np.concatenate(column) for column in zip(*pieces, strict=True))
    return TokenisedText(text, *columns)


Columns = tuple[np.ndarray, np.ndarray, np.ndarray]


def _part(text: TokenisedText, tokens: slice, shift: int) -> Columns:
    """Some tokens of a text, moved by `shift` characters."""
    return text.ids[tokens], text.starts[tokens] + shift, text.ends[tokens] + shift


def _piece(tokenizer: Tokenizer, text: str, start: int) -> Columns:
    ids = tokenizer.encode(text)
    spans = np.array(tokenizer.spans(text, ids), np.int64).reshape(-1, 2) + start
    return np.array(ids, np.int32), spans[:, 0], spans[:, 1]


def _is_cut(text: str, index: int) -> bool:
    """Whether a letter and then a space or line end meet at `index`."""
    return text[index - 1 : index].isalpha() and text[index : index + 1] in {" ", "\n"}


def _cut_before(text: str, index: int) -> int:
    """The last cut with both its characters before `index`, or 0."""
    return next((cut for cut in range(index - 1, 0, -1) if _is_cut(text, cut)), 0)


def _cut_after(text: str, index: int) -> int:
    """The first cut with both its characters at `index` or after it, or the end."""
    return next((cut for cut in range(index + 1, len(text)) if _is_cut(text, cut)), len(text))


def _shared(a: str, b: str) -> tuple[int, int]:
    """How many characters two texts share at the beginning, and at the end beside those."""
    shortest = min(len(a), len(b))
    head = _longest(shortest, lambda done, n: a[done:n] == b[done:n])
    tail = _longest(
        shortest - head,
        lambda done, n: a[len(a) - n : len(a) - done] == b[len(b) - n : len(b) - done],
    )
    return head, tail


def _longest(limit: int, agree: Callable[[int, int], bool]) -> int:
    """The largest n up to `limit` for which all up to n agree; asked for parts only."""
    done = 0
    while done < limit:
        middle = (done + limit + 1) // 2
        if agree(done, middle):
            done = middle
        else:
            limit = middle - 1
    return done
