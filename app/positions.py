"""Text positions: Python counts code points, Qt counts UTF-16 units.

The only place that converts between the two.  `😀` is one code point and two units, so every
offset that crosses from a Python string into a Qt document, or back, passes through here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

LAST_OF_BASIC_PLANE = "\uffff"  # characters beyond it take two UTF-16 units


def utf16_length(text: str) -> int:
    """Return how many UTF-16 units `text` takes in a Qt document."""
    if text.isascii():
        return len(text)
    return len(text) + sum(character > LAST_OF_BASIC_PLANE for character in text)


def to_utf16(text: str, index: int) -> int:
    """Return the Qt position of the code point `text[index]`."""
    return utf16_length(text[:index])


def to_index(text: str, offset_utf16: int) -> int:
    """Return the code point index of a Qt position; inside a surrogate pair, that of the pair."""
    if text.isascii():
        return max(0, min(offset_utf16, len(text)))
    units = 0
    for index, character in enumerate(text):
        units += 2 if character > LAST_OF_BASIC_PLANE else 1
        if units > offset_utf16:
            return index
    return len(text)


def all_to_utf16(text: str, indices: np.ndarray) -> np.ndarray:
    """Return the Qt positions of many code point indices (n,), without counting from the start."""
    if text.isascii():
        return indices
    import numpy as np  # the editor starts without it

    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    wide = np.flatnonzero(points > ord(LAST_OF_BASIC_PLANE))
    shifted: np.ndarray = indices + np.searchsorted(wide, indices)
    return shifted
