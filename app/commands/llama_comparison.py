"""The same work by llama.cpp, turn by turn with ours: for `foretype bench --compare-llama`.

llama.cpp runs in a process of its own: this file, run as a script by a Python that has the package
`xllamacpp`, which Foretype itself does not need.  One JSON object a line goes each way.
"""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import TracebackType

    from model.bench import Plan, Timing
    from model.bundle import Bundle

GENERATED = 24  # tokens in a row, of which the mean is one sample
IN_A_ROW = 2  # samples of each before it is the other's turn
CONTEXT_TOKENS = 1024


class LlamaError(RuntimeError):
    """llama.cpp cannot be run, or did something else than it was asked to."""


@dataclass(frozen=True, slots=True)
class Llama:
    """Weights for llama.cpp, and the Python that has it."""

    weights: Path
    python: Path

    def check(self) -> None:
        """Start it once: what is missing shows now, not after minutes of measuring.

        Raises:
            LlamaError: see there.
        """
        with LlamaEngine(self, [], 1):
            pass


@dataclass(frozen=True, slots=True)
class Versus:
    """One row of both."""

    name: str
    ours: Timing
    theirs: Timing

    @property
    def ratio(self) -> float:
        """How many times as fast ours is."""
        return self.theirs.p50_ms / self.ours.p50_ms


def compare(
    bundle: Bundle, text: str, plan: Plan, llama: Llama, note: Callable[[str], None]
) -> list[Versus]:
    """Measure both on the same tokens with as many threads, in turns.

    Raises:
        LlamaError: see there.
    """
    from model import bench, machine
    from model.session import Session

    session = Session(bundle, context_tokens=bench.CONTEXT_TOKENS)
    plan = plan.within(session.context_tokens - GENERATED)
    ids = bench.reference_ids(bundle.tokenizer(), text)
    ours = bench.CachedEngine(session, ids, burst=GENERATED)
    lines = []
    with LlamaEngine(llama, ids, machine.threads(session)) as theirs:
        for task in bench.tasks(bundle, plan):
            note(f"{task.name}, in turns with llama.cpp")
            ours_ms: list[float] = []
            theirs_ms: list[float] = []
            for turn in range(plan.rounds + 1):
                ours_ms += [task.run(ours) for _ in range(IN_A_ROW)]
                theirs_ms += [task.run(theirs) for _ in range(IN_A_ROW)]
                if turn == 0:  # it only warmed up
                    ours_ms, theirs_ms = [], []
            timings = bench.Timing.of(ours_ms), bench.Timing.of(theirs_ms)
            lines.append(Versus(task.name, *timings))
    return lines


class LlamaEngine:
    """A `model.bench.Engine` that asks a process with llama.cpp."""

    def __init__(self, llama: Llama, ids: list[int], threads: int) -> None:
        self._ids, self._fresh = ids, itertools.cycle(ids[1:])
        if not llama.weights.is_file():
            raise LlamaError(f"{llama.weights} is no file; give the model's weights as .gguf")
        command = [str(llama.python), "-P", __file__, str(llama.weights.resolve()), str(threads)]
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
        except OSError as err:
            raise LlamaError(
                f"{llama.python} cannot be run: {err.strerror}; --llama-python takes the path of "
                "a Python"
            ) from err
        self._answer()

    def __enter__(self) -> LlamaEngine:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.communicate()

    def one_token(self, context: int) -> float:
        """Mean of some tokens in a row after `context`; the first of them needs no run."""
        timings = self._complete(self._ids[:context], GENERATED)
        return float(timings["predicted_ms"]) / (GENERATED - 1)

    def candidates(self, context: int, count: int) -> float:
        """As many tokens in a row: llama.cpp's time for them as a prompt."""
        self._complete(self._ids[:context], 0)
        tokens = [next(self._fresh) for _ in range(count)]
        return self._prompt_ms([*self._ids[:context], *tokens], count)

    def prefill(self, tokens: int) -> float:
        """A context of which nothing is cached, since its first token is another each time."""
        return self._prompt_ms([next(self._fresh), *self._ids[1:tokens]], tokens)

    def _prompt_ms(self, ids: list[int], expected: int) -> float:
        timings = self._complete(ids, 0)
        if timings["prompt_n"] != expected:
            raise LlamaError(
                f"llama.cpp computed {timings['prompt_n']} tokens of a prompt instead of "
                f"{expected}; compare with another version of xllamacpp"
            )
        return float(timings["prompt_ms"])

    def _complete(self, ids: list[int], count: int) -> dict[str, Any]:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"ids": ids, "count": count}) + "\n")
        self._process.stdin.flush()
        return self._answer()

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        answer: dict[str, Any] = json.loads(line) if line else {"error": "its process ended"}
        if "error" in answer:
            self._process.kill()
            self._process.communicate()
            raise LlamaError(f"llama.cpp cannot be measured: {answer['error']}")
        return answer


def serve(weights: str, threads: int) -> None:
    """Answer requests on stdin with llama.cpp's own timings: what the script does."""
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # whatever llama.cpp prints is no answer
    try:
        xllamacpp = import_module("xllamacpp")
    except ImportError:
        error = (
            f"{sys.executable} lacks xllamacpp; install it ({sys.executable} -m pip install "
            "xllamacpp) or name a Python that has it with --llama-python"
        )
        print(json.dumps({"error": error}), file=answers)
        return
    params = xllamacpp.CommonParams()
    params.model.path = weights
    params.n_ctx, params.n_batch, params.n_parallel = CONTEXT_TOKENS, 512, 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    params.warmup = True
    try:
        server = xllamacpp.Server(params)
    except Exception as err:
        print(json.dumps({"error": f"{weights}: {err}"}), file=answers)
        return
    print(json.dumps({}), file=answers)
    for line in sys.stdin:
        request = json.loads(line)
        answer = server.handle_completions({
            "prompt": request["ids"], "n_predict": request["count"], "temperature": 0,
            "cache_prompt": True, "ignore_eos": True,
        })  # fmt: skip
        print(json.dumps(answer.get("timings", {"error": str(answer)})), file=answers)


if __name__ == "__main__":
    serve(sys.argv[1], int(sys.argv[2]))
