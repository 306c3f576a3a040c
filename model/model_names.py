"""What a model may be called, and how a user refers to one: `NAME` or `NAME@VERSION`."""

from __future__ import annotations

import re

_NAME = re.compile(r"[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?")
# Names the catalogue uses itself, and those that Windows keeps for devices.
_RESERVED = re.compile(r"(selected|downloads|con|prn|aux|nul|com\d|lpt\d)(\..*)?")


class CatalogueError(ValueError):
    """A request the catalogue refuses; the message says why and what would work."""


class ModelBusy(CatalogueError):
    """Another process is installing, changing or removing the same model."""


def is_name(name: str) -> bool:
    """Whether a model may be called `name`."""
    return bool(_NAME.fullmatch(name)) and not _RESERVED.fullmatch(name)


def check_name(name: str) -> str:
    """Return `name` if a model may have it, so that no name is ever a path.

    Raises:
        CatalogueError: it may not.
    """
    if not is_name(name):
        raise CatalogueError(
            f"{name!r} cannot be a model's name; use up to 64 lower-case letters, digits, "
            f"'.', '_' and '-', beginning and ending with a letter or digit"
        )
    return name


def split_reference(reference: str) -> tuple[str, str | None]:
    """Return the name and the version, None for the one in use, that `reference` asks for.

    Raises:
        CatalogueError: its name cannot be a model's.
    """
    name, has_version, version = reference.partition("@")
    return check_name(name), version if has_version else None
