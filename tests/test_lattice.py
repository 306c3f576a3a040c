"""Word probabilities against an exhaustive search over every tokenisation."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from tiny_models import TINY_LLAMA, tiny_bundle

from model import lattice, word_tree
from model.lattice import Lattice
from model.session import Cancelled, Session

if TYPE_CHECKING:
    from collections.abc import Iterator

    from model.bundle import Bundle
    from model.tokenizer import Tokenizer

CONTEXT = "When the rain was over,"


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    config = replace(TINY_LLAMA, context_tokens=2048)
    return tiny_bundle(tmp_path_factory.mktemp("lattice") / "tiny", config)


@pytest.fixture(scope="module")
def session(bundle: Bundle) -> Iterator[Session]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("model.session.TREE_TOKENS", 1500)  # room for an exhaustive search
        yield Session(bundle)


@pytest.fixture(scope="module")
def tokenizer(bundle: Bundle) -> Tokenizer:
    return bundle.tokenizer()


@pytest.fixture
def unpruned(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "PASS_CANDIDATES": 250, "FIRST_PASSES": 1, "LATER_PASSES": 4, "LEAVES": 400,
        "CONTINUATIONS": 2, "WORTH": 0.0, "CHECKS": 0, "OPEN_PASSES": 0,
    }.items():  # fmt: skip
        module = lattice if hasattr(lattice, name) else word_tree
        monkeypatch.setattr(module, name, value)


class Exhaustive:
    """P(text) by trying every split into tokens, one fresh run for each beginning."""

    def __init__(self, session: Session, tokenizer: Tokenizer, context: list[int]) -> None:
        self.session, self.tokenizer, self.context = session, tokenizer, context
        self.memory: dict[tuple[int, ...], np.ndarray] = {}

    def log_probs(self, path: tuple[int, ...]) -> np.ndarray:
        if path not in self.memory:
            logits = self.session.cache().extend([*self.context, *path])[0].astype(np.float64)
            self.memory[path] = logits - np.logaddexp.reduce(logits)
        return self.memory[path]

    def paths(self, text: bytes, *, exact: bool) -> Iterator[tuple[tuple[int, ...], float]]:
        """Token paths that spell `text`, or whose last token runs past its end."""

        def walk(path: tuple[int, ...], done: int, log_p: float) -> Iterator:
            if done >= len(text):
                yield path, log_p
                return
            for token in self.tokenizer.sorted_ids.tolist():
                piece, rest = self.tokenizer.token_bytes(token), text[done:]
                if rest.startswith(piece) or (not exact and piece.startswith(rest)):
                    p = float(self.log_probs(path)[token])
                    yield from walk((*path, token), done + len(piece), log_p + p)

        return walk((), 0, 0.0)

    def word(self, typed: str, word: str, continues: np.ndarray) -> float:
        """P(word | context, typed): the definition in the module, term by term."""
        total = sum(math.exp(p) for _, p in self.paths(f" {typed}".encode(), exact=False))
        mass = 0.0
        for path, log_p in self.paths(f" {word}".encode(), exact=True):
            end = 1 - np.exp(self.log_probs(path)[continues]).sum()
            mass += math.exp(log_p) * float(end)
        return mass / total


@pytest.mark.usefixtures("unpruned")
@pytest.mark.parametrize(
    ("typed", "word"),
    [("the", "the"), ("th", "the"), ("and", "and"), ("win", "win"), ("on", "on")],
)
def test_a_word_has_the_probability_of_the_exhaustive_search(
    session: Session, tokenizer: Tokenizer, typed: str, word: str
) -> None:
    words = Lattice(session, tokenizer)
    context = [tokenizer.end_of_text, *tokenizer.encode(CONTEXT)]
    words.start(context, b" ")
    found = dict(words.words(typed.encode()))[word]
    search = Exhaustive(session, tokenizer, context)
    assert found == pytest.approx(search.word(typed, word, words.shapes.continues), abs=1e-6)


def test_the_ranking_does_not_depend_on_how_the_letters_were_typed(
    session: Session, tokenizer: Tokenizer
) -> None:
    """Typing, deleting, moving between contexts: equal to a lattice that has seen nothing else."""
    chance = random.Random(3)
    contexts = [[tokenizer.end_of_text, *tokenizer.encode(CONTEXT[:n])] for n in (4, 13, 23)]
    used = Lattice(session, tokenizer)
    for _ in range(60):
        context = chance.choice(contexts)
        typed = "".join(chance.choice("thean") for _ in range(chance.randint(0, 4))).encode()
        if chance.random() < 0.3:
            used.look_ahead([*context, *tokenizer.encode(" the")])
        used.start(context, b" ")
        fresh = Lattice(session, tokenizer)
        fresh.start(context, b" ")
        assert used.words(typed) == fresh.words(typed)


def test_looking_ahead_gives_the_logits_of_a_fresh_run(
    session: Session, tokenizer: Tokenizer
) -> None:
    words = Lattice(session, tokenizer)
    context = [tokenizer.end_of_text, *tokenizer.encode(CONTEXT)]
    longer = [*context, *tokenizer.encode(" the")]
    words.start(context, b" ")
    words.words(b"t")
    words.look_ahead(longer)
    assert words.knows(longer)
    assert np.array_equal(words.next_token(longer), session.cache().extend(longer)[0])


def test_a_cancelled_search_goes_on_where_it_stopped(
    session: Session, tokenizer: Tokenizer
) -> None:
    context = [tokenizer.end_of_text, *tokenizer.encode(CONTEXT)]
    fresh, words = Lattice(session, tokenizer), Lattice(session, tokenizer)
    fresh.start(context, b" ")
    words.start(context, b" ")
    for patience in (0, 1, 2, 5):
        left = iter(range(patience))
        with pytest.raises(Cancelled):
            words.words(b"therefore", lambda left=left: next(left, None) is None)
    assert words.words(b"therefore") == fresh.words(b"therefore")


def test_a_full_tree_is_begun_again(bundle: Bundle, tokenizer: Tokenizer) -> None:
    """With room for a few dozen nodes, a long word still ends in itself."""
    words = Lattice(Session(bundle), tokenizer)
    words.start([tokenizer.end_of_text], b" ")
    for length in range(1, 13):
        typed = b"andandandand"[:length]
        assert typed.decode() in dict(words.words(typed))


def test_what_is_too_long_for_a_word_costs_nothing(session: Session, tokenizer: Tokenizer) -> None:
    words = Lattice(session, tokenizer)
    words.start([tokenizer.end_of_text], b" ")
    assert words.words(b"a" * 100_000) == []
    assert words.glance(b"a" * 100_000) == []
    assert words.runs == 0
