"""From counts to figures: each with the interval that chance leaves, and models compared in pairs.

Paired bootstrap: the units (documents, or passages of few documents) are drawn with replacement
again and again, the same draw for all models; the 95 % interval reaches from the 2.5th to the
97.5th percentile of what comes out.

Source: Efron & Tibshirani 1993, "An Introduction to the Bootstrap"; paired for language
processing in Koehn 2004, "Statistical Significance Tests for Machine Translation Evaluation".
"""

from __future__ import annotations

from dataclasses import astuple, dataclass, fields
from typing import TYPE_CHECKING, Literal

import numpy as np
import numpy.typing as npt

from model.scores import NATS_PER_BIT
from training.evaluation.measuring import Counts, Read
from training.evaluation.typing import SHOWN, Typed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from training.evaluation.sample import Sample

Array = npt.NDArray[np.float64]
Table = Literal["typed", "read", "general"]

DRAWS = 2_000
BOUNDS = (2.5, 97.5)  # per cent


@dataclass(frozen=True, slots=True)
class Figure:
    """A value and its 95 % interval."""

    value: float
    low: float
    high: float

    @property
    def is_certain(self) -> bool:
        """Of a difference: whether chance can be ruled out."""
        return self.low > 0 or self.high < 0


@dataclass(frozen=True, slots=True)
class Measure:
    """A figure made of two sums: `make` of `above` ÷ `below`, columns of one table of counts.

    Two models differ by a ratio, less one, where `is_ratio`, and else by the plain difference.
    """

    table: Table
    above: str
    below: str
    make: Callable[[Array], Array]
    is_ratio: bool = False


def _complement(x: Array) -> Array:
    return 1 - x


def _same(x: Array) -> Array:
    return x


def _bits(nats: Array) -> Array:
    return nats / NATS_PER_BIT


MEASURES: dict[str, Measure] = {
    **{f"saved_{k}": Measure("typed", f"keys_{k}", "characters", _complement) for k in SHOWN},
    **{f"next_word_{k}": Measure("typed", f"first_{k}", "words", _same) for k in SHOWN},
    "perplexity": Measure("read", "nats", "tokens", np.exp, is_ratio=True),
    "bits_per_byte": Measure("read", "nats", "bytes", _bits, is_ratio=True),
    "general_perplexity": Measure("general", "nats", "tokens", np.exp, is_ratio=True),
    "general_bits_per_byte": Measure("general", "nats", "bytes", _bits, is_ratio=True),
}
PER_TOKEN = ("perplexity", "general_perplexity")  # only equal tokenizers can be compared by these


class Resampled:
    """Every measure of some models, as measured and in each of the draws.

    Args:
        sample: what was measured.
        general: the general text, as a sample of its own.
        models: the counts of each model on both.
        seed: of the draws.
    """

    def __init__(
        self, sample: Sample, general: Sample, models: Sequence[Counts], seed: int
    ) -> None:
        self._models, generator = models, np.random.default_rng(seed)
        by_document = sample.unit == "documents"
        units: dict[Table, list[int]] = {
            "typed": [p.document if by_document else i for i, p in enumerate(sample.typed)],
            "read": [p.document if by_document else i for i, p in enumerate(sample.read)],
            "general": list(range(len(general.read))),
        }
        self._weights = {table: _weights(ids, generator) for table, ids in units.items()}
        self._sums = {
            (table, i): self._weights[table] @ _matrix(getattr(counts, table))
            for table in units
            for i, counts in enumerate(models)
        }

    def figure(self, name: str, model: int) -> Figure:
        """One measure of one model."""
        return _figure(self._values(name, model))

    def difference(self, name: str, model: int, other: int) -> Figure:
        """By how much `model` is above `other`; as a share of it where the measure is a ratio."""
        values, others = self._values(name, model), self._values(name, other)
        return _figure(values / others - 1 if MEASURES[name].is_ratio else values - others)

    def _values(self, name: str, model: int) -> Array:
        """(1 + DRAWS,), first as measured."""
        measure = MEASURES[name]
        columns = [field.name for field in fields(Typed if measure.table == "typed" else Read)]
        sums = self._sums[measure.table, model]
        above, below = (sums[:, columns.index(c)] for c in (measure.above, measure.below))
        return measure.make(above / below)


def _weights(units: Sequence[int], generator: np.random.Generator) -> Array:
    """(1 + DRAWS, rows): how often each row counts, all once first; rows of a unit go together."""
    _, unit_of_row = np.unique(units, return_inverse=True)
    count = int(unit_of_row.max()) + 1
    draws = generator.multinomial(count, np.full(count, 1 / count), size=DRAWS)  # (DRAWS, units)
    weights = np.concatenate([np.ones((1, count)), draws])
    rows: Array = weights[:, unit_of_row]
    return rows


def _matrix(rows: Sequence[Typed] | Sequence[Read]) -> Array:
    return np.array([astuple(row) for row in rows], np.float64)


def _figure(values: Array) -> Figure:
    low, high = np.percentile(values[1:], BOUNDS)
    return Figure(float(values[0]), float(low), float(high))
