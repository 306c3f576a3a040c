from __future__ import annotations

import pytest

from app.acceptance import accept
from model.wordshape import split_at_caret

CASES = [
    # the text, the word taken, the text afterwards; | is the caret
    ("the quick br|", "brown", "the quick brown |"),
    ("the quick |", "brown", "the quick brown |"),
    ("|", "The", "The |"),
    ("The quick br| fox", "brown", "The quick brown |fox"),
    ("The quick |fox", "brown", "The quick brown |fox"),
    ("The qu|ick fox", "quiet", "The quiet |fox"),
    ("The quick|", "quickest", "The quickest |"),
    ("foo|bar", "football", "football |"),
    ("foo|bar, baz", "food", "food|, baz"),
    ("Hello wor|, my dear", "world", "Hello world|, my dear"),
    ("Hello wor|.", "world", "Hello world|."),
    ("(see be|)", "below", "(see below|)"),
    ("“wor|”", "word", "“word|”"),
    ("'wor|'", "word", "'word|'"),
    ("don|'t go", "doesn't", "doesn't |go"),
    ("do|n’t go", "does", "does |go"),
    ("well-kn|own fact", "well-known", "well-known |fact"),
    ("Yes,|", "and", "Yes, and |"),
    ("Stop!|", "Then", "Stop! Then |"),
    ("well|-known fact", "wellness", "wellness |fact"),
    ("(|", "see", "(see |"),
    ('She said "|', "Hello", 'She said "Hello |'),
    ('"Hello"|', "she", '"Hello" she |'),
    ("wor|\tnext", "word", "word|\tnext"),
    ("naï|", "naïve", "naïve |"),
    ("nai\u0308|", "naïve", "naïve |"),
    ("😀 smi|", "smile", "😀 smile |"),
    ("caf|e\u0301 noir", "café", "café |noir"),
    ("a br|  b", "break", "a break | b"),
    ("HEL|", "HELLO", "HELLO |"),
    ("今天|", "天气", "今天天气|"),
    ("今天|很好", "天气", "今天天气|很好"),
    ("我用Pyth|写", "Python", "我用Python|写"),
    ("他说：|", "好", "他说：好|"),
    ("오늘 날|", "날씨", "오늘 날씨 |"),
    ("مرحبا بك ف|", "في", "مرحبا بك في |"),
    ("שלום ע|, x", "עולם", "שלום עולם|, x"),
]


@pytest.mark.parametrize(("text", "word", "expected"), CASES)
def test_a_word_is_taken_into_the_line(text: str, word: str, expected: str) -> None:
    before, after = text.split("|")
    edit = accept(before, after, split_at_caret(before)[1], word)
    kept, rest = before[: len(before) - edit.before], after[edit.after :]
    assert kept + edit.text + rest[: edit.skip] + "|" + rest[edit.skip :] == expected


def test_every_prefix_of_a_word_completes_to_that_word() -> None:
    for word in ("payment", "don't", "well-known", "naïve", "Übergröße", "a", "12th"):
        for length in range(len(word) + 1):
            prefix = word[:length]
            edit = accept("So " + prefix, "", prefix, word)
            assert "So " + prefix[: length - edit.before] + edit.text == f"So {word} "


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the report|", "the report to |"),
        ("the report| them", "the report to |them"),
        ("the report|, then", "the report to|, then"),
        ("don't|", "don't to |"),
    ],
)
def test_a_next_word_brings_the_space_before_it(text: str, expected: str) -> None:
    before, after = text.split("|")
    edit = accept(before, after, "", "to")
    rest = after[edit.after :]
    assert edit.before == 0
    assert before + edit.text + rest[: edit.skip] + "|" + rest[edit.skip :] == expected
