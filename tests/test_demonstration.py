"""The demonstration over a real window, a real thread and a tiny real model."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QAbstractAnimation, QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from app import demonstration_words as words
from app.demonstration_tree import KeylessArea, arrange
from app.prediction import PredictionController
from app.settings import Settings
from app.token_text import visible
from app.window import Window
from model.generation import TEXT
from model.generation_moment import Step

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytestqt.qtbot import QtBot

    from app.demonstration import Demonstration
    from model.bundle import Bundle
    from model.generation_moment import Moment
    from training.export import Precision

Key = Qt.Key
BEFORE = "the hand and the"


@pytest.fixture
def window(qtbot: QtBot, bundle_of: Callable[[str, Precision], Bundle]) -> Window:
    """A window with a tiny model at work and a few words in it, the caret after them."""
    window = Window(PredictionController(), Settings())
    qtbot.addWidget(window, before_close_func=lambda w: w.editor.document().setModified(False))
    window.resize(1080, 760)
    window.show()
    with qtbot.waitSignal(window.controller.ready, timeout=30_000):
        window.controller.load(bundle_of("llama", "int8").folder)
    window.editor.insertPlainText(BEFORE)
    return window


@pytest.fixture
def demonstration(qtbot: QtBot, window: Window) -> Demonstration:
    window.teaching.toggle()
    found = window.teaching.demonstration
    settle(qtbot, found)
    return found


def settle(qtbot: QtBot, demonstration: Demonstration) -> None:
    """Wait until there is an answer to everything that was asked."""
    qtbot.waitUntil(
        lambda: demonstration._scene is not None and not demonstration._link.is_waiting,
        timeout=20_000,
    )


def press(qtbot: QtBot, demonstration: Demonstration, *keys: Qt.Key) -> Moment:
    for key in keys:
        QTest.keyClick(demonstration.window().focusWidget(), key)
        settle(qtbot, demonstration)
    assert demonstration._scene is not None
    return demonstration._scene.moment


def test_nothing_is_taken_into_a_text_that_is_covered(qtbot: QtBot, window: Window) -> None:
    qtbot.waitUntil(lambda: window.editor.offers_words, timeout=20_000)
    demonstration = window.teaching.demonstration
    demonstration.begin()
    settle(qtbot, demonstration)
    for place in range(5):
        window.suggesting.take(place)
    assert window.editor.text() == BEFORE
    assert demonstration.is_on
    window.editor.insertPlainText(" h")  # such as by Ctrl+V: shown, but nothing is offered for it
    settle(qtbot, demonstration)
    assert not window.editor.offers_words
    demonstration.end()
    qtbot.waitUntil(lambda: window.editor.offers_words, timeout=20_000)


def test_text_is_never_shown_as_generated(qtbot: QtBot, demonstration: Demonstration) -> None:
    press(qtbot, demonstration, Key.Key_Right, Key.Key_Right)
    demonstration.end()
    demonstration.begin()
    settle(qtbot, demonstration)
    cursor = demonstration.page.textCursor()
    cursor.setPosition(len(BEFORE) - 1)
    assert cursor.charFormat().underlineStyle() == cursor.charFormat().UnderlineStyle.NoUnderline


def test_one_press_draws_and_the_next_adds(qtbot: QtBot, demonstration: Demonstration) -> None:
    drawn = press(qtbot, demonstration, Key.Key_Right)
    assert drawn.path == ()
    assert drawn.next is not None
    assert f"{drawn.draw:.4f} falls on" in demonstration.narration.text()
    assert f"falls on “{visible(drawn.next.piece)}”." in demonstration.narration.text()
    assert demonstration.forward.text().startswith("Add")
    added = press(qtbot, demonstration, Key.Key_Right)
    assert [step.token for step in added.path] == [drawn.next.token]
    assert demonstration.forward.text() == "Draw"
    assert demonstration.cache_bar.value() == drawn.cache.tokens + 1


def test_back_undoes_one_press(qtbot: QtBot, demonstration: Demonstration) -> None:
    right, left = Key.Key_Right, Key.Key_Left
    after_one = press(qtbot, demonstration, right, right)
    press(qtbot, demonstration, right, left)
    assert not demonstration._is_drawn
    back = press(qtbot, demonstration, left)
    assert back.path == ()
    assert demonstration._is_drawn
    again = press(qtbot, demonstration, right)
    assert again.path == after_one.path


def test_the_text_is_untouched_until_accepted_and_then_one_undo_away(
    qtbot: QtBot, window: Window, demonstration: Demonstration
) -> None:
    moment = press(qtbot, demonstration, *[Key.Key_Right] * 6)
    assert window.editor.text() == BEFORE
    assert BEFORE + moment.text == demonstration.page.paper.text()
    QTest.keyClick(demonstration.bars, Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert window.editor.text() == BEFORE + moment.text
    assert not demonstration.is_on
    assert window.editor.hasFocus() or window.focusWidget() is window.editor
    window.editor.undo()
    assert window.editor.text() == BEFORE


def test_discarding_leaves_nothing_to_undo(
    qtbot: QtBot, window: Window, demonstration: Demonstration
) -> None:
    revision = window.editor.document().revision()
    press(qtbot, demonstration, *[Key.Key_Right] * 4)
    QTest.keyClick(demonstration.bars, Key.Key_Escape)
    assert not demonstration.is_on
    assert window.editor.document().revision() == revision


def test_what_is_selected_survives_accepting(qtbot: QtBot, window: Window) -> None:
    window.editor.selectAll()
    window.teaching.toggle()
    demonstration = window.teaching.demonstration
    settle(qtbot, demonstration)
    moment = press(qtbot, demonstration, Key.Key_Right, Key.Key_Right)
    demonstration.take_over()
    assert window.editor.text() == BEFORE + moment.text


def test_no_key_reaches_the_text_under_the_demonstration(
    window: Window, demonstration: Demonstration
) -> None:
    for widget in (demonstration.bars, demonstration.tree, demonstration.page):
        widget.setFocus()
        QTest.keyClicks(widget, "xyz")
        QTest.keyClick(widget, Key.Key_Backspace)
    assert window.editor.text() == BEFORE


def test_enter_takes_the_token_that_the_arrows_point_at(
    qtbot: QtBot, demonstration: Demonstration
) -> None:
    third = press(qtbot, demonstration, Key.Key_Down, Key.Key_Down).options[2]
    chosen = press(qtbot, demonstration, Key.Key_Return)
    assert chosen.path[0].token == third.token
    assert chosen.path[0].how == "chosen"


def test_a_click_takes_the_token_under_the_mouse(
    qtbot: QtBot, demonstration: Demonstration
) -> None:
    bars = demonstration.bars
    second = press(qtbot, demonstration).options[1]
    y_px = round(22 + 1.5 * bars._row_px())
    QTest.mouseClick(bars, Qt.MouseButton.LeftButton, pos=QPoint(40, y_px))
    settle(qtbot, demonstration)
    assert press(qtbot, demonstration).path[0].token == second.token


def test_the_tree_leads_back_to_a_branch_that_was_left(
    qtbot: QtBot, demonstration: Demonstration
) -> None:
    right, left = Key.Key_Right, Key.Key_Left
    first = press(qtbot, demonstration, right, right, right, right)
    press(qtbot, demonstration, left, left, left, Key.Key_Down)
    other = press(qtbot, demonstration, Key.Key_Return)
    assert len(other.steps) == 3
    place = demonstration.tree.cell_rect(first.here).center().toPoint()
    QTest.mouseClick(demonstration.tree, Qt.MouseButton.LeftButton, pos=place)
    settle(qtbot, demonstration)
    assert press(qtbot, demonstration).path == first.path
    demonstration.tree.setFocus()
    press(qtbot, demonstration, left, left)
    root = press(qtbot, demonstration, Key.Key_Return)
    assert root.here == TEXT


def test_the_same_seed_writes_the_same_text_and_another_seed_another(
    qtbot: QtBot, demonstration: Demonstration
) -> None:
    def written(seed: int) -> str:
        demonstration.controls._seed.setValue(seed)
        demonstration.go_to(TEXT)
        settle(qtbot, demonstration)
        demonstration._show_drawn(False)
        return press(qtbot, demonstration, *[Key.Key_Right] * 12).text

    assert written(5) == written(5) != written(6)


def test_playing_writes_by_itself_until_it_is_paused(
    qtbot: QtBot, demonstration: Demonstration
) -> None:
    demonstration.speed.setValue(demonstration.speed.maximum())
    QTest.keyClick(demonstration.bars, Key.Key_Space)
    assert demonstration.play.text() == "Pause"
    qtbot.waitUntil(lambda: len(demonstration._scene.moment.path) >= 3, timeout=20_000)
    QTest.keyClick(demonstration.bars, Key.Key_Space)
    assert demonstration.play.text() == "Play"
    assert not demonstration._next_phase.isActive()


def test_temperature_changes_what_the_same_number_falls_on(
    qtbot: QtBot, demonstration: Demonstration
) -> None:
    drawn = press(qtbot, demonstration, Key.Key_Right)
    controls = demonstration.controls
    controls._temperature.setValue(0)
    qtbot.waitUntil(lambda: demonstration._scene.moment.draw is None, timeout=20_000)
    greedy = demonstration._scene.moment
    assert greedy.next == greedy.options[0]
    assert "No number is drawn" in demonstration.interval.text()
    controls._temperature.setValue(0.8)
    qtbot.waitUntil(lambda: demonstration._scene.moment.draw == drawn.draw, timeout=20_000)
    assert demonstration._scene.moment.next == drawn.next


def test_greedy_runs_beside_and_is_as_long(qtbot: QtBot, demonstration: Demonstration) -> None:
    demonstration.beside.setChecked(True)
    press(qtbot, demonstration, *[Key.Key_Right] * 6)
    scene = demonstration._scene
    assert scene.greedy is not None
    assert len(scene.greedy.path) == 3
    assert {step.how for step in scene.greedy.path} == {"likeliest"}
    assert demonstration.greedy_page.paper.text() == BEFORE + scene.greedy.text
    press(qtbot, demonstration, Key.Key_Left, Key.Key_Left)
    assert len(demonstration._scene.greedy.path) == 2


def test_another_text_under_it_begins_it_again(
    qtbot: QtBot, window: Window, demonstration: Demonstration
) -> None:
    press(qtbot, demonstration, Key.Key_Right, Key.Key_Right)
    window.editor.undo()
    settle(qtbot, demonstration)
    assert press(qtbot, demonstration).path == ()
    assert demonstration.page.paper.text() == window.editor.text()


def test_another_tab_ends_it(window: Window, demonstration: Demonstration) -> None:
    window.desk.new()
    assert not demonstration.is_on
    window.desk.turn_by(1)
    assert window.editor.text() == BEFORE


def test_without_a_model_it_says_what_to_do(qtbot: QtBot) -> None:
    window = Window(PredictionController(), Settings())
    qtbot.addWidget(window)
    window.show()
    window.teaching.toggle()
    assert "Model menu" in window.teaching.demonstration.narration.text()
    QTest.keyClick(window.teaching.demonstration.bars, Key.Key_Right)
    window.teaching.toggle()


def test_escape_leaves_a_field_before_it_leaves_the_demonstration(
    demonstration: Demonstration,
) -> None:
    box = demonstration.controls._top_k
    box.setFocus()
    QTest.keyClick(box, Key.Key_Escape)
    assert demonstration.is_on
    assert demonstration.bars.hasFocus()
    QTest.keyClick(demonstration.bars, Key.Key_Escape)
    assert not demonstration.is_on


def test_letters_are_keys_too(qtbot: QtBot, demonstration: Demonstration) -> None:
    QTest.keyClick(demonstration.bars, Key.Key_G)
    assert demonstration.beside.isChecked()
    before = demonstration.controls.seed
    QTest.keyClick(demonstration.bars, Key.Key_N)
    assert demonstration.controls.seed != before
    settle(qtbot, demonstration)


def test_everything_has_a_name_for_a_screen_reader(
    qtbot: QtBot, demonstration: Demonstration
) -> None:
    press(qtbot, demonstration, Key.Key_Right)
    bars = demonstration.bars
    assert bars.accessibleDescription().count(";") == 9
    assert ", drawn" in bars.accessibleDescription()
    for widget in (bars, demonstration.tree, demonstration.draw, demonstration.page,
                   demonstration.speed, demonstration.narration):  # fmt: skip
        assert widget.accessibleName()
    for box in (demonstration.controls._top_k, demonstration.controls._seed):
        assert box.accessibleName()
        assert box.accessibleDescription()


def test_a_small_window_hides_nothing_for_good(
    window: Window, demonstration: Demonstration
) -> None:
    window.resize(420, 320)
    window.grab()
    assert demonstration.bars.height() >= demonstration.bars.minimumHeight()


def test_branches_have_rows_of_their_own() -> None:
    def step(place: int, parent: int) -> Step:
        return Step(place, parent, place, b" a", 0.5, 0.5, "drawn", 0.1)

    #  text - 0 - 1 - 2        row 0
    #           \ 3 - 4        row 1
    #         5                row 2
    cells = arrange([step(0, TEXT), step(1, 0), step(2, 1), step(3, 0), step(4, 3), step(5, TEXT)])
    assert {place: (c.depth, c.row) for place, c in cells.items()} == {
        TEXT: (0, 0), 0: (1, 0), 1: (2, 0), 2: (3, 0), 3: (2, 1), 4: (3, 1), 5: (1, 2),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("log_value", "said"),
    [
        (0.0, "1.0000"),
        (math.log(0.25), "0.2500"),
        (math.log(3.1e-9), "3.10 × 10⁻⁹"),
        (-1000 * math.log(10), "1.00 × 10⁻¹⁰⁰⁰"),
        (math.log(9.999e-5), "1.00 × 10⁻⁴"),
        (-math.inf, "0"),
    ],
)
def test_small_products_are_written_as_powers(log_value: float, said: str) -> None:
    assert words.power(log_value) == said


def test_percentages_tell_dropped_from_tiny() -> None:
    assert [words.percent(p) for p in (0.0, 1e-9, 0.5)] == ["0.00%", "<0.01%", "50.00%"]


@pytest.mark.parametrize("size", [(1280, 740), (1366, 700)])
def test_everything_is_seen_without_scrolling(
    qtbot: QtBot, window: Window, demonstration: Demonstration, size: tuple[int, int]
) -> None:
    window.resize(*size)
    press(qtbot, demonstration, Key.Key_Right)
    area = demonstration.findChild(KeylessArea)
    assert area is not None
    qtbot.waitUntil(lambda: demonstration.height() == window.centralWidget().height())
    assert area.widget().minimumSizeHint().height() <= area.viewport().height()


def test_with_reduced_motion_nothing_moves_by_itself(
    qtbot: QtBot, window: Window, demonstration: Demonstration
) -> None:
    hints = QGuiApplication.styleHints()
    window.change(reduces_motion=True)
    moment = press(qtbot, demonstration, Key.Key_Right)
    assert demonstration.draw._pin == moment.draw
    assert demonstration.draw._fall.state() == QAbstractAnimation.State.Stopped
    assert hints.cursorFlashTime() == 0
    window.change(reduces_motion=False)
    assert hints.cursorFlashTime() > 0
    press(qtbot, demonstration, Key.Key_Left)
    press(qtbot, demonstration, Key.Key_Right)
    assert demonstration.draw._fall.state() == QAbstractAnimation.State.Running
