"""The words of the interface in the reader's language, from the files that Qt's tools make.

English is in the sources: `tr("Find {what}", what=word)`, or `marked("Find")` where the text is
only needed later, and then given to `tr`.  `make translations` collects both.
"""

from __future__ import annotations

import logging
import string
from typing import TYPE_CHECKING, Any

from app import paths

if TYPE_CHECKING:  # Qt is only loaded when it is needed: the command line speaks English
    from collections.abc import Sequence

    from PySide6.QtCore import QTranslator
    from PySide6.QtWidgets import QApplication

ENGLISH = "en"
LANGUAGES = {ENGLISH: "English", "de": "Deutsch"}  # each by its own name
QT_TEXTS = "texts of Qt itself"

log = logging.getLogger(__name__)


def marked(text: str) -> str:
    """Return `text` as it is; it is collected for translation, and `tr` translates it later."""
    return text


class Translated(str):
    """A text that still knows its English, by which the settings call an item of a menu."""

    __slots__ = ("english",)
    english: str


class _Language:
    """The language in use; its file is read at the first text that needs it."""

    def __init__(self) -> None:
        self.use(ENGLISH)

    def use(self, name: str) -> None:
        self.name = name
        self.decimal_point, self.group_separator = ".", ","
        self._translator: QTranslator | None = None
        if name != ENGLISH:
            from PySide6.QtCore import QLocale

            locale = QLocale(name)
            self.decimal_point = locale.decimalPoint()
            self.group_separator = locale.groupSeparator()

    def translate(self, text: str, comment: str, count: int) -> str:
        """Return the translation; `text` itself if there is none."""
        if self.name == ENGLISH and count < 0:
            return text
        if self._translator is None:
            self._translator = _load(self.name)
        return self._translator.translate("", text, comment, count) or text


def _load(language: str) -> QTranslator:
    from PySide6.QtCore import QTranslator

    translator = QTranslator()
    file = paths.ASSETS / "translations" / f"foretype_{language}.qm"
    if not translator.load(str(file)):
        log.warning("%s cannot be read: the interface stays English", file)
    return translator


class _Filling(string.Formatter):
    """Fills placeholders; numbers have the signs of the language."""

    def format_field(self, value: Any, spec: str) -> str:
        shown = str(super().format_field(value, spec))
        return localised(shown) if isinstance(value, int | float) else shown


_language, _filling = _Language(), _Filling()


def tr(text: str, comment: str = "", count: int = -1, /, **values: object) -> str:
    """Return a text in the language in use, its placeholders filled.

    Args:
        text: the English; `{name}` stands for a value and `%n` for the count.
        comment: tells two equal English texts apart, such as a verb and a noun.
        count: which plural is meant; below 0 there is none.
        values: what the placeholders stand for.
    """
    shown = _language.translate(text, comment, count)
    if count >= 0:
        shown = shown.replace("%n", localised(f"{count:,}"))
    if values:
        shown = _filling.vformat(shown, (), values)
    if _language.name == ENGLISH:
        return shown
    translated = Translated(shown)
    translated.english = string.Formatter().vformat(text, (), values) if values else text
    return translated


def english(text: str) -> str:
    """Return what `text` was before `tr` translated it."""
    return text.english if isinstance(text, Translated) else text


def localised(number: str) -> str:
    """Return a number that Python has formatted with the signs of the language: 1.234,5 %."""
    if _language.name == ENGLISH:
        return number
    signs = {",": _language.group_separator, ".": _language.decimal_point}
    shown = "".join(signs.get(sign, sign) for sign in number)
    is_share = shown.endswith("%") and shown[-2:-1].isdigit()
    return tr("{number}%", number=shown[:-1]) if is_share else shown


def name() -> str:
    """The language in use, such as `de`."""
    return _language.name


def use(language: str) -> None:
    """Make `tr` speak a language; what is on the screen already stays as it is."""
    _language.use(language)


def chosen(setting: str, system: Sequence[str]) -> str:
    """Return the language to use: that of the settings, or the first of the system's we speak.

    Args:
        setting: what the writer chose; "" is the system's language.
        system: the system's languages, such as `de-DE`, the preferred one first.
    """
    for wanted in (setting, *system):
        if (base := wanted.replace("_", "-").partition("-")[0]) in LANGUAGES:
            return base
    return ENGLISH


def speak(application: QApplication, setting: str) -> None:
    """Use the language of the settings or the system; before the first window is made."""
    from PySide6.QtCore import QLibraryInfo, QLocale, QTranslator

    system = QLocale.system()
    language = chosen(setting, system.uiLanguages())
    use(language)
    is_system = system.name().startswith(language)
    QLocale.setDefault(system if is_system else QLocale(language))  # of fields with numbers
    for old in application.findChildren(QTranslator, QT_TEXTS):
        application.removeTranslator(old)
        old.deleteLater()
    if language == ENGLISH:
        return
    own = QTranslator(application)  # Qt's buttons and dialogs, and the names of keys
    own.setObjectName(QT_TEXTS)
    if own.load(f"qtbase_{language}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        application.installTranslator(own)
