"""Many sources in the shares of a recipe → documents in a seeded order, and some held out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, overload

import numpy as np
import numpy.typing as npt

from training.corpus.document import CorpusError, CorpusOptions, Document, LeftOut, Tally
from training.corpus.overlap import normalised
from training.corpus.reading import read_corpus
from training.corpus.spool import Documents

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from training.corpus.recipe import Ingredient, Recipe

OPENING_WORDS = 4


@dataclass(frozen=True, slots=True)
class Portion:
    """What one source gives: its characters in the mixture, and how often each is used."""

    name: str
    documents: int
    available: int
    used: int
    repeats: float


@dataclass(frozen=True, slots=True)
class Mixture:
    """Documents to train on in their order, some held out, and what each source gave."""

    documents: Selection
    held: Selection
    portions: tuple[Portion, ...]
    left_out: tuple[LeftOut, ...]


class Selection(Sequence[Document]):
    """Documents of several sources in one order, read when asked for; one may come repeatedly."""

    def __init__(self, sources: Sequence[Documents], places: npt.NDArray[np.int64]) -> None:
        self._sources = sources
        self._places = places  # (n, 2): source, index in it

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, index: int) -> Document: ...
    @overload
    def __getitem__(self, index: slice) -> list[Document]: ...
    def __getitem__(self, index: int | slice) -> Document | list[Document]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        source, place = (int(part) for part in self._places[index])
        return self._sources[source][place]


def mix(
    recipe: Recipe,
    data: Path,
    exclude: Sequence[Path] = (),
    progress: Callable[[str], None] | None = None,
) -> Mixture:
    """Read the sources under the folder `data` and mix them as the recipe says.

    Every share is kept exactly, so the scarcest source bounds the size, unless the recipe sets
    `characters`: then a source that has too little gives what it has.  Held-out documents are
    taken off before any is repeated.  Sentences of the files `exclude` occur nowhere.

    Raises:
        CorpusError: a pattern matches no file, or a source is empty after its filters.
    """
    random, tally = np.random.default_rng(recipe.seed), Tally()
    sources, orders, held = [], [], []
    for number, ingredient in enumerate(recipe.ingredients):
        documents = _filtered(ingredient, data, exclude, tally, progress)
        order = random.permutation(len(documents))
        aside = round(recipe.held_share * len(order))
        held.append(_placed(number, order[:aside]))
        sources.append(documents)
        orders.append(order[aside:])
    sizes = [np.array(d.characters, np.int64) for d in sources]
    available = [int(s[order].sum()) for s, order in zip(sizes, orders, strict=True)]
    total = recipe.characters or min(
        i.repeat * a / i.share for i, a in zip(recipe.ingredients, available, strict=True)
    )
    chosen, portions = [], []
    for number, ingredient in enumerate(recipe.ingredients):
        taken = _take(
            orders[number], sizes[number], ingredient.share * total, ingredient.repeat, random
        )
        used = int(sizes[number][taken].sum())
        chosen.append(_placed(number, taken))
        repeats = used / available[number]
        portions.append(
            Portion(ingredient.name, len(sources[number]), available[number], used, repeats)
        )
    return Mixture(
        Selection(sources, random.permutation(np.concatenate(chosen))),
        Selection(sources, random.permutation(np.concatenate(held))),
        tuple(portions),
        tally.left_out(),
    )


def _placed(source: int, indices: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    return np.stack([np.full(len(indices), source), indices], 1)


def _take(
    order: npt.NDArray[np.int64],
    sizes: npt.NDArray[np.int64],
    characters: float,
    repeat: int,
    random: np.random.Generator,
) -> npt.NDArray[np.int64]:
    """Documents of `characters` in all: each of `order` once before any comes again."""
    rounds = [order, *(random.permutation(order) for _ in range(repeat - 1))]
    queue = np.concatenate(rounds)
    return queue[: int(np.searchsorted(np.cumsum(sizes[queue]), characters, "right"))]


def _filtered(
    ingredient: Ingredient,
    data: Path,
    exclude: Sequence[Path],
    tally: Tally,
    progress: Callable[[str], None] | None,
) -> Documents:
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
