"""New, open, save: the document in the window, and the questions to ask before text is lost."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from app.document import Document, DocumentError, UnencodableError, read_document
from app.recovery import Autosave

if TYPE_CHECKING:
    from app.editor import Editor
    from app.recovery import Orphan, RecoveryStore

FILTER = "Text (*.txt *.md *.markdown *.text);;All files (*)"
Button = QMessageBox.StandardButton


class Filing(QObject):
    """The one document of a window.

    Signals:
        changed(): the document's name, or whether it has unsaved changes.
        used(Path): a file was opened or saved.
        restored(str): the text of a window that crashed is shown; the name of its file.
    """

    changed = Signal()
    used = Signal(object)
    restored = Signal(str)

    def __init__(self, editor: Editor, recovery: RecoveryStore, window: QWidget) -> None:
        super().__init__(window)
        self.document = Document()
        self.autosave = Autosave(recovery, self._snapshot, self)
        self._recovery = recovery
        self._editor = editor
        self._window = window
        editor.document().modificationChanged.connect(self._on_modification_changed)
        editor.textChanged.connect(self._on_text_changed)

    @Slot()
    def new(self) -> None:
        """Start an empty document."""
        if self.may_discard():
            self._set(Document(), "")

    @Slot()
    def open(self) -> None:
        """Ask for a file and open it."""
        name, _ = QFileDialog.getOpenFileName(self._window, "Open", self._folder(), FILTER)
        if name:
            self.open_path(Path(name))

    @Slot(object)
    def open_path(self, path: Path) -> bool:
        """Open a file in place of the present document; False if the writer or the file refuses."""
        if not self.may_discard():
            return False
        try:
            document, text = read_document(path)
        except DocumentError as err:
            self._complain(err)
            return False
        self._set(document, text)
        self.used.emit(path)
        return True

    def start(self, path: Path) -> None:
        """Open a file named on the command line; one that does not exist yet is begun."""
        if path.exists():
            self.open_path(path)
        else:
            self._set(Document(path=path), "")

    def recover(self, chosen: Path | None) -> list[Orphan]:
        """Show the text of a window that crashed, if there is one; returns the others.

        With a `chosen` file only its own text is shown.
        """
        orphans = self._recovery.orphans()
        fitting = [o for o in orphans if chosen is None or o.unsaved.path == chosen]
        if fitting:
            self.restore(fitting[0])
        return [orphan for orphan in orphans if orphan not in fitting[:1]]

    def restore(self, orphan: Orphan) -> None:
        """Show recovered text as unsaved changes of its file, and keep it safe from now on."""
        path, document = orphan.unsaved.path, Document(path=orphan.unsaved.path)
        if path is not None and path.exists():
            try:
                document, _ = read_document(path)
            except DocumentError:
                document = Document()  # the file is unreadable now; the text is not
        self._set(document, orphan.unsaved.text)
        self._editor.document().setModified(True)
        self._editor.moveCursor(QTextCursor.MoveOperation.End)
        self.autosave.flush()
        self._recovery.discard(orphan)
        self.restored.emit(document.name)

    @Slot()
    def save(self) -> bool:
        """Save the document; False if that did not happen."""
        if self.document.path is None:
            return self.save_as()
        if self.document.is_changed_on_disk() and not self._confirm(
            f"{self.document.name} was changed by another program.",
            "Saving replaces what that program wrote.", "Save Anyway",
        ):  # fmt: skip
            return False
        return self._write(self.document, self.document.path)

    @Slot()
    def save_as(self) -> bool:
        """Ask for a place and save the document there; False if that did not happen."""
        suggestion = self.document.path or Path(self._folder()) / "Untitled.txt"
        name, _ = QFileDialog.getSaveFileName(self._window, "Save As", str(suggestion), FILTER)
        return bool(name) and self._write(self.document, Path(name))

    def may_discard(self) -> bool:
        """Whether the present text may go: it is saved, or the writer gives it up."""
        if not self._editor.document().isModified():
            return True
        box = QMessageBox(
            QMessageBox.Icon.NoIcon, "Foretype", f"Save the changes to {self.document.name}?",
            Button.Save | Button.Discard | Button.Cancel, self._window,
        )  # fmt: skip
        box.setInformativeText("Without saving they are lost.")
        answer = box.exec()
        if answer == Button.Save:
            return self.save()
        return answer == Button.Discard

    def _write(self, document: Document, path: Path) -> bool:
        try:
            self.document = document.save(self._editor.text(), path)
        except UnencodableError as err:
            return self._confirm(str(err) + ".", "", "Save as UTF-8") and self._write(
                document.as_utf8(), path
            )
        except DocumentError as err:
            self._complain(err)
            return False
        self._editor.document().setModified(False)
        self.autosave.forget()
        self.used.emit(path)
        self.changed.emit()
        return True

    def _set(self, document: Document, text: str) -> None:
        self.document = document
        self._editor.setPlainText(text)
        self._editor.document().setModified(False)
        self.autosave.forget()
        self.changed.emit()

    def _snapshot(self) -> tuple[str, Path | None]:
        return self._editor.text(), self.document.path

    def _folder(self) -> str:
        return str(self.document.path.parent if self.document.path else Path.home())

    def _complain(self, err: DocumentError) -> None:
        QMessageBox.warning(self._window, "Foretype", f"{err}.")

    def _confirm(self, text: str, explanation: str, action: str) -> bool:
        box = QMessageBox(QMessageBox.Icon.NoIcon, "Foretype", text, parent=self._window)
        box.setInformativeText(explanation)
        agreed = box.addButton(action, QMessageBox.ButtonRole.AcceptRole)
        box.addButton(Button.Cancel)
        box.exec()
        return box.clickedButton() is agreed

    @Slot(bool)
    def _on_modification_changed(self, is_modified: bool) -> None:
        if is_modified:
            self.autosave.text_changed()
        else:  # undone to what is in the file
            self.autosave.forget()
        self.changed.emit()

    @Slot()
    def _on_text_changed(self) -> None:
        if self._editor.document().isModified():
            self.autosave.text_changed()
