"""Dates where people and programs write them: in file names, headers and front matter."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from training.corpus.document import in_utc

_IN_NAME = re.compile(r"(?<!\d)((?:19|20)\d\d)([-_.]?)(\d\d)\2(\d\d)(?!\d)")


def date_in_name(name: str) -> datetime | None:
    """The day in a file name such as `2024-05-06 letter.txt` or `IMG_20240506.txt`.

    >>> date_in_name("notes 2024-02-30.md") is None
    True
    """
    for match in _IN_NAME.finditer(name):
        year, _, month, day = match.groups()
        try:
            return datetime(int(year), int(month), int(day), tzinfo=UTC)
        except ValueError:
            continue
    return None


def date_of(text: str) -> datetime | None:
    """The date that `text` is, in ISO 8601 or as seconds since 1970."""
    text = text.strip().strip("\"'")
    try:
        if text.replace(".", "", 1).isdecimal() and len(text) > 8 and float(text) < 1e10:
            return datetime.fromtimestamp(float(text), UTC)
        return in_utc(datetime.fromisoformat(text))
    except (ValueError, OverflowError, OSError):
        pass
    return date_in_name(text)
