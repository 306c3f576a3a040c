"""Which word the pointer rests on."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer, Signal, Slot

if TYPE_CHECKING:
    from PySide6.QtGui import QMouseEvent

    from app.editor import Editor

RESTS_AFTER_MS = 60


class Pointer(QObject):
    """Follows the pointer over one editor, while no button is pressed.

    Signals:
        rested(QPoint): it has stopped at a point of the editor's viewport.
        left(): it is over the text no longer, or the writer writes.
    """

    rested = Signal(QPoint)
    left = Signal()

    def __init__(self, editor: Editor, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._point = QPoint()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(RESTS_AFTER_MS)
        self._timer.timeout.connect(self._on_rested)
        editor.viewport().setMouseTracking(True)
        editor.viewport().installEventFilter(self)
        editor.textChanged.connect(self._on_left)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Look on, and leave every event to the editor."""
        if event.type() == QEvent.Type.MouseMove:
            move = cast("QMouseEvent", event)
            if move.buttons() == Qt.MouseButton.NoButton:
                self._point = move.position().toPoint()
                self._timer.start()
        elif event.type() in (QEvent.Type.Leave, QEvent.Type.MouseButtonPress):
            self._on_left()
        return False

    @Slot()
    def _on_rested(self) -> None:
        self.rested.emit(self._point)

    @Slot()
    def _on_left(self) -> None:
        self._timer.stop()
        self.left.emit()
