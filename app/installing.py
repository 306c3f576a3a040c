"""Installing a model in a process of its own, seen from the app; free of Qt.

Training code is never imported here: `install_command` is what to start (with `subprocess` or
`QProcess`), and `parse_line` what each line it prints means.
"""

from __future__ import annotations

import contextlib
import subprocess
from collections import deque
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, cast

from app.training_process import Stage, command_of, said_in, stage_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

STOPPED = "the installation was stopped; install again and it goes on from there"


class InstallError(RuntimeError):
    """An installation failed; the message is one line that says why and what to do.

    `is_unreachable` tells whether it was for want of a network.
    """

    def __init__(self, message: str, *, is_unreachable: bool = False) -> None:
        super().__init__(message)
        self.is_unreachable = is_unreachable


@dataclass(frozen=True, slots=True)
class Finished:
    """The end of an installation that succeeded; not `is_new` if there was nothing to do."""

    name: str
    folder: Path
    is_new: bool = True


def install_command(source: str, root: Path, options: Iterable[str] = ()) -> list[str]:
    """The program and arguments that install `source` under `root`; run it in any folder."""
    return [*command_of("install"), source, "--root", str(root), "--json", *options]


def parse_line(line: str) -> Stage | Finished | None:
    """What one line of the process says; None for a line that is not its own.

    Raises:
        InstallError: the line reports a failure.
    """
    said = said_in(line)
    if "error" in said:
        raise InstallError(str(said["error"]), is_unreachable=bool(said.get("unreachable")))
    if "installed" in said:
        return Finished(str(said["installed"]), Path(str(said["folder"])))
    return stage_in(said)


def run_install(
    source: str, root: Path, progress: Callable[[Stage], None], options: Iterable[str] = ()
) -> Finished:
    """Install `source` under `root` and return when it is there; an exception here ends it.

    Raises:
        InstallError: it failed, with the reason in one line.
    """
    process = subprocess.Popen(
        install_command(source, root, options),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        errors="replace",
    )
    complaints: deque[str] = deque(maxlen=20)
    reader = Thread(target=complaints.extend, args=(process.stderr,), daemon=True)
    reader.start()
    finished, is_new = None, True
    try:
        for line in cast("Iterable[str]", process.stdout):
            said = parse_line(line)
            if isinstance(said, Stage):
                is_new = is_new and said.name != "kept"
                progress(said)
            elif said is not None:
                finished = replace(said, is_new=is_new)
        process.wait()
    except BaseException:
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(10)
        raise
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        reader.join(1)
        for pipe in (process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()
    if finished is None:
        if process.returncode < 0:  # by a signal: it had no time to say why
            raise InstallError(STOPPED)
        last = next((line.strip() for line in reversed(complaints) if line.strip()), "no reason")
        raise InstallError(f"the installation of {source} ended with {process.returncode}: {last}")
    return finished
