"""Colours and faces, light and dark.

One idea: a sheet of paper without furniture.  Everything that is not the text is quiet, and one
accent colour means "the model's word".
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cache
from string import Template
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QPalette

from app.paths import ASSETS

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from app.settings import Theme

STYLE_SHEET = "style.qss"
STILL = "QWidget { widget-animation-duration: 0; }"
DESKTOPS_FLASH_TIME = -1  # as Qt understands it
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


def paint_application(
    application: QApplication, theme: Theme, *, reduces_motion: bool = False
) -> None:
    """Give every widget the colours of `theme`; call again when the desktop's scheme changes.

    With `reduces_motion` nothing moves by itself: the caret stays lit, the number of the
    demonstration is at its place at once, and bars do not glide.  That is all there is; Qt stops
    the latter two itself where the desktop wants no animations, as far as it can tell.
    """
    hints = application.styleHints()
    if theme == "system":  # title bars and native dialogs follow where the platform can
        hints.unsetColorScheme()
    else:
        hints.setColorScheme(Qt.ColorScheme.Dark if theme == "dark" else Qt.ColorScheme.Light)
    now = colours(theme)
    application.setPalette(_palette(now))
    application.setStyleSheet(_style_sheet(now) + (STILL if reduces_motion else ""))
    hints.setCursorFlashTime(0 if reduces_motion else DESKTOPS_FLASH_TIME)


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
    signs = {sign: (ASSETS / f"{sign}-{name}.svg").as_posix() for sign in ("up", "down", "check")}
    sheet = Template((ASSETS / STYLE_SHEET).read_text(encoding="utf-8"))
    return sheet.substitute(asdict(now), **signs)
