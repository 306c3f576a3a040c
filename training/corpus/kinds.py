"""Which reader reads which kind of file."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from training.corpus import chats, mail, markup, office, plain, tables
from training.corpus.decoding import lines_of
from training.corpus.document import UnknownKind, Unreadable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from training.corpus.document import CorpusOptions, Document, Tally
    from training.corpus.files import Source

    Reader = Callable[[Source, CorpusOptions, Tally], Iterator[Document]]

PACKAGES = {  # what to install for what is imported
    "docx": "python-docx", "docutils": "docutils", "ijson": "ijson", "lxml": "lxml",
    "mailparser_reply": "mail-parser-reply", "markdown_it": "markdown-it-py", "odfdo": "odfdo",
    "pypdf": "pypdf",
}  # fmt: skip


def read_text(source: Source, options: CorpusOptions, tally: Tally) -> Iterator[Document]:
    """The documents of a text file, which may be an exported chat."""
    is_chat = options.unit == "file" and chats.looks_like_whatsapp(islice(lines_of(source), 60))
    reader = chats.read_whatsapp if is_chat else plain.read_plain
    return reader(source, options, tally)


def read_json(source: Source, options: CorpusOptions, tally: Tally) -> Iterator[Document]:
    """The documents of a JSON file: a Telegram export, a list of objects, or one a line."""
    start = "\n".join(islice(lines_of(source), 40))[:4000].lstrip()
    if chats.looks_like_telegram(start):
        return chats.read_telegram(source, options, tally)
    if start.startswith("["):
        return tables.read_json_list(source, options, tally)
    if "}" in start.split("\n")[0]:
        return tables.read_json_lines(source, options, tally)
    raise Unreadable("it is no exported chat and no table of texts")


READERS: dict[str, Reader] = {
    ".txt": read_text, ".text": read_text, ".md": markup.read_markdown,
    ".markdown": markup.read_markdown, ".mdx": markup.read_markdown, ".rst": markup.read_rst,
    ".html": markup.read_html, ".htm": markup.read_html, ".xhtml": markup.read_html,
    ".docx": office.read_docx, ".odt": office.read_odt, ".pdf": office.read_pdf,
    ".eml": mail.read_eml, ".mbox": mail.read_mbox, ".json": read_json,
    ".jsonl": tables.read_json_lines, ".ndjson": tables.read_json_lines,
    ".csv": tables.read_csv, ".tsv": tables.read_csv,
}  # fmt: skip


def read_source(source: Source, options: CorpusOptions, tally: Tally) -> Iterator[Document]:
    """The documents of one file.

    Raises:
        UnknownKind: no text is read from its kind.
        Unreadable: it is broken, or its library is not installed.
    """
    reader = READERS.get(source.kind)
    if reader is None and source.is_named:
        reader = read_text  # the user says that it is one
    if reader is None:
        raise UnknownKind(f"{source.kind} files" if source.kind else "files without a suffix")
    try:
        yield from reader(source, options, tally)
    except ModuleNotFoundError as err:
        package = PACKAGES.get(str(err.name).partition(".")[0])
        if package is None:
            raise
        raise Unreadable(
            f"{source.kind} needs the library {package}: pip install {package}"
        ) from err
    except (Unreadable, OSError, EOFError):
        raise
    except MemoryError as err:
        raise Unreadable("it needs more memory than there is; split it") from err
    except Exception as err:  # whatever a broken file makes of a library
        raise Unreadable(f"it is damaged: {type(err).__name__}: {err}"[:200]) from err
