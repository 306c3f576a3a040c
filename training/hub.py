"""Models of the Hugging Face hub: asked about, downloaded, compared with what the hub states."""

from __future__ import annotations

import json
import os
import re
import sys
from typing import TYPE_CHECKING, Any

from model.files import sha256_of
from training.fetch import (
    FetchError,
    Material,
    Report,
    Unreachable,
    one_line,
    require_space,
    run_download,
)

if TYPE_CHECKING:
    from pathlib import Path

# What of a Hugging Face repository is a model to us; weights as safetensors only, because the
# other formats can run code when they are opened.
HUB_FILES = re.compile(
    r"config\.json|model(-\d+-of-\d+)?\.safetensors|model\.safetensors\.index\.json|"
    r"tokenizer\.json|tokenizer_config\.json|vocab\.json|merges\.txt|vocab\.bpe|encoder\.json"
)


def fetch_hub(repository: str, downloads: Path, report: Report) -> Material:
    """Download `owner/name` from the Hugging Face hub to a folder in `downloads`.

    Files that arrived whole last time are not asked for again.

    Raises:
        Unreachable: the hub cannot be reached, or stopped sending.
        FetchError: it has no such model in a form Foretype reads.
    """
    report("download", 0, 0, f"asking the hub about {repository}")
    info = _hub_info(repository)
    wanted = {
        file.rfilename: file for file in info.siblings or [] if HUB_FILES.fullmatch(file.rfilename)
    }
    if "config.json" not in wanted or not any(n.endswith(".safetensors") for n in wanted):
        raise FetchError(
            f"{repository} has no config.json with model.safetensors beside it; Foretype reads "
            f"GPT-2 and Llama-family models saved as safetensors"
        )
    folder = hub_folder(repository, downloads)
    total = sum(file.size or 0 for file in wanted.values())
    require_space(downloads, total)
    folder.mkdir(parents=True, exist_ok=True)
    arguments = {
        "repo_id": repository,
        "revision": info.sha,
        "local_dir": str(folder),
        "allow_patterns": sorted(wanted),
    }
    command = [sys.executable, "-P", "-m", "training.hub", json.dumps(arguments)]
    complaint = run_download(
        command, {"HF_HUB_DISABLE_PROGRESS_BARS": "1"}, [folder], total, report
    )
    if complaint is not None:
        raise Unreachable(f"could not download {repository} from the Hugging Face hub: {complaint}")
    for name, file in wanted.items():
        report("verify", 0, 1, name)
        _check_hub_file(folder / name, file)
    report("verify", 1, 1, repository)
    licence = str((info.card_data or {}).get("license") or "unknown")
    origin = {"kind": "hub", "source": repository, "revision": str(info.sha)}
    return Material(folder, origin, licence)


def hub_folder(repository: str, downloads: Path) -> Path:
    """Where `fetch_hub` puts a repository."""
    return downloads / repository.replace("/", "--")


def _hub_info(repository: str) -> Any:
    # Read when the library is first imported, here and in the child: tell it what we want, no more.
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    from huggingface_hub import HfApi
    from huggingface_hub.errors import RepositoryNotFoundError

    try:
        return HfApi().model_info(repository, files_metadata=True, timeout=30)
    except RepositoryNotFoundError as err:
        raise FetchError(
            f"the Hugging Face hub has no public model {repository!r}; check the spelling, or log "
            f"in with `hf auth login` if it is private"
        ) from err
    except Exception as err:  # the HTTP library underneath, and its errors, differ by version
        raise Unreachable(f"could not reach the Hugging Face hub: {one_line(err)}") from err


def _check_hub_file(path: Path, expected: Any) -> None:
    """Compare a downloaded file with the size, and for weights the SHA-256, that the hub states."""
    found = path.stat().st_size if path.is_file() else 0
    if expected.size is not None and found != expected.size:
        raise FetchError(f"{path.name} has {found:,} bytes and the hub says {expected.size:,}")
    if expected.lfs is not None and (digest := sha256_of(path)) != expected.lfs.sha256:
        path.unlink()
        raise FetchError(
            f"{path.name} is damaged: its SHA-256 is {digest} and the hub says "
            f"{expected.lfs.sha256}; it was deleted"
        )


if __name__ == "__main__":  # the child of `fetch_hub`, so that ending it ends the download
    from huggingface_hub import snapshot_download

    snapshot_download(**json.loads(sys.argv[1]))
