"""Finding and replacing in a text.  Pure strings, no Qt.

Regular expressions are those of the `regex` library, which can be given a time limit: an
expression that would try for ever ends with what it has found.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import regex

from app.positions import utf16_length
from app.translation import tr

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SHOWN_WITHIN_S = 0.25  # the writer waits, letter by letter
REPLACED_WITHIN_S = 10.0

Span = tuple[int, int]  # code points, the end not included


class PatternError(ValueError):
    """What is wanted is no regular expression; the message says why."""


class SearchTimeout(RuntimeError):
    """The search took too long; nothing was replaced."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to find; `text` is a regular expression if `is_regex`."""

    text: str
    is_regex: bool = False
    has_case: bool = False
    is_whole_word: bool = False

    def pattern(self) -> regex.Pattern[str]:
        """Return it compiled.

        Raises:
            PatternError: `text` is no regular expression.
        """
        source = self.text if self.is_regex else regex.escape(self.text, literal_spaces=True)
        if self.is_whole_word:
            source = rf"(?<!\w)(?:{source})(?!\w)"
        flags = regex.MULTILINE | (0 if self.has_case else regex.IGNORECASE)
        try:
            return regex.compile(source, flags)
        except regex.error as err:
            raise PatternError(tr("Not a regular expression: {err}", err=err)) from err


@dataclass(frozen=True, slots=True)
class Found:
    """The places that were found, in order; not all of them unless `is_complete`."""

    spans: tuple[Span, ...] = ()
    is_complete: bool = True


def find_all(text: str, wanted: Wanted, within_s: float = SHOWN_WITHIN_S) -> Found:
    """Find every place, or as many as the time allows; what is empty is no place.

    Raises:
        PatternError: it is no regular expression.
    """
    if not wanted.text:
        return Found()
    spans = []
    try:
        for match in _matches(text, wanted, within_s):
            spans.append(match.span())
    except TimeoutError:
        return Found(tuple(spans), is_complete=False)
    return Found(tuple(spans))


@dataclass(frozen=True, slots=True)
class Replacement:
    """`text` takes the place of `span`, which holds all `count` replaced places.

    `caret` is where a caret stands afterwards.
    """

    span: Span
    text: str
    count: int
    caret: int


def replace_all(text: str, wanted: Wanted, template: str, caret: int = 0) -> Replacement | None:
    r"""Return the one edit that replaces every place; None if there is no place.

    `caret` is where a caret stands now; it stays with the text around it.  In the `template` of a
    regular expression, `\1` and `\g<name>` are what its groups matched.

    Raises:
        PatternError: it is no regular expression, or the template names a group that is not there.
        SearchTimeout: it takes too long.
    """
    if not wanted.text:
        return None
    pieces: list[str] = []
    start = end = count = shift = 0
    try:
        for match in _matches(text, wanted, REPLACED_WITHIN_S):
            if not count:
                start = end = match.start()
            new = expand(match, wanted, template)
            pieces += (text[end : match.start()], new)
            end = match.end()
            if match.start() < caret:
                shift += len(new) - (min(end, caret) - match.start())
            count += 1
    except TimeoutError as err:
        raise SearchTimeout(tr("This takes too long. Nothing was replaced.")) from err
    return Replacement((start, end), "".join(pieces), count, caret + shift) if count else None


def replace_one(text: str, span: Span, wanted: Wanted, template: str) -> str | None:
    """Return what takes the place of `span`; None if that is no place that is wanted.

    Raises:
        PatternError: as for `replace_all`.
    """
    if not wanted.text:
        return None
    try:
        match = wanted.pattern().match(text, span[0], timeout=SHOWN_WITHIN_S)
    except TimeoutError:
        return None
    return expand(match, wanted, template) if match and match.span() == span else None


def expand(match: regex.Match[str], wanted: Wanted, template: str) -> str:
    """Return the text that replaces one match.

    Raises:
        PatternError: the template names a group that is not there.
    """
    if not wanted.is_regex:
        return template
    try:
        return str(match.expand(template))
    except (regex.error, IndexError) as err:
        raise PatternError(tr("The replacement does not fit: {err}", err=err)) from err


def in_utf16(text: str, spans: Iterable[Span]) -> list[Span]:
    """Return sorted spans as Qt positions, in one pass over the text."""
    if text.isascii():
        return list(spans)
    found, at, at_utf16 = [], 0, 0
    for start, end in spans:
        start_utf16 = at_utf16 + utf16_length(text[at:start])
        at, at_utf16 = end, start_utf16 + utf16_length(text[start:end])
        found.append((start_utf16, at_utf16))
    return found


def _matches(text: str, wanted: Wanted, within_s: float) -> Iterator[regex.Match[str]]:
    deadline = time.monotonic() + within_s
    for match in wanted.pattern().finditer(text, timeout=within_s):
        if time.monotonic() > deadline:
            raise TimeoutError
        if match.end() > match.start():
            yield match
