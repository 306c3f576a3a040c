"""`foretype train …`: the command line of `python -m training.train`, which does the work."""

# No `from __future__ import annotations`: typer reads these annotations when it runs.
from pathlib import Path
from typing import Annotated

import typer

from app.cli_options import Author, Column, Json, Own, as_arguments

Base = Annotated[
    str | None,
    typer.Option(
        metavar="NAME|FOLDER", show_default=False,
        help="Begin with this model (default: that which the selected one was trained from).",
    ),
]  # fmt: skip
FromScratch = Annotated[
    str | None,
    typer.Option(metavar="PRESET", show_default=False, help="Begin with none, as of nano."),
]
Method = Annotated[
    str | None, typer.Option(metavar="lora|full", show_default=False, help="What is changed.")
]
Name = Annotated[
    str | None, typer.Option(metavar="NAME", show_default=False, help="Call the result so.")
]
Run = Annotated[
    Path | None,
    typer.Option(metavar="DIR", show_default=False, help="Keep log and checkpoints here."),
]
Device = Annotated[
    str | None,
    typer.Option(metavar="auto|cpu|cuda|mps", show_default=False, help="Compute on this."),
]
Seed = Annotated[int | None, typer.Option(min=0, show_default=False, help="Repeatable choices.")]


def train(
    paths: Own,
    base: Base = None,
    from_scratch: FromScratch = None,
    method: Method = None,
    name: Name = None,
    author: Author = None,
    column: Column = None,
    run: Run = None,
    device: Device = None,
    seed: Seed = None,
    as_json: Json = False,
) -> None:
    """Make a personal model of your own writing, and measure what it gains.

    Ctrl-C stops it with its work saved; the same command goes on. Other options, such as
    --epochs, are those of `python -m training.train --help`.
    """
    from app.commands import train as command

    options = {
        "--base": base, "--from-scratch": from_scratch, "--method": method, "--name": name,
        "--author": author, "--column": column, "--run": run, "--device": device, "--seed": seed,
        "--json": as_json,
    }  # fmt: skip
    raise typer.Exit(command.run(paths, as_arguments(options)))
