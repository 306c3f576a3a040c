"""Joins the probability panel and the heat map to the window; what is heavy is made when wanted."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, QTimer, Slot
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QFileDialog

from app.probability_panel import ProbabilityPanel
from app.translation import tr

if TYPE_CHECKING:
    from app.caret import Context
    from app.heat import HeatMap
    from app.probability_help import Definitions
    from app.probability_instead import Instead
    from app.reading import Reading
    from app.window import Window
    from app.word_figures import WordFigures
    from app.written_words import WrittenWord
    from model.offer import Word
    from model.predictor import Prediction
    from model.reader import NextToken

PANEL = "probabilities"
REFRESH_MS = 40  # many answers of one reading are shown together


class Probabilities(QObject):
    """What the model thinks of the text in one window."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self.panel = ProbabilityPanel()
        self.reading: Reading | None = None
        self.heat: HeatMap | None = None
        self._instead: Instead | None = None
        self._window, self._editor = window, window.editor
        self._pointed: WrittenWord | None = None
        self._definitions: Definitions | None = None
        self._is_shown = False
        self._refreshing = QTimer(self)
        self._refreshing.setSingleShot(True)
        self._refreshing.setInterval(REFRESH_MS)
        self._refreshing.timeout.connect(self._refresh)
        window.sidebar.turned.connect(self._on_panel_turned)
        window.suggesting.answered.connect(self._on_answered)
        window.controller.next_token_found.connect(self._on_next_token_found)
        window.editor.cursorPositionChanged.connect(self._refresh_soon)
        window.editor.selectionChanged.connect(self._refresh_soon)
        self.panel.word.replacement_wanted.connect(self.replace)
        self.panel.text.place_wanted.connect(self._go_to)
        self.panel.text.all_wanted.connect(self._on_all_wanted)
        self.panel.export_wanted.connect(self.export)
        self.panel.help_wanted.connect(self.explain)

    def clear(self) -> None:
        """Show that no model is at work."""
        self.panel.caret.clear()

    @Slot()
    def explain(self) -> None:
        """Show how the figures are defined."""
        from app.probability_help import Definitions

        if self._definitions is None:
            window_tokens = self.reading.window_tokens if self.reading else 0
            self._definitions = Definitions(window_tokens, self._window)
        self._definitions.show()
        self._definitions.raise_()

    @Slot()
    def export(self) -> None:
        """Ask for a file and write the figures of every token that was read into it."""
        from app.probability_export import FILTERS, Figures, write

        reading = self.reading
        text = reading.text() if reading else None
        if reading is None or reading.tokenizer is None or text is None:
            self._window.notice.say(tr("The text is not read yet; export it in a moment."))
            return
        name = tr("{name} figures.csv", name=Path(self._window.filing.document.name).stem)
        chosen, kind = QFileDialog.getSaveFileName(
            self._window, tr("Export Figures"), name, FILTERS
        )
        if not chosen:
            return
        path = Path(chosen)
        if path.suffix.lower() not in {".csv", ".json"}:
            path = path.with_name(path.name + (".json" if "json" in kind else ".csv"))
        model = self._window.models.title
        try:
            write(
                path, Figures(text, reading.tokens, reading.tokenizer, model, reading.window_tokens)
            )
        except OSError as err:
            self._window.notice.say(
                tr(
                    "{path} was not written ({reason}); choose another folder.",
                    path=path,
                    reason=err.strerror or err,
                )
            )
            return
        self._window.status.say(
            tr(
                "Figures of {known:,} tokens are in {name}.",
                known=reading.tokens.known,
                name=path.name,
            )
        )

    @Slot(object, str)
    def replace(self, figures: WordFigures, text: str) -> None:
        """Put `text` in a word's place, as one undo step; what follows it is read again."""
        cursor = QTextCursor(self._editor.document())
        cursor.setPosition(figures.start)
        cursor.setPosition(figures.end, QTextCursor.MoveMode.KeepAnchor)
        cursor.beginEditBlock()  # undo brings the caret back to where it is now
        cursor.removeSelectedText()
        self._editor.setTextCursor(cursor)
        self._editor.insert(text)
        cursor.endEditBlock()
        self._pointed = None

    def _begin(self) -> Reading:
        """Make what reads, once."""
        if self.reading is None:
            from app.heat import HeatMap
            from app.heat_legend import HeatLegend
            from app.probability_instead import Instead
            from app.reading import Reading
            from app.reading_pointer import Pointer

            self.reading = Reading(self._editor, self._window.controller, self)
            self.reading.changed.connect(self._refresh_soon)
            self.reading.outdated.connect(self._refresh_soon)
            self.heat = HeatMap(self._editor, self.reading, self)
            self._legend = HeatLegend()
            self._window.status.addPermanentWidget(self._legend)
            self._legend.hide()
            self._instead = Instead(self._editor, self.reading, self._window.controller, self)
            self._instead.found.connect(self._on_words_found)
            pointer = Pointer(self._editor, self)
            pointer.rested.connect(self._on_pointer_rested)
            pointer.left.connect(self._on_pointer_left)
        return self.reading

    @Slot(str)
    def _on_panel_turned(self, name: str) -> None:
        self._is_shown = name == PANEL
        self._window.controller.wants_next_token = self._is_shown
        if self._is_shown or self.reading is not None:
            self._begin().want("panel", self._is_shown)
            assert self.heat is not None
            self.heat.tells = not self._is_shown  # the panel does
        if self._instead is not None and not self._is_shown:
            self._instead.look_for(None)
        self._refresh_soon()

    def show_heat(self, is_on: bool) -> None:
        """Show or hide the heat map."""
        if is_on or self.heat is not None:
            self._begin()
            assert self.heat is not None
            self.heat.turn(is_on)
            self._legend.setVisible(is_on)

    @Slot(object, object)
    def _on_next_token_found(self, context: Context, found: NextToken) -> None:
        self.panel.caret.show_token(found)

    @Slot(object)
    def _on_answered(self, prediction: Prediction) -> None:
        if self._is_shown:
            self.panel.caret.show_words(prediction.words)

    @Slot(object, str, object)
    def _on_words_found(self, figures: WordFigures, lead: str, words: tuple[Word, ...]) -> None:
        self.panel.word.show_words(figures, lead, words)

    @Slot(QPoint)
    def _on_pointer_rested(self, point: QPoint) -> None:
        if self._is_shown and self.reading is not None:
            self._pointed = self.reading.word_under(point)
            self._refresh_soon()

    @Slot()
    def _on_pointer_left(self) -> None:
        if self._pointed is not None:
            self._pointed = None
            self._refresh_soon()

    @Slot(int)
    def _go_to(self, position: int) -> None:
        cursor = self._editor.textCursor()
        cursor.setPosition(min(position, self._editor.document().characterCount() - 1))
        self._editor.setTextCursor(cursor)
        self._editor.ensureCursorVisible()

    @Slot()
    def _on_all_wanted(self) -> None:
        if self.reading is not None:
            self.reading.read_all()

    @Slot()
    def _refresh_soon(self) -> None:
        if self._is_shown and not self._refreshing.isActive():
            self._refreshing.start()

    @Slot()
    def _refresh(self) -> None:
        reading, cursor = self.reading, self._editor.textCursor()
        if reading is None or self._instead is None or not self._is_shown:
            return
        tokens, block = reading.tokens, cursor.block()
        word = self._pointed or reading.word_at(cursor.position())
        figures = reading.figures(word) if word else None
        if figures is not None or word is None:  # what is being read anew stays until it is known
            self.panel.word.show_word(figures)
            self._instead.look_for(figures)
        end = block.position() + block.length() - 1
        selected = tokens.ending_in(cursor.selectionStart(), cursor.selectionEnd())
        self.panel.text.show_perplexities(
            self._perplexity(slice(0, None), of_known=reading.is_partial),
            self._perplexity(tokens.ending_in(block.position(), end)),
            self._perplexity(selected) if cursor.hasSelection() else math.nan,
        )
        if reading.is_current:  # while the writer writes, what costs most stays as it is
            text = self.panel.text
            text.show_progress(tokens.known, len(tokens), can_read_all=reading.can_read_all)
            text.show_tokens(tokens, cursor.position())

    def _perplexity(self, tokens: slice, *, of_known: bool = False) -> float | None:
        """None while the text is another than the one that was read, or not read so far."""
        assert self.reading is not None
        if not self.reading.is_current:
            return None
        return self.reading.tokens.perplexity(tokens, of_known=of_known)
