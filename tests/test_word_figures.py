from __future__ import annotations

import pytest

from app.word_figures import WordFigures, column_percent, percent


@pytest.mark.parametrize(
    ("probability", "text"),
    [
        (1, "100 %"), (0.5, "50.0 %"), (0.2437, "24.4 %"), (0.0624, "6.24 %"),
        (0.000412, "0.0412 %"), (0.00001234, "0.00123 %"), (2.1e-9, "2.1·10⁻⁷ %"), (0, "0.00 %"),
    ],
)  # fmt: skip
def test_a_probability_keeps_three_figures(probability: float, text: str) -> None:
    assert percent(probability) == text


def test_in_a_column_decimals_stand_below_each_other() -> None:
    assert [column_percent(p) for p in (0.5, 0.01234, 1e-9)] == ["50.00 %", "1.23 %", "0.00 %"]


def test_a_word_says_its_figures_in_a_sentence() -> None:
    cat = WordFigures("cat", 3, 7, 4.0, ((b" cat", 1 / 16),), (7,), ((b" mat", 0.25), (b".", 0.1)))
    assert cat.sentence == (
        "“cat”: probability 6.25 %, rank 7, surprisal 4.00 bits. Expected: mat 25.0 %, . 10.0 %."
    )
