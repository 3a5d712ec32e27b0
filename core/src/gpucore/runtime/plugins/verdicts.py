"""Verdicts on plugins that crashed or hung, kept on disk for an hour for all processes of this user.

A plugin that crashes or hangs would do so in every process. Before a plugin is imported or probed in this process, an
attempt file is written, and removed afterwards. If the process of an attempt is gone, the plugin crashed it. Crashes
and timeouts become verdicts: automatic choice skips the plugin, with a warning, until the verdict expires or the plugin
changes. A request by name tries it again, in a child process first (see `probing.probe`). `gpucore doctor` shows
verdicts, and examines plugins in child processes, which ignore them.

If a user or the system ends the process with a signal (`ENDING_SIGNALS`), that is not a crash of the plugin.
Faulthandler writes such signals to a file, even while a driver holds the interpreter lock. A signal that has a handler
is left alone: that of Python, of a driver, or of the program's own `faulthandler.register`, also if it is set while an
attempt runs. A process that ends by such a signal, or by SIGKILL, cannot be distinguished from one that crashed.

Each attempt and each verdict is a separate file, so that any number of processes can run at once. The process of an
attempt holds a lock on its file, which the system releases when the process ends for any reason. If files cannot be
written, nothing is kept. GPUCORE_CACHE_DIR sets the folder, and GPUCORE_CACHE disables verdicts.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import faulthandler
import importlib.util
import json
import os
import signal
import sys
import threading
import time
import weakref
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gpucore.errors import BackendWarning
from gpucore.immutable import Immutable
from gpucore.runtime import log
from gpucore.runtime.plugins.records import PluginRecord, PluginStatus
from gpucore.runtime.settings import CacheMode, read_cache_folder, read_cache_mode

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

IMPORT = ""
"""The step of importing a plugin and calling its hook; other steps are probes, named by their backend."""

_NAMES = ("SIGALRM", "SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM", "SIGUSR1", "SIGUSR2", "SIGXCPU")
ENDING_SIGNALS = frozenset(getattr(signal, name) for name in _NAMES if hasattr(signal, name))
"""The signals by which users and systems end processes."""

_KEPT_SECONDS = 3600.0  # SIGKILL looks like a crash, and a busy machine like a timeout
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
        return (
            f"a choice by name, or `gpucore doctor --refresh`, tries it again; GPUCORE_BLOCK={self.plugin} disables it"
        )


def recall(record: PluginRecord, seconds: float) -> dict[str, Verdict]:
    """The verdicts on a plugin by step. A step that timed out after less than `seconds` may be tried again."""
    key = _make_key(record)
    folder = _find_folder()
    if folder is None or key is None:
        return {}
    found = {}
    for path in _list_files(folder, f"{_make_stem(key)}.*.attempt"):
        with contextlib.suppress(OSError):  # another process has removed it
            _judge_attempt(path, record)
    for path in _list_files(folder, f"{_make_stem(key)}.*.verdict"):
        verdict = _read_verdict(path, key)
        if verdict is not None and (verdict.status is not PluginStatus.TIMED_OUT or verdict.seconds >= seconds):
            found[verdict.step] = verdict
    return found


def remember(record: PluginRecord, step: str, status: PluginStatus, reason: str, seconds: float = 0.0) -> Verdict:
    """Make a verdict on a step that crashed, or timed out after `seconds`, and keep it if possible."""
    verdict = Verdict(record.name, record.origin, step, status, reason, seconds, time.time() + _KEPT_SECONDS)
    folder, key = _find_folder(), _make_key(record)
    if folder is not None and key is not None:
        try:
            _write_verdict(verdict, folder, key)
        except OSError as error:
            log.debug(f"a verdict on the plugin {record.name} cannot be kept: {error}")
    return verdict


def forget(record: PluginRecord, step: str) -> None:
    """Forget the verdict on a step."""
    folder, key = _find_folder(), _make_key(record)
    if folder is not None and key is not None:
        with contextlib.suppress(OSError):
            _name_verdict(folder, key, step).unlink()


@contextlib.contextmanager
def attempt(record: PluginRecord, step: str) -> Iterator[None]:
    """If the process ends inside the `with` statement, not by a signal, the next `recall` records a crash."""
    started = _start_attempt(record, step)
    try:
        yield
    finally:
        if started is not None:
            _end_attempt(started)


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
    base = read_cache_folder() if read_cache_mode() is CacheMode.ON else None
    return base / _FOLDER if base is not None else None


def _make_key(record: PluginRecord) -> list[Any] | None:
    """The key of the verdicts on a plugin as it is installed now. None if that cannot be determined.

    It contains the version, and the time at which the file of the entry point's module was changed. A change of another
    file alone does not end a verdict.
    """
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


def _list_files(folder: Path, pattern: str) -> list[Path]:
    try:
        return sorted(folder.glob(pattern))
    except OSError:
        return []


def _name_verdict(folder: Path, key: list[Any], step: str) -> Path:
    return folder / f"{_make_stem(key)}.{step}.verdict"


def _write_verdict(verdict: Verdict, folder: Path, key: list[Any]) -> None:
    fields = {
        "key": key, "origin": verdict.origin, "step": verdict.step, "status": verdict.status.value,
        "reason": verdict.reason, "seconds": verdict.seconds, "until": verdict.until,
    }  # fmt: skip
    target = _name_verdict(folder, key, verdict.step)
    temporary = folder / f"{target.name}.{os.getpid()}.{time.monotonic_ns()}.new"
    _make_private(folder)
    with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        json.dump(fields, file)
    os.replace(temporary, target)


def _read_verdict(path: Path, key: list[Any]) -> Verdict | None:
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
        return verdict if fields["key"] == key else None
    except (OSError, ValueError, LookupError, TypeError):
        return None


def _make_private(folder: Path) -> None:
    for each in (folder.parent, folder):
        each.mkdir(mode=0o700, parents=True, exist_ok=True)


# ---------------------------------------------------------------- attempts


class _Open(Immutable):
    """A file of this process that is open: of an attempt, locked; or of signals."""

    path: Path
    descriptor: int

    def remove(self, *, stays_open: bool = False) -> None:
        """Empty the file, for processes that have already opened it, and delete it."""
        with contextlib.suppress(OSError):
            os.ftruncate(self.descriptor, 0)
        with contextlib.suppress(OSError):
            if not stays_open:
                os.close(self.descriptor)
        with contextlib.suppress(OSError):
            self.path.unlink()


class _Target:
    """The file of signals, as an object that faulthandler alone keeps alive: it is gone once the signal is registered
    anew."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def fileno(self) -> int:
        """What faulthandler asks for."""
        return self._descriptor

    def flush(self) -> None:
        """Called by faulthandler."""


class _Registration(Immutable):
    """What this process registered with faulthandler for a signal."""

    handler: int | None
    target: weakref.ref[_Target]


_registered: dict[int, _Registration] = {}  # by signal
_running: set[_Open] = set()
_signals: _Open | None = None  # there is one while an attempt runs
_lock = threading.Lock()


def _start_attempt(record: PluginRecord, step: str) -> _Open | None:
    folder, key = _find_folder(), _make_key(record)
    if folder is None or key is None:
        return None
    try:
        _make_private(folder)
        with _lock:
            signals = _watch_signals(folder)
            path = folder / f"{_make_stem(key)}.{step}.{signals.path.stem}.{time.monotonic_ns()}.attempt"
            started = _Open(path, os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
            if not _running:
                atexit.register(_end_all)
            _running.add(started)
        fields = {"step": step, "process": os.getpid(), "time": time.strftime("%Y-%m-%d %H:%M:%S"),
                  "signals": signals.path.name}  # fmt: skip
        if _try_to_lock(started.descriptor):  # written once it is locked: an empty file is not an attempt yet
            os.write(started.descriptor, json.dumps(fields).encode())
    except OSError as error:
        log.debug(f"an attempt with the plugin {record.name} cannot be recorded: {error}")
        _stop_watching()
        return None
    return started


def _end_attempt(started: _Open) -> None:
    with _lock:
        if started not in _running:
            return
        _running.discard(started)
        started.remove()
    _stop_watching()


def _end_all() -> None:
    """Called at exit, for attempts of threads that still run."""
    for started in [*_running]:
        _end_attempt(started)


def _watch_signals(folder: Path) -> _Open:
    """The file to which faulthandler writes the signals that end this process."""
    global _signals
    if _signals is None:
        path = folder / f"{os.getpid()}-{time.monotonic_ns()}.signals"
        _signals = _Open(path, os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        for number in ENDING_SIGNALS if sys.platform != "win32" else ():
            if _read_handler(number) == 0:
                target = _Target(_signals.descriptor)
                faulthandler.register(number, target, chain=True)
                _registered[number] = _Registration(_read_handler(number), weakref.ref(target))
                del target
    return _signals


def _stop_watching() -> None:
    """Remove the file of signals after the last attempt."""
    global _signals
    with _lock:
        if _signals is not None and not _running:
            are_restored = _restore_signals()
            _signals.remove(stays_open=not are_restored)  # a handler that replaced ours may call it
            _signals = None


def _restore_signals() -> bool:
    """End the registrations that nobody replaced: faulthandler would remove the new handler. Returns whether
    faulthandler uses the file of signals no more."""
    are_restored = True
    while _registered:
        number, ours = _registered.popitem()
        is_our_handler = _read_handler(number) == ours.handler
        if ours.target() is None:
            continue
        if is_our_handler:
            faulthandler.unregister(number)
        else:
            are_restored = False
    return are_restored


def _read_handler(number: int) -> int | None:
    """The address of the system's handler of a signal, 0 for the default, None if it cannot be read.

    `signal.getsignal` does not know handlers in C, such as those of faulthandler.
    """
    action = ctypes.create_string_buffer(1024)  # a `struct sigaction`, which begins with the handler
    try:
        is_read = ctypes.CDLL(None).sigaction(number, None, action) == 0
    except (OSError, AttributeError):
        return None
    return ctypes.c_size_t.from_buffer(action).value if is_read else None


def _judge_attempt(path: Path, record: PluginRecord) -> None:
    """Record a verdict if the process of an attempt has ended without removing it, unless a signal ended it."""
    descriptor = os.open(path, os.O_RDWR)
    try:
        text = os.read(descriptor, 1000).decode("utf-8", errors="replace") if _try_to_lock(descriptor) else ""
    finally:
        os.close(descriptor)
    try:
        fields = json.loads(text)
        step, process, moment = str(fields["step"]), int(fields["process"]), str(fields["time"])
        signals = path.with_name(str(fields["signals"]))
    except (ValueError, LookupError, TypeError):  # it is still running, or has just ended
        return
    if not (signals.exists() and signals.stat().st_size):
        what = f"probing {step}" if step else f"importing {record.module}"
        reason = f"process {process} ended while {what} (a crash, os._exit or SIGKILL), which began at {moment}"
        remember(record, step, PluginStatus.BROKEN, reason)
    path.unlink()
    if not _list_files(path.parent, f"*.{signals.stem}.*.attempt"):
        signals.unlink()


def _forget_attempts() -> None:
    """In a forked child: the attempts are its parent's."""
    global _lock, _signals
    _lock = threading.Lock()
    are_restored = _restore_signals()
    for inherited in (*_running, *((_signals,) if _signals and are_restored else ())):
        os.close(inherited.descriptor)
    _running.clear()
    _signals = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_attempts)


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
