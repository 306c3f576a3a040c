"""A text file as it lies on disk: path, encoding, byte order mark, line endings.

Knows no widgets.  The promise: change one character, and every other byte of the file stays.
"""

from __future__ import annotations

import codecs
import dataclasses
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.atomic import replace_file
from app.line_endings import Line, join_lines, prevailing_ending, split_lines
from app.translation import tr

if TYPE_CHECKING:
    from pathlib import Path

LARGEST_FILE_BYTES = 256 * 2**20
SAMPLE_BYTES = 64 * 1024  # enough to guess a legacy encoding from
TOO_FEW_TO_GUESS = 8  # bytes beyond ASCII; below that, the most common encoding is the best guess
LEGACY = [
    "cp1252", "cp1250", "cp1251", "koi8_r", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257",
    "cp932", "euc_jp", "gb18030", "big5", "cp949",
]  # fmt: skip
# Longest first: the mark of UTF-32-LE starts with that of UTF-16-LE.
MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
Stamp = tuple[int, int]  # modification time in nanoseconds, size in bytes


class DocumentError(Exception):
    """A file that cannot be read or written as text; the message says what to do."""


class UnencodableError(DocumentError):
    """A text with characters that the encoding of its file does not have."""


@dataclass(frozen=True, slots=True)
class Document:
    """One text file, or one that does not exist yet (`path` is None).

    `mixed` holds the lines as they were read when their endings differ; it is empty when
    `ending` ends them all.
    """

    path: Path | None = None
    encoding: str = "utf-8"
    mark: bytes = b""
    ending: str = "\n"
    mixed: tuple[Line, ...] = ()
    stamp: Stamp | None = None

    @property
    def name(self) -> str:
        """The file's name, or "Untitled"."""
        return self.path.name if self.path else tr("Untitled")

    def to_bytes(self, text: str) -> bytes:
        """Return the file's bytes for an edited `text` whose lines end in line feeds.

        Raises:
            UnencodableError: the encoding lacks a character of `text`.
        """
        lines = text.split("\n")
        whole = self.ending.join(lines)
        if self.mixed:
            whole = join_lines(lines, self.mixed, self.ending)
        try:
            return self.mark + whole.encode(self.encoding)
        except UnicodeEncodeError as err:
            raise UnencodableError(
                tr(
                    "{name} is stored as {encoding}, which has no {character!r}; "
                    "save it as UTF-8, or remove that character",
                    name=self.name,
                    encoding=self.encoding,
                    character=whole[err.start],
                )
            ) from err

    def is_changed_on_disk(self) -> bool:
        """Whether another program has written the file since it was read or saved here."""
        return self.path is not None and stamp_of(self.path) != self.stamp

    def save(self, text: str, path: Path | None = None) -> Document:
        """Write `text` to `path` (default: where it came from) and return the document as saved.

        Raises:
            DocumentError: the place cannot be written; the old file is untouched.
            UnencodableError: the encoding lacks a character of `text`.
        """
        path = path or self.path
        assert path is not None, "a document without a path needs one to be saved"
        data = self.to_bytes(text)
        try:
            if path.exists() and not os.access(path, os.W_OK):
                raise PermissionError(13, tr("the file is read-only"))
            replace_file(path, data)
        except OSError as err:
            raise DocumentError(
                tr(
                    "Could not save {path}: {reason}. The file on disk is unchanged; "
                    "choose another place with Save As",
                    path=path,
                    reason=err.strerror or err,
                )
            ) from err
        mixed = tuple(split_lines(data[len(self.mark) :].decode(self.encoding)))
        return dataclasses.replace(
            self, path=path, mixed=mixed if self.mixed else (), stamp=stamp_of(path)
        )

    def as_utf8(self) -> Document:
        """Return the same document, to be stored as UTF-8 without a mark."""
        return dataclasses.replace(self, encoding="utf-8", mark=b"")


def read_document(path: Path) -> tuple[Document, str]:
    """Read a text file; returns it and its text with line feeds between its lines.

    Raises:
        DocumentError: missing, a folder, not permitted, too large, or not text.
    """
    try:
        if path.is_dir():
            raise DocumentError(tr("{path} is a folder; choose a text file in it", path=path))
        if path.exists() and not path.is_file():
            raise DocumentError(tr("{path} is not a regular file; choose a text file", path=path))
        size = path.stat().st_size
        if size > LARGEST_FILE_BYTES:
            raise DocumentError(
                tr(
                    "{path} has {size:,} bytes; Foretype opens at most {most:,}. "
                    "Split the file first",
                    path=path,
                    size=size,
                    most=LARGEST_FILE_BYTES,
                )
            )
        stamp, data = stamp_of(path), path.read_bytes()
    except OSError as err:
        raise DocumentError(
            tr("Could not open {path}: {reason}", path=path, reason=err.strerror or err)
        ) from err
    encoding, mark, text = decode(data, str(path))
    lines = split_lines(text)
    ending = prevailing_ending(lines)
    is_mixed = any(end not in (ending, "") for _, end in lines)
    document = Document(path, encoding, mark, ending, tuple(lines) if is_mixed else (), stamp)
    return document, "\n".join(line for line, _ in lines)


def stamp_of(path: Path) -> Stamp | None:
    """Return what tells one state of a file from another; None if there is no such file."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


def decode(data: bytes, name: str) -> tuple[str, bytes, str]:
    """Encoding, byte order mark and text of `data`, such that encoding gives `data` again.

    Raises:
        DocumentError: it is not text; the message calls it `name`.
    """
    for mark, encoding in MARKS:
        if data.startswith(mark):
            text = _exact(data[len(mark) :], encoding)
            if text is None:
                raise DocumentError(
                    tr(
                        "{name} is marked as {encoding} but is not valid {encoding}",
                        name=name,
                        encoding=encoding,
                    )
                )
            return encoding, mark, text
    for encoding in _guesses(data):
        text = _exact(data, encoding)
        if text is not None:
            return encoding, b"", text
    raise DocumentError(
        tr("{name} is not a text file; Foretype opens plain text and Markdown", name=name)
    )


def _guesses(data: bytes) -> list[str]:
    """Encodings to try on unmarked `data`, best first; none if it looks binary."""
    sample = data[:SAMPLE_BYTES]
    if b"\0" in data:
        # Western text in unmarked UTF-16 has a zero in every other byte.
        half = max(len(sample) // 2, 1)
        low, high = sample[0::2].count(0) / half, sample[1::2].count(0) / half
        if len(data) % 2 == 0 and max(low, high) > 0.4 and min(low, high) < 0.05:
            return ["utf-16-le" if high > low else "utf-16-be"]
        return []
    if _exact(data, "utf-8") is not None:
        return ["utf-8"]
    if sum(byte > 127 for byte in sample) < TOO_FEW_TO_GUESS:
        return ["cp1252", "latin-1"]
    import charset_normalizer

    found = charset_normalizer.from_bytes(sample, cp_isolation=LEGACY)
    ranked = sorted(found, key=lambda m: (int(m.chaos * 10), -m.coherence, m.encoding != "cp1252"))
    return [*(match.encoding for match in ranked), "cp1252", "latin-1"] if ranked else []


def _exact(data: bytes, encoding: str) -> str | None:
    """`data` decoded, or None where that fails or would not give the same bytes back."""
    try:
        text = data.decode(encoding)
        return text if text.encode(encoding) == data else None
    except UnicodeError:
        return None
