"""Print and export: the dialogs around `app.export`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QFileDialog, QMessageBox

from app.export import is_markdown, page_layout, print_text, write_html, write_pdf
from app.translation import tr

if TYPE_CHECKING:
    from PySide6.QtPrintSupport import QPrinter

    from app.window import Window


def export_pdf(window: Window) -> None:
    """Ask for a place and write the text that is seen as PDF."""
    _export(window, "PDF", ".pdf")


def export_html(window: Window) -> None:
    """Ask for a place and write the text that is seen as HTML."""
    _export(window, "HTML", ".html")


def print_shown(window: Window) -> None:
    """Ask for a printer and print the text that is seen."""
    from PySide6.QtPrintSupport import QPrintDialog

    printer = _printer(window)
    dialog = QPrintDialog(printer, window)
    if dialog.exec() == QPrintDialog.DialogCode.Accepted:
        _print(window, printer)


def preview(window: Window) -> None:
    """Show how the text that is seen would be printed."""
    from PySide6.QtPrintSupport import QPrintPreviewDialog

    dialog = QPrintPreviewDialog(_printer(window), window)
    dialog.paintRequested.connect(lambda printer: _print(window, printer))
    dialog.exec()


def _printer(window: Window) -> QPrinter:
    from PySide6.QtPrintSupport import QPrinter

    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setPageLayout(page_layout(_country()))
    printer.setDocName(window.filing.document.name)
    return printer


def _print(window: Window, printer: QPrinter) -> None:
    path, face = window.filing.document.path, window.settings.writing_face
    print_text(window.editor.text(), printer, markdown=is_markdown(path), face=face)


def _export(window: Window, kind: str, suffix: str) -> None:
    file, text = window.filing.document, window.editor.text()
    place = file.path or Path.home() / file.name
    name, _ = QFileDialog.getSaveFileName(
        window,
        tr("Export as {kind}", kind=kind),
        str(place.with_suffix(suffix)),
        f"{kind} (*{suffix})",
    )
    if not name:
        return
    path = Path(name) if Path(name).suffix else Path(name).with_suffix(suffix)
    markdown, title = is_markdown(file.path), file.path.stem if file.path else file.name
    try:
        if kind == "HTML":
            write_html(text, path, title, markdown=markdown)
        else:
            face = window.settings.writing_face
            write_pdf(text, path, title, markdown=markdown, country=_country(), face=face)
    except OSError as err:
        QMessageBox.warning(
            window,
            "Foretype",
            tr(
                "Could not write {path}: {reason}. Try another place.",
                path=path,
                reason=err.strerror or err,
            ),
        )
        return
    window.status.say(tr("Written: {path}", path=path))


def _country() -> str:
    return QLocale.system().name().partition("_")[2]
