"""The instant personal memory: which words this writer uses, and after which.

Counts of single words, pairs and triples, halved in weight every `HALF_LIFE` words so that the
latest text counts most; and once more of unusual words, in counts that fade fast, because a name
that was typed once is about to be typed again.  `model.recall` reads them; `model.secrets` says
what is never stored.

Source: Church 2000, "Empirical estimates of adaptation" (why a name is worth so much).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from model.blend import NOTHING
from model.casing import Typed, folded, straight
from model.decay import Clock
from model.memory_store import DOUBTED, RECENTLY, Store
from model.recall import recall
from model.secrets import secret_spans
from model.sentences import ends_sentence, words_of
from model.wordshape import is_unspaced

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from model.blend import Candidates
    from model.sentences import PlacedWord

HALF_LIFE = 50_000  # words learnt until a count weighs half
RECENT_HALF_LIFE = 1_000
MOST_ROWS = 100_000  # about 8 MB
PRUNED_EVERY = 1_000  # words
PRUNED_TO = 0.9  # of MOST_ROWS
FADED = 2**-10  # recent words below this weight go
WORDS_LAST = 8.0  # a single word outlives a pair of the same weight by this factor
LONGEST_WORD = 40  # code points
CONTEXT = 200  # code points before a word that are looked at

_START = "."  # stands for the word before the first of a sentence
_ALWAYS_CAPITAL = re.compile(r"I(?:'\w+)?\Z")

_ADD = """
    INSERT INTO ngrams VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET weight = weight + excluded.weight
"""
_PRUNE = f"""
    DELETE FROM ngrams WHERE (history, key, word) IN (
        SELECT history, key, word FROM ngrams WHERE history <> '{RECENTLY}'
        ORDER BY weight * CASE history WHEN '' THEN ? ELSE 1 END, history, key, word LIMIT ?
    )
"""
_WRITTEN = f"SELECT 1 FROM ngrams WHERE history IN ('', '{DOUBTED}') AND key = ? LIMIT 1"
_COUNT_AGAIN = """
    UPDATE clock SET total = (SELECT total(weight) FROM ngrams WHERE history = kind)
"""


class Memory:
    """What one writer uses; belongs to the thread that made it (see `Store`).

    Args:
        path: the file; None remembers until the end of the program only.
        is_ordinary: tells the words that everybody uses from names.  Without it a capital at the
            start of a sentence teaches nothing, and all words are taken for unusual.
        is_slip: tells, of the text before an unusual word and that word, whether it is probably
            another one with a slip.  Such a word is not offered before it was written twice.

    Attributes:
        private: while true, nothing is learnt.  What is known is still offered.
    """

    def __init__(
        self,
        path: Path | None = None,
        *,
        is_ordinary: Callable[[str], bool] | None = None,
        is_slip: Callable[[str, str], bool] | None = None,
    ) -> None:
        self.private = False
        self._store = Store(path)
        self._is_ordinary, self._is_slip = is_ordinary, is_slip

    def learn(self, text: str, before: str = "") -> None:
        """Remember the words of `text`, newly written and finished, all or (after a crash) none.

        Args:
            text: whole words, any number of lines.
            before: what stands before them, for the sake of the first words; it is not learnt.
        """
        if self.private:
            return
        before = before[-CONTEXT:]
        taught = list(_taught(before + text, len(before)))
        if taught:
            doubted = self._doubted(before + text, taught)
            self._store.write(lambda db: self._add(db, taught, doubted))

    def candidates(self, context: str, prefix: str = "", k: int = 24) -> Candidates:
        """At most `k` remembered words for the word being typed.

        Args:
            context: all text before that word.
            prefix: the letters typed so far, maybe none.
            k: how many.
        """
        window = context[-CONTEXT:]
        trail, begins, end = [_START], True, 0
        for word in words_of(window):
            trail, end = _follow(trail, word), word.start + len(word.text)
            begins = ends_sentence(word.text, window[end:])
        recent = window + prefix
        typed = Typed(prefix, begins, curly=recent.rfind("’") > recent.rfind("'"))
        histories = _histories([_START] if begins else trail)
        return self._store.read(lambda db: recall(db, histories, typed, k), NOTHING)

    def forget_word(self, word: str) -> None:
        """Remove a word in all its forms, and all that contains it, from the memory and the disk.

        Raises:
            ForgetError: another program holds the file, or the disk refuses.
        """
        key = folded(word.strip())
        # "ann" takes "ann's" and "mary-ann" with it, but not "planning".
        alone = re.compile(rf"(?<![^\W_]){re.escape(key)}(?![^\W_])")

        def delete(db: sqlite3.Connection) -> None:
            found = db.execute(
                "SELECT DISTINCT history, key FROM ngrams WHERE instr(history || ' ' || key, ?)",
                (key,),
            ).fetchall()
            doomed = [pair for pair in found if alone.search(" ".join(pair))]
            db.executemany("DELETE FROM ngrams WHERE history = ? AND key = ?", doomed)
            db.execute(_COUNT_AGAIN)

        if key:
            self._store.erase(delete)

    def forget_everything(self) -> None:
        """Remove all that was learnt from the memory and the disk.

        Raises:
            ForgetError: another program holds the file, or the disk refuses.
        """

        def delete(db: sqlite3.Connection) -> None:
            db.execute("DELETE FROM ngrams")
            db.execute("UPDATE clock SET words = 0, weight = 1, total = 0")

        self._store.erase(delete)

    def close(self) -> None:
        """Close the file; the memory cannot be used afterwards."""
        self._store.close()

    def _doubted(self, text: str, taught: Sequence[tuple[PlacedWord, list[str]]]) -> set[str]:
        """Keys of the words that were never written before and are probably slips."""
        if self._is_slip is None:
            return set()
        unusual = {
            folded(word.text): word
            for word, _ in reversed(taught)  # so that the first of each counts
            if self._is_ordinary is None or not self._is_ordinary(straight(word.text))
        }
        new = self._store.read(
            lambda db: [key for key in unusual if not db.execute(_WRITTEN, (key,)).fetchone()],
            list[str](),
        )
        return {
            key
            for key in new
            if self._is_slip(_before(text, unusual[key]), straight(unusual[key].text))
        }

    def _add(
        self,
        db: sqlite3.Connection,
        taught: Sequence[tuple[PlacedWord, list[str]]],
        doubted: set[str],
    ) -> None:
        lasting, recent = Clock.read(db, ""), Clock.read(db, RECENTLY)
        for word, trail in taught:
            key, form = folded(word.text), self._form(db, word)
            if key in doubted:  # from the second time on it is a word like others
                doubted.remove(key)
                db.execute(_ADD, (DOUBTED, key, form, lasting.weight))
                continue
            unusual = self._is_ordinary is None or not self._is_ordinary(form)
            weight, recent_weight = lasting.tick(HALF_LIFE), recent.tick(RECENT_HALF_LIFE)
            rows = [(history, key, form, weight) for history in _histories(trail)]
            lasting.total += weight
            if unusual:
                rows.append((RECENTLY, key, form, recent_weight))
                recent.total += recent_weight
            db.executemany(_ADD, rows)
            if lasting.words % PRUNED_EVERY == 0:
                _prune(db, recent)
        lasting.write(db, f"history <> '{RECENTLY}'")
        recent.write(db, f"history = '{RECENTLY}'")

    def _form(self, db: sqlite3.Connection, word: PlacedWord) -> str:
        """The word as written, but for a capital that only the start of a sentence gave it."""
        written = straight(word.text)
        small = written[:1].lower() + written[1:]
        if word.chose_case or small != written.lower() or _ALWAYS_CAPITAL.match(written):
            return written
        known = db.execute(
            "SELECT word FROM ngrams WHERE history = '' AND key = ? ORDER BY weight DESC, word",
            (folded(written),),
        ).fetchone()
        if known:
            return str(known[0])
        return small if self._is_ordinary is None or self._is_ordinary(small) else written


def _before(text: str, word: PlacedWord) -> str:
    return text[max(0, word.start - CONTEXT) : word.start]


def _follow(trail: list[str], word: PlacedWord) -> list[str]:
    """The keys that are the history of the word after `word`: at most two."""
    return [*([_START] if word.begins_sentence else trail), folded(word.text)][-2:]


def _histories(trail: list[str]) -> list[str]:
    """The histories that a word after `trail` is counted under: none, one and two words long."""
    return ["", *(" ".join(trail[-n:]) for n in range(1, len(trail) + 1))]


def _taught(text: str, start: int) -> Iterator[tuple[PlacedWord, list[str]]]:
    """The words from `start` on that may be remembered, each with its history.

    What follows a secret has no history, so that no n-gram tells of it.
    """
    spans, hidden_to, trail = secret_spans(text)[::-1], 0, [_START]
    for word in words_of(text):
        end = word.start + len(word.text)
        while spans and spans[-1][0] < end:
            hidden_to = max(hidden_to, spans.pop()[1])
        before = [_START] if word.begins_sentence else trail
        is_unbroken = any(map(is_unspaced, word.text))  # a sentence of a script without spaces
        if hidden_to > word.start or is_unbroken or len(word.text) > LONGEST_WORD:
            trail = []
            continue
        trail = _follow(trail, word)
        if word.start >= start:
            yield word, before


def _prune(db: sqlite3.Connection, recent: Clock) -> None:
    faded = (RECENTLY, recent.weight * FADED)
    db.execute("DELETE FROM ngrams WHERE history = ? AND weight < ?", faded)
    rows = db.execute("SELECT count(*) FROM ngrams").fetchone()[0]
    if rows > MOST_ROWS:
        db.execute(_PRUNE, (WORDS_LAST, rows - int(MOST_ROWS * PRUNED_TO)))
