"""`python -m training.train`, whole: from texts to a model in the catalogue, on a tiny model."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest
from tiny_models import TINY_LLAMA, tiny_checkpoint
from training_runs import calm_weights
from whole_trainings import REPOSITORY, WORDS, arguments, make_base, said, start, write_texts

from model.bundle import verify_bundle
from model.catalogue import Catalogue
from model.checkpoint import Checkpoint, CheckpointError
from training.adapter import Adapter, load_adapter
from training.float_weights import WEIGHTS, read_float_weights
from training.request import parse
from training.run_folder import RunFolder
from training.train import main, run_folder

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


def test_folder_becomes_a_better_model_with_one_command(
    texts: Path, root: Path, base: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments(texts, root, base, "--json")) == 0
    lines = said(capsys.readouterr().out)
    stages = [line["stage"] for line in lines if "stage" in line]
    order = ["corpus", "load", "train", "merge", "export", "check", "evaluate", "publish"]
    assert sorted(set(stages), key=stages.index) == order
    corpus = next(line for line in lines if "held_documents" in line)
    assert (corpus["files"], corpus["documents"], corpus["held_documents"]) == (30, 30, 3)
    finished = lines[-1]["finished"]
    folder = Catalogue(root).folder("personal")
    assert finished["folder"] == str(folder)
    assert finished["version"] == folder.name
    before, after = (finished[key]["figures"]["perplexity"]["value"] for key in ("before", "after"))
    assert after < 0.8 * before
    assert "of keystrokes" in finished["verdict"]
    card = verify_bundle(folder).card
    assert card["trained"]["base"] == str(base)
    assert card["trained"]["documents"] == 30
    assert card["licence"] == "MIT"
    assert card["divergence_from_torch_nats"] < 0.01
    assert card["scores"]["verdict"] == finished["verdict"]


def test_terminal_is_told_in_words_and_the_model_is_selected(
    texts: Path, root: Path, base: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments(texts, root, base, "--method", "full", "--learning-rate", "3e-3")) == 0
    told = capfd.readouterr()
    assert "27 of 30" not in told.err
    assert "30 files, 30 documents" in told.err
    assert "perplexity of the text held back" in told.err
    assert "to go back: foretype models rollback" in told.out.lower()
    assert Catalogue(root).selected() == "personal"


def test_second_training_is_a_second_version(texts: Path, root: Path, base: Path) -> None:
    assert main(arguments(texts, root, base)) == 0
    first = Catalogue(root).folder("personal")
    assert main(arguments(texts, root, base, "--seed", "5")) == 0
    catalogue = Catalogue(root)
    assert catalogue.folder("personal") != first
    assert catalogue.rollback("personal").folder == first


@pytest.mark.parametrize("with_signal", [signal.SIGTERM, signal.SIGKILL])
def test_killed_training_leaves_nothing_selectable_and_goes_on(
    texts: Path, root: Path, base: Path, with_signal: signal.Signals
) -> None:
    command = arguments(texts, root, base, "--json", "--epochs", "4", "--words", "0")
    with start(command) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if json.loads(line).get("step") == 5:
                process.send_signal(with_signal)
                break
        process.stdout.read()
        code = process.wait()
    assert Catalogue(root).names() == []
    with start(command) as process:
        assert process.stdout is not None
        lines = said(process.stdout.read())
    steps = [line["step"] for line in lines if "step" in line]
    if with_signal == signal.SIGTERM:
        assert code == 130
        assert steps[0] >= 6  # it did not begin again
    assert steps[-1] == next(line["steps"] for line in lines if "steps" in line)
    assert "finished" in lines[-1]
    assert process.returncode == 0
    (run,) = (root.parent / "training").iterdir()
    assert not (run / "state.pt").exists()


@pytest.mark.parametrize("stage", ["corpus", "load", "merge", "export", "check", "evaluate"])
def test_every_stage_can_be_interrupted_and_gone_on_with(
    texts: Path, root: Path, base: Path, stage: str
) -> None:
    command = arguments(texts, root, base, "--json")
    with start(command) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if json.loads(line)["stage"] == stage:
                process.send_signal(signal.SIGINT)
                break
        rest = process.stdout.read()
    assert process.returncode == 130
    assert "finished" not in rest
    assert Catalogue(root).names() == []
    with start(command) as process:
        assert process.stdout is not None
        lines = said(process.stdout.read())
    assert "finished" in lines[-1]
    has_trained = stage not in ("corpus", "load")
    assert has_trained != any("step" in line for line in lines)
    assert Catalogue(root).names() == ["personal"]


def test_same_training_does_not_run_twice_at_once(
    texts: Path, root: Path, base: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = arguments(texts, root, base, "--json", "--run", str(tmp_path / "run"))
    (tmp_path / "run").mkdir()
    with RunFolder(tmp_path / "run").hold():
        assert main(command) == 1
    assert "runs already" in said(capsys.readouterr().out)[-1]["error"]
    assert main(command) == 0


def test_trainings_begun_in_the_same_second_have_folders_of_their_own(
    texts: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("training.train.time.strftime", lambda *_: "20260101-000000")
    one, two = (
        run_folder(parse([str(texts), "--root", str(root), "--seed", seed])[0], None, fresh=False)
        for seed in ("1", "2")
    )
    assert one.path != two.path
    assert one.request != two.request


def test_resumed_training_publishes_the_very_same_weights(
    texts: Path, root: Path, base: Path, tmp_path: Path
) -> None:
    command = arguments(texts, root, base, "--json", "--words", "0")
    with start(command) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if json.loads(line).get("step") == 3:
                process.send_signal(signal.SIGINT)
                break
        process.stdout.read()
    assert main(command) == 0
    other = tmp_path / "other" / "models"
    assert main(arguments(texts, other, base, "--json", "--words", "0")) == 0
    one, two = (
        (Catalogue(place).folder("personal") / WEIGHTS).read_bytes() for place in (root, other)
    )
    assert one == two


def test_training_that_does_not_help_changes_nothing(
    texts: Path, root: Path, base: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ("--learning-rate", "50", "--method", "full")
    assert main(arguments(texts, root, base, "--json", *options)) == 1
    assert "brought nothing" in said(capsys.readouterr().out)[-1]["error"]
    assert Catalogue(root).names() == []
    # "More text helps most": the same command reads it.
    (texts / "more.txt").write_text(" ".join(WORDS[::-1] * 10), encoding="utf-8")
    assert main(arguments(texts, root, base, "--json", *options)) == 1
    lines = said(capsys.readouterr().out)
    assert next(line["documents"] for line in lines if "held_documents" in line) == 31


def test_saved_adapter_is_what_was_merged(texts: Path, root: Path, base: Path) -> None:
    file = root.parent / "adapter.safetensors"
    file.parent.mkdir(parents=True)
    assert main(arguments(texts, root, base, "--words", "0", "--save-adapter", str(file))) == 0
    start = Checkpoint(TINY_LLAMA, calm_weights())
    merged = load_adapter(file).merged_into(start)
    from model.bundle import load_bundle

    published = read_float_weights(load_bundle(Catalogue(root).folder("personal")))
    changed = 0
    for name, weight in published.weights.items():
        np.testing.assert_allclose(merged.weights[name], weight, atol=2e-3)
        changed += not np.allclose(weight, start.weights[name], atol=1e-3)
    assert changed >= 8


def test_adapter_of_another_model_is_refused() -> None:
    factors = {"blocks.0.mlp.up.weight": (np.ones((3, 1)), np.ones((1, 2)))}
    with pytest.raises(CheckpointError, match="take the model it was made for"):
        Adapter(factors).merged_into(tiny_checkpoint())


def test_several_processes_speak_with_one_voice_and_publish_once(
    texts: Path, root: Path, base: Path
) -> None:
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", "2", "-m"]
    command = arguments(texts, root, base, "--json", "--words", "0", "--device", "cpu")
    done = subprocess.run(
        [*torchrun, "training.train", *command], capture_output=True, text=True, cwd=REPOSITORY,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    lines = said(done.stdout)
    steps = [line["step"] for line in lines if "step" in line]
    assert steps == list(range(1, steps[-1] + 1))
    assert "finished" in lines[-1]
    assert len(Catalogue(root).versions("personal")) == 1
    assert len(list((root.parent / "training").iterdir())) == 1


def test_model_from_scratch_does_not_take_the_place_of_a_real_one(
    texts: Path, root: Path, base: Path
) -> None:
    catalogue = Catalogue(root)
    with catalogue.staging("real") as work:
        shutil.copytree(base, work / "bundle")
        catalogue.publish("real", work / "bundle")
    command = [str(texts), "--root", str(root), "--from-scratch", "nano", "--epochs", "1",
               "--words", "0", "--no-compile"]  # fmt: skip
    catalogue.select("real")
    assert main(command) == 0
    assert catalogue.names() == ["nano", "real"]
    assert catalogue.selected() == "real"
    catalogue.remove("real")
    assert main(command) == 0
    assert catalogue.selected() == "nano"
