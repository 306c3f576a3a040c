"""What Qt's tools have collected and made, and that a window speaks it."""

from __future__ import annotations

import ast
import shutil
import string
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import PySide6
import pytest
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication, QMenu, QPushButton
from windows import open_window

from app import paths, translation
from app.settings import Settings
from app.settings_dialog import SettingsDialog
from app.translation import english, localised, tr

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

REPOSITORY = Path(__file__).resolve().parents[1]
SOURCES = sorted((paths.ASSETS / "translations").glob("*.ts"))
NAMES = [path.stem for path in SOURCES]


@pytest.fixture(autouse=True)
def english_afterwards() -> Iterator[None]:
    yield
    translation.use(translation.ENGLISH)


def messages(file: Path) -> dict[str, ElementTree.Element]:
    return {one.findtext("source") or "": one for one in ElementTree.parse(file).iter("message")}


def texts_of(message: ElementTree.Element) -> list[str]:
    found = message.find("translation")
    assert found is not None
    return [form.text or "" for form in found.findall("numerusform")] or [found.text or ""]


def placeholders(text: str) -> set[tuple[str | None, str | None]]:
    fields = {(name, spec) for _, name, spec, _ in string.Formatter().parse(text) if name}
    return fields | ({("%n", None)} if "%n" in text else set())


def collected() -> dict[str, bool]:
    """Every text that is given to `tr` or `marked`, and whether it has plurals."""
    found: dict[str, bool] = {}
    for file in (REPOSITORY / "app").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("tr", "marked"):
                text = node.args[0]
                assert not isinstance(text, ast.JoinedStr), f"{file.name}:{node.lineno}"
                if isinstance(text, ast.Constant):
                    found[text.value] = len(node.args) == 3
    return found


def test_every_language_that_can_be_chosen_is_there() -> None:
    assert {f"foretype_{language}" for language in translation.LANGUAGES} == set(NAMES)


def test_everything_in_the_sources_is_collected() -> None:
    found = collected()
    assert len(found) > 500
    for file in SOURCES:
        wanted = {text for text, plural in found.items() if plural or not file.stem.endswith("_en")}
        assert set(messages(file)) == wanted, "run `make translations`"


@pytest.mark.parametrize("file", SOURCES, ids=NAMES)
def test_everything_is_translated_with_the_same_placeholders(file: Path) -> None:
    for source, message in messages(file).items():
        found = message.find("translation")
        assert found is not None
        assert found.get("type") is None, source  # neither unfinished nor vanished
        for text in texts_of(message):
            assert text, source
            assert placeholders(text) == placeholders(source), source
            assert ("&" in text.replace("&&", "")) == ("&" in source.replace("&&", "")), source
            assert text[0].isspace() == source[0].isspace(), source
            assert text[-1].isspace() == source[-1].isspace(), source


@pytest.mark.parametrize("file", SOURCES, ids=NAMES)
def test_what_is_loaded_was_made_of_what_is_written(file: Path, tmp_path: Path) -> None:
    release = shutil.which("lrelease", path=str(Path(PySide6.__file__).parent))
    assert release
    made = tmp_path / "made.qm"
    subprocess.run([release, "-silent", str(file), "-qm", str(made)], check=True)
    assert made.read_bytes() == file.with_suffix(".qm").read_bytes(), "run `make translations`"


@pytest.mark.parametrize("language", translation.LANGUAGES)
def test_the_keys_of_a_menu_are_its_own(qtbot: QtBot, language: str) -> None:
    translation.use(language)
    window = open_window(qtbot, Settings())
    menus: list[QMenu] = [menu for menu in window.menuBar().findChildren(QMenu) if menu.actions()]
    assert len(menus) > 8
    for menu in (window.menuBar(), *menus):
        keys = [key.toString() for one in menu.actions() if (key := key_of(one.text()))]
        assert len(keys) == len(set(keys)), [one.text() for one in menu.actions()]


def key_of(text: str) -> object:
    key = QKeySequence.mnemonic(text)
    return None if key.isEmpty() else key


def test_shortcuts_that_were_changed_in_english_hold_in_german(qtbot: QtBot) -> None:
    english_window = open_window(qtbot, Settings())
    translation.use("de")
    settings = Settings(shortcuts={"save-as": ("Ctrl+Alt+F12",)})
    window = open_window(qtbot, settings)
    assert window.shortcuts.actions.keys() == english_window.shortcuts.actions.keys()
    action = window.shortcuts.actions["save-as"]
    assert action.text() == "Speichern &unter\u00a0…"
    assert action.shortcut().toString() == "Ctrl+Alt+F12"


def test_plurals_and_numbers() -> None:
    assert tr("%n words", "", 1) == "1 word"
    assert tr("%n words", "", 1234) == "1,234 words"
    assert localised("12.5%") == "12.5%"
    translation.use("de")
    assert tr("%n words", "", 1) == "1 Wort"
    assert tr("%n words", "", 1234) == "1.234 Wörter"
    assert localised("12.5%") == "12,5\u202f%"
    assert tr("{entropy_bits:.2f} bits", entropy_bits=3.5) == "3,50 Bit"
    assert english(tr("Word &{number}", number=2)) == "Word &2"


@pytest.mark.parametrize(
    ("setting", "system", "language"),
    [
        ("", ["de-AT", "de", "en"], "de"),
        ("", ["fr-FR", "de-DE"], "de"),
        ("", ["fr-FR", "fr"], "en"),
        ("", ["C"], "en"),
        ("", [], "en"),
        ("en", ["de-DE"], "en"),
        ("de", ["en-GB"], "de"),
        ("tlh", ["de-DE"], "de"),
    ],
)
def test_which_language(setting: str, system: list[str], language: str) -> None:
    assert translation.chosen(setting, system) == language


def test_the_setting_takes_effect(qtbot: QtBot) -> None:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    translation.speak(application, "de")
    assert translation.name() == "de"
    window = open_window(qtbot, Settings(language="de"))
    assert window.menuBar().actions()[0].text() == "&Datei"
    dialog = SettingsDialog(window.preferences, [], lambda: None, window)
    assert dialog.windowTitle() == "Einstellungen"
    assert "Schließen" in [button.text().replace("&", "") for button in buttons_of(dialog)]
    translation.speak(application, "en")
    assert tr("&File") == "&File"


def buttons_of(dialog: SettingsDialog) -> list[QPushButton]:
    return dialog.findChildren(QPushButton)
