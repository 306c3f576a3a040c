"""What a training begins with: the base model's weights and tokenizer, and the text as tokens."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from model.bundle import CARD, Bundle, load_bundle
from model.catalogue import Catalogue
from model.files import write_atomically
from training.corpus.document import CorpusOptions
from training.corpus.mixture import mix
from training.corpus.overlap import Overlap
from training.corpus.reading import read_corpus
from training.corpus.recipe import load_recipe
from training.corpus.splitting import split
from training.presets import from_scratch
from training.windows import TokenFile, write_tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from model.tokenizer import Tokenizer
    from training.corpus.document import Document, LeftOut
    from training.loop import Report
    from training.request import Request
    from training.run_folder import RunFolder

LEAST_WORDS = 300  # less than a page teaches nothing that a number could show
HELD_SHARE = 0.1
MOST_REASONS = 2
MOST_SHARED = 0.1  # of the sentences to measure with, before the user is warned


class MaterialError(ValueError):
    """There is nothing to train on, or nothing to begin with; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Texts:
    """The documents of one training, as text."""

    train: Sequence[Document]
    held: Sequence[Document]
    report: dict[str, Any]


def base_bundle(reference: str, root: Path) -> Bundle:
    """The model to begin with: one of the catalogue under `root`, or a model folder.

    Raises:
        MaterialError, BundleError, CatalogueError: there is none, or it is broken.
    """
    folder = Path(reference)
    if not (folder / CARD).is_file():
        if reference != folder.name:
            raise MaterialError(
                f"{reference} is no model folder: it holds no {CARD}; name an installed model, or "
                f"install this one first with `foretype models install {reference}`"
            )
        folder = Catalogue(root).folder(reference)
    return load_bundle(folder)


def choose_tokenizer(request: Request, base: Bundle | None, texts: Texts) -> Tokenizer:
    """The base's tokenizer; from scratch, another model's, or one learnt from the texts."""
    if base is not None:
        return base.tokenizer()
    if request.tokenizer:
        return base_bundle(request.tokenizer, Path(request.root)).tokenizer()
    from training.tokenizer_training import train_tokenizer

    size = from_scratch(str(request.preset)).shape.vocab_size
    return train_tokenizer((document.text for document in texts.train), size)


def read_texts(request: Request, report: Report) -> Texts:
    """Read what is to be learnt, and set apart what it will be measured with.

    Raises:
        CorpusError: a path does not exist, or a recipe is none.
        MaterialError: there is too little text.
    """

    def progress(name: str) -> None:
        report("corpus", done=0, total=0, message=name)

    progress("")
    read = _mix if request.recipe else _read
    texts = read(request, progress)
    words = texts.report["words"]
    if request.held and not len(texts.held):
        raise MaterialError(
            f"there is no text in {', '.join(request.held)}, so nothing to measure with; name "
            "other files with --held, or leave it out and a part of your text is held back"
        )
    if words < LEAST_WORDS or not len(texts.train) or not len(texts.held):
        raise MaterialError(
            f"{words:,} words of text in {texts.report['files']:,} files; a training needs at "
            f"least {LEAST_WORDS:,}, and 20,000 make a difference. {_what_to_know(texts.report)}"
        )
    return texts


def _what_to_know(report: dict[str, Any]) -> str:
    """Why there may be so little text, in a sentence or two."""
    if report.get("advice"):
        return " ".join(report["advice"])
    reasons = [f"{left['what']}: {left['why']}" for left in report["left_out"]]
    if len(reasons) > MOST_REASONS:
        reasons[MOST_REASONS:] = ["foretype corpus shows what else was left out"]
    return "; ".join(reasons)


def _mix(request: Request, progress: Callable[[str], None]) -> Texts:
    """The texts of a recipe, which says itself what is held out."""
    recipe = load_recipe(Path(str(request.recipe)))
    mixture = mix(recipe, Path(str(request.data)), [Path(p) for p in request.exclude], progress)
    words = sum(len(document.text.split()) for document in mixture.documents)
    report = _summary(len(recipe.ingredients), len(mixture.documents), words, mixture.left_out)
    return Texts(mixture.documents, mixture.held, {**report, "held_documents": len(mixture.held)})


def _read(request: Request, progress: Callable[[str], None]) -> Texts:
    """The texts of files and folders, and the last of them, or those of `held`, to measure with."""
    options = CorpusOptions(
        unit=request.unit,
        authors=request.authors,
        column=request.column,
        exclude=tuple(map(Path, request.exclude)),
    )
    corpus = read_corpus([Path(p) for p in request.paths], options, progress)
    found = corpus.report
    train: Sequence[Document]
    held: Sequence[Document]
    if request.held:
        as_dev_texts = CorpusOptions(unit="blank-line")
        train, held = corpus.documents, read_corpus(map(Path, request.held), as_dev_texts).documents
    else:
        train, held = split(corpus.documents, HELD_SHARE)
    report = _summary(found.files, found.documents, found.words, found.left_out)
    advice = [*found.advice, *(_shared(train, held) if request.held else ())]
    return Texts(train, held, {**report, "held_documents": len(held), "advice": advice})


def _shared(train: Sequence[Document], held: Sequence[Document]) -> Iterator[str]:
    """A warning if much of what is to measure with is learnt as well."""
    overlap = Overlap(document.text for document in held)
    shared = sum(overlap.strip(document.text)[1] for document in train)
    if shared and shared >= MOST_SHARED * len(overlap):
        yield (
            f"{shared:,} sentences of --held are learnt as well, so the figures will flatter; "
            "give the same file to --exclude, too"
        )


def _summary(
    files: int, documents: int, words: int, left_out: tuple[LeftOut, ...]
) -> dict[str, Any]:
    return {
        "files": files,
        "documents": documents,
        "words": words,
        "left_out": [asdict(entry) for entry in left_out],
    }


def write_run_tokens(
    texts: Texts, tokenizer: Tokenizer, folder: RunFolder, report: Report
) -> tuple[TokenFile, TokenFile]:
    """Put the tokens of both parts, and the held-out texts, into the run folder."""

    def progress(documents: int, tokens: int) -> None:
        report("corpus", done=documents, total=len(texts.train), message=f"{tokens:,} tokens")

    held = "".join(
        json.dumps({"text": document.text, "source": document.source}, ensure_ascii=False) + "\n"
        for document in texts.held
    )
    write_atomically(folder.held_documents, held)
    learnt = (document.text for document in texts.train)
    train_file = write_tokens(learnt, tokenizer, folder.train_tokens, progress)
    folder.note_corpus({key: texts.report[key] for key in ("files", "documents", "words")})
    # The last file: where it is, a run goes on with what is there.
    held_file = write_tokens((d.text for d in texts.held), tokenizer, folder.held_tokens)
    report("corpus", **texts.report, tokens=len(train_file) + len(held_file))
    return train_file, held_file
