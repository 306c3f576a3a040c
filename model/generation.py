"""A text written on by the model, one token at a time, as a tree that can be walked.

Every step is kept with the figures that led to it: what the model gave the token, what the settings
made of that, and the random number that fell on it.  Going back rewinds the cache; taking another
token from there begins a branch.  The random number of a step depends on the seed and on how far it
stands from the text, never on the way there: the same text, model, settings and seed give the same
tokens, and other settings can be tried on the same number.

The filters' order is that of `model.sampling`: temperature, top-k, top-p, min-p.  Knows nothing of
Qt.
"""

from __future__ import annotations

import codecs
import time
from typing import TYPE_CHECKING

import numpy as np

from model.generation_moment import CacheUse, Moment, Option, Step
from model.preface import PREFACE
from model.sampling import shape
from model.window import Window

if TYPE_CHECKING:
    from collections.abc import Sequence

    from model.generation_moment import How
    from model.sampling import SamplingSettings, Shaped
    from model.session import Session
    from model.tokenizer import Tokenizer

TEXT = -1  # the place before the first step
OPTIONS = 10
FLOAT_BYTES = 4


class Generation:
    """What may follow one text.  Use from the session's thread only.

    Args:
        session: the network; the tree has a cache of its own in it.
        tokenizer: the model's.
        text: everything before the caret.  A space at its end is taken for the beginning of the
            first token, as in `model.predictor`.
        preface: the hidden text before a page.
    """

    def __init__(
        self, session: Session, tokenizer: Tokenizer, text: str, *, preface: str = PREFACE
    ) -> None:
        self.tokenizer, self.session = tokenizer, session
        self.steps: list[Step] = []
        self.here = TEXT
        self._cache = session.cache()
        before, self._lead = (text[:-1], b" ") if text.endswith(" ") else (text, b"")
        window = Window(tokenizer, session.context_tokens, preface)
        self._start = window.ids(before)
        self._hidden = len(self._start) - window.tokens_of_text(self._start)

    def path(self, place: int | None = None) -> tuple[Step, ...]:
        """The steps from the text to `place`, or to here."""
        found: list[Step] = []
        place = self.here if place is None else place
        while place != TEXT:
            found.append(self.steps[place])
            place = found[-1].parent
        return tuple(reversed(found))

    def look(self, settings: SamplingSettings, seed: int) -> Moment:
        """What may come next here, what the settings make of it, and what the seed draws."""
        begun = time.perf_counter()
        path = self.path()
        is_ended = bool(path) and path[-1].token in self.tokenizer.special_ids
        shaped = self._shaped(path[:-1] if is_ended else path, settings)
        options: tuple[Option, ...] = ()
        chosen, draw, left, entropy_bits = None, None, (0, 0, 0, 0), 0.0
        if not is_ended:
            draw = _number(seed, len(path)) if settings.temperature else None
            chosen = self._option(shaped, shaped.rank_at(draw or 0.0))
            possible = np.flatnonzero(shaped.model[:OPTIONS])
            options = tuple(self._option(shaped, int(rank)) for rank in possible)
            left = (int(np.count_nonzero(shaped.model)), *shaped.left)
            entropy_bits = _entropy_bits(shaped.model)
        elapsed_ms = (time.perf_counter() - begun) * 1000
        return Moment(
            self.here, tuple(self.steps), path, self._text(path), options, chosen, draw, left,
            entropy_bits, self._use(path), is_ended, elapsed_ms,
        )  # fmt: skip

    def add(self, settings: SamplingSettings, seed: int, token: int | None = None) -> Moment:
        """Add the token that the seed draws, or `token` by hand, and look on from there.

        At the end of a text nothing is added.
        """
        moment = self.look(settings, seed)
        if moment.next is None:
            return moment
        how: How = "likeliest" if moment.draw is None else "drawn"
        option, draw = moment.next, moment.draw
        if token is not None:
            shaped = self._shaped(moment.path, settings)
            rank = int(np.flatnonzero(shaped.ids == token)[0])
            how, option, draw = "chosen", self._option(shaped, rank), None
        self._keep(option, how, draw)
        return self.look(settings, seed)

    def go_to(self, place: int) -> None:
        """Stand after the step at `place`, or at the text; the cache follows when it is looked."""
        if not TEXT <= place < len(self.steps):
            raise IndexError(f"there is no step {place}; there are {len(self.steps)}")
        self.here = place

    def _keep(self, option: Option, how: How, draw: float | None) -> None:
        """Go on to a token: on the branch that has it already, or on a new one."""
        place = next(
            (s.place for s in self.steps if (s.parent, s.token) == (self.here, option.token)),
            len(self.steps),
        )
        step = Step(
            place, self.here, option.token, option.piece, option.probability, option.chance, how,
            draw,
        )  # fmt: skip
        self.steps[place : place + 1] = [step]
        self.here = place

    def _context(self, path: Sequence[Step]) -> list[int]:
        """The ids at the end of `path`; a full window begins half a window later, as `Window`'s."""
        ids = [*self._start, *(step.token for step in path)]
        return [ids[0], *ids[1 + self._skipped(len(ids)) :]]

    def _skipped(self, count: int) -> int:
        room = self.session.context_tokens - 1
        half = max(room // 2, 1)
        return max(0, -(-(count - 1 - room) // half) * half)

    def _shaped(self, path: Sequence[Step], settings: SamplingSettings) -> Shaped:
        logits = self._cache.follow(self._context(path))
        if self._lead and not path:
            spaced = self.tokenizer.sorted_ids[self.tokenizer.slice_of(self._lead)]
            masked = np.full_like(logits, -np.inf)
            masked[spaced] = logits[spaced]
            logits = masked
        return shape(logits, settings)

    def _option(self, shaped: Shaped, rank: int) -> Option:
        """`rank` counts from 0 here."""
        after_top_k, after_top_p, after_min_p = (
            float(shaped.tempered[rank] / shaped.tempered[:count].sum()) if rank < count else 0.0
            for count in shaped.left
        )
        stages = (
            float(shaped.model[rank]), float(shaped.tempered[rank]),
            after_top_k, after_top_p, after_min_p,
        )  # fmt: skip
        low = float(shaped.cumulative[rank - 1]) if 0 < rank < len(shaped.final) else 0.0
        token = int(shaped.ids[rank])
        return Option(token, self.tokenizer.token_bytes(token), rank + 1, stages, low)

    def _text(self, path: Sequence[Step]) -> str:
        """What the path adds to the text; the bytes of an unfinished character wait for the rest.

        The space that the text ends in is not added again.
        """
        data = b"".join(step.piece for step in path).removeprefix(self._lead)
        return codecs.getincrementaldecoder("utf-8")("replace").decode(data)

    def _use(self, path: Sequence[Step]) -> CacheUse:
        """What is in the cache now; a window that has slid has lost its beginning."""
        config = self.session.config
        skipped = self._skipped(len(self._start) + len(path))
        preface = self._hidden - 1  # end-of-text, the other hidden token, always stays
        hidden = self._hidden - min(skipped, preface)
        text = max(len(self._start) - self._hidden - max(skipped - preface, 0), 0)
        generated = len(self._cache.ids) - hidden - text
        token_bytes = 2 * config.layers * config.kv_width * FLOAT_BYTES  # keys and values
        return CacheUse(hidden, text, generated, self.session.context_tokens, token_bytes)


def _number(seed: int, index: int) -> float:
    """The random number of a step: the `index`-th that `numpy.random.default_rng(seed)` gives."""
    return float(np.random.default_rng(seed).random(index + 1)[-1])


def _entropy_bits(probabilities: np.ndarray) -> float:
    possible = probabilities[probabilities > 0]
    return float(-(possible * np.log2(possible)).sum())
