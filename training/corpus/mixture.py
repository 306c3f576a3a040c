"""Many sources in the shares of a recipe → documents in a seeded order, and some held out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, overload

import numpy as np
import numpy.typing as npt

from training.corpus.document import Document, LeftOut, Tally
from training.corpus.ingredients import read_ingredient

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from training.corpus.recipe import Ingredient, Recipe
    from training.corpus.spool import Documents

Indices = npt.NDArray[np.int64]


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

    def __init__(self, sources: Sequence[Documents], places: Indices) -> None:
        self._sources = sources
        self._places = places  # (n, 3): source, index in it, whether it comes carelessly typed

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, index: int) -> Document: ...
    @overload
    def __getitem__(self, index: slice) -> list[Document]: ...
    def __getitem__(self, index: int | slice) -> Document | list[Document]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        source, place, is_careless = (int(part) for part in self._places[index])
        document = self._sources[source][place]
        return replace(document, text=_careless(document.text)) if is_careless else document


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
    random, tally, supplies = np.random.default_rng(recipe.seed), Tally(), []
    for ingredient in recipe.ingredients:
        documents = read_ingredient(ingredient, data, exclude, tally, progress)
        supplies.append(_Supply.of(ingredient, documents, recipe.held_share, random))
    total = recipe.characters or min(supply.most_characters for supply in supplies)
    taken = [supply.take(total, random) for supply in supplies]
    sources = [supply.documents for supply in supplies]
    careless = [ingredient.careless for ingredient in recipe.ingredients]
    return Mixture(
        Selection(sources, _shuffled(taken, careless, random)),
        Selection(sources, _shuffled([s.held for s in supplies], [0.0] * len(supplies), random)),
        tuple(supply.portion(indices) for supply, indices in zip(supplies, taken, strict=True)),
        tally.left_out(),
    )


@dataclass(frozen=True, slots=True)
class _Supply:
    """What one source has: its documents, and the indices of those to train on and held out."""

    ingredient: Ingredient
    documents: Documents
    sizes: Indices
    train: Indices
    held: Indices

    @classmethod
    def of(
        cls,
        ingredient: Ingredient,
        documents: Documents,
        held_share: float,
        random: np.random.Generator,
    ) -> _Supply:
        """Shuffle the documents and set some aside."""
        order, aside = random.permutation(len(documents)), round(held_share * len(documents))
        sizes = np.array(documents.characters, np.int64)
        return cls(ingredient, documents, sizes, order[aside:], order[:aside])

    @property
    def characters(self) -> int:
        """All that may be trained on, once."""
        return int(self.sizes[self.train].sum())

    @property
    def most_characters(self) -> float:
        """The largest mixture for which this source has enough."""
        return self.ingredient.repeat * self.characters / self.ingredient.share

    def take(self, total: float, random: np.random.Generator) -> Indices:
        """Documents for a mixture of `total` characters: each once before any comes again."""
        again = (random.permutation(self.train) for _ in range(self.ingredient.repeat - 1))
        queue = np.concatenate([self.train, *again])
        ends = np.cumsum(self.sizes[queue])
        return queue[: int(np.searchsorted(ends, self.ingredient.share * total, "right"))]

    def portion(self, indices: Indices) -> Portion:
        """The figures of what was taken."""
        used, available = int(self.sizes[indices].sum()), self.characters
        name = self.ingredient.name
        return Portion(name, len(self.documents), available, used, used / available)


def _shuffled(
    taken: Sequence[Indices], careless: Sequence[float], random: np.random.Generator
) -> Indices:
    """(n, 3) the source, the index in it, and whether it comes carelessly, in a random order."""
    places = [
        np.stack([np.full(len(indices), n), indices, random.random(len(indices)) < share], 1)
        for n, (indices, share) in enumerate(zip(taken, careless, strict=True))
    ]
    return random.permutation(np.concatenate(places))


def _careless(text: str) -> str:
    """`text` as many type it on a telephone."""
    return text.lower().replace(",", "").rstrip(".?!")
