"""Sentences that must not be trained on, because something will be measured with them.

Two sentences are the same if they are so after lower-casing and without punctuation.  Those of
up to three words are everybody's ("How are you?") and stay, unless they are a whole document.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from training.corpus.cleaning import sentences
from training.corpus.decoding import lines_of
from training.corpus.document import CorpusError, Unreadable
from training.corpus.files import Source

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

FEWEST_WORDS = 4
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


class Overlap:
    """The sentences of some texts, to be found and taken out of others."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._sentences: set[str] = set()
        for text in texts:
            for line in text.split("\n"):
                self._sentences.update(map(normalised, (line, *sentences(line))))
        self._sentences.discard("")

    @classmethod
    def of_files(cls, paths: Iterable[Path]) -> Overlap:
        """The sentences of text files.

        Raises:
            CorpusError: one is no text.
        """
        try:
            return cls(line for path in paths for line in lines_of(Source(path, str(path))))
        except Unreadable as err:
            raise CorpusError(f"a file of sentences to exclude cannot be read: {err}") from err

    def __len__(self) -> int:
        return len(self._sentences)

    def strip(self, text: str) -> tuple[str, int]:
        """`text` without the sentences that are known, and how many those were."""
        if not self._sentences:
            return text, 0
        if normalised(text) in self._sentences:
            return "", 1
        lines, found = [], 0
        for line in text.split("\n"):
            kept, fewer = self._line(line)
            found += fewer
            if kept or not fewer:
                lines.append(kept)
        return "\n".join(lines), found

    def _line(self, line: str) -> tuple[str, int]:
        if self._is_known(line):
            return "", 1
        parts = sentences(line)
        kept = [part for part in parts if not self._is_known(part)]
        return "".join(kept).strip(), len(parts) - len(kept)

    def _is_known(self, sentence: str) -> bool:
        key = normalised(sentence)
        return key.count(" ") >= FEWEST_WORDS - 1 and key in self._sentences


def normalised(sentence: str) -> str:
    """The words of `sentence` alone, in lower case.

    >>> normalised("“Well, I don’t know,” she said.")
    "well i don't know she said"
    """
    return " ".join(_WORD.findall(sentence.casefold())).replace("’", "'")
