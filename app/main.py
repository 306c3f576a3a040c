"""Where the editor is put together and started."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QProcess
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from app import menu_bar, paths, theme
from app.errors import ErrorReporter, start_log
from app.prediction import PredictionController
from app.settings import load_settings
from app.trace import Trace
from app.window import Window

CODE = Path(__file__).resolve().parents[1]
ICON = "foretype.svg"
# The model's thread holds Python's lock between two runs of the network; asking for it back every
# millisecond instead of every five keeps typing fluent.
SWITCH_INTERVAL_S = 0.001


def run(files: list[Path], model: str | None, trace: Path | None) -> int:
    """Open the editor and return its exit code when the window is closed.

    Args:
        files: the texts to open, each in a window and process of its own.
        model: a model's name or folder; None is the selected one.
        trace: where to write one JSON line per keystroke, if anywhere.
    """
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    application = start_application()
    start_log(paths.log())
    reporter = ErrorReporter(paths.log(), application)
    reporter.install()
    settings = load_settings(paths.settings())
    theme.paint_application(application, settings.theme)
    window = Window(PredictionController(), settings, Trace(trace) if trace else None)
    chosen = files[0].absolute() if files else None
    if chosen:
        window.filing.start(chosen)
    for other in files[1:]:
        _open_elsewhere(other.absolute())
    menu_bar.offer_recovered(window, window.filing.recover(chosen))
    window.show()
    window.activateWindow()  # where no window manager does it, menu keys would go unheard
    window.editor.setFocus()
    window.models.start(model)
    return application.exec()


def _open_elsewhere(path: Path) -> None:
    QProcess.startDetached(sys.executable, ["-m", "app", "edit", str(path)], str(CODE))


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
