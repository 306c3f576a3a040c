from __future__ import annotations

import importlib.util
import math
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from tiny_models import tiny_bundle, tiny_checkpoint

from app import how_it_works, training_process
from app import how_it_works_words as words
from app.how_it_works import HowItWorks
from app.how_it_works_attention import Looks, parse
from app.how_it_works_looks import AttentionView
from app.prediction import PredictionController
from model.generation_sentence import MOST_TOKENS, read_sentence, shortened
from model.sampling import softmax
from model.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from model.bundle import Bundle
    from training.export import Precision

has_torch = pytest.mark.skipif(
    importlib.util.find_spec("torch") is None, reason="the reference model needs torch"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny model that keeps its float weights."""
    from training.float_weights import write_float_weights

    folder = tmp_path_factory.mktemp("how") / "tiny"
    tiny_bundle(folder)
    write_float_weights(tiny_checkpoint(), folder)
    return folder


@pytest.fixture
def page(qtbot: QtBot, folder: Path) -> Iterator[HowItWorks]:
    controller = PredictionController()
    with qtbot.waitSignal(controller.ready, timeout=30_000):
        controller.load(folder)
    owner = QWidget()
    qtbot.addWidget(owner)
    page = HowItWorks(controller, lambda: folder, owner)
    page.open("the hand and the")
    qtbot.waitUntil(lambda: page._sentence is not None, timeout=10_000)
    yield page
    page.close()
    controller.stop()


def test_a_sentence_has_the_probabilities_of_a_full_pass(
    bundle_of: Callable[[str, Precision], Bundle],
) -> None:
    bundle = bundle_of("llama", "int8")
    session, tokenizer = Session(bundle), bundle.tokenizer()
    sentence = read_sentence(session, tokenizer, "the hand and the")
    ids = tokenizer.encode("the hand and the")
    logits = session.cache().extend([tokenizer.end_of_text, *ids], rows="all")
    for row, token, shown in zip(logits, ids, sentence.tokens, strict=False):
        chances = softmax(row)
        assert shown.probability == pytest.approx(chances[token])
        assert shown.rank == 1 + np.count_nonzero(chances > chances[token])
        assert shown.expected_probability == pytest.approx(chances.max())
    product = math.prod(token.probability for token in sentence.tokens)
    assert math.exp(sentence.log_probability) == pytest.approx(product)
    assert sentence.perplexity == pytest.approx(product ** (-1 / len(ids)))
    assert sentence.following[0][1] == pytest.approx(softmax(logits[-1]).max())
    assert read_sentence(session, tokenizer, "").tokens == ()


def test_a_long_text_is_cut_before_a_word(bundle_of: Callable[[str, Precision], Bundle]) -> None:
    tokenizer = bundle_of("llama", "int8").tokenizer()
    text, ids = shortened(tokenizer, "wonderful things " * 40)
    assert text.startswith(("wonderful", "things"))
    assert len(ids) <= MOST_TOKENS
    assert tokenizer.decode(ids) == text


def test_the_page_explains_the_sentence(qtbot: QtBot, page: HowItWorks) -> None:
    count = len(page._sentence.tokens)
    assert page.count.text() == f"{count} tokens of the 269 that this model knows."
    assert page.chances.accessibleDescription().count("%") == count
    assert page.product.text().startswith("P = ")
    page.chances.setFocus()
    QTest.keyClick(page.chances, Qt.Key.Key_Right)
    assert page.about.text().startswith("Given “")
    page.field.setText("and a")
    QTest.keyClick(page.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: page._sentence.text == "and a", timeout=10_000)
    page.grab()


@has_torch
def test_the_reference_model_shows_where_it_looks(qtbot: QtBot, page: HowItWorks) -> None:
    QTest.mouseClick(page.look, Qt.MouseButton.LeftButton)
    assert page.trouble.text() == words.WORKING
    qtbot.waitUntil(page.layer.isEnabled, timeout=120_000)
    assert (page.layer.maximum(), page.head.maximum()) == (2, 2)
    first = page.view.accessibleDescription()
    assert "takes" in first
    page.layer.setValue(2)
    page.as_matrix.setChecked(True)
    page.view.grab()
    QTest.keyClick(page.view, Qt.Key.Key_Up)
    assert page.view.accessibleDescription() not in ("", first)
    page.field.setText("and a")
    QTest.keyClick(page.field, Qt.Key.Key_Return)
    assert not page.layer.isEnabled()  # it was another sentence's


def test_without_torch_the_page_says_what_to_install(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ["python", "-m", "pip", "install", "torch<3"]
    monkeypatch.setattr(how_it_works, "torch_command", lambda: command)
    owner = QWidget()
    qtbot.addWidget(owner)
    page = HowItWorks(PredictionController(), lambda: None, owner)
    page.show()
    assert "python -m pip install 'torch<3'" in page.trouble.text()
    assert page.trouble.isVisibleTo(page)
    assert not page.look.isEnabled()


@has_torch
def test_a_model_without_float_weights_says_what_to_do(
    qtbot: QtBot, page: HowItWorks, tmp_path: Path
) -> None:
    tiny_bundle(tmp_path / "bare")
    page._folder = lambda: tmp_path / "bare"
    QTest.mouseClick(page.look, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "install the model again" in page.trouble.text(), timeout=120_000)
    assert page.look.isEnabled()


def test_a_program_that_breaks_is_reported(qtbot: QtBot, page: HowItWorks) -> None:
    def command_of(module: str) -> list[str]:
        return [sys.executable, "-c", "import sys; sys.exit('out of memory')"]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("app.how_it_works_attention.command_of", command_of)
        page._on_look()
        qtbot.waitUntil(lambda: "out of memory" in page.trouble.text(), timeout=30_000)


def test_looks_are_read_row_by_row() -> None:
    said = {
        "tokens": ["", "6120", "62"], "layers": 1, "heads": 1,
        "weights": [[[1000, 250, 750, 100, 200, 700]]],
    }  # fmt: skip
    looks = parse(said)
    assert looks.tokens == ("start", "a·", "b")
    assert looks.share(0, 0, 1, 0) == 0.25
    assert looks.share(0, 0, 2, 2) == 0.7
    assert looks.share(0, 0, 1, 2) == 0


def test_the_view_says_what_a_token_takes_most_from(qtbot: QtBot) -> None:
    view = AttentionView()
    qtbot.addWidget(view)
    view.show_looks(Looks(("start", "a", "b"), 1, 1, [[[1000, 250, 750, 100, 200, 700]]]))
    assert view.said == "b takes 70% from b, 20% from a, 10% from start"
    QTest.keyClick(view, Qt.Key.Key_Up)
    assert view.said == "a takes 75% from a, 25% from start"
    view.show_looks(Looks(("start", "a", "b"), 1, 1, [[[1000, 250, 750, 3, 997, 0]]]))
    assert view.said == "b takes 100% from a"


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("One. Two wo|rds here. Three.", "Two words here."),
        ("One. Two.|", "Two."),
        ("One. Two. |", "Two."),
        ("|One. Two.", "One."),
        ("Is it? “Yes!” she s|aid", "she said"),
        ("|", ""),
    ],
)
def test_the_sentence_at_the_caret(line: str, sentence: str) -> None:
    before, after = line.split("|")
    assert words.sentence_at(before, after) == sentence


def test_the_command_that_installs_torch_is_the_apps_own() -> None:
    assert how_it_works.torch_command is training_process.torch_command
