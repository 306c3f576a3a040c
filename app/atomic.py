"""Replacing a writer's file: the old one or the new one survives a crash, whole."""

from __future__ import annotations

import contextlib
import os
import secrets
from typing import TYPE_CHECKING

from model.files import sync_folder

if TYPE_CHECKING:
    from pathlib import Path


def replace_file(path: Path, data: bytes) -> None:
    """Write `data` to a sibling of `path`, flush it to the disk and rename it into place.

    Unlike `model.files.write_atomically`, for files that are not ours alone: a symbolic link stays
    one (the file it points to is replaced), and permissions, and where the system allows it the
    owner, are kept.

    Raises:
        OSError: the folder or the disk refuses; `path` is untouched and no sibling is left.
    """
    target = path.resolve()
    sibling = target.with_name(f".foretype-{secrets.token_hex(6)}.tmp")
    try:
        descriptor = os.open(sibling, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            _adopt_permissions(descriptor, target)
            file.flush()
            os.fsync(descriptor)
        os.replace(sibling, target)
    except BaseException:
        with contextlib.suppress(OSError):
            sibling.unlink()
        raise
    sync_folder(target.parent)


def _adopt_permissions(descriptor: int, target: Path) -> None:
    if os.name != "posix" or not target.exists():
        return
    old, new = target.stat(), os.fstat(descriptor)
    if (old.st_uid, old.st_gid) != (new.st_uid, new.st_gid):
        with contextlib.suppress(PermissionError):
            os.fchown(descriptor, old.st_uid, old.st_gid)
    os.fchmod(descriptor, old.st_mode & 0o7777)  # after chown, which clears set-id bits
