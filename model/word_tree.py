"""The tree of tokens that the words after one context are spelled with, as far as it is evaluated.

A node is a path of tokens that the network has been run for, a leaf one that it may be run for
next.  Turns their probabilities into those of words; runs nothing itself.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from model.wordshape import TokenShapes, is_unspaced, is_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from model.tokenizer import Tokenizer

Ranking = list[tuple[str, float]]

PASS_CANDIDATES = 12  # tree rows of one run
LEAVES = 32  # candidates looked at below one node
CONTINUATIONS = 6  # longer words looked at below one node
RANKED = 6  # ranks that refinement makes exact
WORTH = 0.3  # a candidate is refined if its mass is this share of the last rank's
END_GUESS = 0.7  # P(word ends) of a candidate not yet evaluated
STEM_END_GUESS = 0.02  # the same after "didn"
AS_LIKELY = 0.5  # of its beginning, and a longer word of a script without spaces takes its place
LISTED = 24  # words kept of one ranking


@dataclass(slots=True)
class Node:
    """An evaluated path: its bytes, log-probability and what may come next."""

    path: tuple[int, ...]
    text: bytes
    log_p: float
    row: int  # in the cache's tree; -1 is the context itself
    log_probs: np.ndarray  # (V,) float32, of the next token
    end: float  # P(the next token does not continue the word)
    longer: np.ndarray  # most likely tokens that continue the word


@dataclass(frozen=True, slots=True)
class Leaf:
    """A path not evaluated: one token below a node."""

    parent: int  # row of the node
    path: tuple[int, ...]
    text: bytes
    log_p: float


class WordTree:
    """Words after one context, and the tokens that may spell them.

    Attributes:
        space: b" " or nothing: what stands between the context and the word.
        nodes: the context itself, then what was evaluated, in order.
    """

    def __init__(self, tokenizer: Tokenizer, shapes: TokenShapes) -> None:
        self.tokenizer, self.shapes = tokenizer, shapes
        self.space = b""
        self.nodes: list[Node] = []
        self._continuing = np.flatnonzero(shapes.continues)
        self._unspaced = np.flatnonzero(shapes.unspaced)
        self._next = np.flatnonzero(shapes.starts & shapes.spaced)
        self._ends = (~shapes.continues).astype(np.float32)

    def begin(self, logits: np.ndarray, space: bytes) -> None:
        """Start anew after a context that (V,) `logits` follow, and `space`."""
        self.space = space
        self.nodes = self.evaluated(logits[None], [Leaf(-1, (), b"", 0.0)], first_row=-1)

    def evaluated(self, logits: np.ndarray, leaves: Sequence[Leaf], first_row: int) -> list[Node]:
        """Leaves and the (m, V) logits after them → nodes, not part of the tree yet."""
        shifted = logits - logits.max(axis=1, keepdims=True)
        exponentials = np.exp(shifted)
        totals = exponentials.sum(axis=1, keepdims=True)
        log_probs = shifted - np.log(totals)
        ends = exponentials @ self._ends / totals[:, 0]
        nodes = []
        for i, leaf in enumerate(leaves):
            end, further = float(ends[i]), self._continuing
            if is_open(leaf.text):
                end = 0.0
            elif _is_unspaced(leaf.text):
                end, further = 1.0, self._unspaced
            longer = self._largest(log_probs[i], further, CONTINUATIONS)
            row = first_row + i
            nodes.append(Node(leaf.path, leaf.text, leaf.log_p, row, log_probs[i], end, longer))
        return nodes

    def worth_evaluating(self, prefix: bytes, *, only_ranked: bool) -> list[Leaf]:
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

    def next_words(self, typed: bytes) -> tuple[Node, list[Leaf]] | None:
        """Where the word `typed` ends, and the likeliest words to follow it after a space."""
        ends = [node for node in self.nodes[1:] if node.text == self.space + typed]
        if not ends:
            return None
        node = max(ends, key=lambda node: node.log_p)
        tokens = self._largest(node.log_probs, self._next, PASS_CANDIDATES).tolist()
        leaves = [
            Leaf(node.row, (token,), self.tokenizer.token_bytes(token)[1:], log_p)
            for token in tokens
            if (log_p := float(node.log_probs[token])) > -math.inf
        ]
        return node, leaves

    def reach(self, prefix: bytes) -> float:
        """P(the text goes on with `prefix` | context), over the paths met so far."""
        if not prefix:
            return 1.0
        total = 0.0
        for node in self.nodes:
            if len(node.text) < len(prefix) and prefix.startswith(node.text):
                rest = self.tokenizer.slice_of(prefix[len(node.text) :])
                below = np.exp(node.log_probs[self.tokenizer.sorted_ids[rest]])
                total += math.exp(node.log_p) * float(below.sum())
        return max(total, 1e-30)

    def rank(self, typed: bytes) -> Ranking:
        """Words that begin with `typed`, best first, as far as they are known."""
        prefix = self.space + typed
        masses, total = self._masses(prefix, self._leaves(prefix)), self.reach(prefix)
        for text in _absorbed(masses):
            del masses[text]
        ranking: Ranking = []
        for text, mass in sorted(masses.items(), key=lambda item: (-item[1], item[0])):
            word = text[len(self.space) :].decode("utf-8", "replace")
            if is_word(word):
                ranking.append((word, min(mass / total, 1.0)))
            if len(ranking) == LISTED:
                break
        return ranking

    def _leaves(self, prefix: bytes) -> Iterator[Leaf]:
        """Every candidate within reach whose bytes agree with `prefix`."""
        evaluated = {node.path for node in self.nodes}
        for node in self.nodes:
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
                    yield Leaf(node.row, path, text, node.log_p + float(node.log_probs[token]))

    def _completions(self, node: Node, rest: bytes) -> list[int]:
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

    def _masses(self, prefix: bytes, leaves: Iterable[Leaf]) -> dict[bytes, float]:
        """P(word | context) of every word met so far, its space included in its bytes."""
        masses: dict[bytes, float] = {}
        for node in self.nodes[1:]:
            if node.end and node.text.startswith(prefix):
                mass = math.exp(node.log_p) * node.end
                masses[node.text] = masses.get(node.text, 0.0) + mass
        for leaf in leaves:
            if leaf.text.startswith(prefix) and not is_open(leaf.text):
                mass = math.exp(leaf.log_p) * self._end_guess(leaf)
                masses[leaf.text] = masses.get(leaf.text, 0.0) + mass
        return masses

    def _end_guess(self, leaf: Leaf) -> float:
        """P(the word ends) as far as it is known without running the network."""
        if _is_unspaced(leaf.text):
            return 1.0
        return STEM_END_GUESS if self.shapes.stems[leaf.path[-1]] else END_GUESS

    @staticmethod
    def _largest(log_probs: np.ndarray, ids: np.ndarray, count: int) -> np.ndarray:
        """The `count` most likely of `ids`, in no order."""
        if len(ids) <= count:
            return ids
        chosen: np.ndarray = ids[np.argpartition(-log_probs[ids], count - 1)[:count]]
        return chosen


def is_open(text: bytes) -> bool:
    """Whether `text` ends inside a character."""
    return _last_character(text) == "\ufffd"


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
