from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QMessageBox

from app import paths
from app.errors import ErrorReporter, start_log
from app.recovery import orphans_in
from app.word_count import WordCount

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot
from tiny_models import tiny_bundle

REPOSITORY = Path(__file__).resolve().parents[1]

# The window as it is, with a typist who never pauses: ten keys a second, each numbered.
TYPIST = """
import sys, time
from PySide6.QtCore import QTimer
from PySide6.QtTest import QTest
from app.main import start_application
from app.prediction import PredictionController
from app.settings import Settings
from app.window import Window
application = start_application()
window = Window(PredictionController(), Settings())
window.show()
count = 0
def press():
    global count
    QTest.keyClicks(window.editor, f"{count} ")
    count += 1
    print(time.monotonic(), flush=True)
timer = QTimer()
timer.timeout.connect(press)
timer.start(100)
application.exec()
"""


@pytest.mark.skipif(os.name != "posix", reason="needs SIGKILL")
def test_a_kill_while_typing_loses_two_seconds_at_most() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", TYPIST], cwd=REPOSITORY, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        times = []
        for line in process.stdout:
            times.append(float(line))
            if len(times) == 50:
                break
        killed = time.monotonic()
        process.send_signal(signal.SIGKILL)
        process.wait()
    text = orphans_in(paths.recovery())[0].unsaved.text
    kept = text.split()
    assert kept == [str(i) for i in range(len(kept))]
    lost = [at for at in times[len(kept) :] if killed - at > 2.0]
    assert lost == []


def test_the_command_opens_a_window_with_the_file_and_the_model(tmp_path: Path) -> None:
    tiny_bundle(tmp_path / "tiny")
    file = tmp_path / "text.txt"
    file.write_text("some text")
    command = [sys.executable, "-m", "app", str(file), "--model", str(tmp_path / "tiny")]
    with subprocess.Popen(command, cwd=REPOSITORY, stderr=subprocess.PIPE, text=True) as process:
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(4)
        process.terminate()
        assert process.stderr is not None
        said = [line for line in process.stderr if "propagateSizeHints" not in line]
    assert said == []
    assert file.read_text() == "some text"


def test_an_uncaught_exception_is_explained_once(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str] = []
    reporter = ErrorReporter(tmp_path / "log")

    def show(box: QMessageBox) -> None:
        shown.append(box.informativeText())
        reporter._hook(ValueError, ValueError("another, meanwhile"), None)

    monkeypatch.setattr(QMessageBox, "exec", show)
    reporter._hook(RuntimeError, RuntimeError("the reason"), None)
    assert len(shown) == 1
    assert "RuntimeError: the reason" in shown[0]


def test_words_are_counted_in_slices(qtbot: QtBot) -> None:
    from PySide6.QtGui import QTextDocument

    document = QTextDocument()
    count = WordCount(document)
    with qtbot.waitSignal(count.counted) as counted:
        document.setPlainText("one two\n\nthree — 四\u00a0五 six's\n")
    assert counted.args == [6]
    with qtbot.waitSignal(count.counted, timeout=10_000) as counted:
        document.setPlainText("word and word\n" * 30_000)
    assert counted.args == [90_000]


def test_a_log_that_cannot_be_written_is_stderr(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(logging, "raiseExceptions", True)
    monkeypatch.setattr(logging, "root", logging.RootLogger(logging.WARNING))
    (tmp_path / "log").mkdir()  # no file can have this name, nor be below another file
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "log", tmp_path / "file" / "log"):
        start_log(path)
        logging.root.warning("this is said")
        assert "this is said" in (said := capsys.readouterr().err)
        assert len(said.splitlines()) == 1
        for handler in list(logging.root.handlers):
            logging.root.removeHandler(handler)
            handler.close()
