"""The words of a written text, as the eye takes them, and the tokens each is made of.

Words end where Unicode says (UAX 29), so emoji, accents, right-to-left and Chinese text come out
whole; what a token joins stays together, so every token belongs to one word at most.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QTextBoundaryFinder

from app.positions import utf16_length
from app.text_mirror import UNIT_BYTES, decoded, encoded

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.written_tokens import WrittenTokens

Part = tuple[int, int]


@dataclass(frozen=True, slots=True)
class WrittenWord:
    """A word or mark between UTF-16 positions `start` and `end`, and its tokens.

    Its first token usually holds the space before it.
    """

    text: str
    start: int
    end: int
    tokens: slice


def words_in(text: str, offset: int, tokens: WrittenTokens) -> list[WrittenWord]:
    """The words of `text`, which stands at `offset` in the document, that have tokens."""
    length, part = utf16_length(text), _cutter(text)
    segments = _segments(text, part)
    found: list[list[int]] = []  # start, end, first token, the one after the last
    place = 0
    for number, start, end in _inked(tokens, offset, length, part):
        while place < len(segments) and segments[place][1] <= start:
            place += 1
        if place == len(segments):
            break
        left, right = segments[place]
        while right < end and place + 1 < len(segments):  # the token joins words
            place += 1
            right = segments[place][1]
        if found and left < found[-1][1]:
            found[-1][1], found[-1][3] = max(right, found[-1][1]), number + 1
        else:
            found.append([left, right, number, number + 1])
    return [
        WrittenWord(part(left, right), left + offset, right + offset, slice(first, last))
        for left, right, first, last in found
    ]


def _inked(
    tokens: WrittenTokens, offset: int, length: int, part: Callable[[int, int], str]
) -> list[tuple[int, int, int]]:
    """(number, start, end) of the tokens in a text, without the white space around them."""
    whole = tokens.overlapping(offset, offset + length)
    starts = (tokens.starts[whole] - offset).tolist()
    ends = (tokens.ends[whole] - offset).tolist()
    found = []
    for number, start, end in zip(range(whole.start, whole.stop), starts, ends, strict=True):
        start, end = max(start, 0), min(end, length)
        seen = part(start, end)
        inked = seen.strip()
        if inked:
            if inked != seen:  # white space takes one unit a character
                start += len(seen) - len(seen.lstrip())
                end -= len(seen) - len(seen.rstrip())
            found.append((number, start, end))
    return found


def _segments(text: str, part: Callable[[int, int], str]) -> list[Part]:
    """Where the words and marks of `text` begin and end; white space is none."""
    finder = QTextBoundaryFinder(QTextBoundaryFinder.BoundaryType.Word, text)
    places = [0]
    while (place := finder.toNextBoundary()) != -1:
        places.append(place)
    return [(start, end) for start, end in pairwise(places) if not part(start, end).isspace()]


def _cutter(text: str) -> Callable[[int, int], str]:
    """A function that cuts `text` at UTF-16 positions."""
    if utf16_length(text) == len(text):
        return lambda start, end: text[start:end]
    units = encoded(text)
    return lambda start, end: decoded(units[UNIT_BYTES * start : UNIT_BYTES * end])
