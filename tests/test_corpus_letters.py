"""Mail and chats: what one person wrote, and nothing that others or programs did."""

from __future__ import annotations

import json
import mailbox
from datetime import UTC, datetime
from email.message import EmailMessage
from typing import TYPE_CHECKING

import pytest

from training.corpus import Corpus, CorpusOptions, read_corpus
from training.corpus.mail import own_words

if TYPE_CHECKING:
    from pathlib import Path


def read(path: Path, **options: object) -> Corpus:
    return read_corpus([path], CorpusOptions(**options))  # type: ignore[arg-type]


def texts(corpus: Corpus) -> list[str]:
    return [document.text for document in corpus.documents]


def whys(corpus: Corpus) -> str:
    return "; ".join(left.why for left in corpus.report.left_out)


def mail(sender: str, body: str, *, html: str = "", day: int = 3) -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, "Bob <bob@example.org>", "Re: Hi"
    message["Date"] = f"Fri, {day:02} May 2024 10:00:00 +0200"
    message.set_content(body)
    if html:
        message.add_alternative(html, subtype="html")
    return message


def test_a_mail_is_what_its_sender_wrote(tmp_path: Path) -> None:
    body = (
        "Hi Bob,\n\nOf course I will come.\n\nAnn\n\nOn Thu, 2 May 2024, Bob wrote:\n> Will you?\n"
    )
    message = mail("Ann <ann@example.org>", body)
    (tmp_path / "a.eml").write_bytes(bytes(message))
    corpus = read(tmp_path)
    assert texts(corpus) == ["Hi Bob,\n\nOf course I will come.\n\nAnn"]
    assert corpus.documents[0].date == datetime(2024, 5, 3, 8, tzinfo=UTC)
    assert corpus.documents[0].author == "Ann <ann@example.org>"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("Yes.\n\n-----Original Message-----\nFrom: Bob\nSent: Monday\n\nWill you?", "Yes."),
        ("Gut!\n\nAm 3. Mai 2024 um 10:00 schrieb Bob <b@c.de>:\n> alt", "Gut!"),
        ("On Mon, 3 May 2024, Bob wrote:\n> Will you?\n\nI will.", "I will."),
        ("> One?\nYes.\n> Two?\nNo.", "Yes.\nNo."),
        ("See you.\n\n-- \nAnn\nCEO", "See you."),
        ("See you.\n\nSent from my phone", "See you."),
        ("Fine.\n\nBest regards,\nAnn\nCEO\nExample Ltd", "Fine.\n\nBest regards,\nAnn"),
        ("Thanks, that helps.\nTake care.", "Thanks, that helps.\nTake care."),
        ("-----Original Message-----\nFrom: Bob\nSent: Monday\nTo: Ann\n\nWill you?", ""),
    ],
)
def test_quoted_replies_and_signatures_are_left_out(body: str, expected: str) -> None:
    assert own_words(body) == expected


def test_html_mail_is_read_when_there_is_no_plain_text(tmp_path: Path) -> None:
    message = EmailMessage()
    message["From"] = "ann@example.org"
    message.set_content("<p>Hello <b>Bob</b>.</p><blockquote>old</blockquote>", subtype="html")
    (tmp_path / "a.eml").write_bytes(bytes(message))
    assert texts(read(tmp_path)) == ["Hello Bob."]


@pytest.fixture
def box(tmp_path: Path) -> Path:
    path = tmp_path / "sent.mbox"
    with_mail = mailbox.mbox(str(path))
    with_mail.add(mail("Ann <ann@example.org>", "From here on I write.\n\nFrom the start."))
    with_mail.add(mail("Bob <bob@example.org>", "I answer."))
    with_mail.add(mail("ann@example.org", "Again it is me.", html="<p>no</p>", day=9))
    with_mail.close()
    return path


def test_of_several_senders_the_user_must_choose(box: Path) -> None:
    corpus = read(box)
    assert texts(corpus) == []
    (advice,) = corpus.report.advice
    assert "2 people wrote the mails and chats: Ann <ann@example.org> (2), Bob" in advice
    assert advice.endswith("--author 'Ann'")


@pytest.mark.parametrize("name", ["ann", "ANN@example.org", "Ann <ann@example.org>"])
def test_the_chosen_sender_is_kept(box: Path, name: str) -> None:
    corpus = read(box, authors=(name, "ann@example.org"))
    assert texts(corpus) == ["From here on I write.\n\nFrom the start.", "Again it is me."]
    assert "others wrote them" in whys(corpus)


def test_a_name_that_nobody_has_is_told(box: Path) -> None:
    (advice,) = read(box, authors=("Eve",)).report.advice
    assert "none is the one you named" in advice


IPHONE = """\
[31.12.23, 23:58:01] Ann: \u200eMessages are end-to-end encrypted.
[31.12.23, 23:58:09] Ann: Happy new
year, all!
\u200e[31.12.23, 23:59:00] Bob: \u200eimage omitted
[01.01.24, 00:01:12] Ann: And to you: Bob \u200e<This message was edited>
[01.01.24, 00:02:00] Bob: Thanks
"""
ANDROID = """\
12/31/23, 11:50 PM - Messages and calls are end-to-end encrypted. Tap to learn more.
12/31/23, 11:58 PM - Ann Lee: Happy new
year, all!
12/31/23, 11:59 PM - Bob: <Media omitted>
12/31/23, 11:59 PM - Ann Lee: IMG-2023.jpg (file attached)
1/1/24, 12:01 AM - Ann Lee: And to you: Bob
1/1/24, 12:02 AM - Bob: This message was deleted
1/1/24, 12:03 AM - Bob changed the group name
"""


@pytest.mark.parametrize("chat", [IPHONE, ANDROID])
def test_whatsapp_exports_give_days_of_one_person(tmp_path: Path, chat: str) -> None:
    (tmp_path / "chat.txt").write_text(chat)
    corpus = read(tmp_path, authors=("Ann",))
    assert texts(corpus) == ["Happy new\nyear, all!", "And to you: Bob"]
    dates = [document.date for document in corpus.documents]
    assert [date and date.strftime("%Y-%m-%d") for date in dates] == ["2023-12-31", "2024-01-01"]


@pytest.mark.parametrize(
    ("stamp", "year_month_day"),
    [
        ("[2024/01/15, 14:30:22]", (2024, 1, 15)),
        ("15/01/2024, 14:30 -", (2024, 1, 15)),
        ("1/15/24, 2:30\u202fPM -", (2024, 1, 15)),
        ("15.01.24, 14:30 -", (2024, 1, 15)),
        ("2024-01-15, 2:30 p. m. -", (2024, 1, 15)),
        ("[15.1.2024 klo 14.30.22]", (2024, 1, 15)),
        ("15-01-2024 14:30 -", (2024, 1, 15)),
        ("\u200e[15/01/24, 14:30:22]", (2024, 1, 15)),
        ("5/1/24 à 14:30 -", (2024, 1, 5)),
        ("5/1/24, 2:30 PM -", (2024, 5, 1)),
    ],
)
def test_dates_of_many_countries(
    tmp_path: Path, stamp: str, year_month_day: tuple[int, int, int]
) -> None:
    (tmp_path / "chat.txt").write_text(f"{stamp} Ann: One.\n{stamp} Ann: Two.\n")
    (document,) = read(tmp_path).documents
    assert document.text == "One.\nTwo."
    assert document.date is not None
    assert (document.date.year, document.date.month, document.date.day) == year_month_day


def test_day_and_month_are_told_by_the_order(tmp_path: Path) -> None:
    days = "".join(f"{month}/1/24, 10:00 - Ann: In month {month}.\n" for month in range(1, 9))
    (tmp_path / "chat.txt").write_text(days + "1/2/24, 10:00 - Ann: No.\n")
    months = [document.date and document.date.month for document in read(tmp_path).documents]
    assert months[:8] == [1] * 8  # eight days of January rather than a jump back


def test_prose_with_a_date_is_no_chat(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("On 12/31/23, 11:50 PM - we met.\nIt was fun: really.\n")
    assert texts(read(tmp_path)) == ["On 12/31/23, 11:50 PM - we met.\nIt was fun: really."]


TELEGRAM = {
    "name": "Bob", "type": "personal_chat", "id": 1,
    "messages": [
        {"type": "service", "date": "2024-01-01T09:00:00", "actor": "Bob", "text": ""},
        {"type": "message", "date": "2024-01-01T10:00:00", "from": "Ann", "text": "Hello"},
        {"type": "message", "date": "2024-01-01T10:01:00", "from": "Ann", "text": [
            "see ", {"type": "bold", "text": "this"}, {"type": "link", "text": "https://a.b/c"}]},
        {"type": "message", "date": "2024-01-01T10:02:00", "from": "Bob", "text": "No"},
        {"type": "message", "date": "2024-01-02T10:00:00", "from": "Ann", "text": "fwd",
         "forwarded_from": "Eve"},
        {"type": "message", "date": "2024-01-02T10:00:00", "from": "Ann", "photo": "x", "text": ""},
        {"type": "message", "date": "2024-01-02T11:00:00", "from": "Ann", "text": "Later"},
    ],
}  # fmt: skip


@pytest.mark.parametrize("whole", [False, True])
def test_telegram_exports_give_days_of_one_person(tmp_path: Path, whole: bool) -> None:
    export = {"about": "…", "chats": {"list": [TELEGRAM]}} if whole else TELEGRAM
    (tmp_path / "result.json").write_text(json.dumps(export, indent=1))
    corpus = read(tmp_path, authors=("Ann",))
    assert texts(corpus) == ["Hello\nsee this", "Later"]
    assert "forwarded" in whys(corpus)
