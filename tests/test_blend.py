"""Mixing the network with memories keeps probabilities probabilities, and lets letters decide."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.blend import NOTHING, Candidates, blend

LEXICON = ["apple", "apricot", "banana", "bean", "cherry"]
weights = st.lists(st.floats(0.01, 1), min_size=5, max_size=5)


def distribution(masses: list[float]) -> dict[str, float]:
    return {word: mass / sum(masses) for word, mass in zip(LEXICON, masses, strict=True)}


@given(weights, weights, st.floats(0, 1), st.sampled_from(["", "a", "ap", "b"]))
def test_blending_after_the_letters_equals_mixing_before_them(
    network: list[float], memory: list[float], share: float, prefix: str
) -> None:
    p, q = distribution(network), distribution(memory)
    fits = [word for word in LEXICON if word.startswith(prefix)]
    reach = sum(p[word] for word in fits)
    remembered = [(word, share * q[word]) for word in fits]
    candidates = Candidates(remembered, sum(mass for _, mass in remembered), share)
    mixed = {word: (1 - share) * p[word] + share * q[word] for word in fits}

    blended = blend([(word, p[word] / reach) for word in fits], candidates, reach=reach)

    assert dict(blended) == pytest.approx({w: m / sum(mixed.values()) for w, m in mixed.items()})
    assert sum(probability for _, probability in blended) == pytest.approx(1)
    assert blended == sorted(blended, key=lambda item: (-item[1], item[0]))


def test_what_the_network_finds_unlikely_is_left_to_the_memory() -> None:
    name = Candidates([("Kyriakos", 0.001)], reach=0.001, share=0.02)
    assert blend([("Kyle", 0.9)], name, reach=0.1)[0][0] == "Kyle"
    assert blend([("Kyrie", 0.9)], name, reach=0.00001)[0][0] == "Kyriakos"


def test_an_empty_memory_changes_nothing() -> None:
    network = [("one", 0.5), ("two", 0.25)]
    assert dict(blend(network, NOTHING, NOTHING, reach=0.3)) == pytest.approx(dict(network))
    assert blend([], NOTHING) == []


def test_two_memories_are_mixed_one_after_the_other() -> None:
    first, second = Candidates([("a", 0.5)], 0.5, 0.5), Candidates([("b", 0.5)], 0.5, 0.5)
    assert blend([("c", 1.0)], first, second) == [("b", 0.5), ("a", 0.25), ("c", 0.25)]
