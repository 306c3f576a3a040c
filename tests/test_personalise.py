"""From a folder of texts to a personal model in the editor, with a real child process."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QMessageBox, QPushButton
from tiny_models import TINY_LLAMA, tiny_bundle

from app import models, paths
from app.personalise import check_page, request
from app.personalise.protocol import Finished, Stage, Step, TrainingError, parse_line
from app.personalise.training import Training
from app.prediction import PredictionController
from app.settings import Settings
from app.window import Window
from model.bundle import seal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytestqt.qtbot import QtBot

    from app.personalise.dialog import PersonaliseDialog
    from model.bundle import Bundle
    from training.export import Precision

SCRIPT = Path(__file__).with_name("stand_in_training.py")
LONG_MS = 60_000
GENTLY = request._gently


@pytest.fixture
def letters(tmp_path: Path) -> Path:
    folder = tmp_path / "letters"
    folder.mkdir()
    (folder / "ann.txt").write_text("Dear Ann, the pavlova was great.")
    return folder


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the stand-in makes of `tiny`."""
    bundle = tiny_bundle(tmp_path_factory.mktemp("stand-in") / "trained", TINY_LLAMA, seed=2)
    return seal(bundle.folder, {**bundle.card, "trained": {"base": "tiny"}}).folder


@pytest.fixture(autouse=True)
def base(
    bundle_of: Callable[[str, Precision], Bundle], trained: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The selected model `tiny`, and a stand-in that trains another one."""
    catalogue = models.catalogue()
    with catalogue.staging("tiny") as work:
        staged = shutil.copytree(bundle_of("llama", "float").folder, work / "bundle")
        catalogue.publish("tiny", staged)
    catalogue.select("tiny")
    monkeypatch.setenv("STAND_IN_MODEL", str(trained))
    monkeypatch.setenv("STAND_IN", "ok")
    monkeypatch.setattr(request, "_gently", list)  # on a busy machine it would take for ever
    monkeypatch.setattr(request, "command_of", lambda module: [sys.executable, str(SCRIPT), module])


@pytest.fixture
def training(qtbot: QtBot) -> Iterator[Training]:
    training = Training()
    yield training
    training.stop()


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[Window]:
    """A window with the real model at work."""
    window = Window(PredictionController(), Settings())
    qtbot.addWidget(window, before_close_func=lambda w: w.editor.document().setModified(False))
    window.show()
    with qtbot.waitSignal(window.controller.ready, timeout=LONG_MS):
        window.models.start(None)
    yield window
    window.personalising.stop()


def open_dialog(qtbot: QtBot, window: Window) -> PersonaliseDialog:
    window.personalising.open()
    assert window.personalising.dialog is not None
    qtbot.waitExposed(window.personalising.dialog)
    return window.personalising.dialog


def press(button: QPushButton) -> None:
    assert button.isEnabled()
    assert button.isVisible()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def begin(qtbot: QtBot, dialog: PersonaliseDialog, letters: Path) -> None:
    dialog.choose.add([str(letters)])
    press(dialog.forward)
    qtbot.waitUntil(lambda: dialog.forward.isEnabled(), timeout=LONG_MS)
    press(dialog.forward)


def wait_for(qtbot: QtBot, training: Training, state: str) -> None:
    qtbot.waitUntil(lambda: training.state == state, timeout=LONG_MS)


def test_from_texts_to_a_personal_model_at_work_and_back(
    qtbot: QtBot, window: Window, letters: Path
) -> None:
    dialog = open_dialog(qtbot, window)
    assert not dialog.forward.isEnabled()
    dialog.choose.add([str(letters), str(letters)])
    assert dialog.choose.list.count() == 1
    dialog.choose.author.setText("Ann Lee")
    press(dialog.forward)
    qtbot.waitUntil(lambda: dialog.forward.isEnabled(), timeout=LONG_MS)
    assert "12 texts from 14 files, 48,213 words" in dialog.check.summary.text()
    assert "about 10 minutes" in dialog.check.summary.text()
    assert dialog.check.advice.text() == "This is little text."
    assert "the pavlova was great.\n— ann.txt" in dialog.check.samples.toPlainText()
    assert dialog.check.left_out.item(1, 2).text() == "repeated in many texts"
    press(dialog.forward)
    assert dialog.page is dialog.progress
    training = window.personalising.training
    wait_for(qtbot, training, "finished")

    assert dialog.page is dialog.compare
    assert "now saves 41.2 %" in dialog.compare.verdict.text()
    shown = [label.text() for label in dialog.compare.findChildren(QLabel)]
    assert {"Keystrokes saved", "35.0 %", "41.2 %", "40.2", "28.1"} <= set(shown)
    assert models.catalogue().selected() == "tiny"  # nothing changes unasked
    with qtbot.waitSignal(window.controller.ready, timeout=LONG_MS):
        press(dialog.forward)
    assert not dialog.isVisible()
    assert models.catalogue().selected() == window.models.name == "personal"
    assert request.unfinished() is None

    with qtbot.waitSignal(window.controller.ready, timeout=LONG_MS):
        window.models.go_back()
    assert models.catalogue().selected() == window.models.name == "tiny"


def test_keeping_the_old_one_keeps_it_although_the_new_one_has_its_name(
    qtbot: QtBot, window: Window, letters: Path
) -> None:
    catalogue, training = models.catalogue(), window.personalising.training
    dialog = open_dialog(qtbot, window)
    begin(qtbot, dialog, letters)
    wait_for(qtbot, training, "finished")
    with qtbot.waitSignal(window.controller.ready, timeout=LONG_MS):
        press(dialog.forward)
    first = catalogue.folder("personal")

    begin(qtbot, open_dialog(qtbot, window), letters)
    wait_for(qtbot, training, "finished")
    assert training.result is not None
    assert training.result.folder != first
    assert catalogue.folder("personal") == first
    press(dialog.back)
    assert not dialog.isVisible()
    assert training.state == "idle"
    assert catalogue.folder("personal") == first
    assert len(catalogue.versions("personal")) == 2
    assert window.personalising.note.isHidden()


def test_a_paused_training_goes_on_where_it_was(
    qtbot: QtBot, window: Window, letters: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STAND_IN", "slow")
    dialog, training = open_dialog(qtbot, window), window.personalising.training
    begin(qtbot, dialog, letters)
    qtbot.waitUntil(lambda: len(training.losses) == 2, timeout=LONG_MS)
    dialog.close()
    assert window.personalising.note.isVisible()
    assert "8 minutes left" in window.personalising.note.text()
    press(window.personalising.note)
    assert dialog.isVisible()
    assert dialog.page is dialog.progress
    press(dialog.progress.pause)
    wait_for(qtbot, training, "paused")
    assert "saved" in dialog.progress.now.text()
    assert window.personalising.note.text() == "Training paused"
    monkeypatch.setenv("STAND_IN", "ok")
    press(dialog.progress.pause)
    wait_for(qtbot, training, "finished")
    assert [step for step, _ in training.losses] == list(range(1, 11))
    assert [step for step, _ in training.held] == [1, 3, 5, 7, 9]


def test_giving_up_leaves_nothing_behind(
    qtbot: QtBot, window: Window, letters: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STAND_IN", "slow")
    dialog, training = open_dialog(qtbot, window), window.personalising.training
    begin(qtbot, dialog, letters)
    qtbot.waitUntil(lambda: bool(training.losses), timeout=LONG_MS)
    answer(monkeypatch, "Keep")
    press(dialog.progress.cancel)
    assert training.is_running
    answer(monkeypatch, "Throw Away")
    press(dialog.progress.cancel)
    assert not training.is_running
    assert dialog.page is dialog.choose
    assert dialog.choose.paths == [str(letters)]
    assert [path.name for path in paths.training().iterdir()] == ["last.json"]
    assert models.catalogue().names() == ["tiny"]


def answer(monkeypatch: pytest.MonkeyPatch, text: str) -> list[str]:
    """Answer every question with the button of this text; returns what was asked."""
    asked: list[str] = []

    def exec_(box: QMessageBox) -> None:
        asked.append(box.text())
        next(b for b in box.buttons() if b.text() == text).click()

    monkeypatch.setattr(QMessageBox, "exec", exec_)
    return asked


def test_closing_asks_and_the_next_start_offers_to_go_on(
    qtbot: QtBot, window: Window, letters: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STAND_IN", "slow")
    begin(qtbot, open_dialog(qtbot, window), letters)
    training = window.personalising.training
    qtbot.waitUntil(lambda: len(training.losses) > 1, timeout=LONG_MS)
    asked = answer(monkeypatch, "Keep Training")
    assert not window.close()
    assert asked == ["Your personal model is still being trained. Stop and close?"]
    assert training.is_running
    answer(monkeypatch, "Stop and Close")
    assert window.close()
    assert not training.is_running

    monkeypatch.setenv("STAND_IN", "ok")
    later = Window(PredictionController(), Settings())
    qtbot.addWidget(later)
    later.show()
    later.personalising.offer_to_continue(later.notice)
    assert "was interrupted" in later.notice.text
    later.notice.answer("Continue")
    wait_for(qtbot, later.personalising.training, "finished")
    assert [step for step, _ in later.personalising.training.losses] == list(range(1, 11))
    assert later.personalising.note.text() == "Your personal model is ready"


def test_a_result_waits_for_a_decision_until_the_next_start(
    qtbot: QtBot, training: Training, letters: Path
) -> None:
    training.begin([str(letters)], "")
    wait_for(qtbot, training, "finished")
    later = Training()
    assert (later.state, later.result) == ("finished", training.result)
    later.put_away()
    assert Training().state == "idle"


@pytest.mark.parametrize(
    ("how", "state", "said"),
    [("fail", "failed", "the disk is full"), ("crash", "failed", "RuntimeError: a mistake"),
     ("killed", "paused", "ended from outside")],
)  # fmt: skip
def test_a_failure_is_told_and_can_be_tried_again(
    qtbot: QtBot, window: Window, letters: Path, monkeypatch: pytest.MonkeyPatch,
    how: str, state: str, said: str,
) -> None:  # fmt: skip
    monkeypatch.setenv("STAND_IN", how)
    dialog, training = open_dialog(qtbot, window), window.personalising.training
    begin(qtbot, dialog, letters)
    wait_for(qtbot, training, state)
    assert said in dialog.progress.now.text()
    assert dialog.progress.pause.text() == ("&Try Again" if state == "failed" else "&Continue")
    assert request.unfinished() == training.request
    monkeypatch.setenv("STAND_IN", "ok")
    press(dialog.progress.pause)
    wait_for(qtbot, training, "finished")


def test_texts_that_cannot_be_used_are_explained(
    qtbot: QtBot, window: Window, letters: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = open_dialog(qtbot, window)
    dialog.choose.add([str(letters)])
    for how, said in (("unreadable", "no such folder: letters"), ("empty", "Nothing was found")):
        monkeypatch.setenv("STAND_IN", how)
        press(dialog.forward)
        qtbot.waitUntil(lambda said=said: said in dialog.check.summary.text(), timeout=LONG_MS)
        assert not dialog.forward.isEnabled()
        press(dialog.back)
        assert dialog.page is dialog.choose


def test_without_torch_nothing_is_begun(
    qtbot: QtBot, window: Window, letters: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check_page, "torch_command", lambda: ["pip", "install", "torch<3"])
    dialog = open_dialog(qtbot, window)
    dialog.choose.add([str(letters)])
    press(dialog.forward)
    qtbot.waitUntil(lambda: "12 texts" in dialog.check.summary.text(), timeout=LONG_MS)
    assert "pip install 'torch<3'" in dialog.check.advice.text()
    assert not dialog.forward.isEnabled()


def test_texts_are_dropped_and_removed(qtbot: QtBot, window: Window, letters: Path) -> None:
    choose = open_dialog(qtbot, window).choose
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(letters)), QUrl("https://example.org/a.txt")])
    copy, left = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    none = Qt.KeyboardModifier.NoModifier
    choose.dropEvent(QDropEvent(QPoint(5, 5), copy, data, left, none))
    assert choose.paths == [str(letters)]
    assert choose.list.item(0).text() == "letters/"
    choose.list.setCurrentRow(0)
    QTest.keyClick(choose.list, Qt.Key.Key_Delete)
    assert choose.paths == []


def test_two_windows_do_not_train_at_once(
    qtbot: QtBot, training: Training, letters: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STAND_IN", "slow")
    training.begin([str(letters)], "")
    other = Training()
    assert other.is_elsewhere
    other.go_on()
    assert (other.state, other.is_running) == ("failed", False)
    other.begin([str(letters)], "")
    assert "another window" in other.problem
    assert request.unfinished() == training.request
    training.stop()
    assert not other.is_elsewhere


@pytest.mark.skipif(not shutil.which("nice"), reason="needs nice")
def test_training_gives_way_to_everything_else(
    qtbot: QtBot, training: Training, letters: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request, "_gently", GENTLY)
    monkeypatch.setenv("STAND_IN", "slow")
    training.begin([str(letters)], "")
    qtbot.waitUntil(lambda: training._child._process.processId() > 0, timeout=LONG_MS)
    pid = training._child._process.processId()
    qtbot.waitUntil(lambda: os.getpriority(os.PRIO_PROCESS, pid) == request.NICENESS)


def test_only_run_folders_are_thrown_away(user_folder: Path, letters: Path) -> None:
    kept = paths.training() / "corpus"
    kept.mkdir(parents=True)
    begun = request.begin([str(letters)], "Ann")
    assert Path(begun.run).is_dir()
    assert request.unfinished() == request.last() == begun
    request.discard()
    assert not Path(begun.run).exists()
    assert kept.is_dir()
    assert request.unfinished() is None


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"paths": 3}', '{"paths": [], "odd": 1}'])
def test_a_garbled_request_is_none(user_folder: Path, content: str) -> None:
    paths.training().mkdir(parents=True)
    (paths.training() / "request.json").write_text(content)
    assert request.unfinished() is None


def test_lines_of_the_child_are_understood() -> None:
    step = {"stage": "train", "step": 3, "steps": 9, "loss": 3.5, "tokens_per_second": 300,
            "seconds_left": 12.5, "learning_rate": 1e-4}  # fmt: skip
    assert parse_line(json.dumps(step)) == Step(3, 9, 3.5, 300.0, 12.5)
    assert parse_line(json.dumps({**step, "held_perplexity": 30})) == Step(
        3, 9, 3.5, 300.0, 12.5, 30.0
    )
    assert parse_line('{"stage": "merge", "done": 1, "total": 2}') == Stage("merge", 1, 2, "")
    finished = {"finished": {"name": "personal", "version": "1", "verdict": "Good."}}
    assert parse_line(json.dumps(finished)) == Finished(
        "personal", "1", Path(), 0.0, "Good.", {}, {}
    )
    for nonsense in ("", "warming up", "[1]", "3", "{}", '{"odd": 1}'):
        assert parse_line(nonsense) is None
    with pytest.raises(TrainingError, match="no room"):
        parse_line('{"error": "no room"}')


def test_several_names_of_the_author_have_commas_between_them() -> None:
    wanted = request.Request(("mail",), author=" Ann Lee, ann@example.org,", run="run")
    for command in (wanted.command(), wanted.reading_command()):
        names = [command[i + 1] for i, word in enumerate(command) if word == "--author"]
        assert names == ["Ann Lee", "ann@example.org"]
    assert "--author" not in request.Request(("mail",), author=" ").command()
