"""How fingers slip: the probability that a word, or its beginning, comes out as what is typed.

Five slips are known, alone and together: two letters swapped, one missing, one doubled, one too
many, one mistyped (most often a key beside the right one on QWERTY, or a vowel for a vowel).  All
ways to get from the word to the typed letters are added up.  Knows nothing of how likely words are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

# P(slip) at one letter.  They add up to some 2 %, the order of magnitude of what typists do before
# they correct it (Dhakal et al. 2018, "Observations on typing from 136 million keystrokes").  Their
# shares are those of the 52,500 single slips among codespell 2.4.3's misspellings, divided by the
# number of letters each may turn into.
KEPT = 0.98
SWAPPED = 0.0035  # with the next letter: 17 %
MISSING = 0.006  # "goverment": 29 %
MISSING_REPEAT = 0.02  # "tomorow": 3 %, but few letters repeat the one before
MISSING_MARK = 0.3  # "dont": assumed; many writers leave them out on purpose
DOUBLED = 0.002  # "untill": 9 %
EXTRA = 0.00015  # each of 25 other letters: 18 %
VOWEL = 0.001  # each of 5: 10 %
NEIGHBOUR = 0.0005  # each of some 5 keys: 5 %, but writers notice most of these at once
OTHER = 0.00005  # each of some 15: 5 %
FIRST_LETTER = 0.1  # of all the above: only 2 % of codespell's slips are in the first letter

MOST = 0.06  # no typed letters with a slip are likelier, for a word without marks
MOST_OTHER_FIRST = 0.0015  # nor these, if the first letters differ
MOST_MISSING = 2  # letters in a row, and by which the word is ahead of what is typed
LONGEST = 24  # letters compared

_MARKS = [ord(mark) for mark in "'-"]
_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")


def as_letters(words: Sequence[str]) -> np.ndarray:
    """(N, LONGEST) uint32 code points of words in lower case, cut or padded with zeros."""
    lower = [word.lower().replace("’", "'")[:LONGEST] for word in words]
    return np.array(lower, f"U{LONGEST}").view(np.uint32).reshape(len(words), LONGEST)


def noise(typed: str, words: np.ndarray, least: np.ndarray) -> np.ndarray:
    """P(typed | the beginning of each word, at least one slip).

    Args:
        typed: its n letters, at most LONGEST - MOST_MISSING.
        words: (N, LONGEST) from `as_letters`.
        least: (N,) what is below counts as 0; saves work.

    Returns:
        (N,) float64; 0 for the words that begin with `typed`.
    """
    codes = as_letters([typed])[0, : len(typed)]
    rows = np.flatnonzero((words[:, : len(codes)] != codes).any(axis=1))
    word, least = words[rows, : len(codes) + MOST_MISSING + 1], least[rows]
    missing = _missing(word)
    # ways[:, j]: what is typed so far comes from the first j letters of the word
    before, ways = np.zeros(word.shape), np.zeros(word.shape)
    ways[:, 0] = 1
    for i, code in enumerate(codes.tolist()):
        skipped = ways
        for _ in range(MOST_MISSING):
            skipped = _moved(skipped * missing)
            ways = ways + skipped
        after = _moved(ways * _written(code, word)) + ways * _extra(code, word)
        if i > 0 and code != codes[i - 1]:
            after += _moved(_moved(before * _swapped(int(codes[i - 1]), code, word)))
        alive = after.sum(axis=1) >= least
        rows, word, least, missing = rows[alive], word[alive], least[alive], missing[alive]
        before, ways = ways[alive], after[alive]
    result = np.zeros(len(words))
    result[rows] = ways.sum(axis=1)
    return result


def _moved(ways: np.ndarray) -> np.ndarray:
    """One letter of the word further on."""
    moved = np.zeros(ways.shape)
    moved[:, 1:] = ways[:, :-1]
    return moved


def _missing(word: np.ndarray) -> np.ndarray:
    """P(each letter is left out)."""
    chance = np.full(word.shape, MISSING)
    chance[:, 1:][word[:, 1:] == word[:, :-1]] = MISSING_REPEAT
    for mark in _MARKS:
        chance[word == mark] = MISSING_MARK
    return _with_first_letter(chance, word)


def _written(code: int, word: np.ndarray) -> np.ndarray:
    """P(`code` is typed for each letter)."""
    chance = _with_first_letter(_MISTYPED[min(code, 127)][np.minimum(word, 127)], word)
    chance[word == code] = KEPT
    return chance


def _extra(code: int, word: np.ndarray) -> np.ndarray:
    """P(`code` is typed before each letter and is none of the word's)."""
    chance = np.full(word.shape, EXTRA)
    chance[:, 0] *= FIRST_LETTER
    chance[:, 1:][word[:, :-1] == code] = DOUBLED
    return chance


def _swapped(first: int, second: int, word: np.ndarray) -> np.ndarray:
    """P(each letter and the next are typed in the other order, as `first` and `second`)."""
    chance = np.zeros(word.shape)
    chance[:, :-1][(word[:, 1:] == first) & (word[:, :-1] == second)] = SWAPPED
    return _with_first_letter(chance, word)


def _with_first_letter(chance: np.ndarray, word: np.ndarray) -> np.ndarray:
    """Less for the first letter, and nothing after the last."""
    chance[:, 0] *= FIRST_LETTER
    chance[word == 0] = 0
    return chance


def _mistyped() -> np.ndarray:
    """(128, 128) P(one character is typed for another); the last stands for all beyond ASCII."""
    chance = np.full((128, 128), OTHER)
    place = {  # key → row, and column in half keys
        ord(letter): (row, 2 * column + row)
        for row, letters in enumerate(_ROWS)
        for column, letter in enumerate(letters)
    }
    for a, (row, column) in place.items():
        for b, (other_row, other_column) in place.items():
            rows, columns = abs(row - other_row), abs(column - other_column)
            if rows < 2 and rows + columns <= 2:
                chance[a, b] = NEIGHBOUR
    vowels = [ord(letter) for letter in "aeiouy"]
    chance[np.ix_(vowels, vowels)] = VOWEL
    return chance


_MISTYPED = _mistyped()
