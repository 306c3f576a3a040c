"""Locks that belong to processes and vanish with them, one for each model."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from model.files import why_unwritable
from model.model_names import CatalogueError, ModelBusy

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class Locks:
    """The lock files `FOLDER/NAME.lock`; `folder` is made when it is first needed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._held: set[str] = set()

    @contextlib.contextmanager
    def hold(self, name: str, *, wait: bool = False) -> Iterator[None]:
        """Hold `name` against other processes and other `Locks`; nests within this one.

        Raises:
            ModelBusy: another one holds it, and `wait` is false.
            CatalogueError: the lock file cannot be written.
        """
        from filelock import FileLock, Timeout

        if name in self._held:
            yield
            return
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            lock = FileLock(self._folder / f"{name}.lock", timeout=-1 if wait else 0)
            lock.acquire()
        except Timeout as err:
            raise ModelBusy(
                f"{name} is being installed or removed by another Foretype; wait for it to finish"
            ) from err
        except OSError as err:  # Timeout is one too
            raise CatalogueError(why_unwritable(self._folder.parent, err)) from err
        self._held.add(name)
        try:
            yield
        finally:
            self._held.discard(name)
            lock.release()
