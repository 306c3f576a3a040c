"""`python -m training.bench MODEL`: how fast fine-tuning is, next to transformers and peft.

MODEL is a .gguf file or a Hugging Face folder of the Llama family, as SmolLM2.  The sides take
turns, each turn in a fresh process, so that what else the machine does falls on both.  Prints a
table, and with `--json` everything that was measured.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from training.bench_turn import SIDES, Work, as_arguments

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

OURS, THEIRS = SIDES
METHODS = ("lora", "full")


class TurnFailed(RuntimeError):
    """A turn ended without figures."""


def plan(given: argparse.Namespace) -> Iterator[tuple[str, Work]]:
    """The turns in their order: the sides one after the other, as often as there are rounds."""
    for method in given.methods:
        for _ in range(given.rounds):
            for side in (OURS,) if given.alone else SIDES:
                yield (
                    side,
                    Work(
                        model=str(given.model.absolute()), method=method, steps=given.steps,
                        window_tokens=given.window, batch_windows=given.batch,
                        micro_windows=given.micro_batch, device=given.device, half=given.half,
                        compile=side in given.compile,
                    ),
                )  # fmt: skip


def turn(side: str, work: Work) -> dict[str, Any]:
    """The figures of one turn.

    Raises:
        TurnFailed: with the last line that it said.
    """
    print(f"{work.method}, {side} …", file=sys.stderr, flush=True)
    command = [sys.executable, "-P", "-m", "training.bench_turn", *as_arguments(side, work)]
    waiting = {"OMP_WAIT_POLICY": "passive"} | os.environ  # as `training.train` has it
    run = subprocess.run(command, capture_output=True, text=True, check=False, env=waiting)
    if run.returncode:
        said = run.stderr.strip().splitlines() or [f"exit status {run.returncode}"]
        raise TurnFailed(f"{work.method} fine-tuning by {side} failed: {said[-1]}")
    figures: dict[str, Any] = json.loads(run.stdout.splitlines()[-1])
    return figures


def summarise(figures: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Medians over the rounds, and ours over theirs: above 1 for speed, below 1 for memory."""
    summary: dict[str, Any] = {}
    for method in dict.fromkeys(turn["method"] for turn in figures):
        sides = {
            side: _median([t for t in figures if (t["method"], t["side"]) == (method, side)])
            for side in SIDES
        }
        ours, theirs = sides[OURS], sides[THEIRS]
        summary[method] = {side: median for side, median in sides.items() if median}
        if theirs:
            summary[method]["speed_ratio"] = ours["tokens_per_second"] / theirs["tokens_per_second"]
            summary[method]["loss_difference"] = abs(ours["first_loss"] - theirs["first_loss"])
            if ours["peak_bytes"] and theirs["peak_bytes"]:
                summary[method]["memory_ratio"] = ours["peak_bytes"] / theirs["peak_bytes"]
    return summary


def _median(figures: Sequence[dict[str, Any]]) -> dict[str, Any]:
    if not figures:
        return {}
    peaks = [turn["peak_bytes"] for turn in figures]
    return {
        "rounds": len(figures),
        "tokens_per_second": statistics.median(t["tokens_per_second"] for t in figures),
        "peak_bytes": None if None in peaks else statistics.median(peaks),
        "first_loss": figures[0]["losses"][0],
        "model_flop_share": statistics.median(t["model_flop_share"] for t in figures)
        if figures[0]["model_flop_share"]
        else None,
    }


def table(summary: dict[str, Any]) -> str:
    """The summary for a person."""
    lines = [f"{'':18}{'tokens/s':>10}{'peak GB':>10}{'of the chip':>13}"]
    for method, sides in summary.items():
        for side in SIDES:
            if side in sides:
                lines.append(_row(f"{method}, {side}", sides[side]))
        if "speed_ratio" in sides:
            memory = f"{sides['memory_ratio']:.2f}" if "memory_ratio" in sides else ""
            lines.append(f"{'  ours / theirs':18}{sides['speed_ratio']:>10.2f}{memory:>10}")
    return "\n".join(lines)


def _row(name: str, median: dict[str, Any]) -> str:
    peak = median["peak_bytes"]
    share = median["model_flop_share"]
    return (
        f"{name:18}{median['tokens_per_second']:>10,.0f}"
        f"{f'{peak / 1e9:.2f}' if peak else '':>10}{f'{share:.1%}' if share else '':>13}"
    )


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m training.bench", description=__doc__)
    add = parser.add_argument
    add("model", type=Path, metavar="MODEL", help="a .gguf file or a Hugging Face folder")
    add("--methods", nargs="+", choices=METHODS, default=METHODS, help="default: both")
    add("--rounds", type=int, default=2, help="turns of each side (default: 2)")
    add("--steps", type=int, default=6, help="per turn, after two that do not count (default: 6)")
    add("--window", type=int, default=256, metavar="TOKENS", help="default: 256")
    add("--batch", type=int, default=8, metavar="WINDOWS", help="per step (default: 8)")
    add("--micro-batch", type=int, default=4, metavar="WINDOWS", help="at once (default: 4)")
    add("--device", choices=("auto", "cpu", "cuda", "mps"), default="auto")
    add("--half", action=argparse.BooleanOptionalAction, help="bfloat16 (default: where it pays)")
    add("--compile", nargs="*", choices=list(SIDES), default=[], metavar="SIDE",
        help="torch.compile for these sides: foretype, peft")  # fmt: skip
    add("--alone", action="store_true", help="without transformers and peft")
    add("--json", type=Path, metavar="FILE", help="write all figures there")
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print; 1 when a turn failed."""
    given = _arguments(argv)
    try:
        figures = [turn(side, work) for side, work in plan(given)]
    except TurnFailed as err:
        print(err, file=sys.stderr)
        return 1
    summary = summarise(figures)
    print(table(summary))
    if given.json:
        whole = {"summary": summary, "turns": figures}
        given.json.write_text(json.dumps(whole, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
