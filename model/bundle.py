"""A model folder on disk: `config.json`, `model.onnx`, `tokenizer.json` and `card.json`.

The card says where the model comes from, under which licence, how good it is, and the size and
SHA-256 of every other file; it is written last, so a folder without one is not a model.  Knows
nothing of how a model is made or where models are kept.
"""

from __future__ import annotations

import json
import os
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from model.config import ConfigError, GPTConfig
from model.files import sha256_of, sync_folder, write_atomically

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from model.tokenizer import Tokenizer

FORMAT = 1
CARD = "card.json"
CONFIG = "config.json"
GRAPH = "model.onnx"
TOKENIZER = "tokenizer.json"
AGAIN = "install the model again"


class BundleError(ValueError):
    """A folder that is no usable model; the message names the file and the reason."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """A model folder whose card, sizes and configuration agree.

    `card` holds `format`, `created`, `origin`, `licence`, `precision`, `perplexity` and
    `files`: name → `{"sha256": …, "bytes": …}`.
    """

    folder: Path
    config: GPTConfig
    card: dict[str, Any]

    @property
    def graph_path(self) -> Path:
        """The ONNX graph with its weights."""
        return self.folder / GRAPH

    @property
    def size_bytes(self) -> int:
        """What the model takes on disk, the card left aside."""
        return sum(entry["bytes"] for entry in self.card["files"].values())

    def tokenizer(self) -> Tokenizer:
        """Load the tokenizer.

        Raises:
            BundleError: it cannot be read, or is another model's.
        """
        from model.tokenizer import Tokenizer, TokenizerError

        path = self.folder / TOKENIZER
        try:
            tokenizer = Tokenizer.load(path)
        except (OSError, TokenizerError) as err:
            raise BundleError(f"{path} cannot be used: {err}; {AGAIN}") from err
        if tokenizer.vocab_size != self.config.vocab_size:
            raise BundleError(
                f"{path} has {tokenizer.vocab_size:,} tokens and {CONFIG} "
                f"{self.config.vocab_size:,}: they belong to different models; {AGAIN}"
            )
        return tokenizer


def seal(folder: Path, card: Mapping[str, Any]) -> Bundle:
    """Turn a folder with the other files into a model by writing its card.

    `card` needs `origin`, `licence`, `precision` and `perplexity`; the format, the date and the
    files' sizes and hashes are filled in.

    Raises:
        BundleError: a required file is missing, or the result does not load.
    """
    files = {}
    for path in sorted(folder.iterdir()):
        if path.name == CARD or path.name.startswith("."):
            continue
        with path.open("rb+") as file:
            os.fsync(file.fileno())
        files[path.name] = {"sha256": sha256_of(path), "bytes": path.stat().st_size}
    created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    whole = {"format": FORMAT, "created": created, **card, "files": files}
    text = json.dumps(whole, indent=2, ensure_ascii=False) + "\n"
    sync_folder(folder)
    write_atomically(folder / CARD, text)
    return load_bundle(folder)


def load_bundle(folder: Path) -> Bundle:
    """Open a model folder after the checks that cost no reading of weights.

    Raises:
        BundleError: something is missing, truncated, foreign or made by a newer Foretype.
    """
    if not folder.is_dir():
        raise BundleError(f"{folder} is not a folder; a model is a folder with a {CARD}")
    card = _read_object(folder / CARD)
    _check_card(folder, card)
    for name, entry in card["files"].items():
        _check_size(folder / name, entry["bytes"])
    try:
        config = GPTConfig.from_dict(_read_object(folder / CONFIG))
    except ConfigError as err:
        raise BundleError(f"{folder / CONFIG} cannot be used: {err}; {AGAIN}") from err
    return Bundle(folder, config, card)


def verify_bundle(folder: Path) -> Bundle:
    """Open a model folder and compare every file with the SHA-256 on its card.

    Raises:
        BundleError: as `load_bundle`, or a file's content has changed.
    """
    bundle = load_bundle(folder)
    for name, entry in bundle.card["files"].items():
        found = sha256_of(folder / name)
        if found != entry["sha256"]:
            raise BundleError(
                f"{folder / name} has changed: its SHA-256 is {found}, "
                f"the card says {entry['sha256']}; {AGAIN}"
            )
    return bundle


def _read_object(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(path.read_bytes())
    except FileNotFoundError as err:
        raise BundleError(f"{path.parent} is not a model: {path.name} is missing; {AGAIN}") from err
    except OSError as err:
        raise BundleError(f"{path} cannot be read: {err.strerror or err}") from err
    except (ValueError, RecursionError) as err:  # not JSON, or not even text
        raise BundleError(f"{path} is not JSON: {err}; {AGAIN}") from err
    if not isinstance(value, dict):
        raise BundleError(f"{path} holds {type(value).__name__}, not an object; {AGAIN}")
    return value


def _check_card(folder: Path, card: Mapping[str, Any]) -> None:
    path = folder / CARD
    version = card.get("format")
    if type(version) is not int or version < 1:
        raise BundleError(f"{path} is not Foretype's: its format is {version!r}, not {FORMAT}")
    if version > FORMAT:
        raise BundleError(
            f"{path} has format {version} and this Foretype reads up to {FORMAT}; "
            f"update Foretype, or {AGAIN}"
        )
    files = card.get("files")
    if not isinstance(files, dict):
        raise BundleError(f"{path} lists no files; {AGAIN}")
    for name in (CONFIG, GRAPH, TOKENIZER):
        if name not in files:
            raise BundleError(f"{path} does not list {name}; {AGAIN}")
    for name, entry in files.items():
        if not name or name != os.path.basename(name) or "\\" in name or name.startswith("."):
            raise BundleError(f"{path} lists {name!r}, which is not a plain file name; {AGAIN}")
        if (
            not isinstance(entry, dict)
            or type(entry.get("bytes")) is not int
            or not isinstance(entry.get("sha256"), str)
        ):
            raise BundleError(f"{path} gives no size and SHA-256 for {name}; {AGAIN}")


def _check_size(path: Path, expected_bytes: int) -> None:
    try:
        found = path.stat().st_size
    except OSError as err:
        raise BundleError(f"{path.parent} is not whole: {path.name} is missing; {AGAIN}") from err
    if not path.is_file():
        raise BundleError(f"{path} is not a file; {AGAIN}")
    if found != expected_bytes:
        raise BundleError(f"{path} has {found:,} bytes, not {expected_bytes:,}; {AGAIN}")
