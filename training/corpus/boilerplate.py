"""Lines that many documents of one origin share: nobody typed them again each time.

Headers and footers of sites, disclaimers of mail servers, "At the start of each month, …".  Digits
count as equal, so "Page 3 of 9" is found too.  Short lines stay: people do begin with "Hi all,".
"""

from __future__ import annotations

import re
import zlib
from collections import Counter

FEWEST_WORDS = 4
FEWEST_DOCUMENTS = 4
SHARE = 0.2  # of the documents of one origin
MOST_LINES = 1 << 21  # counted at a time; then those seen once are forgotten
_DIGITS = re.compile(r"\d+")


class Boilerplate:
    """Counts in how many documents of its group each line stands, then drops the common ones."""

    def __init__(self) -> None:
        self._documents: Counter[str] = Counter()
        self._lines: dict[int, int] = {}

    def count(self, text: str, group: str) -> None:
        """Take note of one document's lines; those of group "" are all typed."""
        if not group:
            return
        self._documents[group] += 1
        for key in {_key(line, group) for line in text.split("\n") if _is_long(line)}:
            self._lines[key] = self._lines.get(key, 0) + 1
        if len(self._lines) > MOST_LINES:
            self._lines = {key: n for key, n in self._lines.items() if n > 1}

    def drop(self, text: str, group: str) -> tuple[str, int]:
        """`text` without the lines that are common in its group, and how many those were."""
        least = max(FEWEST_DOCUMENTS, SHARE * self._documents[group])
        if not group or self._documents[group] < FEWEST_DOCUMENTS:
            return text, 0
        lines = text.split("\n")
        kept = [
            line for line in lines
            if not _is_long(line) or self._lines.get(_key(line, group), 0) < least
        ]  # fmt: skip
        return "\n".join(kept), len(lines) - len(kept)


def _is_long(line: str) -> bool:
    return line.count(" ") >= FEWEST_WORDS - 1


def _key(line: str, group: str) -> int:
    """64 bits that are the same in every process, as `hash` is not."""
    data = _DIGITS.sub("0", line.casefold()).encode("utf-8", "replace")
    return zlib.crc32(data) << 32 | zlib.adler32(group.encode("utf-8", "replace") + b"\n" + data)
