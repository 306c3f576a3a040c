"""Whether a word is spelt rightly, and what may have been meant.  No widgets.

Hunspell knows the language; the writer's own words are kept in a text file, one a line.
"""

from __future__ import annotations

import logging
import re
import unicodedata
from typing import TYPE_CHECKING

from app.dictionaries import FALLBACK, find_dictionaries, language_for
from model.files import why_unwritable, write_atomically

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# Letters with marks, and apostrophes and hyphens between them; what holds a digit is no word.
LETTERS = r"(?:[^\W\d_][\u0300-\u036f]*)+"
WORD = re.compile(rf"{LETTERS}(?:['’\u00ad]{LETTERS})*")
NOT_PROSE = re.compile(r"\w+://\S+|\S+@\S+\.\w+|`[^`]*`|\S*[\w.]/\S*|\S*\d\S*|\w+_\w+")
FIRST_UNSPACED = "\u2e80"  # from here on, scripts have no spaces between words
MOST_SUGGESTIONS = 6

log = logging.getLogger(__name__)


class Speller:
    """One language and the writer's own words."""

    def __init__(self, own_words: Path) -> None:
        self._file = own_words
        self._own: set[str] | None = None
        self._hunspell: object | None = None
        self._known: dict[str, bool] = {}
        self.language = FALLBACK

    def use(self, language: str) -> None:
        """Take the dictionary for a language; "" is the desktop's."""
        chosen = language_for(language)
        if chosen != self.language or self._hunspell is None:
            self.language = chosen
            self._hunspell = None
            self._known.clear()

    def is_right(self, word: str) -> bool:
        """Whether a word is in the dictionary, or one of the writer's."""
        if (known := self._known.get(word)) is None:
            known = self._known[word] = self._look_up(word)
        return known

    def suggestions(self, word: str) -> list[str]:
        """Return what may have been meant, likeliest first; it may take a tenth of a second."""
        try:
            found = self._load().suggest(_straight(word))  # type: ignore[attr-defined]
        except UnicodeError:
            return []
        curly = "’" in word
        return [one.replace("'", "’") if curly else one for one in found[:MOST_SUGGESTIONS]]

    def add(self, word: str) -> None:
        """Take a word for right from now on, here and on the disk.

        Raises:
            OSError: it cannot be written; the message says why.
        """
        words = self._words()
        words.add(_straight(word))
        self._known.clear()
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(self._file, "".join(f"{one}\n" for one in sorted(words)))
        except OSError as err:
            raise OSError(why_unwritable(self._file, err)) from err

    def _look_up(self, word: str) -> bool:
        straight = _straight(word)
        if straight in (own := self._words()) or straight.casefold() in own:
            return True
        try:
            return bool(self._load().spell(straight))  # type: ignore[attr-defined]
        except UnicodeError:  # letters that the language of this dictionary does not have
            return True

    def _words(self) -> set[str]:
        if self._own is None:
            try:
                self._own = set(self._file.read_text(encoding="utf-8").split())
            except FileNotFoundError:
                self._own = set()
            except (OSError, ValueError) as err:
                log.warning("%s cannot be read: %s", self._file, err)
                self._own = set()
        return self._own

    def _load(self) -> object:
        """Load the dictionary when it is first needed: 0.03 s for English."""
        if self._hunspell is None:
            from hunspell import Hunspell

            file = find_dictionaries()[self.language]
            self._hunspell = Hunspell(file.stem, hunspell_data_dir=str(file.parent))
        return self._hunspell


def words_in(line: str) -> Iterator[tuple[int, str]]:
    """Return the words of a line that are worth checking, and where each begins.

    Addresses, file names, code between backticks and what holds digits are left alone.
    """
    if "/" in line or "@" in line or "`" in line or "_" in line or _has_digit(line):
        line = NOT_PROSE.sub(lambda match: " " * len(match.group()), line)
    for match in WORD.finditer(line):
        word = match.group()
        is_acronym = len(word) > 1 and word.isupper()
        if not is_acronym and word[0] < FIRST_UNSPACED:
            yield match.start(), word


def _has_digit(line: str) -> bool:
    return any(character.isdigit() for character in line)


def _straight(word: str) -> str:
    return unicodedata.normalize("NFC", word).replace("’", "'").replace("\u00ad", "")
