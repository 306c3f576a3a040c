"""What stands where in the window: tabs, text, suggestions under it, a panel beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QVBoxLayout, QWidget

from app.desk import Desk
from app.editor import Editor
from app.notice import Notice
from app.sidebar import Panel, Sidebar
from app.status_line import StatusLine
from app.suggestion_bar import HEIGHT_PX, SuggestionBar
from app.tabs import Tabs

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtGui import QDragEnterEvent, QDropEvent

SMALLEST_WIDTH_PX, SMALLEST_HEIGHT_PX = 420, 320
ABOVE_BAR_PX, BELOW_BAR_PX = 10, 4


class Frame(QMainWindow):
    """The widgets in their places; `Window` joins them.

    `editor` is always the same widget; `editor.turned` tells that it shows another text.
    """

    def __init__(self, recovery: Path) -> None:
        super().__init__()
        self.editor = Editor()
        self.bar = SuggestionBar()
        self.notice = Notice()
        self.sidebar = Sidebar()
        self.status = StatusLine()
        self.desk = Desk(self.editor, recovery, self)
        self.tabs = Tabs(self.desk)
        self.under_text = QWidget()
        under = QVBoxLayout(self.under_text)
        under.addWidget(self.bar)
        self.under_text.setMinimumHeight(HEIGHT_PX + 14)  # nothing jumps when the words come
        self.bar.hide()
        self._left = QVBoxLayout()
        self._left.setSpacing(0)
        for widget in (self.tabs, self.notice, self.editor, self.under_text):
            self._left.addWidget(widget)
        self._left.setStretchFactor(self.editor, 1)
        centre = QWidget()
        row = QHBoxLayout(centre)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addLayout(self._left, 1)
        row.addWidget(self.sidebar)
        self.setCentralWidget(centre)
        self.setMinimumSize(SMALLEST_WIDTH_PX, SMALLEST_HEIGHT_PX)
        self.setStatusBar(self.status)
        self.setAcceptDrops(True)
        self.editor.column_changed.connect(self._on_column_changed)

    def add_panel(
        self, name: str, title: str, widget: QWidget, shortcuts: tuple[str, ...] = ()
    ) -> None:
        """Put a panel at the side, with a toggle in the View menu; call before that is filled.

        `self.sidebar.turned` tells which panel is shown.
        """
        self.sidebar.add(Panel(name, title, widget, shortcuts))

    def add_under_text(self, widget: QWidget) -> None:
        """Put a widget above the suggestions, in line with the column of the text."""
        layout = self.under_text.layout()
        if isinstance(layout, QVBoxLayout):
            layout.insertWidget(layout.count() - 1, widget)

    def add_strip(self, widget: QWidget, *, above_text: bool) -> None:
        """Put a strip as wide as the text area right above or below the text."""
        place = self._left.indexOf(self.editor)
        self._left.insertWidget(place if above_text else place + 1, widget)

    @Slot(int, int)
    def _on_column_changed(self, left_px: int, width_px: int) -> None:
        right_px = max(0, self.editor.width() - left_px - width_px)
        if layout := self.under_text.layout():
            layout.setContentsMargins(left_px, ABOVE_BAR_PX, right_px, BELOW_BAR_PX)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept files dropped anywhere."""
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open files dropped anywhere."""
        self.editor.insertFromMimeData(event.mimeData())
