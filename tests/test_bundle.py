"""A model folder is opened only when everything about it adds up, and says what does not."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from model.bundle import BundleError, load_bundle, seal, verify_bundle
from model.config import PRESETS

if TYPE_CHECKING:
    from pathlib import Path

CARD = {
    "origin": {"kind": "test"},
    "licence": "MIT",
    "precision": "float",
    "perplexity": {"reference": 12.5},
}


def write_parts(folder: Path, graph: bytes = b"graph" * 100) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(PRESETS["tiny-llama"].to_dict()))
    (folder / "model.onnx").write_bytes(graph)
    (folder / "tokenizer.json").write_text("{}")
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = write_parts(tmp_path / "model")
    seal(folder, CARD)
    return folder


def edit_card(folder: Path, **changes: Any) -> None:
    path = folder / "card.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def test_a_sealed_folder_loads_and_verifies(folder: Path) -> None:
    bundle = load_bundle(folder)
    assert bundle.config == PRESETS["tiny-llama"]
    assert bundle.graph_path.read_bytes() == b"graph" * 100
    assert bundle.card["licence"] == "MIT"
    assert bundle.card["format"] == 1
    assert set(bundle.card["files"]) == {"config.json", "model.onnx", "tokenizer.json"}
    assert verify_bundle(folder).card == bundle.card


def test_a_folder_without_a_card_is_not_a_model(tmp_path: Path) -> None:
    folder = write_parts(tmp_path / "half")
    with pytest.raises(BundleError, match=r"is not a model: card\.json is missing"):
        load_bundle(folder)


def test_a_path_that_is_no_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BundleError, match="is not a folder"):
        load_bundle(tmp_path / "nothing")


@pytest.mark.parametrize("name", ["config.json", "model.onnx", "tokenizer.json"])
def test_a_missing_file_is_named(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(BundleError, match=f"is not whole: {name} is missing"):
        load_bundle(folder)


def test_a_truncated_graph_is_refused_with_both_sizes(folder: Path) -> None:
    (folder / "model.onnx").write_bytes(b"graph" * 99)
    with pytest.raises(BundleError, match=r"model\.onnx has 495 bytes, not 500"):
        load_bundle(folder)


def test_a_changed_byte_is_found_by_verification_only(folder: Path) -> None:
    (folder / "model.onnx").write_bytes(b"Graph" + b"graph" * 99)
    load_bundle(folder)
    with pytest.raises(BundleError, match=r"model\.onnx has changed: its SHA-256 is"):
        verify_bundle(folder)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"format": 2}, r"has format 2 and this Foretype reads up to 1; update Foretype"),
        ({"format": None}, "is not Foretype's: its format is None"),
        ({"format": True}, "is not Foretype's: its format is True"),
        ({"files": []}, "lists no files"),
        ({"files": {}}, r"does not list config\.json"),
    ],
)
def test_a_foreign_or_newer_card_is_refused(folder: Path, changes: Any, reason: str) -> None:
    edit_card(folder, **changes)
    with pytest.raises(BundleError, match=reason):
        load_bundle(folder)


@pytest.mark.parametrize("name", ["../secret", "a/b", "a\\b", "", ".hidden", ".."])
def test_a_card_cannot_point_outside_its_folder(folder: Path, name: str) -> None:
    files = load_bundle(folder).card["files"] | {name: {"bytes": 1, "sha256": ""}}
    edit_card(folder, files=files)
    with pytest.raises(BundleError, match="not a plain file name"):
        load_bundle(folder)


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe\x00", b"[1]", b"[" * 100_000])
def test_a_card_that_is_not_an_object_is_refused(folder: Path, content: bytes) -> None:
    (folder / "card.json").write_bytes(content)
    with pytest.raises(BundleError, match=r"card\.json"):
        load_bundle(folder)


def test_a_configuration_of_no_model_is_refused(tmp_path: Path) -> None:
    folder = write_parts(tmp_path / "model")
    (folder / "config.json").write_text('{"layers": "many"}')
    with pytest.raises(BundleError, match=r"config\.json cannot be used: layers is 'many'"):
        seal(folder, CARD)
