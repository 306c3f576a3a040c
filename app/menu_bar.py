"""The window's menus, and the two windows of help that are read off them."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMessageBox

from app.menus import Item, choice, fill, shortcuts_of, toggle
from app.settings import Theme
from app.words_menu import fill_words

if TYPE_CHECKING:
    from app.recovery import Orphan
    from app.window import Window

Key = QKeySequence.StandardKey
KEYS_IN_TEXT = (
    ("Text", "Take the ghost text, or else the first suggestion", "Tab"),
    ("Text", "Take one word of the ghost text", "Ctrl+Right"),
    ("Text", "Hide suggestions until the next character", "Esc"),
)
ABOUT = (
    "A writing app that shows what a real GPT, running on this computer, expects next.\n\n"
    "Nothing you write leaves this computer.\n\n"
    "Foretype is free software under the Apache Licence 2.0. The writing face is Source Serif Pro "
    "by Frank Grießhammer, © Adobe, SIL Open Font Licence 1.1."
)


def build(window: Window) -> None:
    """Fill the window's menu bar."""
    bar = window.menuBar()
    titles = ("&File", "&Edit", "&View", "&Words", "&Model", "&Help")
    menus = [bar.addMenu(title) for title in titles]
    file, edit, view, words, model, help_menu = menus
    _fill_file(file, window)
    _fill_edit(edit, window)
    _fill_view(view, window)
    fill_words(words, window)
    model.aboutToShow.connect(lambda: window.models.fill(model))
    window.models.fill(model)
    fill(help_menu, [
        Item("&Keyboard Shortcuts", lambda: _show_shortcuts(window, menus), ("Ctrl+/",)),
        Item("&About Foretype", lambda: QMessageBox.about(window, "About Foretype", ABOUT)),
    ])  # fmt: skip


def offer_recovered(window: Window, orphans: list[Orphan]) -> None:
    """List texts of other crashed windows in the File menu."""
    if not orphans:
        return
    menu = QMenu("&Recovered Texts", window)
    for orphan in orphans:
        first_line = orphan.unsaved.text.strip().split("\n")[0][:40]
        name = orphan.unsaved.path.name if orphan.unsaved.path else "Untitled"
        fill(menu, [Item(f"{name}: {first_line}", partial(_restore, window, menu, orphan))])
    file = window.menuBar().actions()[0].menu()
    if isinstance(file, QMenu):
        file.insertMenu(file.actions()[3], menu)


def _restore(window: Window, menu: QMenu, orphan: Orphan) -> None:
    if window.filing.may_discard():
        window.filing.restore(orphan)
        menu.setDisabled(True)


def _fill_file(menu: QMenu, window: Window) -> None:
    filing = window.filing
    fill(menu, [
        Item("&New", filing.new, (Key.New,)),
        Item("&Open…", filing.open, (Key.Open,)),
    ])  # fmt: skip
    recent = menu.addMenu("Open &Recent")
    recent.aboutToShow.connect(lambda: _fill_recent(recent, window))
    fill(menu, [
        None,
        Item("&Save", filing.save, (Key.Save,)),
        Item("Save &As…", filing.save_as, ("Ctrl+Shift+S",)),
        None,
        Item("&Quit", window.close, ("Ctrl+Q",)),
    ])  # fmt: skip


def _fill_recent(menu: QMenu, window: Window) -> None:
    menu.clear()
    files = window.settings.recent_files
    fill(menu, [
        Item(_short(name), partial(window.filing.open_path, Path(name)))
        for name in files
    ])  # fmt: skip
    if not files:
        menu.addAction("No recent files").setEnabled(False)


def _short(name: str) -> str:
    """A path as it reads best in a menu; `&` would underline the next letter."""
    home = str(Path.home())
    short = "~" + name[len(home) :] if name.startswith(home + "/") else name
    return short.replace("&", "&&")


def _fill_edit(menu: QMenu, window: Window) -> None:
    editor = window.editor
    undo, redo = fill(menu, [
        Item("&Undo", editor.undo, (Key.Undo,)),
        Item("&Redo", editor.redo, (Key.Redo,)),
    ])  # fmt: skip
    cut, copy, _, _ = fill(menu, [
        None,
        Item("Cu&t", editor.cut, (Key.Cut,)),
        Item("&Copy", editor.copy, (Key.Copy,)),
        Item("&Paste", editor.paste, (Key.Paste,)),
        Item("Select &All", editor.selectAll, (Key.SelectAll,)),
        None,
    ])  # fmt: skip
    for action, signal in (
        (undo, editor.undoAvailable), (redo, editor.redoAvailable),
        (cut, editor.copyAvailable), (copy, editor.copyAvailable),
    ):  # fmt: skip
        action.setEnabled(False)
        signal.connect(action.setEnabled)


def _fill_view(menu: QMenu, window: Window) -> None:
    fill(menu, [
        Item("Zoom &In", lambda: window.zoom(1), (Key.ZoomIn, "Ctrl+=")),
        Item("Zoom &Out", lambda: window.zoom(-1), (Key.ZoomOut,)),
        Item("&Usual Size", lambda: window.zoom(0), ("Ctrl+0",)),
        None,
    ])  # fmt: skip
    panel: QAction = toggle(
        menu,
        Item(
            "&Probabilities", lambda: window.show_panel(panel.isChecked()), ("F9", "Ctrl+Shift+P")
        ),
        window.settings.panel_shown,
    )
    bar: QAction = toggle(
        menu,
        Item("&Suggestions", lambda: window.show_suggestions(bar.isChecked())),
        window.settings.suggestions_shown,
    )
    ghost: QAction = toggle(
        menu,
        Item("&Ghost Text", lambda: window.change_suggesting(ghost_shown=ghost.isChecked())),
        window.settings.ghost_shown,
    )
    menu.addSeparator()
    themes = menu.addMenu("&Theme")
    options = [(name, f"&{name.capitalize()}") for name in get_args(Theme)]
    choice(themes, window, options, window.settings.theme, window.choose_theme)
    fill(menu, [
        None,
        Item("&Full Screen", lambda: _toggle_full_screen(window), ("F11",)),
    ])  # fmt: skip


def _toggle_full_screen(window: Window) -> None:
    if window.isFullScreen():
        window.showNormal()
    else:
        window.showFullScreen()


def _show_shortcuts(window: Window, menus: list[QMenu]) -> None:
    rows = "".join(
        f"<tr><td style='padding: 3px 48px 3px 0'>{text}</td>"
        f"<td style='padding: 3px 0'>{keys}</td></tr>"
        for _, text, keys in (*KEYS_IN_TEXT, *shortcuts_of(menus))
    )
    box = QMessageBox(
        QMessageBox.Icon.NoIcon, "Keyboard Shortcuts", f"<table cellspacing='0'>{rows}</table>"
    )
    box.setParent(window, box.windowFlags())
    box.exec()
