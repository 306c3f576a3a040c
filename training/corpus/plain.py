"""Plain text: a file is one document, or several, one after each blank line or on each line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from training.corpus.cleaning import unwrap
from training.corpus.dates import date_in_name
from training.corpus.decoding import lines_of
from training.corpus.document import CorpusOptions, Document, Tally

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from training.corpus.files import Source

LONGEST_DOCUMENT = 1 << 19  # characters; a longer file is cut at the next blank line


def read_plain(source: Source, options: CorpusOptions, _tally: Tally) -> Iterator[Document]:
    """The documents of a text file, one after the other as they are read."""
    yield from plain_documents(lines_of(source), source, options)


def plain_documents(
    lines: Iterable[str], source: Source, options: CorpusOptions
) -> Iterator[Document]:
    """The documents that `lines` hold, as `options.unit` asks."""
    date = date_in_name(source.path.name)
    if options.unit == "file":
        for text in _pieces(lines):
            yield Document(unwrap(text), source.name, date, str(source.path.parent))
    elif options.unit == "line":
        for number, line in enumerate(lines, 1):
            yield Document(line, f"{source.name}:{number}", date, source.name)
    else:
        for number, text in _blocks(lines):
            yield Document(text, f"{source.name}:{number}", date, source.name)


def _pieces(lines: Iterable[str]) -> Iterator[str]:
    """All lines in one piece, or in several if they are too many for one."""
    piece: list[str] = []
    characters = 0
    for line in lines:
        is_blank = not line.strip()
        if characters > LONGEST_DOCUMENT and (is_blank or characters > 2 * LONGEST_DOCUMENT):
            yield "\n".join(piece)
            piece, characters = [], 0
        piece.append(line)
        characters += len(line) + 1
    yield "\n".join(piece)


def _blocks(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """What stands between blank lines, and the line on which it starts."""
    block: list[str] = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            block.append(line)
        elif block:
            yield number - len(block), "\n".join(block)
            block = []
    if block:
        yield number - len(block) + 1, "\n".join(block)
