"""What `foretype bench` measures and says.  No test depends on how fast anything is."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np
import onnx
import onnxruntime as ort
import pytest
from onnx import TensorProto, helper

from app.cli import main
from app.commands.trace_summary import TraceError, summarise
from app.editor import Keystroke
from app.models import name_of
from app.paths import ASSETS
from app.trace import Trace
from model import bench, machine
from model.bench import CachedEngine, Cost, Plan, Timing
from model.config import weight_shapes
from model.machine import Speeds
from model.predictor import Word
from model.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from model.bundle import Bundle
    from training.export import Precision

    BundleOf = Callable[[str, Precision], Bundle]

TEXT = (ASSETS / "reference.txt").read_text(encoding="utf-8")
SMALL = Plan(
    contexts=(10, 512), candidates=(3,), prefill=20, generated=(4, 16, 512), steps=3, prefills=2,
    loads=1, words=8, rounds=1, speeds=2, buffer_bytes=1 << 16, matrix_width=32,
)  # fmt: skip


# ---- the measurements


@pytest.mark.parametrize(
    ("family", "precision", "longest"), [("llama", "int8", 63), ("gpt2", "float", 55)]
)
def test_every_row_is_measured_on_contexts_the_model_has(
    bundle_of: BundleOf, family: str, precision: Precision, longest: int
) -> None:
    noted: list[str] = []
    report = bench.measure(bundle_of(family, precision), TEXT, SMALL, noted.append)
    assert [(row.name, row.timing.runs) for row in report.rows] == [
        ("start of the model", 1),
        ("one more token after 10", 3),
        (f"one more token after {longest}", 3),
        (f"3 candidates after {longest}", 3),
        ("a context of 20", 2),
    ]
    assert [point.tokens for point in report.generated] == [4, 16, longest]
    assert [row.name for row in report.words] == ["a new word", "its first letter",
                                                  "each further letter"]  # fmt: skip
    assert report.words[0].timing.runs == SMALL.words
    assert all(row.floor_ms and row.ratio for row in report.rows)
    assert report.precision == precision
    assert report.drift >= 0
    assert len(set(noted)) > 10


def test_the_order_of_measurements_does_not_matter(bundle_of: BundleOf) -> None:
    """Whatever ran before, a context is exactly as long as it says."""
    bundle = bundle_of("llama", "float")
    ids = bench.reference_ids(bundle.tokenizer(), TEXT)
    engine = CachedEngine(Session(bundle), ids, burst=4)
    for run, length in (
        (lambda: engine.one_token(40), 44),
        (lambda: engine.candidates(40, 5), 40),
        (lambda: engine.prefill(20), 20),
        (lambda: engine.candidates(30, 5), 30),
        (lambda: engine.one_token(10), 14),
    ):
        assert run() > 0
        assert engine._cache.ids == ids[:length]
        assert engine._cache.tree_size == 0


def test_a_timing_names_its_percentiles() -> None:
    timing = Timing.of([float(n) for n in range(101)])
    assert timing == Timing(101, 0, 25, 50, 75, 95, 99, 100)


def test_the_floor_is_the_larger_of_reading_and_computing() -> None:
    speeds = Speeds(read_gb_per_s=10, float_gflop_per_s=100, int8_gop_per_s=1000)
    reads_much = Cost(bytes_read=100_000_000, operations=1)
    assert reads_much.floor_ms(speeds, is_float=True) == pytest.approx(10)
    computes_much = Cost(bytes_read=1, operations=100_000_000_000)
    assert computes_much.floor_ms(speeds, is_float=True) == pytest.approx(1000)
    assert computes_much.floor_ms(speeds, is_float=False) == pytest.approx(100)


@pytest.mark.parametrize(("precision", "size"), [("int8", 1), ("float", 4)])
def test_costs_count_every_linear_weight_once(
    bundle_of: BundleOf, precision: Precision, size: int
) -> None:
    bundle = bundle_of("llama untied", precision)
    shapes = weight_shapes(bundle.config)
    del shapes["token_embedding.weight"]  # one row of it is read
    matrices = {name: np.prod(shape) for name, shape in shapes.items() if len(shape) == 2}
    total, output = sum(matrices.values()), matrices["output.weight"]
    costs = {task.name: task.cost for task in bench.tasks(bundle, SMALL.within(63))}
    assert costs["one more token after 10"] == Cost(total * size, 2 * total)
    assert costs["3 candidates after 63"] == Cost(total * size, 6 * total)
    prefill = Cost(total * size, 2 * (20 * (total - output) + output))
    assert costs["a context of 20"] == prefill


def test_growth_finds_the_exponent() -> None:
    lengths = [32, 64, 128, 256, 512]
    assert bench.growth(lengths, [7.0] * 5) == pytest.approx(0)
    assert bench.growth(lengths, [3 * n**1.5 for n in lengths]) == pytest.approx(1.5)


def test_the_cost_of_a_whole_text_adds_up_its_tokens() -> None:
    assert bench.whole_ms([2, 4, 5], [10, 20, 20]) == [10 + 10, 10 + 10 + 15 + 20, 75]


# ---- the machine


@pytest.mark.parametrize(
    ("operator", "elements"),
    [
        ("MatMul", (TensorProto.FLOAT, TensorProto.FLOAT, TensorProto.FLOAT)),
        ("MatMulInteger", (TensorProto.UINT8, TensorProto.INT8, TensorProto.INT32)),
    ],
)
def test_graphs_of_one_product_are_onnx(operator: str, elements: tuple[int, int, int]) -> None:
    model = onnx.load_model_from_string(machine.product_graph(operator, elements))
    onnx.checker.check_model(model)
    assert [node.op_type for node in model.graph.node] == [operator]
    values = [*model.graph.input, *model.graph.output]
    assert tuple(value.type.tensor_type.elem_type for value in values) == elements
    network = ort.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    a, b = (np.arange(4).reshape(2, 2).astype(helper.tensor_dtype_to_np_dtype(element))
            for element in elements[:2])  # fmt: skip
    assert network.run(None, {"a": a, "b": b})[0].tolist() == [[2, 3], [6, 11]]


def test_speeds_are_positive_and_the_best_is_no_worse(bundle_of: BundleOf) -> None:
    session = Session(bundle_of("llama", "float"), threads=2)
    assert machine.threads(session) == 2
    median, best = machine.measure_speeds(session, buffer_bytes=1 << 16, matrix_width=32, runs=3)
    for field in ("read_gb_per_s", "float_gflop_per_s", "int8_gop_per_s"):
        assert 0 < getattr(median, field) <= getattr(best, field)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not say")
def test_memory_grows_with_what_is_held() -> None:
    before = machine.memory().resident_bytes
    held = np.ones(50_000_000, np.uint8)
    after = machine.memory()
    assert before is not None
    assert after.resident_bytes is not None
    assert after.peak_bytes is not None
    assert after.peak_bytes >= after.resident_bytes > before + 0.9 * len(held)


def test_the_processor_has_a_name() -> None:
    assert machine.processor()


# ---- the command


@pytest.fixture
def model(bundle_of: BundleOf, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Options for a tiny model, of which a small plan is measured."""
    monkeypatch.setattr(bench, "QUICK", SMALL)
    return ["--model", str(bundle_of("llama", "int8").folder), "--quick"]


def test_the_command_prints_tables(model: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", *model]) == 0
    out, _ = capsys.readouterr()
    says = "llama int8, int8|GB/s|× floor|a context of 20|estimated|grows as|n^"
    for expected in says.split("|"):
        assert expected in out


def test_json_holds_everything_and_is_all_that_is_printed(
    model: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", *model, "--json", "-"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["model"] == "llama int8"
    assert found["precision"] == "int8"
    assert set(found["versions"]) == {"foretype", "onnxruntime", "numpy"}
    assert found["processor"]
    assert found["cores"] >= 1
    assert found["threads"] >= 1
    assert found["rows"][1]["timing"]["p50_ms"] > 0
    assert found["rows"][1]["ratio"] > 0
    assert found["generated"][0]["uncached"]["p50_ms"] > 0
    assert found["llama"] == []


def test_an_installed_model_has_its_name_not_that_of_its_version(user_folder: Path) -> None:
    assert name_of(user_folder / "models" / "tiny" / "20260102-030405-0a1b2c3d") == "tiny"


def test_json_goes_to_a_file_beside_the_tables(
    model: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "bench.json"
    assert main(["bench", *model, "--json", str(file)]) == 0
    assert "× floor" in capsys.readouterr().out
    assert json.loads(file.read_text())["date"].startswith("20")


def test_a_busy_machine_is_noticed(
    model: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    measured = bench.measure

    def disturbed(*args: Any) -> bench.Report:
        report = measured(*args)
        return replace(report, after=replace(report.before, read_gb_per_s=1e-9))

    monkeypatch.setattr(bench, "measure", disturbed)
    assert main(["bench", *model]) == 0
    assert "something else is" in capsys.readouterr().out


def test_a_report_that_cannot_be_written_is_refused_before_measuring(
    model: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(bench, "measure", lambda *_: pytest.fail("it was measured"))
    assert main(["bench", *model, "--json", str(tmp_path / "missing" / "bench.json")]) == 1
    assert "No such file" in capsys.readouterr().err


@pytest.mark.parametrize(
    "args",
    [
        ["--llama-python", "python"],
        ["--trace", "t.jsonl", "--quick"],
        ["--trace", "t.jsonl", "--compare-llama", "a.gguf"],
    ],
)
def test_options_that_do_not_fit_are_wrong_usage(args: list[str]) -> None:
    assert main(["bench", *args]) == 2


# ---- the trace


def write_trace(file: Path, latencies: list[int | None]) -> None:
    """A trace of keys, each painted after so many milliseconds, or not at all."""
    now = 1000.0
    trace = Trace(file)
    for latency in latencies:
        trace.key(Keystroke(now, 0))
        if latency is not None:
            assert trace._line is not None
            trace.prepared(latency % 4 == 0)
            trace.answered([Word("word", 0.5)], 5.0)
            trace.painted()
            trace._line |= {"painted_ms": now + latency, "latency_ms": latency,
                            "refined_ms": now + 3 * latency}  # fmt: skip
        now += 100
    trace.close()


def test_a_trace_is_summed_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "trace.jsonl"
    write_trace(file, [*range(1, 100), None, 1000])
    summary = summarise(file)
    assert (summary.keys, summary.painted) == (101, 100)
    assert summary.prepared == 25
    assert summary.first.p50_ms == pytest.approx(50.5)
    assert summary.first.worst_ms == 1000
    assert summary.last.p50_ms == pytest.approx(151.5)
    assert summary.model.p99_ms == 5
    assert main(["bench", "--trace", str(file)]) == 0
    out = capsys.readouterr().out
    assert "101 keystrokes, 100 with suggestions before the next, 25% of these from work" in out
    assert "p99" in out


@pytest.mark.parametrize("content", ["not JSON\n", "[1]\n", '{"key": "a"}\n', "", "7\n"])
def test_what_is_no_trace_is_refused(tmp_path: Path, content: str) -> None:
    file = tmp_path / "trace.jsonl"
    file.write_text(content)
    with pytest.raises(TraceError, match=r"trace\.jsonl"):
        summarise(file)


# ---- llama.cpp

STANDS_FOR_LLAMA = '''
"""Answers as xllamacpp does and remembers, like its cache, what it has seen."""

print("a library that prints")


class Namespace:
    pass


class CommonParams(Namespace):
    def __init__(self):
        self.model, self.cpuparams, self.cpuparams_batch = Namespace(), Namespace(), Namespace()


class Server:
    def __init__(self, params):
        if open(params.model.path, "rb").read() != b"GGUF":
            raise RuntimeError("not a GGUF")
        assert params.cpuparams.n_threads == params.cpuparams_batch.n_threads > 0
        self.seen = []

    def handle_completions(self, request):
        ids = request["prompt"]
        shared = 0
        while shared < min(len(ids) - 1, len(self.seen)) and ids[shared] == self.seen[shared]:
            shared += 1
        self.seen = ids
        count = request["n_predict"]
        return {"timings": {"prompt_n": len(ids) - shared, "prompt_ms": 1000.0,
                            "predicted_n": count, "predicted_ms": 1000.0 * (count - 1)}}
'''


def test_both_are_measured_in_turns(
    model: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The process and what is said to it are real, only xllamacpp is not."""
    (tmp_path / "xllamacpp.py").write_text(STANDS_FOR_LLAMA)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    weights = tmp_path / "weights.gguf"
    weights.write_bytes(b"GGUF")
    assert main(["bench", *model, "--compare-llama", str(weights), "--json", "-"]) == 0
    lines = json.loads(capsys.readouterr().out)["llama"]
    assert [line["name"] for line in lines] == [
        "one more token after 10", "one more token after 40", "3 candidates after 40",
        "a context of 20",
    ]  # fmt: skip
    for line in lines:
        assert line["theirs"]["p50_ms"] == 1000
        assert line["ratio"] == pytest.approx(1000 / line["ours"]["p50_ms"])

    weights.write_bytes(b"else")
    assert main(["bench", *model, "--compare-llama", str(weights)]) == 1
    assert "not a GGUF" in capsys.readouterr().err


def test_what_is_missing_for_the_comparison_is_named(
    model: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    weights = tmp_path / "weights.gguf"
    command = ["bench", *model, "--compare-llama", str(weights)]
    assert main(command) == 1
    assert f"{weights} is no file" in capsys.readouterr().err
    weights.write_bytes(b"GGUF")
    assert main([*command, "--llama-python", str(tmp_path / "none")]) == 1
    assert "cannot be run: No such file" in capsys.readouterr().err
    if find_spec("xllamacpp") is None:
        assert main(command) == 1
        assert "pip install xllamacpp" in capsys.readouterr().err
