"""The window: puts the pieces on the table, joins their signals, and closes them in order."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, Slot
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QVBoxLayout,
    QWidget,
)

from app import menu_bar, paths, theme, words_menu
from app.caret import CONTEXT_CHARACTERS, Context
from app.editor import Editor
from app.filing import Filing
from app.first_start import ModelInstaller
from app.model_choice import ModelChoice
from app.notice import Notice
from app.probability_panel import ProbabilityPanel
from app.recovery import RecoveryStore
from app.settings import TEXT_SIZES_PT, Settings, save_settings
from app.sidebar import Panel, Sidebar
from app.suggesting import Suggesting
from app.suggestion_bar import HEIGHT_PX, SuggestionBar
from app.vocabulary import Vocabulary
from app.word_count import WordCount

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtGui import QCloseEvent

    from app.prediction import PredictionController
    from app.trace import Trace
    from model.predictor import Prediction

SMALLEST_WIDTH_PX, SMALLEST_HEIGHT_PX = 420, 320
PRIVATE = (
    "Private mode: nothing is learnt from what you write, no recent file is noted and no unsaved "
    "text is kept against a crash. Turn it off in the Words menu."
)


class Window(QMainWindow):
    """One document, its suggestions and its probabilities."""

    def __init__(
        self, controller: PredictionController, settings: Settings, trace: Trace | None = None
    ) -> None:
        super().__init__()
        self.settings = settings
        self.controller = controller
        self._trace = trace
        self.editor = Editor()
        self.bar = SuggestionBar()
        self.installer = ModelInstaller(paths.models())
        self.panel = ProbabilityPanel()
        self.sidebar = Sidebar()
        self.notice = Notice()
        self.filing = Filing(self.editor, RecoveryStore(paths.recovery()), self)
        self.suggesting = Suggesting(self.editor, self.bar, controller, trace, self)
        self.vocabulary = Vocabulary(self.editor, controller, self)
        self.models = ModelChoice(controller, self.installer, self)
        self._model_label, self._count_label = QLabel("No model"), QLabel()
        self._private_badge = QLabel("Private")
        self._words = WordCount(self.editor.document(), self)
        self._lay_out()
        self._add_panels()
        self._connect()
        self._apply_settings()
        menu_bar.build(self)

    def _lay_out(self) -> None:
        self._under_text = QWidget()
        under = QVBoxLayout(self._under_text)
        under.setContentsMargins(0, 10, 0, 4)
        under.addWidget(self.installer)
        under.addWidget(self.bar)
        self._under_text.setMinimumHeight(HEIGHT_PX + 14)  # nothing jumps when the words come
        self.installer.hide()
        self.bar.hide()
        left = QVBoxLayout()
        left.setSpacing(0)
        for widget in (self.notice, self.editor, self._under_text):
            left.addWidget(widget)
        left.setStretchFactor(self.editor, 1)
        centre = QWidget()
        row = QHBoxLayout(centre)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addLayout(left, 1)
        row.addWidget(self.sidebar)
        self.setCentralWidget(centre)
        self.setMinimumSize(SMALLEST_WIDTH_PX, SMALLEST_HEIGHT_PX)
        status = self.statusBar()
        status.setSizeGripEnabled(False)
        status.setContentsMargins(18, 0, 18, 4)
        for label in (self._model_label, self._private_badge, self._count_label):
            label.setFont(theme.interface_font(theme.SMALL_SIZE_PT))
        self._private_badge.setProperty("isBadge", True)  # before it is styled, by being added
        status.addWidget(self._model_label, 1)
        status.addPermanentWidget(self._private_badge)
        status.addPermanentWidget(self._count_label)
        self._private_badge.setToolTip(PRIVATE)
        self._model_label.setAccessibleName("Model")
        self._count_label.setAccessibleName("Words")

    def _add_panels(self) -> None:
        self.add_panel("probabilities", "&Probabilities", self.panel, ("F9", "Ctrl+Shift+P"))

    def add_panel(
        self, name: str, title: str, widget: QWidget, shortcuts: tuple[str, ...] = ()
    ) -> None:
        """Put a panel at the side, with a toggle in the View menu; call before that is filled.

        `self.sidebar.turned` tells which panel is shown.
        """
        self.sidebar.add(Panel(name, title, widget, shortcuts))

    def _connect(self) -> None:
        editor, controller = self.editor, self.controller
        editor.column_changed.connect(self._on_column_changed)
        editor.zoom_wanted.connect(self.zoom)
        editor.context_changed.connect(self._on_context_changed)
        editor.file_dropped.connect(self.filing.open_path)
        self.bar.menu_wanted.connect(self._on_menu_wanted)
        self.suggesting.answered.connect(self._on_answered)
        controller.perplexity_found.connect(self.panel.show_perplexity)
        controller.failed.connect(self._on_failed)
        controller.vocabulary_failed.connect(self._on_vocabulary_failed)
        self.models.changed.connect(self._model_label.setText)
        self.models.failed.connect(self._on_failed)
        self.sidebar.turned.connect(self._on_panel_turned)
        self.filing.changed.connect(self._on_document_changed)
        self.filing.used.connect(self._on_file_used)
        self.filing.restored.connect(self._on_restored)
        self.filing.autosave.failed.connect(self._on_autosave_failed)
        self._words.counted.connect(self._on_counted)
        QApplication.styleHints().colorSchemeChanged.connect(self._on_scheme_changed)

    def _apply_settings(self) -> None:
        now = self.settings
        self.resize(now.window_width_px, now.window_height_px)
        if now.window_maximised:
            self.setWindowState(Qt.WindowState.WindowMaximized)
        self.editor.set_writing_font(theme.writing_font(now.text_size_pt))
        self.sidebar.show_panel("probabilities" if now.panel_shown else "")
        self._under_text.setVisible(now.suggestions_shown)
        self.suggesting.follow(now)
        self.vocabulary.follow(now)
        self._private_badge.setVisible(now.is_private)
        self.filing.autosave.set_private(now.is_private)
        self._on_document_changed()

    def change(self, **changes: object) -> None:
        """Change settings and remember them."""
        self.settings = dataclasses.replace(self.settings, **changes)  # type: ignore[arg-type]
        save_settings(paths.settings(), self.settings)

    # What the writer does

    @Slot(int)
    def zoom(self, steps: int) -> None:
        """Make the text larger or smaller; 0 steps give the usual size."""
        now = self.settings.text_size_pt
        larger = [size for size in TEXT_SIZES_PT if size > now]
        smaller = [size for size in TEXT_SIZES_PT if size < now]
        if steps == 0:
            size = Settings().text_size_pt
        else:
            size = larger[0] if steps > 0 and larger else now
            size = smaller[-1] if steps < 0 and smaller else size
        self.editor.set_writing_font(theme.writing_font(size))
        self.change(text_size_pt=size)

    def show_panel(self, is_shown: bool) -> None:
        """Show or hide the probabilities."""
        self.sidebar.show_panel("probabilities" if is_shown else "")

    def show_suggestions(self, is_shown: bool) -> None:
        """Show or hide the suggestion bar."""
        self._under_text.setVisible(is_shown)
        self.change(suggestions_shown=is_shown)
        self.suggesting.follow(self.settings)

    def change_suggesting(self, **changes: bool) -> None:
        """Change settings of how words are suggested and taken."""
        self.change(**changes)
        self.suggesting.follow(self.settings)

    def set_learning(self, is_on: bool) -> None:
        """Learn from what is written from now on, or no longer."""
        self.change(learns=is_on)
        self.vocabulary.follow(self.settings)

    def set_private(self, is_on: bool) -> None:
        """Leave no trace of what is written from now on but the files that are saved."""
        self.change(is_private=is_on)
        self.vocabulary.follow(self.settings)
        self.filing.autosave.set_private(is_on)
        self._private_badge.setVisible(is_on)

    def choose_theme(self, chosen: str) -> None:
        """Put a theme in force and remember it."""
        self.change(theme=chosen)
        self._on_scheme_changed()

    # What the pieces report

    @Slot(str)
    def _on_panel_turned(self, name: str) -> None:
        is_shown = name == "probabilities"
        self.controller.page = self._page_text if is_shown else None
        self.change(panel_shown=is_shown)
        self.suggesting.follow(self.settings)

    @Slot(object)
    def _on_context_changed(self, context: Context) -> None:
        self.panel.show_perplexity(None)

    @Slot(object)
    def _on_answered(self, prediction: Prediction) -> None:
        if self.settings.panel_shown:
            self.panel.show_prediction(prediction)
        count = prediction.context_tokens
        tokens = "1 token" if count == 1 else f"{count:,} tokens"
        self._model_label.setText(
            f"{self.models.title}  ·  {tokens} in context  ·  {prediction.elapsed_ms:.0f} ms"
        )

    @Slot(str)
    def _on_failed(self, message: str) -> None:
        if not self.controller.is_ready:
            self.suggesting.clear()
            self.panel.clear()
        self.notice.say(f"{message}.", ("Try again", self.models.reload))

    @Slot(str)
    def _on_vocabulary_failed(self, message: str) -> None:
        self.notice.say(f"{message}.")

    @Slot(int, QPoint)
    def _on_menu_wanted(self, place: int, position: QPoint) -> None:
        if word := self.bar.words[place]:
            words_menu.show_for_word(self, word.text, position)

    @Slot(str)
    def _on_restored(self, name: str) -> None:
        self.notice.say(
            f"Restored unsaved changes to {name} from when Foretype was last closed unexpectedly."
        )

    @Slot(str)
    def _on_autosave_failed(self, problem: str) -> None:
        self.notice.say(f"Unsaved text cannot be kept safe: {problem}. Save often.")

    @Slot()
    def _on_document_changed(self) -> None:
        self.setWindowTitle(f"{self.filing.document.name}[*] — Foretype")
        self.setWindowModified(self.editor.document().isModified())

    @Slot(object)
    def _on_file_used(self, path: Path) -> None:
        self.vocabulary.learn_rest(with_last_word=False)  # of a file just opened there is none
        if not self.settings.is_private:
            self.change(recent_files=self.settings.with_recent(path.absolute()).recent_files)

    @Slot(int)
    def _on_counted(self, words: int) -> None:
        self._count_label.setText("1 word" if words == 1 else f"{words:,} words")

    @Slot()
    def _on_scheme_changed(self) -> None:
        application = QApplication.instance()
        if isinstance(application, QApplication):
            theme.paint_application(application, self.settings.theme)

    @Slot(int, int)
    def _on_column_changed(self, left_px: int, width_px: int) -> None:
        right_px = max(0, self.editor.width() - left_px - width_px)
        layout = self._under_text.layout()
        if layout:
            layout.setContentsMargins(left_px, 10, right_px, 4)

    def _page_text(self) -> str:
        if self.editor.document().characterCount() <= CONTEXT_CHARACTERS:
            return self.editor.text()
        return self.editor.context().text

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask about unsaved text, then end everything that runs."""
        if not self.filing.may_discard():
            event.ignore()
            return
        self.hide()  # what follows may take a moment
        if not self.editor.document().isModified():  # what was given up is not learnt either
            self.vocabulary.learn_rest(with_last_word=True)
        self.filing.autosave.forget()
        self.installer.stop()
        self.controller.stop()
        if self._trace:
            self._trace.close()
        size = self.normalGeometry().size()
        self.change(
            window_width_px=size.width(), window_height_px=size.height(),
            window_maximised=self.isMaximized(),
        )  # fmt: skip
        event.accept()
