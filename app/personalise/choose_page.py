"""The first step: which texts, and in chats whose words."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
)

from app.personalise.page import Page, framed, quiet
from app.translation import marked, tr

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent, QKeyEvent

INTRODUCTION = marked(
    "A personal model is a copy of the language model that has read your own texts, so that it "
    "expects your words and your way to put them. All of it happens on this computer; your texts "
    "stay where they are, and you can go back to the model of now at any time."
)
WHAT = marked(
    "Add letters, notes, mail and chats, or a folder of them, or drop them here. Even twenty pages "
    "help; more is better. Word, PDF, web pages, mail and exported chats can be read too."
)
AUTHOR_TOOL_TIP = marked(
    "Chats and mail hold the words of others too. Of those, only what this person wrote is used. "
    "Write the name as the chat shows it, or the mail address; several with commas between them."
)


class ChoosePage(Page):
    """A list of files and folders, which can be dropped on it."""

    def __init__(self) -> None:
        super().__init__(tr("Teach it your way of writing"), tr(INTRODUCTION))
        self.list = QListWidget()
        framed(self.list)
        self.list.setAccessibleName(tr("Texts to learn from"))
        self.list.setSelectionMode(QListWidget.SelectionMode.ExtendedSelection)
        self.add_files = QPushButton(tr("Add &Files…"))
        self.add_folder = QPushButton(tr("Add F&older…"))
        self.remove = QPushButton(tr("&Remove"))
        self.author = QLineEdit()
        self.author.setPlaceholderText(
            tr("only needed for chats and mail, as: Ann, ann@example.org")
        )
        self.author.setToolTip(tr(AUTHOR_TOOL_TIP))
        self._lay_out()
        self.setAcceptDrops(True)
        self.add_files.clicked.connect(self._on_add_files)
        self.add_folder.clicked.connect(self._on_add_folder)
        self.remove.clicked.connect(self._on_remove)
        self.list.itemSelectionChanged.connect(self._follow)
        self._follow()

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        for button in (self.add_files, self.add_folder, self.remove):
            button.setAutoDefault(False)
            buttons.addWidget(button)
        buttons.addStretch()
        label = QLabel(tr("&Your names in chats and mail"))
        label.setBuddy(self.author)
        label.setToolTip(tr(AUTHOR_TOOL_TIP))
        author = QHBoxLayout()
        author.addWidget(label)
        author.addWidget(self.author, 1)
        self.column.addSpacing(6)
        self.column.addWidget(quiet(tr(WHAT)))
        self.column.addWidget(self.list, 1)
        self.column.addLayout(buttons)
        self.column.addSpacing(6)
        self.column.addLayout(author)

    @property
    def paths(self) -> list[str]:
        """The chosen files and folders."""
        items = (self.list.item(row) for row in range(self.list.count()))
        return [str(item.data(Qt.ItemDataRole.UserRole)) for item in items]

    def add(self, paths: Iterable[str]) -> None:
        """Add files and folders that are not in the list yet."""
        for path in paths:
            if path not in self.paths:
                name = Path(path).name or path
                item = QListWidgetItem(f"{name}/" if Path(path).is_dir() else name)
                item.setData(Qt.ItemDataRole.UserRole, path)
                item.setToolTip(path)
                self.list.addItem(item)
        self._follow()

    @Slot()
    def _on_add_files(self) -> None:
        self.add(QFileDialog.getOpenFileNames(self, tr("Add Files"))[0])

    @Slot()
    def _on_add_folder(self) -> None:
        if folder := QFileDialog.getExistingDirectory(self, tr("Add Folder")):
            self.add([folder])

    @Slot()
    def _on_remove(self) -> None:
        for item in self.list.selectedItems():
            self.list.takeItem(self.list.row(item))
        self._follow()

    @Slot()
    def _follow(self) -> None:
        self.remove.setEnabled(bool(self.list.selectedItems()))
        self.set_buttons(tr("See What Will Be &Used"), "", is_ready=self.list.count() > 0)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Remove with the Delete key."""
        if event.key() == Qt.Key.Key_Delete:
            self._on_remove()
        else:
            super().keyPressEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take files."""
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Take them anywhere on the page."""
        event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Add what was dropped."""
        urls = event.mimeData().urls()
        self.add(url.toLocalFile() for url in urls if url.isLocalFile())
        event.acceptProposedAction()
