"""All keys on one page: read them, find them, change them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QHeaderView,
    QKeySequenceEdit,
    QLabel,
    QLineEdit,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.shortcuts import plain, portable
from app.translation import marked, tr

if TYPE_CHECKING:
    from app.shortcuts import Shortcuts

WIDTH_PX, HEIGHT_PX = 560, 620
NAME = Qt.ItemDataRole.UserRole
KEYS_IN_TEXT = (
    (marked("Take the ghost text, or else the first suggestion"), "Tab"),
    (marked("Take one word of the ghost text"), "Ctrl+Right"),
    (marked("Hide suggestions until the next character"), "Esc"),
    (marked("Indent the selected lines, or less"), "Tab, Shift+Tab"),
)
KEYS_IN_DEMONSTRATION = (
    (marked("Draw the next token, then add it"), "→"),
    (marked("Take the last token back"), "←"),
    (marked("Play or pause"), "Space"),
    (marked("Go to a token and choose it by hand"), "↑, ↓, Return"),
    (marked("Show the likeliest tokens beside it"), "G"),
    (marked("Take another seed"), "N"),
    (marked("Put what was generated into the text"), "Ctrl+Return"),
    (marked("Explain how prediction works"), "F1"),
    (marked("Leave the demonstration"), "Esc"),
)
FIXED_KEYS = (
    (marked("In the text"), KEYS_IN_TEXT),
    (marked("In the demonstration"), KEYS_IN_DEMONSTRATION),
)
HINT = marked("Choose a line, then press the new keys in the field.")


class ShortcutsDialog(QDialog):
    """Shows what `Shortcuts` holds and passes on what the writer wants changed."""

    def __init__(self, shortcuts: Shortcuts, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shortcuts = shortcuts
        self.setWindowTitle(tr("Keyboard Shortcuts"))
        self.resize(WIDTH_PX, HEIGHT_PX)
        self.filter = QLineEdit()
        self.filter.setPlaceholderText(tr("Search by name or key"))
        self.filter.setAccessibleName(tr("Search"))
        self.filter.setClearButtonEnabled(True)
        self.list = QTreeWidget()
        self.list.setHeaderHidden(True)
        self.list.setColumnCount(2)
        self.list.setRootIsDecorated(False)
        self.list.setIndentation(0)
        self.list.setAccessibleName(tr("Shortcuts"))
        self.list.header().setStretchLastSection(False)
        self.list.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.list.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.keys = QKeySequenceEdit()
        self.keys.setMaximumSequenceLength(1)
        self.keys.setAccessibleName(tr("New keys"))
        self.clear, self.usual = QPushButton(tr("No Keys")), QPushButton(tr("Usual Keys"))
        self.hint = QLabel(tr(HINT))
        self.hint.setWordWrap(True)
        self.hint.setProperty("isQuiet", True)
        self._lay_out()
        self.filter.textChanged.connect(self._show_matching)
        self.list.currentItemChanged.connect(self._on_chosen)
        self.keys.editingFinished.connect(self._on_keys)
        self.clear.clicked.connect(lambda: self._set([]))
        self.usual.clicked.connect(lambda: self._set(shortcuts.defaults[self._chosen()]))
        self._fill()
        self._on_chosen()

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.addWidget(self.keys, 1)
        row.addWidget(self.clear)
        row.addWidget(self.usual)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.button(QDialogButtonBox.StandardButton.Close).setAutoDefault(False)
        self.reset = buttons.addButton(tr("All Usual Keys"), QDialogButtonBox.ButtonRole.ResetRole)
        self.reset.clicked.connect(self._on_reset)
        buttons.rejected.connect(self.reject)
        for button in (self.clear, self.usual, self.reset):
            button.setAutoDefault(False)  # Return belongs to the field of the keys
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 20, 20, 16)
        column.setSpacing(10)
        for widget in (self.filter, self.list):
            column.addWidget(widget)
        column.addLayout(row)
        column.addWidget(self.hint)
        column.addWidget(buttons)

    def _fill(self) -> None:
        """List every action under the name of its menu, then the keys that stay as they are."""
        chosen = self._chosen()
        self.list.clear()
        titles = list(dict.fromkeys(self._shortcuts.menus.values()))
        for title in titles:
            self._add_heading(title)
            for name, menu in self._shortcuts.menus.items():
                if menu == title:
                    self._add(name, chosen)
        for title, lines in FIXED_KEYS:
            self._add_heading(tr(title))
            for text, keys in lines:
                QTreeWidgetItem(self.list, [tr(text), _native(keys)]).setFlags(
                    Qt.ItemFlag.ItemIsEnabled
                )
        self._show_matching()

    def _add_heading(self, title: str) -> None:
        item = QTreeWidgetItem(self.list, [title, ""])
        item.setFlags(Qt.ItemFlag.NoItemFlags)
        font = theme.interface_font(theme.SMALL_SIZE_PT)
        font.setWeight(font.Weight.DemiBold)
        item.setFont(0, font)

    def _add(self, name: str, chosen: str) -> None:
        action = self._shortcuts.actions[name]
        native = QKeySequence.SequenceFormat.NativeText
        keys = action.shortcut().toString(native)  # the others are on odd keyboards only
        item = QTreeWidgetItem(self.list, [plain(action), keys])
        item.setData(0, NAME, name)
        if name == chosen:
            self.list.setCurrentItem(item)

    def _chosen(self) -> str:
        item = self.list.currentItem()
        return str(item.data(0, NAME) or "") if item else ""

    def choose(self, name: str) -> None:
        """Choose the line of an action."""
        for place in range(self.list.topLevelItemCount()):
            item = self.list.topLevelItem(place)
            if item and item.data(0, NAME) == name:
                self.list.setCurrentItem(item)

    @Slot()
    def _show_matching(self) -> None:
        wanted = self.filter.text().casefold()
        heading: QTreeWidgetItem | None = None
        for place in range(self.list.topLevelItemCount()):
            item = self.list.topLevelItem(place)
            if item is None:
                continue
            if item.flags() == Qt.ItemFlag.NoItemFlags:
                heading = item
                item.setHidden(True)
                continue
            is_hidden = not any(wanted in item.text(column).casefold() for column in (0, 1))
            item.setHidden(is_hidden)
            if heading is not None and not is_hidden:
                heading.setHidden(False)

    @Slot()
    def _on_chosen(self) -> None:
        name = self._chosen()
        for widget in (self.keys, self.clear, self.usual):
            widget.setEnabled(bool(name))
        self.hint.setText(tr(HINT))
        keys = self._shortcuts.actions[name].shortcuts() if name else []
        self.keys.setKeySequence(keys[0] if keys else QKeySequence())

    @Slot()
    def _on_keys(self) -> None:
        name, keys = self._chosen(), portable([self.keys.keySequence()])
        if not name or self.keys.keySequence() in self._shortcuts.actions[name].shortcuts():
            return
        if self.keys.keySequence().isEmpty():
            self._set([])
        elif problem := self._shortcuts.problem(name, keys[0]):
            self._on_chosen()
            self.hint.setText(problem)
        else:
            self._set(keys)

    def _set(self, keys: list[str] | tuple[str, ...]) -> None:
        name = self._chosen()
        for key in keys:
            if problem := self._shortcuts.problem(name, key):
                self.hint.setText(problem)
                return
        self._shortcuts.set(name, keys)
        self._fill()

    @Slot()
    def _on_reset(self) -> None:
        self._shortcuts.reset()
        self._fill()


def _native(keys: str) -> str:
    """Several keys, each as this platform writes it."""
    form = QKeySequence.SequenceFormat.NativeText
    return ", ".join(QKeySequence(key).toString(form) for key in keys.split(", "))
