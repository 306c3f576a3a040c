"""What a teacher shows: the demonstration and the page that explains it, made when first wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

if TYPE_CHECKING:
    from app.demonstration import Demonstration
    from app.window import Window


class Teaching(QObject):
    """The demonstration of one window."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._window = window
        self._demonstration: Demonstration | None = None

    @property
    def demonstration(self) -> Demonstration:
        """The demonstration, over everything between the menus and the status line."""
        if self._demonstration is None:
            from app.demonstration import Demonstration

            window, centre = self._window, self._window.centralWidget()
            assert centre is not None
            self._demonstration = Demonstration(window.editor, window.controller, centre)
            self._demonstration.explanation_wanted.connect(self.explain)
        return self._demonstration

    @Slot()
    def toggle(self) -> None:
        """Begin the demonstration at the caret, or end it."""
        if self.demonstration.is_on:
            self.demonstration.end()
        else:
            self.demonstration.begin()

    @Slot()
    def explain(self) -> None:
        """Open the page that explains prediction."""

    @Slot()
    def show_statistics(self) -> None:
        """Open the writer's figures."""
        from app.statistics_dialog import StatisticsDialog

        StatisticsDialog(self._window.statistics, self._window).exec()
