"""What the writer is likely to type next: words with probabilities, and the tokens behind them.

Everything is read off one distribution, the model's for the text up to the caret; words come from
the lattice over it.  Knows nothing of Qt or of files beyond the model's folder.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from model.blocklist import BlockList
from model.bundle import load_bundle
from model.doubt import Doubts
from model.lattice import Lattice
from model.offer import COMPLETE, Offer, Word
from model.preface import PREFACE, preface_of
from model.session import Cancelled, Session
from model.shouting import Shouting
from model.window import Window
from model.wordshape import split_at_caret, wants_space

if TYPE_CHECKING:
    from pathlib import Path

    from model.memory import Memory
    from model.session import Cancel
    from model.tokenizer import Tokenizer

TOKENS_SHOWN = 10
AHEAD_WORDS = 5


@dataclass(frozen=True, slots=True)
class TokenChance:
    """One token that may come next; `text` shows incomplete characters as U+FFFD."""

    id: int
    piece: bytes
    text: str
    probability: float


@dataclass(frozen=True, slots=True)
class Prediction:
    """Everything the window shows of one caret position."""

    words: tuple[Word, ...]
    tokens: tuple[TokenChance, ...]
    entropy_bits: float
    context_tokens: int  # of the writer's text
    elapsed_ms: float


class Predictor:
    """Predictions from one session; use from one thread at a time."""

    def __init__(
        self,
        session: Session,
        tokenizer: Tokenizer,
        *,
        preface: str = PREFACE,
        memory: Memory | None = None,
        blocklist: BlockList | None = None,
        lattice: Lattice | None = None,
    ) -> None:
        self.session, self.tokenizer, self.preface = session, tokenizer, preface
        self.window = Window(tokenizer, session.context_tokens, preface)
        self.lattice = lattice or Lattice(session, tokenizer)
        self._shouting = Shouting(self.window, self.lattice)
        self.offer = Offer(self.lattice, memory, blocklist or BlockList(None))

    def beside(self) -> Predictor:
        """Another predictor over the same network, memory and blocked words, for another text."""
        return Predictor(
            self.session, self.tokenizer, preface=self.preface, memory=self.offer.memory,
            blocklist=self.offer.blocklist, lattice=self.lattice.beside(),
        )  # fmt: skip

    def words(
        self, context: str, prefix: str, k: int = 5, cancelled: Cancel | None = None
    ) -> list[Word]:
        """At most `k` whole words for the word being typed, best first.

        Args:
            context: all text before that word, its space or newline included.
            prefix: the letters typed so far, maybe none.
            k: how many.
            cancelled: asked between two runs of the network.

        Raises:
            Cancelled: `cancelled` turned true; the next call goes on from what was computed.
        """
        ranked = self._ranked(context, prefix, cancelled)
        return self.offer.presentable(ranked, prefix, k)

    def glance(self, text: str, k: int = 5, cancelled: Cancel | None = None) -> tuple[Word, ...]:
        """The words at the end of `text` as far as they are known once its context is read.

        No candidate is tried, and a context worked out ahead needs no run of the network either.
        `predict` refines the probabilities.

        Raises:
            Cancelled: as `words`.
        """
        return tuple(self._words_at(text, k, cancelled, tries=False))

    def predict(self, text: str, k: int = 5, cancelled: Cancel | None = None) -> Prediction:
        """Words and next tokens at the end of `text`.

        A space at the end is taken as typed: the tokens are those that begin with it, as if the
        next token had just been started.

        Raises:
            Cancelled: as `words`.
        """
        begun = time.perf_counter()
        words = self._words_at(text, k, cancelled)
        before, space = _without_space(text)
        ids = self.window.ids(before)
        tokens, entropy_bits = self._next_tokens(self.lattice.next_token(ids, cancelled), space)
        elapsed_ms = (time.perf_counter() - begun) * 1000
        seen = self.window.tokens_of_text(ids)
        return Prediction(tuple(words), tokens, entropy_bits, seen, elapsed_ms)

    def look_ahead(self, text: str, cancelled: Cancel | None = None) -> None:
        """Use a pause: work out what follows the likely ends of the word now being typed.

        Accepting or finishing one of them then needs no run before `glance` answers; a window that
        is about to slide is prepared too.

        Raises:
            Cancelled: the pause is over; what was worked out is kept.
        """
        context, prefix = place_of(text)
        ids = self._start(context, cancelled)
        likely = [word for word, _ in self.lattice.glance(self._typed(prefix))[:AHEAD_WORDS]]
        for word in dict.fromkeys([*likely[:1], *([prefix] if prefix else []), *likely]):
            if cancelled and cancelled():
                raise Cancelled
            self.lattice.look_ahead(self.window.ids(context + word), cancelled)
        following = self.window.following(ids)
        if following is not None:
            self.lattice.look_ahead(following, cancelled)

    def is_prepared(self, text: str) -> bool:
        """Whether `glance` will answer from work already done, without a run of the network."""
        before, space = _without_space(place_of(text)[0])
        return self.lattice.is_at(ids := self.window.ids(before), space) or self.lattice.knows(ids)

    @cached_property
    def doubts(self) -> Doubts:
        """Tells slips from new words."""
        shapes = self.lattice.shapes
        return Doubts(self.session, self.window, shapes, lambda: self.offer.slips)

    def learn(self, text: str) -> None:
        """Remember the words of a finished text, if there is a memory."""
        if self.offer.memory:
            self.offer.memory.learn(text)

    def _words_at(
        self, text: str, k: int, cancelled: Cancel | None, *, tries: bool = True
    ) -> list[Word]:
        """Words for the end of `text`; where a word seems complete, those to follow it too."""
        context, prefix = place_of(text)
        ranked = self._ranked(context, prefix, cancelled, tries=tries)
        words = self.offer.presentable(ranked, prefix, k)
        complete = next((word.probability for word in ranked if word.text == prefix), 0.0)
        if not prefix or complete < COMPLETE:
            return words
        following = self.lattice.following(self._typed(prefix), cancelled, tries=tries)
        if not following:  # nothing is known of them yet
            return words
        shown = {word.text.casefold() for word in words}
        words = [word for word in words if word.text != prefix]
        words += [
            word
            for word in self.offer.next_words(context + prefix, following, complete, k)
            if word.text.casefold() not in shown
        ]
        return sorted(words, key=lambda word: -word.probability)[:k]

    def _ranked(
        self, context: str, prefix: str, cancelled: Cancel | None, *, tries: bool = True
    ) -> list[Word]:
        """All words for the word being typed; candidates are tried only if `tries`."""
        self._start(context, cancelled)
        typed, lattice = self._typed(prefix), self.lattice
        loud = self._shouting.expected(context, prefix, cancelled, tries=tries)
        ranking = lattice.words(typed, cancelled) if tries else lattice.glance(typed)
        return self.offer.words(context, prefix, typed, ranking, loud)

    def _start(self, context: str, cancelled: Cancel | None) -> list[int]:
        """Bring the lattice to a context and return its ids."""
        before, space = _without_space(context)
        ids = self.window.ids(before)
        self.lattice.start(ids, space, cancelled)
        return ids

    def _next_tokens(
        self, logits: np.ndarray, space: bytes
    ) -> tuple[tuple[TokenChance, ...], float]:
        """The likeliest tokens, and the entropy of the whole distribution in bits."""
        wide = logits.astype(np.float64)
        if space:
            wide = np.where(self.lattice.shapes.spaced, wide, -np.inf)
        probabilities = np.exp(wide - wide.max())
        probabilities /= probabilities.sum()
        possible = probabilities[probabilities > 0]
        return self._likeliest(probabilities), float(-(possible * np.log2(possible)).sum())

    def _typed(self, prefix: str) -> bytes:
        return self.tokenizer.normalise(prefix).encode()

    def _likeliest(self, probabilities: np.ndarray) -> tuple[TokenChance, ...]:
        count = min(TOKENS_SHOWN, len(probabilities))
        ids = np.argpartition(-probabilities, count - 1)[:count]
        ids = ids[np.lexsort((ids, -probabilities[ids]))]
        return tuple(
            TokenChance(
                int(i), self.tokenizer.token_bytes(i), self.tokenizer.decode([i]),
                float(probabilities[i]),
            )
            for i in ids[probabilities[ids] > 0].tolist()
        )  # fmt: skip


def place_of(text: str) -> tuple[str, str]:
    """The context and the letters typed at the end of `text`; a space that is due is added."""
    context, prefix = split_at_caret(text)
    return (f"{context} ", "") if not prefix and wants_space(context) else (context, prefix)


def _without_space(text: str) -> tuple[str, bytes]:
    """A space at the end belongs to the next token: text → the text before it, and the space."""
    return (text[:-1], b" ") if text.endswith(" ") else (text, b"")


def load_predictor(
    folder: Path,
    *,
    context_tokens: int = 512,
    threads: int | None = None,
    memory: Memory | None = None,
    blocklist: BlockList | None = None,
) -> Predictor:
    """The predictor of an installed model, with what it knows of the writer.

    Raises:
        BundleError, SessionError: the model cannot be used, and why.
    """
    bundle = load_bundle(folder)
    session = Session(bundle, context_tokens=context_tokens, threads=threads)
    return Predictor(
        session,
        bundle.tokenizer(),
        preface=preface_of(bundle.card),
        memory=memory,
        blocklist=blocklist,
    )
