"""Adapters: written, read, merged when a known model is installed, and left out on request."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from tiny_models import hugging_face_folder, tiny_checkpoint

from model.bundle import load_bundle
from model.catalogue import Catalogue, CatalogueError
from model.checkpoint import CheckpointError
from model.config import PRESETS, weight_shapes
from training import install as installing
from training.adapter import Adapter, adapter_notes, adapter_path, load_adapter
from training.float_weights import read_float_weights
from training.sources import LocalPath

if TYPE_CHECKING:
    from collections.abc import Callable

NAME = "blocks.0.mlp.up.weight"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return hugging_face_folder(tmp_path_factory.mktemp("hub") / "tiny")


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Adapter:
    """An adapter that counts as coming with Foretype, for whatever is installed."""
    random = np.random.default_rng(2)
    factors = (random.normal(size=(64, 2)), random.normal(size=(2, 32)))
    adapter = Adapter({NAME: (factors[0].astype(np.float32), factors[1].astype(np.float32))})
    path = tmp_path / "tiny-en.safetensors"
    adapter.save(path)
    path.with_suffix(".json").write_text(json.dumps({"title": "Tiny English", "preface": False}))
    monkeypatch.setattr("training.adapter.adapter_path", lambda name: path)
    monkeypatch.setattr("training.install.adapter_path", lambda name: path)
    monkeypatch.setattr(installing, "source_of", lambda text: LocalPath(Path(text), "tiny-en"))
    return adapter


def install(folder: Path, root: Path, **options: bool) -> Path:
    return installing.install(str(folder), root, lambda *_: None, **options)[1]


def test_installed_model_has_its_adapter_merged(
    folder: Path, tmp_path: Path, shipped: Adapter
) -> None:
    root = tmp_path / "models"
    merged, plain = (
        read_float_weights(load_bundle(install(folder, root, plain=plain))).weights
        for plain in (False, True)
    )
    assert Catalogue(root).names() == ["tiny", "tiny-plain"]
    up, down = shipped.factors[NAME]
    np.testing.assert_allclose(merged[NAME] - plain[NAME], up @ down, atol=0.02)
    for name, weight in plain.items():
        if name != NAME:
            np.testing.assert_array_equal(merged[name], weight)


def test_card_names_the_adapter(folder: Path, tmp_path: Path, shipped: Adapter) -> None:
    card = load_bundle(install(folder, tmp_path / "models")).card
    assert card["adapter"]["name"] == "tiny-en"
    assert card["adapter"]["title"] == "Tiny English"
    assert card["preface"] is False  # what the adapter has learnt decides
    plain = load_bundle(install(folder, tmp_path / "models", plain=True)).card
    assert "adapter" not in plain
    assert "preface" not in plain
    installed = Catalogue(tmp_path / "models").installed()
    assert {entry.name: entry.adapter for entry in installed} == {
        "tiny": "tiny-en",
        "tiny-plain": "",
    }


def test_model_with_another_adapter_is_not_taken_for_this_one(
    folder: Path, tmp_path: Path, shipped: Adapter
) -> None:
    first = install(folder, tmp_path / "models")
    assert install(folder, tmp_path / "models") == first
    Adapter({NAME: shipped.factors[NAME][::1]}).save(tmp_path / "tiny-en.safetensors", {"v": "2"})
    with pytest.raises(CatalogueError, match="--force"):
        install(folder, tmp_path / "models")


def test_saved_adapter_is_read_back(tmp_path: Path, shipped: Adapter) -> None:
    found = load_adapter(tmp_path / "tiny-en.safetensors").factors[NAME]
    up, down = shipped.factors[NAME]
    np.testing.assert_allclose(found[0] @ found[1], up @ down, atol=0.02)


def test_strength_goes_part_of_the_way(shipped: Adapter) -> None:
    base = tiny_checkpoint()
    factors = (np.ones((64, 1), np.float32), np.ones((1, 32), np.float32))
    half = Adapter({NAME: factors}).scaled(0.5).merged_into(base)
    np.testing.assert_allclose(half.weights[NAME], base.weights[NAME] + 0.5)


@pytest.mark.parametrize("spoil", [lambda data: data[:100], lambda data: b"{}" + data])
def test_damaged_adapter_is_explained(
    tmp_path: Path, shipped: Adapter, spoil: Callable[[bytes], bytes]
) -> None:
    path = tmp_path / "tiny-en.safetensors"
    path.write_bytes(spoil(path.read_bytes()))
    with pytest.raises(CheckpointError, match=r"tiny-en\.safetensors"):
        load_adapter(path)


def test_adapter_of_the_default_model_fits_it_and_is_small() -> None:
    path = adapter_path("everyday-en")
    assert path.stat().st_size <= 12_000_000
    shapes = weight_shapes(PRESETS["smollm2-135m"])
    for name, (up, down) in load_adapter(path).factors.items():
        assert shapes[name] == (up.shape[0], down.shape[1])
        assert np.isfinite(up).all()
        assert np.isfinite(down).all()


def test_card_of_the_default_adapter_says_what_it_must() -> None:
    notes = adapter_notes("everyday-en")
    for field in ("command", "seed", "data", "tokens_seen", "scores", "limits"):
        assert notes[field] is not None
    sources = notes["data"]["sources"]
    assert all(source["licence"] and source["credit"] for source in sources)
    assert sum(source["share"] for source in sources) == pytest.approx(1)
