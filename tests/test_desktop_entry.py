"""The entry in a desktop's menu starts the program that wrote it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from configparser import RawConfigParser
from typing import TYPE_CHECKING

import pytest

from app.cli import main
from app.commands.desktop import ENTRY, ICON
from app.paths import ASSETS

if TYPE_CHECKING:
    from pathlib import Path


def words_of(value: str) -> list[str]:
    """The arguments in an `Exec`: escapes of the value go first, then quotes, as in a shell."""
    command = re.sub(r"\\(.)", r"\1", value)
    shell = ["sh", "-c", f"printf '%s\\0' {command}"]
    return subprocess.run(shell, capture_output=True, text=True, check=True).stdout.split("\0")[:-1]


@pytest.mark.skipif(os.name == "nt", reason="a Linux desktop reads this")
@pytest.mark.parametrize(
    "folder", ["/opt/foretype/bin", "/home/a b/100%/bin", r"/home/\a\\b/c$HOME`pwd`/\"q'/bin"]
)
def test_the_entry_names_the_running_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(sys, "executable", f"{folder}/python")
    assert main(["desktop"]) == 0
    entry = RawConfigParser()
    entry.read(tmp_path / ENTRY, encoding="utf-8")
    program, files = words_of(entry["Desktop Entry"]["exec"])
    assert (program.replace("%%", "%"), files) == (f"{folder}/foretype", "%F")
    assert (tmp_path / ICON).read_bytes() == (ASSETS / "foretype.svg").read_bytes()


def test_removing_leaves_nothing_and_may_be_said_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    for arguments in (["desktop"], ["desktop", "--remove"], ["desktop", "--remove"]):
        assert main(arguments) == 0
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
