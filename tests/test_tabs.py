"""Several texts in one window: tabs, carets, undo, closing, and the session of the next start."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QMessageBox
from windows import action, open_window, unchanged

from app import paths
from app.main import open_texts
from app.recovery import orphans_in
from app.settings import Settings, load_settings
from app.tabs import labels

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from app.window import Window

Button = QMessageBox.StandardButton


@pytest.fixture
def window(qtbot: QtBot) -> Window:
    return open_window(qtbot)


def files(folder: Path, **texts: str) -> list[Path]:
    paths = []
    for name, text in texts.items():
        path = folder / f"{name}.txt"
        path.write_text(text, newline="")
        paths.append(path)
    return paths


def answers(monkeypatch: pytest.MonkeyPatch, button: Button) -> list[str]:
    asked: list[str] = []

    def exec_(box: QMessageBox) -> Button:
        asked.append(box.text())
        return button

    monkeypatch.setattr(QMessageBox, "exec", exec_)
    return asked


def type_(window: Window, text: str) -> None:
    QTest.keyClicks(window.editor, text)


def test_each_text_keeps_its_caret_selection_and_undo(window: Window, tmp_path: Path) -> None:
    one, two = files(tmp_path, one="first text", two="second text")
    window.filing.open_path(one)
    type_(window, "A")
    window.filing.open_path(two)
    assert window.editor.text() == "second text"
    window.editor.moveCursor(QTextCursor.MoveOperation.End)
    window.editor.moveCursor(
        QTextCursor.MoveOperation.PreviousWord, QTextCursor.MoveMode.KeepAnchor
    )
    action(window, "previous-text").trigger()
    assert window.editor.text() == "Afirst text"
    assert window.editor.textCursor().position() == 1
    action(window, "undo").trigger()
    assert window.editor.text() == "first text"
    assert not action(window, "undo").isEnabled()
    assert action(window, "redo").isEnabled()
    action(window, "next-text").trigger()
    assert window.editor.textCursor().selectedText() == "text"
    assert not action(window, "redo").isEnabled()
    assert action(window, "copy").isEnabled()


def test_a_blank_text_gives_way_and_an_open_file_is_not_opened_twice(
    window: Window, tmp_path: Path
) -> None:
    one, two = files(tmp_path, one="1", two="2")
    window.filing.open_path(one)
    assert len(window.desk.sheets) == 1
    assert not window.tabs.isVisible()
    window.filing.open_path(two)
    window.filing.open_path(tmp_path / "x" / ".." / "one.txt")
    assert [sheet.file.name for sheet in window.desk.sheets] == ["one.txt", "two.txt"]
    assert window.editor.text() == "1"
    assert window.tabs.isVisible()


def test_tabs_show_names_folders_where_alike_and_what_is_unsaved(
    window: Window, tmp_path: Path
) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    for path in (*files(tmp_path / "a", note="1"), *files(tmp_path / "b", note="2", R_D="3")):
        window.filing.open_path(path)
    type_(window, "x")
    assert labels(window.desk.sheets) == ["note.txt – a", "note.txt – b", "R_D.txt •"]
    assert window.tabs.tabText(2) == "R_D.txt •"


def test_clicking_moving_and_closing_tabs(
    window: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in files(tmp_path, a="A", b="B", c="C"):
        window.filing.open_path(path)
    QTest.mouseClick(window.tabs, Qt.MouseButton.LeftButton, pos=window.tabs.tabRect(0).center())
    assert window.editor.text() == "A"
    window.tabs.moveTab(0, 2)
    assert [sheet.file.name for sheet in window.desk.sheets] == ["b.txt", "c.txt", "a.txt"]
    assert window.editor.text() == "A"
    QTest.mouseClick(window.tabs, Qt.MouseButton.MiddleButton, pos=window.tabs.tabRect(1).center())
    assert [sheet.file.name for sheet in window.desk.sheets] == ["b.txt", "a.txt"]
    assert window.editor.text() == "A"
    type_(window, "x")
    asked = answers(monkeypatch, Button.Cancel)
    action(window, "close").trigger()
    assert asked == ["Save the changes to a.txt?"]
    assert window.editor.text() == "xA"
    answers(monkeypatch, Button.Discard)
    action(window, "close").trigger()
    assert window.editor.text() == "B"
    action(window, "close").trigger()
    assert window.editor.text() == ""
    assert window.desk.current.is_blank


def test_closing_the_window_asks_once_about_all_texts(
    window: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = files(tmp_path, one="1", two="2")
    for path in (one, two):
        window.filing.open_path(path)
        type_(window, "x")
    asked = answers(monkeypatch, Button.Cancel)
    assert not window.close()
    assert asked == ["Save the changes to 2 texts?"]
    answers(monkeypatch, Button.SaveAll)
    assert window.close()
    assert (one.read_text(), two.read_text()) == ("x1", "x2")
    assert not list(paths.recovery().glob("*.unsaved"))


def test_a_save_that_is_cancelled_stops_the_closing(
    window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    type_(window, "one")
    action(window, "new").trigger()
    type_(window, "two")
    answers(monkeypatch, Button.SaveAll)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: ("", ""))
    assert not window.close()
    assert window.isVisible()
    assert [sheet.paper.text() for sheet in window.desk.sheets] == ["one", "two"]


def test_words_of_another_text_are_never_taken(qtbot: QtBot, window: Window) -> None:
    with qtbot.waitSignal(window.controller.ready):
        window.controller.load(Path("/models/scripted"))
    type_(window, "the qu")
    qtbot.waitUntil(lambda: not window.bar.is_empty)
    offered_for = window.bar.offered_for
    assert offered_for
    action(window, "new").trigger()
    assert window.bar.is_empty
    action(window, "word-1").trigger()
    assert window.editor.text() == ""
    type_(window, "the q")
    qtbot.waitUntil(lambda: window.bar.offered_for == window.editor.context())
    assert next(word.text for word in window.bar.words if word) == "qa"


def test_files_dropped_anywhere_are_opened(window: Window, tmp_path: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(p)) for p in files(tmp_path, one="1", two="2")])
    event = QDropEvent(
        QPointF(5, 5), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )  # fmt: skip
    window.dropEvent(event)
    assert [sheet.paper.text() for sheet in window.desk.sheets] == ["1", "2"]


def test_a_missing_file_is_begun_and_said_to_be_new(window: Window, tmp_path: Path) -> None:
    window.filing.start(tmp_path / "nosuch")
    assert window.status.said == "nosuch is new. It will be made when you save."
    assert window.windowTitle().startswith("nosuch")
    type_(window, "text")
    action(window, "save").trigger()
    assert (tmp_path / "nosuch").read_text() == "text"


def test_a_new_file_that_another_program_made_meanwhile_is_not_overwritten_unasked(
    window: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.filing.start(tmp_path / "nosuch")
    type_(window, "mine")
    (tmp_path / "nosuch").write_text("theirs")
    asked = answers(monkeypatch, Button.Cancel)
    assert not window.filing.save()
    assert asked == ["nosuch was changed by another program."]


def test_the_session_comes_back_with_carets_and_order(qtbot: QtBot, tmp_path: Path) -> None:
    first = open_window(qtbot)
    open_texts(first, [], is_main=True)
    a, b, gone = files(tmp_path, a="line\n" * 200, b="second", gone="3")
    for path in (a, b, gone):
        first.filing.open_path(path)
    first.desk.turn_to(first.desk.sheets[1])
    first.editor.moveCursor(QTextCursor.MoveOperation.EndOfWord)
    first.desk.turn_to(first.desk.sheets[0])
    cursor = first.editor.textCursor()
    cursor.setPosition(700)
    first.editor.setTextCursor(cursor)
    assert first.close()
    gone.unlink()
    second = open_window(qtbot)
    open_texts(second, [], is_main=True)
    assert [sheet.file.name for sheet in second.desk.sheets] == ["a.txt", "b.txt"]
    assert second.desk.current.file.path == a
    assert second.editor.textCursor().position() == 700
    second.desk.turn_by(1)
    assert second.editor.textCursor().position() == 6
    assert not second.isWindowModified()


def test_a_chosen_file_is_seen_above_the_session(qtbot: QtBot, tmp_path: Path) -> None:
    a, b = files(tmp_path, a="A", b="B")
    first = open_window(qtbot)
    open_texts(first, [a], is_main=True)
    first.close()
    second = open_window(qtbot)
    open_texts(second, [b], is_main=True)
    assert [sheet.file.path for sheet in second.desk.sheets] == [a, b]
    assert second.editor.text() == "B"


def test_a_window_beside_the_main_one_has_no_session(qtbot: QtBot, tmp_path: Path) -> None:
    (a,) = files(tmp_path, a="A")
    main = open_window(qtbot)
    open_texts(main, [a], is_main=True)
    main.session.write()
    beside = open_window(qtbot)
    open_texts(beside, [], is_main=False)
    assert beside.desk.current.is_blank
    beside.close()
    assert json.loads(paths.session().read_text())["places"][0]["path"] == str(a)


def test_private_mode_leaves_no_session_and_no_recovery_file(qtbot: QtBot, tmp_path: Path) -> None:
    (a,) = files(tmp_path, a="A")
    window = open_window(qtbot, Settings(is_private=True))
    open_texts(window, [a], is_main=True)
    type_(window, "x")
    action(window, "new").trigger()
    type_(window, "y")
    qtbot.wait(1_200)
    assert not list(paths.recovery().glob("*.unsaved"))
    unchanged(window)
    window.close()
    assert json.loads(paths.session().read_text())["places"] == []
    assert load_settings(paths.settings()).recent_files == ()


@pytest.mark.parametrize(
    "damage", ["", "[]", "{", '{"places": [{}]}', '{"places": [{"path": 3}]}', '{"places": 1}']
)
def test_a_damaged_session_is_an_empty_one(qtbot: QtBot, damage: str) -> None:
    paths.session().parent.mkdir(parents=True)
    paths.session().write_text(damage)
    window = open_window(qtbot)
    open_texts(window, [], is_main=True)
    assert window.desk.current.is_blank


def test_every_unsaved_text_is_kept_and_comes_back(qtbot: QtBot, tmp_path: Path) -> None:
    (a,) = files(tmp_path, a="A")
    window = open_window(qtbot)
    window.filing.open_path(a)
    type_(window, "x")
    action(window, "new").trigger()
    type_(window, "no name yet")
    for sheet in window.desk.sheets:
        sheet.autosave.flush()
        lock = sheet._recovery._lock
        assert lock
        lock.unlock()  # as the system does for a process that dies
    again = open_window(qtbot)
    open_texts(again, [], is_main=True)
    assert {sheet.paper.text() for sheet in again.desk.sheets} == {"xA", "no name yet"}
    assert again.editor.text() == "no name yet"
    assert again.editor.textCursor().position() == len("no name yet")
    assert orphans_in(paths.recovery()) == []


def changed(qtbot: QtBot, window: Window, path: Path, text: str) -> None:
    """Let another program replace the file, as most of them do it."""
    sibling = path.with_suffix(".new")
    sibling.write_text(text, newline="")
    sibling.replace(path)
    qtbot.waitUntil(lambda: window.notice.text != "", timeout=3_000)


def test_a_file_changed_on_disk_is_loaded_and_undo_brings_mine_back(
    qtbot: QtBot, window: Window, tmp_path: Path
) -> None:
    (a,) = files(tmp_path, a="theirs")
    window.filing.open_path(a)
    type_(window, "mine ")
    changed(qtbot, window, a, "new\r\nfrom them")
    assert "a.txt was changed by another program" in window.notice.text
    window.notice.answer("Load")
    assert window.editor.text() == "new\nfrom them"
    assert not window.isWindowModified()
    assert window.notice.text == ""
    action(window, "undo").trigger()
    assert window.editor.text() == "mine theirs"
    action(window, "redo").trigger()
    type_(window, "x")
    action(window, "save").trigger()
    assert a.read_bytes().count(b"\r\n") == 1
    changed(qtbot, window, a, "once more")  # the replaced file is watched too


def test_keeping_mine_asks_no_second_time(
    qtbot: QtBot, window: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (a,) = files(tmp_path, a="theirs")
    window.filing.open_path(a)
    changed(qtbot, window, a, "other")
    window.notice.answer("Keep Mine")
    assert window.isWindowModified()
    asked = answers(monkeypatch, Button.Cancel)
    assert window.filing.save()
    assert asked == []
    assert a.read_text() == "theirs"


def test_a_change_of_a_text_behind_is_told_when_it_is_seen(
    qtbot: QtBot, window: Window, tmp_path: Path
) -> None:
    a, b = files(tmp_path, a="A", b="B")
    window.filing.open_path(a)
    window.filing.open_path(b)
    a.write_text("changed")
    qtbot.wait(500)
    assert window.notice.text == ""
    window.desk.turn_by(-1)
    qtbot.waitUntil(lambda: "a.txt was changed" in window.notice.text)
    window.desk.turn_by(1)
    assert window.notice.text == ""


def test_a_removed_file_is_told_and_saving_makes_it_again(
    qtbot: QtBot, window: Window, tmp_path: Path
) -> None:
    (a,) = files(tmp_path, a="A")
    window.filing.open_path(a)
    a.unlink()
    qtbot.waitUntil(lambda: "a.txt is no longer there" in window.notice.text, timeout=3_000)
    assert window.isWindowModified()
    assert window.filing.save()
    assert a.read_text() == "A"


def test_a_file_that_was_only_touched_is_no_news(
    qtbot: QtBot, window: Window, tmp_path: Path
) -> None:
    (a,) = files(tmp_path, a="A")
    window.filing.open_path(a)
    a.write_text("A")
    window.disk_changes.look()
    assert window.notice.text == ""
    assert not window.desk.current.file.is_changed_on_disk()
