"""The heat map can be read in both themes, without colours, and leaves the document alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QRectF, Qt
from PySide6.QtGui import QColor, QHelpEvent, QImage
from PySide6.QtWidgets import QToolTip
from scripted_engine import ScriptedEngine

from app.editor import Editor
from app.heat import HeatMap
from app.heat_legend import HeatLegend
from app.heat_scale import DARK, LIGHT, LIMITS_BITS, Step, step_of
from app.prediction import PredictionController
from app.reading import Reading
from app.theme import DARK as DARK_COLOURS
from app.theme import LIGHT as LIGHT_COLOURS
from app.theme import Colours

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

EVERYTHING = QRectF(0, 0, 10_000, 10_000)


def contrast(first: str, second: str) -> float:
    def luminance(colour: str) -> float:
        channels = QColor(colour).getRgbF()[:3]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        return float(np.dot(linear, (0.2126, 0.7152, 0.0722)))

    lighter, darker = sorted((luminance(first), luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize(
    ("scale", "colours"), [(LIGHT, LIGHT_COLOURS), (DARK, DARK_COLOURS)], ids=["light", "dark"]
)
def test_text_stands_out_on_every_step_and_each_line_from_its_ground(
    scale: tuple[Step, ...], colours: Colours
) -> None:
    for step in scale[1:]:
        assert contrast(step.ground, colours.ink) >= 4.5
        assert contrast(step.line, step.ground) >= 2.5
        assert contrast(step.line, colours.paper) >= 3
    grounds = [contrast(step.ground or colours.paper, colours.paper) for step in scale]
    assert grounds == sorted(grounds)
    assert len(set(grounds)) == len(scale)


@pytest.mark.parametrize("scale", [LIGHT, DARK], ids=["light", "dark"])
def test_the_line_tells_the_steps_apart_without_colours(scale: tuple[Step, ...]) -> None:
    assert len({(step.style, step.width_px) for step in scale}) == len(scale)
    assert [step.width_px for step in scale] == sorted(step.width_px for step in scale)
    assert len(scale) == len(LIMITS_BITS) + 1


def test_the_steps_begin_where_the_legend_says() -> None:
    assert [step_of(bits) for bits in (0, 3.99, 4, 8, 12, 15.9, 16, 99)] == [
        0, 0, 1, 2, 3, 3, 4, 4,
    ]  # fmt: skip
    assert step_of(float("nan")) == 0


@pytest.fixture
def engine() -> ScriptedEngine:
    return ScriptedEngine()


@pytest.fixture
def heat(qtbot: QtBot, engine: ScriptedEngine, tmp_path: Path) -> Iterator[HeatMap]:
    controller = PredictionController(engine.load)
    editor = Editor()
    qtbot.addWidget(editor)
    editor.resize(700, 400)
    editor.show()
    heat = HeatMap(editor, Reading(editor, controller), editor)
    heat.turn(True)
    with qtbot.waitSignal(controller.ready):
        controller.load(tmp_path)
    yield heat
    controller.stop()


def read(qtbot: QtBot, heat: HeatMap, text: str, bits: float = 9.0) -> None:
    """Write a text, and let every token of it be of this surprisal."""
    heat._editor.setPlainText(text)
    heat._editor.document().setModified(False)
    qtbot.waitUntil(lambda: heat._reading.is_complete, timeout=3_000)
    heat._reading.tokens.shown_nats[:] = bits * np.log(2)


def places(heat: HeatMap) -> list[QRectF]:
    return [room for _, room, _ in heat.places(EVERYTHING)]


def ink(heat: HeatMap) -> np.ndarray:
    """(height, width) how dark the text of the editor's viewport is, without the heat map."""
    heat.is_on = False
    image = (
        heat._editor.viewport().grab().toImage().convertToFormat(QImage.Format.Format_Grayscale8)
    )
    heat.is_on = True
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1)
    return 255 - rows[:, : image.width()].astype(int)


@pytest.mark.parametrize(
    "text",
    [
        "the inner ring",
        "💩💩💩 i ⭢ j",
        "a🚫b 𒀭𒊩 naïve e\u0301te\u0301",
        "שלום עולם, the and שלום.",
        "今天天气很好",
        "a" * 300,
    ],
)
def test_what_is_painted_lies_behind_all_the_glyphs_and_nowhere_else(
    qtbot: QtBot, heat: HeatMap, text: str
) -> None:
    read(qtbot, heat, text)
    assert heat._editor.toPlainText() == text
    darkness = ink(heat)
    covered = np.zeros_like(darkness, dtype=bool)
    for room in places(heat):
        rows = slice(max(0, int(room.top()) - 6), int(room.bottom()) + 7)  # other faces are higher
        columns = slice(max(0, int(room.left()) - 3), int(room.right()) + 4)
        assert darkness[rows, columns].max() > 60  # there is text
        covered[rows, columns] = True
    paper = np.bincount(darkness.ravel()).argmax()
    assert not (darkness[~covered] > paper + 60).any()


def test_the_document_is_left_alone(qtbot: QtBot, heat: HeatMap) -> None:
    editor = heat._editor
    read(qtbot, heat, "the inner ring")
    revision, steps = editor.document().revision(), editor.document().availableUndoSteps()
    plain = editor.viewport().grab().toImage()
    heat.turn(False)
    assert editor.viewport().grab().toImage() != plain
    heat.turn(True)
    assert editor.viewport().grab().toImage() == plain
    assert editor.document().revision() == revision
    assert editor.document().availableUndoSteps() == steps
    assert not editor.document().isModified()
    assert not editor.extraSelections()


def test_of_a_long_text_only_what_is_seen_is_looked_at(qtbot: QtBot, heat: HeatMap) -> None:
    read(qtbot, heat, "the inner ring and on\n" * 4_000)
    seen = QRectF(heat._editor.viewport().rect())
    assert 0 < len(list(heat.places(seen))) < 500
    assert len(heat._words) < 60
    read(qtbot, heat, "in the ring " * 9_000)  # one paragraph
    assert 0 < len(list(heat.places(seen))) < 500


def test_colours_move_with_their_words_and_go_with_a_deleted_one(
    qtbot: QtBot, heat: HeatMap, engine: ScriptedEngine
) -> None:
    read(qtbot, heat, "the inner ring")
    before = places(heat)
    cursor = heat._editor.textCursor()
    cursor.insertText("www ")  # not read yet
    moved = places(heat)
    assert len(moved) == len(before) == 3
    assert all(new.left() > old.left() for new, old in zip(moved, before, strict=True))
    cursor.movePosition(cursor.MoveOperation.Start)
    cursor.movePosition(cursor.MoveOperation.End, cursor.MoveMode.KeepAnchor)
    cursor.removeSelectedText()
    assert places(heat) == []


def test_the_legend_shows_every_step(qtbot: QtBot) -> None:
    legend = HeatLegend()
    qtbot.addWidget(legend)
    legend.resize(legend.sizeHint())
    assert "4, 8, 12, 16 bits" in legend.accessibleDescription()
    image = legend.grab().toImage()
    colours = {image.pixelColor(x, 6).name() for x in range(image.width())}
    scale = DARK if legend.palette().base().color().lightnessF() < 0.5 else LIGHT
    assert {step.ground for step in scale if step.style != Qt.PenStyle.NoPen} <= colours


def test_where_the_pointer_rests_the_figures_are_told(qtbot: QtBot, heat: HeatMap) -> None:
    read(qtbot, heat, "the inner ring")
    cursor = heat._editor.textCursor()
    cursor.setPosition(6)
    place = heat._editor.cursorRect(cursor).center()
    event = QHelpEvent(QEvent.Type.ToolTip, place, heat._editor.viewport().mapToGlobal(place))
    assert heat.eventFilter(heat._editor.viewport(), event)
    qtbot.waitUntil(lambda: QToolTip.text().startswith("“inner”: probability"))
    heat.tells = False
    assert not heat.eventFilter(heat._editor.viewport(), event)
    QToolTip.hideText()
