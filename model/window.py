"""Which part of a long text the model sees.

The choice depends on the text alone, not on how it was typed, so equal texts give equal
predictions; and it moves rarely, in steps of half a window, so the cached keys stay useful.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from model.tokenizer import Tokenizer

ANCHOR_CHARACTERS = 4096  # a step of the rough choice, made on characters
NEARLY_FULL = 0.85


def rough_start(text: str) -> int:
    """Index where to begin tokenising: a line or word boundary at least one step before the end.

    0 for texts of up to two steps; otherwise the text from there on is one to two steps long, plus
    what it takes to reach a boundary.
    """
    if len(text) < 2 * ANCHOR_CHARACTERS:
        return 0
    step = (len(text) - ANCHOR_CHARACTERS) // ANCHOR_CHARACTERS * ANCHOR_CHARACTERS
    for separator in ("\n", " "):
        found = text.find(separator, step, step + ANCHOR_CHARACTERS // 4)
        if found >= 0:
            return found + (separator == "\n")  # a word keeps its space
    return step


class Window:
    """Text before the caret → the ids the model is given, at most `context_tokens`.

    Args:
        preface: a hidden text before the first character of a document, so that an empty page
            does not make the model expect anything from code to encyclopaedias.
    """

    def __init__(self, tokenizer: Tokenizer, context_tokens: int, preface: str = "") -> None:
        self.tokenizer, self.context_tokens = tokenizer, context_tokens
        self.preface = tokenizer.encode(preface)[: context_tokens // 3]
        self._room = context_tokens - 1  # end-of-text takes the first place
        self._half = max(self._room // 2, 1)

    def ids(self, text: str) -> list[int]:
        """End-of-text, then the preface or the part of `text` nearest to its end.

        When the window is full it starts half a window later, and stays there until it is full
        again.
        """
        start = rough_start(text)
        ids = self.tokenizer.encode(text[start:])
        if start == 0:
            ids = self.preface + ids
        if len(ids) > self._room:
            ids = ids[-(-(len(ids) - self._room) // self._half) * self._half :]
        return [self.tokenizer.end_of_text, *ids]

    def tokens_of_text(self, ids: list[int]) -> int:
        """How many of these ids are the writer's text, and neither end-of-text nor preface."""
        hidden = len(self.preface) if ids[1 : 1 + len(self.preface)] == self.preface else 0
        return len(ids) - 1 - hidden

    def following(self, ids: list[int]) -> list[int] | None:
        """A window that is nearly full → what the next one will begin with; else None."""
        if len(ids) < 1 + self._room * NEARLY_FULL:
            return None
        return [ids[0], *ids[1 + self._half :]]
