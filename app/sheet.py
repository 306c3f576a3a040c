"""One open text: what is written, the file it belongs to, and where the writer was in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from app.document import Document
from app.page import Paper
from app.recovery import Autosave, RecoveryStore, Snapshot

if TYPE_CHECKING:
    from pathlib import Path

    from app.recovery import Orphan


class Sheet(QObject):
    """A text on the desk, seen or not.

    Signals:
        changed(): its name, or whether it has unsaved changes.

    Attributes:
        caret_utf16, anchor_utf16, top_line: where the writer was when it was last seen; the desk
            keeps them.
    """

    changed = Signal()

    def __init__(self, recovery: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.paper = Paper(self)
        self.file = Document()
        self.caret_utf16 = self.anchor_utf16 = self.top_line = 0
        self._recovery = RecoveryStore(recovery)
        self.autosave = Autosave(self._recovery, self._snapshot, self)
        self.paper.modificationChanged.connect(self._on_modification_changed)
        self.paper.contentsChanged.connect(self._on_contents_changed)

    @property
    def is_modified(self) -> bool:
        """Whether it has unsaved changes."""
        return self.paper.isModified()

    @property
    def is_blank(self) -> bool:
        """Whether nothing would be lost if another text took its place."""
        return self.file.path is None and not self.is_modified and self.paper.isEmpty()

    def set(self, file: Document, text: str, *, is_modified: bool = False) -> None:
        """Replace everything; there is nothing to undo afterwards."""
        self.file = file
        self.paper.setPlainText(text)  # takes the caret of a text that is seen to its end
        self.caret_utf16 = self.anchor_utf16 = self.top_line = 0
        self.paper.setModified(is_modified)
        if is_modified:
            self.autosave.text_changed()
        else:
            self.autosave.forget()
        self.changed.emit()

    def saved(self, file: Document) -> None:
        """Note that the text is in `file` now."""
        self.file = file
        self.paper.setModified(False)
        self.autosave.forget()
        self.changed.emit()

    def restore(self, file: Document, orphan: Orphan) -> None:
        """Take up a recovered text as unsaved changes of `file`, and keep it safe from now on."""
        self.set(file, orphan.unsaved.text, is_modified=True)
        self.caret_utf16 = self.anchor_utf16 = orphan.unsaved.caret_utf16
        self.autosave.flush()
        self._recovery.discard(orphan)

    def _snapshot(self) -> Snapshot:
        return Snapshot(self.paper.text(), self.file.path, self.caret_utf16)

    @Slot(bool)
    def _on_modification_changed(self, is_modified: bool) -> None:
        if is_modified:
            self.autosave.text_changed()
        else:  # undone to what is in the file
            self.autosave.forget()
        self.changed.emit()

    @Slot()
    def _on_contents_changed(self) -> None:
        if self.is_modified:
            self.autosave.text_changed()
