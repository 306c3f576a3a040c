"""Keystrokes are counted as the typing simulator counts them."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.predictor import load_predictor
from training.evaluation.typing import Typed, normalise, split_token, steps, type_step

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from model.bundle import Bundle

    Suggest = Callable[[str, str], Sequence[str]]

SIMULATOR = Path(__file__).parents[2] / "shared" / "eval" / "ksr.py"

texts = st.lists(
    st.text(st.sampled_from("abAé1 .,'\"(-—\t"), max_size=30), min_size=1, max_size=4
).map("\n".join)


def typed(text: str, suggest: Suggest) -> Typed:
    return sum((type_step(text, step, suggest) for step in steps(text)), Typed())


def table(answers: dict[tuple[str, str], list[str]]) -> Suggest:
    return lambda context, prefix: answers.get((context, prefix), [])


def test_a_word_taken_at_once_costs_one_key_and_brings_its_space() -> None:
    # "end, so": e n d , space s o; or end (taken), comma over its space, space, so (taken).
    assert typed("end, so", table({})) == Typed(7, 2, 7, 7, 7)
    offered = table({("", ""): ["end"], ("end, ", ""): ["so"]})
    assert typed("end, so", offered) == Typed(7, 2, 4, 4, 4, 2, 2, 2)


def test_counts_agree_with_those_made_by_hand() -> None:
    # "Hi there, you", 13 characters.
    #   Hi     never offered                        2 keys, then the space: 1
    #   there  third before any letter, first at th   k=1: t h take = 3; k=3, k=5: take = 1
    #   ,      typed over the automatic space       1, then the space: 1
    #   you    offered as "You" only                3
    offered = table(
        {
            ("Hi ", ""): ["a", "b", "there"],
            ("Hi ", "th"): ["there"],
            ("Hi there, ", ""): ["You"],
        }
    )
    assert typed("Hi there, you", offered) == Typed(13, 3, 11, 9, 9, 0, 1, 1)


def test_a_newline_replaces_the_automatic_space_at_no_extra_cost() -> None:
    # ab+space by one key, cd by one, the newline typed, ef by one.
    text = "ab cd\nef"
    words = {("", ""): ["ab"], ("ab ", ""): ["cd"], ("ab cd\n", ""): ["ef"]}
    assert typed(text, table(words)) == Typed(8, 3, 4, 4, 4, 3, 3, 3)


def test_the_last_letter_is_still_worth_a_key_but_none_is_after_it() -> None:
    offered = table({("", "a"): ["ab"], ("ab ", "c"): ["cd"], ("ab cd ", "ef"): ["ef"]})
    # a, take (with space); c, take (with space); e, f
    assert typed("ab cd ef", offered).keys_1 == 2 + 2 + 2


def test_only_the_first_five_suggestions_are_seen() -> None:
    offered = table({("", ""): ["a", "b", "c", "d", "e", "word"]})
    assert typed("word", offered) == Typed(4, 1, 4, 4, 4)


def test_punctuation_without_letters_is_typed() -> None:
    assert typed('-- "A"', table({('-- "', ""): ["A"]})) == Typed(6, 1, 6, 6, 6, 1, 1, 1)


def test_white_space_is_made_regular_and_empty_lines_stay_inside() -> None:
    assert normalise("\n\n  a  b\t\n \nc\r\n") == "a b\n\nc"
    assert normalise(" \n ") == ""


@given(texts)
def test_the_steps_are_the_text(text: str) -> None:
    text = normalise(text)
    found = list(steps(text))
    assert "".join(s.lead + s.word + s.trail + s.separator for s in found) == text
    for step in found:
        assert text.startswith(step.word, step.start)
        assert split_token(step.lead + step.word + step.trail) == (step.lead, step.word, step.trail)


@pytest.fixture(scope="module")
def simulator() -> Any:
    if not SIMULATOR.is_file():
        pytest.skip("the simulator is not beside this repository")
    spec = importlib.util.spec_from_file_location("simulator", SIMULATOR)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    was, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        spec.loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = was
    return module


def agree(simulator: Any, text: str, suggest: Suggest) -> None:
    document = [line for line in normalise(text).split("\n") if line]
    (theirs,) = simulator.run_documents(
        [document], lambda context, prefix, k: list(suggest(context, prefix))[:k], [1, 3, 5]
    )
    keys = [theirs["keys"][k, 0] for k in (1, 3, 5)]
    first = [theirs["top"][k, 0] for k in (1, 3, 5)]
    ours = typed("\n".join(document), suggest)
    assert ours == Typed(theirs["chars"], theirs["words"], *keys, *first)


@given(text=texts, salt=st.integers(0, 1000))
def test_the_simulator_agrees_on_any_text(simulator: Any, text: str, salt: int) -> None:
    words = sorted({step.word for step in steps(normalise(text)) if step.word})

    def suggest(context: str, prefix: str) -> list[str]:
        """Some of the words of the text, in an order that depends on where one is."""
        key = crc32(f"{context}|{prefix}|{salt}".encode())
        ranked = sorted(words, key=lambda word: crc32(f"{word}|{key}".encode()))
        return ranked[key % 7 :]

    agree(simulator, text, suggest)


def test_the_simulator_agrees_on_a_real_predictor(
    simulator: Any, bundle_of: Callable[..., Bundle]
) -> None:
    predictor = load_predictor(bundle_of("llama", "float").folder, threads=1)

    def suggest(context: str, prefix: str) -> list[str]:
        return [word.text for word in predictor.words(context, prefix, 5)]

    text = 'The inner ring "and" a wren; there he sat, in the\nend (an answer) on 3.5 reeds -- s.'
    agree(simulator, text, suggest)
