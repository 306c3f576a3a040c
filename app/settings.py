"""What the writer has chosen, kept between sessions as one small JSON file."""

from __future__ import annotations

import dataclasses
import difflib
import json
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

from model.files import why_unwritable, write_atomically

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

Theme = Literal["system", "light", "dark"]
MOST_RECENT_FILES = 10
COLUMN_CHARACTERS = range(40, 121)
TEXT_SIZES_PT = (9, 10, 11, 12, 13, 14, 16, 18, 20, 24, 28, 32, 40, 48)

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that is remembered; sizes carry their units in their names."""

    theme: Theme = "system"
    language: str = ""  # of the menus and dialogs; that of the desktop
    writing_face: str = ""  # the one that comes with Foretype
    text_size_pt: int = 14
    column_characters: int = 68
    reduces_motion: bool = False  # beyond what the desktop asks for
    markdown_shown: bool = True  # what its signs mean, in the files that are Markdown
    focus_shown: bool = False
    spelling_checked: bool = True
    spelling_language: str = ""  # that of the desktop
    suggestions_shown: bool = True
    ghost_shown: bool = True
    panel_shown: bool = False
    heat_shown: bool = False
    tab_takes: bool = True
    small_letters: bool = False
    learns: bool = True
    is_private: bool = False
    window_width_px: int = 1080
    window_height_px: int = 760
    window_maximised: bool = False
    recent_files: tuple[str, ...] = ()
    shortcuts: Mapping[str, tuple[str, ...]] = dataclasses.field(default_factory=dict)

    def with_recent(self, path: Path) -> Settings:
        """Return these settings with `path` as the most recent file."""
        others = [name for name in self.recent_files if name != str(path)]
        recent = (str(path), *others)[:MOST_RECENT_FILES]
        return dataclasses.replace(self, recent_files=recent)


def load_settings(path: Path) -> Settings:
    """Read the settings; whatever is missing, damaged or out of range keeps its default."""
    try:
        found: Any = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Settings()
    except (OSError, ValueError, RecursionError) as err:
        log.warning("%s cannot be read, using the default settings: %s", path, err)
        return Settings()
    if not isinstance(found, dict):
        log.warning("%s holds no settings, using the default ones", path)
        return Settings()
    known = [field.name for field in dataclasses.fields(Settings)]
    fields: dict[str, Any] = {}
    for name, value in found.items():
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            log.warning("%s: ignoring unknown setting %r; nearest is %s", path, name, near)
        elif (valid := _valid(name, value)) is None:
            log.warning("%s: %s cannot be %r, using its default", path, name, value)
        else:
            fields[name] = valid
    return Settings(**fields)


def save_settings(path: Path, settings: Settings) -> None:
    """Replace the file of settings; a full or read-only disk is logged, never raised."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(dataclasses.asdict(settings), indent=2, ensure_ascii=False)
        write_atomically(path, text + "\n")
    except OSError as err:
        log.warning("the settings were not saved: %s", why_unwritable(path, err))


def _valid(name: str, value: Any) -> Any:
    """`value` as the setting `name` may hold it, or None."""
    if name == "theme":
        return value if value in get_args(Theme) else None
    if name == "recent_files":
        return tuple(value[:MOST_RECENT_FILES]) if _are_texts(value) else None
    if name == "shortcuts":
        is_sound = isinstance(value, dict) and all(map(_are_texts, value.values()))
        return {action: tuple(keys) for action, keys in value.items()} if is_sound else None
    if type(value) is not type(getattr(Settings(), name)):
        return None
    if name == "text_size_pt":
        return value if TEXT_SIZES_PT[0] <= value <= TEXT_SIZES_PT[-1] else None
    if name == "column_characters":
        return value if value in COLUMN_CHARACTERS else None
    if name.endswith("_px"):
        return value if 200 <= value <= 20_000 else None
    return value


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)
