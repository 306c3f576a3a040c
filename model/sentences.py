"""The words of a text in order, and where sentences begin.  Pure strings.

What a word is says `model.wordshape`.  A sentence ends at a line's end or at a full stop, question
or exclamation mark, but not after an abbreviation ("e.g. this", "Mr. Smith"), at an ellipsis
("wait... what") or inside a number.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from model.wordshape import INNER, is_letter

if TYPE_CHECKING:
    from collections.abc import Iterator

# The usual ones that are written with a full stop, beside single letters and such as "e.g.".
_ABBREVIATIONS = frozenset(["mr", "mrs", "ms", "dr", "prof", "st", "jr", "vs", "etc", "approx"])
_LINE_END = re.compile(r"[\n\r\u2028\u2029]")
_SENTENCE_END = re.compile(r"(?:\A|[^.])[.!?]+[\"'”’»)\]]*\s|[。！？]")
_ELLIPSIS = re.compile(r"\.\.|…")
_QUIET = re.compile(r"[ \u00a0,;]*\Z")  # nothing here asks for a capital


@dataclass(frozen=True, slots=True)
class PlacedWord:
    """A word as written.

    Attributes:
        start: its index in the text, in code points.
        begins_sentence: whether a sentence begins with it.
        chose_case: a capital here is the word's own, not owed to its place.
    """

    text: str
    start: int
    begins_sentence: bool
    chose_case: bool


def words_of(text: str) -> Iterator[PlacedWord]:
    """Every word of `text`, in order; its first one begins a sentence."""
    end, last = 0, ""
    for start, stop in _spans(text):
        gap = text[end:start]
        begins = not last or ends_sentence(last, gap)
        chose = not begins and (_QUIET.match(gap) is not None or _abbreviates(last, gap))
        last, end = text[start:stop], stop
        yield PlacedWord(last, start, begins, chose)


def ends_sentence(word: str, gap: str) -> bool:
    """Whether a sentence ended between `word` and what follows the characters of `gap`."""
    if _LINE_END.search(gap):
        return True
    if _ELLIPSIS.search(gap) or _abbreviates(word, gap):
        return False
    return _SENTENCE_END.search(gap) is not None


def _abbreviates(word: str, gap: str) -> bool:
    if not gap.startswith(".") or gap.strip() != ".":
        return False
    return "." in word or word.casefold() in _ABBREVIATIONS or (len(word) == 1 and word != "I")


def _spans(text: str) -> Iterator[tuple[int, int]]:
    start = None
    for i, character in enumerate(text):
        if is_letter(character):
            start = i if start is None else start
        elif start is not None and not _joins(text, i):
            yield start, i
            start = None
    if start is not None:
        yield start, len(text)


def _joins(text: str, index: int) -> bool:
    """Whether the mark at `index`, after a letter, holds a word together."""
    following = text[index + 1 : index + 2]
    return (
        text[index] in INNER and is_letter(text[index - 1]) and following != ""
        and is_letter(following)
    )  # fmt: skip
