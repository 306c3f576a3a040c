"""What every test needs: no screen, no user's data, reproducible random examples."""

from __future__ import annotations

import gc
import os
from functools import cache
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from model.bundle import Bundle
    from training.export import Precision

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.pop("LANGUAGE", None)
os.environ["LC_ALL"] = "C.UTF-8"  # programs that a test starts speak English
os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # as `training.train` does, before torch

# Shared machines have slow moments; a deadline per example would fail tests that are right.
settings.register_profile("foretype", deadline=None, max_examples=50, print_blob=True)
settings.load_profile("foretype")


@pytest.fixture(autouse=True)
def garbage_is_collected_between_tests() -> Iterator[None]:
    """And on the main thread, as `app.garbage` does it, and for its reason."""
    gc.disable()
    yield
    gc.collect(1)


@pytest.fixture(autouse=True)
def user_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's data folder of this test alone."""
    folder = tmp_path / "foretype-home"
    monkeypatch.setenv("FORETYPE_HOME", str(folder))
    return folder


@pytest.fixture(scope="session")
def bundle_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, Precision], Bundle]:
    """The bundle of a family of TINY, exported once; do not change its files."""
    from tiny_models import TINY, tiny_bundle

    root = tmp_path_factory.mktemp("bundles")

    @cache
    def bundle(family: str, precision: Precision) -> Bundle:
        return tiny_bundle(root / f"{family} {precision}", TINY[family], precision=precision)

    return bundle
