"""The settings on one page; each takes effect as it is chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from PySide6.QtCore import QTimer, Slot
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.settings import COLUMN_CHARACTERS, TEXT_SIZES_PT, Theme

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from app.preferences import Preferences

WIDTH_PX = 460
FIELD_MARGIN_PX = 6  # as the style sheet gives other fields
OWN_FACE = "Source Serif Pro"
SUGGESTIONS = (
    ("suggestions_shown", "Show suggestions under the text"),
    ("ghost_shown", "Show ghost text after the caret"),
    ("tab_takes", "Tab takes the ghost text or the first suggestion"),
    ("small_letters", "Suggest in small letters only"),
    ("learns", "Learn from my writing"),
)


class SettingsDialog(QDialog):
    """Shows the settings in force, and changes them."""

    def __init__(
        self, preferences: Preferences, languages: Sequence[tuple[str, str]],
        show_shortcuts: Callable[[], object], parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._preferences = preferences
        self._is_following = False
        self._followers: list[Callable[[], None]] = []
        self.setWindowTitle("Settings")
        self.setMinimumWidth(WIDTH_PX)
        self._form = QFormLayout()
        self._form.setVerticalSpacing(9)
        self._form.setHorizontalSpacing(16)
        self._fill_writing()
        self._add_heading("Suggestions")
        for field, text in SUGGESTIONS:
            self._add_check(field, text)
        self._add_heading("Spelling")
        self._add_check("spelling_checked", "Underline what may be misspelt")
        self._add_choice("spelling_language", "Language", [("", "That of the desktop"), *languages])
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        keys = buttons.addButton("Keyboard Shortcuts…", QDialogButtonBox.ButtonRole.ActionRole)
        keys.setAutoDefault(False)
        keys.clicked.connect(lambda: show_shortcuts())
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 16, 24, 16)
        column.setSpacing(20)
        column.addLayout(self._form)
        column.addWidget(buttons)
        preferences.changed.connect(self._follow)
        self._follow()

    def _fill_writing(self) -> None:
        self._add_heading("Writing")
        faces = [face for face in QFontDatabase.families() if face != OWN_FACE]
        options = [("", f"{OWN_FACE} (comes with Foretype)"), *((face, face) for face in faces)]
        self._add_choice("writing_face", "Face", options)
        self._add_number("text_size_pt", "Size", TEXT_SIZES_PT[0], TEXT_SIZES_PT[-1], " pt")
        self._add_number(
            "column_characters", "Width", COLUMN_CHARACTERS[0], COLUMN_CHARACTERS[-1], " characters"
        )
        themes = [(name, name.capitalize()) for name in get_args(Theme)]
        self._add_choice("theme", "Theme", themes)
        self._add_check("markdown_shown", "Show headings, emphasis and code in Markdown files")
        self._add_check("reduces_motion", "Reduce motion")

    def _add_heading(self, text: str) -> None:
        label = QLabel(text)
        font = theme.interface_font(theme.SMALL_SIZE_PT)
        font.setWeight(font.Weight.DemiBold)
        label.setFont(font)
        label.setProperty("isQuiet", True)
        label.setContentsMargins(0, 10, 0, 0)
        self._form.addRow(label)

    def _add_check(self, field: str, text: str) -> None:
        box = QCheckBox(text)
        box.setObjectName(field)
        box.toggled.connect(lambda is_on: self._change(field, is_on))
        self._followers.append(lambda: box.setChecked(getattr(self._preferences.now, field)))
        self._form.addRow(box)

    def _add_number(self, field: str, text: str, least: int, most: int, unit: str) -> None:
        box = QSpinBox()
        box.setObjectName(field)
        box.setRange(least, most)
        box.setSuffix(unit)
        box.lineEdit().setTextMargins(FIELD_MARGIN_PX, 0, 0, 0)
        later = QTimer(box)  # a number that is being typed is not yet what is meant
        later.setSingleShot(True)
        later.setInterval(250)
        later.timeout.connect(lambda: self._change(field, box.value()))
        box.valueChanged.connect(lambda _: None if self._is_following else later.start())
        self._followers.append(lambda: box.setValue(getattr(self._preferences.now, field)))
        self._form.addRow(text, box)

    def _add_choice(self, field: str, text: str, options: Sequence[tuple[str, str]]) -> None:
        box = QComboBox()
        box.setObjectName(field)
        for key, shown in options:
            box.addItem(shown, key)
        box.setMinimumContentsLength(24)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.activated.connect(lambda place: self._change(field, box.itemData(place)))

        def follow() -> None:
            box.setCurrentIndex(max(0, box.findData(getattr(self._preferences.now, field))))

        self._followers.append(follow)
        self._form.addRow(text, box)

    def _change(self, field: str, value: object) -> None:
        if not self._is_following:
            self._preferences.change(**{field: value})

    @Slot()
    def _follow(self) -> None:
        self._is_following = True
        for follow in self._followers:
            follow()
        self._is_following = False
