"""The room at the right of the text, where one panel at a time is shown."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget


@dataclass(frozen=True, slots=True)
class Panel:
    """A widget at the side, its title in the View menu and the keys that show or hide it."""

    name: str
    title: str
    widget: QWidget
    shortcuts: tuple[str, ...] = ()


class Sidebar(QWidget):
    """Shows one of its panels, or none.

    Signals:
        turned(str): the name of the panel that is shown now; "" if none is.
    """

    turned = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.panels: list[Panel] = []
        self.shown = ""
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(0)
        self.hide()

    def add(self, panel: Panel) -> None:
        """Add a panel, hidden."""
        panel.widget.hide()
        self.panels.append(panel)
        self._row.addWidget(panel.widget)

    def show_panel(self, name: str) -> None:
        """Show the panel `name` in place of any other; "" shows none."""
        if name == self.shown:
            return
        self.shown = name
        for panel in self.panels:
            panel.widget.setVisible(panel.name == name)
        self.setVisible(bool(name))
        self.turned.emit(name)

    def toggle(self, name: str) -> None:
        """Show the panel `name`, or hide it if it is shown."""
        self.show_panel("" if self.shown == name else name)
