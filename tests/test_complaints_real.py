"""What users of other keyboards complained about does not happen with a real model.

The numbers are those of `test_complaints.py`; the model is the folder in FORETYPE_TEST_BUNDLE.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from app.paths import ASSETS
from model.blocklist import BlockList
from model.memory import Memory
from model.predictor import Predictor, load_predictor
from model.wordshape import split_at_caret


@pytest.fixture(scope="module")
def real() -> Predictor:
    folder = Path(os.environ["FORETYPE_TEST_BUNDLE"])
    return load_predictor(folder, memory=Memory(None), blocklist=BlockList(None))


needs_the_model = pytest.mark.skipif(
    "FORETYPE_TEST_BUNDLE" not in os.environ, reason="needs the real model"
)


def offered(predictor: Predictor, text: str, k: int = 5) -> list[str]:
    return [word.text for word in predictor.words(*split_at_caret(text), k)]


@pytest.mark.slow
@needs_the_model
def test_4_here_is_never_shouted(real: Predictor) -> None:
    for context in ("", "It was late.\n", "We had arrived. "):
        for prefix in ("H", "Th", "W"):
            for word in offered(real, context + prefix):
                assert not (len(word) > 1 and word.isupper())
    assert "HERE" in offered(real, "I AM SO HAPPY THAT YOU ARE HER")


@pytest.mark.slow
@needs_the_model
@pytest.mark.parametrize("context", ["They walked to the ", "I wonder if she is ", "She gave it "])
def test_6_no_needless_capital(real: Predictor, context: str) -> None:
    assert all(word[0].islower() for word in offered(real, context))


@pytest.mark.slow
@needs_the_model
@pytest.mark.parametrize("apostrophe", ["'", "’"])
def test_13_contractions_complete_with_both_apostrophes(real: Predictor, apostrophe: str) -> None:
    assert offered(real, f"I don{apostrophe}", 1) == [f"don{apostrophe}t"]
    assert f"don{apostrophe}t" in offered(real, f"He didn{apostrophe}t. I do")


@pytest.mark.slow
@needs_the_model
def test_14_well_known_is_completed(real: Predictor) -> None:
    assert offered(real, "She is a well-kn", 1) == ["well-known"]


@pytest.mark.slow
@needs_the_model
def test_15_a_phrase_written_ten_times_is_expected(real: Predictor) -> None:
    real.offer.memory = Memory(None)
    for _ in range(10):
        real.learn("The marmot committee recommends turquoise galoshes.")
    assert offered(real, "The marmot committee recommends ", 1) == ["turquoise"]
    real.offer.memory = None


@pytest.mark.slow
@needs_the_model
def test_18_a_name_200_words_ago_is_remembered(real: Predictor) -> None:
    filler = " ".join((ASSETS / "reference.txt").read_text(encoding="utf-8").split()[:200])
    end = "\nThen we met Kon"

    def chance(text: str) -> float:
        words = real.words(*split_at_caret(text), 50)
        return sum(word.probability for word in words if word.text == "Konstantina")

    with_name = chance(f"My friend Konstantina lives here. {filler}{end}")
    assert with_name > 2 * chance(filler + end)
