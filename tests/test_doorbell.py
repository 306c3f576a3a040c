from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app import doorbell as module
from app.doorbell import Doorbell

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytestqt.qtbot import QtBot

REPOSITORY = Path(__file__).resolve().parents[1]

RING = """
import sys
from pathlib import Path
from app.doorbell import Doorbell
print(Doorbell(Path(sys.argv[1])).ring([Path(name) for name in sys.argv[2:]]))
"""


def test_a_second_process_hands_its_files_over(qtbot: QtBot, tmp_path: Path) -> None:
    first = Doorbell(tmp_path)
    first.listen()
    with qtbot.waitSignal(first.rung, timeout=10_000) as rung:
        process = subprocess.Popen(
            [sys.executable, "-c", RING, str(tmp_path), "/a/ü b.txt", "/c"],
            cwd=REPOSITORY, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
    said, _ = process.communicate(timeout=10)
    assert said == "True\n"
    assert rung.args == [[Path("/a/ü b.txt"), Path("/c")]]
    assert list(tmp_path.glob("*.note")) == []
    first.leave()


def test_the_first_has_nobody_to_ring_for(tmp_path: Path) -> None:
    first = Doorbell(tmp_path)
    assert first.is_ours
    assert not first.ring([Path("/a")])
    first.leave()
    second = Doorbell(tmp_path)
    assert second.is_ours
    second.leave()


def test_a_window_that_hangs_does_not_hold_up_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = Doorbell(tmp_path)  # and does not listen
    monkeypatch.setattr(module, "ANSWERED_WITHIN_S", 0.1)
    second = Doorbell(tmp_path)
    assert not second.is_ours
    assert not second.ring([Path("/a")])
    assert list(tmp_path.glob("*.note")) == []
    first.leave()


def test_without_a_folder_to_write_in_every_window_stands_alone(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    bell = Doorbell(tmp_path / "file" / "doorbell")
    assert not bell.is_ours
    assert not bell.ring([Path("/a")])
    bell.listen()


def wait_for(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60  # a busy machine starts programs slowly
    while not is_so() and time.monotonic() < deadline:
        time.sleep(0.1)


@pytest.mark.skipif(os.name != "posix", reason="sends signals")
def test_foretype_opens_a_second_file_in_the_window_that_is_there(tmp_path: Path) -> None:
    a, b = tmp_path / "a.txt", tmp_path / "b.txt"
    a.write_text("A")
    b.write_text("B")
    session = Path(os.environ["FORETYPE_HOME"]) / "session.json"
    command = [sys.executable, "-m", "app"]
    with subprocess.Popen([*command, str(a)], cwd=REPOSITORY, stderr=subprocess.PIPE) as window:
        wait_for(session.exists)
        second = subprocess.run([*command, str(b)], cwd=REPOSITORY, timeout=60, check=False)
        assert second.returncode == 0
        wait_for(lambda: str(b) in session.read_text())
        assert window.poll() is None
        window.kill()
    assert str(a) in session.read_text()
    assert str(b) in session.read_text()
