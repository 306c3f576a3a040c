"""Tables with a column of texts: CSV, TSV and lists of JSON objects, a document per row."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING, Any

from training.corpus.dates import date_of
from training.corpus.decoding import lines_of
from training.corpus.document import CorpusOptions, Document, Tally, Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from training.corpus.files import Source

USUAL = ("text", "body", "message", "content")
DATES = ("date", "timestamp", "datetime", "created_at", "created", "time")
AUTHORS = ("author", "from", "sender", "user", "name")
LONGEST_CELL = 1 << 24


def read_csv(source: Source, options: CorpusOptions, _tally: Tally) -> Iterator[Document]:
    """The rows of a table whose first line names its columns."""
    csv.field_size_limit(LONGEST_CELL)
    lines = (f"{line}\n" for line in lines_of(source))
    head = next(lines, "")
    try:
        dialect: Any = csv.Sniffer().sniff(head, ",;\t|")
    except csv.Error:  # one column
        dialect = csv.excel
    columns = next(csv.reader([head], dialect), [])
    rows = csv.DictReader(lines, columns, dialect=dialect)
    try:
        yield from _rows(rows, source, options)
    except csv.Error as err:
        raise Unreadable(f"it is no table: {err}") from err


def read_json_lines(source: Source, options: CorpusOptions, tally: Tally) -> Iterator[Document]:
    """The objects of a file, one a line."""

    def rows() -> Iterator[dict[str, Any]]:
        for line in lines_of(source):
            try:
                row = json.loads(line)
            except (ValueError, RecursionError):
                row = None
            if isinstance(row, dict):
                yield row
            elif line.strip():
                tally.leave_out("rows", "they are no JSON objects")

    yield from _rows(rows(), source, options)


def read_json_list(source: Source, options: CorpusOptions, tally: Tally) -> Iterator[Document]:
    """The objects of the list that a file is, read piece by piece."""
    import ijson

    with source.open() as stream:
        items = ijson.items(stream, "item")
        yield from _rows((item for item in items if isinstance(item, dict)), source, options)


def _rows(
    rows: Iterable[Mapping[str, Any]], source: Source, options: CorpusOptions
) -> Iterator[Document]:
    column = None
    for number, row in enumerate(rows, 1):
        names = {str(name).strip().lower(): name for name in row if name is not None}
        if column is None or column not in row:
            column = _column(names, options)
        date = next((date_of(str(row[names[name]])) for name in DATES if name in names), None)
        author = ""
        if options.authors:
            author = next((str(row[names[name]]) for name in AUTHORS if name in names), "")
        text = row[column]
        if isinstance(text, str):
            yield Document(text, f"{source.name}, row {number}", date, source.name, author)


def _column(names: Mapping[str, str], options: CorpusOptions) -> str:
    wanted = (options.column.lower(),) if options.column else USUAL
    found = next((names[name] for name in wanted if name in names), None)
    if found is None:
        what = f"no column {options.column!r}" if options.column else "several columns"
        raise Unreadable(f"it has {what}; choose with --column among {', '.join(names) or 'none'}")
    return found
