"""Options that several commands hand on to the programs of `training/`, and how they do."""

# No `from __future__ import annotations`: typer reads these annotations when it runs.
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

Own = Annotated[
    list[str], typer.Argument(metavar="PATHS", help="Files and folders of your own writing.")
]
Author = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME", show_default=False,
        help="Of chats and mail, use this person's own words only; repeat it for other names.",
    ),
]  # fmt: skip
Column = Annotated[
    str | None,
    typer.Option(metavar="NAME", show_default=False, help="Of tables, the column with text."),
]
BlankLines = Annotated[
    bool, typer.Option("--blank-lines", help="Documents of a .txt end at blank lines.")
]
Json = Annotated[
    bool, typer.Option("--json", help="Progress and result as JSON, one object a line.")
]

Value = str | int | Path


def as_arguments(options: Mapping[str, Value | list[str] | list[Path] | None]) -> list[str]:
    """The options as words of a command line.

    >>> as_arguments({"--name": "mine", "--author": ["Ann", "Bo"], "--seed": None, "--json": True})
    ['--name', 'mine', '--author', 'Ann', '--author', 'Bo', '--json']
    """
    words: list[str] = []
    for option, value in options.items():
        if value is True:
            words.append(option)
        elif value is not None and value is not False:
            for one in value if isinstance(value, list) else [value]:
                words += [option, str(one)]
    return words
