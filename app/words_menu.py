"""The Words menu, and the menu of one suggested word."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMenu, QMessageBox

from app import paths
from app.caret import word_around
from app.dictionaries import languages
from app.menus import Item, choice, fill, setting, toggle
from app.suggestion_bar import PLACES
from app.translation import marked, tr
from model.blocklist import BlockList

if TYPE_CHECKING:
    from PySide6.QtCore import QPoint

    from app.window import Window

WHAT_IS_FORGOTTEN = marked(
    "The words and phrases remembered from your writing are removed from this computer for good. "
    "Your texts and the words never to be suggested stay as they are."
)


def fill_words(menu: QMenu, window: Window) -> None:
    """Fill the Words menu."""
    take = menu.addMenu(tr("&Take Suggestion"))
    fill(take, [
        Item(tr("Word &{number}", number=place + 1), partial(window.suggesting.take, place),
             (f"Alt+{place + 1}",))
        for place in range(PLACES)
    ])  # fmt: skip
    fill(take, [Item(tr("Ghost Text, or Else Word 1"), window.editor.take_offered)])
    setting(menu, window.preferences, "spelling_checked", tr("Check &Spelling"), ("F7",))
    language = menu.addMenu(tr("Lan&guage"))
    language.aboutToShow.connect(lambda: _fill_languages(language, window))
    menu.addSeparator()
    setting(menu, window.preferences, "tab_takes", tr("Tab Ta&kes Words"))
    setting(menu, window.preferences, "small_letters", tr("S&mall Letters Only"))
    menu.addSeparator()
    setting(menu, window.preferences, "learns", tr("&Learn From My Writing"))
    setting(menu, window.preferences, "is_private", tr("&Private Mode"))
    menu.addSeparator()
    here = menu.addMenu(tr("Word at the &Caret"))
    here.aboutToShow.connect(lambda: _fill_here(here, window))
    _fill_here(here, window)
    blocked = menu.addMenu(tr("&Never Suggested"))
    blocked.aboutToShow.connect(lambda: _fill_blocked(blocked, window))
    fill(menu, [
        None,
        Item(tr("St&atistics…"), window.teaching.show_statistics),
        Item(tr("&Forget Everything Learnt…"), lambda: _forget_everything(window)),
    ])  # fmt: skip


def _fill_languages(menu: QMenu, window: Window) -> None:
    menu.clear()
    options = [("", tr("That of the Desktop")), *languages()]
    chosen = window.settings.spelling_language
    choice(menu, menu, options, chosen, lambda name: window.change(spelling_language=name))


def show_for_word(window: Window, word: str, position: QPoint) -> None:
    """Show what can be done with a suggested word."""
    menu = QMenu(window)
    menu.aboutToHide.connect(menu.deleteLater)
    _fill_for(menu, window, word)
    menu.popup(position)


def _fill_for(menu: QMenu, window: Window, word: str) -> None:
    shown = word.replace("&", "&&")
    fill(menu, [
        Item(tr("&Forget “{word}”", word=shown), partial(window.vocabulary.forget, word)),
        Item(tr("&Never Suggest “{word}”", word=shown), partial(window.vocabulary.block, word)),
    ])  # fmt: skip


def _fill_here(menu: QMenu, window: Window) -> None:
    menu.clear()
    word = word_around(window.editor.textCursor())
    if not word:
        menu.addAction(tr("No word at the caret")).setEnabled(False)
        return
    _fill_for(menu, window, word)
    shown = word.replace("&", "&&")
    fill(
        menu,
        [Item(tr("&Always Allow “{word}”", word=shown), partial(window.vocabulary.allow, word))],
    )


def _fill_blocked(menu: QMenu, window: Window) -> None:
    """List the blocked words; choosing one offers it again."""
    menu.clear()
    blocked = sorted(BlockList(paths.blocklist()).blocked)
    for word in blocked:
        quoted = word.replace("&", "&&")
        toggle(menu, Item(quoted, partial(window.vocabulary.allow, word)), is_on=True)
    if not blocked:
        menu.addAction(tr("No words")).setEnabled(False)


def _forget_everything(window: Window) -> None:
    box = QMessageBox(
        QMessageBox.Icon.NoIcon, "Foretype", tr("Forget everything learnt from your writing?"),
        parent=window,
    )  # fmt: skip
    box.setInformativeText(tr(WHAT_IS_FORGOTTEN))
    agreed = box.addButton(tr("Forget Everything"), QMessageBox.ButtonRole.DestructiveRole)
    box.addButton(QMessageBox.StandardButton.Cancel)
    box.exec()
    if box.clickedButton() is agreed:
        window.vocabulary.forget_everything()
