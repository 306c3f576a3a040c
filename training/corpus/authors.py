"""Whose words are learnt: in mails and chats one person's own, and nobody else's."""

from __future__ import annotations

from collections import Counter
from email.utils import parseaddr
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from training.corpus.document import Tally

MOST_NAMED = 8


class Authors:
    """Counts who wrote, and keeps what those wrote who are wanted.

    With nobody named, the only author there is is taken; of several none, and the user is told.
    """

    def __init__(self, wanted: Sequence[str]) -> None:
        self._wanted = [name.casefold().strip() for name in wanted]
        self._counts: Counter[str] = Counter()
        self._names: dict[str, str] = {}

    def note(self, author: str) -> bool:
        """Count a document by `author`; whether it may be wanted."""
        if not author:
            return True
        name, address = parseaddr(author) if "@" in author else (author, "")
        key = (address or name).casefold()
        self._counts[key] += 1
        self._names.setdefault(key, author)
        return not self._wanted or any(
            want in (key, name.casefold(), author.casefold())
            or set(want.split()) <= set(name.casefold().split())
            for want in self._wanted
        )

    @property
    def is_ambiguous(self) -> bool:
        """Whether several people wrote and nobody said who is meant."""
        return not self._wanted and len(self._counts) > 1

    def advise(self, tally: Tally, kept: int) -> None:
        """Tell the user who is there, if that decides what is used; `kept` documents were."""
        if self._wanted and not self._counts:
            tally.advice.append("no text here names its author, so --author changes nothing")
        if not self._counts or not (self.is_ambiguous or (self._wanted and not kept)):
            return
        most = self._counts.most_common(MOST_NAMED)
        people = ", ".join(f"{self._names[key]} ({count})" for key, count in most)
        more = (
            f" and {len(self._counts) - MOST_NAMED} more" if len(self._counts) > len(most) else ""
        )
        whose = f"{len(self._counts)} people wrote the mails and chats: {people}{more}"
        example = self._names[most[0][0]].partition(" <")[0]
        problem = "they were left out" if not self._wanted else "none is the one you named"
        tally.advice.append(f"{whose}; {problem}. Say whose words to use: --author {example!r}")
