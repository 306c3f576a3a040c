"""A bundle is whole, says how good it is, and is not sealed if it computes something else."""

from __future__ import annotations

import hashlib
import math
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import onnx
import pytest
from tiny_models import TINY, TINY_LLAMA, tiny_bundle, tiny_checkpoint, tiny_tokenizer

from model.bundle import CARD, GRAPH, Bundle, BundleError, load_bundle, verify_bundle
from model.config import ConfigError
from model.session import Session, SessionError
from training import export as exporting
from training.export import ExportError, compare, export, reference_ids
from training.install import explain
from training.linear import BlockLinear, FloatLinear

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from training.export import Precision
    from training.graph import Graph

    BundleOf = Callable[[str, Precision], Bundle]

ORIGIN = {"kind": "test", "source": "tiny", "licence": "Apache-2.0"}


class Wrong(FloatLinear):
    """Multiplies by what is not quite the weight."""

    def apply(
        self, graph: Graph, where: str, x: str, weight: np.ndarray, bias: np.ndarray | None
    ) -> str:
        return super().apply(graph, where, x, weight * 1.2, bias)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty folder in one of its own, where nothing else may be left behind."""
    (tmp_path / "staging" / "tiny").mkdir(parents=True)
    return tmp_path / "staging" / "tiny"


@pytest.mark.parametrize("family", TINY)
@pytest.mark.parametrize("precision", ["float", "int8"])
def test_the_card_says_where_from_how_good_and_what_is_in_the_files(
    family: str, precision: Precision, bundle_of: BundleOf
) -> None:
    bundle = bundle_of(family, precision)
    card = verify_bundle(bundle.folder).card
    assert card["origin"] == ORIGIN
    assert card["licence"] == "Apache-2.0"
    assert card["precision"] == card["kernel"] == precision
    assert set(card["files"]) == {"config.json", "model.onnx", "tokenizer.json"}
    content = bundle.graph_path.read_bytes()
    assert card["files"][GRAPH] == {
        "sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content),
    }  # fmt: skip
    scores = card["perplexity"]
    assert scores["text"] == "assets/reference.txt"
    assert scores["tokens"] >= 55
    assert scores["exported"] == pytest.approx(scores["reference"], rel=0.05)
    assert (scores["divergence_nats"] == 0) == (precision == "float")
    assert bundle.config == TINY[family]
    assert bundle.tokenizer().encode("the inner ring") == tiny_tokenizer().encode("the inner ring")


def test_the_perplexity_on_the_card_is_that_of_the_session(bundle_of: BundleOf) -> None:
    bundle = bundle_of("llama", "int8")
    ids = reference_ids(tiny_tokenizer(), bundle.config.context_tokens)
    logits = Session(bundle).cache().extend(ids, rows="all").astype(np.float64)
    chosen = logits[np.arange(len(ids) - 1), ids[1:]]
    nats = np.logaddexp.reduce(logits[:-1], axis=1) - chosen
    assert math.exp(nats.mean()) == pytest.approx(bundle.card["perplexity"]["exported"], rel=1e-5)


def test_eight_bits_take_a_third_of_the_space(bundle_of: BundleOf) -> None:
    sizes = [
        bundle_of("llama untied", precision).graph_path.stat().st_size
        for precision in ("int8", "float")
    ]
    assert sizes[0] < sizes[1] / 2.5  # these have much graph for few weights


def test_a_short_learned_table_is_exported_and_scored_as_far_as_it_reaches(
    tmp_path: Path,
) -> None:
    bundle = tiny_bundle(tmp_path / "short", replace(TINY["gpt2"], context_tokens=16))
    assert bundle.card["perplexity"]["tokens"] == Session(bundle).context_tokens - 1 == 11


def test_progress_never_goes_back(folder: Path) -> None:
    steps: list[tuple[str, int, int]] = []
    export(
        tiny_checkpoint(), tiny_tokenizer(), folder, origin={},
        progress=lambda *step: steps.append(step),
    )  # fmt: skip
    assert steps == sorted(steps, key=lambda step: (step[0] == "check", step[1]))
    assert steps[0] == ("export", 0, 3)
    assert steps[-1] == ("check", 1, 1)
    assert load_bundle(folder).card["licence"] == "unknown"


def assert_nothing_is_installed(folder: Path) -> None:
    assert not (folder / CARD).exists()
    with pytest.raises(BundleError):
        load_bundle(folder)
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]


def test_a_tokenizer_of_another_model_is_refused_before_anything_is_written(folder: Path) -> None:
    checkpoint = tiny_checkpoint(replace(TINY_LLAMA, vocab_size=300))
    with pytest.raises(ExportError, match="the tokenizer has 269 tokens and the model 300"):
        export(checkpoint, tiny_tokenizer(), folder, origin=ORIGIN)
    assert not any(folder.iterdir())
    assert_nothing_is_installed(folder)


@pytest.mark.parametrize("precision", ["float", "int8"])
def test_a_graph_that_computes_something_else_is_never_sealed(
    precision: Precision, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed = tiny_bundle(tmp_path / "installed" / "tiny")
    monkeypatch.setitem(exporting.KERNELS, precision, {"wrong": Wrong()})
    with pytest.raises(ExportError, match=f"the {precision} graph differs .* try --precision"):
        export(tiny_checkpoint(), tiny_tokenizer(), folder, precision=precision, origin=ORIGIN)
    assert_nothing_is_installed(folder)
    verify_bundle(installed.folder)


def test_a_failed_export_is_explained_in_its_own_words() -> None:
    for error in (ExportError("differs"), SessionError("cannot be run"), ConfigError("too odd")):
        assert explain(error, "gpt2") == str(error)


def test_the_next_kernel_is_tried_where_the_first_computes_something_else(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernels = {"int8": Wrong(), "int8-blocks": BlockLinear()}
    monkeypatch.setitem(exporting.KERNELS, "int8", kernels)
    bundle = export(tiny_checkpoint(), tiny_tokenizer(), folder, origin=ORIGIN)
    assert bundle.card["kernel"] == "int8-blocks"
    assert bundle.card["perplexity"]["divergence_nats"] < 0.03
    Session(bundle)


def test_weights_that_are_not_numbers_are_refused(folder: Path) -> None:
    checkpoint = tiny_checkpoint()
    checkpoint.weights["blocks.0.mlp.up.weight"][3, 4] = np.nan
    with pytest.raises(ExportError, match="numbers that are not finite"):
        export(checkpoint, tiny_tokenizer(), folder, origin=ORIGIN)
    assert_nothing_is_installed(folder)


def test_a_shape_that_onnxruntime_cannot_run_is_refused(folder: Path) -> None:
    checkpoint = tiny_checkpoint(replace(TINY_LLAMA, head_width=8))
    with pytest.raises(ConfigError, match="head_width is 8"):
        export(checkpoint, tiny_tokenizer(), folder, origin=ORIGIN)
    assert_nothing_is_installed(folder)


@pytest.mark.parametrize("precision", ["float", "int8"])
def test_large_weights_lie_beside_the_graph(
    precision: Precision, folder: Path, monkeypatch: pytest.MonkeyPatch, bundle_of: BundleOf
) -> None:
    monkeypatch.setattr(exporting, "LARGEST_FILE_BYTES", 1)
    export(tiny_checkpoint(), tiny_tokenizer(), folder, precision=precision, origin=ORIGIN)
    data = f"{GRAPH}.data"
    bundle = verify_bundle(folder)
    assert bundle.card["files"][data]["bytes"] == (folder / data).stat().st_size > 10_000
    expected = Session(bundle_of("llama", precision)).cache().extend([1, 2, 3])
    np.testing.assert_array_equal(Session(bundle).cache().extend([1, 2, 3]), expected)
    moved = load_bundle(folder.rename(folder.with_name("moved")))
    np.testing.assert_array_equal(Session(moved).cache().extend([1, 2, 3]), expected)
    (moved.folder / data).unlink()
    with pytest.raises(BundleError, match=r"model\.onnx\.data is missing"):
        load_bundle(moved.folder)
    with pytest.raises(SessionError, match="cannot be run"):
        Session(moved)


def test_an_export_over_a_half_written_one_leaves_no_surplus_weights(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as small:
        small.setattr(exporting, "LARGEST_FILE_BYTES", 1)
        export(tiny_checkpoint(), tiny_tokenizer(), folder, origin=ORIGIN)
    export(tiny_checkpoint(), tiny_tokenizer(), folder, origin=ORIGIN)
    assert f"{GRAPH}.data" not in verify_bundle(folder).card["files"]


def test_a_bundle_can_be_copied_and_its_graph_read_by_others(
    bundle_of: BundleOf, tmp_path: Path
) -> None:
    bundle = bundle_of("llama untied", "float")
    copy = verify_bundle(shutil.copytree(bundle.folder, tmp_path / "elsewhere"))
    model = onnx.load(copy.graph_path)
    weights = {t.name: onnx.numpy_helper.to_array(t) for t in model.graph.initializer}
    checkpoint = tiny_checkpoint(TINY["llama untied"])
    np.testing.assert_array_equal(
        weights["/blocks.1/mlp/down/weight"].T, checkpoint.weights["blocks.1.mlp.down.weight"]
    )


def test_equal_guesses_have_the_perplexity_of_the_vocabulary_and_no_divergence() -> None:
    flat = np.zeros((4, 8), np.float32)
    assert compare(flat, flat + 3, [1, 2, 3, 4]) == pytest.approx(
        {"reference": 8, "exported": 8, "divergence_nats": 0}
    )


def test_divergence_is_the_mean_of_p_log_p_over_q() -> None:
    p, q = np.array([0.5, 0.3, 0.2]), np.array([0.25, 0.25, 0.5])
    logits = [np.log(np.stack([row, row])).astype(np.float32) for row in (p, q)]
    found = compare(*logits, [0, 1])
    assert found["divergence_nats"] == pytest.approx((p * np.log(p / q)).sum(), rel=1e-5)
    assert found["reference"] == pytest.approx(1 / 0.3, rel=1e-5)
    assert found["exported"] == pytest.approx(4, rel=1e-5)
