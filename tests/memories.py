"""What the tests of the personal memory share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from model import memory_store

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator
    from pathlib import Path

    import pytest

    from model.memory import Memory


def closed_connections(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A fixture: close whatever a test opens."""
    opened, connect = [], memory_store._connect

    def remembered(name: str) -> sqlite3.Connection:
        opened.append(connect(name))
        return opened[-1]

    monkeypatch.setattr(memory_store, "_connect", remembered)
    yield
    for connection in opened:
        connection.close()


def memory_path(tmp_path: Path) -> Path:
    """A fixture: where a memory may be, alone in a folder."""
    return tmp_path / "folder" / "memory.sqlite"


def offered(memory: Memory, context: str, prefix: str = "", k: int = 24) -> list[str]:
    return [word for word, _ in memory.candidates(context, prefix, k).words]


def rows(memory: Memory) -> list[tuple[str, str, str, float]]:
    db = memory._store._db
    return db.execute("SELECT history, key, word, weight FROM ngrams").fetchall()


def bytes_on_disk(folder: Path) -> bytes:
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    return b"\0".join(file.read_bytes() for file in files)
