"""Where the editor is put together and started."""

from __future__ import annotations

import signal
import sys
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from app import paths, theme, translation
from app.doorbell import Doorbell
from app.errors import ErrorReporter, start_log
from app.garbage import GarbageCollection
from app.prediction import PredictionController
from app.recovery import orphans_in
from app.settings import load_settings
from app.trace import Trace
from app.window import Window

if TYPE_CHECKING:
    from pathlib import Path

ICON = "foretype.svg"
# The model's thread holds Python's lock between two runs of the network; asking for it back every
# millisecond instead of every five keeps typing fluent.
SWITCH_INTERVAL_S = 0.001


def run(files: list[Path], model: str | None, trace: Path | None) -> int:
    """Open the editor and return its exit code when the window is closed.

    Files open in the window that is there already, if there is one, unless a model or a trace is
    asked for.

    Args:
        files: the texts to open, each in a tab.
        model: a model's name or folder; None is the selected one.
        trace: where to write one JSON line per keystroke, if anywhere.
    """
    chosen = [file.absolute() for file in files]
    doorbell = Doorbell(paths.doorbell())
    if model is None and trace is None and doorbell.ring(chosen):
        return 0
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    application = start_application()
    start_log(paths.log())
    reporter = ErrorReporter(paths.log(), application)
    reporter.install()
    settings = load_settings(paths.settings())
    translation.speak(application, settings.language)
    theme.paint_application(application, settings.theme, reduces_motion=settings.reduces_motion)
    window = Window(PredictionController(), settings, Trace(trace) if trace else None)
    open_texts(window, chosen, is_main=doorbell.is_ours)
    window.show()
    _show(window)
    window.models.start(model)
    window.personalising.offer_to_continue(window.notice)
    doorbell.rung.connect(lambda more: _answer(window, more))
    doorbell.listen()
    window.closing.connect(doorbell.leave)  # a model may take seconds to end
    GarbageCollection(application)
    return application.exec()


def open_texts(window: Window, chosen: list[Path], *, is_main: bool) -> None:
    """Open what was open in the last session, what a crash left unsaved, and the chosen files.

    Only the main window has a session; a window beside it begins empty.
    """
    if is_main:
        window.session.restore()
    window.filing.recover(orphans_in(paths.recovery()))
    for path in chosen:
        window.filing.start(path)
    if is_main:
        window.session.begin()


def _answer(window: Window, files: list[Path]) -> None:
    for path in files:
        window.filing.start(path)
    if window.isMinimized():
        window.showNormal()
    window.raise_()
    _show(window)


def _show(window: Window) -> None:
    window.activateWindow()  # where no window manager does it, menu keys would go unheard
    window.editor.setFocus()


def start_application() -> QApplication:
    """Make the application with its name, icon and face."""
    QCoreApplication.setApplicationName("Foretype")
    application = QApplication(sys.argv[:1])
    application.setApplicationDisplayName("Foretype")
    application.setDesktopFileName("foretype")
    application.setStyle("Fusion")
    application.setFont(theme.interface_font())
    application.setWindowIcon(QIcon(str(paths.ASSETS / ICON)))
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl+C in the terminal; the text is recovered
    return application
