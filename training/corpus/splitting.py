"""Held-out documents are set aside before training: the last ones, as a user would meet them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import overload

import numpy as np
import numpy.typing as npt

from training.corpus.document import Document
from training.corpus.spool import UNDATED, Documents

ROUGHLY = 0.2  # of what is wanted to hold out, more or less does not matter


class Part(Sequence[Document]):
    """Some documents of a whole, read when asked for, and perhaps a piece of one more at an end."""

    def __init__(
        self,
        whole: Sequence[Document],
        indices: npt.NDArray[np.int64],
        before: Sequence[Document] = (),
        after: Sequence[Document] = (),
    ) -> None:
        self._whole = whole
        self._indices = indices
        self._before = before
        self._after = after

    def __len__(self) -> int:
        return len(self._before) + len(self._indices) + len(self._after)

    @overload
    def __getitem__(self, index: int) -> Document: ...
    @overload
    def __getitem__(self, index: slice) -> list[Document]: ...
    def __getitem__(self, index: int | slice) -> Document | list[Document]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        index = range(len(self))[index] - len(self._before)
        if index < 0:
            return self._before[index]
        if index < len(self._indices):
            return self._whole[int(self._indices[index])]
        return self._after[index - len(self._indices)]


def split(documents: Sequence[Document], held_share: float = 0.1) -> tuple[Part, Part]:
    """The documents to train on and those to measure with, about `held_share` of the text.

    The latest are held out if most of the text is dated, else the last in order.  Of a long
    document in which the border falls, the end is held out, from a paragraph on.
    """
    sizes, order = _sizes(documents), _order(documents)
    wanted = held_share * sizes.sum()
    tails = np.cumsum(sizes[order][::-1])  # characters of the last document, the last two, …
    count = int(np.searchsorted(tails, wanted, "right"))
    missing = wanted - (tails[count - 1] if count else 0)
    border = len(order) - count
    train, held = order[:border], order[border:]
    if not len(train) or missing < ROUGHLY * wanted:
        return Part(documents, train), Part(documents, held)
    last = documents[int(train[-1])]
    if len(last.text) > wanted and (cut := _cut(last, missing)):
        return Part(documents, train[:-1], after=cut[:1]), Part(documents, held, before=cut[1:])
    if len(train) > 1 and 2 * missing > len(last.text):
        train, held = order[: border - 1], order[border - 1 :]
    return Part(documents, train), Part(documents, held)


def _sizes(documents: Sequence[Document]) -> npt.NDArray[np.int64]:
    if isinstance(documents, Documents):
        return np.array(documents.characters, np.int64)
    return np.array([len(document.text) for document in documents], np.int64)


def _order(documents: Sequence[Document]) -> npt.NDArray[np.int64]:
    """Undated ones first, then by date, if at least half of the text is dated."""
    if isinstance(documents, Documents):
        dates = np.array(documents.dates, np.float64)
    else:
        stamps = [document.date.timestamp() if document.date else UNDATED for document in documents]
        dates = np.array(stamps, np.float64)
    sizes = _sizes(documents)
    if sizes[dates > UNDATED].sum() * 2 < sizes.sum():
        return np.arange(len(documents))
    return np.argsort(dates, kind="stable")


def _cut(document: Document, tail: float) -> tuple[Document, Document] | None:
    """`document` in two, about `tail` characters before its end: between paragraphs, or words."""
    text = document.text
    place = len(text) - int(tail)
    for border in ("\n", ". ", " "):
        ends = [text.rfind(border, 0, place), text.find(border, place)]
        near = [end for end in ends if end > 0 and abs(end - place) < tail / 2]
        if near:
            end = min(near, key=lambda at: abs(at - place)) + 1
            head, rest = text[:end].rstrip(), text[end:].lstrip()
            return replace(document, text=head), replace(document, text=rest)
    return None
