"""Someone's files → the documents to train on: `read_corpus`, `split`, and what they deal in."""

from training.corpus.document import CorpusError, CorpusOptions, Document, LeftOut
from training.corpus.reading import Corpus, CorpusReport, read_corpus
from training.corpus.splitting import split

__all__ = [
    "Corpus", "CorpusError", "CorpusOptions", "CorpusReport", "Document", "LeftOut",
    "read_corpus", "split",
]  # fmt: skip
