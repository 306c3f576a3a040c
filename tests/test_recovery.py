from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app.recovery import Autosave, RecoveryStore, Snapshot, Unsaved, orphans_in

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

REPOSITORY = Path(__file__).resolve().parents[1]


def unsaved(text: str, path: Path | None = None, at: float = 1.0) -> Unsaved:
    return Unsaved(text, path, at)


def orphaned(store: RecoveryStore) -> None:
    """Let go of the lock, as the system does for a process that dies."""
    assert store._lock is not None
    store._lock.unlock()


def test_a_living_windows_text_is_not_an_orphan(tmp_path: Path) -> None:
    store = RecoveryStore(tmp_path)
    store.write(unsaved("mine"))
    assert orphans_in(tmp_path) == []
    store.clear()
    assert list(tmp_path.iterdir()) == []


def test_a_text_that_cannot_be_removed_is_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store = RecoveryStore(tmp_path)
    store._file.mkdir()  # no file, and so not to be removed as one
    store.clear()
    assert f"{store._file} cannot be written" in caplog.text


def test_orphans_come_newest_first_with_their_files(tmp_path: Path) -> None:
    for at, text in enumerate(["older", "newer — naïve 😀"]):
        store = RecoveryStore(tmp_path)
        store.write(unsaved(text, Path("/a/b.txt"), float(at)))
        orphaned(store)
    store = RecoveryStore(tmp_path)
    assert [o.unsaved.text for o in orphans_in(tmp_path)] == ["newer — naïve 😀", "older"]
    assert orphans_in(tmp_path)[0].unsaved.path == Path("/a/b.txt")
    store.discard(orphans_in(tmp_path)[0])
    assert [o.unsaved.text for o in orphans_in(tmp_path)] == ["older"]


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b'{"path": null}', b"\xff", b'{"path": 3, "saved_at": 1}']
)
def test_a_damaged_recovery_file_is_set_aside(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.unsaved").write_bytes(content)
    assert orphans_in(tmp_path) == []
    assert (tmp_path / "x.damaged").exists()


def test_no_folder_means_no_orphans(tmp_path: Path) -> None:
    assert orphans_in(tmp_path / "absent") == []


def test_changes_reach_the_disk_while_typing_goes_on(qtbot: QtBot, tmp_path: Path) -> None:
    store = RecoveryStore(tmp_path)
    text = [""]
    autosave = Autosave(store, lambda: Snapshot(text[0], None))
    started = time.monotonic()
    while not list(tmp_path.glob("*.unsaved")):
        text[0] += "x"
        autosave.text_changed()
        qtbot.wait(50)
        assert time.monotonic() - started < 2.0
    autosave.stop()
    orphaned(store)
    assert orphans_in(tmp_path)[0].unsaved.text.startswith("xxx")


def test_forgetting_leaves_nothing(qtbot: QtBot, tmp_path: Path) -> None:
    autosave = Autosave(RecoveryStore(tmp_path), lambda: Snapshot("text", None))
    autosave.text_changed()
    autosave.flush()
    assert list(tmp_path.glob("*.unsaved"))
    autosave.forget()
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_reported_once(qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way of a folder")
    autosave = Autosave(RecoveryStore(tmp_path / "file"), lambda: Snapshot("text", None))
    with qtbot.waitSignal(autosave.failed, timeout=5_000):
        autosave.text_changed()
        autosave.flush()
    with qtbot.assertNotEmitted(autosave.failed, wait=100):
        autosave.text_changed()
        autosave.flush()


KILLED = """
import sys
from pathlib import Path
from app.recovery import RecoveryStore, Unsaved
store = RecoveryStore(Path(sys.argv[1]))
store.write(Unsaved("written before the end", None, 1.0))
print("ready", flush=True)
sys.stdin.read()
"""


@pytest.mark.skipif(os.name != "posix", reason="needs SIGKILL")
def test_the_text_of_a_killed_process_is_an_orphan(tmp_path: Path) -> None:
    command = [sys.executable, "-c", KILLED, str(tmp_path)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=REPOSITORY
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        assert orphans_in(tmp_path) == []
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert orphans_in(tmp_path)[0].unsaved.text == "written before the end"
