"""A recipe gives its shares, the same order each time, and nothing that it filters."""

from __future__ import annotations

from pathlib import Path

import pytest

from training.corpus import CorpusError
from training.corpus.mixture import Mixture, mix
from training.corpus.recipe import load_recipe

RECIPES = Path(__file__).parents[1] / "training" / "recipes"
RECIPE = """
seed = 3
held_share = 0.1
drop = ['555-01\\d\\d']
[[source]]
name = "chat"
files = ["chat*.txt"]
share = 0.75
same_line = 2
same_opening = 30
[[source]]
name = "lines"
files = ["lines.txt"]
unit = "line"
share = 0.25
repeat = 2
words = [2, 9]
"""
TONES = ["red", "blue", "green", "grey", "black", "white", "pink", "brown"]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "recipe.toml").write_text(RECIPE)
    chat = [
        f"{a} {b} hello there\nRing 555-0123."
        + ("\nIs there anything else today?" if a == b else "")
        for a in TONES for b in TONES
    ]  # fmt: skip
    (tmp_path / "chat.txt").write_text("\n\n".join(chat))
    lines = [f"one {a} {b}" for a in TONES[:4] for b in TONES[:3]]
    (tmp_path / "lines.txt").write_text("\n".join([*lines, "x", "far " * 12]))
    return tmp_path


def mixed(data: Path, recipe: str | None = None, **more: object) -> Mixture:
    if recipe is not None:
        (data / "recipe.toml").write_text(recipe)
    return mix(load_recipe(data / "recipe.toml"), data, **more)  # type: ignore[arg-type]


def test_every_source_has_its_share(data: Path) -> None:
    mixture = mixed(data)
    chat, lines = mixture.portions
    assert chat.used / (chat.used + lines.used) == pytest.approx(0.75, abs=0.03)
    assert lines.repeats == pytest.approx(2, abs=0.1)
    assert chat.repeats <= 1
    assert sum(len(document.text) for document in mixture.documents) == chat.used + lines.used


def test_the_order_depends_on_the_seed_alone(data: Path) -> None:
    first, again = mixed(data), mixed(data)
    other = mixed(data, RECIPE.replace("seed = 3", "seed = 4"))
    assert list(first.documents) == list(again.documents)
    assert list(first.held) == list(again.held)
    assert list(first.documents) != list(other.documents)


def test_what_is_held_out_is_trained_on_nowhere(data: Path) -> None:
    mixture = mixed(data)
    held = {document.text for document in mixture.held}
    assert len(held) == round(0.1 * 64) + round(0.1 * 12)
    assert not held & {document.text for document in mixture.documents}


def test_filters_drop_lines_and_say_so(data: Path) -> None:
    mixture = mixed(data)
    everything = [document.text for document in [*mixture.documents, *mixture.held]]
    assert not any("555" in text or "far" in text or text == "x" for text in everything)
    assert sum("anything else" in text for text in everything) <= 2
    why = {(left.what, left.why): left.count for left in mixture.left_out}
    assert why["chat: lines", "the same line came 2 times before"] == 6
    assert why["lines: lines", "not of 2 to 9 words"] == 2


def test_sentences_to_exclude_are_in_no_document(data: Path) -> None:
    (data / "dev").write_text("Red blue, hello there.")
    mixture = mixed(data, exclude=[data / "dev"])
    assert not any(
        "red blue hello" in document.text for document in [*mixture.documents, *mixture.held]
    )


def test_a_size_is_kept_where_the_source_has_enough(data: Path) -> None:
    mixture = mixed(data, "characters = 1000\n" + RECIPE)
    assert [portion.used for portion in mixture.portions] == pytest.approx([750, 250], abs=50)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("share = 0.75", "share = 0.7", "add up to 0.95"),
        ("same_line", "same_lines", "did you mean 'same_line'"),
        ("share = 0.25", "", "lacks 'share'"),
        ('"line"', '"page"', "file or blank-line or line"),
        ("'555", "'(555", "wrong kind"),
        ("seed = 3", "seed = ", "no TOML"),
        ("chat*", "cat*", "no file in .* matches cat"),
        ("[2, 9]", "[50, 90]", "nothing left"),
    ],
)
def test_a_wrong_recipe_is_explained(data: Path, old: str, new: str, complaint: str) -> None:
    with pytest.raises(CorpusError, match=complaint):
        mixed(data, RECIPE.replace(old, new, 1))


@pytest.mark.parametrize("path", sorted(RECIPES.glob("*.toml")), ids=lambda path: path.stem)
def test_our_recipes_are_valid(path: Path) -> None:
    assert load_recipe(path).ingredients


def test_some_documents_come_as_they_are_carelessly_typed(data: Path) -> None:
    (data / "lines.txt").write_text("\n".join(f"Well, {a} and {b}?" for a in TONES for b in TONES))
    mixture = mixed(data, RECIPE + "careless = 0.5\n")
    lines = [document.text for document in mixture.documents if "well" in document.text.lower()]
    careless = [text for text in lines if text == text.lower().replace(",", "").rstrip("?")]
    assert 0.2 < len(careless) / len(lines) < 0.8
    assert all(text in careless or text.startswith("Well, ") for text in lines)
    assert not any(document.text.startswith("well") for document in mixture.held)
