"""Files that hold the old content or the new after a crash or a power cut, never a mixture."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import secrets
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def write_atomically(path: Path, data: bytes | str) -> None:
    """Replace the content of `path` (text as UTF-8) in one step that survives a power cut."""
    if isinstance(data, str):
        data = data.encode()
    sibling = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        with sibling.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(sibling, path)
    except BaseException:
        sibling.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make the names in `folder` durable; systems that cannot (Windows) need no such call."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def why_unwritable(path: Path, err: OSError) -> str:
    """One line: that the user's file or folder `path` cannot be written, why, and what to do.

    >>> from pathlib import PurePosixPath
    >>> why_unwritable(PurePosixPath("/a"), OSError(errno.EROFS, "Read-only file system"))
    '/a cannot be written (Read-only file system); make it writable or set FORETYPE_HOME to a \
folder that is'
    """
    if err.errno == errno.ENOSPC:
        return f"{path} cannot be written: the disk is full; make room"
    return (
        f"{path} cannot be written ({err.strerror or err}); "
        "make it writable or set FORETYPE_HOME to a folder that is"
    )


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file's content in lower-case hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
