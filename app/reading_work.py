"""Reading a page in the worker's thread: what is asked for, and what comes back bit by bit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from app.positions import all_to_utf16
from app.text_mirror import decoded
from app.written_tokens import WrittenTokens
from model.scores import Scores

if TYPE_CHECKING:
    from collections.abc import Iterator

    from model.reader import Reader
    from model.session import Cancel
    from model.tokenizer import Tokenizer

LINE_ENDS = str.maketrans("\u2029", "\n")


@dataclass(frozen=True, slots=True)
class PageRequest:
    """What to read.

    Attributes:
        ticket: comes back with every answer; tells which state of the text was read.
        units: the text in UTF-16, see `TextMirror.units`.
        offset_utf16: where it begins in the document.
        seen_utf16: positions between which the writer sees the text; read first.
        caret_utf16: position of the caret.
        reach_tokens: how far from what is seen to read; None reads all.
    """

    ticket: int
    units: bytes
    offset_utf16: int
    seen_utf16: tuple[int, int]
    caret_utf16: int
    reach_tokens: int | None


@dataclass(frozen=True, slots=True)
class PageBegun:
    """The tokens of the page, with what is known of them already; the GUI may keep them."""

    ticket: int
    tokens: WrittenTokens
    tokenizer: Tokenizer
    window_tokens: int


@dataclass(frozen=True, slots=True)
class PageScored:
    """Scores of the tokens from number `first` on."""

    ticket: int
    first: int
    scores: Scores


@dataclass(frozen=True, slots=True)
class PageRead:
    """All that was asked for is read."""

    ticket: int


PagePart = PageBegun | PageScored | PageRead


def read_page(reader: Reader, request: PageRequest, cancelled: Cancel) -> Iterator[PagePart]:
    """Read a page; what lies nearest to what is on screen comes first.

    Raises:
        Cancelled: what was read so far is kept by the reader.
    """
    text = decoded(request.units).translate(LINE_ENDS)
    draft = reader.begin(text, cancelled)
    starts = all_to_utf16(text, draft.text.starts) + request.offset_utf16
    ends = all_to_utf16(text, draft.text.ends) + request.offset_utf16
    tokens = WrittenTokens(draft.text.ids, starts, ends, Scores.joined([draft.scores]))
    yield PageBegun(request.ticket, tokens, reader.tokenizer, reader.window_tokens)
    seen = range(*(int(place) for place in np.searchsorted(starts, request.seen_utf16)))
    caret = int(np.searchsorted(starts, request.caret_utf16))
    for first, scores in reader.go_on(
        draft, seen=seen, caret=caret, reach=request.reach_tokens, cancelled=cancelled
    ):
        yield PageScored(request.ticket, first, scores)
    yield PageRead(request.ticket)
