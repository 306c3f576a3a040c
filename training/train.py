"""`python -m training.train PATHS… --root DIR`: train on texts, compare, publish; see `--help`.

With `--json` every line on stdout is one object: `{"stage", …}` on the way, and `{"finished"}` or
`{"error"}` at the end.  Ctrl-C or SIGTERM saves a checkpoint; the same command goes on from it.
The exit code is 0, 1 for an error, 2 for wrong options, 130 if it was interrupted.
"""

from __future__ import annotations

import os
import signal

# Threads that spin while they wait for one another stall when other programs compute as well.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
if __name__ == "__main__":  # until there is something to save, Ctrl-C just ends it
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))

import contextlib
import errno
import sys
import time
import traceback
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from model.catalogue import Catalogue, check_name
from training import command
from training.command import INTERRUPTED, is_first
from training.fetch import one_line
from training.request import Request, RequestError, parse

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from training.reporting import Reporter
    from training.run_folder import RunFolder

# The loop itself ends with a checkpoint, and what is put in place is never left half there.
UNINTERRUPTED = ("train", "memory", "publish")
_TIME = "%Y%m%d-%H%M%S"


class _Stop:
    """Whether the process was asked to end; asked twice, it ends at once."""

    def __init__(self) -> None:
        self.asked = False
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._on_signal)

    def _on_signal(self, number: int, _frame: object) -> None:
        if self.asked:
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)
        self.asked = True


def run_folder(request: Request, wanted: Path | None, fresh: bool) -> RunFolder:
    """The folder of an unfinished run of this very request, or a new one.

    Raises:
        RunError: the wanted folder holds another run, or cannot be written.
    """
    from training.run_folder import RunFolder

    place = Path(request.root).parent / "training"
    noted = [wanted] if wanted else sorted(place.glob("*/run.json"), reverse=True)
    found = [RunFolder(path if wanted else path.parent) for path in noted]
    if not fresh:
        for folder in found:
            if folder.result is None and folder.request and not _changes(request, folder):
                return folder
    if wanted and not fresh:
        _refuse_another(request, found[0])
    folder = RunFolder(wanted or _new_folder(place))
    folder.begin(request.to_dict())
    return folder


def _agreed_folder(request: Request, given: argparse.Namespace) -> RunFolder:
    """The run folder, the same for all processes under `torchrun`."""
    if "WORLD_SIZE" not in os.environ:
        return run_folder(request, given.run, given.fresh)
    from training.device import choose_device
    from training.parallel import join_group, local_rank
    from training.run_folder import RunFolder

    folder = run_folder(request, given.run, given.fresh) if is_first() else None
    group = join_group(choose_device(request.device, local_rank()).torch)
    return RunFolder(Path(group.told_by_first(str(folder and folder.path))))


def _changes(request: Request, folder: RunFolder) -> list[str]:
    return request.differs_from(folder.request or {})


def _refuse_another(request: Request, folder: RunFolder) -> None:
    """Keep a run that was asked for by name from being replaced by another one."""
    from training.run_folder import RunError, environment

    again = "name another folder, or begin again there with --fresh"
    if folder.result is not None:
        raise RunError(f"{folder.path} holds a training that is finished; {again}")
    if folder.request is None:
        return
    theirs, mine = folder.version, environment()["foretype"]
    by = "" if theirs == mine else f" by Foretype {theirs} (this is {mine})"
    changed = ", ".join(_changes(request, folder))
    raise RunError(
        f"{folder.path} holds a training begun{by} with other options ({changed}), so it cannot go "
        f"on as this one; {again}"
    )


def _new_folder(place: Path) -> Path:
    """Make a folder named by the time, which no other training has."""
    stamp, number = time.strftime(_TIME), 1
    while True:
        path = place / (stamp if number == 1 else f"{stamp}-{number}")
        try:
            path.mkdir(parents=True)
        except FileExistsError:
            number += 1
        else:
            return path


def train(
    request: Request, folder: RunFolder, reporter: Reporter, stop: _Stop, *, selects: bool
) -> int:
    """Run the pipeline, tell how it ended and return the exit code.

    With `selects`, a model that did not get worse is the one in use afterwards; one that was
    trained from scratch, only where there is no other.
    """
    from training.loop import Interrupted
    from training.pipeline import Pipeline

    def report(stage: str, **figures: Any) -> None:
        reporter.report(stage, **figures)
        if stop.asked and stage not in UNINTERRUPTED:
            raise Interrupted

    try:
        with folder.hold():
            finished = Pipeline(request, folder, report, lambda: stop.asked).run()
    except Interrupted:
        reporter.interrupted()
        return INTERRUPTED
    if finished is not None:
        catalogue = Catalogue(Path(request.root))
        is_toy = bool(request.preset) and catalogue.selected() is not None
        finished["selected"] = selects and not is_toy and _is_no_worse(finished)
        if finished["selected"]:
            catalogue.select(request.name)
        folder.finish(finished)
        reporter.finished(finished)
    return 0


def _is_no_worse(finished: dict[str, Any]) -> bool:
    """Whether as many keystrokes are saved as before, or nothing was compared."""
    before, after = (finished[key].get("figures") for key in ("before", "after"))
    if not before or not after:
        return True
    return bool(after["saved_3"]["value"] >= before["saved_3"]["value"])


def explain(err: BaseException) -> str:
    """One line for the user: what happened and what to do about it."""
    if isinstance(err, OSError) and err.errno in (errno.ENOSPC, errno.EDQUOT):
        return "the disk is full; make room, and run the same command to go on"
    if isinstance(err, MemoryError):
        return "memory ran out; close other programs, and run the same command to go on"
    if type(err).__name__ == "OutOfMemory":
        return one_line(err)
    return command.explain(err)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    from training.reporting import reporter_for

    warnings.filterwarnings("ignore", module="torch")
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    try:
        request, given = parse(argv)
    except RequestError as err:
        if is_first():
            print(err, file=sys.stderr)
        return 2
    stop = _Stop()
    with reporter_for(given.json, is_first()) as reporter:
        try:
            check_name(request.name)
            folder = _agreed_folder(request, given)
            selects = not given.json and given.select
            return train(request, folder, reporter, stop, selects=selects)
        except BrokenPipeError:  # nobody is listening any more
            return 1
        except Exception as err:
            if stop.asked:  # before there was anything to save
                return INTERRUPTED
            if given.debug:
                traceback.print_exc()
            if is_first() or not isinstance(err, ValueError | OSError):  # those all find
                with contextlib.suppress(BrokenPipeError):
                    reporter.failed(explain(err))
            return 1


if __name__ == "__main__":
    sys.exit(main())
