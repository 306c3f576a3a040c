"""The model's mind at the caret: the ten likeliest next tokens, and what they say together."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QFormLayout, QFrame, QLabel, QVBoxLayout, QWidget

from app import theme

if TYPE_CHECKING:
    from collections.abc import Sequence

    from model.predictor import Prediction, TokenChance

WIDTH_PX = 292
MARGIN_PX = 22
ROWS = 10
ROW_PX = 27
TOKEN_PX = 104
FIGURE_PX = 62
VISIBLE = {" ": "·", "\n": "↵", "\t": "⇥", "\r": "␍", "\u00a0": "⍽"}
STALE = "…"


def visible(piece: bytes) -> str:
    """Return a token's bytes as text that shows white space; parts of a character as hex."""
    if not piece:
        return "end of text"
    try:
        text = piece.decode()
    except UnicodeDecodeError:
        return piece.hex(" ").upper()
    return "".join(
        VISIBLE.get(character, character if character.isprintable() else f"U+{ord(character):04X}")
        for character in text
    )


class TokenBars(QWidget):
    """A bar chart of token probabilities; every bar is measured against 100 %."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tokens: Sequence[TokenChance] = ()
        self._token_font = theme.writing_font(11.5)
        self._figure_font = theme.interface_font(theme.SMALL_SIZE_PT + 0.5)
        self.setAccessibleName("Likeliest next tokens")

    def sizeHint(self) -> QSize:
        """Room for ten rows, whether or not there are so many tokens."""
        return QSize(WIDTH_PX - 2 * MARGIN_PX, ROWS * ROW_PX)

    def show_tokens(self, tokens: Sequence[TokenChance]) -> None:
        """Show the likeliest tokens, likeliest first."""
        self._tokens = tokens[:ROWS]
        said = ", ".join(f"{visible(t.piece)} {t.probability:.2%}" for t in self._tokens)
        self.setAccessibleDescription(said)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw one row per token."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for row, token in enumerate(self._tokens):
            self._draw_row(painter, row * ROW_PX, token)

    def _draw_row(self, painter: QPainter, top_px: float, token: TokenChance) -> None:
        palette, width = self.palette(), self.width()
        middle = Qt.AlignmentFlag.AlignVCenter
        metrics = QFontMetricsF(self._token_font)
        text = metrics.elidedText(visible(token.piece), Qt.TextElideMode.ElideRight, TOKEN_PX - 8)
        painter.setFont(self._token_font)
        x = 0.0
        for character in text:  # white space is quieter than what can be seen anyway
            quiet = character in VISIBLE.values()
            painter.setPen((palette.placeholderText() if quiet else palette.text()).color())
            painter.drawText(QRectF(x, top_px, TOKEN_PX, ROW_PX), middle, character)
            x += metrics.horizontalAdvance(character)
        room = width - TOKEN_PX - FIGURE_PX
        track = QRectF(TOKEN_PX, top_px + ROW_PX / 2 - 2, room, 4)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(palette.mid())
        painter.drawRoundedRect(track, 2, 2)
        painter.setBrush(palette.accent())
        track.setWidth(max(room * min(1.0, token.probability), 2.0))
        painter.drawRoundedRect(track, 2, 2)
        painter.setFont(self._figure_font)
        painter.setPen(palette.text().color())
        figure = QRectF(width - FIGURE_PX, top_px, FIGURE_PX, ROW_PX)
        painter.drawText(figure, middle | Qt.AlignmentFlag.AlignRight, f"{token.probability:.2%}")


class ProbabilityPanel(QFrame):
    """The side panel: next-token distribution, its entropy, and the page's perplexity."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Probabilities")
        self.setFixedWidth(WIDTH_PX)
        self.setAutoFillBackground(True)
        self._bars = TokenBars()
        self._entropy, self._perplexity = QLabel(STALE), QLabel(STALE)
        column = QVBoxLayout(self)
        column.setContentsMargins(MARGIN_PX, MARGIN_PX, MARGIN_PX, MARGIN_PX)
        column.setSpacing(10)
        column.addWidget(_heading("Next token"))
        column.addWidget(self._bars)
        column.addSpacing(14)
        column.addWidget(_heading("Uncertainty"))
        figures = QFormLayout()
        figures.setVerticalSpacing(8)
        for name, value, meaning in (
            ("Entropy", self._entropy, ENTROPY),
            ("Perplexity of the page", self._perplexity, PERPLEXITY),
        ):
            label = QLabel(name)
            for one in (label, value):
                one.setToolTip(meaning)
                one.setFont(theme.interface_font())
            value.setAccessibleName(name)
            value.setAlignment(Qt.AlignmentFlag.AlignRight)
            figures.addRow(label, value)
        column.addLayout(figures)
        column.addStretch(1)

    def show_prediction(self, prediction: Prediction) -> None:
        """Show the distribution at the caret."""
        self._bars.show_tokens(prediction.tokens)
        self._entropy.setText(f"{prediction.entropy_bits:.2f} bits")

    def show_perplexity(self, perplexity: float | None) -> None:
        """Show the perplexity of the page; None while it is being worked out."""
        if perplexity is None:
            self._perplexity.setText(STALE)
        else:
            self._perplexity.setText("–" if math.isnan(perplexity) else f"{perplexity:,.1f}")

    def clear(self) -> None:
        """Show that there is no prediction."""
        self._bars.show_tokens(())
        self._entropy.setText(STALE)
        self._perplexity.setText(STALE)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the line between the text and the panel."""
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setPen(self.palette().mid().color())
        painter.drawLine(QPointF(0.5, 0), QPointF(0.5, self.height()))


ENTROPY = (
    "How undecided the model is about the next token: the mean of −log₂ p over its whole "
    "distribution. 0 bits means it is certain; 1 bit is a coin toss."
)
PERPLEXITY = (
    "How surprising the page was to the model: the exponential of the mean surprisal of its "
    "tokens, each given those before it. 1 means every token was certain; 20, that it was like "
    "choosing among 20 equally likely ones. Of a long text, the 16,000 characters before the "
    "caret count."
)


def _heading(text: str) -> QLabel:
    label = QLabel(text)
    font = theme.interface_font(theme.SMALL_SIZE_PT)
    font.setWeight(font.Weight.DemiBold)
    label.setFont(font)
    label.setProperty("isQuiet", True)
    return label
