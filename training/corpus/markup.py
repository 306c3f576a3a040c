"""Markdown, reStructuredText and HTML → paragraphs and list items: the prose, and only that.

Headings, quotations, code, tables, notes and pictures are left out; of links the text stays.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from training.corpus.dates import date_in_name, date_of
from training.corpus.decoding import decode, read_whole
from training.corpus.document import CorpusOptions, Document, Tally

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from training.corpus.files import Source

_FRONT_MATTER = re.compile(r"\A\ufeff?(---|\+\+\+)[ \t]*\n(.*?)\n\1[ \t]*(?:\n|\Z)", re.DOTALL)
_DATE_FIELD = re.compile(
    r"^(?:date|published|created)\s*[:=]\s*(.+)$", re.MULTILINE | re.IGNORECASE
)
_TEMPLATE_TAG = re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)
_BLANKS = re.compile(r"\s+")

Paragraphs = list[str]
MARKDOWN_SKIPS = {"blockquote_open", "table_open", "heading_open"}
RST_SKIPS = {
    "block_quote", "table", "literal_block", "doctest_block", "comment", "footnote", "citation",
    "system_message", "sidebar", "topic", "docinfo", "title", "subtitle", "raw", "figure",
    "math_block",
}  # fmt: skip
HTML_SKIPS = {
    "script", "style", "template", "noscript", "nav", "header", "footer", "aside", "form", "button",
    "table", "pre", "blockquote", "figure", "svg", "math", "select", "iframe", "head",
    "h1", "h2", "h3", "h4", "h5", "h6",
}  # fmt: skip
HTML_INLINE = {
    "a", "abbr", "b", "bdi", "bdo", "cite", "code", "del", "em", "font", "i", "ins", "kbd", "mark",
    "q", "s", "samp", "small", "span", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr",
}  # fmt: skip


def read_markdown(source: Source, _options: CorpusOptions, _tally: Tally) -> Iterator[Document]:
    """The prose of a Markdown file, dated by its front matter or its name."""
    text, date = _front_matter(decode(read_whole(source)))
    yield _document(source, markdown_paragraphs(_TEMPLATE_TAG.sub("", text)), date)


def read_rst(source: Source, _options: CorpusOptions, _tally: Tally) -> Iterator[Document]:
    """The prose of a reStructuredText file."""
    yield _document(source, rst_paragraphs(decode(read_whole(source))), None)


def read_html(source: Source, _options: CorpusOptions, _tally: Tally) -> Iterator[Document]:
    """The prose of a page: of its article or main part, if it has one."""
    import lxml.html

    page = lxml.html.fromstring(decode(read_whole(source)).encode(), parser=_parser())
    stamps = page.xpath(
        "//time/@datetime | //meta[@property='article:published_time' or @name='date']/@content"
    )
    yield _document(source, html_paragraphs(page), date_of(stamps[0]) if stamps else None)


def markdown_paragraphs(text: str) -> Paragraphs:
    """Paragraphs and list items of CommonMark with tables."""
    from markdown_it import MarkdownIt

    paragraphs, skipped = [], 0
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        if token.type in MARKDOWN_SKIPS:
            skipped += 1
        elif token.type.replace("_close", "_open") in MARKDOWN_SKIPS:
            skipped -= 1
        elif token.type == "inline" and not skipped:
            paragraphs.append("".join(map(_inline, token.children or [])))
    return paragraphs


def _inline(token: Any) -> str:
    if token.type in ("text", "code_inline"):
        return str(token.content)
    return {"softbreak": " ", "hardbreak": "\n"}.get(token.type, "")


def rst_paragraphs(text: str) -> Paragraphs:
    """Paragraphs and list items; nothing is included from other files."""
    from docutils.core import publish_doctree

    settings = {
        "report_level": 5, "halt_level": 5, "file_insertion_enabled": False, "raw_enabled": False,
        "_disable_config": True, "smart_quotes": False,
    }  # fmt: skip
    return list(_rst_nodes(publish_doctree(text, settings_overrides=settings)))


def _rst_nodes(node: Any) -> Iterator[str]:
    if node.tagname in RST_SKIPS:
        return
    if node.tagname == "paragraph":
        yield _BLANKS.sub(" ", node.astext())
        return
    for child in node.children:
        yield from _rst_nodes(child)


def html_paragraphs(page: Any) -> Paragraphs:
    """What stands between the borders of blocks in an lxml element."""
    parts = page.xpath("//article | //main") or [page]
    blocks: Paragraphs = []
    for part in parts:
        if not any(ancestor in parts for ancestor in part.iterancestors()):
            blocks += "".join(_html_texts(part)).split("\0")
    return [line for block in blocks if (line := _html_lines(block))]


def _html_texts(element: Any) -> Iterator[str]:
    """Text without mark-up; blocks begin and end with a zero, line breaks are a form feed."""
    if isinstance(element.tag, str) and element.tag not in HTML_SKIPS:
        border = "" if element.tag in HTML_INLINE else "\0"
        if element.tag == "br":
            border = "\f"
        yield border
        yield element.text or ""
        for child in element:
            yield from _html_texts(child)
        yield border if border == "\0" else ""
    yield element.tail or ""


def _html_lines(block: str) -> str:
    lines = (_BLANKS.sub(" ", line).strip() for line in block.split("\f"))
    return "\n".join(lines).strip()


def paragraphs_of_html(html: str) -> Paragraphs:
    """The prose of a piece of HTML, such as the body of a mail."""
    import lxml.html

    if not html.strip():
        return []
    return html_paragraphs(lxml.html.fromstring(html.encode(), parser=_parser()))


def _parser() -> Any:
    import lxml.html

    return lxml.html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)


def _front_matter(text: str) -> tuple[str, datetime | None]:
    """The text below the front matter, and the date in it."""
    match = _FRONT_MATTER.match(text)
    if not match:
        return text, None
    field = _DATE_FIELD.search(match[2])
    return text[match.end() :], date_of(field[1]) if field else None


def _document(source: Source, paragraphs: Paragraphs, date: datetime | None) -> Document:
    text = "\n\n".join(part for part in (p.strip() for p in paragraphs) if part)
    date = date or date_in_name(source.path.name)
    return Document(text, source.name, date, str(source.path.parent))
