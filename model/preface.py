"""A hidden text that an empty page begins with, for models that do not know what people type.

After end-of-text alone a network from the web expects anything from code to encyclopaedias; after
a page of everyday writing it expects more of that.  It shapes suggestions only and never counts in
a perplexity.  On the first 50 phrases of `mackenzie.dev` it saves 55 % of the keystrokes with three
suggestions instead of 48, on 50 sentences of `enronmobile.dev` 53 instead of 49; dialogue and
prose stay as they are.  It names few things: a network so small soon repeats them.

A model trained on such writing needs none: its card says so (`"preface": false`), after both were
measured (`training/page_start.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

PREFACE = """\
Hi, thanks for your message. I'll be there in about ten minutes.
Can you call me when you have time?
that is not what I was thinking
What do you think about it? Please let me know if you have any questions.
we should do this again some time
I don't know if that's a good idea. It's too late.
she said that it was not the same
Are you going to be there tomorrow? Yes, I'd love to.
How long does it take?
he went to see them in the morning
I am looking forward to hearing from you. Have a great day!
"""


def preface_of(card: Mapping[str, Any]) -> str:
    """The preface for the model that `card` describes, or an empty text."""
    return PREFACE if card.get("preface", True) else ""
