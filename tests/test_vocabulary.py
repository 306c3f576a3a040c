"""Learning, forgetting and blocking in the window, down to the files."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QAction, QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QFileDialog, QMenu, QMessageBox
from scripted_engine import ScriptedEngine

from app import paths
from app.prediction import PredictionController
from app.settings import Settings, load_settings
from app.window import Window
from model.blocklist import BlockList
from model.memory import Memory

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

MakeWindow = Callable[..., Window]


@pytest.fixture
def engine() -> ScriptedEngine:
    return ScriptedEngine()


@pytest.fixture
def make(qtbot: QtBot, engine: ScriptedEngine) -> MakeWindow:
    def make(settings: Settings | None = None, *, is_ready: bool = True) -> Window:
        window = Window(PredictionController(engine.load), settings or Settings())
        qtbot.addWidget(window, before_close_func=lambda w: w.editor.document().setModified(False))
        window.show()
        if is_ready:
            with qtbot.waitSignal(window.controller.ready):
                window.controller.load(Path("/models/scripted"))
        return window

    return make


def known() -> set[str]:
    """All words in the memory's file."""
    if not paths.memory().exists():
        return set()
    with sqlite3.connect(paths.memory()) as db:
        found = {word for (word,) in db.execute("SELECT DISTINCT word FROM ngrams")}
    db.close()
    return found


def action(window: Window, text: str) -> QAction:
    found = [a for a in window.findChildren(QAction) if a.text().replace("&", "") == text]
    assert found, text
    return found[-1]


def is_on_disk(word: str) -> bool:
    return any(word.encode() in file.read_bytes() for file in paths.home().glob("memory*"))


def test_a_finished_sentence_is_learnt(qtbot: QtBot, make: MakeWindow) -> None:
    window = make()
    QTest.keyClicks(window.editor, "Yesterday I met Kyriakos. He")
    qtbot.waitUntil(lambda: "Kyriakos" in known(), timeout=3_000)
    assert "he" not in {word.lower() for word in known()}


def test_saving_learns_all_but_the_last_word_and_closing_that_too(
    qtbot: QtBot, make: MakeWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, path = make(), tmp_path / "text.txt"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    QTest.keyClicks(window.editor, "meeting Kyriakos tomor")
    window.filing.save()
    qtbot.waitUntil(lambda: {"meeting", "Kyriakos"} <= known())
    assert "tomor" not in known()
    QTest.keyClicks(window.editor, "row")
    window.filing.save()
    window.close()
    assert "tomorrow" in known()


def test_a_text_that_is_given_up_is_not_learnt_on_closing(
    make: MakeWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = make()
    QTest.keyClicks(window.editor, "meeting Kyriakos")
    monkeypatch.setattr(QMessageBox, "exec", lambda _: QMessageBox.StandardButton.Discard)
    window.close()
    assert known() == set()


def test_what_is_written_before_the_model_is_there_is_learnt_when_it_comes(
    qtbot: QtBot, make: MakeWindow
) -> None:
    window = make(is_ready=False)
    QTest.keyClicks(window.editor, "Yesterday I met Kyriakos. He")
    qtbot.wait(600)
    with qtbot.waitSignal(window.controller.ready):
        window.controller.load(Path("/models/scripted"))
    qtbot.waitUntil(lambda: "Kyriakos" in known())


def test_a_password_is_not_learnt(qtbot: QtBot, make: MakeWindow) -> None:
    window = make()
    QTest.keyClicks(window.editor, "My password is hunter2xyz. Ring Kyriakos. ")
    qtbot.waitUntil(lambda: "Kyriakos" in known(), timeout=3_000)
    assert not is_on_disk("hunter2xyz")


@pytest.mark.parametrize("setting", ["Learn From My Writing", "Private Mode"])
def test_nothing_is_learnt_when_the_writer_says_so(
    qtbot: QtBot, make: MakeWindow, setting: str
) -> None:
    window = make()
    QTest.keyClicks(window.editor, "before ")
    action(window, setting).trigger()
    QTest.keyClicks(window.editor, "private Kyriakos. Then")
    window.vocabulary.learn_rest(with_last_word=True)
    window.editor.document().setModified(False)
    window.close()
    assert known() == set()
    again = make(load_settings(paths.settings()))
    assert action(again, setting).isChecked() is (setting == "Private Mode")


def test_private_mode_leaves_no_trace_and_says_so(
    qtbot: QtBot, make: MakeWindow, tmp_path: Path
) -> None:
    window = make()
    assert not window.status.private.isVisible()
    QTest.keyClicks(window.editor, "text")
    window.filing.autosave.flush()
    assert list(paths.recovery().glob("*.unsaved"))
    action(window, "Private Mode").trigger()
    assert window.status.private.isVisible()
    assert not list(paths.recovery().glob("*.unsaved"))
    QTest.keyClicks(window.editor, " more")
    window.filing.autosave.flush()
    assert not list(paths.recovery().glob("*.unsaved"))
    window.editor.document().setModified(False)
    (tmp_path / "file.txt").write_text("x")
    window.filing.open_path(tmp_path / "file.txt")
    assert load_settings(paths.settings()).recent_files == ()
    action(window, "Private Mode").trigger()
    assert not window.status.private.isVisible()


def teach(text: str) -> None:
    paths.home().mkdir(parents=True, exist_ok=True)
    memory = Memory(paths.memory())
    memory.learn(text)
    memory.close()


def test_a_word_at_the_caret_is_forgotten_on_the_disk_too(qtbot: QtBot, make: MakeWindow) -> None:
    teach("I met Kyriakos and Anna.")
    assert is_on_disk("Kyriakos")
    window = make()
    QTest.keyClicks(window.editor, "Kyriakos")
    menu = action(window, "Word at the Caret").menu()
    assert isinstance(menu, QMenu)
    menu.aboutToShow.emit()
    with qtbot.waitSignal(window.controller.vocabulary_changed):
        action(window, "Forget “Kyriakos”").trigger()
    assert "Kyriakos" not in known()
    window.editor.document().setModified(False)
    window.close()
    assert "Anna" in known()
    assert not is_on_disk("Kyriakos")  # nor is it learnt again from the text it stands in


def button(box: QMessageBox, label: str) -> QAbstractButton:
    return next(one for one in box.buttons() if one.text().replace("&", "") == label)


def test_everything_is_forgotten_after_a_question(
    qtbot: QtBot, make: MakeWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    teach("I met Kyriakos and Anna.")
    window = make()
    monkeypatch.setattr(QMessageBox, "exec", lambda _: 0)
    monkeypatch.setattr(QMessageBox, "clickedButton", lambda box: button(box, "Cancel"))
    action(window, "Forget Everything Learnt…").trigger()
    assert "Anna" in known()
    monkeypatch.setattr(QMessageBox, "clickedButton", lambda box: button(box, "Forget Everything"))
    with qtbot.waitSignal(window.controller.vocabulary_changed):
        action(window, "Forget Everything Learnt…").trigger()
    assert known() == set()


def test_without_a_model_it_is_forgotten_too(qtbot: QtBot, make: MakeWindow) -> None:
    teach("I met Kyriakos and Anna.")
    window = make(is_ready=False)
    with qtbot.waitSignal(window.controller.vocabulary_changed):
        window.vocabulary.forget_everything()
    assert known() == set()
    with qtbot.waitSignal(window.controller.vocabulary_changed):
        window.vocabulary.block("word")
    assert BlockList(paths.blocklist()).blocked == {"word"}


def test_a_right_click_blocks_a_word_and_a_menu_offers_it_again(
    qtbot: QtBot, make: MakeWindow
) -> None:
    window = make()
    QTest.keyClicks(window.editor, "the qu")
    qtbot.waitUntil(lambda: not window.bar.is_empty)
    cell = window.bar._cells[1]
    place = cell.rect().center()
    click = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, cell.mapToGlobal(place))
    QApplication.sendEvent(cell, click)
    with qtbot.waitSignal(window.controller.vocabulary_changed):
        action(window, "Never Suggest “qub”").trigger()
    assert BlockList(paths.blocklist()).blocked == {"qub"}
    menu = action(window, "Never Suggested").menu()
    assert isinstance(menu, QMenu)
    menu.aboutToShow.emit()
    with qtbot.waitSignal(window.controller.vocabulary_changed):
        menu.actions()[0].trigger()
    assert BlockList(paths.blocklist()).blocked == frozenset()


def test_an_empty_place_has_no_menu(qtbot: QtBot, make: MakeWindow) -> None:
    window = make()
    cell = window.bar._cells[4]
    click = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, QPoint(3, 3), QPoint(3, 3))
    with qtbot.assertNotEmitted(window.bar.menu_wanted):
        QApplication.sendEvent(cell, click)


def test_a_block_list_that_cannot_be_written_is_one_line(qtbot: QtBot, make: MakeWindow) -> None:
    window = make()
    paths.blocklist().mkdir(parents=True)
    window.vocabulary.block("word")
    qtbot.waitUntil(lambda: "cannot be written" in window.notice.text)
    assert "\n" not in window.notice.text


def test_what_is_forgotten_is_asked_for_again(
    qtbot: QtBot, make: MakeWindow, engine: ScriptedEngine
) -> None:
    window = make()
    QTest.keyClicks(window.editor, "the qu")
    qtbot.waitUntil(lambda: window.bar.offered_for == window.editor.context())
    asked = len(engine.predictor.asked)
    window.vocabulary.forget("word")
    qtbot.waitUntil(lambda: len(engine.predictor.asked) > asked)
