"""`foretype bench`: how fast the model is on this machine, as tables or JSON."""

from __future__ import annotations

import json
import os
import platform
from dataclasses import asdict
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

from app import models, paths
from app.commands import trace_summary
from app.commands.llama_comparison import Llama, Versus, compare
from app.commands.loading import load_bundle
from model import bench, machine

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from model.bench import Generated, Report, Row, Timing
    from model.bundle import Bundle

MOST_DRIFT = 0.2  # a machine whose speed changes by more while it is measured is busy


def show(
    model: str | None,
    json_to: str | None,
    *,
    quick: bool,
    llama_weights: Path | None,
    llama_python: Path,
) -> None:
    """Measure a model and print tables; JSON goes to a file, or for `-` to stdout instead."""
    _claim(json_to)
    llama = Llama(llama_weights, llama_python) if llama_weights else None
    if llama is not None:
        llama.check()
    bundle = load_bundle(model)
    plan = bench.QUICK if quick else bench.Plan()
    text = (paths.ASSETS / "reference.txt").read_text(encoding="utf-8")
    with Console(stderr=True).status("") as status:

        def note(what: str) -> None:
            status.update(f"Measuring {what} …")

        report = bench.measure(bundle, text, plan, note)
        versus = compare(bundle, text, plan, llama, note) if llama is not None else []
    if json_to != "-":
        _print_report(bundle, report, versus)
    _write({**_environment(bundle), **_as_json(report, versus)}, json_to)


def show_trace(file: Path, json_to: str | None) -> None:
    """Sum up a trace of the editor."""
    _claim(json_to)
    summary = trace_summary.summarise(file)
    if json_to != "-":
        print(
            f"{summary.keys:,} keystrokes, {summary.painted:,} with suggestions before the next, "
            f"{summary.prepared / summary.painted:.0%} of these from work done before the key"
        )
        table = _table("from the key to", "p50", "p95", "p99", "max  ms")
        for name, timing in (
            ("the first suggestions painted", summary.first),
            ("the last, refined", summary.last),
            ("(the model, for these)", summary.model),
        ):
            values = (timing.p50_ms, timing.p95_ms, timing.p99_ms, timing.worst_ms)
            table.add_row(name, *map(_number, values))
        Console().print(table)
    _write({"trace": asdict(summary)}, json_to)


def _claim(json_to: str | None) -> None:
    """Fail now, not after minutes, if the file cannot be written."""
    if json_to not in (None, "-"):
        Path(str(json_to)).open("a").close()


def _write(content: dict[str, Any], json_to: str | None) -> None:
    if json_to is None:
        return
    text = json.dumps(content, indent=2, ensure_ascii=False)
    if json_to == "-":
        print(text)
    else:
        Path(json_to).write_text(text + "\n", encoding="utf-8")


def _environment(bundle: Bundle) -> dict[str, Any]:
    """Which model, where and when."""
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "model": models.name_of(bundle.folder),
        "processor": machine.processor(),
        "cores": os.cpu_count(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "versions": {name: version(name) for name in ("foretype", "onnxruntime", "numpy")},
    }


def _as_json(report: Report, versus: Sequence[Versus]) -> dict[str, Any]:
    lengths = [point.tokens for point in report.generated]
    return {
        **asdict(report),
        "drift": report.drift,
        "rows": [{**asdict(row), "ratio": row.ratio} for row in report.rows],
        "growth": {
            kind: bench.growth(lengths, _costs(report.generated, kind))
            for kind in ("cached", "uncached")
            if len(lengths) > 1
        },
        "llama": [{**asdict(line), "ratio": line.ratio} for line in versus],
    }


def _print_report(bundle: Bundle, report: Report, versus: Sequence[Versus]) -> None:
    console = Console(highlight=False)
    console.print(_facts_table(bundle, report))
    if report.drift > MOST_DRIFT:
        console.print(
            f"The machine's speed changed by {report.drift:.0%} meanwhile: something else is "
            "running, and these numbers say little.",
            style="yellow",
        )
    tables = [_rows_table(report.rows), _words_table(report.words)]
    tables.append(_generated_table(report.generated))
    if versus:
        tables.append(_versus_table(versus))
    for table in tables:
        console.print()
        console.print(table)


def _facts_table(bundle: Bundle, report: Report) -> Table:
    facts, best = _environment(bundle), report.best
    held = report.memory.resident_bytes or report.memory.peak_bytes
    table = _table("", "")
    table.show_header = False
    table.columns[1].justify = "left"
    table.add_row("model", f"{facts['model']}, {report.precision}")
    table.add_row("memory", f"{held / 1e6:,.0f} MB once it predicts" if held else "not known here")
    table.add_row("versions", ", ".join(f"{name} {n}" for name, n in facts["versions"].items()))
    table.add_row("machine", f"{facts['processor']}, {facts['cores']} cores, {facts['system']}")
    table.add_row(
        "its speed",
        f"{report.threads} threads read {best.read_gb_per_s:.1f} GB/s and multiply "
        f"{best.float_gflop_per_s:,.0f} GFLOP/s in float, {best.int8_gop_per_s:,.0f} GOP/s in "
        "8 bits",
    )
    return table


def _rows_table(rows: Iterable[Row]) -> Table:
    table = _table("", "median", "best", "middle half", "floor  ms", "× floor", "runs")
    for row in rows:
        timing, floor_ms, ratio = row.timing, row.floor_ms, row.ratio
        table.add_row(
            row.name,
            _number(timing.p50_ms),
            _number(timing.best_ms),
            _middle(timing),
            _number(floor_ms) if floor_ms else "",
            f"{ratio:.1f}" if ratio else "",
            str(timing.runs),
        )
    return table


def _words_table(rows: Iterable[Row]) -> Table:
    table = _table("five words for", "p50", "p95", "best", "worst  ms", "runs")
    for row in rows:
        timing = row.timing
        values = (timing.p50_ms, timing.p95_ms, timing.best_ms, timing.worst_ms)
        table.add_row(row.name, *map(_number, values), str(timing.runs))
    return table


def _generated_table(points: Sequence[Generated]) -> Table:
    """Cost of one token at some lengths, and of all up to there; how fast each of them grows.

    Only some lengths are measured, so the cost of all is estimated from these.
    """
    lengths = [point.tokens for point in points]
    cached, uncached = _costs(points, "cached"), _costs(points, "uncached")
    whole = bench.whole_ms(lengths, cached), bench.whole_ms(lengths, uncached)
    table = _table(
        "tokens", "one, cached", "without  ms", "all (estimated), cached", "without  s", "×"
    )
    for n, one, slow, every, all_slow in zip(lengths, cached, uncached, *whole, strict=True):
        cells = (one, slow, every / 1000, all_slow / 1000)
        table.add_row(str(n), *map(_number, cells), f"{all_slow / every:.1f}")
    if len(points) > 1:
        orders = (bench.growth(lengths, costs) for costs in (cached, uncached, *whole))
        table.add_row("grows as", *(f"n^{order:.2f}" for order in orders), "", style="dim")
    return table


def _versus_table(lines: Iterable[Versus]) -> Table:
    table = _table("in turns, ms", "foretype", "llama.cpp", "×", "best", "llama.cpp", "×")
    for line in lines:
        ours, theirs = line.ours, line.theirs
        cells: list[str] = []
        for our_ms, their_ms in ((ours.p50_ms, theirs.p50_ms), (ours.best_ms, theirs.best_ms)):
            cells += [_number(our_ms), _number(their_ms), f"{their_ms / our_ms:.2f}"]
        table.add_row(line.name, *cells)
    return table


def _table(*titles: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for i, title in enumerate(titles):
        table.add_column(title, justify="right" if i else "left", no_wrap=i == 0)
    return table


def _costs(points: Iterable[Generated], kind: str) -> list[float]:
    return [getattr(point, kind).p50_ms for point in points]


def _middle(timing: Timing) -> str:
    return f"{_number(timing.p25_ms)} – {_number(timing.p75_ms)}"


def _number(value: float) -> str:
    """Three digits, or as many as stand before the point."""
    return f"{value:,.{2 if value < 10 else 1 if value < 100 else 0}f}"
