"""What a byte-level BPE tokenizer is made of, as frozen, validated data.

Pieces by id, special tokens, the order of the merges and the way text is split beforehand.  Knows
nothing of the files that vocabularies come from, nor of how text is encoded.

Sources: Sennrich et al. 2016, arXiv 1508.07909 (byte pair encoding); Radford et al. 2019 (bytes
written as visible characters, the split of GPT-2); huggingface/tokenizers (the splits in use).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

MAX_VOCAB_SIZE = 1 << 22  # far above any in use; keeps a corrupt file from filling memory

Pair = tuple[bytes, bytes]  # what a merge joins


class TokenizerError(ValueError):
    """A vocabulary or a tokenizer file that Foretype cannot use."""


# White space goes to the word after it, except for the last character of a run.  The engine of
# tiktoken overflows its stack on `\s+(?!\S)` and 10^6 spaces, so these three alternatives say the
# same without backtracking: a run that ends the text, all but the last character, one character.
_WHITE_SPACE = r"\s++\z|(?:\s{100}(?=\s)|\s(?=\s))++|\s"
# Digits of Unicode 17, which Rust's `char::is_numeric` knows and the \p{N} of regex engines does
# not yet: the only code points on which the two halves of SmolLM's split differ.
_DIGIT = r"\p{N}\x{11DE0}-\x{11DE9}\x{16FF4}-\x{16FF6}"

# How text is cut before merging; each was compared with the tokenizers library over all of Unicode.
SPLITS: dict[str, str] = {
    "gpt2": rf"'(?:[sdmt]|ll|ve|re)| ?\p{{L}}+| ?\p{{N}}+| ?[^\s\p{{L}}\p{{N}}]+|{_WHITE_SPACE}",
    # The same after single digits were cut out, so that a digit also ends the text before it.
    "smollm": rf"'(?:[sdmt]|ll|ve|re)| ?\p{{L}}+|[{_DIGIT}]| ?[^\s\p{{L}}{_DIGIT}]+"
    rf"|\s++(?=[{_DIGIT}])|{_WHITE_SPACE}",
    "llama3": r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    rf"| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*|\s*[\r\n]+|{_WHITE_SPACE}",
}


def _byte_alphabet() -> str:
    """The character GPT-2 writes for each byte: itself where visible, else one from U+0100 on."""
    visible = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    spare = iter(range(0x100, 0x200))
    return "".join(chr(byte if byte in visible else next(spare)) for byte in range(256))


_ALPHABET = _byte_alphabet()
_TO_LATIN1 = {ord(char): byte for byte, char in enumerate(_ALPHABET)}
# Latin-1 characters outside the alphabet must not pass as the bytes that they happen to equal.
_TO_LATIN1 |= {code: 0xFFFF for code in range(256) if code not in _TO_LATIN1}


def bytes_of(piece: str) -> bytes:
    """The bytes that a piece in GPT-2's visible alphabet stands for.

    Raises:
        TokenizerError: a character is outside the alphabet.
    """
    try:
        return piece.translate(_TO_LATIN1).encode("latin-1")
    except UnicodeEncodeError as err:
        raise TokenizerError(
            f"the piece {piece!r} is not written in GPT-2's byte alphabet; only byte-level BPE "
            "vocabularies (GPT-2, SmolLM2, Llama 3) work, SentencePiece ones do not"
        ) from err


def visible(piece: bytes) -> str:
    """The inverse of `bytes_of`."""
    return piece.decode("latin-1").translate(_ALPHABET)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """A byte-level BPE vocabulary.

    `pieces[i]` are the bytes of id i: b"" for special tokens and for ids that only pad the model's
    table.  `merged` lists the ids that merging builds, first merge first; ordinary tokens of
    several bytes that are not in it can be read, never written.
    """

    pieces: tuple[bytes, ...]  # V of them
    special_tokens: dict[str, int]
    split: str  # a key of SPLITS
    end_of_text: int
    merged: tuple[int, ...]

    def __post_init__(self) -> None:
        size = len(self.pieces)
        if not 1 <= size <= MAX_VOCAB_SIZE:
            raise TokenizerError(f"{size} tokens; a vocabulary has 1 to {MAX_VOCAB_SIZE}")
        if self.split not in SPLITS:
            raise TokenizerError(f"unknown split {self.split!r}; known are {', '.join(SPLITS)}")
        ids = (self.end_of_text, *self.special_tokens.values(), *self.merged)
        if outside := [i for i in ids if type(i) is not int or not 0 <= i < size]:
            raise TokenizerError(f"token id {outside[0]!r}; it must be a whole number below {size}")
        if spoken := [name for name, i in self.special_tokens.items() if self.pieces[i]]:
            raise TokenizerError(f"special token {spoken[0]!r} has bytes; it must stand for none")
        ordinary = [piece for piece in self.pieces if piece]
        if len(set(ordinary)) != len(ordinary):
            raise TokenizerError("two tokens stand for the same bytes; each must have its own")

        if len(set(self.merged)) != len(self.merged) or any(
            len(self.pieces[i]) < 2 for i in self.merged
        ):
            raise TokenizerError("a merge builds no token, or one that another has built")

    @classmethod
    def build(
        cls,
        ordinary: Mapping[str, int],
        special: Mapping[str, int],
        merges: Iterable[tuple[str, str]],
        *,
        split: str,
        end_of_text: int,
        vocab_size: int | None = None,
        whole_pieces: bool = False,
    ) -> Vocabulary:
        """Put a vocabulary together from pieces in GPT-2's visible alphabet.

        `vocab_size` is V of the model, by default one more than the highest id.  `whole_pieces`
        says that the original takes a piece found in the vocabulary before it tries to merge.

        Raises:
            TokenizerError: the parts contradict each other, or encoding could not equal the
                original's.
        """
        needed = max((*ordinary.values(), *special.values()), default=-1) + 1
        size = needed if vocab_size is None else vocab_size
        if not needed <= size <= MAX_VOCAB_SIZE:
            raise TokenizerError(
                f"the vocabulary needs {needed} tokens and the model has {size}; they must fit, "
                f"and be at most {MAX_VOCAB_SIZE}; take both from the same model"
            )
        pieces = [b""] * size
        ids = {bytes_of(piece): i for piece, i in ordinary.items()}
        for piece, i in ids.items():
            pieces[i] = piece
        if pieces.count(b"") != size - len(ids):
            raise TokenizerError("two tokens share one id; each must have its own")
        pairs = [(bytes_of(left), bytes_of(right)) for left, right in merges]
        order = _order_of_whole_pieces(ids, pairs) if whole_pieces else merge_order(ids, pairs)
        merged = tuple(ids[piece] for piece in order)
        return cls(tuple(pieces), dict(special), split, end_of_text, merged)


class _Merges:
    """The merges that can happen, found one after the other in the order of learning.

    tiktoken joins any two neighbours whose bytes form a token, the earliest token first; the
    original joins listed pairs only.  They agree when each token is built by one pair: whatever
    surrounds a token, the merges inside it run the same, as long as none crosses its edges.  So a
    pair that an earlier merge always tears apart is no merge, and a token that only such pairs
    would build is never written.
    """

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
        """Whether the halves ever stand side by side: walk back in time along their seam.

        Source: `is_valid_token_pair` of the crate bpe in github/rust-gems.
        """
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


def merge_order(ids: Mapping[bytes, int], merges: Iterable[Pair]) -> list[bytes]:
    """The pieces that merging can build, in the order in which the merges build them.

    Raises:
        TokenizerError: a merge names an unknown token or comes before one that it depends on.
    """
    found = _Merges(piece for piece in ids if len(piece) == 1)
    early = []
    for left, right in merges:
        if left not in ids or right not in ids or left + right not in ids:
            raise TokenizerError(
                f"the merge of {visible(left)!r} and {visible(right)!r} needs a token that the "
                "vocabulary lacks; take vocabulary and merges from the same model"
            )
        if left in found.rank and right in found.rank:
            found.add(left, right)
        else:
            early.append((left, right))
    rank = found.rank
    for left, right in early:
        both = max(rank.get(left, MAX_VOCAB_SIZE), rank.get(right, MAX_VOCAB_SIZE))
        if both < MAX_VOCAB_SIZE and rank.get(left + right, both) >= both:
            raise TokenizerError(
                f"the merge of {visible(left)!r} and {visible(right)!r} comes before the merges "
                "that build them; merges must be in the order in which they were learned"
            )
    return found.order


def _order_of_whole_pieces(ids: Mapping[bytes, int], merges: list[Pair]) -> list[bytes]:
    """The order of the tokens where a text's piece that is a token is never cut.

    Llama 3 was made with tiktoken, so some of its tokens are no result of merging.  Its merges
    list every cut of every token, which is tiktoken's own rule; a shorter list must be one whose
    tokens all result from merging, so that taking them whole changes nothing.

    Raises:
        TokenizerError: neither holds.
    """
    order = [piece for piece, _ in groupby(left + right for left, right in merges)]
    listed = set(merges)
    cuts = ((piece[:i], piece[i:]) for piece in ids for i in range(1, len(piece)))
    if len(set(order)) == len(order) and all(
        pair in listed for pair in cuts if pair[0] in ids and pair[1] in ids
    ):
        uncut = ids.keys() - set(order)
        return order + sorted(piece for piece in uncut if len(piece) > 1)
    order = merge_order(ids, merges)
    lost = [piece for piece in ids.keys() - set(order) if len(piece) > 1]
    if lost:
        raise TokenizerError(
            f"{len(lost)} tokens such as {visible(min(lost))!r} are taken whole, never merged "
            "(ignore_merges), which Foretype cannot reproduce; choose another model"
        )
    return order
