"""Files of folders, and their bytes: unpacked as they are read, never all at once."""

from __future__ import annotations

import gzip
import io
import lzma
import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

from training.corpus.document import CorpusError, Tally, Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

UNPACKED: dict[str, type[gzip.GzipFile | lzma.LZMAFile]] = {
    ".xz": lzma.LZMAFile,
    ".gz": gzip.GzipFile,
}
BOMB_BYTES, BOMB_RATIO = 1 << 26, 200  # text shrinks to a fifth; what shrinks so is no text


@dataclass(frozen=True, slots=True)
class Source:
    """A file to be read: `name` is how the user knows it, who named it itself if `is_named`."""

    path: Path
    name: str
    is_named: bool = False

    @property
    def packing(self) -> str:
        """`.xz`, `.gz` or nothing."""
        suffix = self.path.suffix.lower()
        return suffix if suffix in UNPACKED else ""

    @property
    def kind(self) -> str:
        """The suffix that tells how to read the content, in lower case."""
        name = self.path.name.removesuffix(self.path.suffix) if self.packing else self.path.name
        return Path(name).suffix.lower()

    def open(self) -> BinaryIO:
        """The content, unpacked."""
        if not self.packing:
            return self.path.open("rb")
        unpacked = cast("BinaryIO", UNPACKED[self.packing](self.path, "rb"))
        limit = max(BOMB_BYTES, BOMB_RATIO * self.path.stat().st_size)
        return io.BufferedReader(_Bounded(unpacked, limit), 1 << 16)


class _Bounded(io.RawIOBase):
    """A stream that stops with a complaint when more comes out of it than a text packs."""

    def __init__(self, stream: BinaryIO, limit: int) -> None:
        self._stream = stream
        self._left = limit

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        data = self._stream.read(len(buffer))
        self._left -= len(data)
        if self._left < 0:
            raise Unreadable(
                f"it unpacks to more than {BOMB_RATIO} times its size, as no text does"
            )
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._stream.close()
        super().close()


def walk(paths: Iterable[Path], tally: Tally) -> Iterator[Source]:
    """Every regular file of `paths` and of the folders among them, in a fixed order, once.

    Hidden files and folders are passed over unless named themselves.

    Raises:
        CorpusError: a path does not exist.
    """
    seen: set[tuple[int, int]] = set()
    for path in paths:
        if not path.exists():
            raise CorpusError(f"{str(path)!r} does not exist; give files or folders that do")
        yield from _walk(path, seen, tally, is_named=True)


def _walk(
    path: Path, seen: set[tuple[int, int]], tally: Tally, *, is_named: bool = False
) -> Iterator[Source]:
    try:
        status = path.stat()
        if (identity := (status.st_dev, status.st_ino)) in seen:
            return  # named twice, or links that lead in a circle
        seen.add(identity)
        if stat.S_ISDIR(status.st_mode):
            for name in sorted(os.listdir(path)):
                if not name.startswith("."):
                    yield from _walk(path / name, seen, tally)
        elif not stat.S_ISREG(status.st_mode):
            tally.leave_out(str(path), "it is no file but a device or a pipe")
        elif not status.st_size:
            tally.leave_out(str(path), "it is empty")
        else:
            yield Source(path, str(path), is_named)
    except OSError as err:
        tally.leave_out(str(path), f"it cannot be read: {err.strerror or err}")
