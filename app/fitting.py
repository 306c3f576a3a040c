"""Which expected words make sense where the caret stands; the model sees no text after it."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from app.acceptance import rest_of_word
from app.caret import typed_prefix
from model.wordshape import is_unspaced

if TYPE_CHECKING:
    from collections.abc import Sequence

    from model.offer import Word


def fitting(
    words: Sequence[Word], before: str, after: str, *, in_small_letters: bool = False
) -> list[Word]:
    """`words` without the word that the caret is in and without the one that follows.

    Args:
        words: what is expected, best first.
        before: the line before the caret.
        after: the line after it.
        in_small_letters: whether the writer uses no capitals; those that are typed stay.
    """
    prefix, rest = typed_prefix(before), after[: rest_of_word(after)]
    following = after[len(rest) :].lstrip(" ")
    unwanted = {following[: rest_of_word(following)].casefold()}
    if rest:
        unwanted.add((prefix + rest).casefold())
        words = [word for word in words if not word.is_next]
    elif after and is_unspaced(after[0]):
        words = [word for word in words if not after.startswith(word.text)]
    kept = [word for word in words if word.text.casefold() not in unwanted]
    if in_small_letters:
        kept = [dataclasses.replace(word, text=small(word.text, prefix)) for word in kept]
    return kept


def small(text: str, prefix: str = "") -> str:
    """`text` in small letters, but for those that are typed already."""
    is_typed = text.startswith(prefix)
    return prefix + text[len(prefix) :].lower() if is_typed else text.lower()


def repeats(pieces: Sequence[str], before: str, following: str) -> bool:
    """Whether several words of a phrase are the very words that stand after the caret."""
    text = (typed_prefix(before) + "".join(pieces)).strip()
    return len(pieces) > 1 and following.lstrip().startswith(text)
