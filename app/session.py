"""Which files were open and where the writer was in each, for the next start."""

from __future__ import annotations

import dataclasses
import json
import logging
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Slot

from app.document import DocumentError, read_document
from model.files import why_unwritable, write_atomically

if TYPE_CHECKING:
    from app.desk import Desk

WRITE_AFTER_MS = 1_000  # without a change

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Place:
    """An open file, its caret and the line at the top of the window."""

    path: str
    caret_utf16: int = 0
    anchor_utf16: int = 0
    top_line: int = 0
    is_seen: bool = False


def load_session(file: Path) -> list[Place]:
    """Read the places of the last session; whatever is missing or damaged is left out."""
    try:
        found: Any = json.loads(file.read_text(encoding="utf-8"))
        places = [Place(**place) for place in found["places"]]
        return [place for place in places if _is_sound(place)]
    except FileNotFoundError:
        return []
    except (OSError, ValueError, TypeError, KeyError, RecursionError) as err:
        log.warning("%s cannot be read, starting without the last session: %s", file, err)
        return []


def _is_sound(place: Place) -> bool:
    numbers = (place.caret_utf16, place.anchor_utf16, place.top_line)
    return isinstance(place.path, str) and all(isinstance(number, int) for number in numbers)


def save_session(file: Path, places: list[Place]) -> None:
    """Replace the file of the session; a full or read-only disk is logged, never raised."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        fields = {"format": 1, "places": [dataclasses.asdict(place) for place in places]}
        write_atomically(file, json.dumps(fields, indent=2, ensure_ascii=False) + "\n")
    except OSError as err:
        log.warning("the session was not saved: %s", why_unwritable(file, err))


class Session(QObject):
    """Keeps the file of the session up to date from the moment it is told to begin."""

    def __init__(self, file: Path, desk: Desk, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._file, self._desk = file, desk
        self._is_private = self._has_begun = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(WRITE_AFTER_MS)
        self._timer.timeout.connect(self.write)
        desk.listed.connect(self._write_soon)

    def restore(self) -> None:
        """Open what was open; files that are gone, or no text any more, are left out."""
        seen = None
        for place in load_session(self._file):
            try:
                file, text = read_document(Path(place.path))
            except DocumentError as err:
                log.info("not opened again: %s", err)
                continue
            sheet = self._desk.new()
            sheet.set(file, text)
            sheet.caret_utf16, sheet.anchor_utf16 = place.caret_utf16, place.anchor_utf16
            sheet.top_line = place.top_line
            self._desk.place_caret()
            seen = sheet if place.is_seen else seen
        if seen:
            self._desk.turn_to(seen)

    def begin(self) -> None:
        """Note from now on what is open."""
        self._has_begun = True
        self._write_soon()

    def set_private(self, is_private: bool) -> None:
        """Note nothing while `is_private`, and forget what was noted."""
        if is_private != self._is_private:
            self._is_private = is_private
            self._write_soon()

    @Slot()
    def write(self) -> None:
        """Write the file now."""
        self._timer.stop()
        if not self._has_begun:
            return
        self._desk.note_place()
        places = [] if self._is_private else [
            Place(
                str(sheet.file.path), sheet.caret_utf16, sheet.anchor_utf16, sheet.top_line,
                sheet is self._desk.current,
            )
            for sheet in self._desk.sheets
            if sheet.file.path is not None and sheet.file.path.exists()
        ]  # fmt: skip
        save_session(self._file, places)

    @Slot()
    def _write_soon(self) -> None:
        if self._has_begun:
            self._timer.start()
