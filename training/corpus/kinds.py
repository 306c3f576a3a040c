"""Which reader reads which kind of file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from training.corpus.document import Unreadable
from training.corpus.plain import read_plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from training.corpus.document import CorpusOptions, Document, Tally
    from training.corpus.files import Source

    Reader = Callable[[Source, CorpusOptions, Tally], Iterator[Document]]

READERS: dict[str, Reader] = {".txt": read_plain, ".md": read_plain}


def read_source(source: Source, options: CorpusOptions, tally: Tally) -> Iterator[Document]:
    """The documents of one file.

    Raises:
        Unreadable: it is of no kind that can be read, or broken.
    """
    reader = READERS.get(source.kind)
    if reader is None:
        raise Unreadable(f"{source.kind or 'a file without a suffix'} holds no text to read")
    return reader(source, options, tally)
