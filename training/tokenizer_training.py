"""A byte-level BPE tokenizer learnt from a corpus, for a model trained from scratch.

The tokenizers library counts and merges; what it learnt becomes this project's `Tokenizer`, which
needs that library no more.

Source: Sennrich et al. 2016, arXiv 1508.07909 (byte pair encoding); huggingface/tokenizers.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from model.byte_alphabet import TokenizerError
from model.tokenizer import Tokenizer
from model.vocabulary import MAX_VOCAB_SIZE, Vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterable

END_OF_TEXT = "<|endoftext|>"
SMALLEST_VOCAB_SIZE = 257  # every byte, so that any text can be written, and end-of-text
SPLIT = "smollm"  # GPT-2's, with every digit by itself: a small vocabulary has no room for numbers


def train_tokenizer(texts: Iterable[str], vocab_size: int) -> Tokenizer:
    """Learn at most `vocab_size` tokens from `texts`, each of which is read once.

    The ids are end-of-text, the 256 bytes, then the merges in the order in which they were learnt.
    The same texts give the same tokenizer.  A small corpus gives fewer tokens than asked for: a
    merge must have been seen twice.

    Raises:
        TokenizerError: `vocab_size` is too small for the bytes, or larger than any in use.
    """
    if not SMALLEST_VOCAB_SIZE <= vocab_size <= MAX_VOCAB_SIZE:
        raise TokenizerError(
            f"a vocabulary of {vocab_size:,} tokens; it must have {SMALLEST_VOCAB_SIZE} to "
            f"{MAX_VOCAB_SIZE:,}, and 4,096 suit a corpus of a megabyte"
        )
    return _as_tokenizer(_learn(texts, vocab_size))


def _learn(texts: Iterable[str], vocab_size: int) -> str:
    """The library's own description of what it learnt, a tokenizer.json."""
    from tokenizers import Tokenizer as Learner
    from tokenizers import models, pre_tokenizers, trainers

    learner = Learner(models.BPE())
    learner.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Digits(individual_digits=True),
            pre_tokenizers.ByteLevel(add_prefix_space=False),
        ]
    )
    trainer = trainers.BpeTrainer(
        vocab_size=vocab_size,
        min_frequency=2,
        special_tokens=[END_OF_TEXT],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    whole = (text.encode(errors="replace").decode() for text in texts)  # no lone surrogates
    learner.train_from_iterator(whole, trainer)
    learnt: str = learner.to_str()
    return learnt


def _as_tokenizer(learnt: str) -> Tokenizer:
    """This project's tokenizer with the vocabulary and merges of a tokenizer.json."""
    bpe = json.loads(learnt)["model"]
    end_of_text = bpe["vocab"].pop(END_OF_TEXT)
    return Tokenizer(
        Vocabulary.build(
            bpe["vocab"],
            {END_OF_TEXT: end_of_text},
            [(left, right) for left, right in bpe["merges"]],
            split=SPLIT,
            end_of_text=end_of_text,
        )
    )
