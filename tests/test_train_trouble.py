"""`python -m training.train` in trouble: wrong wishes, full disks, old runs; one line for each."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
import torch
from whole_trainings import REPOSITORY, arguments, make_base, said, start, write_texts

from model.catalogue import Catalogue
from training.float_weights import WEIGHTS
from training.materials import read_texts
from training.request import parse
from training.run_folder import RunError, RunFolder
from training.train import main

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_base(tmp_path_factory.mktemp("base"))


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    return write_texts(tmp_path / "texts")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "home" / "models"


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--base", "nosuch"], "no model named 'nosuch' is installed"),
        (["--base", "no/such"], "no/such is no model folder: it holds no card.json; name"),
        (["--name", "../evil"], "'../evil' cannot be a model's name; use up to 64 lower-case"),
        (["--rank", "0"], "rank is 0; it must be at least 1"),
        (["--device", "cuda"], "this machine has no cuda"),
        (["--epochs", "-1"], "epochs is -1.0; it must be greater than 0"),
    ],
)
def test_impossible_wishes_are_explained_in_one_line(
    texts: Path, root: Path, base: Path, options: list[str], reason: str,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    if "cuda" in options and torch.cuda.is_available():
        pytest.skip("this machine has one")
    assert main(arguments(texts, root, base, "--json", *options)) == 1
    lines = said(capsys.readouterr().out)
    assert not [line for line in lines if line.get("stage") == "train"]
    last = lines[-1]
    assert reason in last["error"]
    assert "\n" not in last["error"]
    assert Catalogue(root).names() == []


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--save-adapter", "/nowhere/x"], "the folder /nowhere does not exist"),
        (["--save-adapter", "."], "--save-adapter . is a folder; name a file in it"),
        (["--words", "50"], "--words 50 are too few to tell a difference; take 200 or more"),
        (["--words", "-3"], "take 200 or more, or 0 for no comparison"),
        (["--seed", "-1"], "--seed is -1; it must be at least 0"),
        (["--strength", "1.5"], "--strength is 1.5; it must be above 0 and at most 1"),
        (["--epochs", "many"], "argument --epochs: invalid float value: 'many' (--help lists"),
        (["--from-scratch", "nan0"], "invalid choice: 'nan0' (choose from"),
    ],
)
def test_wrong_options_are_refused_before_anything_is_read(
    texts: Path, root: Path, base: Path, options: list[str], reason: str,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    assert main(arguments(texts, root, base, *options)) == 2
    told = capsys.readouterr()
    assert reason in told.err
    assert told.err.count("\n") == 1
    assert not root.parent.exists()


def limited_to(size_bytes: int, command: list[str]) -> tuple[int, list[dict[str, Any]]]:
    """Run a training that can write no file larger than this, as on a disk that fills up."""
    import resource

    with subprocess.Popen(
        [sys.executable, "-m", "training.train", *command], stdout=subprocess.PIPE, text=True,
        cwd=REPOSITORY,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size_bytes, size_bytes)),
    ) as process:  # fmt: skip
        assert process.stdout is not None
        lines = said(process.stdout.read())
    return process.returncode, lines


@pytest.mark.skipif(os.name == "nt", reason="limits of POSIX")
def test_training_that_finds_no_room_goes_on_when_there_is(
    texts: Path, root: Path, base: Path
) -> None:
    command = arguments(texts, root, base, "--json", "--words", "0")
    # The tokens do not fit, then the checkpoint, then (with that one there) the graph.
    for size_bytes, stage in ((10_000, "corpus"), (60_000, "train"), (70_000, "export")):
        if stage == "export":
            with start(command) as process:
                assert process.stdout is not None
                next(line for line in process.stdout if json.loads(line)["stage"] == "merge")
                process.send_signal(signal.SIGINT)
                process.stdout.read()
        code, lines = limited_to(size_bytes, command)
        assert code == 1
        assert [line["stage"] for line in lines if "stage" in line][-1] == stage
        assert "\n" not in lines[-1]["error"]
        assert Catalogue(root).names() == []
        assert not list(root.rglob("bundle"))
    assert main(command) == 0
    assert Catalogue(root).names() == ["personal"]
    assert len(list((root.parent / "training").iterdir())) == 1


def test_run_folder_of_another_foretype_says_what_differs_and_how_to_begin_again(
    texts: Path, root: Path, base: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "run"
    command = arguments(texts, root, base, "--json", "--words", "0", "--run", str(run))
    request = parse(command)[0]
    noted = {**request.to_dict(), "half": True, "overrides": [["rank", 4], ["epochs", 9]]}
    RunFolder(run).begin({**noted, "spelling": "old"})
    whole = json.loads((run / "run.json").read_text())
    whole["environment"]["foretype"] = "0.0.1"
    (run / "run.json").write_text(json.dumps(whole))
    assert main(command) == 1
    reason = said(capsys.readouterr().out)[-1]["error"]
    changed = "(batch_windows, half, rank, spelling, window_tokens)"
    assert "begun by Foretype 0.0.1 (this is " in reason
    assert changed in reason
    assert reason.endswith("begin again there with --fresh")
    assert main([*command, "--fresh"]) == 0


def test_run_that_lacks_an_option_of_today_goes_on_with_its_default(
    texts: Path, root: Path, base: Path, tmp_path: Path
) -> None:
    request = parse(arguments(texts, root, base))[0]
    noted = request.to_dict()
    del noted["exclude"], noted["compile"]
    assert request.differs_from(noted) == ["compile"]  # FAST asks for it, the default does not


def test_checkpoint_of_another_foretype_is_refused_with_the_way_out(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    folder.begin({})
    torch.save({"format": 99, "anything": 1}, tmp_path / "state.pt")
    with pytest.raises(RunError, match=r"was written by Foretype .* begin again with --fresh"):
        folder.load_state(torch.device("cpu"))


def test_run_folder_that_cannot_be_one_is_named(
    texts: Path, root: Path, base: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(texts / "00.txt")
    assert main(arguments(texts, root, base, "--json", "--run", file)) == 1
    error = said(capsys.readouterr().out)[-1]["error"]
    assert error.startswith(f"{file} cannot keep a training (")
    assert "--run" in error


def test_text_that_cannot_be_read_is_named_with_the_reason(
    tmp_path: Path, root: Path, base: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "photo.png").write_bytes(bytes(range(256)) * 9)
    assert main(arguments(tmp_path / "photo.png", root, base, "--json")) == 1
    assert said(capsys.readouterr().out)[-1]["error"].endswith("photo.png: it is no text")


def test_measuring_on_what_is_learnt_is_warned_of(texts: Path, root: Path, base: Path) -> None:
    told: list[dict[str, Any]] = []
    held = ["--held", str(texts / "03.txt")]
    for more in ([], ["--exclude", str(texts / "03.txt")]):
        request = parse(arguments(texts, root, base, *held, *more))[0]
        told.append(read_texts(request, lambda *_, **__: None).report)
    assert "1 sentences of --held are learnt as well" in " ".join(told[0]["advice"])
    assert told[1]["advice"] == []


def test_second_training_of_the_same_name_waits_and_can_be_stopped(
    texts: Path, root: Path, base: Path
) -> None:
    command = arguments(texts, root, base, "--json", "--words", "0")
    with Catalogue(root).staging("personal"), start(command) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if json.loads(line)["stage"] == "wait":
                process.send_signal(signal.SIGINT)
                break
        process.stdout.read()
    assert process.returncode == 130
    assert main(command) == 0


def test_ctrl_c_at_the_very_beginning_ends_it_quietly(texts: Path, root: Path, base: Path) -> None:
    code = "import runpy, signal, sys; sys.argv[0] = 'train'\n"
    code += "sys.addaudithook(lambda event, given: event == 'import' and given[0] == "
    code += "'training.request' and signal.raise_signal(signal.SIGINT))\n"
    code += "runpy.run_module('training.train', run_name='__main__')"
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments(texts, root, base)],
        capture_output=True, text=True, cwd=REPOSITORY, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_too_little_text_is_refused_with_what_would_do(
    tmp_path: Path, root: Path, base: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "note.txt").write_text("just a few words", encoding="utf-8")
    assert main(arguments(tmp_path / "note.txt", root, base, "--json")) == 1
    assert "4 words of text in 1 files" in said(capsys.readouterr().out)[-1]["error"]


def test_nothing_to_train_on_is_explained(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--root", str(root)]) == 2
    assert "nothing to train on" in capsys.readouterr().err


def test_killed_at_any_moment_it_ends_like_an_unbroken_training(
    texts: Path, root: Path, base: Path, tmp_path: Path
) -> None:
    always = "import training.loop as loop; loop.CHECKPOINT_SECONDS, loop.CHECKPOINT_SHARE = 0, 1e9"
    code = f"import sys; {always}; from training.train import main; sys.exit(main(sys.argv[1:]))"
    wanted = arguments(texts, root, base, "--json", "--words", "0")
    for moment in ("corpus", "step 4", "step 19", "export", "publish"):
        with subprocess.Popen(
            [sys.executable, "-c", code, *wanted], stdout=subprocess.PIPE, text=True, cwd=REPOSITORY
        ) as process:
            assert process.stdout is not None
            for line in map(json.loads, process.stdout):
                if moment in (line.get("stage"), f"step {line.get('step')}"):
                    process.kill()
                    break
        names = Catalogue(root).names()
        assert names == [] or moment == "publish"
    assert main(wanted) == 0
    unbroken = tmp_path / "other" / "models"
    assert main(arguments(texts, unbroken, base, "--json", "--words", "0")) == 0
    one, two = ((Catalogue(place).folder("personal") / WEIGHTS).read_bytes()
                for place in (root, unbroken))  # fmt: skip
    assert one == two
    assert len(list((root.parent / "training").iterdir())) == 1
