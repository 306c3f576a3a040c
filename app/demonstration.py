"""The demonstration: the model writes on from the caret, every step of it to be seen.

A calm mode of the window.  It covers the text with a page of its own (`app.demonstration_page`), so
the document stays what it was until the writer accepts what was generated.  → draws and adds, ←
takes back, Space plays, Enter or a click chooses a token by hand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QKeyEvent
from PySide6.QtWidgets import QAbstractSpinBox, QSlider

from app import demonstration_words as words
from app.demonstration_layout import Stage
from app.demonstration_link import DemonstrationLink
from app.demonstration_worker import Scene, Wish
from app.translation import marked, tr
from model.generation import TEXT

if TYPE_CHECKING:
    from typing import Literal

    from PySide6.QtWidgets import QWidget

    from app.editor import Editor
    from app.prediction import PredictionController
    from model.generation_moment import Option

NO_MODEL = marked("No model is at work yet. Choose one in the Model menu; then this begins.")
THINKING = marked("The model reads your text…")
CALM_ABOVE = 2.0  # tokens a second


class Demonstration(Stage):
    """Covers `over`, shows what may follow the caret of `editor`, and puts it there if accepted.

    Signals:
        covers(bool): the text is covered from now on, or seen again.
        explanation_wanted(): the writer wants to read how prediction works.
    """

    covers = Signal(bool)
    explanation_wanted = Signal()

    def __init__(self, editor: Editor, controller: PredictionController, over: QWidget) -> None:
        super().__init__(over)
        self._editor, self._controller, self._cover = editor, controller, over
        self._link = DemonstrationLink(controller, self)
        self._scene: Scene | None = None
        self._is_drawn = self._is_playing = False
        self._will_be_drawn = False  # once the answer is here
        self._revision = -1  # of the text that is shown
        self._next_phase = QTimer(self)
        self._next_phase.setSingleShot(True)
        self._next_phase.timeout.connect(self._advance)
        self.hide()
        over.installEventFilter(self)
        self._connect()

    def _connect(self) -> None:
        self._link.shown.connect(self._on_shown)
        self._link.failed.connect(self._on_failed)
        self._controller.ready.connect(self._on_ready)
        self._editor.textChanged.connect(self._on_text_changed)
        self._editor.turned.connect(self._on_turned)
        self.bars.chosen.connect(self.choose)
        self.bars.looked_at.connect(self._on_looked_at)
        self.tree.wanted.connect(self.go_to)
        self.controls.changed.connect(self._on_controls_changed)
        self.beside.toggled.connect(self._on_beside_toggled)
        self.explain.clicked.connect(self.explanation_wanted)
        self.back.clicked.connect(self.step_back)
        self.forward.clicked.connect(self.step)
        self.play.clicked.connect(self.toggle_playing)
        self.discard.clicked.connect(self.end)
        self.accept.clicked.connect(self.take_over)

    @property
    def is_on(self) -> bool:
        """Whether the demonstration covers the text."""
        return self.isVisibleTo(self._cover)

    @Slot()
    def begin(self) -> None:
        """Cover the text and look at what may follow the caret."""
        for page in (self.page, self.greedy_page):
            page.set_writing_font(self._editor.font())
        self.setGeometry(self._cover.rect())
        self.show()
        self.raise_()
        self.bars.setFocus()
        self.covers.emit(True)
        self._restart()

    @Slot()
    def end(self) -> None:
        """Uncover the text, which is what it was; what was generated is gone."""
        self._pause()
        self._link.drop()
        self._scene = None
        self.hide()
        self.covers.emit(False)
        self._editor.setFocus()

    @Slot()
    def take_over(self) -> None:
        """Put what was generated into the text as one undo step, and end."""
        text = self._scene.moment.text if self._scene else ""
        self.end()
        if text:
            self._editor.insert(text)

    @Slot()
    def step(self) -> None:
        """Draw the next token; if one is drawn already, add it."""
        self._pause()
        self._advance()

    @Slot()
    def step_back(self) -> None:
        """Undo the last `step`."""
        self._pause()
        if self._is_drawn:
            self._show_drawn(False)
        elif self._scene and self._scene.moment.path:
            self._will_be_drawn = True
            self._wish("go", place=self._scene.moment.path[-1].parent)

    @Slot(int)
    def choose(self, token: int) -> None:
        """Add this token; unless it is the drawn one, it is chosen by hand."""
        self._pause()
        if self._scene is None or self._link.is_waiting:
            return
        drawn = self._scene.moment.next if self._is_drawn else None
        if drawn and drawn.token == token:
            self._wish("add")
        else:
            self._wish("choose", token=token)

    @Slot(int)
    def go_to(self, place: int) -> None:
        """Return to a step of the tree."""
        self._pause()
        self._wish("go", place=place)

    @Slot()
    def toggle_playing(self) -> None:
        """Go on by itself at the chosen speed, or stop."""
        if self._is_playing:
            self._pause()
        elif self._scene is not None and not self._scene.moment.is_ended:
            self._is_playing = True
            self.play.setText(tr("Pause"))
            self._advance()

    def _restart(self) -> None:
        self._pause()
        self._scene, self._is_drawn = None, False
        context = self._editor.context()
        self._revision = context.revision
        self.show_text(self._editor.document(), context.position_utf16)
        self.narration.setText(tr(THINKING) if self._controller.is_ready else tr(NO_MODEL))
        if self._controller.is_ready:
            self._controller.cancel()
            self._wish("begin", text=context.text)

    def _wish(
        self, act: Literal["begin", "look", "add", "choose", "go"], *, text: str = "",
        token: int = -1, place: int = TEXT,
    ) -> None:  # fmt: skip
        """Ask for something; until the answer is here, stepping does nothing."""
        settings, seed = self.controls.settings, self.controls.seed
        self._link.ask(Wish(act, settings, seed, self.beside.isChecked(), text, token, place))

    @Slot()
    def _advance(self) -> None:
        """One phase: a draw, or the addition of what was drawn."""
        if self._scene is None or self._link.is_waiting or self._scene.moment.is_ended:
            return
        if self._is_drawn:
            self._wish("add")
        else:
            self._show_drawn(True)
            self._schedule()

    @Slot(object)
    def _on_shown(self, scene: Scene) -> None:
        is_elsewhere = self._scene is None or self._scene.moment.here != scene.moment.here
        self._scene = scene
        if is_elsewhere:
            self._is_drawn = self._will_be_drawn and not scene.moment.is_ended
        self._will_be_drawn = False
        self._show()
        if scene.moment.is_ended:
            self._pause()
        self._schedule()

    @Slot(str)
    def _on_failed(self, message: str) -> None:
        self._pause()
        self.narration.setText(f"{message}.")

    def _show_drawn(self, is_drawn: bool) -> None:
        self._is_drawn = is_drawn
        self._show()

    def _show(self) -> None:
        assert self._scene is not None
        self._say(words.narration(self._scene, self._is_drawn))
        self.show_scene(self._scene, self._is_drawn, is_calm=self._is_fast)

    def _say(self, text: str) -> None:
        """Show a sentence, and have it read out."""
        if text == self.narration.text():
            return
        self.narration.setText(text)
        if not self._is_fast:
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self.narration, text))

    @property
    def _is_fast(self) -> bool:
        """Whether tokens follow so fast that moving and reading out would lag behind."""
        return self._is_playing and self.tokens_per_second > CALM_ABOVE

    def _schedule(self) -> None:
        if self._is_playing:
            self._next_phase.start(round(500 / self.tokens_per_second))  # two phases a token

    def _pause(self) -> None:
        self._next_phase.stop()
        self._is_playing = False
        self.play.setText(tr("Play"))

    @Slot(object)
    def _on_looked_at(self, option: Option | None) -> None:
        if self._scene is not None:
            self.controls.show_way(option, self._scene.moment)

    @Slot()
    def _on_controls_changed(self) -> None:
        if self._scene is not None:
            self._wish("look")

    @Slot(bool)
    def _on_beside_toggled(self, is_beside: bool) -> None:
        self.greedy.setVisible(is_beside)
        self.figures.setVisible(is_beside)
        self._on_controls_changed()

    @Slot()
    def _on_text_changed(self) -> None:
        """The text is another: begin again."""
        if self.is_on and self._editor.document().revision() != self._revision:
            self._restart()

    @Slot()
    def _on_ready(self) -> None:
        """The model is another: begin again."""
        if self.is_on:
            self._restart()

    @Slot()
    def _on_turned(self) -> None:
        """Another text is seen now: this demonstration was of the one before."""
        if self.is_on:
            self.end()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The keys of the demonstration, wherever the focus is and does not need them itself."""
        acts = {
            Qt.Key.Key_Right: self.step, Qt.Key.Key_Left: self.step_back,
            Qt.Key.Key_Space: self.toggle_playing, Qt.Key.Key_Escape: self._leave,
            Qt.Key.Key_Return: self.bars.setFocus, Qt.Key.Key_Enter: self.bars.setFocus,
            Qt.Key.Key_G: self.beside.toggle, Qt.Key.Key_N: self.controls.take_new_seed,
            Qt.Key.Key_F1: self.explanation_wanted.emit,
        }  # fmt: skip
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if modifiers == Qt.KeyboardModifier.ControlModifier and is_enter:
            self.take_over()
        elif not modifiers and event.key() in acts:
            acts[Qt.Key(event.key())]()
        # Everything else ends here: no key reaches the text under the cover.

    def _leave(self) -> None:
        """Leave a field, or else the demonstration."""
        if isinstance(self.focusWidget(), QAbstractSpinBox | QSlider):
            self.bars.setFocus()
        else:
            self.end()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay as large as what is covered."""
        if event.type() == QEvent.Type.Resize and self.is_on:
            self.setGeometry(self._cover.rect())
        return super().eventFilter(watched, event)
