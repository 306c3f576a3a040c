"""Files in the window: saved and opened, closed with a question, and found again after a crash."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QMessageBox
from windows import action, open_window

from app import paths
from app.recovery import RecoveryStore, Unsaved, orphans_in
from app.settings import load_settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

    from app.window import Window

Button = QMessageBox.StandardButton


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[Window]:
    """A window with the scripted model at work."""
    window = open_window(qtbot)
    with qtbot.waitSignal(window.controller.ready):
        window.controller.load(Path("/models/scripted"))
    yield window
    assert not window.controller._thread.isRunning()  # closed by now


def answer(monkeypatch: pytest.MonkeyPatch, button: Button) -> list[str]:
    """Answer every question with this button; returns what was asked."""
    asked: list[str] = []

    def exec_(box: QMessageBox) -> Button:
        asked.append(box.text())
        return button

    monkeypatch.setattr(QMessageBox, "exec", exec_)
    return asked


def test_saving_opening_and_recent_files(
    qtbot: QtBot, window: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a & b.txt"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    QTest.keyClicks(window.editor, "hello")
    assert window.isWindowModified()
    action(window, "save").trigger()
    assert path.read_text() == "hello"
    assert not window.isWindowModified()
    assert window.windowTitle().startswith("a & b.txt")
    action(window, "new").trigger()
    assert window.editor.text() == ""
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: ([str(path)], ""))
    action(window, "open").trigger()
    assert window.editor.text() == "hello"
    assert load_settings(paths.settings()).recent_files == (str(path),)


def test_a_cancelled_save_dialog_saves_nothing(
    window: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: ("", ""))
    QTest.keyClicks(window.editor, "hello")
    assert not window.filing.save()
    assert window.isWindowModified()


@pytest.mark.parametrize(
    ("button", "closed", "saved"),
    [(Button.Save, True, "new text"), (Button.Discard, True, "old"), (Button.Cancel, False, "old")],
)
def test_closing_with_unsaved_changes_asks(
    window: Window,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    button: Button,
    closed: bool,
    saved: str,
) -> None:
    path = tmp_path / "file.txt"
    path.write_text("old")
    window.filing.open_path(path)
    window.editor.selectAll()
    QTest.keyClicks(window.editor, "new text")
    asked = answer(monkeypatch, button)
    assert window.close() is closed
    assert asked == ["Save the changes to file.txt?"]
    assert path.read_text() == saved
    assert window.isVisible() is not closed


def test_closing_a_saved_document_asks_nothing_and_leaves_no_recovery_file(
    window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = answer(monkeypatch, Button.Cancel)
    QTest.keyClicks(window.editor, "x")
    window.filing.autosave.flush()
    assert list(paths.recovery().glob("*.unsaved"))
    window.editor.undo()
    assert window.close()
    assert asked == []
    assert not list(paths.recovery().glob("*.unsaved"))


@pytest.mark.parametrize("name", ["absent.txt", ".", "picture.png"])
def test_a_bad_file_is_explained_and_the_text_stays(
    window: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    said: list[str] = []
    monkeypatch.setattr(QMessageBox, "warning", lambda *args: said.append(args[2]))
    assert not window.filing.open_path(tmp_path / name)
    assert len(said) == 1
    assert str(tmp_path) in said[0]
    assert window.filing.document.path is None


def test_a_file_changed_by_another_program_is_not_overwritten_unasked(
    window: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file.txt"
    path.write_text("old")
    window.filing.open_path(path)
    QTest.keyClicks(window.editor, "x")
    path.write_text("theirs")
    asked = answer(monkeypatch, Button.Cancel)
    assert not window.filing.save()
    assert asked == ["file.txt was changed by another program."]
    assert path.read_text() == "theirs"


def test_a_character_the_encoding_lacks_can_be_saved_as_utf8(
    window: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file.txt"
    path.write_bytes("déjà vu, très bien, été".encode("cp1252"))
    window.filing.open_path(path)
    window.editor.insertPlainText("→")
    monkeypatch.setattr(QMessageBox, "exec", lambda _: 0)
    monkeypatch.setattr(QMessageBox, "clickedButton", lambda box: box.buttons()[0])
    assert window.filing.save()
    assert path.read_text("utf-8") == "→déjà vu, très bien, été"


def test_the_texts_of_a_crashed_window_are_restored(qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    path.write_bytes(b"on disk\r\n")
    for text, at in (("typed but not saved\n", 2.0), ("older", 1.0)):
        store = RecoveryStore(paths.recovery())
        store.write(Unsaved(text, path if at == 2.0 else None, at))
        assert store._lock
        store._lock.unlock()
    window = open_window(qtbot)
    window.filing.recover(orphans_in(paths.recovery()))
    assert window.editor.text() == "typed but not saved\n"
    assert window.isWindowModified()
    assert "Restored unsaved changes to file.txt and Untitled" in window.notice.text
    texts = [sheet.paper.text() for sheet in window.desk.sheets]
    assert texts == ["older", "typed but not saved\n"]
    assert orphans_in(paths.recovery()) == []  # each is kept safe by its own sheet now
    assert len(list(paths.recovery().glob("*.unsaved"))) == 2
    window.filing.save()
    assert path.read_bytes() == b"typed but not saved\r\n"
