"""What one model achieves on a sample, in counts that add up; runs in a process of its own.

The predictor is the one the editor ships, without anybody's personal memory.
"""

from __future__ import annotations

import signal
from bisect import bisect_right
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from model.predictor import load_predictor
from model.reader import Reader
from model.scores import NATS_PER_BIT
from training.evaluation.sample import EvaluationError, Passage, Sample
from training.evaluation.typing import SHOWN, Typed, steps, type_step

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from multiprocessing.connection import Connection
    from pathlib import Path

    from model.predictor import Predictor

    Tell = Callable[[int], None]

CONTEXT_TOKENS = 512  # as in the editor; for reading too
TYPING_COST = 50  # of a word, where reading one costs 1


@dataclass(frozen=True, slots=True)
class Read:
    """How surprising a passage was: its total surprisal, its tokens and its bytes in UTF-8."""

    nats: float = 0.0
    tokens: int = 0
    bytes: int = 0


@dataclass(frozen=True, slots=True)
class Counts:
    """Of one model, one entry for each passage of the sample, and of the general text."""

    typed: tuple[Typed, ...]
    read: tuple[Read, ...]
    general: tuple[Read, ...]


@dataclass(frozen=True, slots=True)
class Task:
    """What every model has to do; `general` is a second sample, which is only read."""

    sample: Sample
    general: Sample

    @property
    def cost(self) -> int:
        """The work in it, in the units that `measure` tells of."""
        read_words = self.sample.read_words + self.general.read_words
        return read_words + TYPING_COST * self.sample.typed_words


def measure(folder: Path, task: Task, threads: int | None, tell: Tell) -> Counts:
    """Let the model in `folder` read and type; `tell` hears of each piece of work done.

    Raises:
        BundleError, SessionError: the model cannot be used, and why.
    """
    predictor = load_predictor(folder, context_tokens=CONTEXT_TOKENS, threads=threads)
    reader = Reader(predictor.session, predictor.tokenizer)
    return Counts(
        read=tuple(_read(reader, task.sample, tell)),
        general=tuple(_read(reader, task.general, tell)),
        typed=tuple(_type(predictor, task.sample, passage, tell) for passage in task.sample.typed),
    )


def work(connection: Connection, folder: Path, task: Task, threads: int | None) -> None:
    """Measure, and send numbers on the way, then Counts or an EvaluationError: a process's main."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who started it ends it
    try:
        connection.send(measure(folder, task, threads, connection.send))
    except BrokenPipeError:  # nobody is waiting any more
        return
    except (ValueError, OSError) as err:
        connection.send(EvaluationError(" ".join(str(err).split())))


def _type(predictor: Predictor, sample: Sample, passage: Passage, tell: Tell) -> Typed:
    def suggest(context: str, prefix: str) -> list[str]:
        return [word.text for word in predictor.words(context, prefix, SHOWN[-1])]

    text, total = sample.documents[passage.document], Typed()
    for step in steps(text, passage.start, passage.end):
        total += type_step(text, step, suggest)
        if step.word:
            tell(TYPING_COST)
    return total


def _read(reader: Reader, sample: Sample, tell: Tell) -> Iterator[Read]:
    """Read each document as far as its passages reach, end-of-text before it."""
    for document, group in groupby(sample.read, key=lambda passage: passage.document):
        chosen = list(group)
        yield from _read_document(reader, sample.documents[document], chosen)
        tell(sum(passage.words for passage in chosen))


def _read_document(reader: Reader, text: str, chosen: Sequence[Passage]) -> list[Read]:
    starts = [passage.start for passage in chosen]
    nats: list[list[float]] = [[] for _ in chosen]
    for token in reader.read(text[: chosen[-1].end]).tokens:
        nats[bisect_right(starts, token.start) - 1].append(token.surprisal_bits * NATS_PER_BIT)
    return [
        Read(sum(found), len(found), len(text[passage.start : passage.end].encode()))
        for passage, found in zip(chosen, nats, strict=True)
    ]
