"""What a trace of the editor (`app.trace`) says: how long writers waited for suggestions."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from model.bench import Timing

if TYPE_CHECKING:
    from pathlib import Path


class TraceError(ValueError):
    """A file that is no trace of the editor."""


@dataclass(frozen=True, slots=True)
class TraceSummary:
    """Keystrokes, and how many saw their suggestions painted before the next key came."""

    keys: int
    painted: int
    prepared: int  # of those painted: read off work done before the key
    first: Timing  # from the key to the first suggestions painted for it
    last: Timing  # to the last ones, once the model had refined them
    model: Timing  # what the model took for those


def summarise(file: Path) -> TraceSummary:
    """Sum up a trace.

    Raises:
        TraceError: a line is no keystroke, or no keystroke got suggestions.
    """
    keys, prepared, first_ms, last_ms, model_ms = 0, 0, [], [], []
    for number, line in enumerate(file.read_bytes().splitlines(), 1):
        try:
            stroke = json.loads(line)
            if stroke["painted_ms"] is not None:
                first_ms.append(float(stroke["latency_ms"]))
                last_ms.append(stroke["refined_ms"] - stroke["key_ms"])
                model_ms.append(float(stroke["model_ms"]))
                prepared += bool(stroke.get("prepared"))
        except (ValueError, KeyError, TypeError) as err:
            raise TraceError(
                f"line {number} of {file} is no keystroke; give a file that "
                "`foretype --trace FILE` has written"
            ) from err
        keys += 1
    if not first_ms:
        raise TraceError(
            f"none of the {keys} keystrokes in {file} got suggestions; type more slowly, "
            "or wait until the model has started"
        )
    timings = map(Timing.of, (first_ms, last_ms, model_ms))
    return TraceSummary(keys, len(first_ms), prepared, *timings)
