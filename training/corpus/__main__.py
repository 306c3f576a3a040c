"""`python -m training.corpus PATHS…`: show what a training would learn from, without training.

With `--root` and `--model` the tokens of that model are counted and the time is estimated.  With
`--recipe FILE --data FOLDER` a mixture is looked at instead.  With `--json` every line on stdout is
one object: `{"stage", "done", "total", "message"}` on the way, and `{"finished": …}` or
`{"error": …}` at the end.  Needs no torch.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import signal
import sys
import traceback
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from model.bundle import CARD, Bundle, load_bundle
from model.catalogue import Catalogue
from training.corpus.document import CorpusError, CorpusOptions
from training.corpus.mixture import Mixture, mix
from training.corpus.preview import Preview, preview
from training.corpus.reading import read_corpus
from training.corpus.recipe import load_recipe

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def look(arguments: argparse.Namespace, progress: Callable[[str], None]) -> Preview | Mixture:
    """Read what the arguments name.

    Raises:
        CorpusError, BundleError, CatalogueError, OSError: why it cannot be done.
    """
    if arguments.recipe:
        recipe = load_recipe(arguments.recipe)
        return mix(recipe, arguments.data or Path(), arguments.exclude, progress)
    if not arguments.paths:
        raise CorpusError("nothing to read: give files or folders of text")
    options = CorpusOptions(
        unit="blank-line" if arguments.blank_lines else "file",
        authors=tuple(arguments.author),
        column=arguments.column,
        exclude=tuple(arguments.exclude),
    )
    bundle = _bundle(arguments.model, arguments.root)
    corpus = read_corpus(arguments.paths, options, progress)
    return preview(corpus, bundle, arguments.model, progress)


def _bundle(model: str | None, root: Path | None) -> Bundle | None:
    if model is None:
        return None
    if (Path(model) / CARD).is_file() or root is None:
        return load_bundle(Path(model))
    return load_bundle(Catalogue(root).folder(model))


def _as_json(found: Preview | Mixture) -> dict[str, Any]:
    if isinstance(found, Preview):
        return found.to_dict()
    return {
        "documents": len(found.documents),
        "held_documents": len(found.held),
        "portions": [asdict(portion) for portion in found.portions],
        "left_out": [asdict(left) for left in found.left_out],
    }


def _show(found: Preview | Mixture) -> None:
    from training.corpus import terminal

    if isinstance(found, Preview):
        terminal.show(found)
    else:
        terminal.show_mixture(found)


def explain(err: BaseException) -> str:
    """One line for the user: what happened and what to do about it."""
    if isinstance(err, KeyboardInterrupt):
        return "stopped"
    if isinstance(err, OSError):
        return f"{err.filename}: {err.strerror}" if err.filename else str(err)
    if isinstance(err, ValueError):
        return " ".join(str(err).split())
    return f"unexpected {type(err).__name__}: {err} (run again with --debug)"


def _print_json(**said: object) -> None:
    print(json.dumps(said, ensure_ascii=False), flush=True)


def _tell_json(name: str) -> None:
    _print_json(stage="corpus", done=0, total=0, message=name)


def _tell_terminal(name: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\x1b[K{name[-70:]}", end="", file=sys.stderr, flush=True)


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m training.corpus", description=__doc__)
    parser.add_argument("paths", nargs="*", type=Path, metavar="PATHS", help="files and folders")
    parser.add_argument(
        "--blank-lines", action="store_true", help="documents of a .txt end at blank lines"
    )
    parser.add_argument(
        "--author", action="append", default=[], help="of chats and mail, this one's; repeat it"
    )
    parser.add_argument("--column", help="of tables, the column with the text")
    parser.add_argument(
        "--exclude", type=Path, action="append", default=[], metavar="FILE",
        help="take out the sentences of this text; repeat it",
    )  # fmt: skip
    parser.add_argument("--recipe", type=Path, help="a mixture of sources, instead of PATHS")
    parser.add_argument("--data", type=Path, help="folder of the recipe's files (here)")
    parser.add_argument("--root", type=Path, help="folder that holds all models")
    parser.add_argument("--model", metavar="NAME|FOLDER", help="count this model's tokens")
    parser.add_argument("--json", action="store_true", help="JSON lines on stdout")
    parser.add_argument("--debug", action="store_true", help="show tracebacks")
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; 0 when the corpus was shown, 130 when that was stopped, else 1."""
    arguments = _arguments(argv)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr]
    try:
        found = look(arguments, _tell_json if arguments.json else _tell_terminal)
        if arguments.json:
            _print_json(finished=_as_json(found))
        else:
            _tell_terminal("")
            _show(found)
    except BrokenPipeError:  # nobody is listening any more
        return 1
    except (Exception, KeyboardInterrupt) as err:
        if arguments.debug:
            traceback.print_exc()
        if arguments.json:
            with contextlib.suppress(BrokenPipeError):
                _print_json(error=explain(err))
        else:
            _tell_terminal("")
            print(explain(err), file=sys.stderr)
        return 130 if isinstance(err, KeyboardInterrupt) else 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
