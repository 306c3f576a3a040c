"""Bytes → lines of text, whatever the encoding, without holding a whole file."""

from __future__ import annotations

import codecs
import io
from typing import TYPE_CHECKING

from training.corpus.document import Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from training.corpus.files import Source

SAMPLE_BYTES = 1 << 16
LONGEST_LINE = 1 << 20  # characters; a longer one is cut
MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",  # before UTF-16, with whose mark it begins
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
# Encodings that people's files still have; among all there are, short texts are guessed wrongly.
LEGACY = [
    "cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp1258",
    "koi8_r", "mac_roman", "shift_jis", "cp932", "euc_jp", "gb18030", "big5", "euc_kr",
]  # fmt: skip
TOO_FEW_TO_GUESS = 12  # bytes beyond ASCII
MOST_CONTROLS = 0.002  # share of a text's bytes
_CONTROLS = bytes({*range(32)} - set(b"\t\n\v\f\r\x1b")) + b"\x7f"


def lines_of(source: Source) -> Iterator[str]:
    """The lines of a text file, without their ends; what cannot be decoded is U+FFFD.

    Raises:
        Unreadable: it is no text.
    """
    with source.open() as stream:
        encoding = encoding_of(stream.read(SAMPLE_BYTES))
    with source.open() as stream:
        text = io.TextIOWrapper(stream, encoding, errors="replace")
        while line := text.readline(LONGEST_LINE):
            yield line.removesuffix("\n")


def read_whole(source: Source, most_bytes: int = 1 << 28) -> bytes:
    """All bytes of a file that has to be read whole.

    Raises:
        Unreadable: it is too large for that.
    """
    with source.open() as stream:
        data = stream.read(most_bytes + 1)
    if len(data) > most_bytes:
        raise Unreadable(
            f"it is larger than the {most_bytes >> 20} MiB that this kind may have; split it"
        )
    return data


def decode(data: bytes) -> str:
    """The text of `data`, its line ends as line feeds; what cannot be decoded is U+FFFD.

    Raises:
        Unreadable: it is no text.
    """
    text = data.decode(encoding_of(data[:SAMPLE_BYTES]), "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def encoding_of(sample: bytes) -> str:
    """The encoding of a text that begins with `sample`: by its mark, UTF-8, or the likeliest.

    Raises:
        Unreadable: it is no text.
    """
    for mark, name in MARKS.items():
        if sample.startswith(mark):
            return name
    half = max(len(sample) // 2, 1)
    low, high = sample[0::2].count(0) / half, sample[1::2].count(0) / half
    if max(low, high) > 0.4 and min(low, high) < 0.05:  # Western text in UTF-16 without a mark
        return "utf-16-le" if high > low else "utf-16-be"
    if len(sample) - len(sample.translate(None, _CONTROLS)) > MOST_CONTROLS * len(sample):
        raise Unreadable("it is no text")
    try:
        codecs.getincrementaldecoder("utf-8")().decode(sample)  # a sample may end in mid-character
        return "utf-8"
    except UnicodeDecodeError:
        return _likeliest(sample)


def _likeliest(sample: bytes) -> str:
    if sum(byte > 127 for byte in sample) < TOO_FEW_TO_GUESS:
        return "cp1252"
    import charset_normalizer

    found = charset_normalizer.from_bytes(sample, cp_isolation=LEGACY)
    ranked = sorted(found, key=lambda m: (int(m.chaos * 10), -m.coherence, m.encoding != "cp1252"))
    if not ranked:
        raise Unreadable("it is no text")
    return ranked[0].encoding
