"""The rooms of the house: app → model ← training, and what may not enter each."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[1]
ROOMS = ("app", "model", "training")
FILES = sorted(path for room in ROOMS for path in (REPOSITORY / room).rglob("*.py"))
NAMES = [str(path.relative_to(REPOSITORY)) for path in FILES]

ALLOWED = {"app": {"app", "model"}, "model": {"model"}, "training": {"training", "model"}}
# Library → where it may be imported: folders, or single files.
ONLY_IN = {
    "torch": {"training", "model/gpt.py"},
    "onnx": {"training"},
    "gguf": {"training", "model/gguf_weights.py", "model/tokenizer_files.py"},
    "onnxruntime": {"training", "model/session.py"},
    "PySide6": {"app"},
    "typer": {
        "app/cli.py",
        "app/cli_corpus.py",
        "app/cli_evaluation.py",
        "app/cli_models.py",
        "app/cli_options.py",
        "app/cli_training.py",
    },
    "rich": {
        "app/commands",
        "training/corpus/terminal.py",
        "training/evaluation/terminal.py",
        "training/reporting.py",
    },
    "huggingface_hub": {"training/hub.py"},
    "peft": {"training/bench_peer.py"},
    "transformers": {"training/bench_peer.py"},
    "tokenizers": {"training/tokenizer_training.py"},
}
# What the user writes never leaves the machine: nothing that could send it is imported at all.
# Downloads are made by child processes that training/fetch.py runs.
NETWORK = {"socket", "ssl", "http", "urllib", "requests", "httpx", "asyncio", "ftplib", "smtplib"}


def imports(path: Path) -> set[str]:
    """Every module that a file imports, anywhere in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: write imports from the root"
            found.add(str(node.module))
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def is_within(name: str, places: set[str]) -> bool:
    return any(name == place or name.startswith(place + "/") for place in places)


@pytest.mark.parametrize("name", NAMES)
def test_rooms_import_only_what_they_may(name: str) -> None:
    found = imports(REPOSITORY / name)
    roots = {module.partition(".")[0] for module in found}
    room = name.split("/")[0]
    assert roots & set(ROOMS) <= ALLOWED[room]
    for library, places in ONLY_IN.items():
        assert library not in roots or is_within(name, places), f"{name} imports {library}"
    if room == "app":
        assert "model.gpt" not in found, "torch would come with it"
    assert not roots & NETWORK, f"{name} could reach the network"
    assert not any(module.startswith("PySide6.QtNetwork") for module in found)


@pytest.mark.parametrize("name", ["app", "model", "training"])
def test_importing_a_room_imports_nothing(name: str) -> None:
    assert (REPOSITORY / name / "__init__.py").read_bytes() == b""


def loaded_after(statement: str) -> set[str]:
    script = f"{statement}\nimport sys\nprint(*sys.modules)"
    run = subprocess.run(
        [sys.executable, "-c", script], cwd=REPOSITORY, capture_output=True, text=True, check=True
    )
    return set(run.stdout.split())


def test_the_command_starts_without_anything_heavy() -> None:
    heavy = {"numpy", "onnxruntime", "onnx", "gguf", "PySide6", "tiktoken", "torch", "rich"}
    assert not loaded_after("import app.cli") & heavy


def test_the_window_and_the_commands_never_load_torch() -> None:
    statement = (
        "import app.main, app.window, model.predictor, model.reader\n"
        "from app.commands import generate, models, predict, score"
    )
    assert not loaded_after(statement) & {"torch", "onnx", "gguf", "transformers", "training"}


def test_installing_needs_no_torch() -> None:
    assert "torch" not in loaded_after("import training.install, training.export")
