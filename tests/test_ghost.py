from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QInputMethodEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from scripted_engine import ScriptedEngine

from app import theme
from app.editor import Editor
from app.ghost import fold, rest_after
from app.prediction import PredictionController
from app.settings import Settings
from app.window import Window

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytestqt.qtbot import QtBot

PIECES = ("yment", " of", " the", " invoice")
Key = Qt.Key
CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def editor(qtbot: QtBot) -> Editor:
    editor = Editor()
    qtbot.addWidget(editor)
    editor.resize(900, 600)
    editor.show()
    qtbot.waitExposed(editor)
    return editor


@pytest.fixture
def ghosted(editor: Editor) -> Editor:
    """An editor in which `Please send the pa` is typed and its end foreseen."""
    QTest.keyClicks(editor, "Please send the pa")
    editor.show_ghost(PIECES, editor.context())
    assert editor.ghost == PIECES
    return editor


def press(editor: Editor, key: Qt.Key, modifiers: Qt.KeyboardModifier | None = None) -> None:
    QTest.keyClick(editor, key, modifiers or Qt.KeyboardModifier.NoModifier)


def undo_steps(editor: Editor) -> list[str]:
    steps = []
    while editor.document().isUndoAvailable():
        editor.undo()
        steps.append(editor.text())
    return steps


@pytest.mark.parametrize(
    ("written", "rest"),
    [
        ("", PIECES),
        ("y", ("ment", *PIECES[1:])),
        ("yment", PIECES[1:]),
        ("yment o", ("f", " the", " invoice")),
        ("yment of the invoice", ()),
        ("yment of the invoices", ()),
        ("Y", ()),
        ("x", ()),
    ],
)
def test_what_is_written_leaves_the_rest(written: str, rest: tuple[str, ...]) -> None:
    assert rest_after(PIECES, written) == rest


def test_long_ghost_text_is_folded_at_words_or_elided(qtbot: QtBot) -> None:
    metrics = QFontMetricsF(theme.writing_font(14))
    room_px = metrics.horizontalAdvance("yment of")
    assert fold("yment of the invoice", metrics, [1_000.0]) == ["yment of the invoice"]
    assert fold("yment of the invoice", metrics, [room_px, 1_000.0]) == ["yment of", "the invoice"]
    assert fold("yment of the", metrics, [2.0, 1_000.0]) == ["", "yment of the"]
    (elided,) = fold("yment of the invoice", metrics, [room_px])
    assert elided.startswith("yment")
    assert elided.endswith("…")
    assert fold("invoice", metrics, [0.0]) in ([""], ["…"])


def test_ghost_text_is_seen_and_nowhere_in_the_document(qtbot: QtBot, editor: Editor) -> None:
    changes: list[None] = []
    QTest.keyClicks(editor, "the pa")
    before = editor.grab().toImage()
    editor.textChanged.connect(lambda: changes.append(None))
    revision = editor.document().revision()
    editor.show_ghost(PIECES, editor.context())
    assert editor.grab().toImage() != before
    assert editor.text() == editor.toPlainText() == "the pa"
    assert (changes, editor.document().revision()) == ([], revision)
    editor.set_ghost(())
    assert editor.grab().toImage() == before


def inked(image: QImage, paper: QColor, rows: range) -> list[int]:
    """The columns with anything but paper in these pixel rows."""
    return [
        x for x in range(image.width())
        if any(image.pixelColor(x, y) != paper for y in rows if y < image.height())
    ]  # fmt: skip


@pytest.mark.parametrize("following", ["", "\nnext paragraph"])
def test_ghost_text_at_the_edge_stays_in_the_column(
    qtbot: QtBot, editor: Editor, following: str
) -> None:
    editor.setPlainText(following)
    QTest.keyClicks(editor, "words " * 9 + "and then pa")
    blank = editor.viewport().grab().toImage()
    editor.show_ghost(("yment", *(" incomprehensible",) * 3), editor.context())
    lines = list(editor._ghost_lines())
    assert len(lines) == (1 if following else 2)
    assert lines[0][1].endswith("…") is bool(following)
    for baseline, text in lines:
        end = baseline.x() + QFontMetricsF(editor.font()).horizontalAdvance(text)
        assert end <= editor.viewport().width()
    changed = editor.viewport().grab().toImage()
    if following:  # the paragraph below is not written over
        top = editor.cursorRect().bottom() + 4
        assert blank.copy(0, top, 600, 100) == changed.copy(0, top, 600, 100)


def test_tab_takes_all_in_one_undo_step(ghosted: Editor) -> None:
    press(ghosted, Key.Key_Tab)
    assert ghosted.text() == "Please send the payment of the invoice "
    assert ghosted.ghost == ()
    assert undo_steps(ghosted)[:2] == ["Please send the pa", "Please send the "]


def test_punctuation_after_taking_all_removes_the_automatic_space(ghosted: Editor) -> None:
    press(ghosted, Key.Key_Tab)
    QTest.keyClicks(ghosted, ".")
    assert ghosted.text() == "Please send the payment of the invoice."


def test_control_right_takes_a_piece_and_keeps_the_rest(ghosted: Editor) -> None:
    for text, rest in (
        ("Please send the payment", PIECES[1:]),
        ("Please send the payment of", PIECES[2:]),
        ("Please send the payment of the", PIECES[3:]),
        ("Please send the payment of the invoice ", ()),
    ):
        press(ghosted, Key.Key_Right, CONTROL)
        assert (ghosted.text(), ghosted.ghost) == (text, rest)
    ghosted.undo()
    assert ghosted.text() == "Please send the payment of the"
    ghosted.undo()
    assert ghosted.text() == "Please send the payment of"
    assert ghosted.ghost == ()


def test_without_ghost_text_control_right_moves_by_a_word(editor: Editor) -> None:
    editor.setPlainText("one two three")
    press(editor, Key.Key_Right, CONTROL)
    assert (editor.text(), editor.textCursor().position()) == ("one two three", 4)


def test_a_space_after_the_caret_is_used(editor: Editor) -> None:
    editor.setPlainText(" ")
    QTest.keyClicks(editor, "the pa")
    editor.show_ghost(("yment",), editor.context())
    press(editor, Key.Key_Tab)
    assert (editor.text(), editor.textCursor().position()) == ("the payment ", 12)


def test_typing_through_trims_and_anything_else_removes(ghosted: Editor) -> None:
    images = []
    ghosted.painted.connect(lambda: images.append(ghosted.ghost))
    QTest.keyClicks(ghosted, "yme")
    assert ghosted.ghost == ("nt", *PIECES[1:])
    QTest.keyClicks(ghosted, "nt o")
    assert ghosted.ghost == ("f", *PIECES[2:])
    QApplication.processEvents()
    assert () not in images
    QTest.keyClicks(ghosted, "n")
    assert ghosted.ghost == ()


def test_a_word_from_the_bar_that_agrees_keeps_the_rest(ghosted: Editor) -> None:
    assert ghosted.take("payment", ghosted.context())
    assert (ghosted.text(), ghosted.ghost) == ("Please send the payment ", ("of", *PIECES[2:]))
    QTest.keyClicks(ghosted, " ")  # the space is there already
    assert ghosted.ghost == ("of", *PIECES[2:])


def test_a_word_from_the_bar_that_differs_removes_it(ghosted: Editor) -> None:
    assert ghosted.take("package", ghosted.context())
    assert ghosted.ghost == ()


def test_after_punctuation_the_space_comes_with_the_word(editor: Editor) -> None:
    QTest.keyClicks(editor, "Stop.")
    editor.show_ghost(("Then", " we"), editor.context())
    assert editor.ghost == (" Then", " we")
    press(editor, Key.Key_Tab)
    assert editor.text() == "Stop. Then we "


def leave(editor: Editor, how: str) -> None:
    if how == "select":
        cursor = editor.textCursor()
        cursor.setPosition(3, QTextCursor.MoveMode.KeepAnchor)
        editor.setTextCursor(cursor)
    elif how == "paste":
        QApplication.clipboard().setText("yment")
        editor.paste()
    elif how == "click":
        QTest.mouseClick(editor.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(3, 10))
    elif how == "compose":
        QApplication.sendEvent(editor, QInputMethodEvent("に", []))
    elif how == "undo":
        editor.undo()
    elif how == "Delete":
        editor.insertPlainText(" ")
        press(editor, Key.Key_Left)
        press(editor, Key.Key_Delete)
    else:
        press(editor, getattr(Key, f"Key_{how}"))


WAYS = ["Backspace", "Delete", "Left", "Home", "select", "paste", "click", "compose", "undo"]


@pytest.mark.parametrize("how", WAYS)
def test_ghost_text_goes_with_the_typing(ghosted: Editor, how: str) -> None:
    leave(ghosted, how)
    assert ghosted.ghost == ()
    if how in ("Left", "Home", "click", "select"):  # and does not wait for the caret to come back
        press(ghosted, Key.Key_End)
        assert ghosted.ghost == ()


@pytest.mark.parametrize("how", [way for way in WAYS if way != "compose"])
def test_it_stays_away_until_a_character_is_typed(editor: Editor, how: str) -> None:
    QTest.keyClicks(editor, "Please send the pa")
    leave(editor, how)
    press(editor, Key.Key_End)
    assert not editor.wants_ghost
    editor.show_ghost(PIECES, editor.context())
    assert editor.ghost == ()
    QTest.keyClicks(editor, "y")
    assert editor.wants_ghost


def test_redo_brings_no_ghost_text(editor: Editor) -> None:
    QTest.keyClicks(editor, "Please send the pa")
    editor.undo()
    editor.redo()
    assert editor.text() == "Please send the pa"
    assert not editor.wants_ghost


def test_none_while_an_input_method_composes(editor: Editor) -> None:
    QTest.keyClicks(editor, "Please send the pa")
    QApplication.sendEvent(editor, QInputMethodEvent("y", []))
    editor.show_ghost(PIECES, editor.context())
    assert editor.ghost == ()
    commit = QInputMethodEvent("", [])
    commit.setCommitString("y")
    QApplication.sendEvent(editor, commit)
    assert editor.wants_ghost


@pytest.mark.parametrize("text", ["|", "one |two", "one |, two", "line\n|"])
def test_only_at_the_end_of_what_is_written_in_a_line(editor: Editor, text: str) -> None:
    before, after = text.split("|")
    editor.setPlainText(after)
    for character in before:
        press(editor, Key.Key_Return if character == "\n" else Key(ord(character.upper())))
    assert not editor.wants_ghost


def test_a_screen_reader_is_told_once_typing_rests(qtbot: QtBot, ghosted: Editor) -> None:
    said: list[str] = []
    for letter in "yme":
        QTest.keyClicks(ghosted, letter)
        said.append(ghosted.accessibleDescription())
    assert said == ["", "", ""]
    expected = "Suggested: nt of the invoice. Tab takes it, Ctrl+Right one word."
    qtbot.waitUntil(lambda: ghosted.accessibleDescription() == expected, timeout=3_000)
    press(ghosted, Key.Key_Backspace)
    qtbot.waitUntil(lambda: ghosted.accessibleDescription() == "", timeout=3_000)


# In the window


@pytest.fixture
def engine() -> ScriptedEngine:
    engine = ScriptedEngine()
    engine.predictor.phrases = {
        "the pa": ("yment", " of", " it"),
        "the payment of it ": ("today",),
    }
    return engine


@pytest.fixture
def make(qtbot: QtBot, engine: ScriptedEngine) -> Callable[..., Window]:
    def make(settings: Settings | None = None) -> Window:
        window = Window(PredictionController(engine.load), settings or Settings())
        qtbot.addWidget(window, before_close_func=lambda w: w.editor.document().setModified(False))
        window.show()
        with qtbot.waitSignal(window.controller.ready):
            window.controller.load(Path("/models/scripted"))
        return window

    return make


@pytest.fixture
def window(qtbot: QtBot, make: Callable[..., Window]) -> Window:
    window = make()
    QTest.keyClicks(window.editor, "the pa")
    qtbot.waitUntil(lambda: window.editor.ghost == ("yment", " of", " it"))
    return window


def test_what_is_left_is_not_asked_for_again(
    qtbot: QtBot, window: Window, engine: ScriptedEngine
) -> None:
    asked = len(engine.predictor.asked_for_phrase)
    QTest.keyClicks(window.editor, "yment")
    press(window.editor, Key.Key_Right, CONTROL)
    assert window.editor.ghost == (" it",)
    qtbot.waitUntil(lambda: window.bar.offered_for == window.editor.context())
    qtbot.wait(30)
    assert window.editor.ghost == (" it",)
    assert len(engine.predictor.asked_for_phrase) == asked
    press(window.editor, Key.Key_Tab)
    qtbot.waitUntil(lambda: window.editor.ghost == ("today",))


def test_taking_all_adds_no_space_where_the_script_has_none(editor: Editor) -> None:
    QTest.keyClicks(editor, "the pa")
    editor.show_ghost(("今天",), editor.context())
    editor.take_ghost()
    assert editor.text() == "the pa今天"


def test_escape_hides_both_until_a_character_is_typed(
    qtbot: QtBot, window: Window, engine: ScriptedEngine
) -> None:
    press(window.editor, Key.Key_Escape)
    assert window.editor.ghost == ()
    assert window.bar.is_empty
    qtbot.wait(50)
    assert window.editor.ghost == ()
    assert window.editor.text() == "the pa"
    engine.predictor.phrases["the pay"] = ("ment",)
    QTest.keyClicks(window.editor, "y")
    qtbot.waitUntil(lambda: window.editor.ghost == ("ment",))


def test_a_phrase_that_comes_too_late_is_not_shown(
    qtbot: QtBot, make: Callable[..., Window], engine: ScriptedEngine
) -> None:
    window = make()
    engine.predictor.gate = threading.Event()
    QTest.keyClicks(window.editor, "the pa")
    press(window.editor, Key.Key_Left)
    engine.predictor.gate.set()
    qtbot.waitUntil(lambda: window.bar.offered_for == window.editor.context())
    assert window.editor.ghost == ()
    assert "the p" not in engine.predictor.asked_for_phrase


def test_ghost_text_can_be_switched_off_by_itself(
    qtbot: QtBot, make: Callable[..., Window], engine: ScriptedEngine
) -> None:
    window = make(Settings(ghost_shown=False))
    QTest.keyClicks(window.editor, "the pa")
    qtbot.waitUntil(lambda: window.bar.offered_for == window.editor.context())
    qtbot.wait(30)
    assert window.editor.ghost == ()
    assert engine.predictor.asked_for_phrase == []
    press(window.editor, Key.Key_Tab)
    assert window.editor.text() == "the paa "


def test_ghost_text_works_without_the_bar(
    qtbot: QtBot, make: Callable[..., Window], engine: ScriptedEngine
) -> None:
    window = make(Settings(suggestions_shown=False))
    QTest.keyClicks(window.editor, "the pa")
    qtbot.waitUntil(lambda: bool(window.editor.ghost))
    press(window.editor, Key.Key_Tab)
    assert window.editor.text() == "the payment of it "
