"""Documents kept in a temporary file, so that memory holds only where each one is."""

from __future__ import annotations

import json
import weakref
from array import array
from collections.abc import Sequence
from datetime import UTC, datetime
from tempfile import SpooledTemporaryFile
from typing import TYPE_CHECKING, overload

from training.corpus.document import Document

if TYPE_CHECKING:
    from collections.abc import Iterator

IN_MEMORY_BYTES = 1 << 26  # what is smaller never reaches the disk
UNDATED = float("-inf")


class Documents(Sequence[Document]):
    """A sequence of documents that are read from disk when asked for.

    `add` appends.  `dates` (seconds since 1970, `UNDATED` where unknown) and `characters` are
    known without reading.  The file goes away with the object; `folder` is where it stands.
    """

    def __init__(self, folder: str | None = None) -> None:
        self._file = SpooledTemporaryFile(IN_MEMORY_BYTES, dir=folder)  # noqa: SIM115
        weakref.finalize(self, self._file.close)
        self._starts = array("Q")
        self._end = 0
        self.dates = array("d")
        self.characters = array("Q")

    def add(self, document: Document) -> None:
        """Append a document."""
        date = document.date.timestamp() if document.date else None
        record = json.dumps([document.text, document.source, date, document.group, document.author])
        line = record.encode()
        self._file.seek(self._end)
        self._file.write(line)
        self._starts.append(self._end)
        self._end += len(line)
        self.dates.append(UNDATED if date is None else date)
        self.characters.append(len(document.text))

    def __len__(self) -> int:
        return len(self._starts)

    @overload
    def __getitem__(self, index: int) -> Document: ...
    @overload
    def __getitem__(self, index: slice) -> list[Document]: ...
    def __getitem__(self, index: int | slice) -> Document | list[Document]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        index = range(len(self))[index]
        start = self._starts[index]
        end = self._starts[index + 1] if index + 1 < len(self) else self._end
        self._file.seek(start)
        text, source, date, group, author = json.loads(self._file.read(end - start))
        day = None if date is None else datetime.fromtimestamp(date, UTC)
        return Document(text, source, day, group, author)

    def __iter__(self) -> Iterator[Document]:
        return map(self.__getitem__, range(len(self)))
