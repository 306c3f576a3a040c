"""From token probabilities to word probabilities.

A word is a path of tokens through a lattice: every path whose bytes begin with what was typed is a
candidate, however the tokenizer would have split it ("token healing" that loses nothing), and

    P(word) = sum over its paths of  prod p(token) * P(the next token does not continue the word).

The end-of-word factor is what tells "pay" from "payment".  The root distribution answers at once;
passes over a tree of candidates then make the likely words exact.

Equal answers: the tree is grown letter by letter from the start of the word, whatever was typed
before, so that what is known after some letters depends on those letters alone.

Sources: Vieira et al. 2024, arXiv 2412.03719; Phan et al. 2024, arXiv 2410.09303; Gaines &
Vertanen 2025, arXiv 2501.10582.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from model.session import RESERVE, Cancelled, ContextFull, common_prefix
from model.word_tree import END_GUESS, Leaf, Ranking, WordTree, is_open
from model.wordshape import TokenShapes, is_word

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from model.session import Cache, Cancel, Session
    from model.tokenizer import Tokenizer

FIRST_PASSES, LATER_PASSES = 3, 1  # runs before the first letter, and after each
CHECKS = 2  # further runs, for what is ranked by a guess only
OPEN_PASSES = 8  # further runs while most candidates are parts of characters
LONGEST_BYTES = 48  # typed of one word; longer ones are no words, and each letter takes a run
REMEMBERED = 24  # contexts whose logits are kept, some of them worked out ahead


@dataclass(frozen=True, slots=True)
class _Stage:
    """What is known after some letters: how many nodes, and the ranking."""

    typed: bytes
    nodes: int
    words: Ranking


class Lattice:
    """Word probabilities after one context at a time.

    Keeps two caches and uses the one that shares more with the context, so that a window that
    slides, or a caret that goes back and forth, finds its keys prepared.
    """

    def __init__(
        self, session: Session, tokenizer: Tokenizer, shapes: TokenShapes | None = None
    ) -> None:
        self.tokenizer, self.shapes = tokenizer, shapes or TokenShapes(tokenizer)
        self.runs = 0  # of the network, for the tree
        self._session = session
        self._caches = [session.cache(), session.cache()]
        self._tree = WordTree(tokenizer, self.shapes)
        self._ids: list[int] = []
        self._stages: list[_Stage] = []
        self._known: OrderedDict[tuple[int, ...], np.ndarray] = OrderedDict()

    def beside(self) -> Lattice:
        """Another lattice over the same network, for another text."""
        return Lattice(self._session, self.tokenizer, self.shapes)

    @property
    def log_probs(self) -> np.ndarray:
        """(V,) log-probabilities of the next token after the context."""
        return self._tree.nodes[0].log_probs

    @property
    def after_space(self) -> bool:
        """Whether the word follows a space that is not part of the context."""
        return bool(self._tree.space)

    @property
    def first_words(self) -> Ranking:
        """The ranking before any letter was typed, as far as it is known."""
        known = self._stages and not self._stages[0].typed
        return self._stages[0].words if known else self._tree.rank(b"")

    def reach(self, typed: bytes) -> float:
        """P(the text goes on with the space and these letters | context)."""
        return self._tree.reach(self._tree.space + typed)

    def is_near(self, ids: Sequence[int]) -> bool:
        """Whether what follows `ids` is known or takes one short run."""
        return self.knows(ids) or _is_peek(self._caches[0], ids)

    def next_token(self, ids: list[int], cancelled: Cancel | None = None) -> np.ndarray:
        """(V,) logits of the token after any `ids`, the context left as it is.

        Raises:
            Cancelled, ContextFull: as `Cache.follow`.
        """
        self.look_ahead(ids, cancelled)
        return self._known[tuple(ids)]

    def is_at(self, ids: Sequence[int], space: bytes) -> bool:
        """Whether this is the context already."""
        return bool(self._tree.nodes) and (list(ids), space) == (self._ids, self._tree.space)

    def knows(self, ids: Sequence[int]) -> bool:
        """Whether `start` with these ids would run nothing."""
        return tuple(ids) in self._known

    def start(self, ids: list[int], space: bytes, cancelled: Cancel | None = None) -> None:
        """Set the context: `ids` (at least one), then `space` (b" " or nothing), then the word.

        Raises:
            Cancelled, ContextFull: as `Cache.follow`.
        """
        if self.is_at(ids, space):
            return
        logits = self._known.get(tuple(ids))
        if logits is None:
            logits = self._remember(ids, self._cache_for(ids).follow(ids, cancelled))
        self._ids, self._stages = list(ids), []
        self._tree.begin(logits, space)

    def words(self, typed: bytes, cancelled: Cancel | None = None) -> Ranking:
        """Words that begin with `typed`, best first, each with P(word | context, typed).

        Raises:
            Cancelled: between two runs; the letters already worked out are kept.
        """
        if len(typed) > LONGEST_BYTES:
            return []
        while self._stages and not typed.startswith(self._stages[-1].typed):
            self._stages.pop()
        done = self._stages[-1] if self._stages else None
        if done and done.typed == typed:
            return done.words
        cache = self._cache_for(self._ids)
        cache.follow(self._ids, cancelled)
        self._forget(cache, done.nodes if done else 1)
        for length in range(len(done.typed) + 1 if done else 0, len(typed) + 1):
            if length < len(typed) and (typed[length] & 0xC0) == 0x80:
                continue  # inside a character
            letters, passes = typed[:length], LATER_PASSES if length else FIRST_PASSES
            if not self._refine(cache, letters, passes, cancelled):  # the tree is full
                self._stages.clear()
                self._forget(cache, 1)
                self._refine(cache, letters, FIRST_PASSES, cancelled)
            self._stages.append(_Stage(letters, len(self._tree.nodes), self._tree.rank(letters)))
        return self._stages[-1].words

    def glance(self, typed: bytes) -> Ranking:
        """The ranking as far as it is known: no run of the network."""
        if len(typed) > LONGEST_BYTES:
            return []
        if self._stages and self._stages[-1].typed == typed:
            return self._stages[-1].words
        return self._tree.rank(typed)

    def following(
        self, typed: bytes, cancelled: Cancel | None = None, *, tries: bool = True
    ) -> Ranking:
        """Words after the one typed, if that ends here, best first; after `words` or `glance`.

        Each with P(next word | context, the typed word ends), a space between them; words of
        several tokens are not among them.

        Raises:
            Cancelled: as `words`.
        """
        found = self._tree.next_words(typed)
        if found is None:
            return []
        node, leaves = found
        chances = self._end_chances(leaves, cancelled) if tries else [END_GUESS] * len(leaves)
        words = [
            (leaf.text.decode("utf-8", "replace"), math.exp(leaf.log_p) * chance / node.end)
            for leaf, chance in zip(leaves, chances, strict=True)
        ]
        return sorted((word for word in words if is_word(word[0])), key=lambda word: -word[1])

    def _end_chances(self, leaves: Sequence[Leaf], cancelled: Cancel | None) -> list[float]:
        """P(the word ends) of each, by a run that leaves the tree as it was."""
        if cancelled and cancelled():
            raise Cancelled
        cache = self._cache_for(self._ids)
        try:
            logits = cache.grow(
                [leaf.path[-1] for leaf in leaves], [leaf.parent for leaf in leaves]
            )
        except ContextFull:
            return [END_GUESS] * len(leaves)
        self.runs += 1
        cache.prune(len(self._tree.nodes) - 1)
        return [node.end for node in self._tree.evaluated(logits, leaves, first_row=0)]

    def look_ahead(self, ids: list[int], cancelled: Cancel | None = None) -> None:
        """Work out what follows another context, now, for a later `start`.

        A few tokens more than the present context take one short run that disturbs nothing.
        Anything else is prefilled into the cache that is not in use.

        Raises:
            Cancelled: between two chunks of a prefill.
        """
        if self.knows(ids):
            return
        cache, other = self._cache_for(self._ids), self._caches[1]
        if _is_peek(cache, ids):
            self._remember(ids, cache.peek(ids[len(cache.ids) :]))
        else:
            self._remember(ids, other.follow(ids, cancelled))

    def _remember(self, ids: Sequence[int], logits: np.ndarray) -> np.ndarray:
        self._known[tuple(ids)] = logits
        while len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        return logits

    def _cache_for(self, ids: Sequence[int]) -> Cache:
        """The cache that shares most with `ids`; it becomes the first."""
        self._caches.sort(key=lambda cache: -common_prefix(cache.ids, ids))
        return self._caches[0]

    def _forget(self, cache: Cache, nodes: int) -> None:
        """Keep the first `nodes`, the context among them."""
        del self._tree.nodes[nodes:]
        cache.prune(nodes - 1)

    def _refine(self, cache: Cache, typed: bytes, passes: int, cancelled: Cancel | None) -> bool:
        """Evaluate what could change the ranking; False if the tree has no room for it."""
        prefix, known = self._tree.space + typed, len(self._tree.nodes)
        step = opened = 0
        while step < passes + CHECKS:
            chosen = self._tree.worth_evaluating(prefix, only_ranked=step >= passes)
            if step < passes and opened < OPEN_PASSES and _are_open(chosen, prefix):
                opened += 1
            else:
                step += 1
            if not chosen:
                continue
            try:
                if cancelled and cancelled():
                    raise Cancelled
                logits = cache.grow(
                    [leaf.path[-1] for leaf in chosen], [leaf.parent for leaf in chosen]
                )
            except ContextFull:
                return False
            except Cancelled:
                self._forget(cache, known)
                raise
            self.runs += 1
            self._tree.nodes += self._tree.evaluated(logits, chosen, cache.tree_size - len(chosen))
        return True


def _is_peek(cache: Cache, ids: Sequence[int]) -> bool:
    """Whether `ids` are what the cache holds and a few tokens more."""
    held = len(cache.ids)
    return 0 < len(ids) - held <= RESERVE and cache.ids == list(ids[:held])


def _are_open(leaves: Sequence[Leaf], prefix: bytes) -> bool:
    """Whether most are still on their way to a word: in a script of several tokens a character."""
    by_bytes = prefix[-1:] >= b"\x80"
    ways = [is_open(leaf.text) or (by_bytes and len(leaf.text) <= len(prefix)) for leaf in leaves]
    return 2 * sum(ways) >= max(len(leaves), 1)
