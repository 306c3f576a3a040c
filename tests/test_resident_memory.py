"""Typing for hours takes no more memory than typing for minutes."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tiny_models import TINY_LLAMA, tiny_bundle

from model.memory import Memory
from model.predictor import Predictor, load_predictor
from model.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterator

KEYS, WARM = 10_000, 1_000
SENTENCE = "When the rain was over, they went out and the street was wet. HE SAID SO. 天气很好。 "


def resident_bytes() -> int:
    """What this process holds of the machine's memory now."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def texts() -> Iterator[str]:
    """The text after each key, as the editor hands it on; sentences change a little each time."""
    written = ""
    for i in range(KEYS):
        letter = SENTENCE[i % len(SENTENCE)]
        written = (written + (str(i) if letter == "," else letter))[-16_000:]
        yield written


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_10_000_keystrokes_leave_the_memory_flat(tmp_path: Path) -> None:
    folder = os.environ.get("FORETYPE_TEST_BUNDLE")
    memory = Memory(None)
    if folder and "FORETYPE_TEST_LONG" in os.environ:  # takes a quarter of an hour
        predictor = load_predictor(Path(folder), memory=memory)
    else:
        bundle = tiny_bundle(tmp_path / "tiny", replace(TINY_LLAMA, context_tokens=256))
        predictor = Predictor(Session(bundle), bundle.tokenizer(), memory=memory)
    sizes = []
    for i, text in enumerate(texts()):
        predictor.glance(text)
        if i % 3 == 0:
            predictor.predict(text)
        if i % 12 == 0:
            predictor.look_ahead(text)
        if i % len(SENTENCE) == 0:
            predictor.learn(text[-len(SENTENCE) :])
        if i >= WARM and i % 500 == 0:
            sizes.append(resident_bytes())
    assert max(sizes) <= 1.05 * sizes[0], sizes
