"""From the network's ranking to the words a writer is offered.

The personal memory is blended in, slips are corrected, and what should not be shown is left out:
words that differ only in case or apostrophe, the word already typed, blocked and offensive words.
Runs no network.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from model.blend import blend
from model.slips import Slips

if TYPE_CHECKING:
    from collections.abc import Iterator

    from model.blend import Candidates
    from model.blocklist import BlockList
    from model.lattice import Lattice, Ranking
    from model.memory import Memory

LONGEST_CORRECTED = 40  # letters
LEAST_SHOWN = 0.001  # below, what agrees with the letters is mostly no word


@dataclass(frozen=True, slots=True)
class Word:
    """A whole word ("payment" where "pa" is typed) and P(word | text, typed letters).

    A correction does not begin with the typed letters: they are taken for a slip.
    """

    text: str
    probability: float
    is_correction: bool = False


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
        self, context: str, prefix: str, typed: bytes, ranking: Ranking, k: int
    ) -> list[Word]:
        """At most `k` words for the word being typed, best first.

        Args:
            context: all text before that word; the lattice is at its end.
            prefix: the letters typed so far.
            typed: the same as the lattice knows them.
            ranking: the lattice's words for them.
            k: how many.
        """
        remembered = self.memory.candidates(context, prefix) if self.memory else None
        corrections = list(self._corrections(prefix, typed, remembered))
        if remembered:
            reach = self.lattice.reach(typed) / self.lattice.reach(b"")
            ranking = blend(ranking, remembered, reach=min(reach, 1.0))
        left = max(1 - sum(word.probability for word in corrections), 0.0)
        words = [Word(text, probability * left) for text, probability in ranking]
        ranked = sorted([*corrections, *words], key=lambda word: -word.probability)
        return self._presentable(ranked, prefix, k)

    def _corrections(
        self, prefix: str, typed: bytes, remembered: Candidates | None
    ) -> Iterator[Word]:
        if not 2 <= len(prefix) <= LONGEST_CORRECTED:
            return
        meant = self.lattice.reach(typed)
        if remembered:
            meant = (1 - remembered.share) * meant + remembered.reach * self.lattice.reach(b"")
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

    def _presentable(self, ranked: list[Word], prefix: str, k: int) -> list[Word]:
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
