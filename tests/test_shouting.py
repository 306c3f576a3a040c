"""Texts in capitals: how many words shout, what they are in natural case, what is offered there."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tiny_models import TINY_LLAMA, tiny_bundle

from model.predictor import Predictor, load_predictor
from model.session import Session
from model.shouting import Shouting, in_natural_case, words_in_capitals

if TYPE_CHECKING:
    from model.bundle import Bundle


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    config = replace(TINY_LLAMA, context_tokens=256)
    return tiny_bundle(tmp_path_factory.mktemp("shouting") / "tiny", config)


def predictor_of(bundle: Bundle) -> Predictor:
    return Predictor(Session(bundle, context_tokens=64), bundle.tokenizer())


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("I ", 0),
        ("They work at NASA ", 1),
        ("They said PLEASE SEND ", 2),
        ("PLEASE SEND THE 3 A4 ", 3),
        ("PLEASE SEND THEm ", 0),
        ("PLEASE SEND. Then", 0),
        ("ПОЖАЛУЙСТА, ПРИШЛИ ", 2),
        ("今天天气很", 0),
    ],
)
def test_words_in_capitals_are_counted_up_to_the_caret(text: str, count: int) -> None:
    assert words_in_capitals(text) == count


@pytest.mark.parametrize(
    ("text", "natural"),
    [
        ("PLEASE SEND. I THINK I'LL COME\nTHEN ", "Please send. I think I'll come\nThen "),
        ("He came. DO NOT ", "He came. Do not "),
        ("He said: DO NOT ", "He said: do not "),
        ("as always. ", "as always. "),
        ("", ""),
        ("ПРИШЛИ ", "Пришли "),
    ],
)
def test_natural_case(text: str, natural: str) -> None:
    assert in_natural_case(text) == natural


def test_the_capitals_of_the_words_before_are_left_alone() -> None:
    text = "Anna works at IBM now. THIS IS "
    assert in_natural_case(text) == "Anna works at IBM now. This is "


@pytest.mark.parametrize(
    ("context", "prefix"), [("the rain ", ""), ("the rain ", "T"), ("THE ", ""), ("THE END ", "th")]
)
def test_where_nobody_shouts_nothing_is_read_twice(
    bundle: Bundle, context: str, prefix: str
) -> None:
    predictor = predictor_of(bundle)
    shouting = Shouting(predictor.window, predictor.lattice)
    assert shouting.expected(context, prefix).share == 0
    assert shouting._lattice is None


@pytest.mark.parametrize("prefix", ["", "T", "TH", "THE", "ON"])
def test_what_is_offered_in_capitals_goes_on_with_the_letters(bundle: Bundle, prefix: str) -> None:
    predictor = predictor_of(bundle)
    shouting = Shouting(predictor.window, predictor.lattice)
    found = shouting.expected("WHEN THE RAIN WAS ", prefix)
    assert found.words
    assert all(
        word.startswith(prefix) and word.isupper() for word, _ in found.words if word[0] > "9"
    )
    assert sum(mass for _, mass in found.words) <= found.reach * (1 + 1e-9) <= found.share + 1e-9


def test_capitals_are_ranked_the_same_however_they_were_reached(bundle: Bundle) -> None:
    used, text = predictor_of(bundle), "WHEN THE RAIN WAS ON TH"
    for length in (*range(1, len(text)), 9, 20, len(text)):
        used.glance(text[:length])
        found = used.predict(text[:length]).words
    assert found == predictor_of(bundle).predict(text).words


@pytest.mark.slow
@pytest.mark.skipif("FORETYPE_TEST_BUNDLE" not in os.environ, reason="needs the real model")
def test_the_real_model_knows_words_in_capitals() -> None:
    predictor = load_predictor(Path(os.environ["FORETYPE_TEST_BUNDLE"]))
    offered = [w.text for w in predictor.words("PLEASE SEND THE ", "PA")]
    assert {"PACKAGE", "PAYMENT"} <= set(offered)
    assert "PAP" not in offered
    assert all(w.text.isupper() for w in predictor.words("PLEASE SEND THE ", ""))
    assert predictor.words("It is ", "VE")[0].text == "VERY"
    assert predictor.words("I work at ", "NA")[0].text == "NASA"
    assert not any(
        w.text.isupper() and len(w.text) > 1 for w in predictor.words("I ate at IBM ", "")
    )
