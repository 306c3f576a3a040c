"""`foretype train …`: the command line of `python -m training.train`, which does the work."""

# No `from __future__ import annotations`: typer reads these annotations when it runs.
from pathlib import Path
from typing import Annotated

import typer


def train(
    paths: Annotated[
        list[str],
        typer.Argument(metavar="PATHS", help="Files and folders of your own writing."),
    ],
    base: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|FOLDER",
            show_default=False,
            help="Begin with this model (default: that which the selected one was trained from).",
        ),
    ] = None,
    from_scratch: Annotated[
        str | None,
        typer.Option(metavar="PRESET", show_default=False, help="Begin with none, as of nano."),
    ] = None,
    method: Annotated[
        str | None, typer.Option(metavar="lora|full", show_default=False, help="What is changed.")
    ] = None,
    name: Annotated[
        str | None,
        typer.Option(metavar="NAME", show_default=False, help="Call the result so."),
    ] = None,
    author: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            show_default=False,
            help="Of chats and mail, learn from this person's own words only; repeat it for more.",
        ),
    ] = None,
    column: Annotated[
        str | None,
        typer.Option(metavar="NAME", show_default=False, help="Of tables, the column with text."),
    ] = None,
    run: Annotated[
        Path | None,
        typer.Option(metavar="DIR", show_default=False, help="Keep log and checkpoints here."),
    ] = None,
    device: Annotated[
        str | None,
        typer.Option(metavar="auto|cpu|cuda|mps", show_default=False, help="Compute on this."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, show_default=False, help="Repeatable choices.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Progress as JSON, one object a line.")
    ] = False,
) -> None:
    """Make a personal model of your own writing, and measure what it gains.

    Ctrl-C stops it with its work saved; the same command goes on. Other options, such as
    --epochs, are those of `python -m training.train --help`.
    """  # fmt: skip
    from app.commands import train as command

    options = {
        "--base": base, "--from-scratch": from_scratch, "--method": method, "--name": name,
        "--author": author, "--column": column, "--run": run, "--device": device, "--seed": seed,
    }  # fmt: skip
    given = [word for key, value in options.items() if value is not None
             for one in (value if isinstance(value, list) else [value])
             for word in (key, str(one))]  # fmt: skip
    raise typer.Exit(command.run(paths, [*given, *(["--json"] if as_json else [])]))
