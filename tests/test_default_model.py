"""The default model, fetched and built as on a user's first start (network, a minute)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from model.bundle import verify_bundle
from model.catalogue import Catalogue
from model.known_models import DEFAULT_MODEL
from model.predictor import load_predictor
from training.install import install

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("default") / "models"
    _, folder = install(DEFAULT_MODEL, root, lambda stage, done, total, message="": None)
    assert Catalogue(root).selected() == DEFAULT_MODEL
    assert not (root / "downloads").exists()
    return folder


def test_it_is_whole_and_nearly_as_good_as_in_float(folder: Path) -> None:
    bundle = verify_bundle(folder)
    assert bundle.card["licence"] == "Apache-2.0"
    perplexity = bundle.card["perplexity"]
    assert perplexity["exported"] < 1.02 * perplexity["reference"]
    assert perplexity["divergence_nats"] < 0.03


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Please send the pa", {"payment", "package"}),
        ("The capital of Norway is ", {"Oslo"}),
        ("I look forward to hearing from ", {"you"}),
    ],
)
def test_it_offers_what_people_would(folder: Path, text: str, expected: set[str]) -> None:
    words = load_predictor(folder).predict(text, 5).words
    assert expected & {word.text for word in words}
