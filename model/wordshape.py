"""Which tokens can make up a word: the spelling rules behind the lattice, as masks over tokens.

A word runs from a letter or digit to the last letter or digit before a space; apostrophes, hyphens
and the like belong to it only between letters or digits ("don't", "well-known", "3.5", "and/or").
Chinese, Japanese, Thai and a few other scripts put no space between words: there a word is whatever
few characters may come next, and it may end after each of them.  Knows nothing of probabilities.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from model.tokenizer import Tokenizer

INNER = "'’-./&_@"  # may stand inside a word
ENDS_PHRASE = frozenset(".,;:!?)]}…”’»")
MOST_UNSPACED = 4  # characters of one word where no spaces are
# Thai, Lao and Tibetan, Burmese, Khmer, kana and Han: the scripts that write words together.
_UNSPACED = re.compile(
    "[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029"
    "\u3031-\u3035\u303b\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\uff66-\uff9f\U00020000-\U0003ffff]"
)
_BEFORE_CONSONANT = "เแโใไເແໂໃໄ"  # Thai and Lao vowels that are written before their consonant
_AFTER_CONSONANT = "ะาำๅະາຳ"  # and those written after it
# What a token ends with before "n't" and is no word by itself.
STEMS = frozenset(
    f"{verb}n".encode()
    for verb in ("are", "could", "did", "does", "had", "has", "have", "is", "might", "must",
                 "need", "should", "was", "were", "would")
)  # fmt: skip


def is_letter(character: str) -> bool:
    """Whether a character makes words: letters, digits and the marks that combine with them."""
    return character.isalnum() or unicodedata.category(character)[0] == "M"


def is_unspaced(character: str) -> bool:
    """Whether a letter is of a script that puts no space between words."""
    return character > "\u0dff" and _UNSPACED.match(character) is not None


def wants_space(before: str) -> bool:
    """Whether a new word after the punctuation that ends `before` needs a space first."""
    last = before[-1:]
    if last == '"':  # closing after a letter or punctuation, opening after a space
        return before[-2:-1].strip() != ""
    return last in ENDS_PHRASE and last != ""


def split_at_caret(text: str) -> tuple[str, str]:
    """Text before the caret → (everything before the word being typed, its letters so far).

    In a script without spaces nothing counts as typed: every character begins a new word.

    >>> split_at_caret("I don't kn")
    ("I don't ", 'kn')
    >>> split_at_caret('She said "wel')
    ('She said "', 'wel')
    """
    start = max(text.rfind(space) for space in (" ", "\n", "\t", "\r", "\u2028", "\u00a0")) + 1
    for i in range(len(text) - 1, start - 1, -1):
        if is_unspaced(text[i]):
            start = i + 1
            break
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
    if any(map(is_unspaced, word)):
        return all(map(is_unspaced, word)) and _is_whole(word)
    return all(
        is_letter(c) or (c in INNER and is_letter(word[i - 1]) and is_letter(word[i + 1]))
        for i, c in enumerate(word)
    )


def _is_whole(word: str) -> bool:
    """Whether a few characters of a script without spaces cut no syllable at either end."""
    is_cut = unicodedata.category(word[0])[0] == "M" or word[0] in _AFTER_CONSONANT
    return len(word) <= MOST_UNSPACED and not is_cut and word[-1] not in _BEFORE_CONSONANT


class TokenShapes:
    """Masks (V,) over the tokens of one vocabulary.

    Attributes:
        starts: a space (or nothing) and then the beginning of a word.
        spaced: the token begins with a space.
        inside: may stand inside a word, or begin it where no space is due.
        continues: after a word, this token makes it a longer one.
        unspaced: begins with a character, or some bytes of one, of a script without spaces.
        stems: the token begins a word that cannot end with it.
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        size = tokenizer.vocab_size
        self.spaced, self.starts = np.zeros(size, bool), np.zeros(size, bool)
        self.inside, self.continues = np.zeros(size, bool), np.zeros(size, bool)
        self.stems, self.unspaced = np.zeros(size, bool), np.zeros(size, bool)
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
            if self.spaced[token]:
                continue
            self.unspaced[token] = is_unspaced(text[0]) or _begins_unspaced(piece)
            self.continues[token] = not self.unspaced[token] and self._continues(text, partial)

    @staticmethod
    def _continues(text: str, partial: bool) -> bool:
        first = text[0]
        if first == "\ufffd":
            return partial
        if is_letter(first) or text in ("-", "’"):
            return True
        return first in INNER and len(text) > 1 and is_letter(text[1])


def _begins_unspaced(piece: bytes) -> bool:
    """Whether most characters of three bytes that begin with `piece` belong to such a script."""
    if not 0xE0 <= piece[0] <= 0xEF or len(piece) > 2:
        return False
    seconds = piece[1:2] or bytes(range(0x80, 0xC0))
    characters = (bytes([piece[0], second, 0xA0]).decode("utf-8", "replace") for second in seconds)
    unspaced = [is_unspaced(character[0]) for character in characters]
    return 2 * sum(unspaced) > len(unspaced)
