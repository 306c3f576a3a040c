"""Mixing the network's words with those of personal memories.

Both are probabilities of the whole word before a letter was typed, so the letters themselves decide
between them: where the network finds the typed letters unlikely and the memory does not, the memory
is believed.  (A mixture of the two rankings after the letters would forget that.)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from model.word_tree import Ranking


@dataclass(frozen=True, slots=True)
class Candidates:
    """What a memory expects of the word being typed; the parts of a mixture.

    Attributes:
        words: best first, each with λ P(word | context).
        reach: λ P(typed letters | context): the sum over all words that agree with them.
        share: λ, the weight of the memory in the mixture; it grows with the evidence there is for
            this context, whatever letters are typed.
    """

    words: Ranking
    reach: float
    share: float


NOTHING = Candidates([], 0.0, 0.0)


def blend(network: Ranking, *memories: Candidates, reach: float = 1.0) -> Ranking:
    """P(word | context, typed letters) of the mixture, best first.

    P = (1 - λ) P_network + λ P_memory, all over the probability of the typed letters; of several
    memories, each is mixed with the mixture before it.

    Args:
        network: P(word | context, typed letters).
        memories: what each remembers at the same place, for the same letters.
        reach: the network's P(typed letters | context); 1 before the first letter.
    """
    masses = {word: reach * probability for word, probability in network}
    total = reach
    for memory in memories:
        masses = {word: (1 - memory.share) * mass for word, mass in masses.items()}
        for word, mass in memory.words:
            masses[word] = masses.get(word, 0.0) + mass
        total = (1 - memory.share) * total + memory.reach
    total = max(total, 1e-30)
    ranked = [(word, min(mass / total, 1.0)) for word, mass in masses.items()]
    return sorted(ranked, key=lambda item: (-item[1], item[0]))
