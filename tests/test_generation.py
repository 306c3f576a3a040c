from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.generation import TEXT, Generation
from model.sampling import SamplingSettings, filtered, sample, softmax
from model.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable

    from model.bundle import Bundle
    from model.generation_moment import Moment
    from training.export import Precision

MILD = SamplingSettings(temperature=0.8, top_k=40, top_p=0.95, min_p=0.02)
GREEDY = SamplingSettings(temperature=0)
SEED = 7


@pytest.fixture(scope="module")
def session(bundle_of: Callable[[str, Precision], Bundle]) -> Session:
    return Session(bundle_of("llama", "int8"))


@pytest.fixture(scope="module")
def begin(
    session: Session, bundle_of: Callable[[str, Precision], Bundle]
) -> Callable[..., Generation]:
    tokenizer = bundle_of("llama", "int8").tokenizer()

    def begin(text: str = "the hand and the", preface: str = "a then ") -> Generation:
        return Generation(session, tokenizer, text, preface=preface)

    return begin


def tokens(moment: Moment) -> list[int]:
    return [step.token for step in moment.path]


def written(generation: Generation, how: SamplingSettings, seed: int, count: int) -> Moment:
    for _ in range(count):
        moment = generation.add(how, seed)
    return moment


def test_probabilities_are_those_of_a_full_pass(
    begin: Callable[..., Generation], session: Session
) -> None:
    generation = begin()
    moment = written(generation, MILD, SEED, 12)
    ids = [*generation._start, *tokens(moment)]
    logits = session.cache().extend(ids, rows="all")
    for place, step in enumerate(moment.path, len(generation._start)):
        expected = softmax(logits[place - 1])[step.token]
        assert step.probability == pytest.approx(expected, abs=1e-12)
    expected = softmax(logits[-1])
    assert moment.options[0].probability == pytest.approx(expected.max(), abs=1e-12)
    product = math.prod(step.probability for step in moment.path)
    assert math.exp(moment.log_probability) == pytest.approx(product)


def test_the_same_seed_gives_the_same_tokens_and_those_of_sampling(
    begin: Callable[..., Generation], session: Session
) -> None:
    generation = begin()
    moment = written(generation, MILD, SEED, 10)
    assert tokens(written(begin(), MILD, SEED, 10)) == tokens(moment)
    assert tokens(written(begin(), MILD, SEED + 1, 10)) != tokens(moment)
    generator, ids, cache = np.random.default_rng(SEED), list(generation._start), session.cache()
    for _ in range(10):
        ids.append(sample(cache.follow(ids), MILD, generator))
    assert ids[len(generation._start) :] == tokens(moment)


def test_every_stage_is_the_distribution_of_the_filters_before_it(
    begin: Callable[..., Generation], session: Session
) -> None:
    moment = begin().look(MILD, SEED)
    logits = session.cache().extend(begin()._start)[-1]
    so_far = [
        SamplingSettings(),
        SamplingSettings(temperature=0.8),
        SamplingSettings(temperature=0.8, top_k=40),
        SamplingSettings(temperature=0.8, top_k=40, top_p=0.95),
        MILD,
    ]
    for option in moment.options:
        expected = [filtered(logits, one)[option.token] for one in so_far]
        np.testing.assert_allclose(option.stages, expected, atol=1e-12)
    ranks = [option.rank for option in moment.options]
    assert ranks == list(range(1, 11))


def test_the_number_falls_on_the_next_token(begin: Callable[..., Generation]) -> None:
    for seed in range(20):
        moment = begin().look(MILD, seed)
        assert moment.next is not None
        assert moment.draw is not None
        assert moment.next.low <= moment.draw < moment.next.low + moment.next.chance + 1e-12


def test_a_dropped_token_says_which_filter_dropped_it(begin: Callable[..., Generation]) -> None:
    for how, name in (
        (SamplingSettings(top_k=2), "top-k"),
        (SamplingSettings(top_p=0.01), "top-p"),
        (SamplingSettings(min_p=1.0), "min-p"),
    ):
        options = begin().look(how, SEED).options
        assert options[0].dropped_by is None
        assert options[5].dropped_by == name


def test_greedy_takes_the_likeliest_and_draws_nothing(begin: Callable[..., Generation]) -> None:
    moment = begin().look(GREEDY, SEED)
    assert moment.draw is None
    assert moment.next == moment.options[0]
    assert begin().add(GREEDY, SEED).path[0].how == "likeliest"


def test_going_back_rewinds_the_cache_and_the_way_on_is_the_same(
    begin: Callable[..., Generation],
) -> None:
    generation = begin()
    first = generation.look(MILD, SEED)
    end = written(generation, MILD, SEED, 6)
    assert end.cache.generated == 6
    assert end.cache.tokens == len(generation._cache.ids)
    generation.go_to(end.path[1].place)
    back = generation.look(MILD, SEED)
    assert back.cache.generated == 2
    assert back.cache.tokens == len(generation._cache.ids)
    assert tokens(written(generation, MILD, SEED, 4)) == tokens(end)
    assert len(generation.steps) == 6  # no second branch of the same tokens
    generation.go_to(TEXT)
    assert generation.look(MILD, SEED).options == first.options


def test_a_token_chosen_by_hand_begins_a_branch_and_the_old_one_stays(
    begin: Callable[..., Generation],
) -> None:
    generation = begin()
    end = written(generation, MILD, SEED, 4)
    generation.go_to(end.path[0].place)
    here = generation.look(MILD, SEED)
    assert here.next is not None
    other = next(o for o in here.options if o.token != here.next.token)
    chosen = generation.add(MILD, SEED, other.token)
    assert [step.how for step in chosen.path] == ["drawn", "chosen"]
    assert chosen.path[1].probability == other.probability
    assert chosen.path[1].draw is None
    generation.go_to(end.here)
    again = generation.look(MILD, SEED)
    assert tokens(again) == tokens(end)
    assert again.options == end.options


def test_a_dropped_token_can_be_chosen_and_has_no_chance(begin: Callable[..., Generation]) -> None:
    generation = begin()
    only = SamplingSettings(top_k=1)
    dropped = generation.look(only, SEED).options[3]
    moment = generation.add(only, SEED, dropped.token)
    assert moment.path[0].chance == 0
    assert moment.log_chance == -math.inf
    assert moment.log_probability == pytest.approx(math.log(dropped.probability))


def test_a_space_at_the_end_begins_the_first_token(begin: Callable[..., Generation]) -> None:
    generation = begin("the hand ")
    assert all(o.piece.startswith(b" ") for o in generation.look(MILD, SEED).options)
    moment = written(generation, MILD, SEED, 3)
    pieces = b"".join(step.piece for step in moment.path)
    assert moment.text == pieces[1:].decode("utf-8", "ignore")


def test_half_a_character_waits_for_the_other_half(begin: Callable[..., Generation]) -> None:
    generation = begin()
    first, second = "é".encode()
    moment = generation.add(MILD, SEED, generation.tokenizer.token_of(bytes([first])))
    assert moment.text == ""
    moment = generation.add(MILD, SEED, generation.tokenizer.token_of(bytes([second])))
    assert moment.text == "é"


def test_after_end_of_text_nothing_follows(begin: Callable[..., Generation]) -> None:
    generation = begin()
    moment = generation.add(MILD, SEED, generation.tokenizer.end_of_text)
    assert moment.is_ended
    assert moment.options == ()
    assert moment.next is None
    assert generation.add(MILD, SEED).path == moment.path
    assert moment.text == ""


def test_a_full_window_slides_and_the_cache_says_so(begin: Callable[..., Generation]) -> None:
    generation = begin("the hand")
    room = generation.session.context_tokens
    held = []
    for _ in range(room):
        moment = generation.add(MILD, SEED)
        if moment.is_ended:
            generation.go_to(moment.path[-1].parent)
            moment = generation.add(MILD, SEED, moment.path[-1].token - 1)
        held.append(moment.cache.tokens)
        assert moment.cache.tokens == len(generation._cache.ids) <= room
        assert min(moment.cache.hidden, 1 + moment.cache.text) >= 1
        assert moment.cache.generated >= 0
    assert min(held[1:]) < max(held)  # it slid
    assert moment.cache.text == 0


@settings(max_examples=20)
@given(st.lists(st.sampled_from(["draw", "hand", "back", "jump"]), max_size=25), st.randoms())
def test_any_walk_leaves_the_figures_of_a_straight_one(
    begin: Callable[..., Generation], moves: list[str], chance: object
) -> None:
    generation = begin()
    for move in moves:
        if move == "draw":
            generation.add(MILD, SEED)
        elif move == "hand":
            options = generation.look(MILD, SEED).options
            if options:
                generation.add(MILD, SEED, chance.choice(options).token)  # type: ignore[attr-defined]
        elif move == "back" and generation.here != TEXT:
            generation.go_to(generation.steps[generation.here].parent)
        elif generation.steps:
            generation.go_to(chance.randrange(len(generation.steps)))  # type: ignore[attr-defined]
    moment = generation.look(MILD, SEED)
    straight = begin()
    for step in moment.path:
        fresh = straight.add(MILD, SEED, step.token)
    if moment.path:
        assert fresh.options == moment.options
        assert fresh.cache == moment.cache
        assert fresh.log_probability == moment.log_probability
