"""Sentences that seem to hold a secret, a number or an address are forgotten whole.

A placeholder in their stead would be learnt and suggested; a sentence less is not missed.  Web
addresses alone are cut out: what stands around them was typed.  What a secret is says
`model.secrets`, which is asked only where an unknown or suspicious token stands.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate

from model.secrets import secret_spans
from training.corpus.cleaning import sentences

FEWEST_DIGITS = 7  # in a number that no token alone gives away, such as "555 01 00"
MOST_KNOWN = 1 << 20  # tokens remembered as harmless
_ADDRESS = re.compile(r"<?\b(?:https?://|www\.)[^\s<>]*[^\s<>.,;:!?)\]'\"”’]>?", re.IGNORECASE)
_PEM = re.compile(r"-----BEGIN [A-Z ]+-----.*?(?:-----END [A-Z ]+-----|\Z)", re.DOTALL)
_DIGIT = re.compile(r"\d")
# What stands beside such a word may be a secret, whatever it looks like.
_HINT = re.compile(
    r"(?<![^\W_])(?:pass\w*|pwd|pins?|keys?|tokens?|phrases?|words?|codes?|numbers?|cv[vc]2?|otp"
    r"|ssn|iban|secrets?|log-?ins?|credentials|users?|usernames?|kennwort|contraseña|senha"
    r"|wachtwoord|hasło|пароль)(?![^\W_])|密码|パスワード",
    re.IGNORECASE,
)


class Masking:
    """Forgets secrets, line by line; remembers which tokens were found harmless."""

    def __init__(self) -> None:
        self._harmless: set[str] = set()

    def clean(self, text: str) -> tuple[str, int]:
        """`text` without its secret sentences and web addresses, and how many sentences went."""
        text = _PEM.sub("", text)
        if "://" in text or "www." in text.lower():
            text = _ADDRESS.sub("", text)
        lines, forgotten = [], 0
        for line in text.split("\n"):
            kept, fewer = self._line(line)
            forgotten += fewer
            if kept or not fewer:
                lines.append(kept)
        return "\n".join(lines), forgotten

    def _line(self, line: str) -> tuple[str, int]:
        if self._is_harmless(line) or not (spans := secret_spans(line)):
            return line, 0
        parts = sentences(line)
        starts = [0, *accumulate(map(len, parts))]
        hit: set[int] = set()
        for start, end in spans:
            hit |= {*range(bisect_right(starts, start) - 1, bisect_right(starts, end - 1))}
        kept = [part for i, part in enumerate(parts) if i not in hit]
        return "".join(kept).strip(), len(hit)

    def _is_harmless(self, line: str) -> bool:
        """Whether no token is a secret by itself, and none can be one by its neighbours."""
        new = set(line.split()) - self._harmless
        if new and secret_spans("\n".join(new)):
            return False
        hints = {token for token in new if _HINT.search(token)}
        if len(self._harmless) < MOST_KNOWN:
            self._harmless |= new - hints
        return not hints and len(_DIGIT.findall(line)) < FEWEST_DIGITS
