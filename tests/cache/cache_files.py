"""Entries of a cache as files."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

from gpucore.runtime.cache import Store, make_key

OpenStore = Callable[..., Store]
FACTS = {"kind": "kernel", "backend": "fake"}
KEY, OTHER = make_key("one"), make_key("another")
DATA = bytes(range(256))
HOUR = 3600


def entry_path(folder: Path, key: str) -> Path:
    """The file of the entry with a key."""
    (found,) = folder.rglob(key)
    return found


def age(path: Path, seconds: float) -> None:
    """Make a file look as if it was last changed some time ago."""
    then = time.time() - seconds
    os.utime(path, (then, then))


def truncate(path: Path) -> None:
    """Remove the last byte of a file."""
    path.write_bytes(path.read_bytes()[:-1])
