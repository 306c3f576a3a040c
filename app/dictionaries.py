"""Where the Hunspell dictionaries of this computer are, and what their languages are called."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from PySide6.QtCore import QLocale

FOLDERS = (
    "/usr/share/hunspell", "/usr/share/myspell", "/usr/share/myspell/dicts",
    "/usr/local/share/hunspell", "/Library/Spelling", "~/Library/Spelling",
    "~/.local/share/hunspell", "~/.hunspell",
)  # fmt: skip
OFFICES = (
    "/usr/lib/libreoffice/share/extensions", "/opt/libreoffice*/share/extensions",
    "/Applications/LibreOffice.app/Contents/Resources/extensions",
)  # fmt: skip
FALLBACK = "en_US"  # comes with the library


@cache
def find_dictionaries() -> dict[str, Path]:
    """Return the dictionaries that can be used: language code → its `.dic` file.

    Those in `DICPATH` come first, then the system's and the user's, then the one that comes along.
    """
    folders = [Path(name) for name in os.environ.get("DICPATH", "").split(os.pathsep) if name]
    folders += [Path(name).expanduser() for name in FOLDERS]
    for pattern in OFFICES:
        root = Path(pattern)
        folders += sorted(root.parent.parent.glob(f"{root.parent.name}/{root.name}/dict-*"))
    folders.append(_shipped())
    found: dict[str, Path] = {}
    for folder in folders:
        for file in sorted(folder.glob("*.dic")) if folder.is_dir() else ():
            if file.with_suffix(".aff").exists() and not file.stem.startswith("hyph_"):
                found.setdefault(file.stem.replace("-", "_"), file)
    return found


def _shipped() -> Path:
    import hunspell

    return Path(hunspell.__file__).parent / "dictionaries"


def language_for(wanted: str) -> str:
    """Return the dictionary for a wanted language; "" wants the desktop's.

    Where there is none of that country, one of the same language will do, and English at last.
    """
    known = find_dictionaries()
    name = wanted or QLocale.system().name()
    if name in known:
        return name
    near = sorted(code for code in known if code.split("_")[0] == name.split("_")[0])
    return near[0] if near else FALLBACK


def title_of(language: str) -> str:
    """Return what a language calls itself, with its country: `de_AT` is "Deutsch (Österreich)"."""
    locale = QLocale(language)
    if locale.language() == QLocale.Language.C:
        return language
    name = locale.nativeLanguageName().capitalize()
    place = locale.nativeTerritoryName() if "_" in language else ""
    return f"{name} ({place})" if place else name


def languages() -> list[tuple[str, str]]:
    """Return the code and title of every language that can be checked, by title."""
    found = [(code, title_of(code)) for code in find_dictionaries()]
    return sorted(found, key=lambda language: language[1].casefold())
