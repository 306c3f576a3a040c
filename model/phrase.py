"""Ghost text: the words that are all but certain to follow, one to several, or none.

The first word comes from the lattice, the rest greedily from the network, for as long as the whole
is likelier than `CONFIDENCE`; so the probability that is shown is that of being right throughout.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from model.predictor import place_of
from model.wordshape import is_word

if TYPE_CHECKING:
    from model.predictor import Predictor
    from model.session import Cancel

CONFIDENCE = 0.5  # chosen on the development texts, see docs/prediction.md
MOST_WORDS = 4
MOST_TOKENS = 4  # of one word


@dataclass(frozen=True, slots=True)
class Phrase:
    """What probably follows the caret.

    Attributes:
        pieces: the rest of the word being typed, then whole words, each with the space before it.
        probability: that all of it is what the writer will type.
    """

    pieces: tuple[str, ...]
    probability: float

    @property
    def text(self) -> str:
        """All of it."""
        return "".join(self.pieces)


def likely_phrase(
    predictor: Predictor, text: str, cancelled: Cancel | None = None
) -> Phrase | None:
    """The phrase to show after `text`; None where nothing is likely enough.

    Raises:
        Cancelled: as `Predictor.words`.
    """
    context, prefix = place_of(text)
    words = predictor.words(context, prefix, 1, cancelled)
    if not words or words[0].probability < CONFIDENCE:
        return None
    first = words[0].text
    if not first.startswith(prefix) or first == prefix:
        return None
    pieces, probability = [first[len(prefix) :]], words[0].probability
    ids = predictor.window.ids(context + first)
    while len(pieces) < MOST_WORDS:
        found = _next_word(predictor, ids, cancelled)
        if found is None or probability * found[2] < CONFIDENCE:
            break
        ids, piece, chance = found
        pieces.append(piece)
        probability *= chance
    return Phrase(tuple(pieces), probability)


def _next_word(
    predictor: Predictor, ids: list[int], cancelled: Cancel | None
) -> tuple[list[int], str, float] | None:
    """The likeliest way to go on by a word: the ids with it, the word, and its probability."""
    lattice, shapes = predictor.lattice, predictor.lattice.shapes
    word, chance = b"", 1.0
    for step in range(MOST_TOKENS + 1):
        if not lattice.is_near(ids):
            return None
        probabilities = _softmax(lattice.next_token(ids, cancelled))
        ends = float(probabilities[~shapes.continues].sum())
        if step and ends > 0.5:
            text = word.decode("utf-8", "replace")
            fits = is_word(text[1:]) and predictor.offer.blocklist.is_allowed(text[1:])
            return (ids, text, chance * ends) if fits else None
        allowed = shapes.continues if step else shapes.starts & shapes.spaced
        token = int(np.where(allowed, probabilities, 0.0).argmax())
        chance *= float(probabilities[token])
        if chance < CONFIDENCE:
            return None
        word += predictor.tokenizer.token_bytes(token)
        ids = [*ids, token]
    return None


def _softmax(logits: np.ndarray) -> np.ndarray:
    exponentials = np.exp(logits - logits.max())
    probabilities: np.ndarray = exponentials / exponentials.sum()
    return probabilities
