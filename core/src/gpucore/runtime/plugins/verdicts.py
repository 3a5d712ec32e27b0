"""Verdicts on plugins that crashed or hung, kept on disk for an hour for all processes of this user.

A plugin that crashes or hangs would do so in every process. Before a plugin is imported or probed in this process, an
attempt file is written, and removed afterwards. If the process of an attempt is gone, the plugin crashed it. Crashes
and timeouts become verdicts: programs skip the plugin, with a warning, until the verdict expires or the plugin changes.
`gpucore doctor` shows verdicts, and examines plugins in child processes, which ignore them.

Each attempt and each verdict is a separate file, so that any number of processes can run at once. The process of an
attempt holds a lock on its file, which the system releases when the process ends for any reason. If files cannot be
written, nothing is kept. GPUCORE_CACHE sets the folder, or disables verdicts.
"""

from __future__ import annotations

import atexit
import contextlib
import importlib.util
import json
import os
import sys
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gpucore.errors import BackendWarning
from gpucore.immutable import Immutable
from gpucore.runtime import log
from gpucore.runtime.plugins.records import PluginRecord, PluginStatus
from gpucore.runtime.settings import read_cache_folder

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

IMPORT = ""
"""The step of importing a plugin and calling its hook; other steps are probes, named by their backend."""

_KEPT_SECONDS = {
    PluginStatus.BROKEN: 3600.0,  # not longer: a signal from outside looks like a crash
    PluginStatus.TIMED_OUT: 3600.0,
}
_FOLDER = "plugins"


class Verdict(Immutable):
    """Why a plugin, or one of its backends, is skipped."""

    plugin: str
    origin: str  # "gpucore-foo 1.2"
    step: str
    status: PluginStatus
    reason: str
    seconds: float  # the timeout of the step; 0 if it did not time out
    until: float  # seconds since the epoch

    @property
    def hint(self) -> str:
        """What to do about it."""
        return f"after `gpucore doctor --refresh` programs try it again; GPUCORE_BLOCK={self.plugin} disables it"


def recall(record: PluginRecord, seconds: float) -> dict[str, Verdict]:
    """The verdicts on a plugin by step. A step that timed out after less than `seconds` may be tried again."""
    key = _make_key(record)
    folder = _find_folder()
    if folder is None or key is None:
        return {}
    found = {}
    with contextlib.suppress(OSError):
        for path in sorted(folder.glob(f"{_make_stem(key)}.*.attempt")):
            _judge_attempt(path, record, key)
        for path in folder.glob(f"{_make_stem(key)}.*.verdict"):
            verdict = _read_verdict(path, key)
            if verdict is not None and (verdict.status is not PluginStatus.TIMED_OUT or verdict.seconds >= seconds):
                found[verdict.step] = verdict
    return found


def remember_timeout(record: PluginRecord, step: str, reason: str, seconds: float) -> None:
    """Record that a step timed out."""
    _remember(record, _make_key(record), step, PluginStatus.TIMED_OUT, reason, seconds)


@contextlib.contextmanager
def attempt(record: PluginRecord, step: str) -> Iterator[None]:
    """If the process ends inside the `with` statement, the next `recall` records a crash of the plugin."""
    started = _start_attempt(record, step)
    try:
        yield
    finally:
        if started is not None:
            _end_attempt(started)


def list_verdicts() -> list[Verdict]:
    """All verdicts in force, also those on plugins that have changed since."""
    folder = _find_folder()
    paths = sorted(folder.glob("*.verdict")) if folder is not None else []
    return [verdict for verdict in (_read_verdict(path) for path in paths) if verdict is not None]


def clear() -> None:
    """Forget all verdicts."""
    folder = _find_folder()
    for path in folder.glob("*.verdict") if folder is not None else ():
        with contextlib.suppress(OSError):
            path.unlink()


_warned: set[Verdict] = set()


def warn(verdict: Verdict) -> None:
    """Warn, once in a process, that a plugin is skipped."""
    if verdict in _warned:
        return
    what = f"backend {verdict.step!r} of plugin {verdict.plugin!r}" if verdict.step else f"plugin {verdict.plugin!r}"
    text = f"{what} ({verdict.origin}) is skipped: {verdict.reason}\n  hint: {verdict.hint}"
    log.warn(text, BackendWarning)
    _warned.add(verdict)  # after the warning: with `-W error` it raises, and must raise again


# ---------------------------------------------------------------- files


def _find_folder() -> Path | None:
    base = read_cache_folder()
    return base / _FOLDER if base is not None else None


def _make_key(record: PluginRecord) -> list[Any] | None:
    """The key of the verdicts on a plugin as it is installed now. None if that cannot be determined."""
    package, *parts = record.module.split(".")
    try:
        spec = importlib.util.find_spec(package)  # imports nothing: the name has no dot
        if spec is None or spec.origin is None:
            return None
        path = Path(spec.origin)
        if parts and spec.submodule_search_locations:
            path = Path(next(iter(spec.submodule_search_locations)), *parts).with_suffix(".py")
        return [record.name, record.distribution, record.version, str(path), path.stat().st_mtime_ns]
    except (OSError, ImportError, ValueError):
        return None


def _make_stem(key: list[Any]) -> str:
    return f"{key[0]}-{zlib.crc32(json.dumps(key).encode()):08x}"


def _remember(
    record: PluginRecord, key: list[Any] | None, step: str, status: PluginStatus, reason: str, seconds: float = 0.0
) -> None:
    folder = _find_folder()
    if folder is None or key is None:
        return
    fields = {
        "key": key, "origin": record.origin, "step": step, "status": status.value, "reason": reason,
        "seconds": seconds, "until": time.time() + _KEPT_SECONDS[status],
    }  # fmt: skip
    target = folder / f"{_make_stem(key)}.{step}.verdict"
    temporary = folder / f"{target.name}.{os.getpid()}.{time.monotonic_ns()}.new"
    try:
        _make_private(folder)
        with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            json.dump(fields, file)
        os.replace(temporary, target)
    except OSError as error:
        log.debug(f"a verdict on the plugin {record.name} cannot be kept: {error}")


def _read_verdict(path: Path, key: list[Any] | None = None) -> Verdict | None:
    """The verdict in a file, if it has that key and has not expired. Expired files are removed."""
    try:
        fields = json.loads(path.read_text(encoding="utf-8"))
        verdict = Verdict(
            str(fields["key"][0]), str(fields["origin"]), str(fields["step"]), PluginStatus(fields["status"]),
            str(fields["reason"]), float(fields["seconds"]), float(fields["until"]),
        )  # fmt: skip
        if verdict.until < time.time():
            path.unlink()
            return None
        return verdict if key is None or fields["key"] == key else None
    except (OSError, ValueError, LookupError, TypeError):
        return None


def _make_private(folder: Path) -> None:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)


# ---------------------------------------------------------------- attempts


class _Started(Immutable):
    """An attempt of this process: its file, open and locked."""

    path: Path
    descriptor: int


_running: set[_Started] = set()


def _start_attempt(record: PluginRecord, step: str) -> _Started | None:
    folder, key = _find_folder(), _make_key(record)
    if folder is None or key is None:
        return None
    path = folder / f"{_make_stem(key)}.{step}.{os.getpid()}-{time.monotonic_ns()}.attempt"
    fields = {"step": step, "process": os.getpid(), "time": time.strftime("%Y-%m-%d %H:%M:%S")}
    try:
        _make_private(folder)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        started = _Started(path, descriptor)
        if _try_to_lock(descriptor):  # written once it is locked: an empty file is not an attempt yet
            os.write(descriptor, json.dumps(fields).encode())
    except OSError as error:
        log.debug(f"an attempt with the plugin {record.name} cannot be recorded: {error}")
        return None
    if not _running:
        atexit.register(_end_all)
    _running.add(started)
    return started


def _end_attempt(started: _Started) -> None:
    if started not in _running:
        return
    _running.discard(started)
    with contextlib.suppress(OSError):
        os.ftruncate(started.descriptor, 0)  # for a process that has already opened it
    with contextlib.suppress(OSError):
        os.close(started.descriptor)
    with contextlib.suppress(OSError):
        started.path.unlink()


def _end_all() -> None:
    """Called at exit, for attempts of threads that still run."""
    for started in [*_running]:
        _end_attempt(started)


def _judge_attempt(path: Path, record: PluginRecord, key: list[Any]) -> None:
    """Record a verdict if the process of an attempt has ended without removing it."""
    descriptor = os.open(path, os.O_RDWR)
    try:
        text = os.read(descriptor, 1000).decode("utf-8", errors="replace") if _try_to_lock(descriptor) else ""
    finally:
        os.close(descriptor)
    try:
        fields = json.loads(text)
        step, process, moment = str(fields["step"]), int(fields["process"]), str(fields["time"])
    except (ValueError, LookupError, TypeError):  # it is still running, or has just ended
        return
    what = f"probing {step}" if step else f"importing {record.module}"
    reason = f"process {process} ended while {what} (a crash, os._exit or a signal), which began at {moment}"
    _remember(record, key, step, PluginStatus.BROKEN, reason)
    path.unlink()


def _try_to_lock(descriptor: int) -> bool:
    """Lock a file against other processes, if none holds the lock. The system unlocks it when the process ends."""
    try:
        if sys.platform == "win32":
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
