"""Models come and go in one step each, whoever is killed in between."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from model.bundle import BundleError, load_bundle, seal
from model.catalogue import Catalogue, CatalogueError, ModelBusy, check_name
from model.config import PRESETS
from model.known_models import KNOWN

CARD = {"origin": {"kind": "test"}, "licence": "MIT", "precision": "float", "perplexity": {}}
REPOSITORY = Path(__file__).parents[1]


def build(folder: Path, graph: bytes = b"graph") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(PRESETS["tiny-llama"].to_dict()))
    (folder / "model.onnx").write_bytes(graph)
    (folder / "tokenizer.json").write_text("{}")
    seal(folder, CARD)
    return folder


def install(catalogue: Catalogue, name: str, graph: bytes = b"graph") -> Path:
    with catalogue.staging(name) as work:
        return catalogue.publish(name, build(work / "bundle", graph))


@pytest.fixture
def catalogue(tmp_path: Path) -> Catalogue:
    return Catalogue(tmp_path / "models")


def graph_of(catalogue: Catalogue, name: str) -> bytes:
    return load_bundle(catalogue.folder(name)).graph_path.read_bytes()


def test_an_empty_catalogue_makes_nothing(catalogue: Catalogue) -> None:
    catalogue.recover()
    assert catalogue.installed() == []
    assert catalogue.selected() is None
    assert not catalogue.root.exists()


def test_a_published_model_is_installed_and_can_be_selected(catalogue: Catalogue) -> None:
    install(catalogue, "tiny")
    (entry,) = catalogue.installed()
    assert (entry.name, entry.licence, entry.precision) == ("tiny", "MIT", "float")
    assert entry.size_bytes > 500
    assert entry.problem is None
    assert catalogue.selected() is None
    catalogue.select("tiny")
    assert catalogue.selected() == "tiny"


def test_publishing_again_replaces_and_cleans_up(catalogue: Catalogue) -> None:
    install(catalogue, "tiny", b"first")
    install(catalogue, "tiny", b"second")
    assert graph_of(catalogue, "tiny") == b"second"
    assert sorted(p.name for p in (catalogue.root / ".staging").iterdir()) == ["tiny.lock"]


def test_a_broken_new_version_leaves_the_old_one(catalogue: Catalogue) -> None:
    install(catalogue, "tiny", b"first")
    with catalogue.staging("tiny") as work:
        build(work / "bundle", b"second")
        (work / "bundle" / "model.onnx").write_bytes(b"sec")
        with pytest.raises(BundleError, match="has 3 bytes, not 6"):
            catalogue.publish("tiny", work / "bundle")
    assert graph_of(catalogue, "tiny") == b"first"


def test_a_broken_model_is_listed_with_its_problem_and_cannot_be_selected(
    catalogue: Catalogue,
) -> None:
    install(catalogue, "good")
    catalogue.select("good")
    (install(catalogue, "bad") / "model.onnx").unlink()
    problems = {entry.name: entry.problem for entry in catalogue.installed()}
    assert problems["good"] is None
    assert "model.onnx is missing" in str(problems["bad"])
    with pytest.raises(BundleError):
        catalogue.select("bad")
    assert catalogue.selected() == "good"


def test_removing_the_selected_model_clears_the_selection(catalogue: Catalogue) -> None:
    install(catalogue, "tiny")
    catalogue.select("tiny")
    catalogue.remove("tiny")
    assert catalogue.installed() == []
    assert catalogue.selected() is None
    with pytest.raises(CatalogueError, match=r"no model named 'tiny' is installed"):
        catalogue.remove("tiny")


@pytest.mark.parametrize(
    "name",
    ["", ".", "..", "../up", "a/b", "a\\b", "/etc", "A", "a.", "a b", "é", "x" * 65, "nul",
     "com1.txt", "selected", "downloads", ".staging", "a\n"],
)  # fmt: skip
def test_a_name_is_never_a_path(catalogue: Catalogue, name: str) -> None:
    with pytest.raises(CatalogueError, match="cannot be a model's name"):
        check_name(name)
    with pytest.raises(CatalogueError):
        catalogue.folder(name)
    with pytest.raises(CatalogueError), catalogue.staging(name):
        pass


@pytest.mark.parametrize("name", [*KNOWN, "a", "my-letters_2.1", "x" * 64])
def test_ordinary_names_are_allowed(name: str) -> None:
    assert check_name(name) == name


@pytest.mark.parametrize("content", [b"", b"../../..", b"\xff", b"20260101-000000-zzzzzzzz"])
def test_a_garbled_list_means_not_installed_and_costs_no_version(
    catalogue: Catalogue, content: bytes
) -> None:
    folder = install(catalogue, "tiny")
    (catalogue.root / "tiny" / "current").write_bytes(content)
    assert catalogue.installed() == []
    catalogue.recover()
    assert folder.is_dir()


@pytest.mark.parametrize("content", [b"", b"../tiny", b"\xff", b"gone"])
def test_a_garbled_selection_means_none(catalogue: Catalogue, content: bytes) -> None:
    install(catalogue, "tiny")
    (catalogue.root / "selected").write_bytes(content)
    assert catalogue.selected() is None


def test_recovery_touches_nothing_it_did_not_make(catalogue: Catalogue) -> None:
    letters = catalogue.root / "documents" / "letters"
    letters.mkdir(parents=True)
    (letters / "mum.txt").write_text("Dear mum")
    catalogue.recover()
    assert (letters / "mum.txt").read_text() == "Dear mum"


def test_two_processes_cannot_install_one_model_at_once(catalogue: Catalogue) -> None:
    rival = Catalogue(catalogue.root)
    with catalogue.staging("tiny") as work:
        with pytest.raises(ModelBusy, match="is being installed or removed"), rival.staging("tiny"):
            pass
        rival.recover()
        assert work.is_dir()
        with rival.staging("other"):
            pass
    with rival.staging("tiny"):
        pass


KILLED = """
import os, signal, sys
from pathlib import Path
sys.path.insert(0, {tests!r})
from test_catalogue import build
from model.catalogue import Catalogue
import model.catalogue, model.files, shutil

kill_at, calls = int(sys.argv[2]), 0

def counted(real):
    def call(*args, **kwargs):
        global calls
        calls += 1
        if calls == kill_at:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*args, **kwargs)
    return call

catalogue = Catalogue(Path(sys.argv[1]))
with catalogue.staging("tiny") as work:
    staged = build(work / "bundle", b"second")
    Path.rename = counted(Path.rename)
    os.replace = counted(os.replace)
    os.fsync = counted(os.fsync)
    os.unlink = counted(os.unlink)
    os.rmdir = counted(os.rmdir)
    catalogue.publish("tiny", staged)
"""


def assert_whole(catalogue: Catalogue, name: str) -> None:
    """Every version works, and nothing else lies about."""
    versions = catalogue.versions(name)
    assert [entry.problem for entry in versions] == [None] * len(versions)
    lying = {path.name for path in (catalogue.root / name).iterdir()}
    assert lying == {"current", *(entry.version for entry in versions)}


def publish_and_die(root: Path, kill_at: int) -> int:
    script = textwrap.dedent(KILLED).format(tests=str(Path(__file__).parent))
    command: list[Any] = [sys.executable, "-c", script, root, str(kill_at)]
    return subprocess.run(command, cwd=REPOSITORY, check=False).returncode


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
@pytest.mark.parametrize("had_one", [True, False])
def test_killed_at_any_step_of_publishing_one_whole_version_remains(
    tmp_path: Path, had_one: bool
) -> None:
    outcomes = set()
    for kill_at in range(1, 30):
        catalogue = Catalogue(tmp_path / f"models-{kill_at}")
        if had_one:
            install(catalogue, "tiny", b"first")
        status = publish_and_die(catalogue.root, kill_at)
        assert status in (0, -signal.SIGKILL)
        before = catalogue.names()
        catalogue.recover()
        assert catalogue.names() == before
        if had_one or before:
            outcomes.add(graph_of(catalogue, "tiny"))
            assert_whole(catalogue, "tiny")
        else:
            outcomes.add(b"none")
            assert not (catalogue.root / "tiny").exists()
        assert list((catalogue.root / ".staging").iterdir()) == [
            catalogue.root / ".staging" / "tiny.lock"
        ]
        install(catalogue, "tiny", b"third")
        assert graph_of(catalogue, "tiny") == b"third"
        if status == 0:
            break
    assert status == 0
    assert outcomes == {b"first" if had_one else b"none", b"second"}
