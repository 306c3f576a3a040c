"""One source of a mixture: its files, read and filtered line by line."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from training.corpus.document import CorpusError, CorpusOptions, Tally
from training.corpus.overlap import normalised
from training.corpus.reading import read_corpus
from training.corpus.spool import Documents

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from training.corpus.recipe import Ingredient

OPENING_WORDS = 4


def read_ingredient(
    ingredient: Ingredient,
    data: Path,
    exclude: Sequence[Path],
    tally: Tally,
    progress: Callable[[str], None] | None,
) -> Documents:
    """The documents of a source under the folder `data`, after its filters.

    Raises:
        CorpusError: no file is there, or nothing is left.
    """
    paths = sorted({path for pattern in ingredient.files for path in data.glob(pattern)})
    if not paths:
        raise CorpusError(
            f"source {ingredient.name!r}: no file in {data} matches {', '.join(ingredient.files)}"
        )
    options = CorpusOptions(
        unit=ingredient.unit,
        exclude=tuple(exclude),
        forgets_secrets=ingredient.forgets_secrets,
    )
    corpus = read_corpus(paths, options, progress)
    for left in corpus.report.left_out:
        tally.leave_out(f"{ingredient.name}: {left.what}", left.why, left.count)
    lines, kept = _Lines(ingredient, tally), Documents()
    for document in corpus.documents:
        text = "\n".join(line for line in document.text.split("\n") if lines.admit(line))
        if len(text.split()) >= ingredient.document_words:
            kept.add(replace(document, text=text.strip("\n")))
        else:
            tally.leave_out(f"{ingredient.name}: documents", "too short")
    if not len(kept):
        raise CorpusError(f"source {ingredient.name!r} has nothing left after its filters")
    return kept


class _Lines:
    """The filters of one source, line by line, with what they have seen so far."""

    def __init__(self, ingredient: Ingredient, tally: Tally) -> None:
        self._ingredient = ingredient
        self._tally = tally
        self._seen: Counter[str] = Counter()
        self._opened: Counter[str] = Counter()

    def admit(self, line: str) -> bool:
        """Whether the line may stay; counts why not."""
        why = self._objection(line)
        if why:
            self._tally.leave_out(f"{self._ingredient.name}: lines", why)
        return not why

    def _objection(self, line: str) -> str | None:
        if not line:
            return None
        wanted = self._ingredient
        for pattern in wanted.drop:
            if pattern.search(line):
                return f"they match {pattern.pattern}"
        fewest, most = wanted.words
        if not fewest <= line.count(" ") + 1 <= most:
            return f"not of {fewest} to {most} words"
        tokens = normalised(line).split()
        if wanted.same_line and len(tokens) >= OPENING_WORDS:
            key = " ".join(tokens)
            self._seen[key] += 1
            if self._seen[key] > wanted.same_line:
                return f"the same line came {wanted.same_line} times before"
        if wanted.same_opening and len(tokens) > OPENING_WORDS:
            key = " ".join(tokens[:OPENING_WORDS])
            self._opened[key] += 1
            if self._opened[key] > wanted.same_opening:
                return f"{wanted.same_opening} lines began so before"
        return None
