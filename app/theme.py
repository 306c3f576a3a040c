"""Colours and faces, light and dark.

One idea: a sheet of paper without furniture.  Everything that is not the text is quiet, and one
accent colour means "the model's word".
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QPalette

from app.paths import ASSETS

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from app.settings import Theme

WRITING_FACE = "SourceSerifPro-Regular.ttf"
FALLBACK_FACES = ["Source Serif Pro", "Source Serif 4", "Charter", "Georgia", "Noto Serif", "serif"]
INTERFACE_FACES = {"Sans Serif", "Sans", "DejaVu Sans"}  # what Qt falls back to on a bare system
BETTER_FACES = ["Inter", "Cantarell", "Noto Sans", "DejaVu Sans"]
INTERFACE_SIZE_PT = 9.5
SMALL_SIZE_PT = 8.5


@dataclass(frozen=True, slots=True)
class Colours:
    """The colours of one theme, as `#rrggbb`; text ones reach a contrast of 4.5:1 on both grounds.

    `paper` lies behind the text, `ground` behind the panel and menus; `ink` writes, `quiet`
    writes what may be overlooked, `line` divides, `accent` marks the model's word; `found` lies
    behind what was looked for, `wrong` underlines what may be misspelt.
    """

    paper: str
    ground: str
    ink: str
    quiet: str
    line: str
    accent: str
    selection: str
    found: str
    wrong: str


LIGHT = Colours(
    paper="#fdfcfa", ground="#f6f4ef", ink="#262420", quiet="#6b675e", line="#e4e0d7",
    accent="#0b6b60", selection="#cfe6e0", found="#f4e7bb", wrong="#c2412d",
)  # fmt: skip
DARK = Colours(
    paper="#1c1d1f", ground="#232528", ink="#dedbd4", quiet="#9c9990", line="#36393d",
    accent="#74cbbb", selection="#2c4b48", found="#4d431f", wrong="#ec8373",
)  # fmt: skip


def colours(theme: Theme) -> Colours:
    """Return the colours of a theme; those of "system" are the desktop's at this moment."""
    if theme == "system":
        scheme = QGuiApplication.styleHints().colorScheme()
        return DARK if scheme == Qt.ColorScheme.Dark else LIGHT
    return DARK if theme == "dark" else LIGHT


def current() -> Colours:
    """Return the colours in force."""
    dark = QGuiApplication.palette().base().color().name() == DARK.paper
    return DARK if dark else LIGHT


def paint_application(application: QApplication, theme: Theme) -> None:
    """Give every widget the colours of `theme`; call again when the desktop's scheme changes."""
    hints = application.styleHints()
    if theme == "system":  # title bars and native dialogs follow where the platform can
        hints.unsetColorScheme()
    else:
        hints.setColorScheme(Qt.ColorScheme.Dark if theme == "dark" else Qt.ColorScheme.Light)
    now = colours(theme)
    application.setPalette(_palette(now))
    application.setStyleSheet(_style_sheet(now))


@cache
def _writing_families() -> list[str]:
    identity = QFontDatabase.addApplicationFont(str(ASSETS / WRITING_FACE))
    return [*QFontDatabase.applicationFontFamilies(identity), *FALLBACK_FACES]


def ghost_colour(palette: QPalette) -> QColor:
    """Return the colour of ghost text: halfway between the ink and the paper."""
    ink, paper = palette.text().color(), palette.base().color()
    return QColor(
        (ink.red() + paper.red()) // 2,
        (ink.green() + paper.green()) // 2,
        (ink.blue() + paper.blue()) // 2,
    )


def writing_font(size_pt: float, face: str = "") -> QFont:
    """Return the face of the text; unless one is named, a bookish serif that Foretype brings."""
    font = QFont()
    font.setFamilies([face, *_writing_families()] if face else _writing_families())
    font.setPointSizeF(size_pt)
    font.setStyleHint(QFont.StyleHint.Serif)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return font


def interface_font(size_pt: float = INTERFACE_SIZE_PT) -> QFont:
    """Return the face of everything around the text: the desktop's own."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    if font.family() in INTERFACE_FACES:
        font.setFamilies(BETTER_FACES)
    font.setPointSizeF(size_pt)
    font.setFeature(QFont.Tag("tnum"), 1)  # figures of one width, so that columns stand still
    return font


def _palette(now: Colours) -> QPalette:
    palette = QPalette(QColor(now.ground))
    role = QPalette.ColorRole
    for roles, colour in (
        ((role.Window, role.AlternateBase), now.ground),
        ((role.Base, role.Button, role.ToolTipBase), now.paper),
        ((role.Text, role.WindowText, role.ButtonText, role.HighlightedText, role.ToolTipText),
         now.ink),
        ((role.PlaceholderText,), now.quiet),
        ((role.Highlight,), now.selection),
        ((role.Link, role.Accent), now.accent),
        ((role.Mid, role.Midlight, role.Dark, role.Light), now.line),
    ):  # fmt: skip
        for one in roles:
            palette.setColor(one, QColor(colour))
    for one in (role.Text, role.WindowText, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, one, QColor(now.quiet))
    return palette


def _style_sheet(now: Colours) -> str:
    name = "dark" if now is DARK else "light"
    signs = (ASSETS / f"{sign}-{name}.svg" for sign in ("up", "down", "check"))
    up, down, check = (file.as_posix() for file in signs)
    return f"""
    QMainWindow, QMenuBar, QStatusBar {{ background: {now.paper}; color: {now.ink}; }}
    QMenuBar {{ padding: 3px 8px; }}
    QMenuBar::item {{ padding: 4px 9px; border-radius: 5px; color: {now.quiet}; }}
    QMenuBar::item:selected {{ background: {now.ground}; color: {now.ink}; }}
    QMenu {{ background: {now.paper}; border: 1px solid {now.line}; padding: 5px; }}
    QMenu::item {{ padding: 5px 26px 5px 22px; border-radius: 4px; }}
    QMenu::item:selected {{ background: {now.ground}; color: {now.ink}; }}
    QMenu::item:disabled {{ color: {now.quiet}; }}
    QMenu::separator {{ height: 1px; background: {now.line}; margin: 5px 8px; }}
    QStatusBar {{ color: {now.quiet}; }}
    QStatusBar::item {{ border: none; }}
    QStatusBar QLabel, QLabel[isQuiet="true"] {{ color: {now.quiet}; }}
    QStatusBar QLabel[isBadge="true"] {{ color: {now.accent}; border: 1px solid {now.accent};
                              border-radius: 4px; padding: 0 7px 1px 7px; margin-right: 10px; }}
    QToolTip {{ background: {now.paper}; color: {now.ink}; border: 1px solid {now.line}; }}
    QPushButton {{ background: transparent; color: {now.accent}; border: 1px solid {now.line};
                   border-radius: 6px; padding: 5px 14px; }}
    QPushButton:hover, QPushButton:focus {{ border-color: {now.accent}; }}
    QDialogButtonBox QPushButton:default, QPushButton[isMain="true"]:enabled {{
        background: {now.accent}; color: {now.paper}; border-color: {now.accent}; }}
    QFrame[isFramed="true"] {{ border: 1px solid {now.line}; border-radius: 5px; padding: 3px; }}
    QPushButton:disabled {{ color: {now.quiet}; }}
    QLineEdit, QComboBox {{ background: {now.paper}; color: {now.ink};
                   border: 1px solid {now.line}; border-radius: 5px; padding: 4px 8px;
                   selection-background-color: {now.selection}; selection-color: {now.ink}; }}
    QLineEdit:focus, QComboBox:focus, QAbstractSpinBox:focus {{ border-color: {now.accent}; }}
    QAbstractSpinBox {{ background: {now.paper}; color: {now.ink}; border: 1px solid {now.line};
                border-radius: 5px; padding: 3px 0; }}
    QAbstractSpinBox QLineEdit {{ border: none; padding: 0; background: transparent; }}
    QComboBox::drop-down, QAbstractSpinBox::up-button, QAbstractSpinBox::down-button {{
        border: none; background: transparent; width: 24px; }}
    QComboBox::down-arrow, QAbstractSpinBox::down-arrow {{ image: url({down});
                                                           width: 10px; height: 10px; }}
    QAbstractSpinBox::up-arrow {{ image: url({up}); width: 10px; height: 10px; }}
    QCheckBox {{ spacing: 8px; }}
    QCheckBox::indicator {{ width: 13px; height: 13px; border: 1px solid {now.quiet};
                            border-radius: 3px; background: {now.paper}; }}
    QCheckBox::indicator:checked {{ background: {now.accent}; border-color: {now.accent};
                                    image: url({check}); }}
    QCheckBox::indicator:focus, QCheckBox::indicator:hover {{ border-color: {now.accent}; }}
    QTreeWidget {{ background: {now.paper}; border: 1px solid {now.line}; border-radius: 5px;
                   padding: 4px; outline: none; }}
    QTreeWidget::item {{ padding: 3px 6px; border-radius: 4px; }}
    QTreeWidget::item:selected {{ background: {now.selection}; color: {now.ink}; }}
    QToolButton {{ border: none; border-radius: 4px; padding: 3px 7px; color: {now.quiet};
                   background: transparent; }}
    QToolButton:hover {{ background: {now.line}; color: {now.ink}; }}
    QToolButton:checked {{ background: {now.selection}; color: {now.ink}; }}
    QTabBar {{ background: {now.paper}; }}
    QTabBar::tab:first {{ margin-left: 6px; }}
    QTabBar::tab {{ background: transparent; color: {now.quiet}; padding: 7px 2px 7px 14px;
                    border: none; border-bottom: 2px solid transparent; max-width: 220px; }}
    QTabBar::tab:selected {{ color: {now.ink}; border-bottom-color: {now.accent}; }}
    QTabBar::tab:hover {{ color: {now.ink}; }}
    QTabBar QToolButton {{ padding: 0 5px 2px 5px; margin-right: 4px; }}
    QDialog {{ background: {now.paper}; }}
    QDialogButtonBox {{ dialogbuttonbox-buttons-have-icons: 0; }}
    QDialogButtonBox QPushButton {{ min-width: 64px; }}
    QScrollBar:vertical {{ background: transparent; width: 11px; margin: 0; }}
    QScrollBar::handle:vertical {{ background: {now.line}; min-height: 36px; border-radius: 3px;
                                   margin: 2px 3px; }}
    QScrollBar::handle:vertical:hover {{ background: {now.quiet}; }}
    QScrollBar::add-line, QScrollBar::sub-line {{ height: 0; }}
    QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
    QProgressBar {{ background: {now.line}; border: none; border-radius: 2px; height: 4px; }}
    QProgressBar::chunk {{ background: {now.accent}; border-radius: 2px; }}
    """
