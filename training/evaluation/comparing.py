"""Models compared on held-out documents: `evaluate` is what a training calls at its end.

Every model runs in a process of its own, side by side while there are cores, on one sample of the
text; a fixed general text tells what a training has forgotten.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from model.bundle import TOKENIZER, load_bundle
from model.reader import Reader, Reading
from model.session import Session
from training.evaluation import verdict
from training.evaluation.figures import MEASURES, PER_TOKEN, Figure, Resampled
from training.evaluation.measuring import CONTEXT_TOKENS, Task
from training.evaluation.processes import measure_all
from training.evaluation.sample import DEFAULT_WORDS, EvaluationError, Sample, draw

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from training.fetch import Report

GENERAL_TEXT = Path(__file__).resolve().parents[2] / "assets" / "general.txt"


@dataclass(frozen=True, slots=True)
class Scores:
    """The figures of one model by name, see `figures.MEASURES`; shares lie between 0 and 1."""

    name: str
    folder: Path
    figures: dict[str, Figure]

    def as_json(self) -> dict[str, Any]:
        """Fit for a model's card."""
        figures = {name: asdict(figure) for name, figure in self.figures.items()}
        return {"model": self.name, "window_tokens": CONTEXT_TOKENS, "figures": figures}


@dataclass(frozen=True, slots=True)
class Comparison:
    """What was measured of each model, and how the others differ from the first.

    `differences` has one entry for each model after the first.  Of different tokenizers it holds
    no perplexities.  `after_training` says that the second model is the first one, trained.
    """

    sample: Sample
    seed: int
    models: tuple[Scores, ...]
    differences: tuple[dict[str, Figure], ...]
    after_training: bool

    def verdict(self) -> str:
        """What it means, in a few sentences for the user."""
        first, *others = self.models
        if not others:
            return verdict.alone(first.name, first.figures)
        pairs = (
            verdict.Pair(
                (first.name, other.name),
                first.figures,
                other.figures,
                difference,
                self.after_training,
            )
            for other, difference in zip(others, self.differences, strict=True)
        )
        return "\n".join(map(str, pairs))

    def as_json(self) -> dict[str, Any]:
        """Everything, and the verdict."""
        return {
            "documents": len(self.sample.documents),
            "words": self.sample.words,
            "words_typed": self.sample.typed_words,
            "words_read": self.sample.read_words,
            "resampled": self.sample.unit,
            "seed": self.seed,
            "models": [scores.as_json() for scores in self.models],
            "differences": [
                {name: asdict(figure) for name, figure in found.items()}
                for found in self.differences
            ],
            "verdict": self.verdict(),
        }


def evaluate(
    models: Sequence[Path],
    documents: Iterable[str],
    *,
    words: int | None = DEFAULT_WORDS,
    seed: int = 1,
    progress: Report | None = None,
    names: Sequence[str] | None = None,
) -> Comparison:
    """Compare model folders on texts that none of them was trained on.

    Args:
        models: the first is what the others are compared with; two without `names` are taken for
            one model before and after its training.
        documents: texts, at least `sample.LEAST_WORDS` words in all.
        words: how many of them are typed; None takes all, which can take hours.
        seed: of the sample and of the intervals.
        progress: told of the stage "evaluate".
        names: what the models are called in the verdict.

    Raises:
        EvaluationError: there is too little text, or a model cannot be used.
        BundleError: a folder is no model.
    """
    if not models:
        raise EvaluationError("no model to evaluate; name one or more")
    tokenizers = [load_bundle(folder).card["files"][TOKENIZER]["sha256"] for folder in models]
    sample = draw(documents, words, seed)
    general = draw(GENERAL_TEXT.read_text(encoding="utf-8").split("\n\n\n"), None, seed)
    counts = measure_all(models, Task(sample, general), progress)
    resampled = Resampled(sample, general, counts, seed)
    labels = names or [folder.name for folder in models]
    scores = tuple(
        Scores(label, folder, {name: resampled.figure(name, i) for name in MEASURES})
        for i, (label, folder) in enumerate(zip(labels, models, strict=True))
    )
    differences = tuple(
        _differences(resampled, i, is_fair_per_token=tokenizer == tokenizers[0])
        for i, tokenizer in enumerate(tokenizers[1:], 1)
    )
    after_training = names is None and len(models) == 2
    return Comparison(sample, seed, scores, differences, after_training)


def _differences(resampled: Resampled, model: int, *, is_fair_per_token: bool) -> dict[str, Figure]:
    names = [name for name in MEASURES if is_fair_per_token or name not in PER_TOKEN]
    return {name: resampled.difference(name, model, 0) for name in names}


def perplexity_of(folder: Path, text: str) -> Reading:
    """Read a text with a model; `perplexity` and `bits_per_byte` are of the text as it is.

    Raises:
        BundleError, SessionError: the model cannot be used, and why.
    """
    bundle = load_bundle(folder)
    session = Session(bundle, context_tokens=CONTEXT_TOKENS)
    return Reader(session, bundle.tokenizer()).read(text)
