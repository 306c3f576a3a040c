"""What a training says while it runs: JSON lines for programs, bars and sentences for people."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.progress import Progress, TaskID

TITLES = {
    "wait": "Waiting for another Foretype",
    "corpus": "Reading your texts",
    "load": "Loading the model",
    "train": "Training",
    "merge": "Putting the model together",
    "export": "Building the model for the editor",
    "check": "Checking the model",
    "evaluate": "Comparing it with the old one",
    "publish": "Putting it in place",
}
RESUME = "Stopped; what is trained so far is saved. The same command goes on from here."


class Reporter(Protocol):
    """Tells how a training goes and how it ended."""

    def report(self, stage: str, **figures: Any) -> None:
        """Tell the figures of a stage."""

    def finished(self, result: dict[str, Any]) -> None:
        """Tell that a model was published, and how good it is."""

    def failed(self, reason: str) -> None:
        """Tell why there is none."""

    def interrupted(self) -> None:
        """Tell how to go on."""


@contextlib.contextmanager
def reporter_for(as_json: bool, is_first: bool = True) -> Iterator[Reporter]:
    """JSON lines on stdout, or bars on a terminal's stderr, or plain lines there.

    Of several processes only the first one speaks.
    """
    if not is_first:
        yield Silence()
    elif as_json:
        yield JsonLines()
    elif not sys.stderr.isatty():
        yield PlainLines()
    else:
        with _progress() as bar:
            yield Bars(bar)


class Silence:
    """What another process than the first tells."""

    def report(self, stage: str, **figures: Any) -> None:
        """Say nothing."""

    def finished(self, result: dict[str, Any]) -> None:
        """Say nothing."""

    def failed(self, reason: str) -> None:
        """Print the reason: the first process only sees that this one is gone."""
        print(f"process {os.environ.get('RANK')}: {reason}", file=sys.stderr, flush=True)

    def interrupted(self) -> None:
        """Say nothing."""


class JsonLines:
    """One object a line on stdout."""

    def report(self, stage: str, **figures: Any) -> None:
        """Tell the figures of a stage."""
        self._print({"stage": stage, **figures})

    def finished(self, result: dict[str, Any]) -> None:
        """Tell the result."""
        self._print({"finished": result})

    def failed(self, reason: str) -> None:
        """Tell the reason."""
        self._print({"error": reason})

    def interrupted(self) -> None:
        """Say nothing: the exit code does."""

    def _print(self, said: dict[str, Any]) -> None:
        print(json.dumps(said, ensure_ascii=False), flush=True)


class PlainLines:
    """A line per stage on stderr, and the verdict on stdout."""

    def __init__(self) -> None:
        self._stage = ""

    def report(self, stage: str, **figures: Any) -> None:
        """Tell a stage once, and the training at every evaluation."""
        if "held_perplexity" in figures:
            self._say(_step(figures))
        elif "documents" in figures:
            self._say(_corpus(figures))
        elif stage == "memory":
            self._say(_memory(figures))
        elif stage != self._stage:
            self._stage = stage
            self._say(f"{TITLES.get(stage, stage)} …")

    def finished(self, result: dict[str, Any]) -> None:
        """Print the verdict and what can be done with it."""
        print(_ending(result))

    def failed(self, reason: str) -> None:
        """Print the reason."""
        self._say(reason)

    def interrupted(self) -> None:
        """Print how to go on."""
        self._say(RESUME)

    def _say(self, line: str) -> None:
        print(line, file=sys.stderr, flush=True)


class Bars(PlainLines):
    """A bar per stage on a terminal."""

    def __init__(self, bar: Progress) -> None:
        super().__init__()
        self._bar = bar
        self._task: TaskID | None = None

    def report(self, stage: str, **figures: Any) -> None:
        """Move the bar of the stage, and leave a line where there is news."""
        if "documents" in figures or stage == "memory":
            super().report(stage, **figures)
            return
        if stage != self._stage or self._task is None:
            self._stage = stage
            if self._task is not None:
                self._bar.remove_task(self._task)
            self._task = self._bar.add_task(TITLES.get(stage, stage), total=None, note="")
        if stage == "train":
            note = (
                f"loss {figures['loss']:.3f}, {figures['tokens_per_second']:,.0f} tokens/s, "
                f"{duration(figures['seconds_left'])} left"
            )
            self._bar.update(
                self._task, completed=figures["step"], total=figures["steps"], note=note
            )
            if "held_perplexity" in figures:
                self._say(_step(figures))
        else:
            self._bar.update(
                self._task, completed=figures["done"], total=figures["total"] or None,
                note=str(figures.get("message", ""))[-40:],
            )  # fmt: skip

    def _say(self, line: str) -> None:
        self._bar.console.print(line, highlight=False, markup=False)


def _progress() -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[note]}", style="dim"),
        console=Console(stderr=True),
        transient=True,
    )


def _corpus(figures: dict[str, Any]) -> str:
    told = (
        f"{figures['files']:,} files, {figures['documents']:,} documents, {figures['words']:,} "
        f"words, {figures['tokens']:,} tokens; {figures['held_documents']:,} documents are held "
        "back to measure with"
    )
    return "\n".join((told, *figures.get("advice", ())))


def _step(figures: dict[str, Any]) -> str:
    return (
        f"step {figures['step']:,} of {figures['steps']:,}: perplexity of the text held back "
        f"{figures['held_perplexity']:.2f}, {duration(figures['seconds_left'])} left"
    )


def _memory(figures: dict[str, Any]) -> str:
    return f"memory ran out; going on with {figures['micro_windows']} windows at a time"


def _ending(result: dict[str, Any]) -> str:
    name = result["name"]
    if result["selected"]:
        use = "it is what Foretype uses now. To go back: foretype models rollback"
    else:
        use = f"to use it: foretype models select {name}"
    return f"{result['verdict']}\n\n{name} is ready ({duration(result['seconds'])}); {use}"


def duration(seconds: float) -> str:
    """Seconds in words.

    >>> duration(42), duration(150), duration(8000)
    ('42 s', '2.5 min', '2 h 13 min')
    """
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 3600:
        return f"{seconds / 60:.1f} min"
    return f"{int(seconds // 3600)} h {int(seconds % 3600 // 60)} min"
