"""What a comparison means, in plain words: is it better, is that certain, what did it cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from training.evaluation.figures import Figure

    Figures = Mapping[str, Figure]
    Model = tuple[str, Figures]  # its name, what was measured of it

SHOWN_IN_WORDS = {1: "one suggestion", 3: "three suggestions", 5: "five suggestions"}
TOLD = 3  # suggestions, of which the verdict tells
MOST_FORGOTTEN = 0.03  # of perplexity on general text, before it is called worse
ROLLBACK = "to go back: foretype models rollback"


def alone(name: str, figures: Figures) -> str:
    """The figures of a model that is compared with no other."""
    saved, perplexity = figures[f"saved_{TOLD}"], figures["perplexity"]
    return (
        f"On this text {name} saves {_percent(saved.value)} of keystrokes with "
        f"{SHOWN_IN_WORDS[TOLD]} (95 %: {_percent(saved.low)} to {_percent(saved.high)}). "
        f"Its perplexity is {perplexity.value:.1f}, on general English "
        f"{figures['general_perplexity'].value:.1f}."
    )


def pair(before: Model, after: Model, difference: Figures, *, after_training: bool) -> str:
    """How `after` differs from `before`, which is the same model untrained if `after_training`."""
    sentences = (_keystrokes, _expectation, _general)
    return " ".join(say(before, after, difference, after_training) for say in sentences)


def _keystrokes(before: Model, after: Model, difference: Figures, after_training: bool) -> str:
    name = f"saved_{TOLD}"
    was, now, change = before[1][name], after[1][name], difference[name]
    if after_training:
        start = (
            f"On your text Foretype now saves {_percent(now.value)} of keystrokes, "
            f"before {_percent(was.value)}"
        )
    else:
        start = (
            f"On this text {after[0]} saves {_percent(now.value)} of keystrokes, "
            f"{before[0]} {_percent(was.value)}"
        )
    interval = f"95 %: {_points(change.low)} to {_points(change.high)} points"
    if not change.is_certain:
        return f"{start}; {_uncertain(change)}."
    if change.value < 0 and after_training:
        return f"{start}; it got worse ({interval}); {ROLLBACK}."
    return f"{start}; the difference is real ({interval})."


def _uncertain(change: Figure) -> str:
    if change.low == change.high == 0:
        return "there is no difference"
    interval = f"{_points(change.low)} to {_points(change.high)} points"
    return f"no difference that could not be chance (95 %: {interval})"


def _expectation(before: Model, after: Model, difference: Figures, after_training: bool) -> str:
    """How well the text is expected: in perplexity, or in bits per byte where that is not fair."""
    if "perplexity" in difference:
        name, title, digits = "perplexity", "Perplexity is", 1
    else:
        name, digits = "bits_per_byte", 3
        title = (
            "The models split text into different tokens, so their perplexities cannot be "
            "compared; bits per byte can: they are"
        )
    was, now, change = before[1][name], after[1][name], difference[name]
    label = "before" if after_training else before[0]
    return f"{title} {now.value:.{digits}f}, {label} {was.value:.{digits}f}: {_ratio(change)}."


def _general(before: Model, after: Model, difference: Figures, after_training: bool) -> str:
    """What was forgotten, if the second model is the first one trained."""
    name, title = "general_perplexity", "perplexity"
    if name not in difference:
        name, title = "general_bits_per_byte", "bits per byte"
    was, now, change = before[1][name], after[1][name], difference[name]
    digits = 1 if title == "perplexity" else 3
    label = "before" if after_training else before[0]
    values = f"{title} {now.value:.{digits}f}, {label} {was.value:.{digits}f}"
    if change.low == change.high == 0:
        return f"On general English nothing has changed ({title} {now.value:.{digits}f})."
    found = f"({values}; {_signed(change.value)}, at most {_signed(change.high)})"
    if change.value > MOST_FORGOTTEN:
        said = "it has become worse" if after_training else "it is worse"
        return f"On general English {said} {found}."
    if after_training:
        return f"On general English it is as good as before {found}."
    return f"On general English: {values} ({_signed(change.value)})."


def _ratio(change: Figure) -> str:
    if change.low == change.high == 0:
        return "no difference"
    if not change.is_certain:
        interval = f"{_signed(change.low)} to {_signed(change.high)}"
        return f"no difference that could not be chance (95 %: {interval})"
    low, high = sorted((abs(change.low), abs(change.high)))
    direction = "lower, so it expects this text better" if change.value < 0 else "higher: worse"
    return f"{_percent(abs(change.value))} {direction} (95 %: {_percent(low)} to {_percent(high)})"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _points(share: float) -> str:
    return f"{100 * share:+.1f}".replace("-", "−")


def _signed(share: float) -> str:
    return f"{_points(share)} %"
