"""What the programs of `training/` say, one JSON object a line; free of Qt."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from app.training_process import Stage, said_in, stage_in


class TrainingError(RuntimeError):
    """A training or the reading of texts failed; the message is one line that says why."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """So many of `what` that will not be used, and why."""

    what: str
    why: str
    count: int


@dataclass(frozen=True, slots=True)
class Texts:
    """What was found in the chosen files; `seconds` is about how long training on it takes.

    `samples` are beginnings of some texts, each with the file it comes from.
    """

    files: int
    documents: int
    words: int
    seconds: float | None = None
    left_out: tuple[LeftOut, ...] = ()
    samples: tuple[tuple[str, str], ...] = ()
    advice: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """One step of `steps`; `loss` is in nats per token, `held_perplexity` None where not measured.

    `held_perplexity` is measured on text kept back from training.
    """

    step: int
    steps: int
    loss: float
    tokens_per_second: float
    seconds_left: float
    held_perplexity: float | None = None


@dataclass(frozen=True, slots=True)
class Finished:
    """A training that has put a version of a model in place; `before` and `after` are scores."""

    name: str
    version: str
    folder: Path
    seconds: float
    verdict: str
    before: dict[str, Any] = field(default_factory=dict)
    after: dict[str, Any] = field(default_factory=dict)

    @property
    def reference(self) -> str:
        """What the catalogue calls it."""
        return f"{self.name}@{self.version}"


Said = Texts | Step | Stage | Finished


def parse_line(line: str) -> Said | None:
    """What one line means; None for a line that is not the program's own.

    Raises:
        TrainingError: the line reports a failure.
    """
    said = said_in(line)
    if "error" in said:
        raise TrainingError(str(said["error"]))
    if isinstance(finished := said.get("finished"), dict):
        return _texts(finished) if "documents" in finished else _finished(finished)
    if said.get("stage", "train") == "train" and "step" in said:  # without, in the run's log
        return _step(said)
    if "documents" in said:
        return _texts(said)
    return stage_in(said)


def _finished(said: dict[str, Any]) -> Finished:
    return Finished(
        str(said["name"]),
        str(said["version"]),
        Path(str(said.get("folder", ""))),
        float(said.get("seconds") or 0),
        str(said.get("verdict") or ""),
        said.get("before") or {},
        said.get("after") or {},
    )


def _step(said: dict[str, Any]) -> Step:
    held = said.get("held_perplexity")
    return Step(
        int(said["step"]),
        int(said.get("steps") or 0),
        float(said.get("loss") or 0),
        float(said.get("tokens_per_second") or 0),
        float(said.get("seconds_left") or 0),
        None if held is None else float(held),
    )


def _texts(said: dict[str, Any]) -> Texts:
    left_out = tuple(
        LeftOut(str(entry.get("what", "")), str(entry.get("why", "")), int(entry.get("count", 1)))
        for entry in said.get("left_out") or ()
        if isinstance(entry, dict)
    )
    samples = tuple(
        (str(entry.get("text", "")), str(entry.get("source", "")))
        for entry in said.get("samples") or ()
        if isinstance(entry, dict)
    )
    seconds = said.get("seconds")
    return Texts(
        int(said.get("files") or 0),
        int(said["documents"]),
        int(said.get("words") or 0),
        None if seconds is None else float(seconds),
        left_out=left_out,
        samples=samples,
        advice=tuple(map(str, said.get("advice") or ())),
    )
