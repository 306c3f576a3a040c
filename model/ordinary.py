"""Which words are ordinary and which are names, as far as the vocabulary of a tokenizer tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from model.tokenizer import Tokenizer


def ordinary_words(tokenizer: Tokenizer) -> Callable[[str], bool]:
    """Whether everybody uses a word: a byte-pair vocabulary holds those as one piece."""

    def is_ordinary(word: str) -> bool:
        forms = (word, word.lower())
        return any(tokenizer.token_of(f" {form}".encode()) is not None for form in forms)

    return is_ordinary
