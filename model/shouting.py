"""Text in capitals is read in natural case, and what is expected there is offered in capitals.

A small network knows "PAYMENT" as a row of rare fragments and "payment" as a word.  So a text in
capitals is read twice, as it stands and in natural case; both take part in a mixture in which the
number of words in capitals before the caret is the evidence, and the letters typed decide.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from model.blend import NOTHING, Candidates
from model.casing import capitalised
from model.wordshape import is_letter

if TYPE_CHECKING:
    from model.lattice import Lattice
    from model.session import Cancel
    from model.window import Window

# P(the next word is in capitals too), after so many such words; set by judgement.
SHARES = (0.003, 0.1, 0.6, 0.9)
WITHOUT_LETTERS = 2  # words in capitals after which one is expected before two are typed
LOOKED_AT = 200  # characters

_WORD = re.compile(r"[^\W\d_]{2,}")
_SENTENCE_START = re.compile(r"((?:[.!?]|\n)\s+|\n)(\w)")
_I = re.compile(r"\bi\b")


class Shouting:
    """What natural case expects where a text is in capitals.

    Args:
        window: of the model.
        lattice: the one that reads the text as it stands.
    """

    def __init__(self, window: Window, lattice: Lattice) -> None:
        self._window, self._beside = window, lattice
        self._lattice: Lattice | None = None  # takes room, and most writers never need it

    def expected(
        self, context: str, prefix: str, cancelled: Cancel | None = None, *, tries: bool = True
    ) -> Candidates:
        """Words in capitals and their share of the mixture; nothing where nobody shouts.

        Args:
            context: all text before the word being typed.
            prefix: the letters typed so far.
            cancelled: as in `Lattice.words`.
            tries: whether candidates are tried; else only what takes one short run at most is told.

        Raises:
            Cancelled: as `Lattice.words`.
        """
        count = words_in_capitals(context)
        is_begun = len(prefix) > 1 and prefix.isupper()
        if not is_begun and (count < WITHOUT_LETTERS or prefix != prefix.upper()):
            return NOTHING
        share = SHARES[min(count, len(SHARES) - 1)]
        before = in_natural_case(context)
        if before == context and not tries:  # the other lattice stands here
            lattice = self._beside
        else:
            if self._lattice is None:
                self._lattice = self._beside.beside()
            lattice, space = self._lattice, b" " if before.endswith(" ") else b""
            ids = self._window.ids(before.removesuffix(" "))
            if not (tries or lattice.is_at(ids, space) or lattice.is_near(ids)):
                return NOTHING
            lattice.start(ids, space, cancelled)
        typed = self._window.tokenizer.normalise(_natural_prefix(before, prefix)).encode()
        ranking = lattice.words(typed, cancelled) if tries else lattice.glance(typed)
        reach = share * min(lattice.reach(typed) / lattice.reach(b""), 1.0)
        words: dict[str, float] = {}
        for word, probability in ranking:
            if word.upper().startswith(prefix):
                words[word.upper()] = words.get(word.upper(), 0.0) + reach * probability
        return Candidates(list(words.items()), reach, share)


def words_in_capitals(text: str) -> int:
    """How many words at the end of `text` are all in capitals; single letters do not count."""
    tail = text[-LOOKED_AT:]
    return sum(word.isupper() for word in _WORD.findall(tail[_start_of_capitals(tail) :]))


def in_natural_case(text: str) -> str:
    """`text` with the capitals at its end as they would be in an ordinary text."""
    start = _start_of_capitals(text)
    before = text[:start].rstrip(" ")
    begun = "\n" if not before or before[-1] in ".!?\n" else ""
    natural = _SENTENCE_START.sub(lambda m: m[1] + m[2].upper(), begun + text[start:].lower())
    return text[:start] + _I.sub("I", natural[len(begun) :])


def _start_of_capitals(text: str) -> int:
    """Where the last word with a small letter in it ends."""
    start = len(text)
    while start and not text[start - 1].islower():
        start -= 1
    while start and start < len(text) and is_letter(text[start]):
        start += 1
    return start


def _natural_prefix(before: str, prefix: str) -> str:
    lower = prefix.lower()
    begins = not before.strip() or before.rstrip(" ")[-1] in ".!?\n"
    return capitalised(lower) if begins or lower in ("i", "i'", "i’") else lower
