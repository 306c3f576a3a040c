"""How fast a model is on this machine, and how fast it could be: what `foretype bench` measures.

Everything runs on a real text, through the session, caches and predictor that the editor uses;
what has to come before a run, like filling the context, is not timed.  Nothing is printed here.

A row's floor is the time in which no machine of this speed could do better: the linear layers'
weights are read once, and two operations are done per weight and row.
"""

from __future__ import annotations

import math
import time
from dataclasses import astuple, dataclass, replace
from functools import partial
from operator import methodcaller
from typing import TYPE_CHECKING, Protocol

import numpy as np

from model import machine
from model.config import weight_shapes
from model.machine import Memory, Speeds
from model.predictor import Predictor
from model.session import Session
from model.wordshape import split_at_caret

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from model.bundle import Bundle
    from model.tokenizer import Tokenizer

CONTEXT_TOKENS = 544  # 512 and what comes after them
STRETCHES = 4  # places of the text where words are typed
BYTES_PER_WEIGHT = {"int8": 1, "float": 4}


@dataclass(frozen=True, slots=True)
class Plan:
    """What to measure and how often; all lengths in tokens."""

    contexts: tuple[int, ...] = (100, 512)
    candidates: tuple[int, ...] = (8, 12)  # after the longest context
    prefill: int = 512
    generated: tuple[int, ...] = (32, 64, 128, 256, 512)
    steps: int = 60  # runs of one token, or of one tree
    prefills: int = 7
    loads: int = 5
    words: int = 60
    rounds: int = 5  # of a comparison with another engine
    speeds: int = 15
    buffer_bytes: int = 1 << 30
    matrix_width: int = 1024

    def within(self, tokens: int) -> Plan:
        """The same with no context longer than `tokens`."""
        contexts = sorted({min(length, tokens) for length in self.contexts})
        generated = sorted({min(length, tokens) for length in self.generated})
        return replace(
            self,
            contexts=tuple(contexts),
            generated=tuple(generated),
            prefill=min(self.prefill, tokens),
        )


QUICK = Plan(steps=10, prefills=2, loads=2, words=12, rounds=2, speeds=5)


@dataclass(frozen=True, slots=True)
class Timing:
    """What many runs took, in milliseconds; half of them lie between `p25_ms` and `p75_ms`."""

    runs: int
    best_ms: float
    p25_ms: float
    p50_ms: float
    p75_ms: float
    p95_ms: float
    p99_ms: float
    worst_ms: float

    @classmethod
    def of(cls, taken_ms: Sequence[float]) -> Timing:
        """Sum up at least one run."""
        percentiles = np.percentile(taken_ms, [0, 25, 50, 75, 95, 99, 100])
        return cls(len(taken_ms), *map(float, percentiles))


@dataclass(frozen=True, slots=True)
class Cost:
    """What a run cannot do without."""

    bytes_read: int
    operations: int

    def floor_ms(self, speeds: Speeds, *, is_float: bool) -> float:
        """The shortest time at these speeds."""
        rate = speeds.float_gflop_per_s if is_float else speeds.int8_gop_per_s
        return max(self.bytes_read / speeds.read_gb_per_s, self.operations / rate) / 1e6


class Engine(Protocol):
    """Something that runs a model; each call returns the milliseconds of what it is named for."""

    def one_token(self, context: int) -> float:
        """One more token after `context` tokens."""

    def candidates(self, context: int, count: int) -> float:
        """`count` tokens at once after `context` tokens."""

    def prefill(self, tokens: int) -> float:
        """A context of `tokens` tokens, from nothing."""


@dataclass(frozen=True, slots=True)
class Task:
    """One row: what to run, how often, and what it costs at least."""

    name: str
    runs: int
    run: Callable[[Engine], float]
    cost: Cost


@dataclass(frozen=True, slots=True)
class Row:
    """A task measured.  `floor_ms` is None where nothing bounds it from below."""

    name: str
    timing: Timing
    floor_ms: float | None = None

    @property
    def ratio(self) -> float | None:
        """How many times the floor the median is."""
        return self.timing.p50_ms / self.floor_ms if self.floor_ms else None


@dataclass(frozen=True, slots=True)
class Generated:
    """Cost of one more token after `tokens`: from the cache, and by running all of them again."""

    tokens: int
    cached: Timing
    uncached: Timing


@dataclass(frozen=True, slots=True)
class Report:
    """Everything measured.  `before` and `after` are medians, `best` the best of both."""

    threads: int
    precision: str
    before: Speeds
    after: Speeds
    best: Speeds
    memory: Memory
    rows: tuple[Row, ...]
    words: tuple[Row, ...]
    generated: tuple[Generated, ...]

    @property
    def drift(self) -> float:
        """By which share the machine's speed changed meanwhile, at most."""
        pairs = zip(astuple(self.before), astuple(self.after), strict=True)
        return float(max(max(a, b) / min(a, b) - 1 for a, b in pairs))


class CachedEngine:
    """A session and one cache that walks along a text.

    Args:
        session: what runs.
        ids: of the text, more than any context is long.
        burst: how many tokens in a row are measured at once, each giving their mean.
    """

    def __init__(self, session: Session, ids: list[int], burst: int = 1) -> None:
        self._cache, self._ids, self._burst = session.cache(), ids, burst

    def one_token(self, context: int) -> float:
        """One more token after `context` tokens, in milliseconds."""
        self._fill(context)
        ids = self._ids[context : context + self._burst]
        return _milliseconds(lambda: [self._cache.extend([token]) for token in ids]) / len(ids)

    def candidates(self, context: int, count: int) -> float:
        """A tree of `count` tokens after `context`, in milliseconds."""
        self._fill(context)
        tokens = self._ids[context : context + count]
        taken_ms = _milliseconds(lambda: self._cache.grow(tokens, [-1] * count))
        self._cache.prune(0)
        return taken_ms

    def prefill(self, tokens: int) -> float:
        """A context of `tokens` tokens and the logits after it, in milliseconds."""
        self._cache.rewind(0)
        return _milliseconds(lambda: self._cache.extend(self._ids[:tokens]))

    def _fill(self, context: int) -> None:
        self._cache.rewind(context)
        self._cache.extend(self._ids[len(self._cache.ids) : context], rows="none")


def measure(bundle: Bundle, text: str, plan: Plan, note: Callable[[str], None]) -> Report:
    """Run the plan on one model.

    Args:
        bundle: the model.
        text: real prose, of more tokens than the longest context.
        plan: what to measure.
        note: told what is being measured.

    Raises:
        BundleError, SessionError: the model cannot be used, and why.
    """
    note("starting the model")
    tokenizer = bundle.tokenizer()
    predictor = Predictor(Session(bundle), tokenizer)
    predictor.predict(text[: len(text) // 2])
    memory = machine.memory()  # before anything that the editor does not do

    note("the speed of this machine")
    before, best_before = _speeds(predictor.session, plan)
    words = tuple(_words(predictor, text, plan, note))
    del predictor

    note("starting the model again")
    loads = [_milliseconds(lambda: Session(bundle)) for _ in range(plan.loads)]
    session = Session(bundle, context_tokens=CONTEXT_TOKENS)
    plan = plan.within(session.context_tokens - 1)
    ids = reference_ids(tokenizer, text)
    engine = CachedEngine(session, ids)
    measured = [(Cost(bundle.size_bytes, 0), Row("start of the model", Timing.of(loads)))]
    for task in tasks(bundle, plan):
        note(task.name)
        measured.append((task.cost, Row(task.name, repeat(task, engine))))
    generated = tuple(_generated(engine, plan, note))

    note("the speed of this machine, again")
    after, best_after = _speeds(session, plan)
    best = Speeds(*map(max, astuple(best_before), astuple(best_after)))
    precision = precision_of(bundle)
    rows = (
        replace(row, floor_ms=cost.floor_ms(best, is_float=precision == "float"))
        for cost, row in measured
    )
    return Report(
        machine.threads(session), precision, before, after, best, memory, tuple(rows), words,
        generated,
    )  # fmt: skip


def tasks(bundle: Bundle, plan: Plan) -> Iterator[Task]:
    """The rows that any engine can be measured by."""
    steps, longest = plan.steps, max(plan.contexts)
    for n in plan.contexts:
        name = f"one more token after {n}"
        yield Task(name, steps, methodcaller("one_token", n), _cost(bundle, 1, 1))
    for m in plan.candidates:
        name = f"{m} candidates after {longest}"
        yield Task(name, steps, methodcaller("candidates", longest, m), _cost(bundle, m, m))
    n = plan.prefill
    name = f"a context of {n}"
    yield Task(name, plan.prefills, methodcaller("prefill", n), _cost(bundle, n, 1))


def repeat(task: Task, engine: Engine) -> Timing:
    """Run a task as often as it says, after one run that does not count."""
    task.run(engine)
    return Timing.of([task.run(engine) for _ in range(task.runs)])


def reference_ids(tokenizer: Tokenizer, text: str) -> list[int]:
    """End-of-text, then the tokens of the text."""
    return [tokenizer.end_of_text, *tokenizer.encode(text)]


def precision_of(bundle: Bundle) -> str:
    """How the weights are stored: "int8" or "float"."""
    return str(bundle.card.get("precision", "float"))


def growth(lengths: Sequence[int], costs: Sequence[float]) -> float:
    """The exponent e for which cost ~ length^e fits best."""
    slope, _ = np.polyfit(np.log(lengths), np.log(costs), 1)
    return float(slope)


def whole_ms(lengths: Sequence[int], costs_ms: Sequence[float]) -> list[float]:
    """Cost per token at some lengths → cost of all tokens up to each, interpolated between them."""
    every = np.interp(np.arange(1, max(lengths) + 1), lengths, costs_ms)
    total: list[float] = np.cumsum(every)[np.array(lengths) - 1].tolist()
    return total


def _milliseconds(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return (time.perf_counter() - begun) * 1000


def _speeds(session: Session, plan: Plan) -> tuple[Speeds, Speeds]:
    return machine.measure_speeds(
        session,
        buffer_bytes=plan.buffer_bytes,
        matrix_width=plan.matrix_width,
        runs=plan.speeds,
    )


def _cost(bundle: Bundle, rows: int, logit_rows: int) -> Cost:
    """Of all linear layers for `rows` rows, and of the projection to the vocabulary for some."""
    config = bundle.config
    layers = sum(
        math.prod(shape)
        for name, shape in weight_shapes(config).items()
        if name.startswith("blocks.") and len(shape) == 2
    )
    output = config.vocab_size * config.width
    size = BYTES_PER_WEIGHT[precision_of(bundle)]
    return Cost((layers + output) * size, 2 * (layers * rows + output * logit_rows))


def _words(
    predictor: Predictor, text: str, plan: Plan, note: Callable[[str], None]
) -> Iterator[Row]:
    """Type some words at several places of the text, without a pause between two letters."""
    names = ("a new word", "its first letter", "each further letter")
    taken_ms: dict[str, list[float]] = {name: [] for name in names}
    for stretch in range(1, STRETCHES + 1):
        note(f"the word list, part {stretch} of {STRETCHES}")
        start = text.find(" ", len(text) * stretch // (STRETCHES + 1))
        predictor.words(*split_at_caret(text[:start]))  # the jump to this place is not typing
        for context, prefix in _typed(text, start + 1, plan.words // STRETCHES):
            ms = _milliseconds(partial(predictor.words, context, prefix))
            taken_ms[names[min(len(prefix), 2)]].append(ms)
    yield from (Row(name, Timing.of(taken)) for name, taken in taken_ms.items() if taken)


def _typed(text: str, caret: int, words: int) -> Iterator[tuple[str, str]]:
    """What the caret sees at every letter of some words: the text before the word, its letters."""
    for end in range(caret, len(text)):
        context, prefix = split_at_caret(text[:end])
        words -= not prefix
        if words < 0:
            break
        yield context, prefix


def _generated(
    engine: CachedEngine, plan: Plan, note: Callable[[str], None]
) -> Iterator[Generated]:
    for tokens in plan.generated:
        note(f"generation at {tokens} tokens")
        engine.prefill(tokens)
        uncached = [engine.prefill(tokens) for _ in range(plan.prefills)]
        cached = [engine.one_token(tokens) for _ in range(plan.steps)]
        yield Generated(tokens, Timing.of(cached), Timing.of(uncached))
