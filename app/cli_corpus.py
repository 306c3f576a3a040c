"""`foretype corpus …`: the command line of `python -m training.corpus`, which reads texts."""

# No `from __future__ import annotations`: typer reads these annotations when it runs.
from pathlib import Path
from typing import Annotated

import typer

from app.cli_options import Author, BlankLines, Column, Json, Own, as_arguments

Exclude = Annotated[
    list[Path] | None,
    typer.Option(metavar="FILE", show_default=False, help="Take out the sentences of this."),
]
Model = Annotated[
    str | None,
    typer.Option(
        "--model", "-m", metavar="NAME|FOLDER", show_default=False,
        help="Count the tokens of this model (default: the one a training would begin with).",
    ),
]  # fmt: skip


def corpus(
    paths: Own,
    author: Author = None,
    column: Column = None,
    blank_lines: BlankLines = False,
    exclude: Exclude = None,
    model: Model = None,
    as_json: Json = False,
) -> None:
    """Show what a training would learn from, and what it would leave out and why.

    Reads txt, md, rst, html, docx, odt, pdf, eml, mbox, csv and jsonl, exported chats of WhatsApp
    and Telegram, and these packed with xz or gzip. Nothing is trained and nothing is changed.
    """
    from app.commands import corpus as command

    options = {
        "--column": column, "--author": author, "--exclude": exclude,
        "--blank-lines": blank_lines, "--json": as_json,
    }  # fmt: skip
    raise typer.Exit(command.run(paths, as_arguments(options), model))
