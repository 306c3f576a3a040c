"""What must never be remembered is found, whatever stands around it; prose is left alone."""

from __future__ import annotations

import re
import string
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.secrets import secret_spans

PROSE = (
    "The committee met on 12.03.2024 and again in 2025, from 10:30 to 11:45, in room 101. "
    "We paid £1,250,000 for 3.5 km of road; 1990s prices, Anna said, don't apply. "
    "The key is to bake it slowly: patience is the secret, and the token gesture won't do. "
    "Wojciechowski, Krzysztof and Schwarzenegger went to Knightsbridge and Ljubljana. "
    "Read pages 12-15 of the 2nd edition (2019-2024), or call 911. She's well-known, and/or "
    "AT&T's GPT-4 and PowerPoint files, e.g. JavaScript and H1N1, took 10am to 3pm, version 3.11."
)


def kept(text: str) -> str:
    """What is left of a text when every secret is cut out."""
    characters: list[str] = list(text)
    for start, end in secret_spans(text):
        characters[start:end] = "\0" * (end - start)
    return "".join(characters).replace("\0", "")


def test_ordinary_prose_holds_no_secret() -> None:
    assert secret_spans(PROSE) == []


@pytest.mark.parametrize(
    "text",
    [
        "My password: {}",
        "password={}",
        "Password:\n{}",
        "The wifi password is {}.",
        "The password for the router (upstairs) is {}",
        "I changed my password to {} yesterday.",
        "Use {} as your new password.",
        "{} is the password",
        "Passwort: {}",
        "my PASSPHRASE = {}",
        "passcode: {}",
        "API key = {}",
        "api_key={}",
        "secret key -> {}",
        "access token: {}",
        "login: {}",
        "seed phrase: {}",
        "mot de passe : {}",
        "пароль: {}",
    ],
)
@pytest.mark.parametrize("secret", ["swordfish", "hunter2", "Tr0ub4dor&3", "correct horse battery"])
def test_what_follows_the_name_of_a_secret_is_one(text: str, secret: str) -> None:
    if text.startswith(("Use", "{}")):
        secret = secret.split()[0]  # only the word before is taken there
    for word in secret.split():
        assert word not in kept(text.format(secret))


@pytest.mark.parametrize(
    "text", ["My PIN is 482", "pin: 482", "the code is 482", "CVV 482", "the pin 482 works"]
)
def test_short_numbers_are_secret_beside_their_name(text: str) -> None:
    assert "482" not in kept(text)


@pytest.mark.parametrize(
    "secret",
    [
        "4111 1111 1111 1111",
        "4111111111111111",
        "5500-0000-0000-0004",
        "DE89 3704 0044 0532 0130 00",
        "GB29NWBK60161331926819",
        "+49 30 901820",
        "(555) 123-4567",
        "01.23.45.67.89",
        "078-05-1120",
        "4821",
        "jane.doe@example.com",
        "https://jane:sesame@example.com/x",
        "https://example.com/reset?token=abc",
        "AKIAIOSFODNN7EXAMPLE",
        "sk-proj-aB3dE5fG7hJ9",
        "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc",
        "550e8400-e29b-41d4-a716-446655440000",
        "d41d8cd98f00b204e9800998ecf8427e",
        "P@ssw0rd!",
        "hunter2",
        "xKjQwZrTbvNm",
        "qzxvkjwpbfmh",
        "a1:b2:c3:d4:e5:f6",
    ],
)
def test_secrets_are_known_by_their_shape(secret: str) -> None:
    left = kept(f"I wrote {secret} on the wall, and left.")
    assert re.findall(r"\w+", left) == ["I", "wrote", "on", "the", "wall", "and", "left"]


def test_a_private_key_is_secret_to_its_end() -> None:
    key = "-----BEGIN OPENSSH PRIVATE KEY-----\nabc def\nghi\n-----END OPENSSH PRIVATE KEY-----"
    assert kept(f"Here:\n{key}\nThanks") == "Here:\n\nThanks"


@given(
    st.text(string.ascii_letters + string.digits, min_size=8, max_size=64).filter(
        lambda s: sum(c.isdigit() for c in s) > 1 and not s[:1].isdigit() and not s[-1:].isdigit()
    ),
    st.integers(0, len(PROSE.split())),
)
def test_letters_mixed_with_digits_are_secret_anywhere(secret: str, place: int) -> None:
    words = PROSE.split()
    left = kept(" ".join([*words[:place], secret, *words[place:]]))
    assert left.split() == words


@given(st.lists(st.integers(0, 9), min_size=7, max_size=19), st.sampled_from(["", " ", "-", "."]))
def test_long_numbers_are_secret_however_they_are_split(digits: list[int], between: str) -> None:
    number = between.join(map(str, digits))
    assert not any(c.isdigit() for c in kept(f"Call {number} now"))


@given(st.text())
def test_spans_lie_inside_any_text(text: str) -> None:
    spans = secret_spans(text)
    assert spans == sorted(spans)
    assert all(0 <= start < end <= len(text) for start, end in spans)


@pytest.mark.parametrize(
    "text",
    ["a" * 200_000, "1 " * 100_000, "password" + " " * 200_000, "password is " * 10_000,
     "@" * 200_000, "a1" * 100_000, "AB12 " * 40_000, "-----BEGIN A-----" * 10_000,
     "the key " * 20_000],
)  # fmt: skip
def test_no_text_takes_long(text: str) -> None:
    begun = time.thread_time()
    secret_spans(text)
    assert time.thread_time() - begun < 5
