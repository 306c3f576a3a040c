"""What a comparison means, in plain words: is it better, is that certain, what did it cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from training.evaluation.figures import Figure

    Figures = Mapping[str, Figure]

TOLD = "saved_3"  # of all keystroke savings: those with as many words as people take in at a glance
MOST_FORGOTTEN = 0.03  # of perplexity on general text, before it is called worse
ROLLBACK = "to go back: foretype models rollback"


def alone(name: str, figures: Figures) -> str:
    """The figures of a model that is compared with no other."""
    saved = figures[TOLD]
    return (
        f"On this text {name} saves {_percent(saved.value)} of keystrokes with three words "
        f"offered (95 %: {_percent(saved.low)} to {_percent(saved.high)}). Its perplexity is "
        f"{figures['perplexity'].value:.1f}, of general English "
        f"{figures['general_perplexity'].value:.1f}."
    )


@dataclass(frozen=True, slots=True)
class Pair:
    """Two models compared; the second is the first one trained if `after_training`."""

    names: tuple[str, str]
    first: Figures
    second: Figures
    difference: Figures  # second less first; no perplexities where tokenizers differ
    after_training: bool

    def __str__(self) -> str:
        """The verdict."""
        return f"{self._keystrokes()} {self._expectation()} {self._general()}"

    def _keystrokes(self) -> str:
        was, now = (_percent(figures[TOLD].value) for figures in (self.first, self.second))
        if self.after_training:
            values = f"On your text Foretype now saves {now} of keystrokes, before {was}"
        else:
            values = (
                f"On this text {self.names[1]} saves {now} of keystrokes, {self.names[0]} {was}"
            )
        change = self.difference[TOLD]
        interval = f"95 %: {signed(change.low)} to {signed(change.high)} points"
        if not change.is_certain:
            return f"{values}; {_uncertain(change, interval)}."
        if self.after_training and change.value < 0:
            return f"{values}; it got worse ({interval}); {ROLLBACK}."
        return f"{values}; the difference is real ({interval})."

    def _expectation(self) -> str:
        """How well the text is expected: in perplexity, or bits per byte where that is not fair."""
        if "perplexity" not in self.difference:
            return (
                "They split text into different tokens, so their perplexities cannot be compared; "
                f"bits per byte can: {self._values('bits_per_byte', 3)}: "
                f"{_ratio(self.difference['bits_per_byte'])}."
            )
        change = self.difference["perplexity"]
        return f"Perplexity is {self._values('perplexity', 1)}: {_ratio(change)}."

    def _general(self) -> str:
        """What was forgotten, if anything."""
        name, title, digits = "general_perplexity", "perplexity", 1
        if name not in self.difference:
            name, title, digits = "general_bits_per_byte", "bits per byte", 3
        change = self.difference[name]
        values = (
            f"({title} {self._values(name, digits)}: {signed(change.value)} %, "
            f"95 %: at most {signed(change.high)} %)"
        )
        is_trained = self.after_training
        subject, other = ("it", "before") if is_trained else (self.names[1], self.names[0])
        if change.value > MOST_FORGOTTEN:
            verb = "has become" if is_trained else "is"
            return f"On general English {subject} {verb} worse {values}."
        nearly = "nearly " if change.value > 0 else ""
        return f"On general English {subject} is {nearly}as good as {other} {values}."

    def _values(self, name: str, digits: int) -> str:
        label = "before" if self.after_training else self.names[0]
        now, was = self.second[name].value, self.first[name].value
        return f"{now:.{digits}f}, {label} {was:.{digits}f}"


def _ratio(change: Figure) -> str:
    """A difference in a measure of which less is better."""
    if not change.is_certain:
        return _uncertain(change, f"95 %: {signed(change.low)} to {signed(change.high)} %")
    low, high = sorted((abs(change.low), abs(change.high)))
    better = (
        "lower, so it expects this text better" if change.value < 0 else "higher, so it is worse"
    )
    return f"{_percent(abs(change.value))} {better} (95 %: {_percent(low)} to {_percent(high)})"


def _uncertain(change: Figure, interval: str) -> str:
    if change.low == change.high == 0:
        return "there is no difference"
    return f"no difference that could not be chance ({interval})"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def signed(share: float) -> str:
    """In per cent with its sign, such as `+4.9`; what rounds to nothing is `0.0`."""
    text = f"{100 * share:+.1f}".replace("-", "−")
    return "0.0" if text in ("+0.0", "−0.0") else text
