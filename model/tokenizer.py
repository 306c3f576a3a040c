"""Text ↔ token ids ↔ bytes, exactly as the model's own tokenizer does it, without the network.

tiktoken merges; around it stand what it lacks: any Python string is accepted, code point offsets
survive, and the vocabulary sorted by bytes answers which tokens begin with what is being typed.
Knows nothing of models.

Source: openai/tiktoken, whose `Encoding` is built from local data only.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import tiktoken

from model.byte_alphabet import TokenizerError, bytes_of, visible
from model.files import write_atomically
from model.tokenizer_files import vocabulary_from_folder, vocabulary_from_gguf
from model.vocabulary import SPLITS, Vocabulary

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["Tokenizer", "TokenizerError", "tokenizer_from_folder", "tokenizer_from_gguf"]

FORMAT = 1
FIELDS = {"format", "vocab_size", "end_of_text", "split", "special_tokens", "merged", "pieces"}
REPLACEMENTS = "\ufffd? "  # for what the vocabulary cannot express, the first one that it can


class Tokenizer:
    """A byte-level BPE tokenizer over one `Vocabulary`.

    Immutable, so safe to share between threads.  `pieces[i]` are the bytes of id i, b"" for
    special tokens and padding.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.pieces = vocabulary.pieces
        self.vocab_size = len(self.pieces)
        self.end_of_text = vocabulary.end_of_text
        self.special_ids = frozenset(vocabulary.special_tokens.values())
        self._known_bytes = b"".join(piece for piece in self.pieces if len(piece) == 1)
        self._replacement = next(filter(self._expresses, REPLACEMENTS), None)
        if self._replacement is None:
            raise TokenizerError("the vocabulary can write neither U+FFFD nor '?' nor a space")
        self._encoding, self._id_of_rank = _encoding(vocabulary)

    def _expresses(self, text: str) -> bool:
        """Whether every character is Unicode text of which every byte has a token."""
        try:
            return not text.encode().translate(None, self._known_bytes)
        except UnicodeEncodeError:
            return False

    def normalise(self, text: str) -> str:
        """Replace lone surrogates and what the vocabulary lacks, one code point by one."""
        if self._expresses(text):
            return text
        return text.translate(
            {ord(char): self._replacement for char in set(text) if not self._expresses(char)}
        )

    def encode(self, text: str) -> list[int]:
        """The ids of `text` after `normalise`; what looks like a special token is plain text."""
        ranks = self._encoding.encode_ordinary(self.normalise(text))
        return ranks if self._id_of_rank is None else self._id_of_rank[ranks].tolist()

    def decode_bytes(self, ids: Sequence[int]) -> bytes:
        """The bytes of `ids`; special tokens and padding give none."""
        return b"".join([self.pieces[i] for i in ids])

    def decode(self, ids: Sequence[int]) -> str:
        """The text of `ids`; incomplete or invalid bytes become U+FFFD."""
        return self.decode_bytes(ids).decode("utf-8", "replace")

    def token_bytes(self, token: int) -> bytes:
        """The bytes of one id, b"" for special tokens and padding."""
        return self.pieces[token]

    def spans(self, text: str, ids: Sequence[int]) -> list[tuple[int, int]]:
        """Start and end of every token in `text`, in code points.

        `ids` are those of `encode(text)`, with or without special tokens among them, whose spans
        are empty.  A token that holds any byte of a character covers the character, so several
        tokens of one character share its span.

        Raises:
            TokenizerError: `ids` are not the tokens of `text`.
        """
        data = self.normalise(text).encode()
        if self.decode_bytes(ids) != data:
            raise TokenizerError(f"{len(ids)} ids do not spell the {len(text)} characters given")
        ends = np.cumsum([len(self.pieces[i]) for i in ids], dtype=np.int64)
        starts = np.concatenate(([0], ends))[:-1]
        leads = (np.frombuffer(data, np.uint8) & 0xC0) != 0x80  # first byte of a character
        seen = np.concatenate(([0], np.cumsum(leads)))  # characters begun before each byte
        after = seen[ends]
        before = np.where(ends > starts, seen[np.minimum(starts + 1, ends)] - 1, after)
        return list(zip(before.tolist(), after.tolist(), strict=True))

    @cached_property
    def sorted_ids(self) -> npt.NDArray[np.int64]:
        """(n,) int64: the ids of the ordinary tokens, sorted by their bytes."""
        ordinary = (i for i, piece in enumerate(self.pieces) if piece)
        return np.array(sorted(ordinary, key=self.pieces.__getitem__), dtype=np.int64)

    @cached_property
    def _sorted_pieces(self) -> list[bytes]:
        return [self.pieces[i] for i in self.sorted_ids]

    def slice_of(self, prefix: bytes) -> slice:
        """Where in `sorted_ids` the tokens stand whose bytes start with `prefix`."""
        start = bisect_left(self._sorted_pieces, prefix)
        stem = prefix.rstrip(b"\xff")
        if not stem:  # nothing sorts after b"\xff…"
            return slice(start, len(self._sorted_pieces))
        successor = stem[:-1] + bytes([stem[-1] + 1])
        return slice(start, bisect_left(self._sorted_pieces, successor, start))

    def token_of(self, piece: bytes) -> int | None:
        """The ordinary token whose bytes are exactly these."""
        place = bisect_left(self._sorted_pieces, piece)
        if piece and self._sorted_pieces[place : place + 1] == [piece]:
            return int(self.sorted_ids[place])
        return None

    def save(self, path: Path) -> None:
        """Write one JSON file, whole or not at all."""
        vocabulary = self.vocabulary
        in_id_order = self._id_of_rank is None and len(vocabulary.merged) == sum(
            len(piece) > 1 for piece in self.pieces
        )
        fields = {
            "format": FORMAT,
            "vocab_size": self.vocab_size,
            "end_of_text": self.end_of_text,
            "split": vocabulary.split,
            "special_tokens": vocabulary.special_tokens,
            "merged": None if in_id_order else vocabulary.merged,
            "pieces": [visible(piece) for piece in self.pieces],
        }
        write_atomically(path, json.dumps(fields, ensure_ascii=False, indent=0))

    @classmethod
    def load(cls, path: Path) -> Tokenizer:
        """Read what `save` wrote.

        Raises:
            TokenizerError: the file is missing, damaged, or of another program.
        """
        try:
            fields = json.loads(path.read_bytes())
            return cls(_vocabulary_of(fields))
        except TokenizerError as err:
            raise TokenizerError(f"{path}: {err}") from err
        except (OSError, ValueError, TypeError, AttributeError, RecursionError) as err:
            raise TokenizerError(f"{path} is no Foretype tokenizer ({err!r})") from err


def tokenizer_from_gguf(path: Path) -> Tokenizer:
    """The tokenizer of a GGUF file.

    Raises:
        TokenizerError: the file is damaged, or its tokenizer is none that Foretype reproduces.
    """
    return Tokenizer(vocabulary_from_gguf(path))


def tokenizer_from_folder(folder: Path) -> Tokenizer:
    """The tokenizer of a Hugging Face folder, or of GPT-2's original files.

    Raises:
        TokenizerError: no file is there, one is damaged, or its tokenizer is none that Foretype
            reproduces.
    """
    return Tokenizer(vocabulary_from_folder(folder))


def _encoding(vocabulary: Vocabulary) -> tuple[tiktoken.Encoding, npt.NDArray[np.int64] | None]:
    """The tiktoken encoding, and its ranks' ids where those are not the ranks themselves.

    tiktoken merges the lowest rank first, so ids serve as ranks when they follow the merges.
    """
    pieces, merged = vocabulary.pieces, vocabulary.merged
    by_rank = [i for i, piece in enumerate(pieces) if len(piece) == 1]
    by_rank += merged
    ids_are_ranks = list(merged) == sorted(merged)
    ranks = {pieces[i]: i if ids_are_ranks else rank for rank, i in enumerate(by_rank)}
    encoding = tiktoken.Encoding(
        "foretype", pat_str=SPLITS[vocabulary.split], mergeable_ranks=ranks, special_tokens={}
    )
    return encoding, None if ids_are_ranks else np.array(by_rank, dtype=np.int64)


def _vocabulary_of(fields: Any) -> Vocabulary:
    """Check and unpack what `Tokenizer.save` wrote."""
    if not isinstance(fields, dict) or fields.get("format") != FORMAT:
        raise TokenizerError(
            f"it is no tokenizer file of format {FORMAT}, which this Foretype reads; install the "
            "model again"
        )
    if set(fields) != FIELDS:
        odd = min(FIELDS ^ set(fields))
        raise TokenizerError(f"field {odd!r} is missing or unknown; install the model again")
    pieces = tuple(map(bytes_of, fields["pieces"]))
    if len(pieces) != fields["vocab_size"]:
        raise TokenizerError(f"{len(pieces)} pieces, but vocab_size is {fields['vocab_size']!r}")
    merged = fields["merged"]
    if merged is None:
        merged = [i for i, piece in enumerate(pieces) if len(piece) > 1]
    return Vocabulary(
        pieces, fields["special_tokens"], fields["split"], fields["end_of_text"], tuple(merged)
    )
