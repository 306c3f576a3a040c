"""Tells a slip that was left in a finished text from a word that is new and worth learning.

A word is doubted where the network expects another, one slip away, so much more that the slip is
the likelier explanation (`model.slips`).  A name is as unexpected, but nothing likely is near it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from model.session import Cache, Session
    from model.slips import Slips
    from model.window import Window
    from model.wordshape import TokenShapes

MOST_LONGER = 1  # letters between a finished word and the one that was meant


class Doubts:
    """Reads in a cache of its own, so that the work for the caret stays as it is.

    Args:
        session: of the network.
        window: of the model.
        shapes: of its tokens.
        slips: gives what knows words; taking it may take a while.
    """

    def __init__(
        self, session: Session, window: Window, shapes: TokenShapes, slips: Callable[[], Slips]
    ) -> None:
        self._session, self._window, self._shapes, self._slips = session, window, shapes, slips
        self._cache: Cache | None = None

    def is_slip(self, before: str, word: str) -> bool:
        """Whether `word`, a finished one after `before`, is probably another with a slip.

        Runs the network twice, but only if a known word is near.
        """
        slips, space = self._slips(), before.endswith(" ")
        if not slips.has_neighbour(word, space=space):
            return False
        ids, longer = self._window.ids(before.removesuffix(" ")), self._window.ids(before + word)
        tokens = longer[len(ids) :]
        if longer[: len(ids)] != ids or not tokens:
            return False  # another way to split, or the window slides here
        if self._cache is None:
            self._cache = self._session.cache()
        first = self._cache.follow(ids)
        log_probs = _log_softmax(np.vstack([first[None], self._cache.extend(tokens, rows="all")]))
        chance = sum(float(log_probs[i, token]) for i, token in enumerate(tokens))
        ends = float(np.exp(log_probs[-1][~self._shapes.continues]).sum())
        found = slips.corrections(
            word, log_probs[0], float(np.exp(chance)) * ends, space=space, words={}
        )
        return any(abs(len(other.text) - len(word)) <= MOST_LONGER for other in found)


def _log_softmax(logits: np.ndarray) -> np.ndarray:
    shifted = logits - logits.max(axis=1, keepdims=True)
    result: np.ndarray = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return result
