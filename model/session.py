"""Cached inference: token ids in, logits out, through onnxruntime.

A `Session` holds the network; each `Cache` made from it holds the keys and values of one sequence
in fixed buffers that the network appends to in place.  Knows nothing of text.

Slots of a cache, for a context of P tokens:

    0 ... P-1            the context
    P ... P+RESERVE-1    scratch: `peek` looks past the context here
    P+RESERVE ...        a tree of candidates (`grow`), each seeing the context and its ancestors

Equal numbers: a context gives the same logits, bit for bit, in whatever pieces it was fed.  For
that, no run has fewer than two rows: attention (and some 8-bit kernels) take another path for a
single row.  A candidate in the tree sits in another slot than it would as context, which changes
the order in which attention adds up: its logits differ by some 1e-3, so a tree never becomes
context without being computed again.

Sources: onnxruntime's GroupQueryAttention; tree attention as in Miao et al. 2023, arXiv 2305.09781.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal

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


class SessionError(RuntimeError):
    """The network cannot be loaded, or computes something else than it did when it was made."""


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
        self.context_tokens = min(context_tokens, self.config.context_tokens)
        self.room = min(RESERVE + TREE_TOKENS, self.config.context_tokens)
        if self.config.position == "learned":  # places past the table do not exist
            self.context_tokens -= min(RESERVE, self.context_tokens // 4)
        try:
            self.network = ort.InferenceSession(
                str(bundle.graph_path), _options(threads), providers=["CPUExecutionProvider"]
            )
        except Exception as err:  # onnxruntime raises bare pybind exceptions
            raise SessionError(f"{bundle.graph_path} cannot be run: {_first_line(err)}") from err
        self._self_test(bundle)

    def cache(self) -> Cache:
        """A new, empty cache."""
        return Cache(self)

    def _self_test(self, bundle: Bundle) -> None:
        """Compute again what the exporter noted, to notice kernels that count otherwise here."""
        check = bundle.card.get("check")
        if not check:
            return
        logits = self.cache().extend(check["ids"])[0].astype(np.float64)
        found = logits[check["token"]] - _log_sum_exp(logits)
        if not abs(found - check["log_probability"]) < 0.1:
            raise SessionError(
                f"{bundle.folder.name} computes a log-probability of {found:.3f} where "
                f"{check['log_probability']:.3f} was noted when it was made; "
                "install it again on this machine"
            )


class Cache:
    """Keys and values of one sequence, `ids`, and a tree of candidates that may follow it."""

    def __init__(self, session: Session) -> None:
        self.session = session
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
        logits: np.ndarray = self._run(len(self.ids), list(ids), range(len(ids) - 1, len(ids)))[0]
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
            ContextFull: the tree has no room for so many nodes; nothing was added.
        """
        first, context = len(self._tree), len(self.ids)
        size = first + len(tokens)
        base = context + RESERVE  # slot of node 0
        room = self.session.context_tokens + self.session.room - base
        if size + 1 > room:
            raise ContextFull(f"{size} candidates do not fit a tree of {room - 1}; prune first")
        bias = np.full((max(len(tokens), 2), base + first + max(len(tokens), 2)), HIDDEN)
        bias[:, :context] = 0
        positions = np.full(len(bias), context, np.int64)
        for i, parent in enumerate(parents):
            path = (*(self._tree[parent] if parent >= 0 else ()), base + first + i)
            bias[i, list(path)] = 0
            positions[i] = context + len(path) - 1
            self._tree.append(path)
        bias[len(tokens) :, -1] = 0  # a filler row sees itself
        return self._run(base + first, list(tokens), range(len(tokens)), positions, bias)

    def _run(
        self,
        past: int,
        ids: list[int],
        rows: Sequence[int],
        positions: np.ndarray | None = None,
        bias: np.ndarray | None = None,
    ) -> np.ndarray:
        """One run of the network into slots `past` ...; at least two rows, see the module."""
        ids = ids + ids[-1:] * (2 - len(ids))
        total = past + len(ids)
        if positions is None:
            limit = self.session.config.context_tokens - 1
            positions = np.minimum(np.arange(past, total, dtype=np.int64), limit)
        if bias is None:
            bias = np.zeros((len(ids), total))
        feeds = {
            "input_ids": np.array(ids, np.int64),
            "position_ids": positions[None],
            "attention_bias": bias[None, None].astype(np.float32),
            "logit_rows": np.array(rows, np.int64),
            "seqlens_k": np.array([total - 1], np.int32),
            "total_sequence_length": np.array(total, np.int32),
        }
        for name, value in feeds.items():
            self._binding.bind_cpu_input(name, value)
        if not len(rows):  # the network always projects one row; the caller wants none
            self._binding.bind_cpu_input("logit_rows", np.zeros(1, np.int64))
        self._binding.bind_output("logits")
        self.session.network.run_with_iobinding(self._binding)
        logits: np.ndarray = self._binding.get_outputs()[-1].numpy()
        return logits[: len(rows)]


def common_prefix(a: Sequence[int], b: Sequence[int]) -> int:
    """Number of leading elements that `a` and `b` share."""
    shortest = min(len(a), len(b))
    return next((i for i in range(shortest) if a[i] != b[i]), shortest)


def _options(threads: int | None) -> ort.SessionOptions:
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads or _cores()
    options.log_severity_level = 3
    # Threads spin while a run lasts and sleep between runs: an idle editor uses no CPU.
    options.add_session_config_entry("session.force_spinning_stop", "1")
    return options


def _cores() -> int:
    """Cores this process may use, which in a container are fewer than there are."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _log_sum_exp(x: np.ndarray) -> float:
    top = x.max()
    return float(top + np.log(np.exp(x - top).sum()))


def _first_line(err: Exception) -> str:
    return (str(err).splitlines() or ["unknown error"])[0]
