"""Which part of the held-out documents is typed and read, and the passages that are counted.

Typing a word costs some 170 ms on a small machine, so a sample of passages stands for all; every
model gets the same one.  A passage is a stretch of 15 to 40 words that ends with a line where it
can; it keeps everything before it as context.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from training.evaluation.typing import normalise, steps

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

LEAST_WORDS = 200  # below, chance decides
DEFAULT_WORDS = 1_000
READ_PER_TYPED = 20  # reading a word costs that much less
SHORT_PASSAGE_WORDS, LONG_PASSAGE_WORDS = 15, 40
ENOUGH_DOCUMENTS = 20  # to tell from their differences how much chance there is


class EvaluationError(ValueError):
    """Nothing can be measured; the message says why and what to do."""


class TooLittleText(EvaluationError):
    """The held-out text is too short to tell a difference from chance."""


@dataclass(frozen=True, slots=True)
class Passage:
    """Some tokens in a row of one document, which lie between its code points `start` and `end`."""

    document: int
    start: int
    end: int
    words: int


@dataclass(frozen=True, slots=True)
class Sample:
    """What is measured, the same for every model; passages are in the order of the documents."""

    documents: tuple[str, ...]  # normalised
    words: int  # in all documents
    typed: tuple[Passage, ...]
    read: tuple[Passage, ...]  # of each document from its beginning on

    @property
    def typed_words(self) -> int:
        """How many words are typed."""
        return sum(passage.words for passage in self.typed)

    @property
    def read_words(self) -> int:
        """How many words are read."""
        return sum(passage.words for passage in self.read)

    @property
    def unit(self) -> str:
        """What chance is taken to have drawn: "documents", or "passages" if those are too few."""
        documents = {passage.document for passage in self.typed}
        return "documents" if len(documents) >= ENOUGH_DOCUMENTS else "passages"


def draw(documents: Iterable[str], words: int | None, seed: int) -> Sample:
    """Choose passages at random until they have `words` words; None takes everything.

    Raises:
        EvaluationError: there is no text, or too little of it, or `words` is too few.
    """
    if words is not None and words < LEAST_WORDS:
        raise EvaluationError(f"{words} words are too few to measure; take {LEAST_WORDS} or more")
    texts = tuple(filter(None, map(normalise, documents)))
    every = [list(passages(i, text)) for i, text in enumerate(texts)]
    flat = [passage for found in every for passage in found]
    total = sum(passage.words for passage in flat)
    if total < LEAST_WORDS:
        raise TooLittleText(
            f"the held-out text has {total:,} words; at least {LEAST_WORDS} are needed to tell a "
            "difference from chance, and 2,000 tell it well: give more text"
        )
    if words is None:
        return Sample(texts, total, tuple(flat), tuple(flat))
    generator = random.Random(seed)
    typed = _until(generator.sample(flat, len(flat)), words)
    order = generator.sample(every, len(every))
    read = _until((passage for found in order for passage in found), READ_PER_TYPED * words)
    return Sample(texts, total, _in_order(typed), _in_order(read))


def passages(document: int, text: str) -> Iterator[Passage]:
    """Cut a normalised text into passages; all of it is in one of them."""
    start = words = 0
    for step in steps(text):
        words += bool(step.word)
        ends_line = step.separator == "\n" and words >= SHORT_PASSAGE_WORDS
        if ends_line or not step.separator or words >= LONG_PASSAGE_WORDS:
            end = step.start + len(step.word) + len(step.trail) + len(step.separator)
            yield Passage(document, start, end, words)
            start, words = end, 0


def _until(found: Iterable[Passage], words: int) -> list[Passage]:
    """The first of them that have `words` words in all, or all of them."""
    chosen = []
    for passage in found:
        if words <= 0:
            break
        words -= passage.words
        chosen.append(passage)
    return chosen


def _in_order(chosen: Sequence[Passage]) -> tuple[Passage, ...]:
    return tuple(sorted(chosen, key=lambda passage: (passage.document, passage.start)))
