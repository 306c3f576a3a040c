"""`foretype models …`: what can be asked of the user's models."""

# No `from __future__ import annotations`: typer reads these annotations when it runs.
from typing import Annotated

import typer

models = typer.Typer(help="List, install, remove, verify and select models, and go back.")

Name = Annotated[str, typer.Argument(metavar="NAME[@VERSION]")]
OptionalName = Annotated[str | None, typer.Argument(metavar="NAME", show_default=False)]


@models.callback(invoke_without_command=True)
def models_root(context: typer.Context) -> None:
    """Show the table when nothing else is asked."""
    if context.invoked_subcommand is None:
        models_list()


@models.command("list")
def models_list() -> None:
    """Show the installed models, their versions, and those that can be installed by name."""
    from app.commands import models as command

    command.show()


@models.command("install")
def models_install(
    source: Annotated[
        str,
        typer.Argument(
            metavar="SOURCE", help="smollm2-135m, gpt2, owner/name on Hugging Face, or a path."
        ),
    ],
    name: Annotated[str | None, typer.Option(help="Install under this name.")] = None,
    precision: Annotated[str, typer.Option(help="int8 or float.")] = "int8",
    plain: Annotated[
        bool, typer.Option("--plain", help="As published, without what Foretype adds to it.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace what has the name.")] = False,
    keep_downloads: Annotated[
        bool, typer.Option("--keep-downloads", help="Keep the fetched files.")
    ] = False,
) -> None:
    """Fetch a model, or take it from a file, and make it ready."""
    from app.commands import models as command

    if precision not in ("int8", "float"):
        raise typer.BadParameter(f"--precision is {precision!r}; it must be int8 or float")
    options = ["--precision", precision]
    options += ["--name", name] if name else []
    options += ["--plain"] if plain else []
    options += ["--force"] if force else []
    options += ["--keep-downloads"] if keep_downloads else []
    command.install(source, options)


@models.command("remove")
def models_remove(name: Name) -> None:
    """Delete an installed model, or one version of it."""
    from app.commands import models as command

    command.remove(name)


@models.command("verify")
def models_verify(name: OptionalName = None) -> None:
    """Compare every file of a model with its SHA-256."""
    from app.commands import models as command

    command.verify(name)


@models.command("select")
def models_select(name: Name) -> None:
    """Use this model, or this version of it, when none is named."""
    from app.commands import models as command

    command.select(name)


@models.command("rollback")
def models_rollback(
    name: OptionalName = None,
    to: Annotated[
        str | None,
        typer.Option(metavar="VERSION", show_default=False, help="This one, earlier or later."),
    ] = None,
) -> None:
    """Return to the version in use before, or to the model it was trained from.

    Nothing is deleted; without NAME, the selected model is meant.
    """
    from app.commands import models as command

    command.rollback(name, to)


@models.command("prune")
def models_prune(
    name: OptionalName = None,
    keep: Annotated[int, typer.Option(min=1, help="Keep so many, that in use among them.")] = 1,
) -> None:
    """Delete the versions that are not in use, of one model or of all, to free the disk."""
    from app.commands import models as command

    command.prune(name, keep)
