"""The View menu: how the text is shown, and what is shown beside it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QKeySequence

from app.menus import Item, choice, fill, setting, toggle
from app.translation import marked, tr

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMenu

    from app.window import Window

Key = QKeySequence.StandardKey
THEMES = {"system": marked("&System"), "light": marked("&Light"), "dark": marked("&Dark")}


def fill_view(menu: QMenu, window: Window) -> None:
    """Fill the View menu."""
    fill(menu, [
        Item(tr("Zoom &In"), lambda: window.zoom(1), (Key.ZoomIn, "Ctrl+="), repeats=True),
        Item(tr("Zoom &Out"), lambda: window.zoom(-1), (Key.ZoomOut,), repeats=True),
        Item(tr("&Usual Size"), lambda: window.zoom(0), ("Ctrl+0",)),
        None,
    ])  # fmt: skip
    _fill_panels(menu, window)
    setting(menu, window.preferences, "heat_shown", tr("&Heat Map"), ("Ctrl+Shift+H", "Shift+F9"))
    setting(menu, window.preferences, "suggestions_shown", tr("&Suggestions"))
    setting(menu, window.preferences, "ghost_shown", tr("&Ghost Text"))
    setting(menu, window.preferences, "focus_shown", tr("Focus Mod&e"), ("Ctrl+Shift+F",))
    menu.addSeparator()
    themes = menu.addMenu(tr("&Theme"))
    options = [(name, tr(title)) for name, title in THEMES.items()]
    group = choice(
        themes, window, options, window.settings.theme, lambda name: window.change(theme=name)
    )

    def follow() -> None:
        for (name, _), action in zip(options, group.actions(), strict=True):
            action.setChecked(name == window.settings.theme)

    window.preferences.changed.connect(follow)
    turn_by = window.desk.turn_by
    fill(menu, [
        None,
        Item(tr("&Demonstration"), window.teaching.toggle, ("F8",)),
        None,
        Item(tr("&Next Text"), partial(turn_by, 1), ("Ctrl+PgDown", "Ctrl+Tab"), repeats=True),
        Item(tr("Pre&vious Text"), partial(turn_by, -1),
             ("Ctrl+PgUp", "Ctrl+Shift+Tab"), repeats=True),
        None,
        Item(tr("&Full Screen"), partial(_toggle_full_screen, window), ("F11",)),
    ])  # fmt: skip


def _fill_panels(menu: QMenu, window: Window) -> None:
    """Append a toggle for each panel that `Window.add_panel` has put at the side."""
    actions = {}
    for panel in window.sidebar.panels:
        act = partial(window.sidebar.toggle, panel.name)
        is_on = window.sidebar.shown == panel.name
        actions[panel.name] = toggle(menu, Item(panel.title, act, panel.shortcuts), is_on)

    def follow(shown: str) -> None:
        for name, action in actions.items():
            action.setChecked(name == shown)

    window.sidebar.turned.connect(follow)


def _toggle_full_screen(window: Window) -> None:
    if window.isFullScreen():
        window.showNormal()
    else:
        window.showFullScreen()
