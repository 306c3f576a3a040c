"""What the commands of `training/` have in common: how they speak, stop, fail and end.

With `--json` every line on stdout is one object: `{"stage", "done", "total", "message"}` on the
way, and one of their own or `{"error": …}` at the end.  Without, an error is one line on stderr.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import traceback
from typing import TYPE_CHECKING, NoReturn

from training.fetch import one_line

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable
    from types import FrameType

INTERRUPTED = 130


class Stopped(BaseException):
    """The process was asked to end; everything half done is cleared away on the way out."""


def is_first() -> bool:
    """Whether this process, of those that `torchrun` started, writes and speaks for all."""
    return os.environ.get("RANK", "0") == "0"


def print_json(**said: object) -> None:
    """Print one object, at once."""
    print(json.dumps(said, ensure_ascii=False), flush=True)


def report_json(stage: str, done: int, total: int, message: str = "") -> None:
    """Tell how far a stage is."""
    print_json(stage=stage, done=done, total=total, message=message)


def explain(err: BaseException) -> str:
    """One line for the user: what happened and what to do about it."""
    if isinstance(err, Stopped | KeyboardInterrupt):
        return "stopped"
    if isinstance(err, OSError) and err.filename and err.strerror:
        return one_line(f"{err.filename}: {err.strerror}")
    if isinstance(err, ValueError | OSError):
        return one_line(err)
    return f"unexpected {type(err).__name__}: {one_line(err)} (run again with --debug)"


def add_output_options(parser: argparse.ArgumentParser) -> None:
    """Add `--json` and `--debug`."""
    parser.add_argument("--json", action="store_true", help="JSON lines on stdout")
    parser.add_argument("--debug", action="store_true", help="show tracebacks")


def run(
    work: Callable[[], None],
    *,
    as_json: bool,
    debug: bool,
    complaint: Callable[[BaseException], dict[str, object]] | None = None,
) -> int:
    """Do the work of a command and return its exit code: 0, 130 when it was stopped, else 1.

    `complaint` gives what is told of an error: a line as `error`, and more for programs.
    """
    signal.signal(signal.SIGTERM, _stop)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr]
    try:
        work()
    except BrokenPipeError:  # nobody is listening any more
        return 1
    except (Exception, Stopped, KeyboardInterrupt) as err:
        if debug:
            traceback.print_exc()
        said = complaint(err) if complaint else {"error": explain(err)}
        if as_json:
            with contextlib.suppress(BrokenPipeError):
                print_json(**said)
        else:
            print(said["error"], file=sys.stderr)
        return INTERRUPTED if isinstance(err, Stopped | KeyboardInterrupt) else 1
    return 0


def _stop(_number: int, _frame: FrameType | None) -> NoReturn:
    raise Stopped
