"""From text to ranked words, on a small real network; on SmolLM2 where one is given."""

from __future__ import annotations

import os
import random
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tiny_models import TINY_LLAMA, tiny_bundle

from model.predictor import Predictor, load_predictor, place_of
from model.session import Cancelled, Session
from model.wordshape import is_word

if TYPE_CHECKING:
    from model.bundle import Bundle

TEXT = "When the rain was over, they went out and the street was wet. He said so"


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    config = replace(TINY_LLAMA, context_tokens=256)
    return tiny_bundle(tmp_path_factory.mktemp("predictor") / "tiny", config, precision="int8")


def predictor_of(bundle: Bundle) -> Predictor:
    return Predictor(Session(bundle, context_tokens=64), bundle.tokenizer())


@pytest.fixture(scope="module")
def predictor(bundle: Bundle) -> Predictor:
    return predictor_of(bundle)


def test_words_begin_with_the_letters_typed(predictor: Predictor) -> None:
    for prefix in ("", "t", "th", "xq"):
        for word in predictor.words("the ", prefix, 5):
            assert word.text.startswith(prefix) or word.is_correction
            assert 0 < word.probability <= 1


def test_words_are_ranked_and_as_many_as_asked_for_at_most(predictor: Predictor) -> None:
    words = predictor.words("the ", "", 3)
    assert 0 < len(words) <= 3
    chances = [word.probability for word in words]
    assert chances == sorted(chances, reverse=True)
    assert predictor.words("the ", "", 0) == []


def test_the_same_text_gives_the_same_words_however_it_was_reached(bundle: Bundle) -> None:
    """Typing, deleting, jumping, pausing: bit for bit what a new predictor says."""
    chance, used = random.Random(7), predictor_of(bundle)
    for step in range(40):
        length = chance.randrange(len(TEXT)) if chance.random() < 0.3 else step % len(TEXT)
        text = TEXT[:length]
        if chance.random() < 0.5:
            used.glance(text)
        found = used.predict(text)
        if chance.random() < 0.5:
            used.look_ahead(text)
        fresh = predictor_of(bundle).predict(text)
        assert replace(found, elapsed_ms=0) == replace(fresh, elapsed_ms=0), text


def test_the_next_list_needs_no_run_after_a_pause(bundle: Bundle) -> None:
    predictor = predictor_of(bundle)
    text = "the street was "
    word = predictor.predict(text).words[0].text
    predictor.look_ahead(text)
    ids = predictor.window.ids(text + word)
    assert predictor.lattice.knows(ids)
    assert predictor.glance(f"{text}{word} ")


def test_words_that_follow_a_whole_word_are_offered_with_it(
    predictor: Predictor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("model.predictor.COMPLETE", 0.0)  # no word of this network is likely to end
    monkeypatch.setattr("model.offer.LEAST_SHOWN", 0.0)
    context = "the street was "
    word = predictor.words(context, "", 1)[0].text
    found = predictor.predict(context + word, 40).words
    following = [later for later in found if later.is_next]
    assert following
    assert word not in [other.text for other in found if not other.is_next]
    assert [w.probability for w in found] == sorted((w.probability for w in found), reverse=True)
    assert sum(later.probability for later in following) <= 1
    assert all(other.text.startswith(word) for other in found if other not in following)
    # For other programs nothing but the typed word is completed.
    assert not any(w.is_next for w in predictor.words(context, word))


def test_a_space_that_is_due_is_taken_as_typed(predictor: Predictor) -> None:
    assert predictor.predict("it was.").words == predictor.predict("it was. ").words
    assert place_of("it was.") == ("it was. ", "")
    assert place_of("it costs 3.") == ("it costs ", "3.")
    assert place_of("他来了。") == ("他来了。", "")


@pytest.mark.parametrize("text", ["今天天气很", "日本の", "ประเทศไทย", "我用Pyth"])
def test_scripts_without_spaces_are_offered_whole_characters(
    predictor: Predictor, text: str
) -> None:
    context, prefix = place_of(text)
    for word in predictor.words(context, prefix, 10):
        assert is_word(word.text)
        assert "\ufffd" not in word.text
        assert word.text.startswith(prefix)


def test_it_is_told_whether_the_answer_was_prepared(bundle: Bundle) -> None:
    predictor = predictor_of(bundle)
    text = "the street was "
    assert not predictor.is_prepared(text)
    word = predictor.predict(text).words[0].text
    assert predictor.is_prepared(text)
    assert predictor.is_prepared(text + word[:1])
    assert not predictor.is_prepared(f"{text}{word} ")
    predictor.look_ahead(text)
    assert predictor.is_prepared(f"{text}{word} ")


def test_cancelling_leaves_a_predictor_that_answers_rightly(bundle: Bundle) -> None:
    predictor, fresh = predictor_of(bundle), predictor_of(bundle)
    for patience in range(4):
        left = iter(range(patience))
        with pytest.raises(Cancelled):
            predictor.predict(TEXT, cancelled=lambda left=left: next(left, None) is None)
    assert predictor.words("the ", "w") == fresh.words("the ", "w")


def test_another_text_is_looked_at_beside_without_disturbing_this_one(bundle: Bundle) -> None:
    predictor, alone = predictor_of(bundle), predictor_of(bundle)
    predictor.words("the rain was ", "o")
    runs = predictor.lattice.runs
    beside = predictor.beside()
    assert beside.words("they went out and ", "") == alone.words("they went out and ", "")
    assert predictor.is_prepared("the rain was ov")
    assert predictor.lattice.runs == runs


def test_a_text_longer_than_the_window_is_predicted(predictor: Predictor) -> None:
    prediction = predictor.predict(TEXT * 40)
    assert prediction.context_tokens <= 64
    assert prediction.words


def test_the_chances_of_the_next_token_are_those_after_the_space(predictor: Predictor) -> None:
    prediction = predictor.predict("the street ")
    assert all(token.piece.startswith(b" ") for token in prediction.tokens)
    assert sum(token.probability for token in prediction.tokens) <= 1 + 1e-9
    assert prediction.entropy_bits > 0


@pytest.mark.parametrize("text", ["\0", "\ud800", "<|endoftext|>", "😀", "a\u0301", "\n\n", "中文"])
def test_every_text_is_accepted(predictor: Predictor, text: str) -> None:
    for end in ("", " ", " th"):
        predictor.predict(text + end)


@pytest.mark.slow
@pytest.mark.skipif("FORETYPE_TEST_BUNDLE" not in os.environ, reason="needs the real model")
def test_the_real_model_finishes_words() -> None:
    predictor = load_predictor(Path(os.environ["FORETYPE_TEST_BUNDLE"]))
    words = {word.text for word in predictor.words("Please send the ", "pa")}
    assert words & {"payment", "package"}
    after = predictor.predict("Please send the report").words
    assert (after[0].text, after[0].is_next) == ("to", True)
    assert "reports" in [word.text for word in after if not word.is_next]
    assert not any(word.is_next for word in predictor.predict("Please send the rep").words)
    assert "I" in [word.text for word in predictor.predict("I sent the report.").words]
    assert "好" in [word.text for word in predictor.predict("今天天气很").words]
    assert predictor.words("", "감사합")[0].text == "감사합니다"
    assert predictor.words("مرحبا بك ", "ف")[0].text == "في"
    assert predictor.predict("The capital of France is").tokens[0].text == " Paris"
