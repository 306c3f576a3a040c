from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QColor, QFontInfo
from PySide6.QtWidgets import QApplication

from app import theme
from app.theme import DARK, LIGHT, Colours

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from app.settings import Theme


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2 defines it."""

    def linear(channel: float) -> float:
        return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4

    red, green, blue, _ = QColor(colour).getRgbF()
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_all_text_is_readable(colours: Colours) -> None:
    for ground in (colours.paper, colours.ground):
        for text in (colours.ink, colours.quiet, colours.accent):
            assert contrast(text, ground) >= 4.5, (text, ground)
    assert contrast(colours.ink, colours.selection) >= 4.5


def test_the_writing_face_is_the_one_brought_along(qtbot: QtBot) -> None:
    assert QFontInfo(theme.writing_font(14)).family() == "Source Serif Pro"


def test_the_application_takes_the_colours_and_changes_them(qtbot: QtBot) -> None:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    for name, colours in (("dark", DARK), ("light", LIGHT), ("system", theme.colours("system"))):
        theme.paint_application(application, name)
        assert application.palette().base().color() == QColor(colours.paper)
        assert application.palette().accent().color() == QColor(colours.accent)


@pytest.mark.parametrize("name", ["light", "dark"])
def test_ghost_text_can_be_read_and_told_from_text(qtbot: QtBot, name: Theme) -> None:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    theme.paint_application(application, name)
    ghost, paper = theme.ghost_colour(application.palette()).name(), theme.colours(name).paper
    assert contrast(ghost, paper) >= 3
    assert contrast(theme.colours(name).ink, paper) >= 3 * contrast(ghost, paper)
    theme.paint_application(application, "system")
