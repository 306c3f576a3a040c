"""What Qt made is destroyed on the interface's thread, whichever thread is at work."""

from __future__ import annotations

import gc
import threading
import weakref
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QObject

from app.garbage import FULL_EVERY, GarbageCollection

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot


class Knot(QObject):
    """Garbage that only the collector finds."""

    def __init__(self) -> None:
        super().__init__()
        self.itself = self


@pytest.fixture
def collection(qtbot: QtBot) -> Iterator[GarbageCollection]:
    parent = QObject()
    yield GarbageCollection(parent)
    gc.unfreeze()
    del parent


def allocate_much() -> None:
    kept = [[number] for number in range(100_000)]
    assert kept


def test_a_busy_thread_collects_nothing_of_qt(collection: GarbageCollection) -> None:
    destroyed_on: list[int] = []
    knot = Knot()
    weakref.finalize(knot, lambda: destroyed_on.append(threading.get_ident()))
    del knot
    worker = threading.Thread(target=allocate_much)
    worker.start()
    worker.join()
    assert destroyed_on == []
    collection.collect()
    assert destroyed_on == [threading.get_ident()]


def test_old_garbage_is_found_in_the_end(collection: GarbageCollection) -> None:
    knot = Knot()
    gone = weakref.ref(knot)
    collection.collect()
    collection.collect()  # it is old now
    del knot
    for _ in range(FULL_EVERY):
        collection.collect()
    assert gone() is None
