"""Several models measured side by side, each in a process of its own, with its share of cores."""

from __future__ import annotations

import multiprocessing
import os
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, cast

from training.evaluation.measuring import Counts, work
from training.evaluation.sample import EvaluationError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess
    from pathlib import Path

    from training.evaluation.measuring import Task
    from training.fetch import Report


def measure_all(folders: Sequence[Path], task: Task, progress: Report | None) -> list[Counts]:
    """The counts of every model, in order; `progress` is told of the stage "evaluate".

    Raises:
        EvaluationError: a model cannot be used, or its process ended before its time.
    """
    processes = _Processes(task, cores=_cores(), at_once=min(len(folders), _cores()))
    waiting, done = list(enumerate(folders)), 0
    found: dict[int, Counts] = {}
    try:
        while len(found) < len(folders):
            while waiting and processes.has_room:
                processes.start(*waiting.pop(0))
            for model, said in processes.listen():
                if isinstance(said, Counts):
                    found[model] = said
                else:
                    done += said
                    if progress:
                        progress("evaluate", done, task.cost * len(folders))
    finally:
        processes.end()
    return [found[model] for model in range(len(folders))]


class _Processes:
    """Those that run now, by the pipe that each of them talks through."""

    def __init__(self, task: Task, *, cores: int, at_once: int) -> None:
        self._task, self._at_once = task, at_once
        self._threads = max(cores // at_once, 1)
        self._running: dict[Connection, tuple[int, BaseProcess]] = {}
        # A fork would share the threads of onnxruntime and torch with its parent, and hang.
        self._context = multiprocessing.get_context("spawn")

    @property
    def has_room(self) -> bool:
        """Whether another one may start."""
        return len(self._running) < self._at_once

    def start(self, model: int, folder: Path) -> None:
        """Begin to measure one model."""
        receiver, sender = self._context.Pipe(duplex=False)
        arguments = (sender, folder, self._task, self._threads)
        process = self._context.Process(target=work, args=arguments, daemon=True)
        process.start()
        sender.close()  # else its end would not be noticed
        self._running[receiver] = (model, process)

    def listen(self) -> list[tuple[int, int | Counts]]:
        """Wait for news: each is a model, and work it has done or, at last, its counts.

        Raises:
            EvaluationError: a process says that it failed, or is gone.
        """
        news: list[tuple[int, int | Counts]] = []
        for connection in cast("list[Connection]", wait(list(self._running))):
            model, process = self._running[connection]
            try:
                said = connection.recv()
            except (EOFError, OSError) as err:
                process.join()
                raise EvaluationError(
                    f"the process that measured a model ended with {process.exitcode}; "
                    "perhaps memory ran out: close other programs and evaluate again"
                ) from err
            if isinstance(said, EvaluationError):
                raise said
            if isinstance(said, Counts):
                self._end(connection)
            news.append((model, said))
        return news

    def end(self) -> None:
        """Stop whatever still runs."""
        for connection in list(self._running):
            self._running[connection][1].terminate()
            self._end(connection)

    def _end(self, connection: Connection) -> None:
        _, process = self._running.pop(connection)
        process.join()
        process.close()
        connection.close()


def _cores() -> int:
    """Cores this process may use, which in a container are fewer than there are."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
