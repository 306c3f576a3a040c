"""A Hugging Face hub with one repository, `owner/tiny`, served on this machine from a folder."""

from __future__ import annotations

import contextlib
import hashlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import urlparse

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

REPOSITORY = "owner/tiny"
REVISION = "0123456789abcdef0123456789abcdef01234567"


@contextlib.contextmanager
def serve(folder: Path, *, damage: str = "") -> Iterator[tuple[dict[str, str], list[str]]]:
    """Serve the files of `folder`; the one named `damage` arrives with its last byte changed.

    Yields the environment that makes huggingface_hub ask here, and the paths asked for so far.
    """
    asked: list[str] = []
    content = {path.name: path.read_bytes() for path in folder.iterdir()}
    digests = {name: hashlib.sha256(data).hexdigest() for name, data in content.items()}

    def described(name: str, key: str) -> dict[str, Any]:
        size, digest = len(content[name]), digests[name]
        entry: dict[str, Any] = {key: name, "size": size, "oid": digest[:40], "type": "file"}
        if name.endswith(".safetensors"):
            entry["lfs"] = {"oid": digest, "sha256": digest, "size": size, "pointerSize": 130}
        return entry

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            path = urlparse(self.path).path
            asked.append(path)
            if path == f"/api/models/{REPOSITORY}":
                siblings = [described(name, "rfilename") for name in content]
                self.answer_json(
                    {"id": REPOSITORY, "sha": REVISION, "siblings": siblings, "tags": [],
                     "cardData": {"license": "mit"}, "private": False}
                )  # fmt: skip
            elif path == f"/api/models/{REPOSITORY}/tree/{REVISION}":
                self.answer_json([described(name, "path") for name in content])
            elif path.startswith(f"/{REPOSITORY}/resolve/{REVISION}/"):
                name = path.rsplit("/", 1)[1]
                data = content[name]
                self.answer(data[:-1] + bytes([data[-1] ^ 1]) if name == damage else data, name)
            else:
                self.send_response(404)
                self.send_header("X-Error-Code", "RepoNotFound")
                self.send_header("Content-Length", "0")
                self.end_headers()

        do_HEAD = do_GET

        def answer_json(self, value: object) -> None:
            self.answer(json.dumps(value).encode(), "")

        def answer(self, data: bytes, name: str) -> None:
            self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            self.send_header("X-Repo-Commit", REVISION)
            if name:
                self.send_header("ETag", f'"{digests[name]}"')
            self.end_headers()
            if self.command == "GET":
                with contextlib.suppress(ConnectionError):
                    self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            """Keep the test's output clean."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield environment(f"http://127.0.0.1:{server.server_port}"), asked
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def environment(endpoint: str) -> dict[str, str]:
    """Make huggingface_hub ask `endpoint`, by plain HTTP and without a user's token."""
    return {
        "HF_ENDPOINT": endpoint,
        "HF_HUB_DISABLE_XET": "1",
        "HF_TOKEN_PATH": "/nonexistent",
        "NO_PROXY": "127.0.0.1",
    }
