"""The personal memory: the model it computes, what it offers and what it never keeps."""

from __future__ import annotations

import random
import re
import sqlite3
import time
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memories import bytes_on_disk, closed_connections, memory_path, offered, rows

import model.memory as memory_module
from model import recall
from model.memory import Memory

if TYPE_CHECKING:
    from pathlib import Path

connections = pytest.fixture(autouse=True)(closed_connections)
path = pytest.fixture(memory_path)

# What it computes


def reference(words: list[str], trail: list[str], prefix: str) -> tuple[dict[str, float], float]:
    """λ P(word | trail, prefix) of every word and λ, straight from the definition."""
    counts: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    recent: Counter[str] = Counter()
    text = [".", *words]
    for i, word in enumerate(words):
        age = len(words) - 1 - i
        recent[word] += 2 ** (-age / memory_module.RECENT_HALF_LIFE)
        for n in range(min(i + 2, 3)):
            counts[tuple(text[i + 1 - n : i + 1])][word] += 2 ** (-age / memory_module.HALF_LIFE)
    masses: Counter[str] = Counter()
    left = 1.0
    for n in reversed(range(-1, len(trail) + 1)):
        seen = recent if n < 0 else counts[tuple(trail[len(trail) - n :])]
        discount = recall.DISCOUNTS[n + 1]
        parts = {w: c - discount * min(c, 1) for w, c in seen.items()}
        unit = left * recall.CAPS[n + 1] / (sum(seen.values()) + recall.THETAS[n + 1])
        for word, part in parts.items():
            masses[word] += unit * part
        left -= unit * sum(parts.values())
    return {w: m for w, m in masses.items() if w.startswith(prefix)}, 1 - left


@given(
    st.lists(st.sampled_from(["ab", "ac", "abc", "b", "ba", "c", "ca", "cab"]), max_size=40),
    st.sampled_from(["", "a", "ab", "c"]),
)
def test_probabilities_are_those_of_the_definition(words: list[str], prefix: str) -> None:
    memory = Memory()
    memory.learn(" ".join(words))
    found = memory.candidates(" ".join(words) + " ", prefix)
    trail = [".", *words][-2:]
    expected, share = reference(words, trail, prefix)
    assert dict(found.words) == pytest.approx(expected)
    assert found.reach == pytest.approx(sum(expected.values()))
    assert found.share == pytest.approx(share)
    assert found.words == sorted(found.words, key=lambda item: (-item[1], item[0]))
    memory.close()


def test_the_latest_text_counts_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_module, "HALF_LIFE", 10)
    memory = Memory()
    memory.learn("go left. go left. " + "and so on. " * 10 + "go right.")
    words = offered(memory, "go ")
    assert words.index("right") < words.index("left")


def test_weights_stay_numbers_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_module, "HALF_LIFE", 0.1)
    monkeypatch.setattr(memory_module, "RECENT_HALF_LIFE", 0.2)
    memory = Memory()
    for _ in range(1000):
        memory.learn("one two three")
    assert offered(memory, "one two ")[0] == "three"
    assert memory.candidates("one two ").share < 1
    assert max(row[3] for row in rows(memory)) < 1e150


def test_equal_texts_give_equal_memories_however_they_were_learnt() -> None:
    text = "Anna met Bob. They left, then Anna's friend came...\nSo it goes: e.g. this.\n" * 40
    whole, parts = Memory(), Memory()
    whole.learn(text)
    at = 0
    for end in [*sorted(m.end() for m in re.finditer(r"\s", text)), len(text)]:
        parts.learn(text[at:end], before=text[:at])
        at = end
    assert rows(parts) == rows(whole)
    assert parts.candidates("then ", "a") == whole.candidates("then ", "a")


# What it offers


def test_a_name_typed_once_is_offered_from_its_first_letter() -> None:
    memory = Memory()
    memory.learn("Yesterday I met Kyriakos at the harbour.")
    for prefix in ["K", "k", "Ky", "Kyri"]:
        assert offered(memory, "And then came ", prefix)[0] == "Kyriakos"
    assert offered(memory, "", "KY") == ["KYRIAKOS"]
    assert offered(memory, "I met ")[0] == "Kyriakos"


def test_a_name_typed_once_stands_out_from_all_that_was_ever_written() -> None:
    memory, draw = Memory(is_ordinary=lambda word: word[:1] == "k"), random.Random(5)
    lexicon = ["k" + "".join(draw.choices("aeiou", k=4)) for _ in range(300)]
    memory.learn(" ".join(draw.choices(lexicon, k=10_000)))
    memory.learn("Yesterday I met Kyriakos.")
    memory.learn(" ".join(draw.choices(lexicon, k=500)))
    assert offered(memory, "We asked ", "K")[0] == "Kyriakos"


def test_words_in_a_row_are_remembered() -> None:
    memory = Memory()
    memory.learn("Best wishes from Ljubljana. Best wishes from Ljubljana.")
    assert offered(memory, "Best ")[0] == "wishes"
    assert offered(memory, "best wishes ")[0] == "from"
    assert offered(memory, "BEST WISHES FROM ")[0] == "Ljubljana"
    assert offered(memory, "Hi. ")[0] == "Best"


def test_both_apostrophes_are_one() -> None:
    memory = Memory()
    memory.learn("we don’t know, they don't know")
    assert offered(memory, "we ", "don'")[0] == "don't"
    assert offered(memory, "we ", "don’")[0] == "don’t"
    assert offered(memory, "it’s so, and we ", "do")[0] == "don’t"
    assert offered(memory, "they don’t ")[0] == "know"
    assert len([row for row in rows(memory) if row[:2] == ("", "don't")]) == 1


def test_the_start_of_a_sentence_teaches_no_capital() -> None:
    memory = Memory()
    memory.learn('The end. "Nothing," he said. I\'m here. NASA knows. iPhones do.')
    assert {row[2] for row in rows(memory) if row[0] == ""} == {
        "the", "end", "nothing", "he", "said", "I'm", "here", "NASA", "knows", "iPhones", "do",
    }  # fmt: skip
    assert "The" in offered(memory, "")
    assert "the" in offered(memory, "at ")


def test_a_capital_chosen_once_is_known_at_the_start_of_a_sentence() -> None:
    memory = Memory()
    memory.learn("We saw Rose. Rose smiled.")
    assert {row[2] for row in rows(memory) if row[1] == "rose"} == {"Rose"}


def test_an_unusual_word_keeps_its_capital_at_the_start_of_a_sentence() -> None:
    memory = Memory(is_ordinary=lambda word: word == "then")
    memory.learn("Kyriakos came. Then Kyriakos left.")
    assert {row[2] for row in rows(memory) if row[0] == ""} == {"Kyriakos", "then", "came", "left"}


@given(st.text("kKyY’'-é1", max_size=4), st.sampled_from(["", "and ", "Oh. ", "it’s "]))
def test_candidates_begin_with_what_is_typed(prefix: str, context: str) -> None:
    memory = Memory()
    memory.learn("so Kyriakos and kYak or k'y ky-Ky KÉK yY 1k k’k too")
    for word, mass in memory.candidates(context, prefix).words:
        same = word.replace("’", "'").casefold()
        assert same.startswith(prefix.replace("’", "'").casefold())
        assert mass > 0
        if prefix != prefix.lower():
            assert word.replace("’", "'").startswith(prefix.replace("’", "'"))
    memory.close()


@given(st.text(), st.text(max_size=5))
def test_no_text_breaks_it(text: str, prefix: str) -> None:
    memory = Memory()
    memory.learn(text)
    memory.candidates(text, prefix)
    memory.close()


# What it never keeps


def test_secrets_are_not_stored_nor_what_stood_around_them(path: Path) -> None:
    memory = Memory(path)
    memory.learn("The wifi password is swordfish. Call Anna on 555 123 4567 or write to a@bc.org.")
    memory.learn("swordfish2\nThanks", before="Password:\n")
    memory.close()
    stored = bytes_on_disk(path.parent)
    for secret in [b"swordfish", b"555", b"4567", b"bc.org"]:
        assert secret not in stored
    with sqlite3.connect(path) as db:
        histories = {
            history for (history,) in db.execute("SELECT history FROM ngrams WHERE key = 'or'")
        }
    assert histories == {"", "~"}  # nothing says that something came between
    db.close()


def test_private_mode_writes_nothing(path: Path) -> None:
    memory = Memory(path)
    memory.learn("Hello Anna.")
    before = bytes_on_disk(path.parent)
    memory.private = True
    memory.learn("Hello Kyriakos.")
    assert bytes_on_disk(path.parent) == before
    assert offered(memory, "Hello ") == ["Anna", "hello"]
    memory.private = False
    memory.learn("Hello Kyriakos.")
    assert "Kyriakos" in offered(memory, "Hello ")


def test_the_number_of_rows_is_bounded(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_module, "MOST_ROWS", 2000)
    monkeypatch.setattr(memory_module, "RECENT_HALF_LIFE", 50)
    memory, draw = Memory(path), random.Random(1)
    letters = "abcdefghij"
    for _ in range(40):
        memory.learn(" ".join("".join(draw.choices(letters, k=5)) for _ in range(200)))
        memory.learn("my favourite phrase")
    assert len(rows(memory)) < 2000 + 4 * memory_module.PRUNED_EVERY
    assert offered(memory, "my favourite ")[0] == "phrase"


@pytest.mark.slow
def test_answers_are_instant_with_100_000_rows(path: Path) -> None:
    draw, memory = random.Random(4), Memory(path)
    letters = "etaoinshrdlucmfwypvbgk"
    weights = [1 / (i + 2) for i in range(len(letters))]
    lexicon = ["".join(draw.choices(letters, weights, k=draw.randint(2, 9))) for _ in range(12_000)]
    chances = [1 / (i + 3) for i in range(len(lexicon))]
    while len(rows(memory)) < 100_000:
        memory.learn(" ".join(draw.choices(lexicon, chances, k=5_000)))
    times = []
    for _ in range(500):
        before, after = draw.choices(lexicon, chances, k=2), draw.choices(lexicon, chances)[0]
        begun = time.thread_time()
        memory.candidates(" ".join(before) + " ", after[: draw.randint(0, 3)])
        times.append(1000 * (time.thread_time() - begun))
    times.sort()
    print(f"{len(rows(memory)):,} rows: p50 {times[250]:.2f} ms, p99 {times[495]:.2f} ms of CPU")
    assert times[475] < 2


# What is probably a slip


def doubtful(*slips: str) -> tuple[Memory, list[tuple[str, str]]]:
    """A memory that is told that these words are slips, and what it asked."""
    asked: list[tuple[str, str]] = []

    def is_slip(before: str, word: str) -> bool:
        asked.append((before, word))
        return word in slips

    ordinary = {"the", "we", "saw", "and", "then", "left"}
    return Memory(is_ordinary=lambda word: word.lower() in ordinary, is_slip=is_slip), asked


def test_a_probable_slip_is_offered_once_it_was_written_twice() -> None:
    memory, _ = doubtful("tehn")
    memory.learn("We saw Kyriakos and tehn left. ")
    assert offered(memory, "Then ", "K") == ["Kyriakos"]
    assert offered(memory, "We saw Kyriakos and ", "t") == []
    memory.learn("And tehn we left. ")
    assert offered(memory, "We saw Kyriakos and ", "t") == ["tehn"]


def test_twice_in_one_passage_is_twice() -> None:
    memory, _ = doubtful("tehn")
    memory.learn("We saw tehn and tehn left. ")
    assert offered(memory, "and ", "te") == ["tehn"]


def test_only_new_and_unusual_words_are_asked_about_and_only_once() -> None:
    memory, asked = doubtful()
    memory.learn("the tram Anna saw, tram and Anna", before="Then we left ")
    assert sorted(asked) == [("Then we left the ", "tram"), ("Then we left the tram ", "Anna")]
    memory.learn("Anna left the tram. ")
    assert len(asked) == 2


def test_a_doubted_word_is_forgotten_like_others(path: Path) -> None:
    memory = Memory(path, is_slip=lambda before, word: word == "wrod")
    memory.learn("a wrod. ")
    assert [row[0] for row in rows(memory) if row[1] == "wrod"] == ["?"]
    memory.forget_word("wrod")
    assert b"wrod" not in bytes_on_disk(path.parent)
