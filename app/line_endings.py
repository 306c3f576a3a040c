"""Lines and what ends them, so that saving changes only what the writer changed.

A Qt document knows paragraphs, not CR LF.  `split_lines` takes a text apart exactly where Qt
will; `join_lines` puts edited lines together again, each with the ending it had.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

# Everything at which QTextDocument starts a new paragraph.  The last three are odd characters,
# not line ends, and come back as they were.
BREAK = re.compile("(\r\n|[\r\n\u2029\ufdd0\ufdd1])")
# Above this many pairs of lines an edited region of a mixed file is not compared line by line.
LARGEST_COMPARISON = 4_000_000

Line = tuple[str, str]  # text, ending ("" for the last line)


def split_lines(text: str) -> list[Line]:
    """Return the lines of `text` with their endings; the last ending is empty."""
    parts = BREAK.split(text)
    return list(zip(parts[::2], [*parts[1::2], ""], strict=True))


def prevailing_ending(lines: Sequence[Line]) -> str:
    """Return the most frequent line ending, or a line feed for a text of one line."""
    counts = Counter(ending for _, ending in lines if ending in ("\n", "\r\n", "\r"))
    return counts.most_common(1)[0][0] if counts else "\n"


def join_lines(lines: Sequence[str], original: Sequence[Line], ending: str) -> str:
    """Join edited `lines`, giving each the ending it had in `original`; new ones get `ending`."""
    endings = [ending] * len(lines)
    for old, new in _matches([text for text, _ in original], lines):
        endings[new] = original[old][1] or ending
    endings[-1] = ""
    return "".join(text + end for text, end in zip(lines, endings, strict=True))


def _matches(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Pairs of indices of lines that are the same line, edited or not."""
    shorter = min(len(old), len(new))
    head = next((i for i in range(shorter) if old[i] != new[i]), shorter)
    tail = next((i for i in range(shorter - head) if old[-1 - i] != new[-1 - i]), shorter - head)
    pairs = [(i, i) for i in range(head)]
    old_end, new_end = len(old) - tail, len(new) - tail
    if (old_end - head) * (new_end - head) <= LARGEST_COMPARISON:
        matcher = difflib.SequenceMatcher(None, old[head:old_end], new[head:new_end], False)
        for _, i, i_end, j, j_end in matcher.get_opcodes():
            count = min(i_end - i, j_end - j)  # the lines of a replacement pair up in order
            pairs += [(head + i + k, head + j + k) for k in range(count)]
    pairs += [(old_end + i, new_end + i) for i in range(tail)]
    return pairs
