"""What a corpus holds, on a terminal: figures, what was left out, samples and advice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.table import Table

if TYPE_CHECKING:
    from training.corpus.mixture import Mixture
    from training.corpus.preview import Preview

MOST_LEFT_OUT = 20  # lines of the table


def show(preview: Preview) -> None:
    """Print a preview: what would be used first, then what would not."""
    console, report = Console(), preview.report
    figures = Table.grid(padding=(0, 2))
    figures.add_column(justify="right")
    rows = [(f"{report.files:,}", "files read"), (f"{report.documents:,}", "documents")]
    rows.append((f"{report.words:,}", "words"))
    if preview.tokens is not None:
        rows.append((f"{preview.tokens:,}", f"tokens of {preview.model}"))
    if report.documents:
        held = f"documents kept back, {preview.held_share:.0%} of the text, to measure with"
        rows.append((f"{preview.held_documents:,}", held))
    if preview.languages:
        shares = ", ".join(f"{name} {share:.0%}" for name, share in preview.languages.items())
        rows.append(("", f"languages, guessed: {shares}"))
    if preview.seconds is not None:
        rows.append((f"≈ {_duration(preview.seconds)}", "to train on this processor, roughly"))
    for row in rows:
        figures.add_row(*row)
    console.print(figures)
    _show_left_out(console, preview)
    for sample in preview.samples:
        is_dated = sample.date and sample.date not in sample.source
        when = f", {sample.date}" if is_dated else ""
        console.print(f"\n[dim]{escape(sample.source + when)}[/dim]", highlight=False)
        console.print(sample.text, markup=False, highlight=False)
    for advice in preview.advice:
        console.print(f"\n[yellow]{escape(advice)}[/yellow]", highlight=False)


def _show_left_out(console: Console, preview: Preview) -> None:
    left_out = preview.report.left_out
    if not left_out:
        return
    table = Table(title="Left out", title_justify="left", box=None, header_style="dim")
    for title, justify in (("how many", "right"), ("what", "left"), ("why", "left")):
        table.add_column(title, justify=justify)  # type: ignore[arg-type]
    for left in left_out[:MOST_LEFT_OUT]:
        table.add_row(f"{left.count:,}", escape(left.what), escape(left.why))
    console.print()
    console.print(table)
    if len(left_out) > MOST_LEFT_OUT:
        more = len(left_out) - MOST_LEFT_OUT
        console.print(f"[dim]… and {more:,} more; all of them with --json[/dim]")


def show_mixture(mixture: Mixture) -> None:
    """Print what each source of a recipe gives."""
    table = Table(box=None, header_style="dim")
    for title in ("source", "documents", "characters", "used", "share", "times"):
        table.add_column(title, justify="left" if title == "source" else "right")
    total = sum(portion.used for portion in mixture.portions)
    for portion in mixture.portions:
        table.add_row(
            portion.name, f"{portion.documents:,}", f"{portion.available:,}", f"{portion.used:,}",
            f"{portion.used / max(total, 1):.1%}", f"{portion.repeats:.2f}",
        )  # fmt: skip
    console = Console()
    console.print(table)
    console.print(f"\n{len(mixture.documents):,} documents, {len(mixture.held):,} more kept back")


def _duration(seconds: float) -> str:
    """Two figures at most: nobody should take an estimate for a promise.

    >>> _duration(40), _duration(1500), _duration(20000)
    ('1 minute', '25 minutes', '5.6 hours')
    """
    minutes = max(1, round(seconds / 60))
    if minutes < 90:
        return f"{minutes} minute{'s' * (minutes > 1)}"
    return f"{seconds / 3600:.1f} hours"
