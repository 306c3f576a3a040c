"""Markdown: what its signs mean, line by line, and how that is shown in a whole window."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QTextCursor, QTextFormat
from PySide6.QtTest import QTest
from windows import open_window

from app import theme
from app.markdown import CODE_SHARE, EDITION, NAME
from app.markdown_marks import TILDE, Look, spans, state_after

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from app.window import Window

Q, S, E, C, X = Look.QUIET, Look.STRONG, Look.EMPHASIS, Look.CODE, Look.STRUCK


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("plain 2 * 3 * 4 text, snake_case_name", []),
        ("# Head *it*", [("#", Q | S), (" Head ", S), ("*", Q | S), ("it", S | E), ("*", Q | S)]),
        ("#hashtag", []),
        ("a **b** c", [("**", Q), ("b", S), ("**", Q)]),
        ("a *b* _c_", [("*", Q), ("b", E), ("*", Q), ("_", Q), ("c", E), ("_", Q)]),
        ("***both***", [("**", Q), ("*", Q | S), ("both", S | E), ("*", Q | S), ("**", Q)]),
        ("*a **b** c*", [("*", Q), ("a ", E), ("**", Q | E), ("b", S | E), ("**", Q | E),
                         (" c", E), ("*", Q)]),
        ("`a *b* c`", [("`", Q), ("a *b* c", C), ("`", Q)]),
        ("``a ` b``", [("``", Q), ("a ` b", C), ("``", Q)]),
        (r"\*not\* \`so\`", []),
        ("[text](https://a.b/c)", [("[", Q), ("](https://a.b/c)", Q)]),
        ("[*text*][ref]", [("[", Q), ("*", Q), ("text", E), ("*", Q), ("][ref]", Q)]),
        ("<https://a.b>", [("<https://a.b>", Q)]),
        ("- [x] done", [("- [x]", Q)]),
        ("  12. twelfth", [("  12.", Q)]),
        ("> > said", [("> > ", Q)]),
        ("---", [("---", Q)]),
        ("~~no~~ yes", [("~~", Q), ("no", X), ("~~", Q)]),
        ("```python", [("```python", Q)]),
        ("unfinished **bold and `code", []),
    ],
)  # fmt: skip
def test_what_the_signs_mean(line: str, expected: list[tuple[str, Look]]) -> None:
    assert [(line[start:end], look) for start, end, look in spans(line, 0)] == expected


def test_a_fence_reaches_to_one_like_it() -> None:
    states, state = [], 0
    for line in ("````md", "# no head", "```", "~~~~", "````", "~~~", "```", "~~~", "text"):
        state = state_after(line, state)
        states.append(state)
    assert states == [4, 4, 4, 4, 0, TILDE + 3, TILDE + 3, 0, 0]
    assert spans("# no *head*", 4) == ((0, 11, C),)
    assert spans("````", 4) == ((0, 4, Q),)
    assert spans("text", 4) == ((0, 4, C),)


@given(st.text(alphabet="*_`~#>[]()!\\- \n1.a😀", max_size=60), st.sampled_from([0, 3, TILDE + 4]))
def test_spans_are_in_order_and_apart(line: str, state: int) -> None:
    end = 0
    for start, stop, look in spans(line, state):
        assert end <= start < stop <= len(line)
        assert look
        end = stop


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Window:
    """A window with a Markdown file of many lines."""
    path = tmp_path / "notes.md"
    path.write_text("# Head\n\n" + "a *word* 😀 **bold**\n" * 3_000)
    window = open_window(qtbot)
    window.filing.open_path(path)
    window.resize(900, 600)
    return window


def looks(window: Window, line: int) -> list[tuple[str, Look]]:
    block = window.editor.document().findBlockByNumber(line)
    units = block.text().encode("utf-16-le")
    return [
        (units[2 * one.start : 2 * (one.start + one.length)].decode("utf-16-le"),
         Look(one.format.intProperty(NAME) % EDITION))
        for one in block.layout().formats()
    ]  # fmt: skip


WORDS = [("*", Q), ("word", E), ("*", Q), ("**", Q), ("bold", S), ("**", Q)]


def test_what_is_seen_looks_so_and_nothing_is_changed(window: Window) -> None:
    assert looks(window, 0) == [("#", Q | S), (" Head", S)]
    assert looks(window, 2) == WORDS
    assert looks(window, 2_000) == []  # not seen yet
    bar = window.editor.verticalScrollBar()
    bar.setValue(bar.maximum())
    assert looks(window, 2_999) == WORDS
    document = window.editor.document()
    assert not document.isModified()
    assert not document.isUndoAvailable()


def test_typing_changes_the_looks_at_once(window: Window) -> None:
    cursor = window.editor.textCursor()
    cursor.movePosition(QTextCursor.MoveOperation.Start)
    window.editor.setTextCursor(cursor)
    QTest.keyClicks(window.editor, "x")
    assert looks(window, 0) == []
    window.editor.undo()
    assert looks(window, 0) == [("#", Q | S), (" Head", S)]


def test_a_fence_changes_all_lines_below_it_until_it_is_closed(
    qtbot: QtBot, window: Window
) -> None:
    bar = window.editor.verticalScrollBar()
    bar.setValue(bar.maximum())
    qtbot.waitUntil(lambda: not window.markdown._later.isActive())
    bar.setValue(0)
    cursor = window.editor.textCursor()
    cursor.setPosition(window.editor.document().findBlockByNumber(1).position())
    cursor.insertText("```")
    assert looks(window, 1) == [("```", Q)]
    assert looks(window, 2) == [("a *word* 😀 **bold**", C)]
    bar.setValue(bar.maximum())
    qtbot.waitUntil(lambda: looks(window, 2_999) == [("a *word* 😀 **bold**", C)])
    window.editor.undo()
    bar.setValue(bar.maximum())
    qtbot.waitUntil(lambda: looks(window, 2_999) == WORDS)
    bar.setValue(0)
    assert looks(window, 2) == WORDS


@given(data=st.data())
def test_states_are_those_of_the_text_whatever_was_done_to_it(data: st.DataObject) -> None:
    from PySide6.QtWidgets import QApplication

    from app.editor import Editor
    from app.markdown import Markdown

    _ = QApplication.instance() or QApplication([])
    editor = Editor()
    editor.resize(600, 2_000)
    markdown = Markdown(editor)
    editor.setPlainText("a\n```\nb\n```\nc\n~~~\nd")
    markdown.turn(True)
    lines = st.sampled_from(["", "```", "~~~", "```py", "x", "\n", "\n```\n"])
    for _ in range(data.draw(st.integers(1, 6))):
        cursor = editor.textCursor()
        last = editor.document().characterCount() - 1
        cursor.setPosition(data.draw(st.integers(0, last)))
        cursor.setPosition(data.draw(st.integers(0, last)), QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(data.draw(lines))
    markdown._go_on()
    state, block = 0, editor.document().firstBlock()
    assert markdown._valid == editor.document().blockCount()
    for line in editor.text().split("\n"):
        state = state_after(line, state)
        assert block.userState() == state
        block = block.next()
    editor.deleteLater()


def test_only_markdown_files_and_only_if_wanted(window: Window, tmp_path: Path) -> None:
    window.change(markdown_shown=False)
    assert looks(window, 0) == looks(window, 2) == []
    window.change(markdown_shown=True)
    assert looks(window, 2) == WORDS
    plain = tmp_path / "notes.txt"
    plain.write_text("# Head\n")
    window.filing.open_path(plain)
    assert looks(window, 0) == []


def colour(window: Window, line: int) -> str:
    block = window.editor.document().findBlockByNumber(line)
    first = block.layout().formats()[0]
    return first.format.foreground().color().name()


def test_the_signs_follow_the_theme_even_where_they_are_not_seen(window: Window) -> None:
    bar = window.editor.verticalScrollBar()
    for name in ("dark", "light"):
        bar.setValue(bar.maximum())
        bar.setValue(0)
        window.change(theme=name)
        assert colour(window, 0) == theme.current().quiet
        bar.setValue(bar.maximum())
        assert colour(window, 2_999) == theme.current().quiet
    window.change(theme="system")


def test_over_the_heat_map_the_signs_are_as_dark_as_the_words(window: Window) -> None:
    window.change(heat_shown=True)
    first = window.editor.document().firstBlock().layout().formats()[0]
    assert not first.format.hasProperty(QTextFormat.Property.ForegroundBrush)


def test_code_follows_the_size_of_the_text(qtbot: QtBot, window: Window) -> None:
    cursor = window.editor.textCursor()
    cursor.movePosition(QTextCursor.MoveOperation.Start)
    cursor.insertText("`code`\n")
    window.zoom(1)

    def size() -> float:
        code = window.editor.document().firstBlock().layout().formats()[1]
        return float(code.format.fontPointSize())

    qtbot.waitUntil(lambda: size() == CODE_SHARE * window.settings.text_size_pt)


def test_a_text_becomes_markdown_when_it_is_saved_as_such(window: Window, tmp_path: Path) -> None:
    plain = tmp_path / "notes.txt"
    plain.write_text("# Head\n")
    window.filing.open_path(plain)
    sheet = window.desk.current
    sheet.saved(sheet.file.save(sheet.paper.text(), tmp_path / "new.md"))
    assert looks(window, 0) == [("#", Q | S), (" Head", S)]
