"""`foretype evaluate …`: the command line of `python -m training.evaluation`, which measures."""

# No `from __future__ import annotations`: typer reads these annotations when it runs.
from typing import Annotated

import typer

from app.cli_options import Author, BlankLines, Column, Json, as_arguments

Paths = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="PATHS", show_default=False,
        help="Texts that no model was trained on (default: what the last training kept back).",
    ),
]  # fmt: skip
Models = Annotated[
    list[str] | None,
    typer.Option(
        "--model", "-m", metavar="NAME|FOLDER", show_default=False,
        help="Compare these; repeat it (default: the personal model with what it was before).",
    ),
]  # fmt: skip
Words = Annotated[
    int | None, typer.Option(metavar="N", show_default=False, help="Type so many (default: 1,000).")
]
Full = Annotated[bool, typer.Option("--full", help="Type all words, for hours maybe.")]
Seed = Annotated[
    int | None, typer.Option(min=0, show_default=False, help="Of the sample that is typed.")
]


def evaluate(
    paths: Paths = None,
    model: Models = None,
    words: Words = None,
    full: Full = False,
    blank_lines: BlankLines = False,
    author: Author = None,
    column: Column = None,
    seed: Seed = None,
    as_json: Json = False,
) -> None:
    """Compare models on your text: keystrokes saved, perplexity, and whether it is chance.

    With two cores and 1,000 words two models take three to five minutes.
    """
    from app.commands import evaluate as command

    options = {
        "--words": words, "--column": column, "--seed": seed, "--model": model, "--author": author,
        "--full": full, "--blank-lines": blank_lines, "--json": as_json,
    }  # fmt: skip
    raise typer.Exit(command.run(paths or [], as_arguments(options)))
