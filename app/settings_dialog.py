"""The settings on one page; each takes effect as it is chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
from app.settings import COLUMN_CHARACTERS, TEXT_SIZES_PT
from app.translation import LANGUAGES, marked, tr

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from app.preferences import Preferences

WIDTH_PX = 460
FIELD_MARGIN_PX = 6  # as the style sheet gives other fields
OWN_FACE = "Source Serif Pro"
THEMES = (("system", marked("System")), ("light", marked("Light")), ("dark", marked("Dark")))
SUGGESTIONS = (
    ("suggestions_shown", marked("Show suggestions under the text")),
    ("ghost_shown", marked("Show ghost text after the caret")),
    ("tab_takes", marked("Tab takes the ghost text or the first suggestion")),
    ("small_letters", marked("Suggest in small letters only")),
    ("learns", marked("Learn from my writing")),
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
        self.setWindowTitle(tr("Settings"))
        self.setMinimumWidth(WIDTH_PX)
        self._form = QFormLayout()
        self._form.setVerticalSpacing(9)
        self._form.setHorizontalSpacing(16)
        self._fill_writing()
        self._add_heading(tr("Suggestions"))
        for field, text in SUGGESTIONS:
            self._add_check(field, tr(text))
        self._add_heading(tr("Spelling"))
        self._add_check("spelling_checked", tr("Underline what may be misspelt"))
        self._add_choice(
            "spelling_language", tr("Language"), [("", tr("That of the desktop")), *languages]
        )
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        keys = buttons.addButton(tr("Keyboard Shortcuts…"), QDialogButtonBox.ButtonRole.ActionRole)
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
        self._add_heading(tr("Writing"))
        faces = [face for face in QFontDatabase.families() if face != OWN_FACE]
        options = [
            ("", tr("{face} (comes with Foretype)", face=OWN_FACE)),
            *((face, face) for face in faces),
        ]
        self._add_choice("writing_face", tr("Face"), options)
        self._add_number("text_size_pt", tr("Size"), TEXT_SIZES_PT[0], TEXT_SIZES_PT[-1], " pt")
        self._add_number(
            "column_characters",
            tr("Width"),
            COLUMN_CHARACTERS[0],
            COLUMN_CHARACTERS[-1],
            tr(" characters"),
        )
        self._add_choice("theme", tr("Theme"), [(name, tr(title)) for name, title in THEMES])
        languages = [("", tr("That of the desktop")), *LANGUAGES.items()]
        box = self._add_choice("language", tr("Language of Foretype"), languages)
        box.setToolTip(tr("From the next start on"))
        self._add_check("markdown_shown", tr("Show headings, emphasis and code in Markdown files"))
        self._add_check("reduces_motion", tr("Reduce motion"))

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

    def _add_choice(self, field: str, text: str, options: Sequence[tuple[str, str]]) -> QComboBox:
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
        return box

    def _change(self, field: str, value: object) -> None:
        if not self._is_following:
            self._preferences.change(**{field: value})

    @Slot()
    def _follow(self) -> None:
        self._is_following = True
        for follow in self._followers:
            follow()
        self._is_following = False
