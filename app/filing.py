"""New, open, save, close: the files of the open texts, and the questions before text is lost."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from app.document import Document, DocumentError, UnencodableError, read_document
from app.translation import marked, tr

if TYPE_CHECKING:
    from app.desk import Desk
    from app.recovery import Autosave, Orphan
    from app.sheet import Sheet

FILTER = marked("Text (*.txt *.md *.markdown *.text);;All files (*)")
Button = QMessageBox.StandardButton


class Filing(QObject):
    """Brings files to the desk and back.

    Signals:
        used(Path): a file was opened or saved.
        restored(list[str]): texts of a window that crashed are shown; the names of their files.
        said(str): something worth knowing, and not worth a question.
    """

    used = Signal(object)
    restored = Signal(object)
    said = Signal(str)

    def __init__(self, desk: Desk, window: QWidget) -> None:
        super().__init__(window)
        self._desk = desk
        self._window = window

    @property
    def document(self) -> Document:
        """The file of the text that is seen."""
        return self._desk.current.file

    @property
    def autosave(self) -> Autosave:
        """What keeps the text that is seen safe while it is unsaved."""
        return self._desk.current.autosave

    @Slot()
    def new(self) -> None:
        """Start an empty text."""
        self._desk.new()

    @Slot()
    def open(self) -> None:
        """Ask for files and open them."""
        names, _ = QFileDialog.getOpenFileNames(
            self._window, tr("Open"), self._folder(), tr(FILTER)
        )
        for name in names:
            self.open_path(Path(name))

    @Slot(object)
    def open_path(self, path: Path) -> bool:
        """Show a file, from the disk unless it is open already; False if it cannot be read."""
        if sheet := self._desk.at(path):
            self._desk.turn_to(sheet)
            return True
        try:
            file, text = read_document(path)
        except DocumentError as err:
            self._complain(err)
            return False
        self._put(file, text)
        self.used.emit(path)
        return True

    def start(self, path: Path) -> None:
        """Open a file named on the command line; one that does not exist yet is begun."""
        if path.exists():
            self.open_path(path)
        elif sheet := self._desk.at(path):
            self._desk.turn_to(sheet)
        else:
            self._put(Document(path=path), "")
            self.said.emit(tr("{name} is new. It will be made when you save.", name=path.name))

    def _put(self, file: Document, text: str) -> None:
        self._desk.new().set(file, text)
        self._desk.place_caret()

    def recover(self, orphans: list[Orphan]) -> None:
        """Show the texts of a window that crashed, each as unsaved changes of its file."""
        names: list[str] = []
        for orphan in reversed(orphans):  # the newest is seen in the end
            path, file = orphan.unsaved.path, Document(path=orphan.unsaved.path)
            if path is not None and path.exists():
                try:
                    file, _ = read_document(path)
                except DocumentError:
                    file = Document()  # the file is unreadable now; the text is not
            sheet = self._desk.at(path) if path else None
            if sheet and not sheet.is_modified:
                self._desk.turn_to(sheet)
            else:
                sheet = self._desk.new()
            sheet.restore(file, orphan)
            self._desk.place_caret()
            names.insert(0, file.name)
        if names:
            self.restored.emit(names)

    @Slot()
    def save(self) -> bool:
        """Save the text that is seen; False if that did not happen."""
        file = self.document
        if file.path is None:
            return self.save_as()
        if file.is_changed_on_disk() and not self._confirm(
            tr("{name} was changed by another program.", name=file.name),
            tr("Saving replaces what that program wrote."), tr("Save Anyway"),
        ):  # fmt: skip
            return False
        return self._write(file, file.path)

    @Slot()
    def save_as(self) -> bool:
        """Ask for a place and save the text there; False if that did not happen."""
        suggestion = self.document.path or Path(self._folder()) / f"{tr('Untitled')}.txt"
        name, _ = QFileDialog.getSaveFileName(
            self._window, tr("Save As"), str(suggestion), tr(FILTER)
        )
        return bool(name) and self._write(self.document, Path(name))

    @Slot()
    def save_all(self) -> bool:
        """Save every text with unsaved changes; False as soon as one is not saved."""
        seen = self._desk.current
        for sheet in [one for one in self._desk.sheets if one.is_modified]:
            self._desk.turn_to(sheet)
            if not self.save():
                return False
        self._desk.turn_to(seen)
        return True

    def close(self, sheet: Sheet | None = None) -> bool:
        """Close a text, or the one that is seen; False if the writer would rather keep it."""
        sheet = sheet or self._desk.current
        if sheet.is_modified:
            self._desk.turn_to(sheet)  # the writer sees what the question is about
            if not self.may_discard([sheet]):
                return False
        self._desk.remove(sheet)
        return True

    def may_discard(self, sheets: list[Sheet]) -> bool:
        """Whether these texts may go: they are saved, or the writer gives them up."""
        modified = [sheet for sheet in sheets if sheet.is_modified]
        if not modified:
            return True
        if len(modified) == 1:
            self._desk.turn_to(modified[0])
            question = tr("Save the changes to {name}?", name=modified[0].file.name)
            save = Button.Save
        else:
            question = tr("Save the changes to {count} texts?", count=len(modified))
            save = Button.SaveAll
        box = QMessageBox(
            QMessageBox.Icon.NoIcon, "Foretype", question,
            save | Button.Discard | Button.Cancel, self._window,
        )  # fmt: skip
        names = "\n".join(sheet.file.name for sheet in modified) + "\n\n"
        box.setInformativeText(
            (names if len(modified) > 1 else "") + tr("Without saving it is lost.")
        )
        answer = box.exec()
        if answer == save:
            return self.save() if len(modified) == 1 else self.save_all()
        return answer == Button.Discard

    def _write(self, file: Document, path: Path) -> bool:
        sheet = self._desk.current
        try:
            saved = file.save(sheet.paper.text(), path)
        except UnencodableError as err:
            return self._confirm(str(err) + ".", "", tr("Save as UTF-8")) and self._write(
                file.as_utf8(), path
            )
        except DocumentError as err:
            self._complain(err)
            return False
        sheet.saved(saved)
        self.used.emit(path)
        return True

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
