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

import numpy as np

from model.session import RESERVE, Cancelled, ContextFull, common_prefix
from model.wordshape import TokenShapes, is_unspaced, is_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from model.session import Cache, Cancel, Session
    from model.tokenizer import Tokenizer

Ranking = list[tuple[str, float]]

PASS_CANDIDATES = 12  # tree rows of one run
FIRST_PASSES, LATER_PASSES = 3, 1  # runs before the first letter, and after each
CHECKS = 2  # further runs, for what is ranked by a guess only
OPEN_PASSES = 8  # further runs while most candidates are parts of characters
LEAVES = 32  # candidates looked at below one node
CONTINUATIONS = 6  # longer words looked at below one node
RANKED = 6  # ranks that refinement makes exact
WORTH = 0.3  # a candidate is refined if its mass is this share of the last rank's
END_GUESS = 0.7  # P(word ends) of a candidate not yet evaluated
STEM_END_GUESS = 0.02  # the same after "didn"
AS_LIKELY = 0.5  # of its beginning, and a longer word of a script without spaces takes its place
LONGEST_BYTES = 48  # typed of one word; longer ones are no words, and each letter takes a run
LISTED = 24  # words kept of one ranking
REMEMBERED = 24  # contexts whose logits are kept, some of them worked out ahead


@dataclass(slots=True)
class _Node:
    """An evaluated path: its bytes, log-probability and what may come next."""

    path: tuple[int, ...]
    text: bytes
    log_p: float
    row: int  # in the cache's tree; -1 is the context itself
    log_probs: np.ndarray  # (V,) float32, of the next token
    end: float  # P(the next token does not continue the word)
    longer: np.ndarray  # most likely tokens that continue the word


@dataclass(frozen=True, slots=True)
class _Leaf:
    """A path not evaluated: one token below a node."""

    parent: int  # row of the node
    path: tuple[int, ...]
    text: bytes
    log_p: float


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
        self._continuing = np.flatnonzero(self.shapes.continues)
        self._unspaced = np.flatnonzero(self.shapes.unspaced)
        self._next = np.flatnonzero(self.shapes.starts & self.shapes.spaced)
        self._ends = (~self.shapes.continues).astype(np.float32)
        self._ids: list[int] = []
        self._space = b""
        self._nodes: list[_Node] = []
        self._stages: list[_Stage] = []
        self._known: OrderedDict[tuple[int, ...], np.ndarray] = OrderedDict()

    def beside(self) -> Lattice:
        """Another lattice over the same network, for another text."""
        return Lattice(self._session, self.tokenizer, self.shapes)

    @property
    def log_probs(self) -> np.ndarray:
        """(V,) log-probabilities of the next token after the context."""
        return self._nodes[0].log_probs

    @property
    def after_space(self) -> bool:
        """Whether the word follows a space that is not part of the context."""
        return bool(self._space)

    @property
    def first_words(self) -> Ranking:
        """The ranking before any letter was typed, as far as it is known."""
        known = self._stages and not self._stages[0].typed
        return self._stages[0].words if known else self._rank(b"")

    def reach(self, typed: bytes) -> float:
        """P(the text goes on with the space and these letters | context)."""
        return self._total(self._space + typed)

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
        return bool(self._nodes) and (list(ids), space) == (self._ids, self._space)

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
        self._ids, self._space = list(ids), space
        self._stages = []
        self._nodes = self._evaluated(logits[None], [_Leaf(-1, (), b"", 0.0)], first_row=-1)

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
            self._stages.append(_Stage(letters, len(self._nodes), self._rank(letters)))
        return self._stages[-1].words

    def glance(self, typed: bytes) -> Ranking:
        """The ranking as far as it is known: no run of the network."""
        if len(typed) > LONGEST_BYTES:
            return []
        if self._stages and self._stages[-1].typed == typed:
            return self._stages[-1].words
        return self._rank(typed)

    def following(
        self, typed: bytes, cancelled: Cancel | None = None, *, tries: bool = True
    ) -> Ranking:
        """Words after the one typed, if that ends here, best first; after `words` or `glance`.

        Each with P(next word | context, the typed word ends), a space between them; words of
        several tokens are not among them.

        Raises:
            Cancelled: as `words`.
        """
        ends = [node for node in self._nodes[1:] if node.text == self._space + typed]
        if not ends:
            return []
        node = max(ends, key=lambda node: node.log_p)
        leaves = [
            _Leaf(node.row, (token,), self.tokenizer.token_bytes(token)[1:], log_p)
            for token in self._largest(node.log_probs, self._next, PASS_CANDIDATES).tolist()
            if (log_p := float(node.log_probs[token])) > -math.inf
        ]
        chances = self._end_chances(leaves, cancelled) if tries else [END_GUESS] * len(leaves)
        words = [
            (leaf.text.decode("utf-8", "replace"), math.exp(leaf.log_p) * chance / node.end)
            for leaf, chance in zip(leaves, chances, strict=True)
        ]
        return sorted((word for word in words if is_word(word[0])), key=lambda word: -word[1])

    def _end_chances(self, leaves: Sequence[_Leaf], cancelled: Cancel | None) -> list[float]:
        """P(the word ends) of each, by a run that leaves the tree as it was."""
        if cancelled and cancelled():
            raise Cancelled
        try:
            logits = self._caches[0].grow(
                [leaf.path[-1] for leaf in leaves], [leaf.parent for leaf in leaves]
            )
        except ContextFull:
            return [END_GUESS] * len(leaves)
        self.runs += 1
        self._caches[0].prune(len(self._nodes) - 1)
        return [node.end for node in self._evaluated(logits, leaves, first_row=0)]

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
        del self._nodes[nodes:]
        cache.prune(nodes - 1)

    def _refine(self, cache: Cache, typed: bytes, passes: int, cancelled: Cancel | None) -> bool:
        """Evaluate what could change the ranking; False if the tree has no room for it."""
        prefix, known = self._space + typed, len(self._nodes)
        step = opened = 0
        while step < passes + CHECKS:
            chosen = self._worth_evaluating(prefix, only_ranked=step >= passes)
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
            self._nodes += self._evaluated(logits, chosen, cache.tree_size - len(chosen))
        return True

    def _evaluated(
        self, logits: np.ndarray, leaves: Sequence[_Leaf], first_row: int
    ) -> list[_Node]:
        """Leaves and the (m, V) logits after them → nodes."""
        shifted = logits - logits.max(axis=1, keepdims=True)
        exponentials = np.exp(shifted)
        totals = exponentials.sum(axis=1, keepdims=True)
        log_probs = shifted - np.log(totals)
        ends = exponentials @ self._ends / totals[:, 0]
        nodes = []
        for i, leaf in enumerate(leaves):
            end, further = float(ends[i]), self._continuing
            if _is_open(leaf.text):
                end = 0.0
            elif _is_unspaced(leaf.text):
                end, further = 1.0, self._unspaced
            longer = self._largest(log_probs[i], further, CONTINUATIONS)
            row = first_row + i
            nodes.append(_Node(leaf.path, leaf.text, leaf.log_p, row, log_probs[i], end, longer))
        return nodes

    @staticmethod
    def _largest(log_probs: np.ndarray, ids: np.ndarray, count: int) -> np.ndarray:
        """The `count` most likely of `ids`, in no order."""
        if len(ids) <= count:
            return ids
        chosen: np.ndarray = ids[np.argpartition(-log_probs[ids], count - 1)[:count]]
        return chosen

    def _leaves(self, prefix: bytes) -> Iterator[_Leaf]:
        """Every candidate within reach whose bytes agree with `prefix`."""
        evaluated = {node.path for node in self._nodes}
        for node in self._nodes:
            if not prefix.startswith(node.text) and not node.text.startswith(prefix):
                continue
            if node.row >= 0 and len(node.text) >= len(prefix):
                tokens = node.longer.tolist()
            else:
                tokens = self._completions(node, prefix[len(node.text) :])
            for token in tokens:
                path = (*node.path, token)
                if path not in evaluated:
                    text = node.text + self.tokenizer.token_bytes(token)
                    yield _Leaf(node.row, path, text, node.log_p + float(node.log_probs[token]))

    def _completions(self, node: _Node, rest: bytes) -> list[int]:
        """Likely tokens that begin with `rest`, and all that `rest` begins with.

        `rest` is what was typed beyond the node's path.
        """
        shapes, lookup = self.shapes, self.tokenizer
        ids = lookup.sorted_ids[lookup.slice_of(rest)]
        if node.row >= 0 or rest[:1] not in (b"", b" "):
            fits = shapes.inside
        else:
            fits = shapes.starts & (shapes.spaced == (rest[:1] == b" "))
        likely = self._largest(node.log_probs, ids[fits[ids]], LEAVES).tolist()
        whole = len(rest) + (rest == b" ")  # before a digit, the space is a token of its own
        shorter = (lookup.token_of(rest[:n]) for n in range(1, whole))
        return [*likely, *(token for token in shorter if token is not None)]

    def _worth_evaluating(self, prefix: bytes, *, only_ranked: bool) -> list[_Leaf]:
        """The leaves that could still change the ranks that count, most likely first.

        With `only_ranked`, those that hold such a rank by a guess: many are no word ("mainten").
        """
        leaves = list(self._leaves(prefix))
        masses = self._masses(prefix, leaves)
        ranked = sorted(masses, key=lambda text: (-masses[text], text))[:RANKED]
        least = WORTH * masses[ranked[-1]] if len(ranked) == RANKED else 0.0
        if only_ranked:
            leaves = [leaf for leaf in leaves if leaf.text in ranked]
        best = sorted(leaves, key=lambda leaf: (-leaf.log_p, leaf.path))[:PASS_CANDIDATES]
        return [leaf for leaf in best if math.exp(leaf.log_p) > least]

    def _masses(self, prefix: bytes, leaves: Iterable[_Leaf]) -> dict[bytes, float]:
        """P(word | context) of every word met so far, its space included in its bytes."""
        masses: dict[bytes, float] = {}
        for node in self._nodes[1:]:
            if node.end and node.text.startswith(prefix):
                mass = math.exp(node.log_p) * node.end
                masses[node.text] = masses.get(node.text, 0.0) + mass
        for leaf in leaves:
            if leaf.text.startswith(prefix) and not _is_open(leaf.text):
                mass = math.exp(leaf.log_p) * self._end_guess(leaf)
                masses[leaf.text] = masses.get(leaf.text, 0.0) + mass
        return masses

    def _end_guess(self, leaf: _Leaf) -> float:
        """P(the word ends) as far as it is known without running the network."""
        if _is_unspaced(leaf.text):
            return 1.0
        return STEM_END_GUESS if self.shapes.stems[leaf.path[-1]] else END_GUESS

    def _total(self, prefix: bytes) -> float:
        """P(the text goes on with `prefix` | context), over the paths met so far."""
        if not prefix:
            return 1.0
        total = 0.0
        for node in self._nodes:
            if len(node.text) < len(prefix) and prefix.startswith(node.text):
                rest = self.tokenizer.slice_of(prefix[len(node.text) :])
                below = np.exp(node.log_probs[self.tokenizer.sorted_ids[rest]])
                total += math.exp(node.log_p) * float(below.sum())
        return max(total, 1e-30)

    def _rank(self, typed: bytes) -> Ranking:
        prefix = self._space + typed
        masses, total = self._masses(prefix, self._leaves(prefix)), self._total(prefix)
        for text in _absorbed(masses):
            del masses[text]
        ranking: Ranking = []
        for text, mass in sorted(masses.items(), key=lambda item: (-item[1], item[0])):
            word = text[len(self._space) :].decode("utf-8", "replace")
            if is_word(word):
                ranking.append((word, min(mass / total, 1.0)))
            if len(ranking) == LISTED:
                break
        return ranking


def _is_peek(cache: Cache, ids: Sequence[int]) -> bool:
    """Whether `ids` are what the cache holds and a few tokens more."""
    held = len(cache.ids)
    return 0 < len(ids) - held <= RESERVE and cache.ids == list(ids[:held])


def _is_open(text: bytes) -> bool:
    """Whether `text` ends inside a character."""
    return _last_character(text) == "\ufffd"


def _are_open(leaves: Sequence[_Leaf], prefix: bytes) -> bool:
    """Whether most are still on their way to a word: in a script of several tokens a character."""
    by_bytes = prefix[-1:] >= b"\x80"
    ways = [_is_open(leaf.text) or (by_bytes and len(leaf.text) <= len(prefix)) for leaf in leaves]
    return 2 * sum(ways) >= max(len(leaves), 1)


def _is_unspaced(text: bytes) -> bool:
    """Whether `text` ends in a script without spaces."""
    return is_unspaced(_last_character(text))


def _last_character(text: bytes) -> str:
    return "" if text[-1:] < b"\x80" else text.decode("utf-8", "replace")[-1]


def _absorbed(masses: dict[bytes, float]) -> set[bytes]:
    """What a longer word, nearly as likely, takes the place of; only where no spaces are."""
    shorter = {
        (text, text[:end])
        for text in masses
        if _is_unspaced(text)
        for end in range(1, len(text))
        if text[:end] in masses
    }
    return {begun for text, begun in shorter if masses[text] >= AS_LIKELY * masses[begun]}
