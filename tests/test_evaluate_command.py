"""`foretype evaluate`, from the user's words to the verdict on the terminal."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tiny_models import tiny_bundle

from model.catalogue import Catalogue

COMMAND = [sys.executable, "-c", "import sys; from app.cli import main; sys.exit(main())"]
TEXT = "I am in on it and (a b) if so, a c is to do, as e f; no an.\n" * 11  # 220 words


@pytest.fixture
def user(user_folder: Path, tmp_path: Path) -> Path:
    """A user with the selected model `tiny`, and a text."""
    catalogue = Catalogue(user_folder / "models")
    with catalogue.staging("tiny") as work:
        staged = Path(shutil.copytree(tiny_bundle(tmp_path / "tiny").folder, work / "bundle"))
        catalogue.publish("tiny", staged)
    catalogue.select("tiny")
    (tmp_path / "text.txt").write_text(TEXT)
    return user_folder


def foretype(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, check=False)


def test_a_text_is_evaluated_and_options_arrive(user: Path, tmp_path: Path) -> None:
    text = str(tmp_path / "text.txt")
    options = ["--model", "tiny", "--words", "200", "--seed", "5", "--json", "--blank-lines"]
    done = foretype("evaluate", text, *options)
    assert (done.returncode, done.stderr) == (0, "")
    last = json.loads(done.stdout.splitlines()[-1])["finished"]
    assert (last["words"], last["seed"]) == (220, 5)
    assert last["verdict"].startswith("On this text tiny saves ")


def test_of_a_chat_the_words_of_all_named_authors_are_taken(user: Path, tmp_path: Path) -> None:
    line = TEXT.splitlines()[0]
    said = {"Ann": line, "Bo": " ".join(reversed(line.split())), "Cy": line.upper()}
    lines = [
        f"01/02/2024, 10:{i:02} - {who}: {what}" for i in range(11) for who, what in said.items()
    ]
    chat = tmp_path / "WhatsApp Chat.txt"
    chat.write_text("\n".join(lines) + "\n")
    names = ["--author", "Ann", "--author", "Bo"]
    done = foretype("evaluate", str(chat), "--model", "tiny", "--full", "--json", *names)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1])["finished"]["words"] == 2 * 220


def test_what_is_missing_is_said_in_one_line(user: Path) -> None:
    done = foretype("evaluate")
    assert (done.returncode, done.stdout) == (1, "")
    assert "there is no personal model to evaluate yet" in done.stderr
    assert len(done.stderr.splitlines()) == 1
