"""The window: joins the signals of its pieces, and closes them in order."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, Qt, Signal, Slot
from PySide6.QtWidgets import QApplication

from app import menu_bar, paths, theme, words_menu
from app.demonstration_start import Teaching
from app.disk_changes import DiskChanges
from app.export import is_markdown
from app.filing import Filing
from app.find_bar import FindBar
from app.finder import Finder
from app.first_start import ModelInstaller
from app.frame import Frame
from app.markdown import Markdown
from app.model_choice import ModelChoice
from app.personalise.personalising import Personalising
from app.preferences import Preferences
from app.probability_start import PANEL, Probabilities
from app.session import Session
from app.settings import TEXT_SIZES_PT, Settings
from app.shortcuts import Shortcuts
from app.speller import Speller
from app.spelling import Spelling
from app.statistics import Statistics
from app.suggesting import Suggesting
from app.translation import tr
from app.vocabulary import Vocabulary
from app.word_count import WordCount

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtGui import QCloseEvent

    from app.prediction import PredictionController
    from app.sheet import Sheet
    from app.trace import Trace
    from model.predictor import Prediction

EVERY_SETTING = frozenset(Settings.__slots__)
ABOUT_SUGGESTING = {
    "suggestions_shown", "ghost_shown", "panel_shown", "tab_takes", "small_letters",
}  # fmt: skip


class Window(Frame):
    """The open texts, and the suggestions and probabilities of the one that is seen.

    Signals:
        closing(): the writer is done, and the texts are too; what still runs is about to end.
    """

    closing = Signal()

    def __init__(
        self, controller: PredictionController, settings: Settings, trace: Trace | None = None
    ) -> None:
        super().__init__(paths.recovery())
        self.controller = controller
        self._trace = trace
        self.preferences = Preferences(settings, paths.settings(), self)
        self.installer = ModelInstaller(paths.models())
        self.add_under_text(self.installer)
        self.installer.hide()
        self.finder = Finder(self.editor, self)
        self.find_bar = FindBar(self.finder)
        self.add_strip(self.find_bar, above_text=True)
        self.find_bar.closed.connect(self.editor.setFocus)
        self.filing = Filing(self.desk, self)
        self.session = Session(paths.session(), self.desk, self)
        self.disk_changes = DiskChanges(self.desk, self.notice, self)
        self.suggesting = Suggesting(self.editor, self.bar, controller, trace, self)
        self.vocabulary = Vocabulary(self.editor, controller, self)
        self.models = ModelChoice(controller, self.installer, self)
        self.probabilities = Probabilities(self)
        self.teaching = Teaching(self)
        self.statistics = Statistics(self.editor, self.bar, controller, paths.statistics(), self)
        self.personalising = Personalising(self)
        self.status.addPermanentWidget(self.personalising.note)
        self.spelling = Spelling(self.editor, Speller(paths.own_words()), self)
        self.markdown = Markdown(self.editor, self)
        self._words = WordCount(self.editor.document(), self)
        self._add_panels()
        self._connect()
        self._connect_texts()
        self.resize(settings.window_width_px, settings.window_height_px)
        if settings.window_maximised:
            self.setWindowState(Qt.WindowState.WindowMaximized)
        self._follow(EVERY_SETTING)
        menu_bar.build(self)
        self.shortcuts = Shortcuts(self.menuBar(), self.preferences, self)

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return self.preferences.now

    def change(self, **changes: object) -> None:
        """Change settings; everything follows, and they are remembered."""
        self.preferences.change(**changes)

    def _add_panels(self) -> None:
        title = tr("&Probabilities")
        self.add_panel(PANEL, title, self.probabilities.panel, ("F9", "Ctrl+Shift+P"))

    def _connect(self) -> None:
        editor, controller = self.editor, self.controller
        editor.zoom_wanted.connect(self.zoom)
        self.find_bar.entered.connect(self.suggesting.wait)
        self.bar.menu_wanted.connect(self._on_menu_wanted)
        self.suggesting.answered.connect(self._on_answered)
        controller.failed.connect(self._on_failed)
        controller.vocabulary_failed.connect(self._on_vocabulary_failed)
        self.models.changed.connect(self.status.model.setText)
        self.models.failed.connect(self._on_failed)
        self.personalising.use_wanted.connect(self.models.use)
        self.sidebar.turned.connect(self._on_panel_turned)
        self._words.counted.connect(self._on_counted)
        self.preferences.changed.connect(self._follow)
        QApplication.styleHints().colorSchemeChanged.connect(self._on_scheme_changed)

    def _connect_texts(self) -> None:
        self.editor.file_dropped.connect(self.filing.open_path)
        self.tabs.close_wanted.connect(self.filing.close)
        self.desk.leaving.connect(self._on_leaving)
        self.desk.turned.connect(self._on_turned)
        self.desk.listed.connect(self._on_document_changed)
        self.desk.failed.connect(self._on_autosave_failed)
        self.filing.used.connect(self._on_file_used)
        self.filing.restored.connect(self._on_restored)
        self.filing.said.connect(self.status.say)
        self.spelling.failed.connect(self._on_vocabulary_failed)

    @Slot(object)
    def _follow(self, names: frozenset[str]) -> None:
        """Put the settings with these names in force."""
        now = self.settings
        if names & {"text_size_pt", "writing_face", "column_characters"}:
            font = theme.writing_font(now.text_size_pt, now.writing_face)
            self.editor.set_writing_font(font, now.column_characters)
        if names & {"theme", "reduces_motion"}:
            self._on_scheme_changed()
        self.editor.set_focus_mode(now.focus_shown)
        self._on_document_changed()
        if names & {"spelling_checked", "spelling_language"}:
            self.spelling.follow(now)
        if "heat_shown" in names:
            self.probabilities.show_heat(now.heat_shown)
            self.markdown.set_pale(not now.heat_shown)
        if "panel_shown" in names and now.panel_shown != (self.sidebar.shown == PANEL):
            self.sidebar.show_panel(PANEL if now.panel_shown else "")
        if names & {"learns", "is_private"}:
            self.vocabulary.follow(now)
            self.statistics.follow(now)
        if "is_private" in names:
            self.status.private.setVisible(now.is_private)
            self.desk.set_private(now.is_private)
            self.session.set_private(now.is_private)
        self.under_text.setVisible(now.suggestions_shown)
        if names & ABOUT_SUGGESTING:
            self.suggesting.follow(now)

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
        self.change(text_size_pt=size)

    # What the pieces report

    @Slot(str)
    def _on_panel_turned(self, name: str) -> None:
        self.change(panel_shown=name == PANEL)

    @Slot(object)
    def _on_answered(self, prediction: Prediction) -> None:
        count = prediction.context_tokens
        tokens = tr("%n tokens", "", count)
        self.status.model.setText(
            tr(
                "{title}  ·  {tokens} in context  ·  {elapsed_ms:.0f} ms",
                title=self.models.title,
                tokens=tokens,
                elapsed_ms=prediction.elapsed_ms,
            )
        )

    @Slot(str)
    def _on_failed(self, message: str) -> None:
        if not self.controller.is_ready:
            self.suggesting.clear()
            self.probabilities.clear()
        self.notice.say(f"{message}.", (tr("Try again"), self.models.reload))

    @Slot(str)
    def _on_vocabulary_failed(self, message: str) -> None:
        self.notice.say(f"{message}.")

    @Slot(int, QPoint)
    def _on_menu_wanted(self, place: int, position: QPoint) -> None:
        if word := self.bar.words[place]:
            words_menu.show_for_word(self, word.text, position)

    @Slot(object)
    def _on_restored(self, names: list[str]) -> None:
        counts = Counter(names)
        each = [name if n == 1 else f"{name} ({n})" for name, n in counts.items()]
        what = each[0]
        if len(each) > 1:
            what = tr("{first} and {last}", first=", ".join(each[:-1]), last=each[-1])
        self.notice.say(
            tr("Restored unsaved changes to {what}: Foretype had ended unexpectedly.", what=what)
        )

    @Slot(bool)
    def _on_leaving(self, is_given_up: bool) -> None:
        self.controller.cancel()
        self.suggesting.clear()
        if not is_given_up:  # what was given up is not learnt either
            self.vocabulary.learn_rest(with_last_word=False)

    @Slot(object)
    def _on_turned(self, sheet: Sheet) -> None:
        self._words.follow(sheet.paper)

    @Slot(str)
    def _on_autosave_failed(self, problem: str) -> None:
        self.notice.say(
            tr("Unsaved text cannot be kept safe: {problem}. Save often.", problem=problem)
        )

    @Slot()
    def _on_document_changed(self) -> None:
        self.setWindowTitle(f"{self.filing.document.name}[*] — Foretype")
        self.setWindowModified(self.desk.current.is_modified)
        is_wanted = self.settings.markdown_shown
        self.markdown.turn(is_wanted and is_markdown(self.filing.document.path))

    @Slot(object)
    def _on_file_used(self, path: Path) -> None:
        self.vocabulary.learn_rest(with_last_word=False)  # of a file just opened there is none
        if not self.settings.is_private:
            self.change(recent_files=self.settings.with_recent(path.absolute()).recent_files)

    @Slot(int)
    def _on_counted(self, words: int) -> None:
        self.status.show_count(words)

    @Slot()
    def _on_scheme_changed(self) -> None:
        application = QApplication.instance()
        if isinstance(application, QApplication):
            now = self.settings
            theme.paint_application(application, now.theme, reduces_motion=now.reduces_motion)

    def changeEvent(self, event: QEvent) -> None:
        """Look at the disk when the writer comes back from another program."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self.disk_changes.look()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask about unsaved text, then end everything that runs."""
        if not self.filing.may_discard(self.desk.sheets) or not self.personalising.may_close():
            event.ignore()
            return
        self.session.write()
        self.hide()  # what follows may take a moment
        if not self.desk.current.is_modified:  # what was given up is not learnt either
            self.vocabulary.learn_rest(with_last_word=True)
        for sheet in self.desk.sheets:
            sheet.autosave.forget()
        self.closing.emit()
        self.personalising.stop()
        self.installer.stop()
        self.statistics.close()
        self.controller.stop()
        if self._trace:
            self._trace.close()
        size = self.normalGeometry().size()
        self.change(
            window_width_px=size.width(), window_height_px=size.height(),
            window_maximised=self.isMaximized(),
        )  # fmt: skip
        event.accept()
