"""What must never be remembered: passwords, keys, card and phone numbers, addresses.

Judged by shape (a token that no word looks like, digits that are no date or year) and by what
stands beside it ("password: …", "PIN is …").  Doubt counts against remembering: a word lost costs
little, a secret kept costs much.  An ordinary word used as a password, with nothing near it that
says so, cannot be told.
"""

from __future__ import annotations

import re
from itertools import pairwise
from string import ascii_lowercase
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

Span = tuple[int, int]

LONGEST_TOKEN = 40  # of ASCII characters without a space
LONGEST_MIXED = 6  # letters and digits together: "Covid19" is given up for "hunter2"
LONGEST_NUMBER = 6  # digits, spaces between them or not: the shortest phone numbers have 7
LONGEST_PIN_FREE = 3  # digits in one piece that are no year

_SYMBOLS = frozenset("@#$%^*+=~|\\<>{}!?`")
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_DATE = re.compile(
    r"\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./](?:\d\d|\d{4})"
    r"|(?:1[5-9]|20)\d\d ?[-–/] ?(?:1[5-9]|20)\d\d"
)
_NUMBER = re.compile(rf"\+?\d(?:[ \u00a0\u202f().\-–/]{{0,3}}\d){{{LONGEST_NUMBER},}}")
_IBAN = re.compile(r"\b[A-Z]{2}\d{2}(?:[ \u00a0-]?[A-Z\d]{2,4}){3,8}\b")
_PEM = re.compile(r"-----BEGIN [A-Z ]+-----.*?(?:-----END [A-Z ]+-----|\Z)", re.DOTALL)

# Letters that follow each letter in at least 4 of the 24,379 words of English, names and loans
# among them, that are a token of SmolLM2.
_FOLLOWERS = dict(
    zip(
        ascii_lowercase,
        f"{ascii_lowercase} abcdeghijlmnoprstuy abcdeghiklmnopqrstuyz abcdefghijlmnopqrstuvwy "
        f"{ascii_lowercase} aefgilorstuy abdeghilmnoprstuy abcdefilmnoprstuwy "
        "abcdefghijklmnopqrstuvwxz aeiou aefhilnoprstuwy abcdefghiklmnoprstuvwy abcefilmnoprstuwy "
        f"{ascii_lowercase} {ascii_lowercase} abcdefghiklmnoprstuvy lu abcdefghiklmnoprstuvwxy "
        "abcdefghiklmnopqrstuvwy abcdefghilmnoprstuwyz abcdefghiklmnoprstvxyz aeiouy "
        "abcdefhiklnorstwy acehioptuy abcdegilmnoprstuwz aehilouyz".split(),
        strict=True,
    )
)

# What names a secret by itself, and what does so only before a colon or a number.
_NAMES = (
    r"\b(?:pass(?:word|phrase|code|wd|wort)s?|pass codes?|pwd|(?-i:PINs?)|pin[ -](?:code|number)s?"
    r"|(?:api|secret|access|private|encryption|recovery|product|licen[cs]e|security)[ _-]?keys?"
    r"|(?:access|auth|bearer|refresh|api|session)[ _-]tokens?"
    r"|(?:seed|recovery|secret)[ _-](?:phrase|word)s?"
    r"|(?:verification|security|access|confirmation|one-time|door|alarm|gate|unlock) codes?"
    r"|(?:social security|bank|card|credit card|account|routing|passport) numbers?|sort codes?"
    r"|cv[vc]2?|otp|ssn|iban|kennwort|mot de passe|contraseña|senha|wachtwoord|hasło|пароль"
    r"|密码|パスワード)(?!\w)"
)
_HINTS = (
    r"(?<![\w?&])(?:pins?|keys?|tokens?|codes?|secrets?|log-?ins?|pass|credentials"
    r"|user ?names?|user)\b"
)
_SETS = r"\s{0,9}(?::|=|->|=>|→)\s{0,9}"
_IS = r"\s{1,9}(?:is|are|was|were|be|to|as|with)\b\s{0,9}"
_ON_THE_WAY = r"[^\n.:=!?]{0,40}?"  # "password (for the router): "
_SENTENCE = r"(?:[^\n.!?]|[.!?](?!\s|\Z))*"
_CONTEXTS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:{_NAMES}){_ON_THE_WAY}(?:{_IS})?{_SETS}(?P<secret>[^\n]*)",
        rf"(?:{_NAMES}){_ON_THE_WAY}{_IS}(?P<secret>{_SENTENCE})",
        rf"(?:{_NAMES})\s+(?P<secret>(?=\S*[\d@#$%^*+=!])\S+)",
        rf"(?<!\S)(?P<secret>\S+)\s+(?:is|was|as)\s+(?:\w+\s+){{0,2}}?(?:{_NAMES})",
        rf"(?:{_HINTS})(?:{_IS})?{_SETS}(?P<secret>[^\n]*)",
        rf"(?:{_HINTS})(?:{_IS}|\s+)(?P<secret>(?=\S*\d)\S+)",
    )
)


def secret_spans(text: str) -> list[Span]:
    """Where `text` holds what must not be remembered: sorted spans, which may overlap."""
    spans = [match.span("secret") for context in _CONTEXTS for match in context.finditer(text)]
    spans += [match.span() for match in _PEM.finditer(text)]
    spans += [match.span() for match in _IBAN.finditer(text)]
    for match in _NUMBER.finditer(text):
        if not _DATE.fullmatch(match[0]):
            spans.append(match.span())
    spans += _token_spans(text)
    return sorted(span for span in spans if span[0] < span[1])


def _token_spans(text: str) -> Iterator[Span]:
    for match in re.finditer(r"\S+", text):
        if _is_secret(match[0]):
            yield match.span()


def _is_secret(token: str) -> bool:
    """Whether what stands between two spaces is no word, number or date that people read."""
    core = token.strip("".join({c for c in token if not c.isalnum()}))
    if len(core) > LONGEST_TOKEN and core.isascii():
        return True
    if core[:4].lower() == "www." or "://" in core or not _SYMBOLS.isdisjoint(core):
        return True
    pieces = re.findall(r"[^\W_]+", core)
    mixed = [piece for piece in pieces if not piece.isalpha() and not piece.isdecimal()]
    if len(mixed) > 1 and len(core) > LONGEST_NUMBER:
        return True
    return any(map(_is_code, mixed)) or any(_is_pin(p) or _is_gibberish(p) for p in pieces)


def _is_code(mixed: str) -> bool:
    """Whether letters and digits alternate as in no word ("B2B", "1990s", "10am")."""
    changes = sum(a.isdecimal() != b.isdecimal() for a, b in pairwise(mixed))
    return len(mixed) > LONGEST_MIXED or (changes > 1 and len(mixed) > LONGEST_PIN_FREE + 1)


def _is_pin(piece: str) -> bool:
    return piece.isdecimal() and len(piece) > LONGEST_PIN_FREE and not _YEAR.fullmatch(piece)


def _is_gibberish(piece: str) -> bool:
    """Whether letters follow each other as if drawn by chance; short pieces never do."""
    if len(piece) < 8 or not (piece.isascii() and piece.isalpha()):
        return False
    pairs = list(pairwise(piece))
    changes = sum(a.islower() != b.islower() for a, b in pairs)
    strange = sum(b.lower() not in _FOLLOWERS[a.lower()] for a, b in pairs)
    return (changes > 3 and 4 * changes > len(piece)) or (strange > 3 and 5 * strange >= len(pairs))
