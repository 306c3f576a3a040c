"""A graph that cannot be run, or computes something else, is refused in one line."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import onnx
import pytest
from onnx import numpy_helper

from model.bundle import GRAPH, Bundle, load_bundle
from model.session import Session, SessionError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from training.export import Precision

    BundleOf = Callable[[str, Precision], Bundle]


@pytest.fixture
def damaged(bundle_of: BundleOf, tmp_path: Path) -> Bundle:
    """A copy of a bundle, to damage."""
    return load_bundle(shutil.copytree(bundle_of("llama", "int8").folder, tmp_path / "copy"))


def assert_refused(bundle: Bundle, reason: str, capfd: pytest.CaptureFixture[str]) -> None:
    """One line that names the file and says what to do, and nothing on the terminal."""
    with pytest.raises(SessionError, match=reason) as refused:
        Session(bundle)
    message = str(refused.value)
    assert "\n" not in message
    assert str(bundle.graph_path) in message
    assert "install the model again" in message
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("size", [0, 1000, -1000])
def test_a_truncated_graph_is_refused(
    damaged: Bundle, size: int, capfd: pytest.CaptureFixture[str]
) -> None:
    damaged.graph_path.write_bytes(damaged.graph_path.read_bytes()[:size])
    assert_refused(damaged, "cannot be run", capfd)


def test_a_file_that_is_no_graph_is_refused(
    damaged: Bundle, capfd: pytest.CaptureFixture[str]
) -> None:
    damaged.graph_path.write_bytes(b"GIF89a" * 1000)
    assert_refused(damaged, "cannot be run", capfd)


def test_a_missing_graph_is_refused(damaged: Bundle, capfd: pytest.CaptureFixture[str]) -> None:
    damaged.graph_path.unlink()
    assert_refused(damaged, "cannot be run", capfd)


def test_the_graph_of_another_model_is_refused(
    damaged: Bundle, bundle_of: BundleOf, capfd: pytest.CaptureFixture[str]
) -> None:
    for family in ("llama untied", "gpt2"):
        shutil.copy(bundle_of(family, "int8").graph_path, damaged.graph_path)
        assert_refused(damaged, "cannot be run|log-probability", capfd)


def test_a_graph_of_someone_else_is_refused(
    damaged: Bundle, capfd: pytest.CaptureFixture[str]
) -> None:
    value = onnx.helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, [1])
    node = onnx.helper.make_node("Identity", ["x"], ["y"])
    output = onnx.helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, [1])
    graph = onnx.helper.make_graph([node], "other", [value], [output])
    onnx.save(onnx.helper.make_model(graph, ir_version=10), damaged.folder / GRAPH)
    assert_refused(damaged, "cannot be run", capfd)


def test_changed_weights_are_noticed_by_what_they_compute(
    damaged: Bundle, capfd: pytest.CaptureFixture[str]
) -> None:
    model = onnx.load(damaged.graph_path)
    codes = next(t for t in model.graph.initializer if t.name == "/blocks.0/mlp/down/codes")
    codes.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(codes)[::-1], codes.name))
    onnx.save(model, damaged.graph_path)
    assert_refused(damaged, "computes a log-probability of .* was noted", capfd)


@pytest.mark.parametrize("found", [0.0, float("nan")])
def test_another_log_probability_than_noted_is_refused(
    damaged: Bundle, found: float, capfd: pytest.CaptureFixture[str]
) -> None:
    damaged.card["check"]["log_probability"] = found
    assert_refused(damaged, "was noted when it was made", capfd)


def test_a_note_that_makes_no_sense_is_refused(
    damaged: Bundle, capfd: pytest.CaptureFixture[str]
) -> None:
    damaged.card["check"] = {"ids": [10_000], "token": 1, "log_probability": -1.0}
    assert_refused(damaged, "cannot be run", capfd)
