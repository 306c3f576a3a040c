"""`foretype evaluate …`: the command line of `python -m training.evaluation`, which measures."""

# No `from __future__ import annotations`: typer reads these annotations when it runs.
from typing import Annotated

import typer


def evaluate(
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PATHS",
            show_default=False,
            help="Texts that no model was trained on (default: what the last training kept back).",
        ),
    ] = None,
    model: Annotated[
        list[str] | None,
        typer.Option(
            "--model",
            "-m",
            metavar="NAME|FOLDER",
            show_default=False,
            help="Compare these; repeat it (default: the personal model with what it was before).",
        ),
    ] = None,
    words: Annotated[
        int | None,
        typer.Option(metavar="N", show_default=False, help="Type so many (default: 1,000)."),
    ] = None,
    full: Annotated[bool, typer.Option("--full", help="Type all words, for hours maybe.")] = False,
    blank_lines: Annotated[
        bool, typer.Option("--blank-lines", help="Documents of a .txt end at blank lines.")
    ] = False,
    author: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            show_default=False,
            help="Of chats and mail, take this person's own words only; repeat it for more.",
        ),
    ] = None,
    column: Annotated[
        str | None,
        typer.Option(metavar="NAME", show_default=False, help="Of tables, the column with text."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, show_default=False, help="Of the sample that is typed.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Progress and result as JSON, one object a line.")
    ] = False,
) -> None:
    """Compare models on your text: keystrokes saved, perplexity, and whether it is chance.

    With two cores and 1,000 words two models take three to five minutes.
    """
    from app.commands import evaluate as command

    options = {"--words": words, "--column": column, "--seed": seed}
    given = [word for key, value in options.items() if value is not None
             for word in (key, str(value))]  # fmt: skip
    for option, names in (("--model", model), ("--author", author)):
        given += [word for name in names or [] for word in (option, name)]
    flags = {"--full": full, "--blank-lines": blank_lines, "--json": as_json}
    given += [flag for flag, is_set in flags.items() if is_set]
    raise typer.Exit(command.run(paths or [], given))
