"""The models of one user: which are installed, in which versions, and which one is selected.

    ROOT/selected                  the selected model's name
    ROOT/NAME/current              the version of NAME in use, and the others that are kept
    ROOT/NAME/VERSION/…            a model folder (`model.bundle`)
    ROOT/.staging/NAME/…           work in progress, kept from others by ROOT/.staging/NAME.lock
    ROOT/downloads/…               files fetched for an installation that has not finished

A model changes hands in one step, the replacement of a small file, so that whoever is killed at
any moment leaves the old state or the new one.  Locks belong to processes and vanish with them;
what a lock no longer protects is rubbish, which `Catalogue.recover` takes away.
"""

from __future__ import annotations

import contextlib
import shutil
from typing import TYPE_CHECKING

from model.bundle import load_bundle
from model.files import sync_folder, why_unwritable, write_atomically
from model.installed import Installed, look_at
from model.locks import Locks
from model.model_names import CatalogueError, ModelBusy, check_name, is_name, split_reference
from model.versions import Versions

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["DOWNLOADS", "Catalogue", "CatalogueError", "Installed", "ModelBusy", "check_name"]

DOWNLOADS = "downloads"


class Catalogue:
    """The models under one root folder, which is made when it is first needed.

    A `reference` is a model's name, which means its version in use, or `NAME@VERSION`, where any
    unmistakable beginning of the version will do.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._staging = root / ".staging"
        self._locks = Locks(self._staging)

    def names(self) -> list[str]:
        """The names of the installed models, in order."""
        return sorted(path.name for path in _entries(self.root) if self._has(path.name))

    def installed(self) -> list[Installed]:
        """The version in use of every installed model, the broken ones with their problem."""
        return [look_at(name, self.folder(name)) for name in self.names()]

    def versions(self, name: str) -> list[Installed]:
        """Every version of `name` there is, the newest first; none if it is not installed."""
        versions = sorted(self._of(check_name(name)).read(), reverse=True)
        return [look_at(name, self.root / name / version) for version in versions]

    def folder(self, reference: str) -> Path:
        """Where an installed model lies.

        Raises:
            CatalogueError: it is not installed, or has no such version.
        """
        name, version = split_reference(reference)
        if not self._has(name):
            raise CatalogueError(
                f"{self._lacks(name)}; install it with `foretype models install {name}`"
            )
        versions = self._of(name)
        return (
            self.root / name / (versions.read()[0] if version is None else versions.find(version))
        )

    def selected(self) -> str | None:
        """The name of the selected model, if it is installed."""
        try:
            name = (self.root / "selected").read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError):
            return None
        return name if self._has(name) else None

    def select(self, reference: str) -> None:
        """Make this model the one that is used when none is named, and its version the one in use.

        Raises:
            CatalogueError: it is not installed, or the choice cannot be written.
            BundleError: it is broken.
        """
        name, version = split_reference(reference)
        folder = self.folder(reference)
        load_bundle(folder)
        if version is not None:
            self._use(name, folder.name)
        try:
            write_atomically(self.root / "selected", name + "\n")
        except OSError as err:
            raise CatalogueError(why_unwritable(self.root, err)) from err

    def way_back(self, name: str) -> Installed | None:
        """What `rollback` would return to; None if there is nothing.

        Raises:
            CatalogueError: `name` is not installed.
        """
        folder = self.folder(check_name(name))
        if version := self._of(name).before():
            return look_at(name, self.root / name / version)
        base = str(look_at(name, folder).trained.get("base"))
        is_there = base != name and self._has(base) and self.selected() == name
        return look_at(base, self.folder(base)) if is_there else None

    def rollback(self, name: str, to: str | None = None) -> Installed:
        """Return to the version `to` of `name`, or else to the one in use before.

        Where there was none before, the model that it was trained from is selected.  Nothing is
        deleted: `to` may just as well name a newer version, and `select` leads anywhere.

        Raises:
            CatalogueError: there is nothing to return to.
            BundleError: it is broken; the version in use stays.
        """
        self.folder(check_name(name))
        versions = self._of(name)
        version = versions.find(to) if to is not None else versions.before()
        if version is None:
            return self._return_to_base(name)
        self._use(name, version)
        return look_at(name, self.root / name / version)

    def remove(self, reference: str) -> None:
        """Delete a model with all its versions, and its selection, or one version not in use.

        Raises:
            CatalogueError: it is not installed, in use, or being installed at this moment.
        """
        name, version = split_reference(reference)
        if not self._has(name):
            raise CatalogueError(f"{self._lacks(name)}; there is nothing to remove")
        with self._locks.hold(name):
            versions = self._of(name)
            in_use, *others = versions.read()
            if version is None or (versions.find(version) == in_use and not others):
                was_selected = self.selected() == name
                versions.drop()
                if was_selected:
                    (self.root / "selected").unlink()
            elif versions.find(version) == in_use:
                raise CatalogueError(
                    f"{name} uses this version; go back to another one first "
                    f"(`foretype models rollback {name}`), or remove {name} as a whole"
                )
            else:
                versions.keep({in_use, *others} - {versions.find(version)})

    def prune(self, name: str, keep: int = 1) -> int:
        """Delete all but the version in use and the newest others, `keep` in all.

        Returns the bytes that were freed.

        Raises:
            CatalogueError: it is not installed, or being installed at this moment.
        """
        self.folder(check_name(name))
        with self._locks.hold(name):
            in_use, *others = self._of(name).read()
            kept = {in_use, *sorted(others, reverse=True)[: max(keep, 1) - 1]}
            freed = [entry.size_bytes for entry in self.versions(name) if entry.version not in kept]
            self._of(name).keep(kept)
        return sum(freed)

    @contextlib.contextmanager
    def staging(self, name: str, *, wait: bool = False) -> Iterator[Path]:
        """Hold `name` for one process and lend an empty folder to build its next version in.

        The folder is on the same disk as the models, and is gone afterwards whatever happened.

        Raises:
            ModelBusy: another process holds `name`, and `wait` is false.
        """
        with self._locks.hold(check_name(name), wait=wait):
            folder = self._staging / name
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            try:
                yield folder
            finally:
                shutil.rmtree(folder, ignore_errors=True)

    def publish(self, name: str, staged: Path) -> Path:
        """Move the finished model folder `staged` into place as `name` and return its new path.

        The version in use until then is kept for `rollback`, and the newest of the others,
        `KEPT_VERSIONS` in all.

        Raises:
            BundleError: `staged` is not a usable model.
            CatalogueError: `name` is not allowed.
            ModelBusy: another process holds `name`.
        """
        load_bundle(staged)
        home = self.root / check_name(name)
        with self._locks.hold(name):
            versions = self._of(name)
            version = versions.new()
            home.mkdir(parents=True, exist_ok=True)
            staged.rename(home / version)
            sync_folder(home)
            versions.add(version)
            sync_folder(self.root)
        return home / version

    def recover(self) -> None:
        """Take away what interrupted processes left half done; live ones keep theirs."""
        for name in {path.name for path in _entries(self.root) + _entries(self._staging)}:
            staged = self._staging / name
            if is_name(name) and (staged.is_dir() or self._of(name).strays()):
                # Busy, or not to be written: then it stays until it can be taken away.
                with contextlib.suppress(CatalogueError), self._locks.hold(name):
                    shutil.rmtree(staged, ignore_errors=True)
                    self._of(name).sweep()

    def _lacks(self, name: str) -> str:
        others = ", ".join(self.names()) or "none"
        return f"no model named {name!r} is installed (installed: {others})"

    def _of(self, name: str) -> Versions:
        return Versions(self.root / name)

    def _has(self, name: str) -> bool:
        return is_name(name) and bool(self._of(name).read())

    def _use(self, name: str, version: str) -> None:
        """Put a version in use; the others stay."""
        load_bundle(self.root / name / version)
        with self._locks.hold(name):
            self._of(name).use(version)

    def _return_to_base(self, name: str) -> Installed:
        """Select the model that `name`, which has no earlier version, was trained from."""
        base = str(look_at(name, self.folder(name)).trained.get("base") or "")
        problem = f"{name} has no earlier version"
        if not is_name(base) or base == name:
            raise CatalogueError(f"{problem} to go back to")
        if not self._has(base):
            raise CatalogueError(
                f"{problem}, and {base}, which it was trained from, is not installed; "
                f"install it with `foretype models install {base}`"
            )
        if self.selected() != name:
            raise CatalogueError(
                f"{problem} and is not the selected model; to use {base}, which it was trained "
                f"from: `foretype models select {base}`"
            )
        self.select(base)
        return look_at(base, self.folder(base))


def _entries(folder: Path) -> list[Path]:
    return list(folder.iterdir()) if folder.is_dir() else []
