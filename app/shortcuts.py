"""Which keys do what: the defaults of the menus, the writer's changes, and what cannot be a key.

Keys that write, or that move and delete in the text, are never anybody's shortcut.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from PySide6.QtCore import QKeyCombination, QObject, Qt, Signal, Slot
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu

from app.menus import REFILLED, actions_of
from app.translation import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QMenuBar

    from app.preferences import Preferences

Key, Modifier = Qt.Key, Qt.KeyboardModifier
Standard = QKeySequence.StandardKey
Match = QKeySequence.SequenceMatch
IN_TEXT = {
    Key.Key_Tab, Key.Key_Backtab, Key.Key_Return, Key.Key_Enter, Key.Key_Escape, Key.Key_Backspace,
    Key.Key_Delete, Key.Key_Insert, Key.Key_Space, Key.Key_Left, Key.Key_Right, Key.Key_Up,
    Key.Key_Down, Key.Key_Home, Key.Key_End, Key.Key_PageUp, Key.Key_PageDown,
}  # fmt: skip
EDITING = (
    Standard.MoveToNextWord, Standard.MoveToPreviousWord, Standard.MoveToStartOfDocument,
    Standard.MoveToEndOfDocument, Standard.SelectNextWord, Standard.SelectPreviousWord,
    Standard.SelectStartOfDocument, Standard.SelectEndOfDocument, Standard.DeleteStartOfWord,
    Standard.DeleteEndOfWord,
)  # fmt: skip
FIRST_FUNCTION_KEY = 0x0100_0030  # keys from here on write nothing

log = logging.getLogger(__name__)


def writes(keys: QKeySequence) -> bool:
    """Whether pressing these keys in a text writes, moves or deletes something."""
    first = _first(keys)
    key, held = first.key(), first.keyboardModifiers()
    commands = held & (Modifier.ControlModifier | Modifier.AltModifier | Modifier.MetaModifier)
    if not commands:
        return key in IN_TEXT or key.value < FIRST_FUNCTION_KEY
    is_alt_gr = commands == Modifier.ControlModifier | Modifier.AltModifier
    if is_alt_gr and key.value < FIRST_FUNCTION_KEY:  # AltGr writes € or @ on many keyboards
        return True
    return any(keys in QKeySequence.keyBindings(standard) for standard in EDITING)


class Shortcuts(QObject):
    """The shortcuts of a menu bar, as the settings have them.

    Signals:
        changed(): some action has other keys.
    """

    changed = Signal()

    def __init__(self, bar: QMenuBar, preferences: Preferences, parent: QObject) -> None:
        super().__init__(parent)
        self._preferences = preferences
        self.actions: dict[str, QAction] = {}
        self.menus: dict[str, str] = {}  # the title of each action's menu
        self._titles = [top.text() for top in bar.actions()]
        for top in bar.actions():
            menu = top.menu()
            if not isinstance(menu, QMenu) or menu.property(REFILLED):
                continue
            for action in actions_of(menu):
                if name := action.objectName():
                    self.actions[name] = action
                    self.menus[name] = top.text().replace("&", "")
        self.defaults = {name: portable(a.shortcuts()) for name, a in self.actions.items()}
        preferences.changed.connect(self._on_changed)
        self._follow()

    def problem(self, name: str, keys: str) -> str:
        """Why the action `name` cannot have these keys; "" if it can."""
        wanted = QKeySequence(keys)
        if wanted.isEmpty() or _first(wanted).key() in (Key.Key_unknown, Key(0)):
            return tr("{keys} is no key.", keys=keys)
        shown = wanted.toString(QKeySequence.SequenceFormat.NativeText)
        if wanted in map(QKeySequence.mnemonic, self._titles):
            return tr("{shown} opens a menu.", shown=shown)
        if writes(wanted):
            return tr(
                "{shown} is needed for writing. Hold Ctrl or Alt with it, or take another.",
                shown=shown,
            )
        for other, action in self.actions.items():
            for taken in action.shortcuts() if other != name else ():
                if {wanted.matches(taken), taken.matches(wanted)} != {Match.NoMatch}:
                    return tr("{shown} is taken by “{action}”.", shown=shown, action=plain(action))
        return ""

    def set(self, name: str, keys: Sequence[str]) -> None:
        """Give the action `name` these keys, which have no `problem`, and remember them."""
        chosen = dict(self._preferences.now.shortcuts)
        chosen.pop(name, None)
        if tuple(keys) != self.defaults[name]:
            chosen[name] = tuple(keys)
        self._preferences.change(shortcuts=chosen)

    def reset(self) -> None:
        """Give every action its first keys again."""
        self._preferences.change(shortcuts={})

    @Slot(object)
    def _on_changed(self, names: frozenset[str]) -> None:
        if "shortcuts" in names:
            self._follow()

    def _follow(self) -> None:
        chosen = self._preferences.now.shortcuts
        for name, action in self.actions.items():  # first, lest an old key be in a new one's way
            action.setShortcuts([] if name in chosen else _sequences(self.defaults[name]))
        for name, keys in chosen.items():
            if name not in self.actions:
                continue
            problems = [problem for key in keys if (problem := self.problem(name, key))]
            if problems:
                log.warning("the shortcut of %s is not used: %s", name, problems[0])
            self.actions[name].setShortcuts([] if problems else _sequences(keys))
        self.changed.emit()


def portable(keys: Sequence[QKeySequence]) -> tuple[str, ...]:
    """Return key sequences as the settings keep them."""
    return tuple(key.toString(QKeySequence.SequenceFormat.PortableText) for key in keys)


def plain(action: QAction) -> str:
    """Return an action's text as one reads it."""
    return action.text().replace("&", "").removesuffix("…").rstrip()


def _first(keys: QKeySequence) -> QKeyCombination:
    return keys[0]  # type: ignore[index,no-any-return]  # the stubs do not know it


def _sequences(keys: Sequence[str]) -> list[QKeySequence]:
    return [QKeySequence(key) for key in keys]
