"""The tokenizers library as the reference, and small vocabularies trained with it."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from hypothesis import strategies as st
from tokenizers import Regex, models, trainers
from tokenizers import Tokenizer as Reference
from tokenizers.pre_tokenizers import ByteLevel, Digits, Sequence, Split

if TYPE_CHECKING:
    from pathlib import Path

END = "<|endoftext|>"
# huggingface.co/meta-llama/Meta-Llama-3-8B, tokenizer.json
LLAMA3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
PRE_TOKENIZERS = {
    "gpt2": ByteLevel(add_prefix_space=False),
    "smollm": Sequence([Digits(individual_digits=True), ByteLevel(add_prefix_space=False)]),
    "llama3": Sequence(
        [
            Split(Regex(LLAMA3), "isolated", invert=False),
            ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    ),
}


FRAGMENTS = [
    *" \t\n\r\x00\x04\x1c\x1d\x7f\x85\xa0\u2003\u3000\u200d\ufeff\ufffd",
    *"aAzZ09'’-_.,!?\"#<|>ſéßİ²½Ⅷ٣",
    *"中本語हिन्דी한🏳😀👩👧\u0301\u0308",
    *("  ", "\n\n", " \n ", "'s", "'LL", " don't", "'ſ", "the", " pay", "ment", "12345", " 7"),
    *("\ud800", "\udfff", "\U0001f469\u200d\U0001f467", "\U00040000", "\U00011de1", "\U0010ffff"),
    *(END, "<|im_start|>", "\r\n\r\n", "…", " …"),
]
any_text = st.one_of(
    st.text(),
    st.lists(st.sampled_from(FRAGMENTS), max_size=40).map("".join),
    st.text(st.characters(exclude_categories=[]), max_size=20),
)


def ids_of(reference: Reference, text: str) -> list[int]:
    return reference.encode(text, add_special_tokens=False).ids


def read_reference(path: Path) -> Reference:
    reference = Reference.from_file(str(path))
    reference.encode_special_tokens = True  # a look-alike typed by a person is plain text
    return reference


def train(split: str, folder: Path) -> Path:
    """Train a vocabulary that lacks most bytes, as no initial alphabet is given."""
    reference = Reference(models.BPE())
    reference.pre_tokenizer = PRE_TOKENIZERS[split]
    words = ["the", "payment", "of", "it's", "2024,", "", "pay\n\n\tthey'll", "café", "中文", "😀?"]
    words.append("\ufffd")
    dice = random.Random(7)
    page = [" ".join(dice.choice(words) for _ in range(30)) for _ in range(40)]
    trainer = trainers.BpeTrainer(vocab_size=300, special_tokens=[END], show_progress=False)
    reference.train_from_iterator(page, trainer)
    reference.save(str(folder / "tokenizer.json"))
    return folder
