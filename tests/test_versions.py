"""Earlier versions of a model: kept, listed, returned to, and never half there."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from test_catalogue import CARD, REPOSITORY, assert_whole, build, graph_of, install

from app.cli import main
from model.bundle import BundleError, seal
from model.catalogue import Catalogue, CatalogueError
from model.versions import KEPT_VERSIONS, short_version

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def catalogue(tmp_path: Path) -> Catalogue:
    return Catalogue(tmp_path / "models")


def train(catalogue: Catalogue, name: str, base: str, **more: object) -> Path:
    """Publish a model whose card says that it was trained from `base`."""
    with catalogue.staging(name) as work:
        folder = build(work / "bundle", b"trained")
        seal(folder, {**CARD, "trained": {"base": base, "tokens": 1234}, **more})
        return catalogue.publish(name, folder)


def graphs(catalogue: Catalogue, name: str) -> list[bytes]:
    return [(e.folder / "model.onnx").read_bytes() for e in catalogue.versions(name)]


def test_the_last_versions_are_kept_and_the_newest_is_in_use(catalogue: Catalogue) -> None:
    for number in range(KEPT_VERSIONS + 2):
        install(catalogue, "tiny", b"graph %d" % number)
    assert KEPT_VERSIONS == 3
    assert graphs(catalogue, "tiny") == [b"graph 4", b"graph 3", b"graph 2"]
    assert graph_of(catalogue, "tiny") == b"graph 4"
    assert_whole(catalogue, "tiny")
    assert [entry.name for entry in catalogue.installed()] == ["tiny"]


def test_versions_sort_in_the_order_they_were_made(catalogue: Catalogue) -> None:
    made = [install(catalogue, "tiny").name for _ in range(3)]
    assert sorted(made) == made
    assert len({version[:15] for version in made}) == 3


def test_rollback_goes_back_step_by_step_and_forward_again(catalogue: Catalogue) -> None:
    first, second, third = (install(catalogue, "tiny", graph) for graph in (b"1", b"2", b"3"))
    assert catalogue.rollback("tiny").folder == second
    assert catalogue.folder("tiny") == second
    assert catalogue.rollback("tiny").folder == first
    with pytest.raises(CatalogueError, match="no earlier version to go back to"):
        catalogue.rollback("tiny")
    assert catalogue.rollback("tiny", third.name).folder == third
    assert graphs(catalogue, "tiny") == [b"3", b"2", b"1"]
    assert_whole(catalogue, "tiny")


def test_five_trainings_and_rollbacks_in_a_row(catalogue: Catalogue) -> None:
    install(catalogue, "tiny", b"0")
    for number in range(1, 6):
        install(catalogue, "tiny", b"%d" % number)
        catalogue.rollback("tiny")
        assert graph_of(catalogue, "tiny") == b"0"
    assert graphs(catalogue, "tiny") == [b"5", b"4", b"0"]


def test_going_forward_leaves_a_way_back(catalogue: Catalogue) -> None:
    first, second, third = (install(catalogue, "tiny", graph) for graph in (b"1", b"2", b"3"))
    catalogue.rollback("tiny", first.name)
    catalogue.select(f"tiny@{third.name}")
    assert catalogue.rollback("tiny").folder == first
    catalogue.rollback("tiny", second.name)
    assert catalogue.rollback("tiny").folder == first


def test_what_was_in_use_before_is_kept_however_old(catalogue: Catalogue) -> None:
    first, *_ = (install(catalogue, "tiny", graph) for graph in (b"1", b"2", b"3"))
    catalogue.rollback("tiny", first.name)
    install(catalogue, "tiny", b"4")
    assert graphs(catalogue, "tiny") == [b"4", b"3", b"1"]
    assert graph_of(catalogue, "tiny") == b"4"


def test_a_broken_version_is_never_returned_to(catalogue: Catalogue) -> None:
    first = install(catalogue, "tiny", b"1")
    install(catalogue, "tiny", b"2")
    (first / "model.onnx").unlink()
    with pytest.raises(BundleError, match=r"model.onnx is missing"):
        catalogue.rollback("tiny")
    with pytest.raises(BundleError):
        catalogue.select(f"tiny@{first.name}")
    assert graph_of(catalogue, "tiny") == b"2"


def test_a_model_without_an_earlier_version_gives_way_to_its_base(catalogue: Catalogue) -> None:
    install(catalogue, "base", b"base")
    train(catalogue, "personal", "base")
    with pytest.raises(CatalogueError, match="is not the selected model; to use base"):
        catalogue.rollback("personal")
    catalogue.select("personal")
    entry = catalogue.rollback("personal")
    assert (entry.name, catalogue.selected()) == ("base", "base")
    assert catalogue.names() == ["base", "personal"]
    catalogue.select("personal")
    assert catalogue.versions("personal")[0].trained["tokens"] == 1234


@pytest.mark.parametrize(
    ("base", "said"),
    [("gone", "gone, which it was trained from, is not installed"), ("/a/b", "no earlier"),
     ("personal", "no earlier"), ("", "no earlier")],
)  # fmt: skip
def test_a_base_that_is_not_there_is_explained(catalogue: Catalogue, base: str, said: str) -> None:
    train(catalogue, "personal", base)
    catalogue.select("personal")
    with pytest.raises(CatalogueError, match=said):
        catalogue.rollback("personal")
    assert catalogue.selected() == "personal"


def test_a_version_is_named_by_its_beginning(catalogue: Catalogue) -> None:
    first, second = install(catalogue, "tiny", b"1"), install(catalogue, "tiny", b"2")
    assert catalogue.folder("tiny") == second
    assert catalogue.folder(f"tiny@{first.name}") == first
    assert catalogue.folder(f"tiny@{first.name[:15]}") == first
    both = f"{second.name[:15]}, {first.name[:15]}"
    with pytest.raises(CatalogueError, match=f"'2' means 2 versions of tiny; there are {both}"):
        catalogue.folder("tiny@2")
    for wrong in ("", "1999", "../tiny", "*"):
        with pytest.raises(CatalogueError, match="is not a version of tiny"):
            catalogue.folder(f"tiny@{wrong}")
    with pytest.raises(CatalogueError, match="no model named 'other'"):
        catalogue.folder("other@1")


def test_selecting_a_version_puts_it_in_use(catalogue: Catalogue) -> None:
    first, second = install(catalogue, "tiny", b"1"), install(catalogue, "tiny", b"2")
    catalogue.select(f"tiny@{first.name}")
    assert (catalogue.selected(), catalogue.folder("tiny")) == ("tiny", first)
    catalogue.select("tiny")
    assert catalogue.folder("tiny") == first
    assert second.is_dir()


def test_versions_are_removed_one_by_one_or_together(catalogue: Catalogue) -> None:
    first, second, third = (install(catalogue, "tiny", graph) for graph in (b"1", b"2", b"3"))
    catalogue.select("tiny")
    with pytest.raises(CatalogueError, match="uses this version; go back to another one first"):
        catalogue.remove(f"tiny@{third.name}")
    catalogue.remove(f"tiny@{second.name}")
    assert graphs(catalogue, "tiny") == [b"3", b"1"]
    assert not second.exists()
    install(catalogue, "tiny", b"4")
    size = sum(entry.size_bytes for entry in catalogue.versions("tiny")[1:])
    assert catalogue.prune("tiny") == size
    assert graphs(catalogue, "tiny") == [b"4"]
    assert catalogue.prune("tiny") == 0
    assert not first.exists()
    catalogue.remove(f"tiny@{catalogue.folder('tiny').name}")
    assert (catalogue.names(), catalogue.selected()) == ([], None)
    assert not (catalogue.root / "tiny").exists()


def test_pruning_keeps_as_many_as_asked_and_that_in_use(catalogue: Catalogue) -> None:
    first, *_ = (install(catalogue, "tiny", graph) for graph in (b"1", b"2", b"3"))
    catalogue.rollback("tiny", first.name)
    catalogue.prune("tiny", keep=2)
    assert graphs(catalogue, "tiny") == [b"3", b"1"]
    assert graph_of(catalogue, "tiny") == b"1"


def test_the_short_form_of_a_version_is_unmistakable() -> None:
    alone, *twins = ("20260101-000000-aaaaaaaa", "20260102-000000-aaaaaaaa",
                     "20260102-000000-bbbbbbbb")  # fmt: skip
    assert short_version(alone, [alone, *twins]) == "20260101-000000"
    assert short_version(twins[0], [alone, *twins]) == twins[0]


KILLED = """
import os, signal, sys
from pathlib import Path
from model.catalogue import Catalogue

def counted(real):
    def call(*args, **kwargs):
        global kill_at
        kill_at -= 1
        if kill_at == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*args, **kwargs)
    return call

root, act, kill_at = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
catalogue = Catalogue(root)
oldest = catalogue.versions("tiny")[-1].version
for name in ("replace", "fsync", "unlink", "rmdir"):
    setattr(os, name, counted(getattr(os, name)))
Path.unlink = counted(Path.unlink)
if act == "rollback":
    catalogue.rollback("tiny", oldest)
elif act == "remove":
    catalogue.remove(f"tiny@{oldest}")
elif act == "prune":
    catalogue.prune("tiny")
else:
    catalogue.select(f"tiny@{oldest}")
"""


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
@pytest.mark.parametrize("act", ["rollback", "remove", "prune", "select"])
def test_killed_at_any_step_every_version_listed_is_whole(tmp_path: Path, act: str) -> None:
    statuses = set()
    for kill_at in range(1, 30):
        catalogue = Catalogue(tmp_path / f"models-{kill_at}")
        for graph in (b"1", b"2", b"3"):
            install(catalogue, "tiny", graph)
        catalogue.select("tiny")
        command = [sys.executable, "-c", KILLED, str(catalogue.root), act, str(kill_at)]
        status = subprocess.run(command, cwd=REPOSITORY, check=False).returncode
        statuses.add(status)
        assert all(entry.problem is None for entry in catalogue.versions("tiny"))
        catalogue.recover()
        assert_whole(catalogue, "tiny")
        in_use = graph_of(catalogue, "tiny")
        assert in_use in ({b"3", b"1"} if act in ("rollback", "select") else {b"3"})
        assert catalogue.selected() == "tiny"
        if status == 0:
            break
    assert statuses == {0, -signal.SIGKILL}


def test_a_list_of_one_line_from_an_older_foretype_is_read(catalogue: Catalogue) -> None:
    folder = install(catalogue, "tiny")
    (catalogue.root / "tiny" / "current").write_text(folder.name + "\n")
    assert catalogue.folder("tiny") == folder
    install(catalogue, "tiny", b"2")
    assert catalogue.rollback("tiny").folder == folder


def test_the_commands_show_versions_and_go_back_and_forth(
    user_folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def foretype(*args: str) -> str:
        assert main(list(args)) == 0
        return capsys.readouterr().out

    monkeypatch.setenv("COLUMNS", "140")
    catalogue = Catalogue(user_folder / "models")
    install(catalogue, "base")
    scores = {
        "before": {"figures": {"saved_3": {"value": 0.35}, "perplexity": {"value": 40.25}}},
        "after": {"figures": {"saved_3": {"value": 0.412}, "perplexity": {"value": 27.11}}},
    }
    trained = {"base": "base", "documents": 12, "tokens": 48_213, "seconds": 560}
    old = train(catalogue, "personal", "base", trained=trained, scores=scores).name
    new = train(catalogue, "personal", "base", trained={**trained, "documents": 1}).name
    catalogue.select("personal")
    shown = foretype("models")
    assert "personal: 2 versions" in shown
    assert "base: " not in shown
    (line,) = (line for line in shown.splitlines() if old[:15] in line)
    assert "12 texts, 48,213 tokens; from base, 9 minutes" in line
    assert "keystrokes saved 35.0 % → 41.2 %" in line
    assert "perplexity on your text 40.2 → 27.1" in shown
    (line,) = (line for line in shown.splitlines() if new[:15] in line)
    assert line.startswith("●")
    assert "1 text, " in line

    assert f"personal is now version {old[:15]}" in foretype("models", "rollback")
    assert "base, which it was trained from, is selected" in foretype("models", "rollback")
    foretype("models", "select", f"personal@{new}")
    assert (catalogue.selected(), catalogue.folder("personal").name) == ("personal", new)
    assert f"version {old[:15]}" in foretype("models", "rollback", "personal", "--to", old[:15])
    foretype("models", "remove", f"personal@{new}")
    assert foretype("models", "prune") == "0 MB freed\n"
