"""The dialog with the real programs of `training/`, on a tiny model."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from tiny_models import TINY_LLAMA, tiny_tokenizer
from training_runs import calm_weights

from app import models
from app.personalise import request
from app.personalise.dialog import PersonaliseDialog
from app.personalise.measures import changes
from app.personalise.training import Training
from model.checkpoint import Checkpoint
from training.export import export
from training.float_weights import write_float_weights

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

WORDS = ["the", "cat", "sat", "on", "a", "mat", "and", "dog", "ate", "an", "onion", "in", "rain"]
FAST = ("--epochs", "1", "--window", "32", "--batch", "8", "--words", "200", "--no-compile")
LONG_MS = 300_000


@pytest.fixture(autouse=True)
def base(monkeypatch: pytest.MonkeyPatch) -> None:
    """The selected model `tiny`, with the weights that training needs."""
    catalogue, checkpoint = models.catalogue(), Checkpoint(TINY_LLAMA, calm_weights())
    with catalogue.staging("tiny") as work:
        folder = work / "bundle"
        folder.mkdir()
        write_float_weights(checkpoint, folder)
        export(checkpoint, tiny_tokenizer(), folder, origin={"source": "test", "licence": "MIT"})
        catalogue.publish("tiny", folder)
    catalogue.select("tiny")
    monkeypatch.setattr(request, "_gently", list)


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    folder = tmp_path / "texts"
    folder.mkdir()
    random = np.random.default_rng(3)
    for number in range(30):
        words = " ".join(random.choice(WORDS) for _ in range(100))
        (folder / f"{number:02}.txt").write_text(f"{words}.\n", encoding="utf-8")
    return folder


@pytest.fixture
def dialog(qtbot: QtBot) -> Iterator[PersonaliseDialog]:
    training = Training()
    dialog = PersonaliseDialog(training)
    qtbot.addWidget(dialog)
    dialog.show()
    yield dialog
    dialog.check.stop()
    training.stop()


def check(qtbot: QtBot, dialog: PersonaliseDialog, texts: Path) -> None:
    dialog.choose.add([str(texts)])
    dialog.forward.click()
    qtbot.waitUntil(dialog.forward.isEnabled, timeout=LONG_MS)


def test_the_corpus_is_shown(qtbot: QtBot, dialog: PersonaliseDialog, texts: Path) -> None:
    (texts / "photo.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    check(qtbot, dialog, texts)
    assert "30 texts from 30 files, 3,000 words" in dialog.check.summary.text()
    assert "about" in dialog.check.summary.text()
    assert ".txt" in dialog.check.samples.toPlainText()
    assert dialog.check.left_out.item(0, 1).text() == ".png files"


@pytest.mark.slow
def test_a_personal_model_is_trained_and_compared(
    qtbot: QtBot, dialog: PersonaliseDialog, texts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check(qtbot, dialog, texts)
    real = request.Request.command
    monkeypatch.setattr(request.Request, "command", lambda self: [*real(self), *FAST])
    dialog.forward.click()
    training = dialog._training
    qtbot.waitUntil(lambda: training.state in ("finished", "failed"), timeout=LONG_MS)
    assert training.problem == ""
    assert training.result is not None
    (entry,) = models.catalogue().versions("personal")
    assert entry.version == training.result.version
    assert (entry.trained["base"], entry.trained["documents"]) == ("tiny", 30)
    assert changes(entry.scores["before"], entry.scores["after"])
    assert dialog.page is dialog.compare
    assert training.result.verdict.rstrip(".") in dialog.compare.verdict.text()
