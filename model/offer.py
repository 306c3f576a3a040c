"""From the network's ranking to the words a writer is offered.

The personal memory is blended in, slips are corrected, and what should not be shown is left out:
words that differ only in case or apostrophe, the word already typed, blocked and offensive words.
Runs no network.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from model.blend import NOTHING, blend
from model.slips import Slips

if TYPE_CHECKING:
    from collections.abc import Iterator

    from model.blend import Candidates
    from model.blocklist import BlockList
    from model.lattice import Lattice
    from model.memory import Memory
    from model.word_tree import Ranking

LONGEST_CORRECTED = 40  # letters
LEAST_SHOWN = 0.001  # below, what agrees with the letters is mostly no word
COMPLETE = 0.5  # P(the typed word ends here) from which words to follow it are offered


@dataclass(frozen=True, slots=True)
class Word:
    """A whole word ("payment" where "pa" is typed) and P(word | text, typed letters).

    A correction does not begin with the typed letters: they are taken for a slip.  A next word
    does not either: what is typed is taken for a whole word, and a space is due.
    """

    text: str
    probability: float
    is_correction: bool = False
    is_next: bool = False


class Offer:
    """What is offered of one lattice.

    Attributes:
        memory: the writer's own words, or None.
        blocklist: what is never offered.
    """

    def __init__(self, lattice: Lattice, memory: Memory | None, blocklist: BlockList) -> None:
        self.lattice, self.memory, self.blocklist = lattice, memory, blocklist

    @cached_property
    def slips(self) -> Slips:
        """Takes a fifth of a second to prepare."""
        return Slips(self.lattice.tokenizer, self.lattice.shapes)

    def words(
        self, context: str, prefix: str, typed: bytes, ranking: Ranking, loud: Candidates = NOTHING
    ) -> list[Word]:
        """All words for the word being typed, best first; `presentable` chooses among them.

        Args:
            context: all text before that word; the lattice is at its end.
            prefix: the letters typed so far.
            typed: the same as the lattice knows them.
            ranking: the lattice's words for them.
            loud: what is expected in capitals.
        """
        remembered = self.memory.candidates(context, prefix) if self.memory else NOTHING
        corrections = list(self._corrections(prefix, typed, loud, remembered))
        if remembered.share or loud.share:
            reach = self.lattice.reach(typed) / self.lattice.reach(b"")
            ranking = blend(ranking, loud, remembered, reach=min(reach, 1.0))
        left = max(1 - sum(word.probability for word in corrections), 0.0)
        words = [Word(text, probability * left) for text, probability in ranking]
        return sorted([*corrections, *words], key=lambda word: -word.probability)

    def next_words(self, text: str, ranking: Ranking, chance: float, k: int) -> list[Word]:
        """At most `k` words to follow the one that ends `text`, best first.

        Args:
            text: all text, the whole word at its end included.
            ranking: what the lattice expects to follow.
            chance: P(that word ends here).
            k: how many.
        """
        if self.memory:
            ranking = blend(ranking, self.memory.candidates(f"{text} "))
        words = [Word(word, chance * share, is_next=True) for word, share in ranking]
        return self.presentable(words, "", k)

    def _corrections(self, prefix: str, typed: bytes, *mixed: Candidates) -> Iterator[Word]:
        if not 2 <= len(prefix) <= LONGEST_CORRECTED:
            return
        meant = self.lattice.reach(typed)
        for candidates in mixed:
            reach = candidates.reach * self.lattice.reach(b"")
            meant = (1 - candidates.share) * meant + reach
        expected = dict(self.lattice.first_words)
        if self.memory:  # a name typed once may be mistyped the next time
            for text, mass in self.memory.candidates(context="", prefix=prefix[:1]).words:
                expected.setdefault(text, mass)
        found = self.slips.corrections(
            prefix, self.lattice.log_probs, meant,
            space=self.lattice.after_space, words=expected,
        )  # fmt: skip
        for correction in found:
            yield Word(correction.text, correction.probability, is_correction=True)

    def presentable(self, ranked: list[Word], prefix: str, k: int) -> list[Word]:
        """The first `k` that may be shown; the word already typed only where it is alone."""
        shown: dict[str, Word] = {}
        alone: Word | None = None
        for word in ranked:
            if len(shown) == k:
                break
            if not self.blocklist.is_allowed(word.text, prefix):
                continue
            if word.text == prefix:
                alone = word
            elif word.probability >= LEAST_SHOWN:
                shown.setdefault(word.text.casefold().replace("’", "'"), word)
        if not shown and alone and k > 0:
            return [alone]
        return list(shown.values())
