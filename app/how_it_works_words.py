"""What the page that explains prediction says."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from app import demonstration_words as figures
from app.token_text import visible
from app.translation import marked, tr

if TYPE_CHECKING:
    from model.generation_sentence import Sentence

_BETWEEN = re.compile(r"(?<=[.!?…])[\"'”’»)\]]*\s+|(?<=[。！？])")
GIVEN_CHARACTERS = 32
SAMPLE = "The old lighthouse keeper poured himself a cup of tea."
LEAD = marked(
    "A language model does one thing: it reads a text and says, for every piece of text it knows, "
    "how likely that piece comes next. Everything else is repetition. Here is how it happens, "
    "with a sentence of yours."
)
FIELD = marked("Change the sentence and press Enter.")
TOKENS = marked(
    "The model sees neither letters nor words but tokens: pieces that were frequent in the texts "
    "it learnt from. Common words are one token, rare ones are several. The dot stands for the "
    "space before a word."
)
NEXT = marked(
    "From the tokens so far, the network works out one figure for every token there is. Turned "
    "into shares of 100 %, these are the probabilities of what comes next. After your sentence:"
)
CHAIN = marked(
    "While it read, the model gave every token of your sentence a probability, too: given all "
    "the tokens before it. Multiplied, they are the probability of the whole sentence. This is "
    "the chain rule. Point at a token to see what the model expected in its place."
)
LOOP = marked(
    "To write, the model draws one token by these probabilities, as with loaded dice. The token "
    "is added to the text, and everything begins again. No plan, no second look: a whole page "
    "comes about like this, a token at a time."
)
ATTENTION = marked(
    "Inside the network, every token gathers information from the tokens before it. How much "
    "from each is called attention. The network has many layers, and in each several heads, "
    "which look at different things: at the token before, at an earlier mention of the same "
    "name, at the beginning of the sentence."
)
CAUTION = marked(
    "Attention shows where information flows, not why the model decides as it does. Where a head "
    "has nothing to gather, it rests on the start of the text: hence the thick lines there."
)
WORKING = marked("The reference model works it out. This takes some seconds.")


def sentence_at(before: str, after: str) -> str:
    """Return the sentence in which a line is cut into `before` and `after`, or the one before."""
    begun = _BETWEEN.split(before)[-1]
    sentence = begun + _BETWEEN.split(after)[0] if begun.strip() else ""
    if sentence.strip():
        return sentence.strip()
    done = [one for one in _BETWEEN.split(before) if one.strip()]
    return done[-1].strip() if done else _BETWEEN.split(after.strip())[0]


def without_torch(command: str) -> str:
    """Return what to do where the reference model cannot run."""
    return tr(
        "To see it, the reference model has to run, and that needs PyTorch, which is not "
        "installed (1 to 3 GB). Install it with: {command}",
        command=command,
    )


def count(sentence: Sentence) -> str:
    """Return how many tokens there are, here and in all."""
    tokens = tr("%n tokens", "", len(sentence.tokens))
    return tr(
        "{tokens} of the {vocabulary:,} that this model knows.",
        tokens=tokens,
        vocabulary=sentence.vocabulary,
    )


def about(sentence: Sentence, place: int) -> str:
    """Return what the model gave a token, and what it expected."""
    token = sentence.tokens[place]
    chance = figures.power(math.log(token.probability))
    given = (
        tr("Given “{sentence}”", sentence=_start(sentence, place))
        if place
        else tr("With nothing before it")
    )
    if token.rank == 1:
        return tr(
            "{given}, “{piece}” was what it expected most: {chance}.",
            given=given,
            piece=visible(token.piece),
            chance=chance,
        )
    return tr(
        "{given}, “{piece}” was number {rank:,} on its list: {chance}. "
        "It expected “{expected}”: {expected_probability:.4f}.",
        given=given,
        piece=visible(token.piece),
        rank=token.rank,
        chance=chance,
        expected=visible(token.expected),
        expected_probability=token.expected_probability,
    )


def _start(sentence: Sentence, place: int) -> str:
    """The sentence before a token, its last words if there are many."""
    data = b"".join(token.piece for token in sentence.tokens[:place])
    text = data.decode("utf-8", "ignore").strip()
    return text if len(text) <= GIVEN_CHARACTERS else f"…{text[-GIVEN_CHARACTERS:]}"


def product(sentence: Sentence) -> str:
    """Return the product of all probabilities, and what it means a token."""
    if not sentence.tokens:
        return ""
    shown = [figures.power(math.log(token.probability)) for token in sentence.tokens[:3]]
    dots = " × …" if len(sentence.tokens) > 3 else ""
    return tr(
        "P = {shown}{dots} = {log_probability}. Long texts "
        "are always improbable, so one looks at the mean of a token. The perplexity is "
        "{perplexity:,.1f}: the model was as undecided as if it had to choose among "
        "{perplexity:,.0f} equally likely tokens every time.",
        shown=" × ".join(shown),
        dots=dots,
        log_probability=figures.power(sentence.log_probability),
        perplexity=sentence.perplexity,
    )
