"""`foretype train` gives its terminal to the training, and says first what is missing."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
from importlib import util
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app import models
from app.training_process import MissingLibrary, command_of, require_torch, torch_command
from model.bundle import seal
from model.catalogue import Catalogue

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from model.bundle import Bundle
    from training.export import Precision

REPOSITORY = Path(__file__).parents[1]

# Stands for `python -m training.train`: tells what it was given, then ends as it was told to.
STAND_IN = """
import json, signal, sys, time
def stop(number, frame):
    print("saved", flush=True)
    sys.exit(130)
signal.signal(signal.SIGINT, stop)
signal.signal(signal.SIGTERM, stop)
print(json.dumps(sys.argv[1:]), flush=True)
if "wait" in sys.argv:
    time.sleep(60)
sys.exit(1 if "fail" in sys.argv else 0)
"""
RUN = """
import sys
from app.commands import train
script = sys.argv.pop(1)
train.command_of = lambda module: [sys.executable, script]
from app.cli import main
sys.exit(main(["train", *sys.argv[1:]]))
"""


@pytest.fixture
def user(user_folder: Path, bundle_of: Callable[[str, Precision], Bundle]) -> Path:
    """A user with the selected model `tiny`, and `personal`, which was trained from it."""
    catalogue = Catalogue(user_folder / "models")
    tiny = bundle_of("llama", "float")
    for name, more in (("tiny", {}), ("personal", {"trained": {"base": "tiny"}})):
        with catalogue.staging(name) as work:
            folder = Path(shutil.copytree(tiny.folder, work / "bundle"))
            seal(folder, {**tiny.card, **more})
            catalogue.publish(name, folder)
    catalogue.select("tiny")
    return user_folder


def train(tmp_path: Path, *arguments: str) -> subprocess.Popen[str]:
    script = tmp_path / "stand_in.py"
    script.write_text(STAND_IN)
    return subprocess.Popen(
        [sys.executable, "-c", RUN, str(script), *arguments],
        cwd=REPOSITORY, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def test_paths_and_options_reach_the_training(user: Path, tmp_path: Path) -> None:
    options = ["--epochs", "3", "letters", "--author", "Ann Lee", "--json", "--seed", "7", "mail",
               "--author", "ann@example.org"]  # fmt: skip
    with train(tmp_path, *options) as process:
        out, err = process.communicate()
    given = json.loads(out)
    assert (process.returncode, err) == (0, "")
    assert given == [
        "--epochs", "3", "letters", "mail", "--root", str(user / "models"),
        "--author", "Ann Lee", "--author", "ann@example.org",
        "--seed", "7", "--json", "--base", "tiny",
    ]  # fmt: skip


@pytest.mark.parametrize("options", [["--base", "personal"], ["--from-scratch", "nano"]])
def test_a_beginning_that_is_named_is_kept(
    user: Path, tmp_path: Path, options: Sequence[str]
) -> None:
    with train(tmp_path, "letters", *options) as process:
        given = json.loads(process.communicate()[0])
    assert given[-2:] == options
    assert ("--base" in given) == ("--base" in options)


def test_a_failure_is_the_commands_own(user: Path, tmp_path: Path) -> None:
    with train(tmp_path, "fail") as process:
        process.communicate()
    assert process.returncode == 1


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_reaches_the_training_which_saves(
    user: Path, tmp_path: Path, number: signal.Signals
) -> None:
    with train(tmp_path, "wait") as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(number)
        out, err = process.communicate()
    assert (process.returncode, out, err) == (130, "saved\n", "")


def test_a_model_that_was_never_installed_is_named_before_anything_runs(
    user: Path, tmp_path: Path
) -> None:
    with train(tmp_path, "letters", "--base", "nonesuch") as process:
        out, err = process.communicate()
    assert (process.returncode, out) == (1, "")
    assert "no model named 'nonesuch' is installed" in err


def test_the_base_of_a_personal_model_is_what_it_was_trained_from(user: Path) -> None:
    models.catalogue().select("personal")
    assert models.base() == "tiny"
    models.catalogue().remove("tiny")
    assert models.base() == "personal"


def test_without_torch_one_line_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert torch_command() is None
    require_torch()
    monkeypatch.setattr(util, "find_spec", lambda name: None)
    command = torch_command()
    assert command is not None
    assert command[:4] == [sys.executable, "-m", "pip", "install"]
    assert "torch<3,>=2.8" in command
    with pytest.raises(MissingLibrary) as error:
        require_torch()
    assert shlex.quote("torch<3,>=2.8") in str(error.value)
    assert len(str(error.value).splitlines()) == 1
    monkeypatch.setattr(sys, "frozen", True, raising=False)  # the one-file build
    assert torch_command() == ["pipx", "install", ".[train]"]


def test_training_is_started_from_any_folder() -> None:
    program, *rest = command_of("train")
    assert program == sys.executable
    assert rest == ["-P", "-m", "training.train"]
