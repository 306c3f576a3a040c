"""How the figures of the panel and the heat map are defined."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QTextBrowser, QVBoxLayout, QWidget

from app import theme
from app.heat_scale import LIMITS_BITS
from app.reading import LONG_CHARACTERS
from app.translation import marked, tr

WIDTH_PX, HEIGHT_PX = 620, 640
STEPS = ", ".join(f"{limit:g}" for limit in LIMITS_BITS)
TITLE = marked("What the figures mean")
TEXT = marked(
    """
<h2>Token</h2>
<p>The model reads and writes tokens: common words with the space before them, and pieces of rarer
words. “·the” is one token; “unbelievable” may be three. A sign such as an emoji may take several;
then they share its place in the text. Here <b>·</b> is a space and <b>↵</b> a line end.</p>

<h2>Probability</h2>
<p>After any text the model gives every token of its vocabulary a probability; they add up to 1.
The figure of a written token is the probability it had after the text before it. The figure of a
word is the product over its tokens. No temperature or other setting is applied.</p>

<h2>Context, first token and window</h2>
<p>The first token of a text is expected after the sign “end of text”, as if the text opened a new
document. Every other token is expected after all those before it, as far as they fit into the
model’s window of {window:,} tokens. A longer text is read in passages of that length: each begins
at the last line start a quarter to half a window after the one before, or else after half a window,
so that every token has seen at least half a window of text where there is so much. The figures
depend on the text alone, not on how it was written.</p>

<h2>Surprisal</h2>
<p>−log₂ of the probability, in bits: 1 bit is as likely as one coin toss, 10 bits as ten tosses
that all come up heads (1 in 1,024). The surprisal of a word is the sum over its tokens.</p>

<h2>Rank</h2>
<p>The place of a token when all tokens are sorted by probability; 1 is the one the model expected
most. A word of several tokens has several ranks.</p>

<h2>Entropy</h2>
<p>The surprisal that the model expects on average of the next token: 0 bits if it is certain.</p>

<h2>Perplexity</h2>
<p>The exponential of the mean surprisal (in nats) over the tokens of a page, paragraph or
selection: as if each token had been chosen among so many equally likely ones. A token belongs to
a paragraph or selection if its last character does. A text of more than {characters:,}
characters is read around what is on screen, until you ask for all of it; until then the figure of
the page is that of the part which is read. Perplexities of models with other tokens cannot be
compared.</p>

<h2>Expected instead</h2>
<p>“Words” are the five whole words that would be suggested in the word’s place, after the text
before it. Clicking one puts it there instead; one step of undo takes it back. “Tokens” are the five
likeliest tokens in place of the word’s first, with the exact figures defined above; a token may be
only the beginning of a word, so those with letters are there to be read.</p>

<h2>Tokens and words</h2>
<p>“Tokens” are the next tokens by the definitions above; after a space, those that begin with one.
“Words” are those of the suggestions. For these the model reads, before your text, a few lines of
everyday writing that are never shown, and it mixes in words that it has learnt from you; so they
may differ a little from what the tokens say.</p>

<h2>Heat map</h2>
<p>A word is marked by its surprisal, in steps that begin at {steps} bits: the ground gets darker
or lighter, and the line below it grows from dots to a thick rule. In ordinary prose half of all
words stay unmarked.</p>
"""
)


class Definitions(QDialog):
    """A window with the definitions; writing goes on beside it."""

    def __init__(self, window_tokens: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr(TITLE))
        self.resize(WIDTH_PX, HEIGHT_PX)
        text = QTextBrowser()
        text.setFont(theme.interface_font(theme.INTERFACE_SIZE_PT + 0.5))
        text.setFrameShape(QTextBrowser.Shape.NoFrame)
        text.document().setDocumentMargin(20)
        text.document().setDefaultStyleSheet(
            "h2 { font-size: large; margin-top: 14px; margin-bottom: 2px; font-weight: 600; }"
            "p { margin-top: 2px; line-height: 130%; }"
        )
        text.setHtml(tr(TEXT, window=window_tokens or 512, characters=LONG_CHARACTERS, steps=STEPS))
        text.setAccessibleName(tr(TITLE))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.close)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 14)
        column.addWidget(text)
        column.addWidget(buttons)
        buttons.setContentsMargins(0, 0, 18, 0)
