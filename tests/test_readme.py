"""What the README tells people to type and open exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from app.cli import main

REPOSITORY = Path(__file__).parents[1]
README = (REPOSITORY / "README.md").read_text(encoding="utf-8")
FOLDERS = ("app", "model", "training", "assets", "tests")


def commands() -> set[str]:
    """Subcommands in the README, as `models install` or `predict`."""
    found = re.findall(r"foretype (models [a-z]+|[a-z]+)\b(?!\.)", README)
    return {name for name in found if name != "models"}


@pytest.mark.parametrize("command", sorted(commands()))
def test_every_command_exists(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*command.split(), "--help"]) == 0
    assert "Usage: foretype" in capsys.readouterr().out


def test_every_option_exists(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("predict", "score", "generate", "models install", "edit", "train"):
        main([*command.split(), "--help"])
    known = capsys.readouterr().out + "--help --constraint --editable"
    for option in set(re.findall(r"--[a-z][a-z-]*", README)):
        assert option in known


def test_every_make_target_exists() -> None:
    makefile = (REPOSITORY / "Makefile").read_text()
    for target in re.findall(r"(?<=make )(?:run|setup|test|lint|bench)\b", README):
        assert f"\n{target}:" in makefile


def test_every_file_of_the_map_exists() -> None:
    section = README.split("## Files")[1].split("## ")[0]
    folder = Path()
    for line in section.splitlines():
        if heading := re.match(rf"    ({'|'.join(FOLDERS)})/ ", line):
            folder = REPOSITORY / heading[1]
            assert folder.is_dir()
        else:
            for name in re.findall(r"(?<!/)\b[a-z_]+\.py|\b[a-z]+/(?= )", line):
                assert (folder / name).exists(), name


def test_every_link_leads_somewhere() -> None:
    headings = {re.sub(r"[^a-z ]", "", h.lower()).replace(" ", "-")
                for h in re.findall(r"^#+ (.*)$", README, re.MULTILINE)}  # fmt: skip
    for target in re.findall(r"\]\(([^)]+)\)", README):
        if target.startswith("#"):
            assert target[1:] in headings
        elif "://" not in target:
            assert (REPOSITORY / target).exists()
