"""What taking a suggestion does to the text around the caret.  Pure strings, no Qt.

The word replaces what is typed of it, and what follows the caret of the same word.  It is set off
by one space on each side, unless a space or punctuation stands there already.
"""

from __future__ import annotations

from dataclasses import dataclass

from model.wordshape import INNER, is_letter, is_unspaced, wants_space

# Typed straight after an automatic space, these take its place.  `'` and `-` are among them
# because far more often they go on with a word (James's, well-known) than begin one.
TAKES_SPACE = frozenset(".,;:!?)]}%…”’»'-/—")
FOLLOWS_WORD = frozenset(".,;:!?)]}%…”’»'\"-/—–")


@dataclass(frozen=True, slots=True)
class Acceptance:
    """An edit at the caret, counted in code points.

    `before` and `after` characters around the caret give way to `text`; then the caret moves
    another `skip` characters over a space that was there already.
    """

    before: int
    after: int
    text: str
    skip: int = 0

    @property
    def adds_space(self) -> bool:
        """Whether `text` ends in a space that nobody typed."""
        return self.text.endswith(" ")


def accept(before: str, after: str, prefix: str, word: str) -> Acceptance:
    """Return the edit that puts `word` where `prefix`, the end of `before`, is typed.

    Without a prefix it is a new word, after a space if one is due.
    `before` and `after` are the line on either side of the caret.
    """
    rest = rest_of_word(after) if prefix else 0
    lead = " " if not prefix and (wants_space(before) or _ends_word(before)) else ""
    following = after[rest : rest + 1]
    if is_unspaced(word[-1]) or is_unspaced(before[: len(before) - len(prefix)][-1:]):
        return Acceptance(len(prefix), rest, lead + word)
    if following == " ":
        return Acceptance(len(prefix), rest, lead + word, skip=1)
    if following and (following in " \t\u00a0\u2028" or following in FOLLOWS_WORD):
        return Acceptance(len(prefix), rest, lead + word)
    return Acceptance(len(prefix), rest, lead + word + " ")


def rest_of_word(after: str) -> int:
    """How many characters right after the caret belong to the word that the caret is in."""
    rest = 0
    while _goes_on(after[rest : rest + 1]) or (
        after[rest : rest + 1] in INNER and _goes_on(after[rest + 1 : rest + 2])
    ):
        rest += 1
    return rest


def _goes_on(character: str) -> bool:
    """Whether a character, or the end of the line, goes on with a word."""
    return character != "" and is_letter(character) and not is_unspaced(character)


def _ends_word(before: str) -> bool:
    return _goes_on(before[-1:])
