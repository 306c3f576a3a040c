"""Token files that are mapped, not loaded, and the fixed windows that training reads from them.

A token file is a 32-byte header, the ids of all documents with end-of-text before each, and where
each document starts; all little-endian.  Its size is bounded by the disk, not by memory.  Knows
nothing of torch, and of documents only that they are strings.

Source: the flat token files of karpathy/nanoGPT; the header and the starts are ours.
"""

from __future__ import annotations

import os
import secrets
import struct
from array import array
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path
    from typing import BinaryIO

    from model.tokenizer import Tokenizer

IGNORED_TARGET = -1  # as in model/gpt.py, which this must not import: it would bring torch
MAGIC = b"FTTOKEN1"
HEADER = struct.Struct("<8sQQQ")  # magic, V, tokens, documents
TASK_CHARACTERS = 100_000  # what a thread tokenises at a time
THREADS = min(8, os.cpu_count() or 1)

Tokens = npt.NDArray[np.int64]


class TokenFileError(ValueError):
    """A file holds no tokens, or not all of them."""


@dataclass(frozen=True, slots=True)
class TokenFile:
    """Tokens on disk: `ids` (n,) mapped read-only, and where each document `starts` (documents,).

    Every document begins with an end-of-text token, at its start.
    """

    path: Path
    vocab_size: int
    ids: npt.NDArray[np.uint16] | npt.NDArray[np.uint32]
    starts: npt.NDArray[np.uint64]

    @classmethod
    def open(cls, path: Path) -> TokenFile:
        """Map a file that `write_tokens` wrote.

        Raises:
            TokenFileError: it is something else, or cut short.
        """
        size = path.stat().st_size
        with path.open("rb") as file:
            head = file.read(HEADER.size)
            if len(head) < HEADER.size or not head.startswith(MAGIC):
                raise TokenFileError(f"{path} is no token file; write it again from the texts")
            _, vocab_size, tokens, documents = HEADER.unpack(head)
            item = _item(vocab_size)
            starts_at = HEADER.size + tokens * item.itemsize
            if size != starts_at + 8 * documents:
                raise TokenFileError(
                    f"{path} has {size:,} bytes, its header says {starts_at + 8 * documents:,}; "
                    "write it again from the texts"
                )
            file.seek(starts_at)
            starts = np.frombuffer(file.read(), "<u8")
        if not tokens:  # an empty file cannot be mapped
            return cls(path, vocab_size, np.zeros(0, item), starts)
        ids = np.memmap(path, item, "r", offset=HEADER.size, shape=(tokens,))
        return cls(path, vocab_size, ids, starts)

    def __len__(self) -> int:
        return len(self.ids)


def write_tokens(
    documents: Iterable[str],
    tokenizer: Tokenizer,
    path: Path,
    progress: Callable[[int, int], None] | None = None,
) -> TokenFile:
    """Tokenise `documents` as they come and write them to `path`, whole or not at all.

    Empty documents are passed over.  The same documents give the same bytes.  `progress` is told
    the documents and tokens written so far, now and then.
    """
    sibling = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        with sibling.open("xb") as file, ThreadPoolExecutor(THREADS) as pool:
            _write(file, documents, tokenizer, pool, progress)
            file.flush()
            os.fsync(file.fileno())
        os.replace(sibling, path)
    except BaseException:
        sibling.unlink(missing_ok=True)
        raise
    return TokenFile.open(path)


def _write(
    file: BinaryIO,
    documents: Iterable[str],
    tokenizer: Tokenizer,
    pool: ThreadPoolExecutor,
    progress: Callable[[int, int], None] | None,
) -> None:
    item, tokens = _item(tokenizer.vocab_size), 0
    starts = array("Q")

    def tokenise(texts: list[str]) -> list[list[int]]:
        return [[tokenizer.end_of_text, *tokenizer.encode(text)] for text in texts]

    file.write(bytes(HEADER.size))  # room for what is known at the end
    tasks = _tasks(documents)
    while several := list(islice(tasks, 4 * THREADS)):
        for encoded in pool.map(tokenise, several):
            for ids in encoded:
                starts.append(tokens)
                tokens += len(ids)
            file.write(np.array([i for ids in encoded for i in ids], item).tobytes())
        if progress:
            progress(len(starts), tokens)
    file.write(np.array(starts, "<u8").tobytes())
    file.seek(0)
    file.write(HEADER.pack(MAGIC, tokenizer.vocab_size, tokens, len(starts)))


def _tasks(documents: Iterable[str]) -> Iterator[list[str]]:
    """The documents in lists that are worth a thread's while."""
    texts: list[str] = []
    characters = 0
    for text in documents:
        if text:
            texts.append(text)
            characters += len(text)
        if characters >= TASK_CHARACTERS:
            yield texts
            texts, characters = [], 0
    if texts:
        yield texts


def _item(vocab_size: int) -> np.dtype[np.uint16] | np.dtype[np.uint32]:
    return np.dtype("<u2") if vocab_size <= 1 << 16 else np.dtype("<u4")


class Batch(NamedTuple):
    """Windows of tokens, (B, T) each: `inputs`, the `targets` that follow them, and `documents`.

    The last numbers the document that an input belongs to: what is written in another one is no
    context.
    """

    inputs: Tokens
    targets: Tokens
    documents: Tokens

    @property
    def target_count(self) -> int:
        """How many targets there are to learn from."""
        return int((self.targets != IGNORED_TARGET).sum())

    def part(self, part: slice) -> Batch:
        """Some of the windows."""
        return Batch(*(array[part] for array in self))

    @classmethod
    def joined(cls, batches: Iterable[Batch]) -> Batch:
        """All windows of several."""
        return cls(*map(np.concatenate, zip(*batches, strict=True)))


class Windows:
    """All windows of `length` + 1 tokens of a file, each epoch in another order.

    Neighbours share one token, so that every token but the first is a target once per epoch.  The
    order depends on `seed` and the epoch alone: a resumed run asks for the same windows.

    Raises:
        TokenFileError: fewer than two tokens, so nothing to predict.
    """

    def __init__(self, tokens: TokenFile, length: int, seed: int) -> None:
        if len(tokens) < 2:
            raise TokenFileError(
                f"{tokens.path} holds {len(tokens)} tokens; training needs at least 2"
            )
        self.tokens = tokens
        self.length = length
        self.seed = seed
        self.documents = len(tokens.starts)
        self.per_epoch = -(-(len(tokens) - 1) // length)
        self._epoch = -1
        self._order = np.zeros(0, np.int64)

    def order(self, epoch: int) -> Tokens:
        """(per_epoch,) which window stands at which index in this epoch."""
        if epoch != self._epoch:
            self._order = np.random.default_rng([self.seed, epoch]).permutation(self.per_epoch)
            self._epoch = epoch
        return self._order

    def __getitem__(self, place: tuple[int, int]) -> Batch:
        """The window at `place`, an epoch and an index in it; its arrays are (T,)."""
        epoch, index = place
        start = int(self.order(epoch)[index]) * self.length
        window = self.tokens.ids[start : start + self.length + 1]
        inputs = np.zeros(self.length, np.int64)  # padding is never a target, so any id will do
        targets = np.full(self.length, IGNORED_TARGET, np.int64)
        inputs[: len(window) - 1] = window[:-1]
        targets[: len(window) - 1] = window[1:]
        positions = np.arange(start, start + self.length, dtype=np.uint64)
        documents = np.searchsorted(self.tokens.starts, positions, "right")
        return Batch(inputs, targets, documents)

    def batch(self, epoch: int, start: int, count: int) -> Batch:
        """The windows from index `start` on; B < `count` at an epoch's end.

        Raises:
            IndexError: the epoch has no window at `start`.
        """
        if not 0 <= start < self.per_epoch:
            raise IndexError(f"window {start} of {self.per_epoch} in epoch {epoch}")
        places = range(start, min(start + count, self.per_epoch))
        return Batch(*map(np.stack, zip(*(self[epoch, i] for i in places), strict=True)))
