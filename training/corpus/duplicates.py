"""Documents seen before, wholly or nearly; in memory that does not grow with the corpus' text.

A document is a near-duplicate when at least four fifths of its runs of eight words occurred in
documents before it: drafts, forwarded mails, copies with another heading.  Unlike MinHash
(datasketch, which would bring scipy), this also finds a short text inside a longer one, and needs
one bit per word: a table of 16 MiB that serves some 13 million words.
"""

from __future__ import annotations

import hashlib
import zlib

import numpy as np
import numpy.typing as npt

RUN_WORDS = 8
FEWEST_RUNS = 8  # shorter texts are compared exactly: people repeat themselves
SEEN_SHARE = 0.8
TABLE_BITS = 1 << 27
FULL_SHARE = 0.1  # beyond, too many bits are set by chance; the table keeps what it knows
_POWERS = np.array([pow(0x9E3779B97F4A7C15, i, 1 << 64) for i in range(RUN_WORDS)], np.uint64)


class Duplicates:
    """Remembers documents; the first of several alike is the one that counts."""

    def __init__(self) -> None:
        self._exact: set[bytes] = set()
        self._table = np.zeros(TABLE_BITS // 8, np.uint8)
        self._set_bits = 0

    def kind_of(self, text: str) -> str | None:
        """`exact` or `near` if a text like this came before, else None; it is remembered."""
        tokens = text.casefold().split()
        key = hashlib.blake2b(" ".join(tokens).encode("utf-8", "replace"), digest_size=8).digest()
        if key in self._exact:
            return "exact"
        self._exact.add(key)
        places = _places(tokens)
        if len(places) < FEWEST_RUNS:
            return None
        cells, bits = places >> 3, (1 << (places & 7)).astype(np.uint8)
        seen = (self._table[cells] & bits) != 0
        if seen.mean() >= SEEN_SHARE:
            return "near"
        if self._set_bits < FULL_SHARE * TABLE_BITS:
            np.bitwise_or.at(self._table, cells, bits)
            self._set_bits += int((~seen).sum())
        return None


def _places(tokens: list[str]) -> npt.NDArray[np.int64]:
    """(n,) where in the table each run of `RUN_WORDS` stands."""
    if len(tokens) < RUN_WORDS:
        return np.zeros(0, np.int64)
    # zlib.crc32 is the same in every process, as `hash` is not.
    hashes = np.array([zlib.crc32(t.encode("utf-8", "replace")) for t in tokens], np.uint64)
    runs = len(hashes) - RUN_WORDS + 1
    total = np.zeros(runs, np.uint64)
    for i, power in enumerate(_POWERS):
        total += hashes[i : i + runs] * power
    total ^= total >> np.uint64(33)
    total *= np.uint64(0xFF51AFD7ED558CCD)
    return (total >> np.uint64(37)).astype(np.int64) % TABLE_BITS
