"""The personal memory: the model it computes, what it offers, what it keeps and what it forgets."""

from __future__ import annotations

import logging
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

import model.memory as settings
from model import memory_store, recall
from model.blend import NOTHING
from model.memory import Memory
from model.memory_store import APPLICATION_ID, ForgetError

if TYPE_CHECKING:
    from collections.abc import Iterator

REPOSITORY = Path(__file__).parents[1]


@pytest.fixture(autouse=True)
def connections(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Close whatever a test opens."""
    opened, connect = [], memory_store._connect

    def remembered(name: str) -> sqlite3.Connection:
        opened.append(connect(name))
        return opened[-1]

    monkeypatch.setattr(memory_store, "_connect", remembered)
    yield
    for connection in opened:
        connection.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "folder" / "memory.sqlite"


def offered(memory: Memory, context: str, prefix: str = "", k: int = 24) -> list[str]:
    return [word for word, _ in memory.candidates(context, prefix, k).words]


def rows(memory: Memory) -> list[tuple[str, str, str, float]]:
    db = memory._store._db
    return db.execute("SELECT history, key, word, weight FROM ngrams").fetchall()


def bytes_on_disk(folder: Path) -> bytes:
    return b"\0".join(file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file())


# What it computes


def reference(words: list[str], trail: list[str], prefix: str) -> tuple[dict[str, float], float]:
    """λ P(word | trail, prefix) of every word and λ, straight from the definition."""
    counts: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    text = [".", *words]
    for i, word in enumerate(words):
        age = len(words) - 1 - i
        for n in range(min(i + 2, 3)):
            counts[tuple(text[i + 1 - n : i + 1])][word] += 2 ** (-age / settings.HALF_LIFE)
    masses: Counter[str] = Counter()
    left = 1.0
    for n in reversed(range(len(trail) + 1)):
        seen = counts[tuple(trail[len(trail) - n :])]
        discount = recall.DISCOUNT if n else 0
        parts = {w: c - discount * min(c, 1) for w, c in seen.items()}
        unit = left * recall.CAPS[n] / (sum(seen.values()) + recall.THETAS[n])
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
    monkeypatch.setattr(settings, "HALF_LIFE", 10)
    memory = Memory()
    memory.learn("go left. go left. " + "and so on. " * 10 + "go right.")
    assert offered(memory, "go ")[:2] == ["right", "left"]


def test_weights_stay_numbers_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "HALF_LIFE", 0.1)
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
    assert histories == {""}  # nothing says that something came between
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
    monkeypatch.setattr(settings, "MOST_ROWS", 2000)
    memory, draw = Memory(path), random.Random(1)
    letters = "abcdefghij"
    for _ in range(40):
        memory.learn(" ".join("".join(draw.choices(letters, k=5)) for _ in range(200)))
        memory.learn("my favourite phrase")
    assert len(rows(memory)) < 2000 + 3 * settings.PRUNED_EVERY
    assert offered(memory, "my favourite ")[0] == "phrase"


# What it forgets


NAMES = [b"Kyriakos", b"kyriakos", b"KYRIAKOS", "Kyriákos".encode()]


def remembering(path: Path) -> Memory:
    memory, draw = Memory(path), random.Random(2)
    for i in range(30):
        memory.learn(
            "Dear Kyriakos, KYRIAKOS’s boat and Kyriakos-like kyriakos met Ann. Planning it."
        )
        memory.learn(" ".join("".join(draw.choices("abcdefgh", k=6)) for _ in range(20 * i)))
    assert NAMES[0] in bytes_on_disk(path.parent)
    return memory


def test_a_forgotten_word_is_on_no_disk(path: Path) -> None:
    memory = remembering(path)
    memory.forget_word("kyriakos")
    stored = bytes_on_disk(path.parent)
    assert b"kyriakos" not in stored.lower()
    assert b"boat" in stored
    memory.forget_word("ANN")
    assert not [row for row in rows(memory) if re.search(r"\bann\b", f"{row[0]} {row[1]}")]
    assert "planning" in offered(memory, "well, ", "plan")
    memory.learn("Kyriakos is back")
    assert offered(memory, "so ", "ky") == ["kyriakos"]


def test_forgetting_everything_leaves_no_word_on_disk(path: Path) -> None:
    memory = remembering(path)
    words = {row[2].encode() for row in rows(memory)}
    memory.forget_everything()
    stored = bytes_on_disk(path.parent)
    assert not [word for word in words if len(word) > 3 and word in stored]
    assert memory.candidates("Dear ") == NOTHING
    memory.learn("a new life")
    assert offered(memory, "a new ")[0] == "life"


def test_forgetting_reaches_a_file_that_was_moved_aside(path: Path) -> None:
    remembering(path).close()
    damage(path)
    memory = Memory(path)
    assert NAMES[0] in bytes_on_disk(path.parent)
    memory.forget_word("Kyriakos")
    assert b"kyriakos" not in bytes_on_disk(path.parent).lower()


def test_forgetting_says_so_when_another_program_holds_the_file(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory_store, "LOCK_TIMEOUT_S", 0.05)
    memory = remembering(path)
    other = sqlite3.connect(path)
    other.execute("BEGIN")
    other.execute("SELECT count(*) FROM ngrams").fetchone()
    with pytest.raises(ForgetError, match=r"could not be cleared.*try again"):
        memory.forget_word("Kyriakos")
    other.close()
    memory.forget_word("Kyriakos")
    assert b"kyriakos" not in bytes_on_disk(path.parent).lower()


# What it survives


def damage(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(2 * 4096)
        file.write(os.urandom(3000))


def test_it_remembers_after_a_restart(path: Path) -> None:
    memory = Memory(path)
    memory.learn("I met Kyriakos.")
    before = memory.candidates("I met ")
    memory.close()
    assert Memory(path).candidates("I met ") == before


def test_only_its_owner_can_read_it(path: Path) -> None:
    memory = Memory(path)
    memory.learn("I met Kyriakos.")
    if os.name == "posix":
        assert {file.stat().st_mode & 0o777 for file in path.parent.iterdir()} == {0o600}


@pytest.mark.parametrize("content", [b"no database at all" * 100, b"", None])
def test_a_damaged_file_is_moved_aside(
    path: Path, content: bytes | None, caplog: pytest.LogCaptureFixture
) -> None:
    remembering(path).close()
    if content is None:
        damage(path)
    else:
        path.write_bytes(content)
    with caplog.at_level(logging.WARNING):
        memory = Memory(path)
    aside = path.with_name(path.name + ".damaged")
    assert aside.exists() == (content != b"")  # an empty file is a new one
    assert len(caplog.records) == aside.exists()
    assert "\n" not in caplog.text.strip()
    memory.learn("I met Kyriakos.")
    memory.close()
    assert offered(Memory(path), "I met ")[0] == "Kyriakos"


def test_damage_while_running_costs_the_memory_but_not_the_program(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    memory = remembering(path)
    memory._store._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    memory._store._db.execute("PRAGMA cache_size = 0")
    path.write_bytes(path.read_bytes()[:4096] + os.urandom(path.stat().st_size - 4096))
    assert memory.candidates("Dear ") == NOTHING
    assert len(caplog.records) == 1
    memory.learn("I met Kyriakos.")
    assert offered(memory, "I met ")[0] == "Kyriakos"


@given(st.integers(0), st.lists(st.binary(min_size=1, max_size=64), min_size=1, max_size=8))
def test_no_damage_is_a_crash(seed: int, patches: list[bytes]) -> None:
    draw = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.sqlite"
        memory = Memory(path)
        memory.learn("Dear Kyriakos, one two three, yes. " * 5)
        memory.close()
        content = bytearray(path.read_bytes())
        for patch in patches:
            place = draw.randrange(0, len(content) - len(patch))
            content[place : place + len(patch)] = patch
        path.write_bytes(content)
        memory = Memory(path)
        memory.learn("I met Anna.")
        memory.candidates("I met ")
        memory.candidates("Dear ", "k")
        memory.close()


def test_a_file_of_another_program_or_version_is_moved_aside(path: Path) -> None:
    for pragma in ["user_version = 99", "application_id = 7"]:
        Memory(path).close()
        with sqlite3.connect(path) as db:
            db.execute(f"PRAGMA {pragma}")
        db.close()
        memory = Memory(path)
        assert memory._store._db.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        memory.close()
        path.with_name(path.name + ".damaged").unlink()


def test_without_a_file_it_remembers_until_the_end(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    memory = Memory(tmp_path)  # a folder
    assert len(caplog.records) == 1
    memory.learn("I met Kyriakos.")
    assert offered(memory, "I met ")[0] == "Kyriakos"
    with pytest.raises(ForgetError, match="could not be opened"):
        memory.forget_everything()


LEARNER = """
import sys
from pathlib import Path
from model.memory import Memory
memory = Memory(Path(sys.argv[1]))
print("ready", flush=True)
while True:
    memory.learn("one two three four five six seven eight nine ten " * 20)
"""


def test_a_kill_leaves_whole_texts(path: Path) -> None:
    draw = random.Random(3)
    for _ in range(4):
        learner = subprocess.Popen(
            [sys.executable, "-c", LEARNER, str(path)], cwd=REPOSITORY, stdout=subprocess.PIPE
        )
        with learner:
            assert learner.stdout is not None
            learner.stdout.readline()
            time.sleep(0.1 + 0.2 * draw.random())
            learner.send_signal(getattr(signal, "SIGKILL", signal.SIGTERM))
        memory = Memory(path)
        words, total = memory._store._db.execute("SELECT words, total FROM clock").fetchone()
        assert words % 200 == 0
        assert sum(row[3] for row in rows(memory) if not row[0]) == pytest.approx(total)
        memory.close()
    assert words > 0
    assert not path.with_name(path.name + ".damaged").exists()


def test_two_programs_share_a_file(path: Path) -> None:
    one, two = Memory(path), Memory(path)
    one.learn("I met Kyriakos.")
    assert offered(two, "I met ")[0] == "Kyriakos"
    two.learn("I met Anna. I met Anna.")
    assert offered(one, "I met ")[0] == "Anna"


def test_another_thread_needs_its_own(path: Path) -> None:
    memory, failures = Memory(path), []

    def use() -> None:
        try:
            memory.candidates("so ")
        except sqlite3.ProgrammingError as err:
            failures.append(err)

    thread = threading.Thread(target=use)
    thread.start()
    thread.join()
    assert len(failures) == 1


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
