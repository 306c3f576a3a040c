"""`python -m training.evaluation [PATHS…] --root DIR [--model A --model B]`: compare models.

PATHS are files and folders of text that the models were not trained on, or the folder of a
training, for what it kept back; without any, that of the last training.  Models are names,
NAME@VERSION or folders; the first is what the others are compared with.  With `--json` every line
on stdout is one object: `{"stage", "done", "total", "message"}` on the way, and `{"finished": …}`
or `{"error": …}` at the end.  Needs no torch.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from model.catalogue import Catalogue
from training import command
from training.corpus import CorpusOptions
from training.evaluation import candidates
from training.evaluation.comparing import Comparison, evaluate
from training.evaluation.held_out import read_documents
from training.evaluation.sample import DEFAULT_WORDS, EvaluationError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from training.fetch import Report


def compare(arguments: argparse.Namespace, report: Report) -> Comparison:
    """Do what the arguments say.

    Raises:
        EvaluationError, CorpusError, CatalogueError, BundleError, OSError: why it cannot be done.
    """
    found = candidates.find(arguments.model or [], Catalogue(arguments.root))
    paths = arguments.paths or ([found.run] if found.run else [])
    if not paths:
        raise EvaluationError(
            "no text to evaluate on: give files or folders that the models were not trained on"
        )
    options = CorpusOptions(
        unit="blank-line" if arguments.blank_lines else "file",
        authors=tuple(arguments.author or ()),
        column=arguments.column,
    )
    texts, remarks = read_documents(paths, options)
    for remark in remarks:
        print(f"left out: {remark}", file=sys.stderr)
    words = None if arguments.full else arguments.words
    return evaluate(
        found.folders, texts, words=words, seed=arguments.seed, progress=report, names=found.names
    )


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m training.evaluation", description=__doc__)
    parser.add_argument("paths", nargs="*", type=Path, metavar="PATHS", help="texts to measure on")
    parser.add_argument("--root", type=Path, required=True, help="folder that holds all models")
    parser.add_argument("--model", action="append", metavar="NAME|FOLDER", help="repeat for more")
    parser.add_argument(
        "--words", type=int, default=DEFAULT_WORDS, help="how many are typed (%(default)s)"
    )
    parser.add_argument("--full", action="store_true", help="type all words, for hours if need be")
    parser.add_argument(
        "--blank-lines", action="store_true", help="documents of a .txt end at blank lines"
    )
    parser.add_argument("--author", action="append", help="of chats and mail, keep this one's")
    parser.add_argument("--column", help="of tables, the column with the text")
    parser.add_argument("--seed", type=int, default=1, help="of the sample (%(default)s)")
    command.add_output_options(parser)
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; 0 when the models were compared, 130 when that was stopped, else 1."""
    arguments = _arguments(argv)

    def work() -> None:
        if arguments.json:
            command.print_json(finished=compare(arguments, command.report_json).as_json())
            return
        from training.evaluation import terminal

        with terminal.progress_bar() as report:
            comparison = compare(arguments, report)
        terminal.show(comparison)

    return command.run(work, as_json=arguments.json, debug=arguments.debug)


if __name__ == "__main__":
    sys.exit(main())
