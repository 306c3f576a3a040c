"""Typing slips: the likely words that may be meant where the typed letters make none.

Words are weighed by language model × noise model,

    P(word | context) * P(typed letters | the beginning of the word),

against P(the text goes on with the typed letters | context): a correction is offered only where a
slip is likelier than that the letters are meant.  It may be a whole word with a slip or the word
that its beginning leads to.  Knows nothing of running the network.

Source: the noisy channel of Kernighan, Church and Gale 1990.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from model.noise import LONGEST, MOST, MOST_MISSING, MOST_OTHER_FIRST, as_letters, noise
from model.wordshape import is_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from model.tokenizer import Tokenizer
    from model.wordshape import TokenShapes

LEAST_TYPED = 2
OFFERED = 0.5  # P(slip) from which corrections are offered
LISTED = 0.15  # P(correction) from which it is one of them
# The network learnt from texts with slips, so that it expects "recieve" now and then.  This share
# of its mass is left to letters in lower case that begin no known word.
UNKNOWN = 0.05
REAL_WORD = 10.0  # a whole word is meant so much more often than the network expects it
OTHER_CASE = 0.05  # a word written with a capital where none was typed, or the reverse
LEAST_NOISE = 1e-8  # two slips; with three, anything resembles something
LEAST_WORD = 1e-7  # P(word | context)
MOST_WORDS = 1024
NEAR = 2e-5  # P(typed letters | word) of all that is one slip away, however rare the slip


@dataclass(frozen=True, slots=True)
class Correction:
    """A whole word other than the one typed, and P(it is meant | context, typed letters)."""

    text: str
    probability: float


class Slips:
    """Corrections: words that are single tokens of one vocabulary, and whichever are given.

    Args:
        tokenizer: its ids are in the order of the merges, frequent tokens first.
        shapes: of its tokens.
    """

    def __init__(self, tokenizer: Tokenizer, shapes: TokenShapes) -> None:
        self._lexicons = {
            space: _Lexicon(tokenizer, np.flatnonzero(shapes.starts & (shapes.spaced == space)))
            for space in (True, False)
        }
        self._spellings = sorted(
            set().union(*(lexicon.spellings for lexicon in self._lexicons.values()))
        )

    def corrections(
        self,
        typed: str,
        log_probs: np.ndarray,
        network_total: float,
        *,
        space: bool,
        words: Mapping[str, float],
        k: int = 3,
    ) -> list[Correction]:
        """At most `k` words that may be meant instead of what is typed, best first, mostly none.

        Args:
            typed: the letters of the word so far.
            log_probs: (V,) of the token after the context.
            network_total: P(the text goes on with `typed` | context), by the network.
            space: the next token brings the space before the word with it.
            words: more words with P(word | context), such as those of several tokens and the
                writer's own; with 0 it is only their spelling that is known.
            k: how many.
        """
        if not LEAST_TYPED <= len(typed) <= LONGEST - MOST_MISSING:
            return []
        if any(character.isdigit() for character in typed):
            return []  # numbers are not guessed
        meant = network_total * self._intended(typed, words)
        texts, letters, priors = self._lexicons[space].likely(
            typed, log_probs, meant * LISTED / MOST
        )
        if words:
            texts = np.concatenate([texts, np.array(list(words), object)])
            letters = np.concatenate([letters, as_letters(list(words))])
            factors = np.where(_styles(words) == _style(typed), 1.0, OTHER_CASE)
            priors = np.concatenate([priors, np.array(list(words.values())) * factors])
        least = np.maximum(meant * LISTED / np.maximum(priors, LEAST_WORD), LEAST_NOISE)
        scores = priors * noise(typed, letters, least)
        found: dict[str, float] = {}
        for i in np.flatnonzero(scores).tolist():
            text = _as_typed(texts[i], typed)
            found[text] = max(found.get(text, 0.0), float(scores[i]))
        evidence = meant + sum(found.values())
        if meant > (1 - OFFERED) * evidence:
            return []
        ranked = sorted(found.items(), key=lambda item: (-item[1], item[0]))[:k]
        return [Correction(text, p / evidence) for text, p in ranked if p >= LISTED * evidence]

    def has_neighbour(self, word: str, *, space: bool) -> bool:
        """Whether some other word, one slip away, is known; all arguments as for `corrections`."""
        if not LEAST_TYPED <= len(word) <= LONGEST - MOST_MISSING:
            return False
        letters = self._lexicons[space].letters
        return bool(noise(word, letters, np.full(len(letters), NEAR)).any())

    def _intended(self, typed: str, words: Iterable[str]) -> float:
        """By how much more, or less, the letters are meant than the network expects them."""
        typed = typed.replace("’", "'")
        known = self._spellings
        i = bisect_left(known, typed)
        near = [*known[i : i + 1], *(word.replace("’", "'") for word in words)]
        if typed in near:
            return REAL_WORD
        if any(word.startswith(typed) for word in near):
            return 1.0
        return UNKNOWN if typed[0].islower() else 1.0  # names are never known to all


class _Lexicon:
    """The words among some tokens, N of them."""

    def __init__(self, tokenizer: Tokenizer, ids: np.ndarray) -> None:
        words: dict[str, int] = {}
        for token in ids.tolist():
            text = tokenizer.token_bytes(token).decode("utf-8", "replace").removeprefix(" ")
            if is_word(text) and len(text) <= LONGEST:
                words[text] = token
        self._ids = np.array(list(words.values()), np.int64)
        self._texts = np.array([_usual_form(text, tokenizer) for text in words], object)
        self.letters = as_letters(list(words))
        self._first = self.letters[:, 0].copy()
        self._style = _styles(words)
        self.spellings = words.keys() | set(self._texts)

    def likely(
        self, typed: str, log_probs: np.ndarray, least: float
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """At most MOST_WORDS that are likely enough for a correction.

        Returns:
            texts (N,), letters (N, LONGEST), and P(word | context), less in another case, (N,).
        """
        log_p = log_probs[self._ids]
        chosen = np.flatnonzero(log_p >= np.log(max(least, LEAST_WORD)))
        log_p = log_p[chosen] + np.log(OTHER_CASE) * (self._style[chosen] != _style(typed))
        other_first = self._first[chosen] != as_letters([typed])[0, 0]
        worth = log_p + np.log(MOST_OTHER_FIRST / MOST) * other_first
        likely = np.flatnonzero(worth >= np.log(max(least, LEAST_WORD)))
        if len(likely) > MOST_WORDS:
            likely = likely[np.argpartition(-worth[likely], MOST_WORDS - 1)[:MOST_WORDS]]
        chosen, priors = chosen[likely], np.exp(log_p[likely].astype(np.float64))
        return self._texts[chosen], self.letters[chosen], priors


def _usual_form(word: str, tokenizer: Tokenizer) -> str:
    """`word` without its capital if it is more frequent so: "the" for "The", but "London"."""
    with_capital = tokenizer.token_of(b" " + word.encode())
    without = tokenizer.token_of(b" " + word.lower().encode())
    if without is not None and (with_capital is None or without < with_capital):
        return word.lower()
    return word


def _style(word: str) -> int:
    """0: in lower case; 1: with a capital; 2: all in capitals."""
    return 2 if len(word) > 1 and word.isupper() else int(word[0].isupper())


def _styles(words: Iterable[str]) -> np.ndarray:
    return np.array([_style(word) for word in words])


def _as_typed(word: str, typed: str) -> str:
    """`word` with the capitals and the apostrophe of what is typed, and the capitals of its own."""
    if "’" in typed:
        word = word.replace("'", "’")
    style = _style(typed)
    if style == 2:
        return word.upper()
    return word[0].upper() + word[1:] if style == 1 and word.islower() else word
