"""What is drawn into the text without being in it: found places, spelling, the heat map.

A text widget has one list of extra selections.  Here every feature has its own layer of it, and
none disturbs another's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QTextEdit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QTextCharFormat, QTextDocument
    from PySide6.QtWidgets import QPlainTextEdit

Layer = Literal["heat", "generated", "spelling", "found", "here"]
LAYERS: tuple[Layer, ...] = ("heat", "generated", "spelling", "found", "here")  # the last on top


class Marks:
    """The layers of one text widget."""

    def __init__(self, page: QPlainTextEdit) -> None:
        self._page = page
        self._layers: dict[str, Sequence[QTextEdit.ExtraSelection]] = {}

    def set(self, layer: Layer, selections: Sequence[QTextEdit.ExtraSelection]) -> None:
        """Replace a layer; an empty one costs nothing."""
        if selections or self._layers.get(layer):
            self._layers[layer] = selections
            self._page.setExtraSelections(
                [one for name in LAYERS for one in self._layers.get(name, ())]
            )

    def clear(self) -> None:
        """Remove all marks: the page shows another text."""
        self._layers.clear()
        self._page.setExtraSelections([])


def mark(
    document: QTextDocument, start_utf16: int, end_utf16: int, style: QTextCharFormat
) -> QTextEdit.ExtraSelection:
    """Return a mark of part of a document; it moves with the text."""
    selection = QTextEdit.ExtraSelection()
    cursor = QTextCursor(document)
    cursor.setPosition(start_utf16)
    cursor.setPosition(end_utf16, QTextCursor.MoveMode.KeepAnchor)
    selection.cursor = cursor
    selection.format = style
    return selection
