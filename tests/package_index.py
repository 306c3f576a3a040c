"""A Python package index and a wheel of our own, served on this machine, for tests of downloads."""

from __future__ import annotations

import contextlib
import hashlib
import io
import threading
import time
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

from model.known_models import WheelSource

if TYPE_CHECKING:
    from collections.abc import Iterator

FILENAME = "tiny_gpt-1.0-py3-none-any.whl"


def make_wheel(members: dict[str, bytes]) -> bytes:
    """The bytes of a wheel `tiny-gpt` 1.0 with these files, stored without compression."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
        info = "tiny_gpt-1.0.dist-info"
        archive.writestr(
            f"{info}/METADATA", "Metadata-Version: 2.1\nName: tiny-gpt\nVersion: 1.0\n"
        )
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")
    return buffer.getvalue()


def pinned(wheel: bytes) -> WheelSource:
    """What the catalogue would say about this wheel."""
    return WheelSource("tiny-gpt==1.0", FILENAME, hashlib.sha256(wheel).hexdigest(), len(wheel))


@contextlib.contextmanager
def serve(wheel: bytes, *, seconds: float = 0.0) -> Iterator[dict[str, str]]:
    """Serve `wheel`, stretched over `seconds`; yields the environment that makes pip use it."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path.endswith(FILENAME):
                self.send_response(200)
                self.send_header("Content-Length", str(len(wheel)))
                self.end_headers()
                step = max(1, len(wheel) // 50)
                with contextlib.suppress(ConnectionError):
                    for start in range(0, len(wheel), step):
                        self.wfile.write(wheel[start : start + step])
                        time.sleep(seconds / 50)
            elif self.path == "/simple/tiny-gpt/":
                page = f'<a href="/{FILENAME}">{FILENAME}</a>'.encode()
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(page)))
                self.end_headers()
                self.wfile.write(page)
            else:
                self.send_error(404)

        def log_message(self, *_: object) -> None:
            """Keep the test's output clean."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield pip_environment(f"http://127.0.0.1:{server.server_port}/simple")
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def pip_environment(index: str) -> dict[str, str]:
    """Make pip ask `index` and nothing else, whatever this machine's configuration says."""
    return {
        "PIP_CONFIG_FILE": "/dev/null",
        "PIP_INDEX_URL": index,
        "PIP_EXTRA_INDEX_URL": "",
        "PIP_FIND_LINKS": "",
        "PIP_TRUSTED_HOST": "127.0.0.1",
        "NO_PROXY": "127.0.0.1",
    }
