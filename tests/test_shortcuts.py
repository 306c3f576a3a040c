"""Keys: listed, changed, refused where they would write, and kept in the settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from windows import action, open_window

from app import paths
from app.settings import Settings, load_settings
from app.shortcuts import writes
from app.shortcuts_dialog import ShortcutsDialog

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from app.window import Window


@pytest.fixture
def window(qtbot: QtBot) -> Window:
    return open_window(qtbot)


@pytest.fixture
def dialog(qtbot: QtBot, window: Window) -> ShortcutsDialog:
    dialog = ShortcutsDialog(window.shortcuts)
    qtbot.addWidget(dialog)
    return dialog


def keys_of(window: Window, name: str) -> list[str]:
    return [key.toString() for key in action(window, name).shortcuts()]


@pytest.mark.parametrize(
    "keys",
    ["1", "5", "a", "Shift+A", "!", "ä", "Space", "Tab", "Shift+Tab", "Return", "Shift+Return",
     "Backspace", "Delete", "Left", "Shift+Left", "PgUp", "Esc", "Ctrl+Right", "Ctrl+Shift+Left",
     "Ctrl+Backspace", "Ctrl+Alt+E", "Ctrl+Alt+7", "Ctrl+End"],
)  # fmt: skip
def test_keys_that_write_or_move_are_refused(window: Window, keys: str) -> None:
    assert writes(QKeySequence(keys))
    assert "needed for writing" in window.shortcuts.problem("save", keys)


@pytest.mark.parametrize(
    "keys", ["F2", "Shift+F5", "Ctrl+5", "Alt+9", "Ctrl+Shift+K", "Meta+1", "Ctrl+Alt+F3"]
)
def test_other_keys_are_allowed(window: Window, keys: str) -> None:
    assert window.shortcuts.problem("save", keys) == ""


def test_keys_of_another_action_or_of_a_menu_are_refused(window: Window) -> None:
    assert window.shortcuts.problem("new", "Ctrl+S") == "Ctrl+S is taken by “Save”."
    assert window.shortcuts.problem("save", "Ctrl+S") == ""
    assert window.shortcuts.problem("save", "Alt+F") == "Alt+F opens a menu."
    assert "is no key" in window.shortcuts.problem("save", "nonsense")


def test_no_item_writes_and_no_two_share_a_key(window: Window) -> None:
    names = list(window.shortcuts.actions)
    assert len(names) == len(set(names)) > 30
    for name in names:
        for keys in keys_of(window, name):
            problem = window.shortcuts.problem(name, keys)
            assert problem == "" or keys in ("Shift+Del", "Shift+Ins"), name  # Cut and Paste


def test_changed_keys_work_are_kept_and_go_back(qtbot: QtBot, window: Window) -> None:
    window.shortcuts.set("replace", ["Ctrl+R"])
    assert keys_of(window, "replace") == ["Ctrl+R"]
    assert load_settings(paths.settings()).shortcuts == {"replace": ("Ctrl+R",)}
    again = open_window(qtbot)
    assert keys_of(again, "replace") == ["Ctrl+R"]
    again.shortcuts.set("find", ["Ctrl+H"])  # free now
    assert keys_of(again, "find") == ["Ctrl+H"]
    again.shortcuts.reset()
    assert keys_of(again, "replace") == ["Ctrl+H"]
    assert load_settings(paths.settings()).shortcuts == {}


def test_bad_keys_in_the_file_are_not_used(qtbot: QtBot, caplog: pytest.LogCaptureFixture) -> None:
    chosen = {"save": ("5",), "new": ("Ctrl+O",), "absent": ("F2",), "find": ()}
    window = open_window(qtbot, Settings(shortcuts=chosen))
    assert keys_of(window, "save") == keys_of(window, "new") == keys_of(window, "find") == []
    assert "save is not used: 5 is needed for writing" in caplog.text
    QTest.keyClicks(window.editor, "5")
    assert window.editor.text() == "5"


def test_the_dialog_lists_every_key(window: Window, dialog: ShortcutsDialog) -> None:
    rows = [
        (item.text(0), item.text(1))
        for place in range(dialog.list.topLevelItemCount())
        if (item := dialog.list.topLevelItem(place))
    ]
    for expected in (("Save As", "Ctrl+Shift+S"), ("Word 3", "Alt+3"), ("Full Screen", "F11")):
        assert expected in rows
    assert ("Take the ghost text, or else the first suggestion", "Tab") in rows
    assert ("Play or pause", "Space") in rows
    dialog.filter.setText("save")
    shown = [
        item.text(0)
        for place in range(dialog.list.topLevelItemCount())
        if (item := dialog.list.topLevelItem(place)) and not item.isHidden()
    ]
    assert shown == ["File", "Save", "Save As", "Save All"]


def test_the_dialog_changes_keys_and_explains_what_cannot_be(
    window: Window, dialog: ShortcutsDialog
) -> None:
    dialog.show()
    dialog.choose("replace")
    QTest.keyClick(dialog.keys, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    dialog.keys.editingFinished.emit()
    assert keys_of(window, "replace") == ["Ctrl+R"]
    QTest.keyClick(dialog.keys, Qt.Key.Key_7)
    dialog.keys.editingFinished.emit()
    assert dialog.hint.text().startswith("7 is needed for writing")
    assert keys_of(window, "replace") == ["Ctrl+R"]
    dialog.choose("find")
    dialog.keys.setKeySequence(QKeySequence("Ctrl+R"))
    dialog.keys.editingFinished.emit()
    assert dialog.hint.text() == "Ctrl+R is taken by “Replace”."
    dialog.choose("replace")
    dialog.clear.click()
    assert keys_of(window, "replace") == []
    dialog.usual.click()
    assert keys_of(window, "replace") == ["Ctrl+H"]
    window.shortcuts.set("replace", ["Ctrl+R"])
    dialog.reset.click()
    assert keys_of(window, "replace") == ["Ctrl+H"]


@pytest.mark.parametrize("is_by_key", [True, False])
def test_escape_in_a_menu_gives_the_keyboard_back(
    qtbot: QtBot, window: Window, is_by_key: bool
) -> None:
    window.activateWindow()
    window.editor.setFocus()
    bar = window.menuBar()
    if is_by_key:
        QTest.keyClick(window.editor, Qt.Key.Key_F, Qt.KeyboardModifier.AltModifier)
    else:
        place = bar.actionGeometry(bar.actions()[0]).center()
        QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=place)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    QTest.keyClick(menu, Qt.Key.Key_Escape)
    assert QApplication.activePopupWidget() is None
    assert bar.activeAction() is None
    assert window.editor.hasFocus()
