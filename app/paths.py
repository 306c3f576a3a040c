"""Where things lie: the user's data, and the files Foretype ships.  The only module that knows."""

from __future__ import annotations

import os
from pathlib import Path

ASSETS = Path(__file__).resolve().parents[1] / "assets"


def home() -> Path:
    """The folder of everything Foretype keeps for this user; `FORETYPE_HOME` overrides it."""
    override = os.environ.get("FORETYPE_HOME")
    if override:
        return Path(override).expanduser().absolute()
    from platformdirs import user_data_path

    return user_data_path("foretype", appauthor=False)


def models() -> Path:
    """The root of the catalogue of models."""
    return home() / "models"


def settings() -> Path:
    """The file with the user's settings."""
    return home() / "settings.json"


def memory() -> Path:
    """The database of the words this user writes."""
    return home() / "memory.sqlite3"


def blocklist() -> Path:
    """The words this user never wants to be offered."""
    return home() / "blocklist.json"


def own_words() -> Path:
    """The words this user has added to the dictionary, one a line."""
    return home() / "dictionary.txt"


def recovery() -> Path:
    """The folder with the text that was not saved when Foretype was last closed or killed."""
    return home() / "recovery"


def session() -> Path:
    """What was open when Foretype was last closed."""
    return home() / "session.json"


def doorbell() -> Path:
    """The folder where a second `foretype` leaves a note for the window that is open."""
    return home() / "doorbell"


def training() -> Path:
    """The folder of the trainings that were begun in the editor."""
    return home() / "training" / "editor"


def statistics() -> Path:
    """The figures of what suggestions saved this user."""
    return home() / "statistics.sqlite3"


def log() -> Path:
    """The log file."""
    return home() / "foretype.log"
