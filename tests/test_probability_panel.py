from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest
from scripted_engine import prediction

from app.probability_panel import ProbabilityPanel, visible

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


@pytest.mark.parametrize(
    ("piece", "text"),
    [
        (b" the", "·the"),
        (b"\n\n", "↵↵"),
        (b"\t", "⇥"),
        ("é".encode(), "é"),
        (b"\xe2\x80", "E2 80"),
        (b"", "end of text"),
        (b"\x00", "U+0000"),
        ("\u00a0".encode(), "⍽"),
        ("\u200b".encode(), "U+200B"),
    ],
)
def test_every_token_can_be_seen(piece: bytes, text: str) -> None:
    assert visible(piece) == text


def test_the_panel_says_what_it_shows(qtbot: QtBot) -> None:
    panel = ProbabilityPanel()
    qtbot.addWidget(panel)
    panel.show()
    panel.show_prediction(prediction("a", tokens=12))
    said = panel._bars.accessibleDescription()
    assert said.startswith("·t0 50.00%, ·t1 25.00%")
    assert len(said.split(", ")) == 10
    assert panel._entropy.text() == "2.50 bits"
    panel.show_perplexity(1234.56)
    assert panel._perplexity.text() == "1,234.6"
    panel.show_perplexity(None)
    assert panel._perplexity.text() == "…"
    panel.show_perplexity(math.nan)
    assert panel._perplexity.text() == "–"
    panel.clear()
    assert panel._bars.accessibleDescription() == ""
    panel.grab()
