"""How a remembered word is written after the letters that are typed: case and apostrophes."""

from __future__ import annotations

from dataclasses import dataclass

OTHER_CASE = 0.1  # P(a word is typed in another case than it was written in before)


def straight(text: str) -> str:
    """`text` with typewriter apostrophes: the form in which words are compared and stored."""
    return text.replace("’", "'")


def folded(text: str) -> str:
    """What all spellings of a word that differ in case or apostrophe have in common."""
    return straight(text).casefold()


def capitalised(word: str) -> str:
    """`word` with its first letter large and the others as they are."""
    return word[:1].upper() + word[1:]


@dataclass(frozen=True, slots=True)
class Typed:
    """The letters typed of a word, and what its place in the text asks for.

    Attributes:
        prefix: the letters, maybe none.
        begins_sentence: whether the word is the first of a sentence.
        curly: whether this text writes ’ for an apostrophe.
    """

    prefix: str
    begins_sentence: bool
    curly: bool

    @property
    def own_letters(self) -> str:
        """The letters whose case says something of the word: a capital that is due does not."""
        letters = straight(self.prefix)
        return "" if self.begins_sentence and letters == capitalised(letters.lower()) else letters

    def case_factor(self, word: str) -> float:
        """How likely `word` is, given the case of the letters: 1 if it is written so."""
        return 1.0 if word.startswith(self.own_letters) else OTHER_CASE

    def write(self, word: str) -> str | None:
        """`word`, stored as it was once written, as it would go on from the letters here.

        Small letters accept a word's own capitals ("ky" → "Kyriakos").  None if the letters do not
        begin the word.
        """
        letters = straight(self.prefix)
        begun, rest = word[: len(letters)], word[len(letters) :]
        if begun.casefold() != letters.casefold():
            return None
        if letters != begun and letters != letters.lower():
            word = letters + (rest.upper() if len(letters) > 1 and letters.isupper() else rest)
        elif not letters and self.begins_sentence:
            word = capitalised(word)
        return word.replace("'", "’") if self.curly else word
