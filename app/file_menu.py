"""The File menu."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QKeySequence

from app import exporting
from app.menus import Item, fill
from app.translation import tr

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMenu

    from app.window import Window

Key = QKeySequence.StandardKey


def fill_file(menu: QMenu, window: Window) -> None:
    """Fill the File menu."""
    filing = window.filing
    fill(menu, [
        Item(tr("&New"), filing.new, (Key.New,)),
        Item(tr("&Open…"), filing.open, (Key.Open,)),
    ])  # fmt: skip
    recent = menu.addMenu(tr("Open &Recent"))
    recent.aboutToShow.connect(lambda: _fill_recent(recent, window))
    fill(menu, [
        None,
        Item(tr("&Save"), filing.save, (Key.Save,)),
        Item(tr("Save &As…"), filing.save_as, ("Ctrl+Shift+S",)),
        Item(tr("Save A&ll"), filing.save_all),
        None,
        Item(tr("Export as &PDF…"), partial(exporting.export_pdf, window)),
        Item(tr("Export as &HTML…"), partial(exporting.export_html, window)),
        Item(tr("Export &Figures…"), window.probabilities.export),
        Item(tr("Print Previe&w…"), partial(exporting.preview, window)),
        Item(tr("Pr&int…"), partial(exporting.print_shown, window), (Key.Print,)),
        None,
        Item(tr("&Close"), filing.close, ("Ctrl+W",)),
        Item(tr("&Quit"), window.close, ("Ctrl+Q",)),
    ])  # fmt: skip


def _fill_recent(menu: QMenu, window: Window) -> None:
    menu.clear()
    files = window.settings.recent_files
    fill(menu, [
        Item(short(name), partial(window.filing.open_path, Path(name)))
        for name in files
    ])  # fmt: skip
    if not files:
        menu.addAction(tr("No recent files")).setEnabled(False)


def short(name: str) -> str:
    """A path as it reads best in a menu; `&` would underline the next letter."""
    home = str(Path.home())
    shortened = "~" + name[len(home) :] if name.startswith(home + "/") else name
    return shortened.replace("&", "&&")
