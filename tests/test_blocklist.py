"""What is never offered, what only once typed out, and who has the last word."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.blocklist import BlockList, BlockListError, folded, is_offensive

if TYPE_CHECKING:
    from pathlib import Path

ORDINARY = """
hello Scunthorpe class assess assassin cockpit cocktail peacock Penistone Essex Dickens analyse
title titan grape therapist specialist country cumulative circumstance Cummings Lesbos snigger
niggle Niger Nigeria spice spick-and-span document butter button suction execute basement hotel
shift shiitake raccoon tycoon pass grass password mass bass gay lesbian queer Jewish Muslim Arab
Asian black white nude breast rape God hell sex die kill bloody us are
"""
SLURS = """
nigger niggers Nigger NIGGA faggot faggots fag chink chinks gook spic kike wetback raghead towelhead
coon paki tranny shemale dyke beaner darkie wog pikey retard retarded
"""


@pytest.mark.parametrize("word", ORDINARY.split())
def test_ordinary_words_are_offered(word: str) -> None:
    assert BlockList().is_allowed(word)
    assert BlockList().is_allowed(word.upper(), word[:2])


@pytest.mark.parametrize("word", SLURS.split())
def test_slurs_are_not_offered_before_they_are_typed_out(word: str) -> None:
    for typed in ("", word[:1], word[:-1]):
        assert not BlockList().is_allowed(word, typed)
    assert BlockList().is_allowed(word, word)


@pytest.mark.parametrize("word", ["fuck", "Shit", "CUNT", "bitches", "asshole's", "asshole’s"])
def test_case_plural_and_possessive_hide_nothing(word: str) -> None:
    assert is_offensive(word)
    assert not BlockList().is_allowed(word, word[:2])


@pytest.mark.parametrize("variant", ["acronyms", "Acronyms", "ACRONYMS", " acronyms "])
def test_a_blocked_word_never_reappears_even_after_restart_and_in_other_case(
    tmp_path: Path, variant: str
) -> None:
    path = tmp_path / "new" / "words.json"
    BlockList(path).block("AcroNyms")
    again = BlockList(path)
    assert not again.is_allowed(variant)
    assert not again.is_allowed(variant, variant), "not even when typed out"
    assert again.is_allowed("acronym")


def test_both_apostrophes_are_one() -> None:
    words = BlockList()
    words.block("don't")
    assert not words.is_allowed("Don’t")


def test_what_the_writer_allows_beats_the_lists(tmp_path: Path) -> None:
    path = tmp_path / "words.json"
    BlockList(path).allow("Shit")
    assert BlockList(path).is_allowed("shit", "s")
    BlockList(path).forget("shit")
    assert not BlockList(path).is_allowed("shit", "s")


def test_the_last_decision_counts() -> None:
    words = BlockList()
    words.allow("moist")
    words.block("moist")
    assert not words.is_allowed("moist")
    words.allow("moist")
    assert words.is_allowed("moist")
    assert not words.blocked


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]))))
def test_any_words_survive_a_restart(
    tmp_path_factory: pytest.TempPathFactory, listed: list[str]
) -> None:
    path = tmp_path_factory.mktemp("blocked") / "words.json"
    words = BlockList(path)
    for word in listed:
        words.block(word)
    again = BlockList(path)
    assert again.blocked == {folded(word) for word in listed}
    assert not any(again.is_allowed(word, word) for word in listed)


@pytest.mark.parametrize(
    "content", ["", "{", "[]", '{"blocked": "no list", "allowed": []}', "\x00"]
)
def test_a_damaged_file_is_put_aside_and_not_overwritten(tmp_path: Path, content: str) -> None:
    path = tmp_path / "words.json"
    path.write_text(content)
    words = BlockList(path)
    assert not words.blocked
    words.block("again")
    assert json.loads(path.read_text())["blocked"] == ["again"]
    assert (tmp_path / "words.json.damaged").read_text() == content


def test_a_file_that_cannot_be_read_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "words.json").mkdir()  # a folder of that name
    words = BlockList(tmp_path / "words.json")
    words.block("moist")
    assert not words.is_allowed("moist")
    assert (tmp_path / "words.json").is_dir()


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written_is_explained(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    words = BlockList(tmp_path / "words.json")
    with pytest.raises(BlockListError, match="until the program ends"):
        words.block("moist")
    assert not words.is_allowed("moist")


def test_a_file_where_the_folder_should_be_is_explained(tmp_path: Path) -> None:
    (tmp_path / "folder").write_text("in the way")
    words = BlockList()
    words.path = tmp_path / "folder" / "words.json"
    with pytest.raises(BlockListError, match="until the program ends"):
        words.block("moist")
    assert not words.is_allowed("moist")


def test_without_a_path_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    BlockList().block("moist")
    assert not list(tmp_path.rglob("*"))
