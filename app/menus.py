"""What menus are made of: items with a name, an act and shortcuts."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from app.translation import english

if TYPE_CHECKING:
    from app.preferences import Preferences

REFILLED = "isRefilled"  # property of a menu whose items come and go
Act = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Item:
    """One line of a menu; `shortcuts` are portable key names or Qt's standard keys.

    Holding them acts once, unless it `repeats`: who holds Ctrl+N a little long wants one new text.
    """

    text: str
    act: Act
    shortcuts: tuple[str | QKeySequence.StandardKey, ...] = ()
    repeats: bool = False


def name_of(text: str) -> str:
    """Return the name of an item as the settings know it: "Save &As…" is `save-as`."""
    return re.sub(r"\W+", "-", text.replace("&", "").casefold()).strip("-")


def fill(menu: QMenu, items: list[Item | None]) -> list[QAction]:
    """Append items to a menu; None draws a line.  Returns the new actions."""
    actions = []
    for item in items:
        if item is None:
            menu.addSeparator()
            continue
        action = QAction(item.text, menu)
        action.setObjectName(name_of(english(item.text)))
        keys: list[QKeySequence] = []
        for shortcut in item.shortcuts:
            if isinstance(shortcut, str):
                keys.append(QKeySequence(shortcut))
            else:
                keys += QKeySequence.keyBindings(shortcut)
        action.setShortcuts(keys)
        action.setAutoRepeat(item.repeats)
        action.triggered.connect(lambda _=False, act=item.act: act())
        menu.addAction(action)
        actions.append(action)
    return actions


def toggle(menu: QMenu, item: Item, is_on: bool) -> QAction:
    """Append an item that is on or off."""
    action = fill(menu, [item])[0]
    action.setCheckable(True)
    action.setChecked(is_on)
    return action


def setting(
    menu: QMenu, preferences: Preferences, field: str, text: str, shortcuts: tuple[str, ...] = ()
) -> QAction:
    """Append an item that shows and changes a setting which is on or off."""

    def change() -> None:
        preferences.change(**{field: action.isChecked()})

    def follow() -> None:
        action.setChecked(getattr(preferences.now, field))

    action = toggle(menu, Item(text, change, shortcuts), getattr(preferences.now, field))
    preferences.changed.connect(follow)
    return action


def choice(
    menu: QMenu, owner: QWidget, options: list[tuple[str, str]], chosen: str | None,
    act: Callable[[str], object],
) -> QActionGroup:  # fmt: skip
    """Append (key, text) options of which one is chosen; `act` gets the key of a new choice."""
    group = QActionGroup(owner)
    for key, text in options:
        action = QAction(text, menu)
        action.setCheckable(True)
        action.setChecked(key == chosen)
        action.triggered.connect(lambda _=False, key=key: act(key))
        group.addAction(action)
        menu.addAction(action)
    return group


def actions_of(menu: QMenu) -> list[QAction]:
    """Return every action that does something, those of inner menus included, as they stand."""
    found = []
    for action in menu.actions():
        inner = action.menu()
        if isinstance(inner, QMenu):
            found += actions_of(inner)
        elif not action.isSeparator():
            found.append(action)
    return found
