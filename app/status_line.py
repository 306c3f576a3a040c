"""The quiet line under everything: the model at work, private mode, the words of the text."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Slot
from PySide6.QtWidgets import QLabel, QStatusBar, QWidget

from app import theme
from app.translation import marked, tr

SAID_FOR_MS = 8_000
WORDS_A_MINUTE = 240  # silent reading of English prose, by adults; about the mean of the studies
PRIVATE = marked(
    "Private mode: nothing is learnt from what you write, no file you open is noted and no unsaved "
    "text is kept against a crash. Turn it off in the Words menu."
)


class StatusLine(QStatusBar):
    """Three labels; what is said for a while takes the place of the first."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model, self.private = QLabel(tr("No model")), QLabel(tr("Private"))
        self.count = QLabel()
        self.setSizeGripEnabled(False)
        self.setContentsMargins(18, 0, 18, 4)
        self._sentence = QLabel()  # Qt's own message has another size and another margin
        self._over = QTimer(self)
        self._over.setSingleShot(True)
        self._over.setInterval(SAID_FOR_MS)
        self._over.timeout.connect(self._hush)
        for label in (self._sentence, self.model, self.private, self.count):
            label.setFont(theme.interface_font(theme.SMALL_SIZE_PT))
        self.private.setProperty("isBadge", True)  # before it is styled, by being added
        self.addWidget(self._sentence, 1)
        self.addWidget(self.model, 1)
        self._sentence.hide()
        self.addPermanentWidget(self.private)
        self.addPermanentWidget(self.count)
        self.private.setToolTip(tr(PRIVATE))
        self.model.setAccessibleName(tr("Model"))
        self.count.setAccessibleName(tr("Words"))

    def show_count(self, words: int) -> None:
        """Show how long the text is, in words and in minutes of reading."""
        count = tr("%n words", "", words)
        minutes = round(words / WORDS_A_MINUTE)
        self.count.setText(
            tr("{count}  ·  {minutes:,} min", count=count, minutes=minutes) if minutes else count
        )
        self.count.setToolTip(
            tr("Reading time at {words_a_minute} words a minute", words_a_minute=WORDS_A_MINUTE)
        )

    @property
    def said(self) -> str:
        """The sentence that is shown now; "" if none is."""
        return self._sentence.text() if not self._sentence.isHidden() else ""

    def say(self, text: str) -> None:
        """Show a sentence for a while."""
        self._sentence.setText(text)
        self._sentence.show()
        self.model.hide()
        self._over.start()

    @Slot()
    def _hush(self) -> None:
        self._sentence.hide()
        self.model.show()
