"""The end of a training: export, compare with the base, put it into the catalogue."""

from __future__ import annotations

import contextlib
import gc
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from model.catalogue import Catalogue, ModelBusy
from training import registration
from training.evaluation import EvaluationError, evaluate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from model.bundle import Bundle
    from model.checkpoint import Checkpoint
    from model.tokenizer import Tokenizer
    from training.loop import Report
    from training.request import Request
    from training.run_folder import RunFolder

BUSY_SECONDS = 1.0  # between two looks whether another process is done


@dataclass(frozen=True, slots=True)
class Trained:
    """A trained model before it is one for the editor; `notes` are for its card.

    `preface` says whether it is to begin an empty page with one.
    """

    base: Bundle | None
    checkpoint: Checkpoint
    tokenizer: Tokenizer
    notes: dict[str, Any]
    preface: bool = True


def publish(
    request: Request, trained: Trained, folder: RunFolder, report: Report, started: float
) -> dict[str, Any]:
    """Make `trained` a new version of the model `request.name`; what the user is told.

    Raises:
        ExportError: it does not compute what was trained.
        CatalogueError: the catalogue cannot be written.
    """
    catalogue = Catalogue(Path(request.root))
    with _work_folder(catalogue, request.name, report) as work:
        staged = work / "bundle"
        registration.build_bundle(
            trained.checkpoint, trained.tokenizer, staged, _origin(request, trained.base), report,
            preface=trained.preface,
        )  # fmt: skip
        gc.collect()
        scores = _scores(request, trained.base, staged, folder, report)
        seconds = round(time.monotonic() - started)
        registration.annotate(staged, trained={**trained.notes, "seconds": seconds}, scores=scores)
        report("publish", done=0, total=1, message="")
        published = catalogue.publish(request.name, staged)
    report("publish", done=1, total=1, message="")
    return {
        "name": request.name,
        "version": published.name,
        "folder": str(published),
        "seconds": seconds,
        **scores,
    }


@contextlib.contextmanager
def _work_folder(catalogue: Catalogue, name: str, report: Report) -> Iterator[Path]:
    """A folder to build in, once no other process builds a model of this name."""
    with contextlib.ExitStack() as stack:
        while True:
            try:
                work = stack.enter_context(catalogue.staging(name))
                break
            except ModelBusy:
                report("wait", done=0, total=0, message=f"another Foretype is at work on {name}")
                time.sleep(BUSY_SECONDS)
        yield work


def _origin(request: Request, base: Bundle | None) -> dict[str, Any]:
    if base is None:
        return {"source": f"trained from scratch ({request.preset})", "licence": "your own text's"}
    return {
        "source": f"trained from {request.base}",
        "licence": base.card.get("licence", "unknown"),
        "base": base.card.get("origin"),
    }


def _scores(
    request: Request, base: Bundle | None, staged: Path, folder: RunFolder, report: Report
) -> dict[str, Any]:
    """`before`, `after` and the `verdict`; fewer of them where nothing could be measured."""
    if request.words == 0:
        return {"before": {}, "after": {}, "verdict": "It was not compared, as you asked."}

    def progress(stage: str, done: int, total: int, message: str = "") -> None:
        report(stage, done=done, total=total, message=message)

    models = [base.folder, staged] if base else [staged]
    try:
        words = {} if request.words is None else {"words": request.words}
        comparison = evaluate(
            models,
            folder.read_held(),
            progress=progress,
            names=None if base else (request.name,),
            **words,
        )
    except EvaluationError as err:  # too little was held back; the model is trained all the same
        return {"before": {}, "after": {}, "verdict": f"It could not be compared: {err}"}
    before, after = comparison.models[0].as_json(), comparison.models[-1].as_json()
    return {
        "before": before if base else {},
        "after": after,
        "verdict": comparison.verdict(),
    }
