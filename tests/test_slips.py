"""When a slip is likelier than that the letters are meant, and what is offered then."""

from __future__ import annotations

import math

import numpy as np
import pytest

from model.slips import LISTED, Correction, Slips
from model.tokenizer import Tokenizer
from model.vocabulary import Vocabulary
from model.wordshape import TokenShapes

# Frequent words first, as in the vocabularies of real models.
WORDS = (
    "the The from form thank thanks tomorrow receive London weird wired with have government US "
    "iPhone definitely in"
)
PIECES = [bytes([byte]) for byte in range(256)]
PIECES += [b" " + word.encode() for word in WORDS.split()] + [b" Tehran", b"The", b"the"]
TOKENIZER = Tokenizer(Vocabulary((*PIECES, b""), {"<end>": len(PIECES)}, "gpt2", len(PIECES), ()))
SLIPS = Slips(TOKENIZER, TokenShapes(TOKENIZER))


def corrections(
    typed: str,
    expected: dict[str, float],
    network_total: float = 1e-9,
    *,
    space: bool = True,
    words: dict[str, float] | None = None,
    k: int = 3,
) -> list[Correction]:
    """What is offered where the network expects these words."""
    log_probs = np.full(TOKENIZER.vocab_size, -40, np.float32)
    for word, probability in expected.items():
        token = TOKENIZER.token_of(b" " * space + word.encode())
        assert token is not None
        log_probs[token] = math.log(probability)
    return SLIPS.corrections(typed, log_probs, network_total, space=space, words=words or {}, k=k)


def first(typed: str, *words: str, **options: object) -> str | None:
    found = corrections(typed, dict.fromkeys(words, 0.01), **options)  # type: ignore[arg-type]
    return found[0].text if found else None


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("teh", "the"), ("form", "from"), ("thna", "thank"), ("tommorow", "tomorrow"),
        ("recieve", "receive"), ("recie", "receive"), ("wierd", "weird"), ("wiht", "with"),
        ("ahve", "have"), ("goverment", "government"), ("definately", "definitely"),
        ("fron", "from"), ("ni", "in"),
    ],
)  # fmt: skip
def test_common_slips_are_corrected(typed: str, meant: str) -> None:
    assert first(typed, meant) == meant


def test_what_the_network_expects_is_left_alone() -> None:
    assert corrections("form", {"from": 0.05}, network_total=0.02) == []
    assert corrections("wired", {"weird": 0.001}, network_total=1e-6) == []


def test_letters_without_a_slip_are_left_alone() -> None:
    assert corrections("tha", {"thank": 0.3, "thanks": 0.2}, network_total=0.5) == []
    assert corrections("thank", {"thanks": 0.5}, network_total=1e-12) == []


def test_the_odds_are_noise_times_language_model() -> None:
    [found] = corrections("goverment", {"government": 0.01}, network_total=1e-5)
    # One of nine letters missing, against letters in lower case that begin no known word.
    slip = 0.01 * 0.006 * 0.98**8
    assert found.probability == pytest.approx(slip / (slip + 0.05 * 1e-5), rel=0.1)


def test_a_whole_word_needs_better_reasons_than_a_beginning() -> None:
    assert corrections("wired", {"weird": 0.01}, network_total=1e-5) == []
    assert first("wierd", "weird", network_total=1e-5) == "weird"


def test_the_spelling_of_words_is_known_wherever_they_stand() -> None:
    assert corrections("thanks", {"the": 1e-4}, 1e-12, space=False) == []


def test_a_name_is_not_a_slip_only_because_it_is_unknown() -> None:
    assert corrections("fron", {"from": 0.0005}, network_total=1e-6) != []
    assert corrections("Fron", {"from": 0.0005}, network_total=1e-6) == []


def test_words_met_elsewhere_vouch_for_their_beginnings() -> None:
    assert first("govermen", "government", network_total=1e-5) == "government"
    vouched = {"govermental": 0.0}
    assert corrections("govermen", {"government": 0.001}, 1e-5, words=vouched) == []


@pytest.mark.parametrize("typed", ["they'", "they’"])
def test_either_apostrophe_is_known(typed: str) -> None:
    for vouched in ("they're", "they’re"):
        assert corrections(typed, {"the": 0.0001}, 1e-8, words={vouched: 0.0}) == []


def test_words_of_several_tokens_and_of_the_writer_are_offered_too() -> None:
    assert first("Foretpye", words={"Foretype": 0.001}) == "Foretype"
    assert first("dont", words={"don't": 0.01}) == "don't"


@pytest.mark.parametrize(
    ("typed", "expected", "offered"),
    [
        ("teh", "the", "the"), ("Teh", "the", "The"), ("TEH", "the", "THE"),
        ("teh", "The", "the"),  # the writer begins sentences in lower case
        ("Teh", "The", "The"), ("lodnon", "London", "London"), ("Lodnon", "London", "London"),
        ("ipohne", "iPhone", "iPhone"), ("Ipohne", "iPhone", "iPhone"),
    ],
)  # fmt: skip
def test_case_follows_what_is_typed(typed: str, expected: str, offered: str) -> None:
    found = corrections(typed, {expected: 0.2}, network_total=1e-12)
    assert [correction.text for correction in found] == [offered]


def test_the_apostrophe_follows_what_is_typed() -> None:
    assert first("dno’t", words={"don't": 0.01}) == "don’t"
    assert first("dno't", words={"don't": 0.01}) == "don't"


def test_best_first_no_more_than_asked_and_no_word_twice() -> None:
    expected = {"thank": 0.001, "thanks": 0.002, "the": 0.0005, "The": 0.01}
    found = corrections("thnk", expected, 1e-12)
    assert [correction.text for correction in found] == ["thanks", "thank"]
    again = corrections("thnk", expected, 1e-12, words={"thanks": 0.002})
    assert [correction.text for correction in again] == ["thanks", "thank"]
    assert corrections("thnk", expected, 1e-12, k=1) == found[:1]
    assert all(correction.probability >= LISTED for correction in found)


def test_at_the_start_of_a_line_words_come_without_their_space() -> None:
    assert [c.text for c in corrections("Teh", {"The": 0.1}, space=False)] == ["The"]
    assert corrections("Teh", {"The": 0.1}, space=True) != []


@pytest.mark.parametrize("typed", ["", "t", "t" * 99, "t3h", "2025"])
def test_too_little_too_much_and_numbers_are_not_guessed(typed: str) -> None:
    assert corrections(typed, {"the": 0.9}) == []


@pytest.mark.parametrize(
    "typed", ["İİ", "\ud800h", "teh\u0301", "привет", "日本", "ﬁn", "th-", "''"]
)
def test_any_text_may_be_typed(typed: str) -> None:
    for correction in corrections(typed, {"the": 0.5, "in": 0.1}, 1e-15):
        assert correction.text


def test_equal_input_gives_equal_answers() -> None:
    expected = {"thank": 0.001, "thanks": 0.001, "the": 0.001}
    assert corrections("thnak", expected) == corrections("thnak", expected)
