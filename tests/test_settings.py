from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.settings import MOST_RECENT_FILES, Settings, load_settings, save_settings


def test_settings_survive_the_disk(tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "settings.json"
    chosen = Settings(theme="dark", text_size_pt=18, panel_shown=True).with_recent(Path("/a/é.txt"))
    save_settings(path, chosen)
    assert load_settings(path) == chosen


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"\xff\xfe\x00", b"null", b"[1, 2]", b'"theme"', b"[" * 100_000, b"\0" * 10],
)
def test_a_damaged_file_means_the_defaults(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(content)
    assert load_settings(path) == Settings()


def test_a_missing_file_or_a_folder_in_its_place_means_the_defaults(tmp_path: Path) -> None:
    assert load_settings(tmp_path / "absent.json") == Settings()
    assert load_settings(tmp_path) == Settings()


def test_good_settings_beside_bad_ones_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    found = {
        "theme": "purple", "text_size_pt": 4_000, "panel_shown": 1, "window_width_px": -5,
        "recent_files": ["a", 3], "window_height_px": 900, "themes": "dark",
        "suggestions_shown": False,
    }  # fmt: skip
    path.write_text(json.dumps(found), encoding="utf-8")
    assert load_settings(path) == Settings(window_height_px=900, suggestions_shown=False)


def test_unwritable_settings_do_not_stop_the_writer(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    save_settings(tmp_path / "file" / "settings.json", Settings())


def test_recent_files_are_few_unique_and_newest_first() -> None:
    settings = Settings()
    for number in [*range(15), 12]:
        settings = settings.with_recent(Path(f"{number}.txt"))
    assert len(settings.recent_files) == MOST_RECENT_FILES
    assert settings.recent_files[:3] == ("12.txt", "14.txt", "13.txt")
