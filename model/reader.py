"""What the model thinks of a text already written: how surprising each of its tokens was.

The text is read after end-of-text in passages as long as the session's context (`model.passages`),
so every token is scored exactly once, with at least half a window of text before it where there
is so much.  Per token a few numbers are kept, never logits.  The figures depend on the text alone,
not on what was read before.  Knows nothing of Qt or files.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from model.passages import Passage, passages
from model.predictor import TokenChance
from model.score_memo import Memo
from model.scores import NATS_PER_BIT, Scores, likeliest, score
from model.session import LOGIT_ROWS, Cancelled, common_prefix
from model.tokenised import EMPTY, TokenisedText, tokenise

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from model.session import Cache, Cancel, Session
    from model.tokenizer import Tokenizer

TOKENS_SHOWN = 10


@dataclass(frozen=True, slots=True)
class ReadToken:
    """One token of a text and what the model expected in its place.

    `start` and `end` are code points of the text; tokens that share a character share its span.
    `alternatives` are (id, probability) of the likeliest tokens, likeliest first.
    """

    id: int
    piece: bytes
    start: int
    end: int
    surprisal_bits: float
    rank: int  # 1 is the most expected
    entropy_bits: float  # of the distribution the token was drawn from
    alternatives: tuple[tuple[int, float], ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """All tokens of a text; `nats` is its total surprisal, `bytes` its length in UTF-8."""

    tokens: tuple[ReadToken, ...]
    nats: float
    bytes: int

    @property
    def perplexity(self) -> float:
        """The exponential of the mean surprisal per token; not a number for an empty text."""
        return math.exp(self.nats / len(self.tokens)) if self.tokens else math.nan

    @property
    def bits_per_byte(self) -> float:
        """Surprisal per byte of text, comparable between tokenizers; not a number if empty."""
        return self.nats / NATS_PER_BIT / self.bytes if self.bytes else math.nan


@dataclass(frozen=True, slots=True, eq=False)
class Draft:
    """A text on its way to being read: its tokens, its passages, and the scores known already."""

    text: TokenisedText
    ids: np.ndarray  # end-of-text and the tokens
    passages: list[Passage]
    scores: Scores  # of the tokens; row i of the network scores token i of the text

    def passage_at(self, row: int) -> int:
        """Number of the passage that uses a row; the nearest one, if none does."""
        after = (i for i, passage in enumerate(self.passages) if row < passage.stop)
        return next(after, len(self.passages) - 1)


@dataclass(frozen=True, slots=True)
class NextToken:
    """The distribution of what follows a text: its likeliest tokens and its entropy."""

    tokens: tuple[TokenChance, ...]
    entropy_bits: float


class Reader:
    """Reads texts with caches of its own; of a text read before, only what changed is computed.

    Not thread-safe: use it from the thread that owns the session.
    """

    def __init__(self, session: Session, tokenizer: Tokenizer) -> None:
        self.tokenizer = tokenizer
        self.window_tokens = session.context_tokens
        # One cache stays with the writer, so that a key costs one run; one reads all the rest.
        self._near = session.cache(is_interruptible=True)
        self._far = session.cache(is_interruptible=True)
        self._memo = Memo()
        self._text = self._before = EMPTY

    def read(
        self,
        text: str,
        cancelled: Cancel | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Reading:
        """Score every token of `text`.

        Args:
            text: any string.
            cancelled: asked between slices of at most 64 tokens.
            progress: told tokens read and tokens in all after each slice.

        Raises:
            Cancelled: what was read so far is kept for the next call.
        """
        draft = self.begin(text, cancelled)
        for first, scores in self.go_on(draft, cancelled=cancelled):
            draft.scores.put(first, scores)
            if progress:
                progress(int(np.isfinite(draft.scores.nats).sum()), len(draft.scores))
        return self._reading(draft)

    def begin(self, text: str, cancelled: Cancel | None = None) -> Draft:
        """Tokenise `text` and look up what is known of it; no run of the network.

        Raises:
            Cancelled: before the whole text was tokenised.
        """
        self._text = tokenise(self.tokenizer, text, self._text, cancelled)
        ids = self._ids(self._text)
        plan = passages(len(ids) - 1, self.window_tokens, self._line_starts(ids))
        known = [self._memo.known(ids, passage) for passage in plan]
        rest = [p.stop - p.first - len(k) for p, k in zip(plan, known, strict=True)]
        parts = [x for k, n in zip(known, rest, strict=True) for x in (k, Scores.unknown(n))]
        return Draft(self._text, ids, plan, Scores.joined([*parts, Scores.unknown(0)]))

    def go_on(
        self,
        draft: Draft,
        *,
        seen: range = range(0),
        caret: int = 0,
        reach: int | None = None,
        cancelled: Cancel | None = None,
    ) -> Iterator[tuple[int, Scores]]:
        """Score what is not known yet, and yield it: the number of a first token, and scores.

        Args:
            draft: of `begin`.
            seen: tokens on screen; what lies nearest to them is read first.
            caret: the token that the caret is at.
            reach: how many tokens away from `seen` to read; None reads all.
            cancelled: asked between slices of at most 64 tokens.

        Raises:
            Cancelled: what was read so far is kept.
        """
        near = draft.passage_at(caret)

        def distance(number: int) -> int:
            passage = draft.passages[number]
            return max(passage.first - seen.stop + 1, seen.start - passage.stop + 1, 0)

        for number in sorted(range(len(draft.passages)), key=distance):
            if reach is None or distance(number) <= reach:
                cache = self._near if number == near else self._far
                yield from self._read_passage(draft, draft.passages[number], cache, cancelled)

    def next_token(self, text: str, cancelled: Cancel | None = None) -> NextToken:
        """The distribution of the token after `text`, by the same definition as all scores.

        A space at the end is taken as typed: the tokens are those that begin with it.

        Raises:
            Cancelled: what was computed is kept.
        """
        has_space = text.endswith(" ")
        self._before = tokenise(self.tokenizer, text[: len(text) - has_space], self._before)
        ids = self._ids(self._before)
        start = passages(len(ids), self.window_tokens, self._line_starts(ids))[-1].start
        logits = self._near.follow(ids[start:].tolist(), cancelled).astype(np.float64)
        if has_space:
            logits = np.where(self._begins_with_space, logits, -np.inf)
        chances = np.exp(logits - logits.max())
        chances /= chances.sum()
        possible = chances[chances > 0]
        decode, piece = self.tokenizer.decode, self.tokenizer.token_bytes
        return NextToken(
            tuple(
                TokenChance(i, piece(i), decode([i]), float(chances[i]))
                for i in likeliest(logits[None], TOKENS_SHOWN)[0].tolist()
                if chances[i] > 0
            ),
            float(-(possible * np.log2(possible)).sum()),
        )

    def _ids(self, text: TokenisedText) -> np.ndarray:
        return np.concatenate([[self.tokenizer.end_of_text], text.ids]).astype(np.int32)

    def _line_starts(self, ids: np.ndarray) -> list[int]:
        ends = self._ends_line[ids]
        found: list[int] = (np.flatnonzero(ends[:-1] & ~ends[1:]) + 1).tolist()
        return found

    @cached_property
    def _ends_line(self) -> np.ndarray:
        return np.array([piece.endswith(b"\n") for piece in self.tokenizer.pieces])

    @cached_property
    def _begins_with_space(self) -> np.ndarray:
        return np.array([piece.startswith(b" ") for piece in self.tokenizer.pieces])

    def _read_passage(
        self, draft: Draft, passage: Passage, cache: Cache, cancelled: Cancel | None
    ) -> Iterator[tuple[int, Scores]]:
        """Score the rows of a passage that are not known, in slices."""
        ids, known = draft.ids, self._memo.known(draft.ids, passage)
        row = passage.first + len(known)
        if np.isnan(draft.scores.nats[passage.first : row]).any():  # equal to a passage just read
            yield passage.first, known
        while row < passage.stop:
            if cancelled and cancelled():
                raise Cancelled
            context: list[int] = ids[passage.start : row].tolist()
            cache.rewind(common_prefix(cache.ids, context))
            cache.extend(context[len(cache.ids) :], rows="none", cancelled=cancelled)
            stop = min(row + LOGIT_ROWS, passage.stop)
            logits = cache.extend(ids[row:stop].tolist(), rows="all")
            scores = score(logits, ids[row + 1 : stop + 1].tolist())
            self._memo.add(ids, passage, scores)
            yield row, scores
            row = stop

    def _reading(self, draft: Draft) -> Reading:
        text, scores = draft.text, draft.scores
        tokens = tuple(
            ReadToken(
                id_, self.tokenizer.token_bytes(id_), start, end, nats / NATS_PER_BIT, rank, bits,
                tuple((i, chance) for i, chance in zip(others, chances, strict=True) if i >= 0),
            )
            for id_, start, end, nats, rank, bits, others, chances in zip(
                text.ids.tolist(), text.starts.tolist(), text.ends.tolist(),
                scores.nats.tolist(), scores.ranks.tolist(), scores.entropy_bits.tolist(),
                scores.alternatives.tolist(), scores.chances.tolist(), strict=True,
            )
        )  # fmt: skip
        nats = math.fsum(scores.nats.tolist())
        return Reading(tokens, nats, len(text.text.encode("utf-8", "surrogatepass")))
