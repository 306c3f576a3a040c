"""The desk: the open texts in the order of their tabs, and the one that the writer sees.

There is one text widget.  Turning to another text gives it another document, so that whoever
follows the widget follows the writer; `Editor.turned` tells when.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QTextCursor

from app.sheet import Sheet

if TYPE_CHECKING:
    from pathlib import Path

    from app.editor import Editor


class Desk(QObject):
    """All open texts of the window; there is always at least one.

    Signals:
        leaving(bool): the text that is seen will be another, or none; whether it is given up.
        turned(Sheet): another text is seen.
        listed(): a text came or went, or has another place, name or state.
        failed(str): unsaved text cannot be kept safe, and why.
    """

    leaving = Signal(bool)
    turned = Signal(object)
    listed = Signal()
    failed = Signal(str)

    def __init__(self, editor: Editor, recovery: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._editor, self._recovery = editor, recovery
        self._is_private = self._is_turning = False
        self.sheets: list[Sheet] = []
        self.current = self._make()
        editor.turn_to(self.current.paper)
        editor.cursorPositionChanged.connect(self._note_caret)

    def _make(self, after: Sheet | None = None) -> Sheet:
        sheet = Sheet(self._recovery, self)
        sheet.autosave.set_private(self._is_private)
        sheet.changed.connect(self.listed)
        sheet.autosave.failed.connect(self.failed)
        place = self.sheets.index(after) + 1 if after else len(self.sheets)
        self.sheets.insert(place, sheet)
        return sheet

    def new(self) -> Sheet:
        """Put an empty sheet behind the one that is seen, and turn to it; a blank one will do."""
        if self.current.is_blank:
            return self.current
        sheet = self._make(self.current)
        self.turn_to(sheet)
        return sheet

    def turn_to(self, sheet: Sheet) -> None:
        """Show a text, with the caret where it was."""
        if sheet is self.current:
            return
        self.leaving.emit(False)
        self._show(sheet)

    def turn_by(self, steps: int) -> None:
        """Turn to the next text, or with -1 to the one before; after the last comes the first."""
        place = (self.sheets.index(self.current) + steps) % len(self.sheets)
        self.turn_to(self.sheets[place])

    def at(self, path: Path) -> Sheet | None:
        """Return the sheet of a file, however its path is spelled."""
        wanted = path.resolve()
        for sheet in self.sheets:
            if sheet.file.path is not None and sheet.file.path.resolve() == wanted:
                return sheet
        return None

    def remove(self, sheet: Sheet) -> None:
        """Close a text for good; its unsaved changes are given up."""
        place = self.sheets.index(sheet)
        if len(self.sheets) == 1:
            self._make()
        if sheet is self.current:
            self.leaving.emit(sheet.is_modified)
            others = [one for one in self.sheets if one is not sheet]
            self._show(others[min(place, len(others) - 1)])
        self.sheets.remove(sheet)
        sheet.autosave.forget()
        sheet.deleteLater()
        self.listed.emit()

    def move(self, sheet: Sheet, place: int) -> None:
        """Give a text another place among the tabs."""
        self.sheets.remove(sheet)
        self.sheets.insert(place, sheet)
        self.listed.emit()

    def set_private(self, is_private: bool) -> None:
        """Keep no unsaved text while `is_private`."""
        self._is_private = is_private
        for sheet in self.sheets:
            sheet.autosave.set_private(is_private)

    def place_caret(self) -> None:
        """Put the caret of the text that is seen where its sheet says."""
        sheet, last = self.current, self.current.paper.characterCount() - 1
        caret, anchor, top = sheet.caret_utf16, sheet.anchor_utf16, sheet.top_line
        cursor = QTextCursor(sheet.paper)
        cursor.setPosition(max(0, min(anchor, last)))
        cursor.setPosition(max(0, min(caret, last)), QTextCursor.MoveMode.KeepAnchor)
        self._editor.setTextCursor(cursor)
        self._editor.verticalScrollBar().setValue(top)
        self._editor.ensureCursorVisible()

    def note_place(self) -> None:
        """Note where the writer is in the text that is seen."""
        self._note_caret()
        self.current.top_line = self._editor.verticalScrollBar().value()

    def _show(self, sheet: Sheet) -> None:
        self.note_place()
        self.current = sheet
        self._is_turning = True  # the caret of a document that is newly shown is at its start
        self._editor.turn_to(sheet.paper, self.place_caret)
        self._is_turning = False
        self.turned.emit(sheet)
        self.listed.emit()

    @Slot()
    def _note_caret(self) -> None:
        cursor = self._editor.textCursor()
        if not self._is_turning and cursor.document() is self.current.paper:
            self.current.caret_utf16 = cursor.position()
            self.current.anchor_utf16 = cursor.anchor()
