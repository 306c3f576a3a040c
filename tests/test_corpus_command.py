"""`python -m training.corpus`: the figures before a training, for people and for programs."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import pytest
from tiny_models import tiny_bundle

from training.corpus import preview, read_corpus
from training.corpus.__main__ import main

if TYPE_CHECKING:
    from pathlib import Path

PROSE = "\n\n".join(
    f"This is the sentence of the day number {i}, and it is fine." for i in range(50)
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    texts = tmp_path / "texts"
    texts.mkdir()
    (texts / "2024-05-06 letter.txt").write_text(PROSE)
    (texts / "picture.png").write_bytes(b"no")
    (texts / "chat.txt").write_text("1/1/24, 10:00 - Ann: Hello.\n1/1/24, 10:01 - Bob: Hi.\n")
    return texts


def finished(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """The last object on stdout."""
    last = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert isinstance(last, dict)
    return last


def test_json_holds_everything(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bundle = tiny_bundle(tmp_path / "tiny").folder
    assert main([str(folder), "--model", str(bundle), "--json"]) == 0
    found = finished(capsys)["finished"]
    assert (found["files"], found["documents"], found["words"]) == (2, 1, 650)
    assert found["tokens"] > 650
    assert found["seconds"] > 0
    assert found["held_documents"] == 1
    assert 0.05 < found["held_share"] < 0.15
    assert found["samples"][0]["date"] == "2024-05-06"
    assert found["languages"] == {"English": 1.0}
    assert {"what": ".png files", "why": "no text is read from this kind", "count": 1} in (
        found["left_out"]
    )
    assert "--author 'Ann'" in found["advice"][0]
    assert "650 words are little" in found["advice"][1]


def test_the_terminal_shows_the_same(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(folder), "--author", "Ann"]) == 0
    shown = capsys.readouterr().out
    for part in ("2  files read", "651  words", ".png files", "This is the sentence"):
        assert part in shown
    assert "tokens" not in shown


def test_errors_are_one_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(folder / "none")]) == 1
    assert capsys.readouterr().err.startswith(f"'{folder / 'none'}' does not exist")
    assert main([str(folder), "--model", str(folder), "--json"]) == 1
    assert "error" in finished(capsys)
    assert main([]) == 1


def test_a_recipe_is_looked_at(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.txt").write_text("One line here.\n\nAnother line there.")
    (tmp_path / "r.toml").write_text(
        'seed = 1\n[[source]]\nname = "a"\nfiles = ["a.txt"]\nshare = 1.0\n'
    )
    options = ["--recipe", str(tmp_path / "r.toml"), "--data", str(tmp_path)]
    assert main([*options, "--json"]) == 0
    found = finished(capsys)["finished"]
    assert found["documents"] == 2
    assert found["portions"][0]["name"] == "a"
    assert main(options) == 0
    assert "2 documents, 0 more kept back" in capsys.readouterr().out


def test_too_little_text_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Only this.")
    found = preview.preview(read_corpus([tmp_path]), None)
    assert "2 words are too little" in found.advice[0]
    assert found.tokens is None


def test_a_missing_library_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.docx").write_bytes(b"x")
    monkeypatch.setitem(sys.modules, "docx", None)
    (left,) = read_corpus([tmp_path]).report.left_out
    assert left.why == ".docx needs the library python-docx: pip install python-docx"
