"""A package index on loopback: the folder listing of Python's server is the page that installers read."""

from __future__ import annotations

import contextlib
import functools
import shutil
import threading
import zipfile
from collections.abc import Iterable, Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any


class _Handler(SimpleHTTPRequestHandler):
    """Says nothing of requests."""

    def log_message(self, *_: Any) -> None:
        """Called for each request."""


@contextlib.contextmanager
def serve(folder: Path, files: Iterable[Path]) -> Iterator[str]:
    """An index of these wheels, laid out in the folder. The value is its address."""
    for path in files:
        project = folder / path.name.partition("-")[0].replace("_", "-")
        project.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, project)
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Handler, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def make_stand_in(folder: Path, name: str, version: str) -> Path:
    """A wheel with nothing but a name and a version, for what cannot be had without a network or a compiler."""
    stem = f"{name.replace('-', '_')}-{version}"
    path = folder / f"{stem}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        facts = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
        archive.writestr(f"{stem}.dist-info/METADATA", facts)
        archive.writestr(f"{stem}.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{stem}.dist-info/RECORD", "")
    return path
