"""What a training was asked for: the command line, and what follows from it."""

from __future__ import annotations

import argparse
import json
import os
from dataclasses import MISSING, asdict, dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from training.presets import FROM_SCRATCH, from_scratch
from training.settings import Method, TrainSettings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from training.corpus.document import Unit
    from training.device import Device

DEFAULT_BASE = "smollm2-135m"
# What is learnt at once suits the method: adapters take, and need, larger steps.
METHOD_SETTINGS: dict[str, dict[str, Any]] = {
    "lora": {"learning_rate": 1e-3},
    "full": {"learning_rate": 5e-5, "weight_decay": 0.01, "warmup": 0.1},
}
OVERRIDES = ("epochs", "learning_rate", "rank", "window_tokens", "batch_windows", "micro_windows",
             "evaluations", "patience", "seed")  # fmt: skip


class RequestError(ValueError):
    """Options that cannot be followed; the message says which, and what would do."""


@dataclass(frozen=True, slots=True)
class Request:
    """Texts, a model to begin with, and how to train; see `--help` of `training.train`."""

    paths: tuple[str, ...]
    root: str
    name: str
    base: str = DEFAULT_BASE
    preset: str | None = None
    tokenizer: str | None = None
    method: Method | None = None
    recipe: str | None = None
    data: str | None = None
    held: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    unit: Unit = "file"
    authors: tuple[str, ...] = ()
    column: str | None = None
    device: str = "auto"
    words: int | None = None
    adapter: str | None = None
    strength: float = 1.0
    recompute: bool = False
    compile: bool | None = None
    half: bool | None = None
    overrides: tuple[tuple[str, Any], ...] = ()

    def settings(self, device: Device) -> TrainSettings:
        """The settings of this training on `device`.

        Raises:
            SettingsError: an option is out of range.
        """
        method: Method = self.method or ("full" if self.preset or device.is_cuda else "lora")
        basis = TrainSettings(
            method=method,
            half=device.half if self.half is None else self.half,
            recompute=self.recompute,
            **METHOD_SETTINGS[method],
        )
        if self.preset:
            preset = from_scratch(self.preset)
            basis = replace(
                basis,
                window_tokens=preset.shape.context_tokens,
                batch_windows=preset.batch_windows,
                micro_windows=preset.batch_windows,
                epochs=preset.epochs,
                learning_rate=preset.learning_rate,
                weight_decay=preset.weight_decay,
                beta2=preset.beta2,
            )
        return replace(basis, **dict(self.overrides))

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        whole: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        return whole

    def differs_from(self, noted: dict[str, Any]) -> list[str]:
        """What the request `noted`, of whatever version of Foretype, asked for differently.

        If nothing, its run may go on as this one; its length may change.
        """
        mine, theirs = self.to_dict(), {**_DEFAULTS, **noted}
        for request in (mine, theirs):
            overrides = dict(request.pop("overrides"))
            overrides.pop("epochs", None)
            request |= overrides
        return sorted(
            key for key in mine.keys() | theirs.keys() if mine.get(key) != theirs.get(key)
        )


_DEFAULTS = {
    field.name: list(field.default) if isinstance(field.default, tuple) else field.default
    for field in fields(Request)
    if field.default is not MISSING
}


def parse(argv: Sequence[str] | None) -> tuple[Request, argparse.Namespace]:
    """The request and the options that only say how to run it.

    Raises:
        RequestError: an option is not known, or cannot be followed.
        SystemExit: help was asked for.
    """
    given = _parser().parse_args(argv)
    _check(given)
    overrides = tuple((n, getattr(given, n)) for n in OVERRIDES if getattr(given, n) is not None)
    request = Request(
        paths=tuple(str(Path(p).absolute()) for p in given.paths),
        root=str(given.root.absolute()),
        name=given.name or given.from_scratch or "personal",
        base=given.base,
        preset=given.from_scratch,
        tokenizer=given.tokenizer,
        method=given.method,
        recipe=given.recipe and str(Path(given.recipe).absolute()),
        data=given.data and str(Path(given.data).absolute()),
        held=tuple(str(Path(p).absolute()) for p in given.held),
        exclude=tuple(str(Path(p).absolute()) for p in given.exclude),
        unit=given.documents,
        authors=tuple(given.author),
        column=given.column,
        device=given.device,
        words=given.words,
        adapter=given.adapter and str(given.adapter.absolute()),
        strength=given.strength,
        recompute=given.recompute,
        compile=given.compile,
        half=given.half,
        overrides=overrides,
    )
    return request, given


def _check(given: argparse.Namespace) -> None:
    """Refuse now what would fail after hours."""
    if not given.paths and not given.recipe:
        raise RequestError("nothing to train on; name files or folders of text, or a --recipe")
    if given.recipe and not given.data:
        raise RequestError("a --recipe needs --data, the folder of the texts it names")
    if given.adapter and (given.from_scratch or given.method == "full"):
        raise RequestError("--save-adapter needs --method lora: other methods train no adapter")
    if given.from_scratch and given.method == "lora":
        raise RequestError("--from-scratch trains all weights; leave --method lora out")
    if given.seed is not None and given.seed < 0:
        raise RequestError(f"--seed is {given.seed}; it must be at least 0")
    if not 0 < given.strength <= 1:
        raise RequestError(f"--strength is {given.strength:g}; it must be above 0 and at most 1")
    if given.words:
        _check_words(given.words)
    if given.adapter:
        _check_writable(given.adapter)


def _check_words(words: int) -> None:
    from training.evaluation.sample import LEAST_WORDS

    if words < LEAST_WORDS:
        raise RequestError(
            f"--words {words} are too few to tell a difference; take {LEAST_WORDS} or more, or 0 "
            "for no comparison"
        )


def _check_writable(file: Path) -> None:
    folder = file.absolute().parent
    if file.is_dir():
        raise RequestError(f"--save-adapter {file} is a folder; name a file in it")
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        problem = "cannot be written" if folder.is_dir() else "does not exist"
        raise RequestError(f"--save-adapter {file}: the folder {folder} {problem}; name another")


class _Parser(argparse.ArgumentParser):
    """Complains in one line, as everything else does."""

    def error(self, message: str) -> NoReturn:
        raise RequestError(f"{message} (--help lists all options)")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="python -m training.train",
        description="Train a model on your own text, measure what that gains, and install it.",
    )
    add = parser.add_argument
    add("paths", nargs="*", metavar="PATHS", help="files and folders of text")
    add("--root", type=Path, required=True, help="folder that holds all models")
    add("--base", default=DEFAULT_BASE, help="installed model, or model folder, to begin with")
    add("--from-scratch", choices=sorted(FROM_SCRATCH), help="begin with random weights instead")
    add("--tokenizer", metavar="NAME", help="from scratch: this installed model's tokenizer")
    add("--method", choices=("lora", "full"), help="default: lora on a CPU, full on a GPU")
    add("--name", help="what the model is called (default: personal)")
    add("--run", type=Path, help="run folder; an unfinished one is continued")
    add("--recipe", metavar="TOML", help="mixture of sources instead of PATHS")
    add("--data", metavar="DIR", help="folder of the texts a --recipe names")
    add("--held", action="append", default=[], metavar="FILE",
        help="measure on this, and hold nothing else back")  # fmt: skip
    add("--exclude", action="append", default=[], metavar="FILE",
        help="learn no sentence that occurs in this")  # fmt: skip
    add("--documents", choices=("file", "blank-line", "line"), default="file",
        help="what is one document in plain text")  # fmt: skip
    add("--blank-lines", dest="documents", action="store_const", const="blank-line",
        help="documents of a .txt end at blank lines")  # fmt: skip
    add("--author", action="append", default=[], metavar="NAME",
        help="of chats and mail, learn from this person's own words only")  # fmt: skip
    add("--column", help="of tables, the column with text")
    add("--device", choices=("auto", "cpu", "cuda", "mps"), default="auto")
    add("--epochs", type=float, help="passes over the text (default: 2)")
    add("--learning-rate", type=float)
    add("--rank", type=int, help="of the adapters")
    add("--window", type=int, dest="window_tokens", metavar="TOKENS")
    add("--batch", type=int, dest="batch_windows", metavar="WINDOWS")
    add("--micro-batch", type=int, dest="micro_windows", metavar="WINDOWS")
    add("--evaluations", type=int, help="how often the held-out loss is measured")
    add("--patience", type=int, help="stop after so many evaluations without a better loss")
    add("--strength", type=float, default=1.0, metavar="SHARE",
        help="go at most this part of the way from the old weights to the new")  # fmt: skip
    add("--recompute", action="store_true", help="less memory, a third more work")
    switch = argparse.BooleanOptionalAction
    add("--compile", action=switch, help="torch.compile (default: if it pays)")
    add("--half", action=switch, help="bfloat16 (default: if it pays)")
    add("--seed", type=int)
    add("--words", type=int, help="held-out words typed for the comparison; 0: no comparison")
    add("--save-adapter", type=Path, dest="adapter", metavar="FILE",
        help="write the adapter here as well")  # fmt: skip
    add("--select", action=switch, default=True, help="use the model afterwards if it is no worse")
    add("--fresh", action="store_true", help="begin again even if a run could be continued")
    add("--json", action="store_true", help="progress as JSON lines on stdout")
    add("--debug", action="store_true", help="show tracebacks")
    return parser
