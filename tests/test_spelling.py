"""Spelling: words, languages, the writer's own words, underlines and remedies."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QContextMenuEvent, QTextCharFormat, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from windows import action, open_window

from app import dictionaries, paths
from app.dictionaries import find_dictionaries, language_for, title_of
from app.speller import Speller, words_in

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from app.window import Window


@pytest.fixture
def speller(tmp_path: Path) -> Speller:
    speller = Speller(tmp_path / "words.txt")
    speller.use("en_US")
    return speller


@pytest.fixture
def window(qtbot: QtBot) -> Window:
    window = open_window(qtbot)
    window.change(spelling_language="en_US")
    return window


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with a tiny German dictionary, where dictionaries are looked for."""
    (tmp_path / "de_AT.aff").write_text("SET UTF-8\nSFX N Y 1\nSFX N 0 n .\n")
    (tmp_path / "de_AT.dic").write_text("2\nJänner/N\nschön\n")
    (tmp_path / "hyph_de.dic").write_text("")
    (tmp_path / "broken.dic").write_text("")
    monkeypatch.setenv("DICPATH", str(tmp_path))
    dictionaries.find_dictionaries.cache_clear()
    yield tmp_path
    dictionaries.find_dictionaries.cache_clear()


@pytest.mark.parametrize(
    ("word", "is_right"),
    [("house", True), ("hous", False), ("don't", True), ("don’t", True), ("dont", False),
     ("London", True), ("london", False), ("cafe\u0301", True), ("Привет", True)],
)  # fmt: skip
def test_words(speller: Speller, word: str, is_right: bool) -> None:
    assert speller.is_right(word) is is_right


def test_suggestions_keep_the_apostrophe(speller: Speller) -> None:
    assert speller.suggestions("recieve")[0] == "receive"
    assert "don't" in speller.suggestions("dont'")
    assert any("’" in word for word in speller.suggestions("dosen’t"))
    assert speller.suggestions("Приветт") == []


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("A naïve 😀 test, isn’t it?", [(0, "A"), (2, "naïve"), (10, "test"), (16, "isn’t"),
                                       (22, "it")]),
        ("see https://a.bc/defg now", [(0, "see"), (22, "now")]),
        ("mail x.y@example.org or /etc/fstab", [(0, "mail"), (21, "or")]),
        ("`code here` and snake_case mp3 R2D2", [(12, "and")]),
        ("NATO and 日本語です", [(5, "and")]),
        ("well-known", [(0, "well"), (5, "known")]),
        ("", []),
    ],
)  # fmt: skip
def test_what_is_worth_checking(line: str, words: list[tuple[int, str]]) -> None:
    found = list(words_in(line))
    assert found == words
    for start, word in found:
        assert line[start : start + len(word)] == word


def test_own_words_are_right_here_and_next_time(speller: Speller, tmp_path: Path) -> None:
    assert not speller.is_right("Foretype")
    speller.add("Foretype")
    assert speller.is_right("Foretype")
    again = Speller(tmp_path / "words.txt")
    assert again.is_right("Foretype")
    assert not again.is_right("Foretypes")


def test_own_words_that_cannot_be_kept_are_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    speller = Speller(tmp_path / "file" / "words.txt")
    with pytest.raises(OSError, match=r"words\.txt"):
        speller.add("word")
    assert speller.is_right("word")


def test_dictionaries_are_found_and_named(folder: Path, tmp_path: Path) -> None:
    assert find_dictionaries()["de_AT"] == folder / "de_AT.dic"
    assert {"hyph_de", "broken"}.isdisjoint(find_dictionaries())
    assert "en_US" in find_dictionaries()  # comes along
    assert language_for("de_AT") == "de_AT"
    assert language_for("de_CH") == "de_AT"
    assert language_for("xx_XX") == "en_US"
    assert title_of("de_AT") == "Deutsch (Österreich)" or "sterreich" in title_of("de_AT")
    speller = Speller(tmp_path / "own.txt")
    speller.use("de_AT")
    assert speller.is_right("Jännern")
    assert not speller.is_right("Januar")
    speller.use("en_US")
    assert not speller.is_right("Jännern")


def underlined(window: Window) -> list[str]:
    wavy = QTextCharFormat.UnderlineStyle.WaveUnderline
    return [
        one.cursor.selectedText()
        for one in window.editor.extraSelections()
        if one.format.underlineStyle() == wavy
    ]


def test_wrong_words_are_underlined_when_the_writer_pauses(qtbot: QtBot, window: Window) -> None:
    window.editor.insertPlainText("😀 ")
    QTest.keyClicks(window.editor, "I beleive thiss is teh")
    assert underlined(window) == []
    qtbot.waitUntil(lambda: underlined(window) == ["beleive", "thiss"])  # teh is being written
    QTest.keyClicks(window.editor, " ")
    qtbot.waitUntil(lambda: underlined(window) == ["beleive", "thiss", "teh"])
    action(window, "check-spelling").trigger()
    assert underlined(window) == []
    action(window, "check-spelling").trigger()
    qtbot.waitUntil(lambda: "teh" in underlined(window))


def test_only_what_is_on_the_screen_is_checked(qtbot: QtBot, window: Window) -> None:
    window.editor.setPlainText("a wrongg line\n" * 50_000)
    qtbot.waitUntil(lambda: 0 < len(underlined(window)) < 200)
    window.editor.verticalScrollBar().setValue(25_000)
    first = window.editor.visible_range()[0]

    def is_marked_here() -> bool:
        marks = window.editor.extraSelections()
        return marks[0].cursor.selectionStart() >= first > 100_000

    qtbot.waitUntil(is_marked_here)


def test_no_slice_of_checking_holds_up_a_key(qtbot: QtBot, window: Window) -> None:
    """saga-soft/novelWriter#2129, #2240: checking made typing lag."""
    window.resize(1600, 1200)
    window.editor.setPlainText("every werd of thees longg lines is misspeltt " * 40 + "\n")
    window.spelling._slices = window.spelling._check()
    longest = 0.0
    while window.spelling._slices:
        begun = time.process_time()
        window.spelling._step()
        longest = max(longest, time.process_time() - begun)
    assert underlined(window)
    assert longest < 0.2  # a generous bound on the work of one slice, not a measurement


def context_menu(qtbot: QtBot, window: Window, word: str) -> QMenu:
    cursor = window.editor.document().find(word)
    cursor.setPosition(cursor.selectionStart() + 1)
    window.editor.setTextCursor(cursor)
    shown: list[QMenu] = []
    window.editor.menu_wanted.connect(lambda menu, _: shown.append(menu))
    event = QContextMenuEvent(
        QContextMenuEvent.Reason.Keyboard, QPoint(5, 5), window.editor.mapToGlobal(QPoint(5, 5))
    )
    window.editor.contextMenuEvent(event)
    qtbot.waitUntil(lambda: bool(shown))
    return shown[0]


def choose(menu: QMenu, text: str) -> None:
    next(action for action in menu.actions() if action.text() == text).trigger()
    menu.close()
    QApplication.processEvents()


def test_a_remedy_is_one_undo_step_and_the_caret_stays(qtbot: QtBot, window: Window) -> None:
    window.editor.setPlainText("😀 I recieve it")
    menu = context_menu(qtbot, window, "recieve")
    assert menu.actions()[0].text() == "receive"
    choose(menu, "receive")
    assert window.editor.text() == "😀 I receive it"
    action(window, "undo").trigger()
    assert window.editor.text() == "😀 I recieve it"


def test_a_word_added_to_the_dictionary_is_no_longer_wrong(qtbot: QtBot, window: Window) -> None:
    window.editor.setPlainText("The Foretype editor")
    window.editor.moveCursor(QTextCursor.MoveOperation.End)
    qtbot.waitUntil(lambda: underlined(window) == ["Foretype"])
    choose(context_menu(qtbot, window, "Foretype"), "Add “Foretype” to the Dictionary")
    qtbot.wait(500)
    assert underlined(window) == []
    assert paths.own_words().read_text() == "Foretype\n"


def test_a_right_word_has_the_usual_menu(qtbot: QtBot, window: Window) -> None:
    window.editor.setPlainText("The editor")
    menu = context_menu(qtbot, window, "editor")
    assert not any("Dictionary" in action.text() for action in menu.actions())
    menu.close()
