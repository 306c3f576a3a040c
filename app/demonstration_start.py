"""What a teacher shows: the demonstration and the page that explains it, made when first wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from app.caret import line_around

if TYPE_CHECKING:
    from app.demonstration import Demonstration
    from app.how_it_works import HowItWorks
    from app.window import Window


class Teaching(QObject):
    """The demonstration of one window, its explanation and the writer's figures."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._window = window
        self._demonstration: Demonstration | None = None
        self._page: HowItWorks | None = None

    @property
    def demonstration(self) -> Demonstration:
        """The demonstration, over everything between the menus and the status line."""
        if self._demonstration is None:
            from app.demonstration import Demonstration

            window, centre = self._window, self._window.centralWidget()
            assert centre is not None
            self._demonstration = Demonstration(window.editor, window.controller, centre)
            self._demonstration.covers.connect(window.suggesting.rest)
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
        """Open the page that explains prediction, with the sentence at the caret."""
        from app.how_it_works import HowItWorks
        from app.how_it_works_words import sentence_at

        window = self._window
        if self._page is None:
            self._page = HowItWorks(window.controller, lambda: window.models.folder, window)
            self._page.demonstration_wanted.connect(self._on_demonstration_wanted)
        before, after = line_around(window.editor.textCursor())
        if not (before + after).strip():  # the last line with something on it
            before, after = window.editor.context().text.rstrip().rpartition("\n")[2], ""
        self._page.open(sentence_at(before, after))

    @Slot()
    def _on_demonstration_wanted(self) -> None:
        self._window.activateWindow()
        if not self.demonstration.is_on:
            self.demonstration.begin()

    @Slot()
    def show_statistics(self) -> None:
        """Open the writer's figures."""
        from app.statistics_dialog import StatisticsDialog

        StatisticsDialog(self._window.statistics, self._window).exec()
