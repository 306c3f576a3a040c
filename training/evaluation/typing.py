"""Keystrokes an ideal writer saves with a list of suggested words, and next words foreseen.

The writer types from left to right and never errs.  Before every letter of a word the suggestions
are shown; as soon as the word is among the first k, the writer takes it with one keystroke, which
also enters the space after it.  Punctuation and line ends are typed; typed straight after a taken
word they replace its space.  Case counts.  Knows nothing of models.

Source: the definitions of word prediction studies, as in Trnka & McCoy 2008, "Evaluating word
prediction: framing keystroke savings"; spaces and punctuation as said above.
"""

from __future__ import annotations

import re
from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Suggest = Callable[[str, str], Sequence[str]]  # text before the word, its letters → words

SHOWN = (1, 3, 5)  # lengths of the list that are measured

_TOKEN = re.compile(r"([^ \n]*)([ \n]?)")


@dataclass(frozen=True, slots=True)
class Step:
    """One token of a text: `lead` and `trail` are the characters around its word, maybe none.

    `start` is where the word begins in the text; `separator` is a space, a newline or, at the end
    of the text, nothing.  A token without letters and digits is all lead.
    """

    start: int
    lead: str
    word: str
    trail: str
    separator: str


@dataclass(frozen=True, slots=True)
class Typed:
    """What typing cost; the fields are counts and add up.

    `keys_K` are the keystrokes with K suggestions, `first_K` the words that are among the first K
    before any of their letters is typed.
    """

    characters: int = 0
    words: int = 0
    keys_1: int = 0
    keys_3: int = 0
    keys_5: int = 0
    first_1: int = 0
    first_3: int = 0
    first_5: int = 0

    def __add__(self, other: Typed) -> Typed:
        return Typed(*(a + b for a, b in zip(astuple(self), astuple(other), strict=True)))


def normalise(text: str) -> str:
    """Runs of spaces as one, no space at the ends of lines, no empty lines around the text."""
    return "\n".join(" ".join(line.split()) for line in text.splitlines()).strip("\n")


def steps(text: str, start: int = 0, end: int | None = None) -> Iterator[Step]:
    """The tokens of a normalised text, or from one token's start to another's, in order."""
    end = len(text) if end is None else end
    while start < end:
        match = _TOKEN.match(text, start)
        assert match, "anything matches"
        lead, word, trail = split_token(match[1])
        yield Step(start + len(lead), lead, word, trail, match[2])
        start = match.end()


def split_token(token: str) -> tuple[str, str, str]:
    """What precedes the first letter or digit, what reaches to the last one, and the rest.

    >>> split_token("(don't),")
    ('(', "don't", '),')
    >>> split_token("--")
    ('--', '', '')
    """
    ends = [i for i, character in enumerate(token) if character.isalnum()]
    if not ends:
        return token, "", ""
    return token[: ends[0]], token[ends[0] : ends[-1] + 1], token[ends[-1] + 1 :]


def type_step(text: str, step: Step, suggest: Suggest) -> Typed:
    """Type one token of `text` with suggestions for its word, best first."""
    around = len(step.lead) + len(step.trail) + len(step.separator)
    if not step.word:
        return Typed(around, 0, around, around, around)
    letters = _letters_until_taken(text[: step.start], step.word, suggest)
    # What follows the word at once replaces the space that comes with it, or is that space.
    saved_space = step.separator == " " and not step.trail
    keys = (
        around + (len(step.word) if typed is None else typed + 1 - saved_space) for typed in letters
    )
    return Typed(around + len(step.word), 1, *keys, *(typed == 0 for typed in letters))


def _letters_until_taken(context: str, word: str, suggest: Suggest) -> list[int | None]:
    """Letters typed before `word` is taken, for each length of the list; None if it never is."""
    letters: list[int | None] = [None] * len(SHOWN)
    for typed in range(len(word)):
        words = list(suggest(context, word[:typed]))[: SHOWN[-1]]
        rank = words.index(word) + 1 if word in words else SHOWN[-1] + 1
        for i, shown in enumerate(SHOWN):
            if letters[i] is None and rank <= shown:
                letters[i] = typed
        if letters[0] is not None:  # in the shortest list, so in all
            break
    return letters
