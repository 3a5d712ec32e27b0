"""Folders for caches, and processes that use them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gpucore.runtime import cache
from gpucore.runtime.settings import CacheMode

sys.path.insert(0, str(Path(__file__).parent))  # cache_files

Snapshot = dict[str, tuple[int, int, int, bytes]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where a cache may be; it does not exist."""
    return tmp_path / "cache"


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a new process."""
    monkeypatch.setattr(cache, "_warned", set())
    monkeypatch.setattr(cache, "_stores", {})
    cache.fingerprint_of_package.cache_clear()


@pytest.fixture
def open_store(folder: Path) -> Callable[..., cache.Store]:
    """`open_store(mode=..., limit=..., at=...)`: a store as a new process opens it."""

    def make(mode: CacheMode = CacheMode.ON, limit: int = 1 << 20, at: Path | None = None) -> cache.Store:
        return cache.Store(at or folder, mode, limit)

    return make


@pytest.fixture
def run(folder: Path, tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """`run(code, "-W", "error", check=True, NAME="value")`: code in a process whose cache is in `folder`."""

    def run_code(code: str, *flags: str, check: bool = True, **variables: str) -> subprocess.CompletedProcess[str]:
        settings = {"GPUCORE_CACHE": "on", "GPUCORE_CACHE_DIR": str(folder), **variables}
        environment = {name: value for name, value in {**os.environ, **settings}.items() if value}
        command = [sys.executable, *flags, "-c", textwrap.dedent(code)]
        pipes: dict[str, Any] = {"capture_output": True, "text": True, "timeout": 120, "cwd": tmp_path}
        done = subprocess.run(command, env=environment, check=False, **pipes)
        assert not check or done.returncode == 0, done.stderr
        return done

    return run_code


@pytest.fixture
def ask(run: Callable[..., subprocess.CompletedProcess[str]]) -> Callable[..., Any]:
    """Like `run`; the value of the JSON on the last line that the code prints."""

    def ask_code(code: str, *flags: str, **options: Any) -> Any:
        return json.loads(run(code, *flags, **options).stdout.strip().splitlines()[-1])

    return ask_code


@pytest.fixture
def snapshot() -> Callable[[Path], Snapshot]:
    """Everything in a folder that a process could change, by path: mode, size, time of change, content."""

    def take(at: Path) -> Snapshot:
        found = {}
        for path in [at, *sorted(at.rglob("*"))]:
            facts = path.lstat()
            content = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
            found[str(path)] = facts.st_mode, facts.st_size, facts.st_mtime_ns, content
        return found

    return take
