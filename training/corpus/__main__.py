"""`python -m training.corpus PATHS…`: show what a training would learn from, without training.

With `--root` and `--model` the tokens of that model are counted and the time is estimated.  With
`--recipe FILE --data FOLDER` a mixture is looked at instead.  With `--json` every line on stdout is
one object: `{"stage", "done", "total", "message"}` on the way, and `{"finished": …}` or
`{"error": …}` at the end.  Needs no torch.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from model.bundle import CARD, Bundle, load_bundle
from model.catalogue import Catalogue
from training import command
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


def _tell_json(name: str) -> None:
    command.report_json("corpus", 0, 0, name)


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
    command.add_output_options(parser)
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; 0 when the corpus was shown, 130 when that was stopped, else 1."""
    arguments = _arguments(argv)

    def work() -> None:
        if arguments.json:
            command.print_json(finished=_as_json(look(arguments, _tell_json)))
            return
        try:
            found = look(arguments, _tell_terminal)
        finally:
            _tell_terminal("")
        _show(found)

    return command.run(work, as_json=arguments.json, debug=arguments.debug)


if __name__ == "__main__":
    sys.exit(main())
