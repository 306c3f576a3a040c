"""Every kind of file, made by the library that writes it: only the prose of one person is left."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from pathlib import Path

import docx
import odfdo
import pypdf
import pytest
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

from training.corpus import Corpus, CorpusOptions, read_corpus
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
