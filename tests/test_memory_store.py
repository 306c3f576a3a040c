"""The file of the personal memory: what is forgotten is gone, what is damaged stops nobody."""

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
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memories import bytes_on_disk, closed_connections, memory_path, offered, rows

from model import memory_store
from model.blend import NOTHING
from model.memory import Memory
from model.memory_store import APPLICATION_ID, ForgetError

REPOSITORY = Path(__file__).parents[1]

connections = pytest.fixture(autouse=True)(closed_connections)
path = pytest.fixture(memory_path)

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
        words, total = memory._store._db.execute(
            "SELECT words, total FROM clock"
        ).fetchone()  # the lasting one
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
