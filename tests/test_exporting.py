"""Print, PDF and HTML; and focus mode, which is looks only."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QColor, QImage, QPageSize, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox
from windows import action, open_window

from app.export import body_of, is_markdown, page_layout, to_html, write_pdf

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from app.window import Window

pytestmark = pytest.mark.usefixtures("qapp")  # faces need it
MARKDOWN = """# A Title

Some *emphasis* & <b>no html</b>.

- one
- two

| a | b |
|---|---|
| 1 | 2 |
"""


@pytest.fixture
def window(qtbot: QtBot) -> Window:
    return open_window(qtbot)


def test_markdown_is_rendered_and_its_html_is_only_shown() -> None:
    body = body_of(MARKDOWN, markdown=True)
    for expected in ("<h1>A Title</h1>", "<em>emphasis</em> &amp;", "&lt;b&gt;", "<li>one</li>",
                     "<td>1</td>"):  # fmt: skip
        assert expected in body
    assert "<b>" not in body


def test_plain_text_keeps_its_spaces_and_lines() -> None:
    body = body_of("a  b\n\n<c> & d\n", markdown=False)
    assert body == '<div class="plain">a  b\n\n&lt;c&gt; &amp; d\n</div>\n'


@pytest.mark.parametrize(
    ("name", "expected"), [("a.md", True), ("A.Markdown", True), ("a.txt", False), ("md", False)]
)
def test_markdown_is_told_by_the_name(tmp_path: Path, name: str, expected: bool) -> None:
    assert is_markdown(tmp_path / name) is expected
    assert not is_markdown(None)


def test_the_page_names_its_encoding_and_title() -> None:
    page = to_html("é", "<Letter>", markdown=False)
    assert '<meta charset="utf-8">' in page
    assert "<title>&lt;Letter&gt;</title>" in page
    assert "http" not in page  # needs nothing from anywhere


def test_a_pdf_has_its_pages_and_its_paper(tmp_path: Path) -> None:
    for country, width_pt in (("DE", 595), ("US", 612)):
        path = tmp_path / f"{country}.pdf"
        write_pdf("A line of text.\n" * 300, path, "T", markdown=False, country=country)
        data = path.read_bytes()
        assert data.startswith(b"%PDF-")
        assert len(re.findall(rb"/Type\s*/Page\b", data)) >= 5
        box = re.search(rb"/MediaBox\s*\[\s*0\s+0\s+([\d.]+)", data)
        assert box
        assert abs(float(box[1]) - width_pt) < 1
    assert sorted(p.name for p in tmp_path.iterdir()) == ["DE.pdf", "US.pdf"]


def test_the_usual_paper_of_a_country() -> None:
    assert page_layout("US").pageSize().id() == QPageSize.PageSizeId.Letter
    assert page_layout("").pageSize().id() == QPageSize.PageSizeId.A4


def test_exporting_from_the_menu(
    window: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "letter.md"
    source.write_text(MARKDOWN)
    window.filing.open_path(source)
    asked: list[str] = []

    def choose(_: object, title: str, suggestion: str, *__: object) -> tuple[str, str]:
        asked.append(suggestion)
        return suggestion, ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", choose)
    action(window, "export-as-html").trigger()
    action(window, "export-as-pdf").trigger()
    assert asked == [str(tmp_path / "letter.html"), str(tmp_path / "letter.pdf")]
    assert "<h1>A Title</h1>" in (tmp_path / "letter.html").read_text()
    assert (tmp_path / "letter.pdf").read_bytes().startswith(b"%PDF-")
    assert window.status.said == f"Written: {tmp_path / 'letter.pdf'}"
    assert source.read_text() == MARKDOWN


def test_a_place_that_cannot_be_written_is_explained(
    window: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(QMessageBox, "warning", lambda *args: said.append(args[2]))
    monkeypatch.setattr(
        QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "absent" / "a.pdf"), "")
    )
    action(window, "export-as-pdf").trigger()
    assert "Could not write" in said[0]
    assert "Try another place" in said[0]


def darkest(window: Window, line: int) -> int:
    """How dark the ink of a line is on the screen; 255 is white."""
    image: QImage = window.editor.viewport().grab().toImage()
    block = window.editor.document().findBlockByNumber(line)
    area = window.editor.blockBoundingGeometry(block).translated(window.editor.contentOffset())
    rows = range(max(0, int(area.top())), int(area.bottom()))
    ratio = image.devicePixelRatio()
    return min(
        QColor(image.pixel(int(x * ratio), int(y * ratio))).lightness()
        for y in rows
        for x in range(0, 120)
    )


def test_focus_mode_veils_the_other_paragraphs_and_holds_the_caret(window: Window) -> None:
    window.change(theme="light")
    window.editor.setPlainText("\n".join(f"Paragraph {n} of the text." for n in range(60)))
    cursor = QTextCursor(window.editor.document().findBlockByNumber(30))
    window.editor.setTextCursor(cursor)
    window.editor.centerCursor()
    assert darkest(window, 29) < 80
    action(window, "focus-mode").trigger()
    QApplication.processEvents()
    height = window.editor.cursorRect().center().y()
    assert abs(height - window.editor.viewport().height() / 2) < 40
    assert darkest(window, 30) < 80
    assert darkest(window, 29) > 120
    assert darkest(window, 31) > 120
    QTest.keyClicks(window.editor, "x")
    window.editor.moveCursor(QTextCursor.MoveOperation.End)
    QApplication.processEvents()
    assert abs(window.editor.cursorRect().center().y() - height) < 40  # typewriter
    assert window.editor.text().count("\n") == 59
    action(window, "focus-mode").trigger()
    QApplication.processEvents()
    assert darkest(window, 58) < 80
    window.change(theme="system")
