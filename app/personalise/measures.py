"""What a training changed, read off the scores on a model's card, in words for people.

The names and units are those of `training/evaluation`: shares lie between 0 and 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from app.translation import localised, marked, tr


@dataclass(frozen=True, slots=True)
class Measure:
    """One measure: its `name` on the card, a `title` and an `explanation` for whoever asks."""

    name: str
    title: str
    explanation: str
    unit: Literal["share", "number"]

    def written(self, value: float) -> str:
        """A value as it is shown."""
        return localised(f"{100 * value:.1f} %" if self.unit == "share" else f"{value:.1f}")


SAVED = Measure(
    "saved_3",
    marked("Keystrokes saved"),
    marked(
        "Of the keys you would press to write texts like yours, so many need not be pressed if you "
        "take every right word among the first three offered. More is better."
    ),
    "share",
)
NEXT_WORD = Measure(
    "next_word_3",
    marked("Next word foreseen"),
    marked(
        "How often the right word is among the first three before you type its first letter. "
        "More is better."
    ),
    "share",
)
PERPLEXITY = Measure(
    "perplexity",
    marked("Perplexity on your text"),
    marked(
        "How many words the model hesitates between, so to speak, at each place of a text of yours "
        "that it has never seen. Less is better."
    ),
    "number",
)
GENERAL = Measure(
    "general_perplexity",
    marked("Perplexity on other text"),
    marked(
        "The same on ordinary English. It should stay about where it was: then nothing was "
        "forgotten."
    ),
    "number",
)
MEASURES = (SAVED, NEXT_WORD, PERPLEXITY, GENERAL)


@dataclass(frozen=True, slots=True)
class Change:
    """A measure before and after training, on text kept back from it."""

    measure: Measure
    before: float
    after: float

    def __str__(self) -> str:
        """The two values, joined by an arrow."""
        return f"{self.measure.written(self.before)} → {self.measure.written(self.after)}"


def changes(before: object, after: object) -> list[Change]:
    """What was measured of both, in the order it is worth telling."""
    found = []
    for measure in MEASURES:
        old, new = _value(before, measure.name), _value(after, measure.name)
        if old is not None and new is not None:
            found.append(Change(measure, old, new))
    return found


def _value(scores: Any, name: str) -> float | None:
    """One figure, wherever the scores were written by another version or by hand: or None."""
    figures = scores.get("figures", scores) if isinstance(scores, dict) else None
    found = figures.get(name) if isinstance(figures, dict) else None
    value = found.get("value") if isinstance(found, dict) else found
    return float(value) if isinstance(value, int | float) else None


def duration(seconds: float) -> str:
    """A length of time as one says it: `40 seconds`, `12 minutes`, `2 h 05 min`."""
    if seconds < 55:
        return tr("%n seconds", "", max(1, round(seconds)))
    minutes = max(1, round(seconds / 60))
    if minutes < 60:
        return tr("%n minutes", "", minutes)
    return tr("{hours} h {minutes:02} min", hours=minutes // 60, minutes=minutes % 60)
