"""Cached inference: token ids in, logits out, through onnxruntime.

A `Session` holds the network; each `Cache` made from it holds the keys and values of one sequence
in fixed buffers that the network appends to in place.  Knows nothing of text.

Slots of a cache, for a context of P tokens:

    0 ... P-1            the context
    P ... P+RESERVE-1    scratch: `peek` looks past the context here
    P+RESERVE ...        a tree of candidates (`grow`), each seeing the context and its ancestors

Equal numbers: a context gives the same logits, bit for bit, in whatever pieces it was fed.  For
that, no kernel is given a single row: attention and some matrix products take another path then,
which adds up in another order.  A candidate in the tree sits in another slot than it would as
context, which changes that order too: its logits differ by up to 1e-2 in SmolLM2 with 8-bit
weights (float: 1e-4), so a tree never becomes context without being computed again.

Sources: onnxruntime's GroupQueryAttention; tree attention as in Miao et al. 2023, arXiv 2305.09781.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import onnxruntime as ort

if TYPE_CHECKING:
    from model.bundle import Bundle
    from model.config import GPTConfig

Cancel = Callable[[], bool]

CHUNK_TOKENS = 64  # rows between two looks at `cancelled`; also bounds the logits of one run
LOGIT_ROWS = 64
RESERVE = 8
TREE_TOKENS = 160
HIDDEN = -1e9  # attention bias of what a row must not see
SELF_TEST_NATS = 0.1


class SessionError(ValueError):
    """The network cannot be run, or computes something else than it did when it was made."""


class ContextFull(ValueError):
    """More tokens than the cache has room for."""


class Cancelled(Exception):
    """The caller's `cancelled` turned true between two chunks; what was computed stays valid."""


class Session:
    """One network in memory, and the caches that run it.  Use from one thread at a time.

    Args:
        bundle: an installed model.
        context_tokens: room for context in each cache, at most what the model allows.
        threads: of onnxruntime; None takes every core this process may use.

    Raises:
        SessionError: onnxruntime refuses the graph, or its self-test fails.
    """

    def __init__(
        self, bundle: Bundle, *, context_tokens: int = 512, threads: int | None = None
    ) -> None:
        self.config: GPTConfig = bundle.config
        self.room = min(RESERVE + TREE_TOKENS, self.config.context_tokens)
        self._tries = ort.RunOptions()
        places = self.config.context_tokens
        if self.config.position == "learned":  # `peek` needs some after the context
            places -= min(RESERVE, places // 4)
        self.context_tokens = min(context_tokens, places)
        try:
            self.network = ort.InferenceSession(
                str(bundle.graph_path), _options(threads), providers=["CPUExecutionProvider"]
            )
            noted, found = self._self_test(bundle.card.get("check"))
        except Exception as err:  # onnxruntime raises bare pybind exceptions
            raise SessionError(
                f"{bundle.graph_path} cannot be run: {_first_line(err)}; install the model again"
            ) from err
        if not abs(found - noted) < SELF_TEST_NATS:
            raise SessionError(
                f"{bundle.graph_path} computes a log-probability of {found:.3f} where "
                f"{noted:.3f} was noted when it was made; install the model again on this machine"
            )

    def interrupt(self) -> None:
        """Stop trying candidates, from any thread: `peek` and `grow` raise `Cancelled`.

        A run stops within a millisecond or so, in the middle of the network.  What extends the
        context of an ordinary cache is not stopped: the next key needs it too.  Lasts until
        `resume`.
        """
        self._tries.terminate = True

    def resume(self) -> None:
        """Let candidates be tried again, after `interrupt`."""
        self._tries.terminate = False

    def run(self, binding: ort.IOBinding, *, is_try: bool) -> None:
        """Run the network once; one that only tries candidates can be interrupted.

        Raises:
            Cancelled: it was; its outputs are undefined.
        """
        if not is_try:
            self.network.run_with_iobinding(binding)
            return
        try:
            self.network.run_with_iobinding(binding, self._tries)
        except Exception as err:  # onnxruntime raises bare pybind exceptions
            if self._tries.terminate:
                raise Cancelled from err
            raise

    def cache(self, *, is_interruptible: bool = False) -> Cache:
        """A new, empty cache; an interruptible one gives up extending too, see `interrupt`."""
        return Cache(self, is_interruptible=is_interruptible)

    def _self_test(self, check: dict[str, Any] | None) -> tuple[float, float]:
        """The log-probability that the exporter noted, and what it is here, in nats.

        Processors differ, and so do the kernels that onnxruntime chooses for them.
        """
        if check is None:  # not noted yet: the exporter is at work
            return 0.0, 0.0
        ids = check["ids"]
        logits = self.cache()._run(0, ids, [len(ids) - 1])[0].astype(np.float64)
        found = float(logits[check["token"]] - np.logaddexp.reduce(logits))
        return check["log_probability"], found


class Cache:
    """Keys and values of one sequence, `ids`, and a tree of candidates that may follow it."""

    def __init__(self, session: Session, *, is_interruptible: bool = False) -> None:
        self.session, self.is_interruptible = session, is_interruptible
        self.ids: list[int] = []
        self._logits: np.ndarray | None = None  # after the last of `ids`
        self._tree: list[tuple[int, ...]] = []  # node → its slots from the root, itself last
        config = session.config
        shape = (1, config.kv_heads, session.context_tokens + session.room, config.head_width)
        self._binding = session.network.io_binding()
        for i in range(config.layers):
            for kind in ("key", "value"):
                buffer = ort.OrtValue.ortvalue_from_numpy(np.zeros(shape, np.float32))
                self._binding.bind_ortvalue_input(f"past_key_values.{i}.{kind}", buffer)
                self._binding.bind_ortvalue_output(f"present.{i}.{kind}", buffer)

    def rewind(self, length: int) -> None:
        """Keep the first `length` tokens of the context; longer ones change nothing."""
        length = max(length, 0)
        if length < len(self.ids):
            del self.ids[length:]
            self._logits = None
            self._tree.clear()

    def extend(
        self,
        ids: Sequence[int],
        *,
        rows: Literal["last", "all", "none"] = "last",
        cancelled: Cancel | None = None,
    ) -> np.ndarray:
        """Append `ids` to the context and return logits.

        Returns:
            (1, V) float32 after the last token, (T, V) after each, or (0, V).

        Raises:
            ContextFull: the cache has no room; nothing was appended.
            Cancelled: stopped between two chunks; `self.ids` holds what was appended.
        """
        if len(self.ids) + len(ids) > self.session.context_tokens:
            raise ContextFull(
                f"{len(self.ids) + len(ids)} tokens do not fit a context of "
                f"{self.session.context_tokens}; rewind first or make a session with more"
            )
        results = []
        for start in range(0, len(ids), CHUNK_TOKENS):
            if cancelled and cancelled():
                raise Cancelled
            chunk = list(ids[start : start + CHUNK_TOKENS])
            last = start + len(chunk) == len(ids)
            wanted = {"all": range(len(chunk)), "none": range(0)}.get(
                rows, range(len(chunk) - 1, len(chunk)) if last else range(0)
            )
            results.append(self._run(len(self.ids), chunk, wanted))
            self.ids += chunk
            self._tree.clear()
            self._logits = results[-1][-1] if last and len(wanted) else None
        empty = np.empty((0, self.session.config.vocab_size), np.float32)
        return np.concatenate(results) if results else empty

    def follow(self, ids: Sequence[int], cancelled: Cancel | None = None) -> np.ndarray:
        """Make the context exactly `ids` (at least one), keeping what it shares with them.

        Returns:
            (V,) float32 logits after the last; no run at all where nothing changed.

        Raises:
            ContextFull, Cancelled: as `extend`.
        """
        shared = common_prefix(self.ids, ids)
        if shared == len(ids) == len(self.ids) and self._logits is not None:
            return self._logits
        self.rewind(min(shared, len(ids) - 1))
        logits: np.ndarray = self.extend(ids[len(self.ids) :], cancelled=cancelled)[-1]
        return logits

    def peek(self, ids: Sequence[int]) -> np.ndarray:
        """(V,) logits after the context and `ids`, without taking them into it.

        Equal, bit for bit, to what `follow` would return.  At most RESERVE tokens.
        """
        if not 0 < len(ids) <= RESERVE:
            raise ContextFull(f"{len(ids)} tokens to peek at; allowed are 1 to {RESERVE}")
        rows = range(len(ids) - 1, len(ids))
        logits: np.ndarray = self._run(len(self.ids), list(ids), rows, is_try=True)[0]
        return logits

    @property
    def tree_size(self) -> int:
        """Number of nodes in the tree."""
        return len(self._tree)

    def prune(self, size: int) -> None:
        """Forget every tree node but the first `size`."""
        del self._tree[size:]

    def grow(self, tokens: Sequence[int], parents: Sequence[int]) -> np.ndarray:
        """Add candidates to the tree: token i continues node `parents[i]`, or the context if -1.

        Returns:
            (m, V) float32 logits after each new node.

        Raises:
            ContextFull: the tree has no room for them, or the model no position; none was added.
        """
        config, context = self.session.config, len(self.ids)
        first, base = len(self._tree), context + RESERVE  # base is the slot of node 0
        past, rows = base + first, self._rows(len(tokens))
        room = self.session.context_tokens + self.session.room - base - 1  # one for a filler
        if first + len(tokens) > room:
            raise ContextFull(
                f"{first + len(tokens)} candidates do not fit a tree of {room}; prune first"
            )
        tree = self._tree.copy()
        bias = np.full((rows, past + rows), HIDDEN, np.float32)
        bias[:, :context] = 0
        bias[len(tokens) :, -1] = 0  # a filler row sees itself
        positions = np.full(rows, context, np.int64)
        for i, parent in enumerate(parents):
            tree.append((*(tree[parent] if parent >= 0 else ()), past + i))
            bias[i, list(tree[-1])] = 0
            positions[i] += len(tree[-1]) - 1
        if config.position == "learned" and positions.max() >= config.context_tokens:
            raise ContextFull(
                f"a candidate would be token {positions.max() + 1} of a text, and this model "
                f"has positions for {config.context_tokens}; rewind first"
            )
        logits = self._run(past, list(tokens), range(len(tokens)), positions, bias, is_try=True)
        self._tree = tree
        return logits

    def _rows(self, count: int) -> int:
        """Rows to run for `count` tokens: attention takes 2D at a time, and none is left alone."""
        return count + (count % (2 * self.session.config.head_width) == 1)

    def _run(
        self,
        past: int,
        ids: list[int],
        rows: Sequence[int],
        positions: np.ndarray | None = None,
        bias: np.ndarray | None = None,
        *,
        is_try: bool = False,
    ) -> np.ndarray:
        """One run of the network into slots `past` ...; a filler row may follow."""
        ids = ids + ids[-1:] * (self._rows(len(ids)) - len(ids))
        total = past + len(ids)
        if positions is None:
            limit = self.session.config.context_tokens - 1
            positions = np.minimum(np.arange(past, total, dtype=np.int64), limit)
        if bias is None:
            bias = np.zeros((len(ids), total), np.float32)
        feeds = {
            "input_ids": np.array(ids, np.int64),
            "position_ids": positions[None],
            "attention_bias": bias[None, None],
            "logit_rows": np.array([*rows] + [0] * (2 - len(rows)), np.int64),
            "seqlens_k": np.array([total - 1], np.int32),
            "total_sequence_length": np.array(total, np.int32),
        }
        for name, value in feeds.items():
            self._binding.bind_cpu_input(name, value)
        self._binding.bind_output("logits")
        self.session.run(self._binding, is_try=is_try or self.is_interruptible)
        logits: np.ndarray = self._binding.get_outputs()[-1].numpy()
        return logits[: len(rows)]


def common_prefix(a: Sequence[int], b: Sequence[int]) -> int:
    """Number of leading elements that `a` and `b` share."""
    shortest = min(len(a), len(b))
    return next((i for i in range(shortest) if a[i] != b[i]), shortest)


def _options(threads: int | None) -> ort.SessionOptions:
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads or _cores()
    options.log_severity_level = 4  # errors are raised; nothing need be printed as well
    # onnxruntime's threads spin for some 20 ms after a run and then sleep: the runs of one key find
    # them awake (one more token 15 ms instead of 24, two cores), and an idle editor uses no CPU.
    return options


def _cores() -> int:
    """Cores this process may use, which in a container are fewer than there are."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _first_line(err: Exception) -> str:
    return (str(err).splitlines() or ["unknown error"])[0]
