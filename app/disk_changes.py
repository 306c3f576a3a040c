"""Notices that another program has written a file that is open, and asks what to do."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Slot
from PySide6.QtGui import QTextCursor

from app.document import DocumentError, read_document, stamp_of
from app.translation import tr

if TYPE_CHECKING:
    from app.desk import Desk
    from app.notice import Notice
    from app.sheet import Sheet

LOOKED_AT_AFTER_MS = 300  # programs replace a file in several steps


class DiskChanges(QObject):
    """Watches the files of the desk; asks about the text that is seen, when it is seen."""

    def __init__(self, desk: Desk, notice: Notice, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._desk, self._notice = desk, notice
        self._is_asking = False
        self._watcher = QFileSystemWatcher(self)
        self._watcher.fileChanged.connect(self._look_soon)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(LOOKED_AT_AFTER_MS)
        self._timer.timeout.connect(self.look)
        desk.listed.connect(self._watch)
        desk.turned.connect(self._on_turned)

    @Slot()
    def look(self) -> None:
        """Compare the file of the text that is seen with the disk."""
        self._watch()  # a file that was replaced is another one to the watcher
        sheet = self._desk.current
        if not sheet.file.is_changed_on_disk():
            return
        name = sheet.file.name
        try:
            file, text = read_document(sheet.file.path) if sheet.file.path else (sheet.file, "")
        except DocumentError:
            sheet.file = dataclasses.replace(sheet.file, stamp=None)
            sheet.paper.setModified(True)  # what is on the screen is nowhere else
            self._notice.say(tr("{name} is no longer there. Saving makes it again.", name=name))
            return
        if text == sheet.paper.text():
            sheet.file = file
            sheet.paper.setModified(False)
            return
        lost = (
            tr(" Your unsaved changes can be brought back with Undo.") if sheet.is_modified else ""
        )
        self._notice.say(
            tr("{name} was changed by another program. Load what it wrote?", name=name) + lost,
            (tr("Load"), lambda: self._load(sheet)), (tr("Keep Mine"), lambda: self._keep(sheet)),
            is_question=True,
        )  # fmt: skip
        self._is_asking = True

    def _load(self, sheet: Sheet) -> None:
        self._is_asking = False
        if sheet is not self._desk.current or sheet.file.path is None:
            return
        try:
            file, text = read_document(sheet.file.path)
        except DocumentError as err:
            self._notice.say(f"{err}.")
            return
        place = sheet.caret_utf16
        cursor = QTextCursor(sheet.paper)
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText(text)  # one step: what was there before is one Undo away
        sheet.caret_utf16 = sheet.anchor_utf16 = place
        self._desk.place_caret()
        sheet.saved(file)

    def _keep(self, sheet: Sheet) -> None:
        self._is_asking = False
        if sheet.file.path is not None:
            sheet.file = dataclasses.replace(sheet.file, stamp=stamp_of(sheet.file.path))
            sheet.paper.setModified(True)

    @Slot()
    def _watch(self) -> None:
        wanted = {
            str(sheet.file.path)
            for sheet in self._desk.sheets
            if sheet.file.path is not None and sheet.file.path.exists()
        }
        watched = set(self._watcher.files())
        if gone := watched - wanted:
            self._watcher.removePaths(sorted(gone))
        if new := wanted - watched:
            self._watcher.addPaths(sorted(new))

    @Slot()
    def _on_turned(self) -> None:
        if self._is_asking:  # about another text
            self._is_asking = False
            self._notice.hide()
        self._look_soon()

    @Slot()
    def _look_soon(self) -> None:
        self._timer.start()
