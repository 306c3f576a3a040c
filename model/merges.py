"""In which order merges build tokens, so that tiktoken arrives at the original's ids.

The original of GPT-2 and SmolLM2 joins the pairs of a list, the earliest pair first; tiktoken joins
any two neighbours whose bytes form a token, the earliest token first.  They agree when each token
is built by one pair: whatever surrounds a token, the merges inside it run the same, as long as none
crosses its edges.  So a pair that an earlier merge always tears apart is no merge, and a token that
only such pairs would build is never written.

Source: `is_valid_token_pair` of the crate bpe in github/rust-gems.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from model.byte_alphabet import TokenizerError, visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence, Set

Pair = tuple[bytes, bytes]  # what a merge joins


class _Merges:
    """The merges that can happen, found one after the other in the order of learning."""

    def __init__(self, alphabet: Iterable[bytes]) -> None:
        self.rank = dict.fromkeys(alphabet, -1)  # every piece that exists, by its merge
        self.order: list[bytes] = []
        self._halves: dict[bytes, Pair] = {}

    def add(self, left: bytes, right: bytes) -> None:
        piece = left + right
        if piece not in self.rank and self._meet(left, right):
            self.rank[piece] = len(self.order)
            self._halves[piece] = (left, right)
            self.order.append(piece)

    def _meet(self, left: bytes, right: bytes) -> bool:
        """Whether the halves ever stand side by side: walk back in time along their seam."""
        before = len(self.order)
        while True:
            joined = left + right
            if self._halves.get(joined) == (left, right) and self.rank[joined] < before:
                return False
            if self.rank[left] > self.rank[right]:
                before = self.rank[left]
                left = self._halves[left][1]
            elif right in self._halves:
                before = self.rank[right] + 1  # of two equal merges the left one comes first
                right = self._halves[right][0]
            else:
                return True


def merge_order(pieces: Set[bytes], merges: Sequence[Pair]) -> list[bytes]:
    """The pieces that merging can build, in the order in which the merges build them.

    Raises:
        TokenizerError: a merge names an unknown piece or comes before one that it depends on.
    """
    _require_known(pieces, merges)
    found = _Merges(piece for piece in pieces if len(piece) == 1)
    rank = found.rank
    early = []
    for left, right in merges:
        if left in rank and right in rank:
            found.add(left, right)
        else:
            early.append((left, right))
    for left, right in early:
        if left not in rank or right not in rank:
            continue  # no merge builds its halves, so it never happens
        halves_built = max(rank[left], rank[right])
        if rank.get(left + right, halves_built) >= halves_built:
            raise TokenizerError(
                f"the merge of {visible(left)!r} and {visible(right)!r} comes before the merges "
                "that build them; merges must be in the order in which they were learned"
            )
    return found.order


def order_of_whole_pieces(pieces: Set[bytes], merges: Sequence[Pair]) -> list[bytes]:
    """The order of the pieces of a tokenizer that never cuts a stretch of text that is a piece.

    Llama 3 was made with tiktoken, and some of its pieces are no result of merging.  Its merges
    list every cut of every piece, which is tiktoken's own rule; a shorter list must build every
    piece, so that taking them whole changes nothing.

    Raises:
        TokenizerError: neither holds, or `merge_order` fails.
    """
    _require_known(pieces, merges)
    order = [piece for piece, _ in groupby(left + right for left, right in merges)]
    cuts = ((piece[:i], piece[i:]) for piece in pieces for i in range(1, len(piece)))
    listed = set(merges)
    if len(set(order)) == len(order) and all(
        cut in listed for cut in cuts if cut[0] in pieces and cut[1] in pieces
    ):
        return order + _long(pieces - set(order))
    order = merge_order(pieces, merges)
    if lost := _long(pieces - set(order)):
        raise TokenizerError(
            f"{len(lost)} tokens such as {visible(lost[0])!r} are taken whole, never merged "
            "(ignore_merges), which Foretype cannot reproduce; choose another model"
        )
    return order


def _long(pieces: Iterable[bytes]) -> list[bytes]:
    return sorted(piece for piece in pieces if len(piece) > 1)


def _require_known(pieces: Set[bytes], merges: Iterable[Pair]) -> None:
    for left, right in merges:
        if left not in pieces or right not in pieces or left + right not in pieces:
            raise TokenizerError(
                f"the merge of {visible(left)!r} and {visible(right)!r} needs a token that the "
                "vocabulary lacks; take vocabulary and merges from the same model"
            )
