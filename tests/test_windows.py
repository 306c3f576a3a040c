"""Token files and windows: nothing lost, nothing doubled, the same every time."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny_models import tiny_tokenizer

from model.gpt import IGNORED_TARGET as IGNORED_BY_THE_LOSS
from training import windows
from training.windows import IGNORED_TARGET, TokenFile, TokenFileError, Windows, write_tokens

TOKENIZER = tiny_tokenizer()
TEXTS = st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=30), max_size=12)


def written(texts: list[str], folder: Path) -> TokenFile:
    return write_tokens(texts, TOKENIZER, folder / "tokens")


def test_the_ignored_target_is_the_one_that_the_loss_ignores() -> None:
    assert IGNORED_TARGET == IGNORED_BY_THE_LOSS


@settings(max_examples=50, deadline=None)
@given(texts=TEXTS)
def test_every_document_comes_back_after_an_end_of_text(texts: list[str]) -> None:
    with TemporaryDirectory() as folder:
        tokens = written(texts, Path(folder))
        bounds = [*tokens.starts.tolist(), len(tokens)]
        pieces = [tokens.ids[a:b].tolist() for a, b in pairwise(bounds)]
        del tokens  # a mapped file cannot be deleted on Windows
    assert [TOKENIZER.decode(piece[1:]) for piece in pieces] == [text for text in texts if text]
    assert all(piece[0] == TOKENIZER.end_of_text for piece in pieces)


def test_the_same_documents_give_the_same_bytes_in_any_number_of_tasks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [f"the {number} and the other" for number in range(500)]
    once = written(texts, tmp_path).path.read_bytes()
    assert written(texts, tmp_path).path.read_bytes() == once
    monkeypatch.setattr(windows, "TASK_CHARACTERS", 50)
    monkeypatch.setattr(windows, "THREADS", 3)
    assert written(texts, tmp_path).path.read_bytes() == once


def test_ids_take_two_bytes_where_they_fit(tmp_path: Path) -> None:
    tokens = written(["the theatre"], tmp_path)
    assert tokens.ids.dtype == np.dtype("<u2")
    assert tokens.vocab_size == TOKENIZER.vocab_size


def test_progress_is_told_what_was_written(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    tokens = write_tokens(["one", "", "two"], TOKENIZER, tmp_path / "t", lambda *a: told.append(a))
    assert told == [(2, len(tokens))]


def test_a_failure_leaves_what_was_there(tmp_path: Path) -> None:
    before = written(["kept"], tmp_path).path.read_bytes()

    def broken() -> object:
        yield "new"
        raise OSError("the disk went away")

    with pytest.raises(OSError, match="went away"):
        write_tokens(broken(), TOKENIZER, tmp_path / "tokens")
    assert [path.name for path in tmp_path.iterdir()] == ["tokens"]
    assert (tmp_path / "tokens").read_bytes() == before


def test_other_files_and_cut_ones_are_refused(tmp_path: Path) -> None:
    path = written(["some text"], tmp_path).path
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(TokenFileError, match="its header says"):
        TokenFile.open(path)
    path.write_text("hello")
    with pytest.raises(TokenFileError, match="no token file"):
        TokenFile.open(path)


def test_no_documents_make_a_file_without_windows(tmp_path: Path) -> None:
    tokens = written([], tmp_path)
    assert len(tokens) == len(tokens.starts) == 0
    with pytest.raises(TokenFileError, match="at least 2"):
        Windows(tokens, 4, 0)


@settings(max_examples=60, deadline=None)
@given(
    text=st.text("ab ", min_size=1, max_size=60),
    length=st.integers(1, 40),
    seed=st.integers(0, 3),
    epoch=st.integers(0, 3),
    count=st.integers(1, 9),
)
def test_an_epoch_predicts_every_token_but_the_first_once(
    text: str, length: int, seed: int, epoch: int, count: int
) -> None:
    with TemporaryDirectory() as folder:
        tokens = written([text], Path(folder))
        all_windows = Windows(tokens, length, seed)
        ids = tokens.ids.tolist()
        predicted: dict[int, int] = {}
        for start in range(0, all_windows.per_epoch, count):
            inputs, targets, _ = all_windows.batch(epoch, start, count)
            assert inputs.shape == targets.shape == (len(inputs), length)
            order = all_windows.order(epoch)[start : start + count]
            for which, row, wanted in zip(order, inputs, targets, strict=True):
                for place in np.flatnonzero(wanted != IGNORED_TARGET):
                    position = int(which) * length + int(place) + 1
                    assert position not in predicted
                    assert row[place] == ids[position - 1]
                    predicted[position] = int(wanted[place])
        del tokens, all_windows
    assert predicted == dict(enumerate(ids[1:], 1))


def test_epochs_differ_and_runs_do_not(tmp_path: Path) -> None:
    tokens = written(["the and the other thing " * 40], tmp_path)
    first, again = Windows(tokens, 4, 7), Windows(tokens, 4, 7)
    orders = [first.order(epoch).tolist() for epoch in range(3)]
    assert len({tuple(order) for order in orders}) == 3
    assert [again.order(epoch).tolist() for epoch in (2, 1, 0)] == orders[::-1]
    assert Windows(tokens, 4, 8).order(0).tolist() != orders[0]


def test_an_epoch_ends_where_it_ends(tmp_path: Path) -> None:
    tokens = written(["a b c d e f g h"], tmp_path)
    all_windows = Windows(tokens, 4, 0)
    inputs, *_ = all_windows.batch(0, all_windows.per_epoch - 1, 8)
    assert len(inputs) == 1
    with pytest.raises(IndexError, match=f"window {all_windows.per_epoch} of"):
        all_windows.batch(0, all_windows.per_epoch, 1)


def test_a_window_knows_which_document_each_token_belongs_to(tmp_path: Path) -> None:
    texts = ["the other", "and", "the theatre there"]
    tokens = written(texts, tmp_path)
    batch = Windows(tokens, 5, 0).batch(0, 0, 99)
    numbers = {
        (int(which) * 5 + place): int(number)
        for which, row in zip(Windows(tokens, 5, 0).order(0), batch.documents, strict=True)
        for place, number in enumerate(row)
    }
    starts = [place for place in range(len(tokens)) if tokens.ids[place] == TOKENIZER.end_of_text]
    assert tokens.starts.tolist() == starts
    for place in range(len(tokens) - 1):
        assert numbers[place] == sum(start <= place for start in starts)
