"""The entry in a desktop's menu starts the program that wrote it."""

from __future__ import annotations

import shlex
import sys
from configparser import RawConfigParser
from typing import TYPE_CHECKING

import pytest

from app.cli import main
from app.commands.desktop import ENTRY, ICON
from app.paths import ASSETS

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("folder", ["/opt/foretype/bin", "/home/a b/100%/bin"])
def test_the_entry_names_the_running_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(sys, "executable", f"{folder}/python")
    assert main(["desktop"]) == 0
    entry = RawConfigParser()
    entry.read(tmp_path / ENTRY, encoding="utf-8")
    program, files = shlex.split(entry["Desktop Entry"]["exec"])
    assert (program.replace("%%", "%"), files) == (f"{folder}/foretype", "%F")
    assert (tmp_path / ICON).read_bytes() == (ASSETS / "foretype.svg").read_bytes()


def test_removing_leaves_nothing_and_may_be_said_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    for arguments in (["desktop"], ["desktop", "--remove"], ["desktop", "--remove"]):
        assert main(arguments) == 0
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
