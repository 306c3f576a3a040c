"""The tabs above the text; a single text needs none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QTabBar, QToolButton, QWidget

from app import theme
from app.translation import tr

if TYPE_CHECKING:
    from PySide6.QtGui import QMouseEvent

    from app.desk import Desk
    from app.sheet import Sheet

UNSAVED = "•"


def labels(sheets: list[Sheet]) -> list[str]:
    """Return what to call each text: its file's name, and the folder where two are alike."""
    names = [sheet.file.name for sheet in sheets]
    found = []
    for sheet, name in zip(sheets, names, strict=True):
        path = sheet.file.path
        label = f"{name} – {path.parent.name}" if path and names.count(name) > 1 else name
        found.append(f"{label} {UNSAVED}" if sheet.is_modified else label)
    return found


class Tabs(QTabBar):
    """Follows a desk.

    Signals:
        close_wanted(Sheet): a tab's cross, or the tab with the middle button, was clicked.
    """

    close_wanted = Signal(object)

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self.setAccessibleName(tr("Open texts"))
        self.setFont(theme.interface_font())
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # a click leaves the caret in the text
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setMovable(True)
        self.setElideMode(Qt.TextElideMode.ElideMiddle)
        self.setUsesScrollButtons(True)
        self.setAutoHide(True)
        self.currentChanged.connect(self._on_current_changed)
        self.tabMoved.connect(self._on_moved)
        desk.listed.connect(self.follow)
        self.follow()

    @Slot()
    def follow(self) -> None:
        """Show what is on the desk."""
        was_blocked = self.blockSignals(True)
        sheets = self._desk.sheets
        while self.count() > len(sheets):
            self.removeTab(self.count() - 1)
        while self.count() < len(sheets):
            self.setTabButton(self.addTab(""), QTabBar.ButtonPosition.RightSide, self._cross())
        for place, (sheet, label) in enumerate(zip(sheets, labels(sheets), strict=True)):
            text = label.replace("&", "&&")
            if self.tabText(place) != text:
                self.setTabText(place, text)
            self.setTabToolTip(place, str(sheet.file.path or tr("Not saved yet")))
        self.setCurrentIndex(sheets.index(self._desk.current))
        self.blockSignals(was_blocked)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Close a tab with the middle button."""
        place = self.tabAt(event.position().toPoint())
        if event.button() == Qt.MouseButton.MiddleButton and place >= 0:
            self.close_wanted.emit(self._desk.sheets[place])
        else:
            super().mouseReleaseEvent(event)

    def _cross(self) -> QToolButton:
        button = QToolButton(self)
        button.setText("×")
        button.setAutoRaise(True)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.setToolTip(tr("Close"))
        button.setAccessibleName(tr("Close this text"))
        button.clicked.connect(lambda: self._on_cross(button))
        return button

    def _on_cross(self, button: QToolButton) -> None:
        for place, sheet in enumerate(self._desk.sheets):
            if self.tabButton(place, QTabBar.ButtonPosition.RightSide) is button:
                self.close_wanted.emit(sheet)
                return

    @Slot(int)
    def _on_current_changed(self, place: int) -> None:
        if 0 <= place < len(self._desk.sheets):
            self._desk.turn_to(self._desk.sheets[place])

    @Slot(int, int)
    def _on_moved(self, start: int, end: int) -> None:
        self._desk.move(self._desk.sheets[start], end)
