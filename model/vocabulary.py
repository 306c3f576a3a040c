"""What a byte-level BPE tokenizer is made of, as frozen, validated data.

Pieces by id, special tokens, the order of the merges and the way text is split beforehand.  Knows
nothing of the files that vocabularies come from, nor of how text is encoded.

Sources: Sennrich et al. 2016, arXiv 1508.07909 (byte pair encoding); Radford et al. 2019 (bytes
written as visible characters, the split of GPT-2); huggingface/tokenizers (the splits in use).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from model.byte_alphabet import TokenizerError, bytes_of
from model.merges import merge_order, order_of_whole_pieces

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

MAX_VOCAB_SIZE = 1 << 22  # far above any in use; keeps a corrupt file from filling memory

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
        long = {i for i in self.merged if len(self.pieces[i]) > 1}
        if len(long) != len(self.merged):
            raise TokenizerError("a merge builds no token, or one that another merge has built")

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
        ids = {bytes_of(piece): i for piece, i in ordinary.items()}
        piece_of = {i: piece for piece, i in ids.items()}
        if len(piece_of) != len(ids):
            raise TokenizerError("two tokens share one id; each must have its own")
        every_id = [*ids.values(), *special.values()]
        needed = max(every_id, default=0) + 1
        size = needed if vocab_size is None else vocab_size
        if not needed <= size <= MAX_VOCAB_SIZE or min(every_id, default=0) < 0:
            raise TokenizerError(
                f"token ids run from {min(every_id, default=0)} to {needed - 1}, and the model has "
                f"{size} tokens; ids must be below that, and it at most {MAX_VOCAB_SIZE}"
            )
        pairs = [(bytes_of(left), bytes_of(right)) for left, right in merges]
        order = (order_of_whole_pieces if whole_pieces else merge_order)(ids.keys(), pairs)
        return cls(
            pieces=tuple(piece_of.get(i, b"") for i in range(size)),
            special_tokens=dict(special),
            split=split,
            end_of_text=end_of_text,
            merged=tuple(ids[piece] for piece in order),
        )
