"""A recipe: a TOML file that names the sources of a mixture, their shares and their filters."""

from __future__ import annotations

import difflib
import re
import tomllib
from dataclasses import MISSING, dataclass, fields
from typing import TYPE_CHECKING, Any, get_args

from training.corpus.document import CorpusError, Unit

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Ingredient:
    """One source of a mixture; without bounds that are given there are none.

    Attributes:
        name: for the report and for credits.
        files: patterns of paths inside the data folder.
        share: of the mixture's characters; all shares together are 1.
        unit: what is a document (see `CorpusOptions`).
        repeat: how often its documents may be used, if they are too few for its share.
        drop: regular expressions; a line in which one is found goes.
        words: fewest and most words of a line.
        document_words: fewest words of a document; shorter ones go.
        same_line: how often a line may occur in the source, small differences aside.
        same_opening: how many lines may begin with the same four words.
        careless: share of the documents to train on that come as some type them, in lower case and
            without commas or a last mark.
        forgets_secrets: whether sentences go that may hold a secret.
    """

    name: str
    files: tuple[str, ...]
    share: float
    unit: Unit = "blank-line"
    repeat: int = 1
    drop: tuple[re.Pattern[str], ...] = ()
    words: tuple[int, int] = (1, 1 << 20)
    document_words: int = 1
    same_line: int | None = None
    same_opening: int | None = None
    careless: float = 0.0
    forgets_secrets: bool = True


@dataclass(frozen=True, slots=True)
class Recipe:
    """What to mix.

    Attributes:
        seed: of the order of documents.
        held_share: of each source's documents, set aside to measure with.
        characters: size of the mixture; None for as much as the shares allow.
        ingredients: the sources.
    """

    seed: int
    ingredients: tuple[Ingredient, ...]
    held_share: float = 0.02
    characters: int | None = None


def load_recipe(path: Path) -> Recipe:
    """Read a recipe: `[[source]]` tables with the fields of `Ingredient`, and those of `Recipe`.

    `drop` of the recipe itself counts for every source.

    Raises:
        CorpusError: it is no recipe; the message names the field and what it may be.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as err:
        raise CorpusError(f"{path} is no TOML file: {err}") from err
    try:
        return _recipe(data)
    except CorpusError as err:
        raise CorpusError(f"{path}: {err}") from err
    except (TypeError, ValueError, re.error) as err:
        raise CorpusError(f"{path} holds a value of the wrong kind: {err}") from err


def _recipe(data: dict[str, Any]) -> Recipe:
    sources, everywhere = data.pop("source", []), data.pop("drop", [])
    ingredients: list[Ingredient] = []
    for source in sources:
        _check(source, Ingredient, f"source {source.get('name', len(ingredients) + 1)!r}")
        source["drop"] = tuple(map(re.compile, [*everywhere, *source.get("drop", ())]))
        source["files"] = tuple(source["files"])
        source["words"] = tuple(
            source.get("words", Ingredient.__dataclass_fields__["words"].default)
        )
        if source.get("unit", "blank-line") not in get_args(Unit):
            raise CorpusError(
                f"unit is {source['unit']!r}; it must be {' or '.join(get_args(Unit))}"
            )
        ingredients.append(Ingredient(**source))
    _check(data, Recipe, "the recipe", given={"ingredients"})
    total = sum(ingredient.share for ingredient in ingredients)
    if abs(total - 1) > 1e-6:
        raise CorpusError(f"the shares of its sources add up to {total:g}; they must add up to 1")
    return Recipe(**data, ingredients=tuple(ingredients))


def _check(
    table: dict[str, Any], kind: type, what: str, given: frozenset[str] | set[str] = frozenset()
) -> None:
    known = {field.name: field for field in fields(kind) if field.name not in given}
    for key in table:
        if key not in known:
            near = difflib.get_close_matches(key, known, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"it may have {', '.join(known)}"
            raise CorpusError(f"{what} has no field {key!r}; {hint}")
    for name, field in known.items():
        if field.default is MISSING and name not in table:
            raise CorpusError(f"{what} lacks {name!r}")
