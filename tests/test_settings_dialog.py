from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QSpinBox
from windows import action, open_window

from app import paths, theme
from app.settings import load_settings
from app.settings_dialog import SettingsDialog

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

    from app.window import Window


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[Window]:
    window = open_window(qtbot)
    yield window
    window.change(theme="system")


@pytest.fixture
def dialog(qtbot: QtBot, window: Window) -> SettingsDialog:
    languages = [("en_US", "English"), ("de_DE", "Deutsch")]
    dialog = SettingsDialog(window.preferences, languages, lambda: None)
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


def box(dialog: SettingsDialog, field: str) -> QCheckBox:
    found = dialog.findChild(QCheckBox, field)
    assert isinstance(found, QCheckBox)
    return found


def test_every_choice_takes_effect_at_once_and_is_kept(
    qtbot: QtBot, window: Window, dialog: SettingsDialog
) -> None:
    box(dialog, "suggestions_shown").click()
    assert not window.under_text.isVisible()
    box(dialog, "tab_takes").click()
    assert not window.editor.tab_takes
    assert not action(window, "tab-takes-words").isChecked()
    size = dialog.findChild(QSpinBox, "text_size_pt")
    assert isinstance(size, QSpinBox)
    size.setValue(20)
    qtbot.waitUntil(lambda: window.editor.font().pointSize() == 20)
    width = dialog.findChild(QSpinBox, "column_characters")
    assert isinstance(width, QSpinBox)
    window.resize(1600, 700)
    before = window.editor.viewport().width()
    width.setValue(40)
    qtbot.waitUntil(lambda: window.editor.viewport().width() < before)
    themes = dialog.findChild(QComboBox, "theme")
    assert isinstance(themes, QComboBox)
    themes.activated.emit(themes.findData("dark"))
    assert QApplication.palette().base().color().name() == theme.DARK.paper
    kept = load_settings(paths.settings())
    assert (kept.text_size_pt, kept.column_characters, kept.theme) == (20, 40, "dark")
    assert not kept.suggestions_shown
    assert not kept.tab_takes


def test_the_dialog_follows_the_menus(window: Window, dialog: SettingsDialog) -> None:
    assert box(dialog, "ghost_shown").isChecked()
    action(window, "ghost-text").trigger()
    assert not box(dialog, "ghost_shown").isChecked()
    window.zoom(1)
    size = dialog.findChild(QSpinBox, "text_size_pt")
    assert isinstance(size, QSpinBox)
    assert size.value() == window.settings.text_size_pt == 16


def test_a_face_can_be_chosen_and_given_up(window: Window, dialog: SettingsDialog) -> None:
    faces = dialog.findChild(QComboBox, "writing_face")
    assert isinstance(faces, QComboBox)
    assert faces.itemText(0).startswith("Source Serif Pro")
    face = faces.itemData(1)
    faces.activated.emit(1)
    assert window.editor.font().families()[0] == face
    faces.activated.emit(0)
    assert window.editor.font().families()[0].startswith("Source Serif")
