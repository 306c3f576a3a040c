"""What the signs of Markdown mean in one line.  Pure strings, no Qt.

A light reading for the eye, line by line: what a document really becomes is told by the export,
which uses a whole parser.  Only a fence of code reaches beyond its line; the state says so.
"""

from __future__ import annotations

import re
from enum import IntFlag
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


class Look(IntFlag):
    """How a part of a line looks."""

    QUIET, STRONG, EMPHASIS, CODE, STRUCK = 1, 2, 4, 8, 16


Span = tuple[int, int, Look]  # start and end in code points
State = int  # 0: in no fence; else its length, and TILDE if it is made of tildes

TILDE = 1000
LONGEST_LINE = 5_000  # characters; a longer one is no prose

_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})(.*)")
_HEADING = re.compile(r" {0,3}#{1,6}(?=\s|$)")
_RULE = re.compile(r" {0,3}([-*_])(?:\s*\1){2,}\s*$")
_LEAD = re.compile(r"\s*(?:>\s?)*\s*(?:(?:[-*+]|\d{1,9}[.)])(?=\s)(?:\s+\[[ xX]\](?=\s))?)?")
# What is emphasised is at most 400 characters long, or a line of signs that nothing closes would
# take the square of its length.
_INLINE = re.compile(
    r"\\."
    r"|(?P<code>(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`))"
    r"|!?\[(?P<text>[^][]*)\](?P<target>\([^()\s]*(?:\s+\"[^\"]*\")?\)|\[[^][]*\])"
    r"|(?P<url><(?:https?|mailto):[^<>\s]{1,2000}>)"
    r"|(?P<strong>\*\*(?=\S)(?P<bold>.{1,400}?)(?<=\S)\*\*(?!\*))"
    r"|(?P<under>(?<!\w)__(?=\S)(?P<bolder>.{1,400}?)(?<=\S)__(?!\w))"
    r"|(?P<em>\*(?=[^\s*])(?P<italic>(?:[^*]|\*\*[^*]{1,400}\*\*){1,400}?)(?<=\S)\*(?!\*))"
    r"|(?P<low>(?<!\w)_(?=[^\s_])(?P<slanted>[^_]{1,400}?)(?<=\S)_(?!\w))"
    r"|(?P<struck>~~(?=\S)(?P<gone>.{1,400}?)(?<=\S)~~)"
)
_LOOKS = {
    "bold": Look.STRONG, "bolder": Look.STRONG, "italic": Look.EMPHASIS, "slanted": Look.EMPHASIS,
    "gone": Look.STRUCK, "text": Look(0),
}  # fmt: skip


def state_after(line: str, state: State) -> State:
    """Return whether the line after this one stands in a fence, and in which."""
    if (fence := _FENCE.match(line[:LONGEST_LINE])) is None:
        return state
    signs, rest = fence[1], fence[2]
    is_tilde = TILDE * signs.startswith("~")
    if state == 0:
        return is_tilde + min(len(signs), TILDE - 1)
    opened_by, length = divmod(state, TILDE)
    closes = is_tilde == TILDE * opened_by and len(signs) >= length and not rest.strip()
    return 0 if closes else state


def spans(line: str, state: State) -> tuple[Span, ...]:
    """Return the parts of a line that look different, in order and apart from each other.

    Args:
        line: without its end.
        state: of `state_after` the line before.
    """
    if not line or len(line) > LONGEST_LINE:
        return ()
    is_fence = state_after(line, state) != state
    if is_fence or _RULE.match(line):
        return ((0, len(line), Look.QUIET),)
    if state:
        return ((0, len(line), Look.CODE),)
    if heading := _HEADING.match(line):
        at = heading.end()
        return ((0, at, Look.QUIET | Look.STRONG), *_inline(line, at, len(line), Look.STRONG))
    lead = _LEAD.match(line)
    at = lead.end() if lead else 0
    quiet = ((0, at, Look.QUIET),) if line[:at].strip() else ()
    return (*quiet, *_inline(line, at, len(line), Look(0)))


def _inline(line: str, start: int, end: int, look: Look) -> Iterator[Span]:
    """The parts between two places, which themselves look like `look`."""
    at = start
    for found in _INLINE.finditer(line, start, end):
        if found.end() - found.start() == 2 and found[0].startswith("\\"):
            continue
        yield from _plain(at, found.start(), look)
        at = found.end()
        if found["code"]:
            ticks = len(found["ticks"])
            yield found.start(), found.start() + ticks, look | Look.QUIET
            yield found.start() + ticks, at - ticks, look | Look.CODE
            yield at - ticks, at, look | Look.QUIET
        elif found["url"]:
            yield found.start(), at, look | Look.QUIET
        else:
            name = next(name for name in _LOOKS if found[name] is not None)
            left, right = found.span(name)
            yield found.start(), left, look | Look.QUIET
            yield from _inline(line, left, right, look | _LOOKS[name])
            yield right, at, look | Look.QUIET
    yield from _plain(at, end, look)


def _plain(start: int, end: int, look: Look) -> Iterator[Span]:
    if look and start < end:
        yield start, end, look
