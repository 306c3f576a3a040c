"""A slip left in a finished text is told from a new word."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tiny_models import TINY_LLAMA, tiny_bundle

from app import models
from model.predictor import Predictor
from model.session import Session

if TYPE_CHECKING:
    from model.bundle import Bundle


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    config = replace(TINY_LLAMA, context_tokens=256)
    return tiny_bundle(tmp_path_factory.mktemp("doubt") / "tiny", config)


def test_doubting_leaves_the_work_for_the_caret_alone(bundle: Bundle) -> None:
    used = Predictor(Session(bundle, context_tokens=64), bundle.tokenizer())
    fresh = Predictor(Session(bundle, context_tokens=64), bundle.tokenizer())
    used.words("the rain on ", "a")
    before = [cache.ids[:] for cache in used.lattice._caches]
    for word in ("adn", "nad", "and", "x", "ann", "Kyriakos", "añd"):
        used.doubts.is_slip("the street was wet ", word)
        used.doubts.is_slip("", word)
    assert [cache.ids for cache in used.lattice._caches] == before
    assert used.words("the rain on ", "an") == fresh.words("the rain on ", "an")


def test_words_that_are_near_nothing_run_nothing(
    bundle: Bundle, monkeypatch: pytest.MonkeyPatch
) -> None:
    predictor = Predictor(Session(bundle, context_tokens=64), bundle.tokenizer())
    slips = predictor.offer.slips
    assert slips.has_neighbour("adn", space=True)  # "and" is a token of this vocabulary
    monkeypatch.setattr(predictor.session, "cache", None)
    for word in ("kyriakos", "a", "x" * 60, "42nd"):
        assert not predictor.doubts.is_slip("the ", word)


@pytest.mark.slow
@pytest.mark.skipif("FORETYPE_TEST_BUNDLE" not in os.environ, reason="needs the real model")
def test_the_real_model_doubts_slips_and_no_names() -> None:
    folder = Path(os.environ["FORETYPE_TEST_BUNDLE"])
    predictor = models.load_learning(folder, memory=None, blocklist=None)
    text = "I recieved teh pakcage from Kyriakos and Jens yesterday, with a galoshe for Lenka. "
    predictor.learn(text)

    def offered(prefix: str) -> list[str]:
        return [word.text for word in predictor.words("Then we met ", prefix, 24)]

    for slip in ("recieved", "teh", "pakcage"):
        assert slip not in offered(slip[:2])
    for name in ("Kyriakos", "Jens", "Lenka"):
        assert name in offered(name[:1])
    predictor.learn("The pakcage was a pakcage. ")
    assert "pakcage" in offered("pa")
