"""The settings in force: changed from menus and dialogs, followed by everything at once."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.settings import Settings, save_settings

if TYPE_CHECKING:
    from pathlib import Path


class Preferences(QObject):
    """Holds the settings and keeps their file up to date.

    Signals:
        changed(frozenset[str]): the names of the settings that have another value now.
    """

    changed = Signal(object)

    def __init__(self, settings: Settings, file: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.now = settings
        self._file = file

    def change(self, **changes: object) -> None:
        """Give settings new values, tell everybody and remember them."""
        before = self.now
        self.now = dataclasses.replace(before, **changes)  # type: ignore[arg-type]
        names = frozenset(n for n in changes if getattr(before, n) != getattr(self.now, n))
        if names:
            save_settings(self._file, self.now)
            self.changed.emit(names)
