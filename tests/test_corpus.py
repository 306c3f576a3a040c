"""From files to documents: what is kept, what is left out and said to be."""

from __future__ import annotations

import gzip
import lzma
import os
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from training.corpus import CorpusError, CorpusOptions, Document, read_corpus, split
from training.corpus.cleaning import sentences, tidy, unwrap
from training.corpus.masking import Masking

if TYPE_CHECKING:
    from pathlib import Path

    from training.corpus import Corpus


def written(folder: Path, **files: str | bytes) -> Path:
    """`folder` with files; two underscores in a name are its dot."""
    for name, content in files.items():
        data = content if isinstance(content, bytes) else content.encode()
        (folder / name.replace("__", ".")).write_bytes(data)
    return folder


def texts(corpus: Corpus) -> list[str]:
    return [document.text for document in corpus.documents]


def why(corpus: Corpus, what: str) -> str:
    """Why `what`, or the file whose name ends so, was left out."""
    return "; ".join(left.why for left in corpus.report.left_out if left.what.endswith(what))


def test_a_file_is_a_document_with_its_paragraphs(tmp_path: Path) -> None:
    written(tmp_path, a__txt="First.\r\n\r\n\r\nSecond  one.\t\n", b__txt="Other.")
    corpus = read_corpus([tmp_path])
    assert texts(corpus) == ["First.\n\nSecond one.", "Other."]
    assert corpus.documents[0].source == str(tmp_path / "a.txt")
    assert (corpus.report.files, corpus.report.documents, corpus.report.words) == (2, 2, 4)


@pytest.mark.parametrize(
    ("unit", "expected"),
    [("blank-line", ["One\ntwo", "Three"]), ("line", ["One", "two", "Three"])],
)
def test_a_file_may_hold_many_documents(tmp_path: Path, unit: str, expected: list[str]) -> None:
    written(tmp_path, a__txt="\nOne\ntwo\n\n\nThree\n")
    corpus = read_corpus([tmp_path / "a.txt"], CorpusOptions(unit=unit))
    assert texts(corpus) == expected
    assert corpus.documents[0].source.endswith("a.txt:2")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
def test_any_encoding_is_read(tmp_path: Path, encoding: str) -> None:
    text = "Größe und Maß sind für Ärzte übrigens häufig überschätzte Größen, sagt Jürgen."
    written(tmp_path, a__txt=text.encode(encoding))
    assert texts(read_corpus([tmp_path])) == [text]


def test_a_file_named_by_the_user_needs_no_suffix(tmp_path: Path) -> None:
    written(tmp_path, diary="Dear diary.", picture__png=b"\x89PNG\0\1\2\3")
    assert texts(read_corpus([tmp_path])) == []
    corpus = read_corpus([tmp_path / "diary", tmp_path / "picture.png"])
    assert texts(corpus) == ["Dear diary."]
    assert "no text" in why(corpus, "picture.png")


def test_encoded_data_is_no_text(tmp_path: Path) -> None:
    written(tmp_path, a__txt=f"Look: {'QUJD' * 1000}\nNice.")
    corpus = read_corpus([tmp_path])
    assert texts(corpus) == ["Nice."]
    assert "endless" in why(corpus, "lines")


def test_packed_files_are_read(tmp_path: Path) -> None:
    written(tmp_path, a__txt__xz=lzma.compress(b"Packed."), b__txt__gz=gzip.compress(b"Zipped."))
    assert texts(read_corpus([tmp_path])) == ["Packed.", "Zipped."]


def test_what_cannot_be_read_is_reported_and_the_rest_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("training.corpus.files.BOMB_BYTES", 1 << 20)
    written(
        tmp_path,
        good__txt="Good.",
        empty__txt="",
        binary__txt=bytes(range(256)) * 20,
        cut__txt__xz=lzma.compress(b"x" * 5000)[:40],
        bad__txt__gz=b"no gzip at all",
        bomb__txt__gz=gzip.compress(bytes(b"a" * (1 << 21)), 1),
        picture__png=b"\x89PNG",
    )
    (tmp_path / "circle").symlink_to(tmp_path)
    (tmp_path / "nowhere.txt").symlink_to(tmp_path / "gone")
    if has_pipes := hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.txt")
    corpus = read_corpus([tmp_path])
    assert texts(corpus) == ["Good."]
    assert corpus.report.documents == 1
    assert "empty" in why(corpus, "empty.txt")
    assert "no text" in why(corpus, "binary.txt")
    assert "damaged" in why(corpus, "cut.txt.xz")
    assert "damaged" in why(corpus, "bad.txt.gz")
    assert "200 times" in why(corpus, "bomb.txt.gz")
    assert "this kind" in why(corpus, ".png files")
    assert "cannot be read" in why(corpus, "nowhere.txt")
    assert "pipe" in why(corpus, "pipe.txt") or not has_pipes


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="nothing is forbidden")
def test_forbidden_files_are_reported(tmp_path: Path) -> None:
    written(tmp_path, a__txt="Secret diary.")
    (tmp_path / "a.txt").chmod(0)
    assert "Permission denied" in why(read_corpus([tmp_path]), "a.txt")


def test_a_path_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="does not exist"):
        read_corpus([tmp_path / "none"])


def test_doubles_count_once_and_nearly_equal_ones_too(tmp_path: Path) -> None:
    letter = " ".join(f"word{i % 7}, then {chr(97 + i % 26)}{chr(97 + i % 23)}" for i in range(60))
    written(
        tmp_path, a__txt=f"Dear Ann. {letter}", b__txt=letter.upper(), c__txt=f"dear  ann. {letter}"
    )
    corpus = read_corpus([tmp_path])
    assert texts(corpus) == [f"Dear Ann. {letter}"]
    assert why(corpus, "documents") == (
        "the same text was there before, or nearly so; the same text was there before"
    )


def test_lines_that_many_documents_share_are_dropped(tmp_path: Path) -> None:
    pages = {
        f"p{i}__txt": f"Hi all,\nNews {'x' * i}.\nAll rights reserved {i}, Ltd." for i in range(5)
    }
    corpus = read_corpus([written(tmp_path, **pages)])
    assert texts(corpus)[2] == "Hi all,\nNews xx."
    assert [left.count for left in corpus.report.left_out] == [5]


def test_sentences_to_exclude_are_taken_out(tmp_path: Path) -> None:
    held = written(tmp_path, held__dev="Where did you put it, Ann? Yes. Fine.")
    written(tmp_path, a__txt="Well. “Where did you put it, ANN?” Yes.\nOther.", b__txt="Fine.")
    corpus = read_corpus(
        [tmp_path / "a.txt", tmp_path / "b.txt"], CorpusOptions(exclude=(held / "held.dev",))
    )
    assert texts(corpus) == ["Well. Yes.\nOther."]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hi Ann. Call me on +44 7700 900123. See you!", "Hi Ann. See you!"),
        ("Write to ann@example.com please.", ""),
        ("My card is 4111 1111 1111 1111. Thanks.", "Thanks."),
        ("The password is tulip. Do not tell.", "Do not tell."),
        ("Look at https://example.com/a?token=abc, it is nice.", "Look at , it is nice."),
        ("In 1998 we were 12, in 2004 15.", "In 1998 we were 12, in 2004 15."),
        ("First.\nIBAN DE89 3704 0044 0532 0130 00\nLast.", "First.\nLast."),
    ],
)
def test_secrets_go_with_their_sentence(text: str, expected: str) -> None:
    masking = Masking()
    for _ in range(2):  # the second time with what was learnt
        assert masking.clean(text)[0] == expected


@given(st.text())
def test_sentences_are_the_line_again(line: str) -> None:
    assert "".join(sentences(line)) == line


@given(st.text())
def test_tidying_twice_changes_nothing_more(text: str) -> None:
    assert tidy(tidy(text)) == tidy(text)


def test_broken_lines_are_joined_and_short_ones_are_not() -> None:
    prose = "\n".join(["It was a long and winding road that led to the house on the"] * 5)
    assert "\n" not in unwrap(prose)
    poem = "Roses are red,\nviolets are blue,\nsugar is sweet\nand so are you."
    assert unwrap(poem) == poem


def dated(day: int | None, text: str) -> Document:
    return Document(text, "", datetime(2024, 1, day, tzinfo=UTC) if day else None)


def test_the_latest_documents_are_held_out() -> None:
    documents = [
        dated(9, "i" * 10),
        *(dated(day, "e" * 10) for day in range(1, 9)),
        dated(None, "u"),
    ]
    train, held = split(documents, 0.1)
    assert [document.text[0] for document in held] == ["i"]
    assert train[0].text == "u"
    assert len(train) == 9


def test_without_dates_the_last_documents_are_held_out() -> None:
    train, held = split([dated(None, f"{i}" * 10) for i in range(10)], 0.2)
    assert [document.text[0] for document in held] == ["8", "9"]
    assert [document.text[0] for document in train[:2]] == ["0", "1"]


@pytest.mark.parametrize("border", ["\n", ". ", " "])
def test_a_single_document_is_cut(border: str) -> None:
    text = border.join("abcdefgh" for _ in range(100))
    train, held = split([dated(None, text)], 0.1)
    assert len(train) == len(held) == 1
    assert 80 <= len(held[0].text) <= 100
    assert held[0].text.startswith("abc")
    assert (train[0].text + border.replace(".", "") + held[0].text) == text


@given(st.lists(st.integers(0, 300), max_size=15), st.sampled_from([0.05, 0.1, 0.5]))
def test_nothing_is_lost_or_doubled_by_splitting(sizes: list[int], share: float) -> None:
    documents = [dated(None, f"{i}:" + "word " * size) for i, size in enumerate(sizes)]
    train, held = split(documents, share)
    joined = " ".join(document.text for document in [*train, *held])
    assert joined.split() == " ".join(document.text for document in documents).split()


def test_no_documents_split_into_none() -> None:
    assert [list(part) for part in split([])] == [[], []]
