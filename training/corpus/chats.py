"""Chats exported from WhatsApp (text) and Telegram (JSON) → days of one person's messages.

System lines, media, deleted and forwarded messages are left out.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any

from training.corpus.dates import date_of
from training.corpus.decoding import lines_of
from training.corpus.document import CorpusOptions, Document, Tally

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from training.corpus.files import Source

MARKS = "\u200e\u200f\u202a\u202c\ufeff"
# "[31.12.23, 14:05:09] Ann: …" and "12/31/23, 2:05 PM - Ann: …", with what languages put between.
_HEAD = re.compile(
    rf"[{MARKS}]*(?P<bracket>\[)?(\d{{1,4}})[./-] ?(\d{{1,2}})[./-] ?(\d{{1,4}})\.?,?\s"
    r"(?:[^\W\d]+\s)?(\d{1,2})[:.](\d\d)(?:[:.]\d\d)?(?:\s?(?P<half>[AaPp])\.?\s?[Mm]\.?)?"
    rf"(?:\s[^\W\d]{{1,4}})?(?(bracket)\]|\s[-–])[{MARKS}]* ?(?P<rest>.*)"
)
_SPOKEN = re.compile(rf"[{MARKS}~]*(?P<name>[^:]{{1,60}}?)[{MARKS}]*: ?(?P<text>.*)", re.DOTALL)
_NOT_TYPED = re.compile(
    r"<[^<>\n]{3,60}>|\S+\.\w{2,4} \([^()]+\)|null|(?:(?:live )?location|contact card): .*"
    r"|(?:you deleted this message|this message was deleted|diese nachricht wurde gelöscht"
    r"|du hast diese nachricht gelöscht|eliminaste este mensaje|se eliminó este mensaje"
    r"|ce message a été supprimé|vous avez supprimé ce message|mensagem apagada"
    r"|esta mensagem foi apagada|questo messaggio è stato eliminato"
    r"|dit bericht is verwijderd)\.?",
    re.IGNORECASE,
)
_EDITED = re.compile(
    rf"[{MARKS}]*<[^<>\n]*(?:edited|bearbeitet|editado|modifié|modificato)[^<>\n]*>"
)
DATED_LINES = 20_000  # looked at to tell day and month apart

Message = tuple[datetime | None, str, str]  # when, who, what


def looks_like_whatsapp(lines: Iterable[str]) -> bool:
    """Whether a text that begins with these lines is an exported chat."""
    first = [line for line in islice(lines, 60) if line.strip()]
    heads = [line for line in first if _HEAD.fullmatch(line)]
    return bool(first) and _HEAD.fullmatch(first[0]) is not None and len(heads) > len(first) // 8


def read_whatsapp(source: Source, _options: CorpusOptions, tally: Tally) -> Iterator[Document]:
    """The days of a chat, those of each person apart."""
    heads = (match for line in lines_of(source) if (match := _HEAD.fullmatch(line)))
    month_first = _month_first(islice(heads, DATED_LINES))
    yield from _days(_whatsapp(lines_of(source), month_first, tally), source.name)


def _whatsapp(lines: Iterable[str], month_first: bool, tally: Tally) -> Iterator[Message]:
    pending: tuple[datetime | None, str] | None = None
    for line in lines:
        head = _HEAD.fullmatch(line)
        if head is None:
            pending = (pending[0], f"{pending[1]}\n{line}") if pending else None
            continue
        if pending:
            yield from _spoken(*pending, tally)
        pending = _moment(head, month_first), head["rest"]
    if pending:
        yield from _spoken(*pending, tally)


def _spoken(date: datetime | None, rest: str, tally: Tally) -> Iterator[Message]:
    match = _SPOKEN.fullmatch(rest)
    if match is None:
        tally.leave_out("messages", "the chat program wrote them")
        return
    text = _EDITED.sub("", match["text"]).strip()
    # A mark before the text tells the program's own words ("\u200eimage omitted").
    if match["text"].startswith("\u200e") or _NOT_TYPED.fullmatch(text.strip(MARKS)):
        tally.leave_out("messages", "they are pictures, files or deleted")
    elif text:
        yield date, match["name"].strip(), text


def _month_first(heads: Iterable[re.Match[str]]) -> bool:
    """Whether the month stands before the day: told by numbers over 12, by order, by "PM"."""
    dates, halves = [], 0
    for head in heads:
        dates.append((int(head[2]), int(head[3]), int(head[4])))
        halves += head["half"] is not None
    if any(first > 31 for first, _, _ in dates):
        return False  # the year comes first, and then the month
    if any(first > 12 for first, _, _ in dates):
        return False
    if any(second > 12 for _, second, _ in dates):
        return True
    falls = [
        sum(a > b for a, b in pairwise(keys))
        for keys in ([(y, m, d) for d, m, y in dates], [(y, m, d) for m, d, y in dates])
    ]
    return falls[1] < falls[0] or (falls[0] == falls[1] and halves > 0)


def _moment(head: re.Match[str], month_first: bool) -> datetime | None:
    first, second, third = int(head[2]), int(head[3]), int(head[4])
    hour, minute = int(head[5]), int(head[6])
    if head["half"]:
        hour = hour % 12 + (12 if head["half"] in "Pp" else 0)
    if first > 31:
        year, month, day = first, second, third
    else:
        day, month = (second, first) if month_first else (first, second)
        year = third + 2000 if third < 100 else third
    try:
        return datetime(year, month, day, hour, minute, tzinfo=UTC)
    except ValueError:
        return None


def looks_like_telegram(start: str) -> bool:
    """Whether a JSON file that begins so is a chat, or all chats, of Telegram."""
    return ('"messages"' in start and '"type"' in start) or '"chats"' in start


def read_telegram(source: Source, _options: CorpusOptions, tally: Tally) -> Iterator[Document]:
    """The days of every chat of an export, those of each person apart; read piece by piece."""
    import ijson

    for prefix in ("messages.item", "chats.list.item.messages.item"):
        with source.open() as stream:
            yield from _days(_telegram(ijson.items(stream, prefix), tally), source.name)


def _telegram(items: Iterable[dict[str, Any]], tally: Tally) -> Iterator[Message]:
    for item in items:
        text = _telegram_text(item.get("text", "")).strip()
        if item.get("type") != "message":
            tally.leave_out("messages", "the chat program wrote them")
        elif item.get("forwarded_from") or item.get("via_bot"):
            tally.leave_out("messages", "they are forwarded, or a bot's")
        elif not text:
            tally.leave_out("messages", "they are pictures, files or deleted")
        else:
            seconds = str(item.get("date_unixtime") or item.get("date") or "")
            yield date_of(seconds), str(item.get("from") or item.get("from_id") or "?"), text


def _telegram_text(text: Any) -> str:
    """A text, or the typed pieces of one."""
    if isinstance(text, str):
        return text
    dropped = {"pre", "code", "bot_command", "email", "phone", "bank_card", "link"}
    return "".join(
        piece if isinstance(piece, str)
        else "" if piece.get("type") in dropped else str(piece.get("text", ""))
        for piece in text
    )  # fmt: skip


def _days(messages: Iterable[Message], where: str) -> Iterator[Document]:
    """One document per person and day, in the order of the days."""
    day: object = None
    said: dict[str, tuple[datetime | None, list[str]]] = {}
    for date, author, text in messages:
        today = date.date() if date else None
        if today != day:
            yield from _of_day(said, where)
            day, said = today, {}
        said.setdefault(author, (date, []))[1].append(text)
    yield from _of_day(said, where)


def _of_day(said: dict[str, tuple[datetime | None, list[str]]], where: str) -> Iterator[Document]:
    for author, (date, texts) in said.items():
        place = f"{where}, {date:%Y-%m-%d}" if date else where
        yield Document("\n".join(texts), place, date, "", author)
