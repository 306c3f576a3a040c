"""What a training on some documents would be like, found out without training."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np

from model.config import weight_shapes
from training.corpus.splitting import split
from training.flops import flops_per_token
from training.settings import TrainSettings
from training.windows import write_tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from model.bundle import Bundle
    from model.config import GPTConfig
    from training.corpus.document import Document
    from training.corpus.reading import Corpus, CorpusReport

LEAST_WORDS, FEW_WORDS = 300, 20_000  # none is trained on less; less than few shows little
SAMPLES, SAMPLE_CHARACTERS = 3, 240
LANGUAGE_SAMPLES, LANGUAGE_CHARACTERS = 24, 2_000
MATRIX_WIDTH, PRODUCTS = 512, 40  # the best of many short ones, whatever else the machine does
# Of a product's speed: adapters of SmolLM2-135M on two cores at 107 tokens a second, 66 GFLOP/s.
EFFICIENCY = 0.25


@dataclass(frozen=True, slots=True)
class Sample:
    """The beginning of a document."""

    source: str
    date: str | None
    text: str


@dataclass(frozen=True, slots=True)
class Preview:
    """A corpus in numbers; what needs a model is None where there is none.

    Attributes:
        model: whose tokens are counted and which the time is for.
        seconds: a rough estimate of a training with adapters on this processor.
        languages: name → share of the documents looked at.
    """

    report: CorpusReport
    held_documents: int
    held_share: float
    languages: dict[str, float]
    samples: tuple[Sample, ...]
    advice: tuple[str, ...]
    model: str | None = None
    tokens: int | None = None
    seconds: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values; the report's fields beside the others."""
        fields = asdict(self)
        return {**fields.pop("report"), **fields}


def preview(
    corpus: Corpus,
    bundle: Bundle | None,
    model: str | None = None,
    progress: Callable[[str], None] | None = None,
) -> Preview:
    """Look at a corpus with the eyes of the training that would follow, of the named `model`."""
    documents, report = corpus.documents, corpus.report
    _, held = split(documents)
    held_characters = sum(len(document.text) for document in held)
    tokens = seconds = None
    if bundle and len(documents):
        if progress:
            progress("counting tokens")
        with TemporaryDirectory() as folder:
            path = Path(folder) / "tokens"
            tokens = len(write_tokens((d.text for d in documents), bundle.tokenizer(), path))
        seconds = _training_seconds(bundle.config, tokens)
    return Preview(
        report,
        len(held),
        held_characters / max(report.characters, 1),
        _languages(documents),
        _samples(documents),
        (*report.advice, *_advice(report)),
        model,
        tokens,
        seconds,
    )


def _advice(report: CorpusReport) -> list[str]:
    if report.words < LEAST_WORDS:
        return [
            f"{report.words:,} words are too little: a training needs at least {LEAST_WORDS:,}, "
            f"and {FEW_WORDS:,} make a difference. Add more of your own writing."
        ]
    if report.words < FEW_WORDS:
        return [
            f"{report.words:,} words are little: expect a small gain. From {FEW_WORDS:,} words on "
            "(forty pages) it is worth the time."
        ]
    return []


def _samples(documents: Sequence[Document]) -> tuple[Sample, ...]:
    count = min(SAMPLES, len(documents))
    samples = []
    for place in (len(documents) * (2 * i + 1) // (2 * count) for i in range(count)):
        document = documents[place]
        text = document.text
        if len(text) > SAMPLE_CHARACTERS:
            text = text[:SAMPLE_CHARACTERS].rsplit(None, 1)[0] + " …"
        day = f"{document.date:%Y-%m-%d}" if document.date else None
        samples.append(Sample(document.source, day, text))
    return tuple(samples)


def _languages(documents: Sequence[Document]) -> dict[str, float]:
    """Guessed from the letters of some documents, short ones taken together."""
    from charset_normalizer.cd import coherence_ratio

    step = max(1, len(documents) // LANGUAGE_SAMPLES)
    found: Counter[str] = Counter()
    text = ""
    for place in range(0, len(documents), step):
        text += documents[place].text[:LANGUAGE_CHARACTERS] + "\n"
        if len(text) >= LANGUAGE_CHARACTERS or place + step >= len(documents):
            if len(text) >= LANGUAGE_CHARACTERS // 10:
                found.update(name for name, _ in coherence_ratio(text, 0.2)[:1])
            text = ""
    return {name: count / found.total() for name, count in found.most_common(4)}


def _training_seconds(config: GPTConfig, tokens: int) -> float:
    """Time to train adapters with the default settings, from how fast products are here."""
    settings = TrainSettings()
    adapters = settings.rank * sum(
        sum(shape) for name, shape in weight_shapes(config).items()
        if name.startswith("blocks.") and len(shape) == 2
    )  # fmt: skip
    per_token = flops_per_token(config, settings.window_tokens, adapters)
    return settings.epochs * tokens * per_token / (EFFICIENCY * _flop_per_second())


def _flop_per_second() -> float:
    """How fast float matrices are multiplied here."""
    matrix = np.ones((MATRIX_WIDTH, MATRIX_WIDTH), np.float32)
    seconds = []
    for _ in range(PRODUCTS):
        start = time.perf_counter()
        matrix @ matrix
        seconds.append(time.perf_counter() - start)
    return 2 * MATRIX_WIDTH**3 / min(seconds)
