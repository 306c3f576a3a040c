"""The models of one user: which are installed, and which one is selected.

    ROOT/selected                  the selected model's name
    ROOT/NAME/current              which of NAME's versions is in use
    ROOT/NAME/VERSION/…            a model folder (`model.bundle`)
    ROOT/.staging/NAME/…           work in progress, kept from others by ROOT/.staging/NAME.lock
    ROOT/downloads/…               files fetched for an installation that has not finished

A model changes hands in one step, the replacement of a one-line file, so that whoever is killed
at any moment leaves the old model or the new one.  Locks belong to processes and vanish with
them; what a lock no longer protects is rubbish, which `Catalogue.recover` takes away.
"""

from __future__ import annotations

import contextlib
import re
import secrets
import shutil
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from model.bundle import Bundle, BundleError, load_bundle
from model.files import sync_folder, why_unwritable, write_atomically

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DOWNLOADS = "downloads"

_NAME = re.compile(r"[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?")
# Only folders named like this are ever deleted: a root set by mistake to a folder full of other
# things costs nothing.
_VERSION = re.compile(r"\d{8}-\d{6}-[0-9a-f]{8}")
# Names this folder uses itself, and those that Windows keeps for devices.
_RESERVED = re.compile(r"(selected|downloads|con|prn|aux|nul|com\d|lpt\d)(\..*)?")


class CatalogueError(ValueError):
    """A request the catalogue refuses; the message says why and what would work."""


class ModelBusy(CatalogueError):
    """Another process is installing or removing the same model."""


@dataclass(frozen=True, slots=True)
class Installed:
    """One installed model; `problem` says why it cannot be used, if it cannot."""

    name: str
    folder: Path
    bundle: Bundle | None
    problem: str | None = None

    @property
    def size_bytes(self) -> int:
        """Bytes on disk, counted and not believed."""
        return sum(path.stat().st_size for path in self.folder.rglob("*") if path.is_file())

    @property
    def precision(self) -> str:
        """How the weights are stored, such as `int8`."""
        return str(self._card.get("precision", "unknown"))

    @property
    def licence(self) -> str:
        """The licence of the weights, as their card names it."""
        return str(self._card.get("licence") or "unknown")

    @property
    def perplexity(self) -> dict[str, Any]:
        """Perplexity on the reference text, `reference` in float and `exported` as it is stored."""
        found = self._card.get("perplexity")
        return found if isinstance(found, dict) else {}

    @property
    def _card(self) -> dict[str, Any]:
        return self.bundle.card if self.bundle else {}


def check_name(name: str) -> str:
    """Return `name` if a model may have it, so that no name is ever a path.

    Raises:
        CatalogueError: it may not.
    """
    if not _allowed(name):
        raise CatalogueError(
            f"{name!r} cannot be a model's name; use up to 64 lower-case letters, digits, "
            f"'.', '_' and '-', beginning and ending with a letter or digit"
        )
    return name


class Catalogue:
    """The models under one root folder, which is made when it is first needed."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._held: set[str] = set()

    def names(self) -> list[str]:
        """The names of the installed models, in order."""
        if not self.root.is_dir():
            return []
        return sorted(p.name for p in self.root.iterdir() if self._version(p.name) is not None)

    def installed(self) -> list[Installed]:
        """Every installed model, the broken ones with their problem."""
        return [self._look(name) for name in self.names()]

    def folder(self, name: str) -> Path:
        """Where the installed model `name` lies.

        Raises:
            CatalogueError: it is not installed.
        """
        version = self._version(check_name(name))
        if version is None:
            raise CatalogueError(
                f"{self._lacks(name)}; install it with `foretype models install {name}`"
            )
        return self.root / name / version

    def selected(self) -> str | None:
        """The name of the selected model, if it is installed."""
        try:
            name = (self.root / "selected").read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError):
            return None
        return name if self._version(name) is not None else None

    def select(self, name: str) -> None:
        """Make `name` the model that is used when none is named.

        Raises:
            CatalogueError: it is not installed, or the choice cannot be written.
            BundleError: it is broken.
        """
        load_bundle(self.folder(name))
        try:
            write_atomically(self.root / "selected", name + "\n")
        except OSError as err:
            raise CatalogueError(why_unwritable(self.root, err)) from err

    def remove(self, name: str) -> None:
        """Delete an installed model, and the selection if it was the selected one.

        Raises:
            CatalogueError: it is not installed, or being installed at this moment.
        """
        if self._version(check_name(name)) is None:
            raise CatalogueError(f"{self._lacks(name)}; there is nothing to remove")
        with self._lock(name):
            was_selected = self.selected() == name
            (self.root / name / "current").unlink()
            if was_selected:
                (self.root / "selected").unlink()
            self._sweep(name)

    @contextlib.contextmanager
    def staging(self, name: str, *, wait: bool = False) -> Iterator[Path]:
        """Hold `name` for one process and lend an empty folder to build its next version in.

        The folder is on the same disk as the models, and is gone afterwards whatever happened.

        Raises:
            ModelBusy: another process holds `name`, and `wait` is false.
        """
        with self._lock(check_name(name), wait=wait):
            folder = self._staged(name)
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            try:
                yield folder
            finally:
                shutil.rmtree(folder, ignore_errors=True)

    def publish(self, name: str, staged: Path) -> Path:
        """Move the finished model folder `staged` into place as `name` and return its new path.

        The previous version stays in use until the one step that puts this one in its place.

        Raises:
            BundleError: `staged` is not a usable model.
            CatalogueError: `name` is not allowed.
            ModelBusy: another process holds `name`.
        """
        load_bundle(staged)
        version = f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}-{secrets.token_hex(4)}"
        home = self.root / check_name(name)
        with self._lock(name):
            home.mkdir(parents=True, exist_ok=True)
            staged.rename(home / version)
            sync_folder(home)
            write_atomically(home / "current", version + "\n")
            sync_folder(self.root)
            self._sweep(name)
        return home / version

    def recover(self) -> None:
        """Take away what interrupted processes left half done; live ones keep theirs."""
        if not self.root.is_dir():
            return
        for name in {p.name for p in _entries(self.root) + _entries(self.root / ".staging")}:
            if _allowed(name) and (self._staged(name).is_dir() or self._strays(name)):
                # Busy, or not to be written: then it stays until it can be taken away.
                with contextlib.suppress(CatalogueError), self._lock(name):
                    shutil.rmtree(self._staged(name), ignore_errors=True)
                    self._sweep(name)

    def _lacks(self, name: str) -> str:
        others = ", ".join(self.names()) or "none"
        return f"no model named {name!r} is installed (installed: {others})"

    def _look(self, name: str) -> Installed:
        folder = self.folder(name)
        try:
            return Installed(name, folder, load_bundle(folder))
        except BundleError as err:
            return Installed(name, folder, None, str(err))

    def _version(self, name: str) -> str | None:
        """The version of `name` in use; None if there is none, or `name` is no name."""
        if not _allowed(name):
            return None
        try:
            version = (self.root / name / "current").read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError):
            return None
        return version if _VERSION.fullmatch(version) else None

    def _staged(self, name: str) -> Path:
        return self.root / ".staging" / name

    @contextlib.contextmanager
    def _lock(self, name: str, *, wait: bool = False) -> Iterator[None]:
        """Hold `name` against other processes and other catalogues; nests within one catalogue."""
        from filelock import FileLock, Timeout

        if name in self._held:
            yield
            return
        path = self._staged(name).with_name(name + ".lock")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            lock = FileLock(path, timeout=-1 if wait else 0)
            lock.acquire()
        except Timeout as err:
            raise ModelBusy(
                f"{name} is being installed or removed by another Foretype; wait for it to finish"
            ) from err
        except OSError as err:  # Timeout is one too
            raise CatalogueError(why_unwritable(self.root, err)) from err
        self._held.add(name)
        try:
            yield
        finally:
            self._held.discard(name)
            lock.release()

    def _sweep(self, name: str) -> None:
        """Delete what `name` no longer uses; what Windows still holds open waits for `recover`."""
        for path in self._strays(name):
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)
        if self._version(name) is None:
            with contextlib.suppress(OSError):  # missing, or it holds files that are not ours
                (self.root / name).rmdir()

    def _strays(self, name: str) -> list[Path]:
        """Versions of `name` that are not in use, and a half-written `current`."""
        current = self._version(name)
        return [
            path
            for path in _entries(self.root / name)
            if (_VERSION.fullmatch(path.name) and path.name != current)
            or (path.name.startswith(".current.") and path.suffix == ".tmp")
        ]


def _allowed(name: str) -> bool:
    return bool(_NAME.fullmatch(name)) and not _RESERVED.fullmatch(name)


def _entries(folder: Path) -> list[Path]:
    return list(folder.iterdir()) if folder.is_dir() else []
