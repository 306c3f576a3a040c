"""Between the text, the bar and the model: asks at each place of the caret, shows what comes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from app.caret import line_around
from app.fitting import fitting, small

if TYPE_CHECKING:
    from app.caret import Context
    from app.editor import Editor
    from app.prediction import PredictionController
    from app.settings import Settings
    from app.suggestion_bar import SuggestionBar
    from app.trace import Trace
    from model.offer import Word
    from model.phrase import Phrase
    from model.predictor import Prediction


class Suggesting(QObject):
    """Offers words and phrases while the writer writes.

    Signals:
        answered(Prediction): what the model expects at the caret.
    """

    answered = Signal(object)

    def __init__(
        self,
        editor: Editor,
        bar: SuggestionBar,
        controller: PredictionController,
        trace: Trace | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._editor, self._bar, self._controller, self._trace = editor, bar, controller, trace
        self._with_ghost = self._is_wanted = True
        self._in_small_letters = self._rests = False
        self._is_elsewhere = False  # in the find bar, say
        editor.context_changed.connect(self._on_context_changed)
        editor.take_first.connect(self._on_take_first)
        editor.dismissed.connect(self._on_dismissed)
        editor.copyAvailable.connect(self._on_selected)
        bar.taken.connect(self.take)
        controller.ready.connect(self._on_ready)
        controller.glanced.connect(self._on_glanced)
        controller.predicted.connect(self._on_predicted)
        controller.phrase_found.connect(self._on_phrase_found)
        controller.vocabulary_changed.connect(self._on_vocabulary_changed)
        if trace:
            bar.painted.connect(trace.painted)
            editor.painted.connect(trace.text_painted)
            controller.prepared.connect(trace.prepared)

    def follow(self, settings: Settings) -> None:
        """Work out only what the writer wants to see, and show it for the caret's place."""
        self._with_ghost, self._in_small_letters = settings.ghost_shown, settings.small_letters
        self._is_wanted = settings.suggestions_shown or settings.panel_shown or settings.ghost_shown
        self._editor.tab_takes = settings.tab_takes
        self._bar.set_tab(settings.tab_takes)
        self._editor.offers_words = False
        self._editor.set_ghost(())
        self._ask()

    @Slot(int)
    def take(self, place: int) -> None:
        """Take the word in this place of the bar, if it still fits the text."""
        word = self._bar.words[place]
        if word and self._bar.offered_for and self._editor.offers_words:
            self._editor.take(
                word.text, self._bar.offered_for,
                corrects=word.is_correction, follows=word.is_next,
            )  # fmt: skip

    @Slot(bool)
    def rest(self, rests: bool) -> None:
        """Offer nothing while the text is not seen: what cannot be seen must not be taken."""
        self._rests = rests
        if rests:
            self._on_dismissed()
        else:
            self._ask()

    @Slot(bool)
    def wait(self, is_elsewhere: bool) -> None:
        """Offer nothing while the writer types elsewhere; the panel goes on showing the caret."""
        self._is_elsewhere = is_elsewhere
        self._offer_if_free()

    def clear(self) -> None:
        """Offer nothing."""
        self._bar.clear()
        self._editor.offers_words = False
        self._editor.set_ghost(())

    @Slot(object)
    def _on_context_changed(self, context: Context) -> None:
        if self._is_wanted and not self._rests:
            with_phrase = self._with_ghost and self._editor.wants_ghost
            self._controller.request(context, with_phrase=with_phrase)
        if self._trace:
            self._trace.key(self._editor.last_key)

    @Slot(object, object, float)
    def _on_glanced(self, context: Context, words: tuple[Word, ...], elapsed_ms: float) -> None:
        self._show_words(context, words, elapsed_ms)

    @Slot(object, object)
    def _on_predicted(self, context: Context, prediction: Prediction) -> None:
        self._show_words(context, prediction.words, prediction.elapsed_ms)
        self.answered.emit(prediction)

    @Slot(object, object)
    def _on_phrase_found(self, context: Context, phrase: Phrase) -> None:
        pieces = phrase.pieces
        if self._in_small_letters:
            pieces = tuple(small(piece) for piece in pieces)
        self._editor.show_ghost(pieces, context)

    @property
    def _can_take(self) -> bool:
        """Whether a word could be taken: not for what is selected, which typing replaces."""
        return not self._is_elsewhere and not self._editor.textCursor().hasSelection()

    def _show_words(self, context: Context, words: tuple[Word, ...], elapsed_ms: float) -> None:
        if not self._can_take:
            self.clear()
            return
        before, after = line_around(self._editor.textCursor())
        fit = fitting(words, before, after, in_small_letters=self._in_small_letters)
        if self._trace:
            self._trace.answered(fit, elapsed_ms)
        self._bar.show_words(fit, context)
        self._editor.offers_words = self._bar.isVisible() and not self._bar.is_empty

    @Slot()
    def _on_selected(self) -> None:
        self._offer_if_free()

    def _offer_if_free(self) -> None:
        if not self._can_take:
            self.clear()
        elif self._bar.is_empty:
            self._ask()

    @Slot()
    def _on_take_first(self) -> None:
        self.take(0)

    @Slot()
    def _on_dismissed(self) -> None:
        self._controller.cancel()
        self.clear()

    @Slot()
    def _on_ready(self) -> None:
        self._bar.show()
        self._ask()

    @Slot()
    def _on_vocabulary_changed(self) -> None:
        self._editor.set_ghost(())
        self._ask()

    def _ask(self) -> None:
        self._on_context_changed(self._editor.context())
