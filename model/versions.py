"""The versions of one model: how they are named and ordered, and which of them exist.

A model's file `current` has two lines.  The first is the way back: the version in use, then the
one in use before it, and so on.  The second names the versions that were left by going back, or
passed over.  A version that the file does not name does not exist, so replacing this one small file
adds, removes or changes versions in one step.
"""

from __future__ import annotations

import calendar
import contextlib
import re
import secrets
import shutil
import time
from typing import TYPE_CHECKING

from model.files import why_unwritable, write_atomically
from model.model_names import CatalogueError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from pathlib import Path

# The one in use, and two to go back to: about 1.3 GB for the default model.
KEPT_VERSIONS = 3

_LIST = "current"
_STAMP = "%Y%m%d-%H%M%S"
_STAMP_LENGTH = len("20260131-235959")
# Only folders named like this are ever deleted: a root set by mistake to a folder full of other
# things costs nothing.
_VERSION = re.compile(r"\d{8}-\d{6}-[0-9a-f]{8}")


class Versions:
    """The versions in the folder `home` of one model; whoever changes them holds its lock.

    Raises:
        CatalogueError: the list cannot be written.
    """

    def __init__(self, home: Path) -> None:
        self._home = home
        self._list = home / _LIST

    def read(self) -> list[str]:
        """Name all versions, that in use first; none if the list is missing or damaged."""
        way, left = self._read()
        return way + left

    def before(self) -> str | None:
        """The version that was in use before the one in use."""
        return next(iter(self._read()[0][1:]), None)

    def find(self, beginning: str) -> str:
        """The one version that begins like this.

        Raises:
            CatalogueError: there is none, or more than one.
        """
        versions = self.read()
        found = [version for version in versions if beginning and version.startswith(beginning)]
        if len(found) == 1:
            return found[0]
        known = ", ".join(short_version(v, versions) for v in sorted(versions, reverse=True))
        problem = f"means {len(found)} versions" if found else "is not a version"
        raise CatalogueError(f"{beginning!r} {problem} of {self._home.name}; there are {known}")

    def new(self) -> str:
        """A name for a version made now, which sorts after all others whatever the clock says."""
        moment = time.time()
        if made := [path.name for path in self._folders()]:
            newest = time.strptime(max(made)[:_STAMP_LENGTH], _STAMP)
            moment = max(moment, calendar.timegm(newest) + 1)
        return f"{time.strftime(_STAMP, time.gmtime(moment))}-{secrets.token_hex(4)}"

    def add(self, version: str) -> None:
        """Put a new version in use; of the others, the one in use and the newest are kept."""
        way, left = self._read()
        kept = {version, *way[:1]}
        kept.update(sorted({*way, *left} - kept, reverse=True)[: KEPT_VERSIONS - len(kept)])
        self._write([version, *way], left, kept)

    def use(self, version: str) -> None:
        """Put one of the versions in use: back to it, or forward with a way back from it."""
        way, left = self._read()
        new_way = way[way.index(version) :] if version in way else [version, *way]
        self._write(new_way, {*way, *left} - set(new_way), {*way, *left})

    def keep(self, kept: Collection[str]) -> None:
        """Delete all but these, among which is the one in use."""
        self._write(*self._read(), kept)

    def drop(self) -> None:
        """Delete them all."""
        self._list.unlink()
        self.sweep()

    def sweep(self) -> None:
        """Delete what is no version; what Windows still holds open waits for the next time."""
        for path in self.strays():
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)
        if not self.read():
            with contextlib.suppress(OSError):  # missing, or it holds files that are not ours
                self._home.rmdir()

    def strays(self) -> list[Path]:
        """Folders that are no version, and half-written lists; none while the list is damaged."""
        versions = self.read()
        if not versions and self._list.exists():
            return []
        unlisted = [path for path in self._folders() if path.name not in versions]
        return unlisted + list(self._home.glob(f".{_LIST}.*.tmp"))

    def _read(self) -> tuple[list[str], list[str]]:
        try:
            lines = self._list.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError):
            return [], []
        way, left = (line.split() for line in (*lines, "", "")[:2])
        is_sound = way and all(map(_VERSION.fullmatch, way + left))
        return (way, left) if is_sound else ([], [])

    def _write(self, way: Iterable[str], left: Iterable[str], kept: Collection[str]) -> None:
        """Write those that are kept and delete the others."""
        lines = ([v for v in way if v in kept], sorted(set(left) & set(kept), reverse=True))
        try:
            write_atomically(self._list, "".join(f"{' '.join(line)}\n" for line in lines))
        except OSError as err:
            raise CatalogueError(why_unwritable(self._home, err)) from err
        self.sweep()

    def _folders(self) -> list[Path]:
        if not self._home.is_dir():
            return []
        return [path for path in self._home.iterdir() if _VERSION.fullmatch(path.name)]


def short_version(version: str, versions: Iterable[str]) -> str:
    """The date and time of `version`, or all of it where another one begins alike."""
    short = version[:_STAMP_LENGTH]
    is_alone = [other[:_STAMP_LENGTH] for other in versions].count(short) <= 1
    return short if is_alone else version
