"""What a corpus is made of: documents, what is wanted of them, and what was left out and why."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from pathlib import Path

Unit = Literal["file", "blank-line", "line"]


class CorpusError(ValueError):
    """A corpus cannot be read as asked; the message says what to do."""


class Unreadable(Exception):
    """One file cannot be read, for the reason in the message; the rest can."""


class UnknownKind(Unreadable):
    """It is of a kind from which no text is read; the message is the kind."""


@dataclass(frozen=True, slots=True)
class Document:
    """One text by one person, such as a letter, a post or a day of a chat.

    Attributes:
        text: without what is not the author's own; lines end in a line feed.
        source: where it stands, for people: a file, or a place in one.
        date: in UTC, None where unknown.
        group: documents of one origin, whose common lines nobody typed; "" if all were typed.
        author: of a mail or chat, who wrote it: "Ann", "Ann <ann@example.com>"; else "".
    """

    text: str
    source: str
    date: datetime | None = None
    group: str = ""
    author: str = ""


@dataclass(frozen=True, slots=True)
class CorpusOptions:
    """What is wanted of the files.

    Attributes:
        unit: what is a document in plain text: the file, what blank lines separate, or a line.
        authors: names or addresses of whom to keep in chats and mail; () where there is only one.
        column: of tables, the one that holds the text.
        exclude: files whose sentences must not occur (see `overlap`).
        forgets_secrets: whether sentences go that seem to hold a secret.
    """

    unit: Unit = "file"
    authors: tuple[str, ...] = ()
    column: str | None = None
    exclude: tuple[Path, ...] = ()
    forgets_secrets: bool = True


@dataclass(frozen=True, slots=True)
class LeftOut:
    """So many of `what` (files by name, messages, lines, documents) left out, and why."""

    what: str
    why: str
    count: int


@dataclass(slots=True)
class Tally:
    """Counts what is left out while a corpus is read, and collects what the user should know."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    advice: list[str] = field(default_factory=list)

    def leave_out(self, what: str, why: str, count: int = 1) -> None:
        """Note that `count` of `what` were left out."""
        if count:
            self.counts[what, why] += count

    def left_out(self) -> tuple[LeftOut, ...]:
        """Everything left out, in the order in which it was first met."""
        return tuple(LeftOut(what, why, count) for (what, why), count in self.counts.items())


def in_utc(date: datetime) -> datetime:
    """The same moment in UTC; a time without a zone is taken to be UTC, near enough for order."""
    return date.replace(tzinfo=UTC) if date.tzinfo is None else date.astimezone(UTC)
