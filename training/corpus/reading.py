"""Files → a corpus: documents cleaned, without doubles and boilerplate, and a report.

Two passes, so that a corpus may be larger than memory: the first reads the files into a temporary
file and counts lines; the second drops the lines that many documents share, and doubles.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from training.corpus.authors import Authors
from training.corpus.boilerplate import Boilerplate
from training.corpus.cleaning import tidy
from training.corpus.document import CorpusOptions, Document, Tally, UnknownKind, Unreadable
from training.corpus.duplicates import Duplicates
from training.corpus.files import walk
from training.corpus.kinds import read_source
from training.corpus.masking import Masking
from training.corpus.overlap import Overlap
from training.corpus.spool import Documents

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from training.corpus.document import LeftOut

DAMAGED = "\ufffd"  # stands where bytes were no text
LONGEST_TOKEN = 500  # characters without a space, in scripts that have spaces
BY_OTHERS = "mails and days of chats"
SECRET = "they may hold a secret, a number or an address"
_ENDLESS = re.compile(rf"[!-~]{{{LONGEST_TOKEN},}}")


@dataclass(frozen=True, slots=True)
class CorpusReport:
    """What a corpus holds, what was left out of it and why, and what the user should know."""

    files: int
    documents: int
    words: int
    characters: int
    left_out: tuple[LeftOut, ...]
    advice: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Corpus:
    """The documents to train on, read from disk when asked for, and the report on them."""

    documents: Documents
    report: CorpusReport


def read_corpus(
    paths: Iterable[Path],
    options: CorpusOptions | None = None,
    progress: Callable[[str], None] | None = None,
) -> Corpus:
    """Read files and folders; what cannot be read is reported, never fatal.

    `progress` is told the name of each file before it is read.

    Raises:
        CorpusError: a path does not exist.
    """
    options = options or CorpusOptions()
    tally, overlap, authors = Tally(), Overlap.of_files(options.exclude), Authors(options.authors)
    masking = Masking() if options.forgets_secrets else None
    drafts, boilerplate, files = Documents(), Boilerplate(), set()
    for file, document in _read_files(paths, options, tally, progress):
        files.add(file)
        if not authors.note(document.author):
            tally.leave_out(BY_OTHERS, "others wrote them")
            continue
        text = _clean(document.text, masking, overlap, tally)
        boilerplate.count(text, document.group)
        drafts.add(replace(document, text=text))
    return _finish(drafts, boilerplate, authors, len(files), tally)


def _read_files(
    paths: Iterable[Path],
    options: CorpusOptions,
    tally: Tally,
    progress: Callable[[str], None] | None,
) -> Iterator[tuple[str, Document]]:
    for source in walk(paths, tally):
        if progress:
            progress(source.name)
        try:
            for document in read_source(source, options, tally):
                yield source.name, document
        except UnknownKind as err:
            tally.leave_out(str(err), "no text is read from this kind")
        except Unreadable as err:
            tally.leave_out(source.name, str(err))
        except (OSError, EOFError) as err:
            tally.leave_out(source.name, f"it is damaged or cannot be read: {err}")


def _clean(text: str, masking: Masking | None, overlap: Overlap, tally: Tally) -> str:
    text = tidy(text)
    if DAMAGED in text:
        text = _drop_lines(text, re.compile(DAMAGED), "some characters are damaged", tally)
    if len(text) > LONGEST_TOKEN:
        text = _drop_lines(text, _ENDLESS, "an endless word, as in encoded data", tally)
    if masking:
        text, forgotten = masking.clean(text)
        tally.leave_out("sentences", SECRET, forgotten)
    text, found = overlap.strip(text)
    tally.leave_out("sentences", "they are among those to exclude", found)
    return text


def _drop_lines(text: str, pattern: re.Pattern[str], why: str, tally: Tally) -> str:
    lines = text.split("\n")
    kept = [line for line in lines if not pattern.search(line)]
    tally.leave_out("lines", why, len(lines) - len(kept))
    return "\n".join(kept)


def _finish(
    drafts: Documents, boilerplate: Boilerplate, authors: Authors, files: int, tally: Tally
) -> Corpus:
    documents, duplicates, words = Documents(), Duplicates(), 0
    for draft in drafts:
        if draft.author and authors.is_ambiguous:
            tally.leave_out(BY_OTHERS, "several people wrote, and nobody said who is meant")
            continue
        text, dropped = boilerplate.drop(draft.text, draft.group)
        tally.leave_out("lines", "many documents share them", dropped)
        text = tidy(text)
        if not text:
            tally.leave_out("documents", "nothing is left of them")
        elif kind := duplicates.kind_of(text):
            again = "there before" if kind == "exact" else "there before, or nearly so"
            tally.leave_out("documents", f"the same text was {again}")
        else:
            documents.add(replace(draft, text=text))
            words += len(text.split())
    authors.advise(tally, sum(bool(document.author) for document in documents))
    characters = sum(documents.characters)
    report = CorpusReport(
        files, len(documents), words, characters, tally.left_out(), tuple(tally.advice)
    )
    return Corpus(documents, report)
