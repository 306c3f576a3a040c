"""`--trace FILE`: when each key was pressed, and when its suggestions were on screen.

One JSON object a line and keystroke, times in milliseconds of the `time.monotonic` clock:
`event_ms` (the window system's own time, 0 if unknown), `key_ms` (the editor had the key),
`glyph_ms` (from then until the text was drawn), `painted_ms` (the bar drew words for this very
text; null if the next key came first), `latency_ms` between `key_ms` and that, `prepared` (whether
these words were read off work done before the key), `refined_ms` (it drew what the whole prediction
gave), `model_ms` (what the model took for the words drawn last), and these `words` as [word,
probability].
"""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from app.editor import Keystroke
    from model.offer import Word


class Trace:
    """Writes the trace of one session."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("w", encoding="utf-8", buffering=1)
        self._key: Keystroke | None = None
        self._line: dict[str, Any] | None = None  # of the last key, until its words are painted

    def key(self, keystroke: Keystroke) -> None:
        """Note a key that changed the text or moved the caret; others leave no line."""
        self._flush()
        if keystroke is self._key or not keystroke.handled_ms:  # the mouse, or a model just loaded
            return
        self._key = keystroke
        self._line = {
            "event_ms": keystroke.event_ms, "key_ms": round(keystroke.handled_ms, 3),
            "glyph_ms": None,
            "painted_ms": None, "latency_ms": None, "prepared": None, "refined_ms": None,
            "model_ms": None,
            "words": [],
        }  # fmt: skip

    def text_painted(self) -> None:
        """Note that the text has been drawn."""
        if self._line is not None and self._line["glyph_ms"] is None:
            self._line["glyph_ms"] = round(time.monotonic() * 1000 - self._line["key_ms"], 3)

    def prepared(self, is_prepared: bool) -> None:
        """Note whether what comes first was worked out before the key."""
        if self._line is not None:
            self._line["prepared"] = is_prepared

    def answered(self, words: Sequence[Word], model_ms: float) -> None:
        """Note what the bar is about to draw."""
        if self._line is not None:
            self._line["model_ms"] = round(model_ms, 3)
            self._line["words"] = [[word.text, round(word.probability, 6)] for word in words]

    def painted(self) -> None:
        """Note that the bar has drawn what was answered: first a glance, then the whole."""
        if self._line is None or self._line["model_ms"] is None:
            return
        now_ms = round(time.monotonic() * 1000, 3)
        if self._line["painted_ms"] is None:
            self._line["painted_ms"] = now_ms
            self._line["latency_ms"] = round(now_ms - self._line["key_ms"], 3)
        self._line["refined_ms"] = now_ms

    def close(self) -> None:
        """Write what is left."""
        self._flush()
        self._file.close()

    def _flush(self) -> None:
        if self._line is not None:
            self._file.write(json.dumps(self._line, ensure_ascii=False) + "\n")
            self._line = None
