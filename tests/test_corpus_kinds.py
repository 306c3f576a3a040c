"""Every kind of file, made by the library that writes it: only the prose of one person is left."""

from __future__ import annotations

import io
import json
import mailbox
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path

import docx
import odfdo
import pypdf
import pytest
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

from training.corpus import Corpus, CorpusOptions, read_corpus
from training.corpus.mail import own_words
from training.corpus.markup import markdown_paragraphs, paragraphs_of_html, rst_paragraphs


def read(path: Path, **options: object) -> Corpus:
    return read_corpus([path], CorpusOptions(**options))  # type: ignore[arg-type]


def texts(corpus: Corpus) -> list[str]:
    return [document.text for document in corpus.documents]


def whys(corpus: Corpus) -> str:
    return "; ".join(left.why for left in corpus.report.left_out)


MARKDOWN = """---
title: A day
date: 2024-05-06
---
# Heading

Some *text* with `code` and
a [link](https://example.org).{{< shortcode >}}

> Quoted by somebody.

```python
print(1)
```

- one item
- ![picture](a.png)

| a | b |
|---|---|
| 1 | 2 |

<div>html</div>
"""


def test_markdown_keeps_paragraphs_and_items(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(MARKDOWN)
    corpus = read(tmp_path)
    assert texts(corpus) == ["Some text with code and a link.\n\none item"]
    assert corpus.documents[0].date == datetime(2024, 5, 6, tzinfo=UTC)


def test_indented_code_is_no_prose() -> None:
    assert markdown_paragraphs("Text.\n\n    code()\n\nMore.") == ["Text.", "More."]


RST = """
Title
=====

Some *text* with ``code`` and
a `link <https://example.org>`_.

    Quoted by somebody.

.. code-block:: python

   print(1)

.. unknown:: thing

* one item

.. include:: /etc/passwd

=====  =====
a      b
=====  =====

Text::

   literal
"""


def test_rst_keeps_paragraphs_and_items(capsys: pytest.CaptureFixture[str]) -> None:
    assert rst_paragraphs(RST) == ["Some text with code and a link.", "one item", "Text:"]
    assert capsys.readouterr() == ("", "")


HTML = """<!doctype html><html><head><title>T</title><style>p{}</style></head><body>
<nav>Home About</nav><article><h1>Heading</h1><time datetime="2023-01-02">then</time>
<p>Some <b>bold</b>&nbsp;text<br>on two lines.</p><ul><li>one item</li></ul><pre>code</pre>
<blockquote><p>Quoted.</p></blockquote><script>x()</script><table><tr><td>cell</td></tr></table>
</article><footer>All rights</footer></body></html>"""


def test_html_keeps_what_is_written_in_the_article(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(HTML)
    corpus = read(tmp_path)
    assert texts(corpus) == ["then\n\nSome bold text\non two lines.\n\none item"]
    assert corpus.documents[0].date == datetime(2023, 1, 2, tzinfo=UTC)


def test_a_page_without_an_article_is_read_whole() -> None:
    assert paragraphs_of_html("Bare <i>text</i><p>and a paragraph") == [
        "Bare text",
        "and a paragraph",
    ]
    assert paragraphs_of_html(" ") == []


def test_word_files(tmp_path: Path) -> None:
    word = docx.Document()
    word.core_properties.modified = datetime(2024, 2, 3)
    word.add_heading("Heading")
    word.add_paragraph("First paragraph.")
    word.add_paragraph("Quoted.", style="Quote")
    word.add_table(1, 1).cell(0, 0).text = "cell"
    word.add_paragraph("An item.", style="List Bullet")
    word.sections[0].header.paragraphs[0].text = "Page header"
    word.save(str(tmp_path / "a.docx"))
    corpus = read(tmp_path)
    assert texts(corpus) == ["First paragraph.\nAn item."]
    assert corpus.documents[0].date == datetime(2024, 2, 3, tzinfo=UTC)


def test_opendocument_files(tmp_path: Path) -> None:
    text = odfdo.Document("text")
    text.body.clear()
    table = odfdo.Table("T", width=1, height=1)
    table.set_value("A1", "cell")
    for part in (
        odfdo.Header(1, "Heading"), odfdo.Paragraph("First paragraph."), table,
        odfdo.List(["An item."]),
    ):  # fmt: skip
        text.body.append(part)
    text.save(tmp_path / "a.odt")
    assert texts(read(tmp_path)) == ["First paragraph.\nAn item."]


def pdf(pages: list[list[str]], password: str = "") -> bytes:
    """A PDF with these lines on its pages."""
    writer = pypdf.PdfWriter()
    font = DictionaryObject({
        NameObject("/Type"): NameObject("/Font"),
        NameObject("/Subtype"): NameObject("/Type1"),
        NameObject("/BaseFont"): NameObject("/Helvetica"),
    })  # fmt: skip
    for lines in pages:
        page = writer.add_blank_page(595, 842)
        shown = " ".join(f"({line}) Tj 0 -14 Td" for line in lines)
        stream = DecodedStreamObject()
        stream.set_data(f"BT /F1 11 Tf 50 800 Td {shown} ET".encode("latin-1"))
        page[NameObject("/Contents")] = writer._add_object(stream)
        page[NameObject("/Resources")] = DictionaryObject(
            {NameObject("/Font"): DictionaryObject({NameObject("/F1"): font})}
        )
    if password:
        writer.encrypt(password, algorithm="RC4-128")
    data = io.BytesIO()
    writer.write(data)
    return data.getvalue()


def test_pdf_lines_become_paragraphs_without_page_headers(tmp_path: Path) -> None:
    pages = [
        [
            "My novel", f"The {name} sentence runs over the end of its line, and it is hyphen-",
            "ated there. It ends here.", f"Then a new paragraph of page {name} begins, to go on.",
            f"Page {number}",
        ]
        for number, name in enumerate(["first", "second", "third"], 1)
    ]  # fmt: skip
    (tmp_path / "a.pdf").write_bytes(pdf(pages))
    (text,) = texts(read(tmp_path))
    assert text.split("\n")[0] == (
        "The first sentence runs over the end of its line, and it is hyphenated there. "
        "It ends here."
    )
    assert "My novel" not in text
    assert "Page 1" not in text


def test_pdfs_without_text_or_key_or_end_are_reported(tmp_path: Path) -> None:
    (tmp_path / "locked.pdf").write_bytes(pdf([["Text"]], password="tulip"))
    (tmp_path / "scan.pdf").write_bytes(pdf([[]]))
    (tmp_path / "cut.pdf").write_bytes(pdf([["Text"]])[:100])
    left = {Path(entry.what).name: entry.why for entry in read(tmp_path).report.left_out}
    assert "password" in left["locked.pdf"]
    assert "OCR" in left["scan.pdf"]
    assert "damaged" in left["cut.pdf"]


@pytest.mark.parametrize("suffix", [".docx", ".odt", ".pdf", ".eml", ".html", ".json"])
def test_rubbish_is_reported_whatever_it_is_called(tmp_path: Path, suffix: str) -> None:
    (tmp_path / f"a{suffix}").write_bytes(bytes(range(1, 200)) * 9)
    corpus = read(tmp_path)
    assert corpus.report.documents == 0
    assert len(corpus.report.left_out) == 1


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


def test_columns_of_tables(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text('date;Note\n2024-01-02;"Two\nlines; here"\n;Other\n')
    (tmp_path / "b.jsonl").write_text('{"note": "Third", "n": 1}\nrubbish\n')
    (tmp_path / "c.json").write_text('[\n {"n": 1, "note": "Fourth"}\n]')
    (tmp_path / "d.json").write_text('{\n "settings": {"note": "no"}\n}')
    corpus = read(tmp_path, column="note")
    assert texts(corpus) == ["Two\nlines; here", "Other", "Third", "Fourth"]
    assert "no exported chat and no table" in whys(corpus)
    assert corpus.documents[0].date == datetime(2024, 1, 2, tzinfo=UTC)
    assert "no JSON objects" in whys(corpus)


def test_a_column_must_be_chosen(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("id,note\n1,Hello\n")
    assert "choose with --column among id, note" in whys(read(tmp_path))
    assert "no column 'text'; choose" in whys(read(tmp_path, column="text"))
