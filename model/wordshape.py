"""Which tokens can make up a word: the spelling rules behind the lattice, as masks over tokens.

A word runs from a letter or digit to the last letter or digit before a space; apostrophes, hyphens
and the like belong to it only between letters or digits ("don't", "well-known", "3.5", "and/or").
Knows nothing of probabilities.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from model.tokenizer import Tokenizer

INNER = "'’-./&_@"  # may stand inside a word
# What a token ends with before "n't" and is no word by itself.
STEMS = frozenset(
    f"{verb}n".encode()
    for verb in ("are", "could", "did", "does", "had", "has", "have", "is", "might", "must",
                 "need", "should", "was", "were", "would")
)  # fmt: skip


def is_letter(character: str) -> bool:
    """Whether a character makes words: letters, digits and the marks that combine with them."""
    return character.isalnum() or unicodedata.category(character)[0] == "M"


def split_at_caret(text: str) -> tuple[str, str]:
    """Text before the caret → (everything before the word being typed, its letters so far).

    >>> split_at_caret("I don't kn")
    ("I don't ", 'kn')
    >>> split_at_caret('She said "wel')
    ('She said "', 'wel')
    """
    start = max(text.rfind(space) for space in (" ", "\n", "\t", "\r", "\u2028", "\u00a0")) + 1
    while start < len(text) and not is_letter(text[start]):
        start += 1
    while (ended := _end_of_word(text, start)) is not None:  # "end.", "(see)": a new one begins
        start = ended
        while start < len(text) and not is_letter(text[start]):
            start += 1
    return text[:start], text[start:]


def _end_of_word(text: str, start: int) -> int | None:
    """Where the word that begins at `start` ends before the text does, or None.

    A mark at the end belongs to the word if it usually goes on: "don'", "well-", "3.".
    """
    for i in range(start, len(text)):
        if is_letter(text[i]):
            continue
        last = i + 1 == len(text)
        goes_on = text[i] in "'’-" or (text[i] in INNER and text[i - 1].isdigit())
        if text[i] not in INNER or (last and not goes_on):
            return i
    return None


def is_word(word: str) -> bool:
    """Whether a string is a presentable word: see the module."""
    if not word or not is_letter(word[0]) or not is_letter(word[-1]):
        return False
    return all(
        is_letter(c) or (c in INNER and is_letter(word[i - 1]) and is_letter(word[i + 1]))
        for i, c in enumerate(word)
    )


class TokenShapes:
    """Masks (V,) over the tokens of one vocabulary.

    Attributes:
        starts: a space (or nothing) and then the beginning of a word.
        spaced: the token begins with a space.
        inside: may stand inside a word, or begin it where no space is due.
        continues: after a word, this token makes it a longer one.
        stems: the token begins a word that cannot end with it.
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        size = tokenizer.vocab_size
        self.spaced, self.starts = np.zeros(size, bool), np.zeros(size, bool)
        self.inside, self.continues = np.zeros(size, bool), np.zeros(size, bool)
        self.stems = np.zeros(size, bool)
        for token in tokenizer.sorted_ids.tolist():
            piece = tokenizer.token_bytes(token)
            self.spaced[token] = piece[:1] == b" "
            body = piece[1:] if self.spaced[token] else piece
            text = body.decode("utf-8", "replace")
            if not body:
                continue
            partial = "\ufffd" in text  # some bytes of a character
            wordlike = all(is_letter(c) or c in INNER or c == "\ufffd" for c in text)
            begins = partial or is_letter(text[0])
            self.starts[token] = wordlike and begins
            self.stems[token] = body.lower() in STEMS
            self.inside[token] = wordlike and not self.spaced[token]
            self.continues[token] = not self.spaced[token] and self._continues(text, partial)

    @staticmethod
    def _continues(text: str, partial: bool) -> bool:
        first = text[0]
        if first == "\ufffd":
            return partial
        if is_letter(first) or text in ("-", "’"):
            return True
        return first in INNER and len(text) > 1 and is_letter(text[1])
