"""`foretype desktop`: an entry in the menu of a Linux desktop, for this user alone."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from app.paths import ASSETS
from model.files import write_atomically

ENTRY = Path("applications/foretype.desktop")
ICON = Path("icons/hicolor/scalable/apps/foretype.svg")


def show_entry(*, remove: bool) -> None:
    """Write the entry and its icon where this user's desktop looks for them, or remove both."""
    folder = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share")
    for place, source in ((ENTRY, ASSETS / ENTRY.name), (ICON, ASSETS / ICON.name)):
        path = folder / place
        if remove:
            path.unlink(missing_ok=True)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, _naming_this_program(source.read_text(encoding="utf-8")))
        print(f"{'removed' if remove else 'wrote'} {path}")


def _naming_this_program(text: str) -> str:
    """The entry with the whole path of the command: a desktop need not have a venv on its PATH."""
    command = str(Path(sys.executable).with_name("foretype"))
    for character in '\\"`$':  # special within quotes
        command = command.replace(character, "\\" + character)
    # A backslash is special in any value, and that is undone first.
    command = command.replace("\\", "\\\\").replace("%", "%%")
    return text.replace("Exec=foretype ", f'Exec="{command}" ')
