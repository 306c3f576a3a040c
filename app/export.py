"""A text on paper, as PDF and as HTML.  Markdown is set as it reads; plain text as it stands."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from PySide6.QtCore import QMarginsF, QSizeF
from PySide6.QtGui import (
    QFont,
    QPageLayout,
    QPageSize,
    QPdfWriter,
    QPen,
    QTextCursor,
    QTextDocument,
)

from app import theme
from app.atomic import replace_file

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtGui import QPagedPaintDevice

MARKDOWN = {".md", ".markdown", ".mdown", ".mkd"}
PRINTED_SIZE_PT = 11.0
MARGIN_MM = 24.0
BOLD_OUTLINE_EM = 0.022
PDF_DPI = 1200  # for sharp glyph positions; the glyphs themselves are outlines
LETTER_COUNTRIES = {"US", "CA", "MX", "PH", "CL", "CO"}
PRINTED = """
body { line-height: 145%; } h1 { font-size: 170%; } h2 { font-size: 135%; } h3 { font-size: 110%; }
h1, h2, h3 { font-weight: 600; margin-top: 18px; margin-bottom: 6px; }
p { margin-top: 0; margin-bottom: 8px; } blockquote p { -qt-block-indent: 1; color: #444; }
ul, ol { margin-top: 0; margin-bottom: 8px; } li { margin-left: 4px; }
code, pre { font-family: monospace; font-size: 90%; } a { color: black; }
table { border-collapse: collapse; } td, th { border: 1px solid #bbb; padding: 3px 8px; }
"""
SCREEN = """
body { max-width: 38em; margin: 3em auto; padding: 0 1.2em; font: 1.1em/1.55 "Source Serif 4",
  "Source Serif Pro", Charter, Georgia, serif; color: #262420; background: #fdfcfa; }
h1, h2, h3 { line-height: 1.2; font-weight: 600; margin: 1.6em 0 .5em; }
pre, code { font: .88em/1.45 ui-monospace, monospace; } pre { overflow-x: auto; }
blockquote { margin-left: 0; padding-left: 1.2em; border-left: 3px solid #e4e0d7; }
.plain { white-space: pre-wrap; overflow-wrap: anywhere; } a { color: #0b6b60; }
table { border-collapse: collapse; } td, th { border: 1px solid #cfcabf; padding: .3em .8em; }
@media (prefers-color-scheme: dark) { body { color: #dedbd4; background: #1c1d1f; }
  a { color: #74cbbb; } blockquote, td, th { border-color: #36393d; } }
"""


def is_markdown(path: Path | None) -> bool:
    """Whether a file is Markdown, by its name."""
    return path is not None and path.suffix.casefold() in MARKDOWN


def body_of(text: str, *, markdown: bool) -> str:
    """Return the text as HTML without head; HTML that it contains itself is shown, not run."""
    if not markdown:
        return f'<div class="plain">{html.escape(text, quote=False)}</div>\n'
    from markdown_it import MarkdownIt

    renderer = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    return str(renderer.render(text))


def to_html(text: str, title: str, *, markdown: bool) -> str:
    """Return a whole page that needs no other file."""
    body = body_of(text, markdown=markdown)
    return (
        f'<!doctype html>\n<html>\n<head>\n<meta charset="utf-8">\n<title>{html.escape(title)}'
        f"</title>\n<style>{SCREEN}</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
    )


def write_html(text: str, path: Path, title: str, *, markdown: bool) -> None:
    """Write the text as a page.

    Raises:
        OSError: the place cannot be written; what was there is untouched.
    """
    replace_file(path, to_html(text, title, markdown=markdown).encode())


def write_pdf(
    text: str, path: Path, title: str, *, markdown: bool, country: str = "", face: str = ""
) -> None:
    """Write the text as PDF, on the paper of a country (two letters): A4, or Letter.

    Raises:
        OSError: the place cannot be written; what was there is untouched.
    """
    sibling = path.with_name(f".{path.name}.part")
    sibling.touch()
    try:
        writer = QPdfWriter(str(sibling))
        writer.setResolution(PDF_DPI)
        writer.setTitle(title)
        writer.setCreator("Foretype")
        writer.setPageLayout(page_layout(country))
        print_text(text, writer, markdown=markdown, face=face)
        del writer  # closes the file
        replace_file(path, sibling.read_bytes())
    finally:
        sibling.unlink(missing_ok=True)


def page_layout(country: str) -> QPageLayout:
    """Return the usual paper of a country, upright, with wide margins."""
    name = QPageSize.PageSizeId.Letter if country in LETTER_COUNTRIES else QPageSize.PageSizeId.A4
    margins = QMarginsF(MARGIN_MM, MARGIN_MM, MARGIN_MM, MARGIN_MM)
    upright = QPageLayout.Orientation.Portrait
    return QPageLayout(QPageSize(name), upright, margins, QPageLayout.Unit.Millimeter)


def print_text(text: str, device: QPagedPaintDevice, *, markdown: bool, face: str = "") -> None:
    """Set the text on the pages of a device: a printer, its preview or a PDF."""
    document = QTextDocument()
    document.documentLayout().setPaintDevice(device)
    document.setDocumentMargin(0)
    document.setDefaultFont(theme.writing_font(PRINTED_SIZE_PT, face))
    document.setDefaultStyleSheet(PRINTED)
    if markdown:
        document.setHtml(f"<body>{body_of(text, markdown=True)}</body>")
    else:
        document.setPlainText(text)
    if not face:
        _embolden(document, device.logicalDpiX())
    page = device.pageLayout().paintRectPixels(device.logicalDpiX())
    document.setPageSize(QSizeF(page.size()))
    document.print_(device)


def _embolden(document: QTextDocument, dpi: int) -> None:
    """Draw bold words with an outline: the face that comes along has one weight only."""
    block = document.begin()
    while block.isValid():
        for fragment in [place.fragment() for place in block]:  # type: ignore[attr-defined]
            style = fragment.charFormat()
            if style.fontWeight() >= QFont.Weight.Bold:
                width_px = BOLD_OUTLINE_EM * style.font().pointSizeF() * dpi / 72
                style.setTextOutline(QPen(style.foreground().color(), width_px))
                cursor = QTextCursor(document)
                cursor.setPosition(fragment.position())
                end = fragment.position() + fragment.length()
                cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
                cursor.setCharFormat(style)
        block = block.next()
