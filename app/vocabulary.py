"""The writer's own words: learnt from what is written, forgotten and blocked when asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from app.written import Written

if TYPE_CHECKING:
    from app.editor import Editor
    from app.prediction import PredictionController
    from app.settings import Settings


class Vocabulary(QObject):
    """What the model at work knows of the writer.

    Passages that are finished before a model is loaded are kept for it.
    """

    def __init__(
        self, editor: Editor, controller: PredictionController, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._editor, self._controller = editor, controller
        self._waiting: list[tuple[str, str]] = []
        self._written = Written(editor, self)
        self._written.finished.connect(self._on_finished)
        controller.ready.connect(self._learn_waiting)

    def follow(self, settings: Settings) -> None:
        """Learn or not, as the writer wishes; what was written under another wish is not learnt."""
        is_kept = settings.learns and not settings.is_private
        if is_kept != self._written.is_kept:
            self._written.is_kept = is_kept
            self._drop()

    def learn_rest(self, *, with_last_word: bool) -> None:
        """Learn what is written, finished or not; the word at the caret only if asked for."""
        self._written.hand_on(with_last_word=with_last_word)

    def forget(self, word: str) -> None:
        """Forget one word, here and on the disk."""
        self._drop()  # or it would be learnt when its sentence is finished
        self._controller.forget(word)

    def forget_everything(self) -> None:
        """Forget all that was learnt, here and on the disk."""
        self._drop()
        self._controller.forget("")

    def block(self, word: str) -> None:
        """Never offer a word again."""
        self._controller.block(word)

    def allow(self, word: str) -> None:
        """Offer a word again, even if it offends."""
        self._controller.allow(word)

    def _drop(self) -> None:
        self._written.drop()
        self._waiting.clear()

    @Slot(str, str)
    def _on_finished(self, text: str, before: str) -> None:
        self._waiting.append((text, before))
        if self._controller.is_ready:
            self._learn_waiting()

    @Slot()
    def _learn_waiting(self) -> None:
        for text, before in self._waiting:
            self._controller.learn(text, before)
        self._waiting.clear()
