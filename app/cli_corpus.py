"""`foretype corpus …`: the command line of `python -m training.corpus`, which reads texts."""

# No `from __future__ import annotations`: typer reads these annotations when it runs.
from pathlib import Path
from typing import Annotated

import typer


def corpus(
    paths: Annotated[
        list[str],
        typer.Argument(metavar="PATHS", help="Files and folders of your own writing."),
    ],
    author: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            show_default=False,
            help="Of chats and mail, use this person's own words only; repeat it for other names.",
        ),
    ] = None,
    column: Annotated[
        str | None,
        typer.Option(metavar="NAME", show_default=False, help="Of tables, the column with text."),
    ] = None,
    blank_lines: Annotated[
        bool, typer.Option("--blank-lines", help="Documents of a .txt end at blank lines.")
    ] = False,
    exclude: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", show_default=False, help="Take out the sentences of this."),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            "-m",
            metavar="NAME|FOLDER",
            show_default=False,
            help="Count the tokens of this model (default: the one a training would begin with).",
        ),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Everything as JSON, one object a line.")
    ] = False,
) -> None:
    """Show what a training would learn from, and what it would leave out and why.

    Reads txt, md, rst, html, docx, odt, pdf, eml, mbox, csv and jsonl, exported chats of WhatsApp
    and Telegram, and these packed with xz or gzip. Nothing is trained and nothing is changed.
    """
    from app.commands import corpus as command

    options = ["--column", column] if column else []
    options += [word for name in author or [] for word in ("--author", name)]
    options += [word for file in exclude or [] for word in ("--exclude", str(file))]
    flags = {"--blank-lines": blank_lines, "--json": as_json}
    options += [flag for flag, is_set in flags.items() if is_set]
    raise typer.Exit(command.run(paths, options, model))
