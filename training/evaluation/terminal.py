"""A comparison on a terminal: a bar while it is measured, then a table and the verdict."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.table import Table

from training.evaluation.verdict import signed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from training.evaluation.comparing import Comparison
    from training.evaluation.figures import Figure
    from training.fetch import Report

ROWS = {
    "saved_1": "keystrokes saved with 1 word",
    "saved_3": "with 3 words offered",
    "saved_5": "with 5 words offered",
    "next_word_1": "next word foreseen, first",
    "next_word_3": "among 3",
    "next_word_5": "among 5",
    "perplexity": "perplexity",
    "bits_per_byte": "bits per byte",
    "general_perplexity": "perplexity of general English",
    "general_bits_per_byte": "its bits per byte",
}


@contextlib.contextmanager
def progress_bar() -> Iterator[Report]:
    """A bar on stderr while the block runs; without a terminal, a line for every tenth."""
    if not sys.stderr.isatty():
        yield _tell_tenths()
        return
    columns = TextColumn("Evaluating"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("")

        def report(stage: str, done: int, total: int, message: str = "") -> None:
            bar.update(task, completed=done, total=total)

        yield report


def _tell_tenths() -> Report:
    told = 0

    def report(stage: str, done: int, total: int, message: str = "") -> None:
        nonlocal told
        if (tenth := 10 * done // total) > told:
            told = tenth
            print(f"{stage} {10 * tenth} %", file=sys.stderr, flush=True)

    return report


def show(comparison: Comparison) -> None:
    """Print what was measured, of what, and what it means."""
    console = Console(highlight=False)
    sample, count = comparison.sample, len(comparison.sample.documents)
    console.print(_table(comparison))
    console.print(
        f"{sample.typed_words:,} of {sample.words:,} words typed, {sample.read_words:,} read, in "
        f"{count:,} document{'s' * (count != 1)}; 95 % intervals over {sample.unit}.",
        style="dim",
    )
    console.print(f"\n{comparison.verdict()}")


def _table(comparison: Comparison) -> Table:
    """One column a model; then how much the others differ, or the interval of a single one."""
    names = [scores.name for scores in comparison.models]
    if comparison.after_training:
        names = ["before", "now"]
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("", no_wrap=True)
    for name in names:
        table.add_column(name, justify="right")
    for name in names[1:]:
        table.add_column("difference" if len(names) == 2 else f"difference of {name}")
    if len(names) == 1:
        table.add_column("95 %")
    for row, title in ROWS.items():
        figures = [scores.figures[row] for scores in comparison.models]
        cells = [_number(row, figure.value) for figure in figures]
        cells += [_change(row, found.get(row)) for found in comparison.differences]
        if len(figures) == 1:
            cells.append(f"{_number(row, figures[0].low)} to {_number(row, figures[0].high)}")
        table.add_row(title, *cells)
    return table


def _is_share(row: str) -> bool:
    return row.startswith(("saved", "next_word"))


def _number(row: str, value: float) -> str:
    if _is_share(row):
        return f"{100 * value:.1f} %"
    return f"{value:.3f}" if "bits" in row else f"{value:.1f}"


def _change(row: str, figure: Figure | None) -> str:
    if figure is None:
        return "cannot be compared"
    value, low, high = (signed(x) for x in (figure.value, figure.low, figure.high))
    return f"{value} ({low} to {high}){'' if _is_share(row) else ' %'}"
