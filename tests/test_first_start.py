from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

import pytest
from PySide6.QtTest import QTest
from tiny_models import tiny_bundle

from app import first_start, models, paths
from app.first_start import ModelInstaller
from app.prediction import PredictionController
from app.settings import Settings
from app.window import Window

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

SLOW_DOWNLOAD = """
import json, sys, time
for done in range(10, 60, 10):
    step = {"stage": "download", "done": done * 10**6, "total": 93 * 10**6, "message": ""}
    print(json.dumps(step), flush=True)
print("a line of something else", flush=True)
time.sleep(60)
"""


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[Window]:
    """A window on its first start, with the real controller, and no model installed."""
    window = Window(PredictionController(), Settings())
    qtbot.addWidget(window, before_close_func=lambda w: w.editor.document().setModified(False))
    window.show()
    yield window
    assert not window.installer.is_running


def pretend(monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Let this script stand for the installer, whose download a test cannot have."""
    command = [sys.executable, "-c", script]
    monkeypatch.setattr(first_start, "install_command", lambda *_: command)


def test_a_model_is_installed_while_the_writer_writes_and_then_predicts(
    qtbot: QtBot, window: Window, tmp_path: Path
) -> None:
    tiny_bundle(tmp_path / "tiny")
    window.models.install(str(tmp_path / "tiny"))
    assert window.installer.isVisible()
    assert not window.bar.isVisible()
    QTest.keyClicks(window.editor, "the writer writes on and on")
    with qtbot.waitSignal(window.controller.predicted, timeout=60_000) as answer:
        pass
    assert not window.installer.isVisible()
    assert window.bar.isVisible()
    assert window.editor.text() == "the writer writes on and on"
    assert answer.args[0].text == "the writer writes on and on"
    assert len(answer.args[1].tokens) == 10
    assert models.catalogue().selected() == "tiny"
    assert "tiny" in window.status.model.text()


def test_progress_is_shown_and_cancelling_leaves_an_editor(
    qtbot: QtBot, window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend(monkeypatch, SLOW_DOWNLOAD)
    window.models.start(None)
    assert "SmolLM2 135M" in window.installer.title.text()
    assert "93 MB" in window.installer.detail.text()
    qtbot.waitUntil(lambda: "50 of 93 MB" in window.installer.detail.text())
    assert window.installer.bar.value() == 269
    window.installer.cancel.click()
    assert not window.installer.is_running
    assert not window.installer.isVisible()
    assert "Model menu" in window.status.model.text()
    QTest.keyClicks(window.editor, "still here")
    assert window.editor.text() == "still here"


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ('print(\'{"error": "no answer", "unreachable": true}\')', "install from a file"),
        ('print(\'{"error": "/a cannot be written"}\')', "/a cannot be written. You can go on"),
        ("import os; os.kill(os.getpid(), 9)", "was stopped; install again"),
    ],
)
def test_a_failure_is_met_with_the_advice_that_fits(
    qtbot: QtBot, window: Window, monkeypatch: pytest.MonkeyPatch, script: str, said: str
) -> None:
    pretend(monkeypatch, script)
    window.models.start(None)
    qtbot.waitUntil(lambda: window.installer.retry.isVisible(), timeout=30_000)
    assert said in window.installer.detail.text()


def test_a_failure_says_what_to_do_and_can_be_tried_again(
    qtbot: QtBot, window: Window, tmp_path: Path
) -> None:
    source = tmp_path / "not yet there"
    window.models.install(str(source))
    installer = window.installer
    qtbot.waitUntil(lambda: installer.retry.isVisible(), timeout=30_000)
    assert "could not be installed" in installer.title.text()
    assert "not yet there" in installer.detail.text()
    assert "go on writing" in installer.detail.text()
    assert "network" not in installer.detail.text()
    tiny_bundle(source)
    installer.retry.click()
    with qtbot.waitSignal(window.controller.ready, timeout=60_000):
        pass


def test_closing_ends_the_installation(
    qtbot: QtBot, window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend(monkeypatch, SLOW_DOWNLOAD)
    window.models.start(None)
    qtbot.waitUntil(lambda: window.installer.bar.value() > 0)
    started = time.monotonic()
    window.close()
    assert not window.installer.is_running
    assert time.monotonic() - started < 2


def test_a_program_that_cannot_start_is_reported(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    installer = ModelInstaller(paths.models())
    qtbot.addWidget(installer)
    monkeypatch.setattr(first_start, "install_command", lambda *_: ["/no/such/program"])
    installer.show()
    installer.install("smollm2-135m")
    qtbot.waitUntil(lambda: installer.retry.isVisible())
    assert "could not be installed" in installer.title.text()


def test_a_broken_model_is_explained(qtbot: QtBot, window: Window, tmp_path: Path) -> None:
    bundle = tiny_bundle(tmp_path / "tiny")
    bundle.graph_path.write_bytes(b"x" * bundle.graph_path.stat().st_size)
    window.models.start(str(bundle.folder))
    qtbot.waitUntil(lambda: bool(window.notice.text), timeout=10_000)
    assert "The model could not be loaded" in window.notice.text
    QTest.keyClicks(window.editor, "still here")
    assert window.editor.text() == "still here"


def test_an_unknown_model_is_explained(window: Window) -> None:
    window.models.start("nonesuch")
    assert "no model named 'nonesuch'" in window.notice.text
