"""Word, OpenDocument and PDF files → paragraphs, without headings, tables and page headers."""

from __future__ import annotations

import io
import re
import zipfile
from collections import Counter
from typing import TYPE_CHECKING

from training.corpus.cleaning import joined_lines
from training.corpus.dates import date_in_name
from training.corpus.decoding import read_whole
from training.corpus.document import CorpusOptions, Document, Tally, Unreadable, in_utc
from training.corpus.files import BOMB_BYTES, BOMB_RATIO

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from training.corpus.files import Source

NOT_PROSE = re.compile(r"head|title|quote|code|caption|toc|contents|footnote|header|footer", re.I)
SAME_ON_PAGES = 3  # a first or last line on so many pages is a page header
_DIGITS = re.compile(r"\d+")


def read_docx(source: Source, _options: CorpusOptions, _tally: Tally) -> Iterator[Document]:
    """The paragraphs of a Word file."""
    import docx

    word = docx.Document(_archive(source))
    paragraphs = (
        paragraph.text for paragraph in word.paragraphs
        if not NOT_PROSE.search((paragraph.style and paragraph.style.name) or "")
    )  # fmt: skip
    yield _document(source, "\n".join(paragraphs), word.core_properties.modified)


def read_odt(source: Source, _options: CorpusOptions, _tally: Tally) -> Iterator[Document]:
    """The paragraphs of an OpenDocument text."""
    import odfdo

    text = odfdo.Document(_archive(source))
    within = {"office:text", "text:list-item", "text:section"}
    paragraphs = (
        paragraph.inner_text for paragraph in text.body.paragraphs
        if paragraph.parent is not None and paragraph.parent.tag in within
        and not NOT_PROSE.search(paragraph.style or "")
    )  # fmt: skip
    yield _document(source, "\n".join(paragraphs), text.meta.date)


def read_pdf(source: Source, _options: CorpusOptions, _tally: Tally) -> Iterator[Document]:
    """The running text of a PDF, its lines joined to paragraphs as far as they can be told."""
    import pypdf

    reader = pypdf.PdfReader(io.BytesIO(read_whole(source)))
    if reader.is_encrypted and not reader.decrypt(""):
        raise Unreadable("it is locked with a password; save it without one")
    pages = [page.extract_text().strip().split("\n") for page in reader.pages]
    edges = Counter(
        _DIGITS.sub("0", line.strip()) for page in pages for line in {page[0], page[-1]}
    )
    common = {line for line, count in edges.items() if count >= SAME_ON_PAGES}
    lines = [
        line for page in pages for place, line in enumerate(page)
        if 0 < place < len(page) - 1 or _DIGITS.sub("0", line.strip()) not in common
    ]  # fmt: skip
    if not any(line.strip() for line in lines):
        raise Unreadable("it holds no text, only pictures of pages; run it through OCR")
    date = reader.metadata.creation_date if reader.metadata else None
    yield _document(source, joined_lines(lines), date)


def _archive(source: Source) -> io.BytesIO:
    """The file, which is a zip archive, in memory.

    Raises:
        Unreadable: it is none, or unpacks to far more than text.
    """
    data = io.BytesIO(read_whole(source))
    try:
        size = sum(entry.file_size for entry in zipfile.ZipFile(data).infolist())
    except zipfile.BadZipFile as err:
        raise Unreadable("it is damaged, or locked with a password") from err
    if size > max(BOMB_BYTES, BOMB_RATIO * len(data.getbuffer())):
        raise Unreadable(f"it unpacks to over {BOMB_RATIO} times its size, as no text does")
    data.seek(0)
    return data


def _document(source: Source, text: str, date: datetime | None) -> Document:
    when = date_in_name(source.path.name) or (in_utc(date) if date else None)
    return Document(text, source.name, when, str(source.path.parent))
