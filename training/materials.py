"""What a training begins with: the base model's weights and tokenizer, and the text as tokens."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from model.bundle import CARD, Bundle, load_bundle
from model.catalogue import Catalogue
from model.files import write_atomically
from training.corpus.document import CorpusOptions
from training.corpus.reading import Corpus, read_corpus
from training.corpus.splitting import split
from training.presets import from_scratch
from training.windows import TokenFile, write_tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from model.tokenizer import Tokenizer
    from training.corpus.document import Document
    from training.loop import Report
    from training.request import Request
    from training.run_folder import RunFolder

LEAST_WORDS = 300  # less than a page teaches nothing that a number could show
HELD_SHARE = 0.1


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
        BundleError, CatalogueError: there is none, or it is broken.
    """
    folder = Path(reference)
    if not (folder / CARD).is_file():
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
        CorpusError: a path does not exist.
        MaterialError: there is too little text.
    """
    report("corpus", done=0, total=0, message="")
    corpus = _read(request, report)
    if request.held:
        options = CorpusOptions(unit="blank-line")
        train: Sequence[Document] = corpus.documents
        held: Sequence[Document] = read_corpus(map(Path, request.held), options).documents
    else:
        train, held = split(corpus.documents, HELD_SHARE)
    found = corpus.report
    if found.words < LEAST_WORDS or not len(train) or not len(held):
        raise MaterialError(
            f"{found.words:,} words of text in {found.files:,} files; a training needs at least "
            f"{LEAST_WORDS:,}, and 20,000 make a difference (foretype corpus shows what was left "
            "out and why)"
        )
    return Texts(train, held, _summary(corpus, len(held)))


def _read(request: Request, report: Report) -> Corpus:
    def progress(name: str) -> None:
        report("corpus", done=0, total=0, message=name)

    if request.recipe:
        from training.corpus.mixture import read_mixture

        return read_mixture(Path(request.recipe), Path(str(request.data)), progress=progress)
    options = CorpusOptions(
        unit=request.unit,  # type: ignore[arg-type]
        authors=(request.author,) if request.author else (),
        column=request.column,
    )
    return read_corpus([Path(p) for p in request.paths], options, progress)


def _summary(corpus: Corpus, held_documents: int) -> dict[str, Any]:
    found = corpus.report
    return {
        "files": found.files,
        "documents": found.documents,
        "words": found.words,
        "held_documents": held_documents,
        "left_out": [
            {"what": entry.what, "why": entry.why, "count": entry.count} for entry in found.left_out
        ],
        "advice": list(found.advice),
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
    held_file = write_tokens((d.text for d in texts.held), tokenizer, folder.held_tokens)
    figures = {key: texts.report[key] for key in ("files", "documents", "words")}
    folder.note_corpus(figures)
    report("corpus", **texts.report, tokens=len(train_file) + len(held_file))
    return train_file, held_file
