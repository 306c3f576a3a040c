from __future__ import annotations

import dataclasses
import sqlite3
import stat
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox
from scripted_engine import ScriptedEngine

from app import paths
from app.prediction import PredictionController
from app.settings import Settings
from app.statistics import today
from app.statistics_dialog import StatisticsDialog
from app.statistics_store import Counts, StatisticsError, StatisticsStore
from app.window import Window

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot


@pytest.fixture
def window(qtbot: QtBot) -> Window:
    window = Window(PredictionController(ScriptedEngine().load), Settings())
    qtbot.addWidget(window, before_close_func=lambda w: w.editor.document().setModified(False))
    window.show()
    with qtbot.waitSignal(window.controller.ready):
        window.controller.load(paths.home())
    return window


def offered(qtbot: QtBot, window: Window, word: str) -> None:
    qtbot.waitUntil(lambda: bool(window.bar.words[0]) and window.bar.words[0].text == word)
    qtbot.waitUntil(lambda: window.editor.offers_words)


def counted(window: Window) -> Counts:
    window.statistics.keep()
    return window.statistics.store.counts(today())


def test_typed_keys_and_the_keys_that_a_taken_word_saves_are_counted(
    qtbot: QtBot, window: Window
) -> None:
    QTest.keyClicks(window.editor, "so qu")
    offered(qtbot, window, "qua")
    QTest.keyClick(window.editor, Qt.Key.Key_Tab)
    assert window.editor.text() == "so qua "
    counts = counted(window)
    assert counts.typed == len("so qu")
    assert counts.saved == len("a ") - 1
    assert counts.taken == 1


def test_shortcuts_and_moves_are_no_typing(window: Window) -> None:
    QTest.keyClicks(window.editor, "abc")
    QTest.keyClick(window.editor, Qt.Key.Key_Backspace)
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Home, Qt.Key.Key_Shift, Qt.Key.Key_F5):
        QTest.keyClick(window.editor, key)
    QTest.keyClick(window.editor, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert counted(window).typed == 4


def test_acceptance_is_measured_on_words_that_were_offered_something(
    qtbot: QtBot, window: Window
) -> None:
    for word in ("one ", "two "):  # offered, and typed out all the same
        QTest.keyClick(window.editor, word[0])
        offered(qtbot, window, f"{word[0]}a")
        QTest.keyClicks(window.editor, word[1:])
    QTest.keyClick(window.editor, "q")
    offered(qtbot, window, "qa")
    QTest.keyClick(window.editor, Qt.Key.Key_Tab)
    counts = counted(window)
    assert (counts.taken, counts.offered) == (1, 3)
    assert counts.acceptance == pytest.approx(1 / 3)


def test_private_mode_counts_nothing(qtbot: QtBot, window: Window) -> None:
    window.change(is_private=True)
    QTest.keyClick(window.editor, "q")
    offered(qtbot, window, "qa")
    QTest.keyClick(window.editor, Qt.Key.Key_Tab)
    assert counted(window) == Counts()
    assert window.statistics.store.latencies() == {}
    window.change(is_private=False)
    QTest.keyClick(window.editor, "q")
    assert counted(window).typed == 1


def test_one_latency_is_measured_for_a_key(qtbot: QtBot, window: Window) -> None:
    QTest.keyClick(window.editor, "q")
    offered(qtbot, window, "qa")
    qtbot.waitUntil(lambda: window.statistics._latencies.total() == 1)
    window.bar.repaint()
    window.statistics.keep()
    assert sum(window.statistics.store.latencies().values()) == 1


def test_no_text_reaches_the_file(qtbot: QtBot, window: Window) -> None:
    QTest.keyClicks(window.editor, "xylophone zebra ")
    window.statistics.close()
    data = paths.statistics().read_bytes()
    assert b"xylophone" not in data
    assert b"zebra" not in data


def test_two_windows_add_to_the_same_figures(tmp_path: Path) -> None:
    one, two = StatisticsStore(tmp_path / "s"), StatisticsStore(tmp_path / "s")
    one.add("2026-11-30", Counts(typed=3, saved=1), {2: 1})
    two.add("2026-11-30", Counts(typed=4, taken=1), {2: 1, 3: 5})
    one.add("2026-12-01", Counts(typed=10), {})
    assert two.counts("2026-11-30") == Counts(typed=7, saved=1, taken=1)
    assert two.counts() == Counts(typed=17, saved=1, taken=1)
    assert one.latencies() == {2: 2, 3: 5}
    one.close()
    two.close()


def test_the_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    store = StatisticsStore(tmp_path / "s")
    store.add("2026-11-30", Counts(typed=3), {})
    store.close()
    assert stat.S_IMODE((tmp_path / "s").stat().st_mode) == 0o600


def test_a_file_that_is_none_stops_no_writing_but_clearing_says_so(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "s"
    path.write_bytes(b"no database at all, but long enough to look like a damaged one" * 20)
    store = StatisticsStore(path)
    store.add("2026-11-30", Counts(typed=3), {})
    assert store.counts() == Counts()
    assert "not kept" in caplog.text
    with pytest.raises(StatisticsError, match="remove that file"):
        store.clear()
    store.close()


def test_clearing_leaves_no_figure_on_the_disk(tmp_path: Path) -> None:
    path = tmp_path / "s"
    store = StatisticsStore(path)
    store.add("1999-01-02", Counts(typed=3), {1: 7})
    store.clear()
    assert store.counts() == Counts()
    assert store.latencies() == {}
    store.close()
    assert b"1999-01-02" not in path.read_bytes()
    with sqlite3.connect(path) as db:
        assert db.execute("SELECT COUNT(*) FROM counts").fetchone() == (0,)
    db.close()


def test_the_dialog_shows_today_and_all_days_and_can_clear(
    qtbot: QtBot, window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = window.statistics.store
    store.add("2020-02-29", Counts(typed=900, saved=1100, offered=50, taken=30), {1: 98, 40: 2})
    store.add(today(), Counts(typed=75, saved=25, offered=10, taken=5), {})
    dialog = StatisticsDialog(window.statistics)
    qtbot.addWidget(dialog)
    dialog.show()
    assert [label.text() for label in dialog._today] == ["25", "25%", "50%"]
    assert [label.text() for label in dialog._total] == ["1,125", "54%", "58%"]
    assert dialog._speed.text() == "Half within 10 ms, 95 of 100 within 10 ms"
    dialog.grab()

    def agree(box: QMessageBox) -> None:
        next(b for b in box.buttons() if b.text() == "Clear").click()

    monkeypatch.setattr(QMessageBox, "exec", agree)
    dialog._clear.click()
    assert [label.text() for label in dialog._total] == ["0", "–", "–"]
    assert dialog._speed.text() == "Nothing measured yet."
    assert store.counts() == Counts()


def test_counts_without_words_have_no_shares() -> None:
    assert Counts().saved_share is None
    assert Counts().acceptance is None
    assert dataclasses.replace(Counts(), offered=2, taken=3).acceptance == 1
