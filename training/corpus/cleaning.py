"""One text as a person would type it: plain spaces, whole lines, nothing that nobody wrote."""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise

WRAPPED_LINES = range(45, 101)  # characters in a line that an editor has broken
_INVISIBLE = dict.fromkeys(
    # soft hyphen, zero-width space, direction marks and isolates, word joiner, byte order mark
    [0xAD, 0x200B, 0x200E, 0x200F, *range(0x202A, 0x202F), 0x2060, *range(0x2066, 0x206A), 0xFEFF]
)
_LINE_ENDS = dict.fromkeys([0x0B, 0x0C, 0x0D, 0x1C, 0x1D, 0x1E, 0x85, 0x2028, 0x2029], "\n")
_CONTROLS = dict.fromkeys({*range(0x20), *range(0x7F, 0xA0)} - {0x0A, 0x85, *_LINE_ENDS, 0x09})
_TIDY = {**_INVISIBLE, **_CONTROLS, **_LINE_ENDS, 0x09: " ", 0x20: " "}
_SPACES = re.compile(r"[ \u3000]{2,}")
_RULE = re.compile(r"[-_=*#~+.·•|<>/\\\s—–]{3,}")
_SENTENCE = re.compile(r"(?<=[.!?…])[\"'”’»)\]]*\s+(?=\S)|(?<=[。！？])")
_ENDS_SENTENCE = re.compile(r"[.!?:…。！？][\"'”’»)\]]*\Z")


def tidy(text: str) -> str:
    """`text` composed (NFC), without invisible characters, rules and runs of spaces.

    Blank lines between paragraphs stay, one each.
    """
    text = unicodedata.normalize("NFC", text).translate(_TIDY)
    lines = [_SPACES.sub(" ", line).strip(" ") for line in text.split("\n")]
    kept: list[str] = []
    for line in lines:
        if not line and (not kept or not kept[-1]):
            continue
        if not _RULE.fullmatch(line):
            kept.append(line)
    while kept and not kept[-1]:
        kept.pop()
    return "\n".join(kept)


def unwrap(text: str) -> str:
    """`text` with the lines of each paragraph joined, if they look broken by an editor."""
    paragraphs = [part.split("\n") for part in re.split(r"\n[ \t]*\n", text)]
    inner = [line.rstrip() for lines in paragraphs for line in lines[:-1]]
    broken = sum(len(line) in WRAPPED_LINES and not _ENDS_SENTENCE.search(line) for line in inner)
    if len(inner) < 3 or broken < 0.6 * len(inner):
        return text
    return "\n\n".join(" ".join(line.strip() for line in lines) for lines in paragraphs)


def joined_lines(lines: list[str]) -> str:
    """The paragraphs of printed lines: one ends where a sentence does, before the margin."""
    widths = sorted(len(line) for line in lines if line.strip())
    margin = 0.85 * widths[9 * len(widths) // 10] if widths else 0
    text, last = "", ""
    for line in map(str.strip, lines):
        if not line or not last or (len(last) < margin and _ENDS_SENTENCE.search(last)):
            text += f"\n{line}"
        elif last.endswith("-") and last[-2:-1].isalpha() and line[0].islower():
            text = text[:-1] + line
        else:
            text += f" {line}"
        last = line
    return text.strip()


def sentences(line: str) -> list[str]:
    """The sentences of `line` with the spaces after them: together they are `line`.

    >>> sentences("Well. (Is it?) Yes!")
    ['Well. ', '(Is it?) ', 'Yes!']
    """
    starts = [0, *(match.end() for match in _SENTENCE.finditer(line)), len(line)]
    return [line[start:end] for start, end in pairwise(starts)]
