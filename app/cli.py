"""The `foretype` command: what can be asked, and how answers and errors reach a terminal.

Nothing heavy is imported before it is known to be needed, so that `--help` is instant; what the
commands do is in `app.commands`.
"""

# No `from __future__ import annotations`: typer reads these annotations when it runs.
import difflib
import os
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from app.cli_corpus import corpus
from app.cli_evaluation import evaluate
from app.cli_models import models
from app.cli_training import train

cli = typer.Typer(
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
cli.add_typer(models, name="models")
cli.command(context_settings={"ignore_unknown_options": True})(train)
cli.command()(evaluate)
cli.command()(corpus)

EDIT_OPTIONS = ("--model", "-m", "--trace")  # each takes a value
GLOBAL_FLAGS = ("--version", "--help", "-h")

Model = Annotated[
    str | None,
    typer.Option(
        "--model", "-m", metavar="NAME|FOLDER",
        help="Use this model (default: the selected one).", show_default=False,
    ),
]  # fmt: skip


@cli.callback(
    epilog="`foretype FILE …` opens files without a command; --debug shows tracebacks.",
    invoke_without_command=True,
)
def root(
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Write, and see what a real GPT on your own machine expects next."""
    if version:
        from importlib.metadata import version as version_of

        print(f"foretype {version_of('foretype')}")
        raise typer.Exit


@cli.command()
def edit(
    files: Annotated[
        list[Path] | None, typer.Argument(metavar="FILE...", show_default=False)
    ] = None,
    model: Model = None,
    trace: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write one JSON line per keystroke: pressed, painted, suggested."
        ),
    ] = None,
) -> None:
    """Open the editor; `edit` may be left out."""
    if sys.platform == "linux" and not any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    ):
        raise NoScreenError(
            "the editor needs a screen and neither DISPLAY nor WAYLAND_DISPLAY is set; "
            "the other commands work without one (foretype --help)"
        )
    from app.main import run

    raise typer.Exit(run(files or [], model, trace))


@cli.command()
def desktop(
    remove: Annotated[bool, typer.Option("--remove", help="Take it out again.")] = False,
) -> None:
    """Put Foretype into the menu of a Linux desktop."""
    from app.commands.desktop import show_entry

    show_entry(remove=remove)


@cli.command()
def predict(
    text: Annotated[str | None, typer.Argument(metavar="TEXT", show_default=False)] = None,
    stdio: Annotated[
        bool, typer.Option("--stdio", help="Answer JSON requests, one a line, on stdin.")
    ] = False,
    tokens: Annotated[
        bool, typer.Option("--tokens", help="Show the next tokens, not whole words.")
    ] = False,
    count: Annotated[
        int,
        typer.Option(
            "--count",
            "-k",
            min=1,
            max=1000,
            help="How many: there are up to 24 words, or 10 tokens.",
        ),
    ] = 5,
    model: Model = None,
) -> None:
    """Rank what may come next after TEXT."""
    from app.commands import predict as command

    if stdio == (text is not None):
        raise UsageError("give either TEXT or --stdio")
    if text is None:
        command.serve_standard_streams(model)
    else:
        command.show(text, model, count, tokens)


@cli.command()
def score(
    file: Annotated[str, typer.Argument(metavar="FILE", help="- reads stdin.")],
    as_json: Annotated[bool, typer.Option("--json", help="Every token's surprisal.")] = False,
    model: Model = None,
) -> None:
    """Measure how well the model expects a text: perplexity and bits per byte."""
    from app.commands import score as command

    command.show(file, model, as_json)


@cli.command()
def generate(
    prompt: Annotated[str, typer.Argument(metavar="PROMPT")],
    max_tokens: Annotated[int, typer.Option(min=1, help="Stop after so many.")] = 100,
    temperature: Annotated[float, typer.Option(help="0 always takes the likeliest.")] = 0.0,
    top_k: Annotated[int, typer.Option(help="Keep so many likeliest; 0 keeps all.")] = 0,
    top_p: Annotated[float, typer.Option(help="Keep this much probability.")] = 1.0,
    min_p: Annotated[float, typer.Option(help="Drop below this share of the likeliest.")] = 0.0,
    seed: Annotated[int | None, typer.Option(min=0, help="Repeatable choices.")] = None,
    model: Model = None,
) -> None:
    """Let the model write on from PROMPT until it ends the text."""
    from app.commands import generate as command
    from model.sampling import SamplingSettings

    settings = SamplingSettings(temperature=temperature, top_k=top_k, top_p=top_p, min_p=min_p)
    command.show(prompt, model, max_tokens, settings, seed, sys.stdout)


@cli.command()
def bench(
    quick: Annotated[bool, typer.Option("--quick", help="Fewer repetitions.")] = False,
    as_json: Annotated[
        str | None,
        typer.Option(
            "--json",
            metavar="FILE|-",
            show_default=False,
            help="Write everything as JSON; - prints it instead of the tables.",
        ),
    ] = None,
    trace: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            show_default=False,
            help="Sum up what the editor's --trace has written, instead of measuring.",
        ),
    ] = None,
    compare_llama: Annotated[
        Path | None,
        typer.Option(
            metavar="GGUF",
            show_default=False,
            help="Measure llama.cpp too, with the same model's weights (needs xllamacpp).",
        ),
    ] = None,
    llama_python: Annotated[
        Path | None,
        typer.Option(
            metavar="PATH", show_default=False, help="A Python that has xllamacpp, if not this one."
        ),
    ] = None,
    model: Model = None,
) -> None:
    """Measure how fast the model is here, beside what this machine could do at best."""
    from app.commands import bench as command

    if llama_python and not compare_llama:
        raise UsageError("--llama-python goes with --compare-llama GGUF")
    if trace and (compare_llama or model or quick):
        raise UsageError("--trace measures nothing; it goes with --json only")
    if trace:
        command.show_trace(trace, as_json)
        return
    python = llama_python or Path(sys.executable)
    command.show(model, as_json, quick=quick, llama_weights=compare_llama, llama_python=python)


class UsageError(typer.TyperException):
    """Arguments that do not fit together."""

    exit_code = 2


class NoScreenError(RuntimeError):
    """The editor was asked for where no window can be shown."""


def route(args: Sequence[str]) -> list[str]:
    """Put `edit` before arguments that name no command, so that `foretype FILE` opens FILE.

    Options of the editor may stand before a command, which then gets them: `--model gpt2 predict`.

    Raises:
        UsageError: the first word is no file, and nearly a command.
    """
    commands = [str(c.name or getattr(c.callback, "__name__", "")) for c in cli.registered_commands]
    commands += [str(group.name) for group in cli.registered_groups]
    first = 0
    while first < len(args) and args[first] in EDIT_OPTIONS:
        first += 2
    word = args[first] if first < len(args) else ""
    if word in GLOBAL_FLAGS:
        return list(args)
    if word in commands:
        return [word, *args[:first], *args[first + 1 :]]
    near = difflib.get_close_matches(word, commands, 1, cutoff=0.75)
    if near and word.isalpha() and not Path(word).exists():
        raise UsageError(
            f"{word!r} is no command and no file; did you mean {near[0]!r}? "
            f"(To begin a file of that name: foretype ./{word})"
        )
    return ["edit", *args]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status: 0, 1 for a failure, 2 for wrong usage."""
    args = list(sys.argv[1:] if argv is None else argv)
    debug = "--debug" in args
    if debug:
        args.remove("--debug")
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # Text is UTF-8 whatever the locale; half a surrogate pair is shown as an escape,
            # which in JSON is also what it must be.
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        status = cli(route(args), prog_name="foretype", standalone_mode=False)
        sys.stdout.flush()
        return status if isinstance(status, int) else 0
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader has gone; nothing is left to say
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Exception as err:
        if debug:
            traceback.print_exc()
        print(f"foretype: {explain(err)}", file=sys.stderr)
        return int(getattr(err, "exit_code", 1))


def explain(err: Exception) -> str:
    """One line about an error; a surprise is named as one."""
    if isinstance(err, typer.TyperException):
        text = err.format_message()
    elif isinstance(err, OSError):
        text = f"{err.filename}: {err.strerror}" if err.filename else str(err.strerror or err)
    elif type(err).__module__.split(".")[0] in ("app", "model"):
        text = str(err)
    else:
        text = f"unexpected {type(err).__name__}: {err} (run again with --debug)"
    return " ".join(text.split())
