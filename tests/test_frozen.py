"""The one-file build starts itself where the editor would start Python."""

from __future__ import annotations

import subprocess
import sys

from app.training_process import command_of

AS_ONE_FILE = "import sys; sys.frozen = True; from app.__main__ import main; sys.exit(main())"


def started(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", AS_ONE_FILE, *arguments], capture_output=True, text=True
    )


def test_a_program_it_holds_is_run() -> None:
    _, *arguments = command_of("install")
    run = started(*arguments, "--help")
    assert (run.returncode, run.stderr) == (0, "")
    assert "usage: " in run.stdout
    assert "--precision" in run.stdout


def test_one_it_does_not_hold_is_named_with_what_to_do() -> None:
    _, *arguments = command_of("absent")
    run = started(*arguments, "--json")
    assert run.returncode == 1
    assert run.stderr.count("\n") == 1
    assert "training.absent" in run.stderr
    assert "pipx" in run.stderr


def test_what_is_typed_is_a_command_of_the_editor() -> None:
    assert "Usage: foretype" in started("--help").stdout
