"""Ask backends for their devices, trusting none of them.

A probe runs driver code: it can raise, answer nonsense, hang or end the process. In this process it runs on a daemon
thread with a deadline; a child process (GPUCORE_PROBE=subprocess, and `gpucore doctor`) survives crashes too. A
backend is asked once; its answer, a timeout too, is kept until `refresh()`.
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace

from gpucore.runtime.causes import describe_cause
from gpucore.runtime.forks import ADVICE, is_lost, note_use
from gpucore.runtime.plugins import TABLE
from gpucore.runtime.protocol import Backend, DeviceInfo, DeviceKind, ProbeResult, ProbeStatus
from gpucore.runtime.records import BUILT_IN_DISTRIBUTION, PluginRecord, PluginStatus
from gpucore.runtime.settings import is_probe_isolated, read_probe_timeout

_ID_PATTERN = re.compile(r"[a-z][a-z0-9_]*(:[a-z0-9_.-]+){1,2}")


def probe(backend: Backend, timeout: float | None = None) -> ProbeResult:
    """Ask a backend in this process, now. Never raises for what the backend does, save KeyboardInterrupt.

    `timeout` is in seconds (default GPUCORE_PROBE_TIMEOUT, 10). A probe that runs longer is left behind on its thread:
    Python cannot end it.
    """
    seconds = read_probe_timeout() if timeout is None else timeout
    if is_lost(backend):
        return _broken("its driver was in use when this process was forked", ADVICE)
    note_use(backend)
    answers: list[ProbeResult | KeyboardInterrupt] = []
    worker = threading.Thread(
        target=lambda: answers.append(_ask(backend)), name=f"gpucore-probe-{backend.name}", daemon=True
    )
    worker.start()
    worker.join(seconds)
    if not answers:
        return timed_out(backend.hint, seconds)
    if isinstance(answers[0], KeyboardInterrupt):
        raise answers[0]
    return answers[0]


def probe_here(backend: Backend) -> ProbeResult:
    """Ask a backend on this thread, without a deadline, and check its answer."""
    try:
        answer: object = backend.probe()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 (SystemExit too: a driver's wrapper must not end the program)
        return _broken(f"its probe failed: {describe_cause(error)}", backend.hint)
    return check_result(answer, backend.name, backend.hint)


def timed_out(hint: str, seconds: float) -> ProbeResult:
    """The answer of a backend that gave none in time."""
    advice = hint or "set GPUCORE_PROBE_TIMEOUT higher, or block it with GPUCORE_BLOCK"
    return ProbeResult(ProbeStatus.TIMED_OUT, reason=f"its probe gave no answer in {seconds:g} s", hint=advice)


def check_result(answer: object, name: str, hint: str) -> ProbeResult:
    """The answer of backend `name` if it keeps the rules of `Backend.probe`, else one that says which it breaks."""
    if not isinstance(answer, ProbeResult):
        return _broken(f"its probe returned {type(answer).__name__}, not a ProbeResult", hint)
    if not _have_types((answer.status, ProbeStatus), (answer.devices, tuple)):
        return _broken("its probe's answer has a status or devices of the wrong type", hint)
    if answer.status is ProbeStatus.AVAILABLE and not answer.devices:
        return _broken("its probe says available and names no device", hint)
    if answer.status is not ProbeStatus.AVAILABLE and answer.devices:
        return _broken(f"its probe says {answer.status.value} and names devices all the same", hint)
    ids: set[str] = set()
    for info in answer.devices:
        if problem := _check_device(info, name):
            return _broken(problem, hint)
        if info.id in ids:
            return _broken(f"its probe names the device {info.id!r} twice", hint)
        ids.add(info.id)
    if answer.status is ProbeStatus.AVAILABLE:
        return answer
    return replace(answer, reason=answer.reason or "its probe gave no reason", hint=answer.hint or hint)


def probe_backend(
    record: PluginRecord, backend: Backend, *, isolated: bool | None = None, timeout: float | None = None
) -> ProbeResult:
    """The kept answer of a backend; asks it if nobody has. Threads that ask at once share one answer.

    `isolated` says whether a child process does it (default: GPUCORE_PROBE). The simulator and backends that the
    program registered are always asked in this process: the first has no driver, a child would not know the others.
    """
    cache = _current_cache()
    with cache.lock_of(backend.name):
        if backend.name not in cache.results:
            cache.results[backend.name] = _probe_one(record, backend, isolated, timeout)
        return cache.results[backend.name]


def probe_all(
    *, isolated: bool | None = None, timeout: float | None = None
) -> list[tuple[PluginRecord, str, ProbeResult]]:
    """Every plugin and what came of it, one row for each backend; a refused plugin has one row with its reason.

    Raises nothing for a bad plugin. Child processes run side by side; in this process one backend is asked after the
    other, so the time is bounded by `timeout` times the number of backends.
    """
    isolated = is_probe_isolated() if isolated is None else isolated
    rows: list[tuple[PluginRecord, str, Callable[[], ProbeResult]]] = []
    for record in TABLE.load_all():
        if record.status is not PluginStatus.LOADED:
            rows.append((record, record.name, _Ready(refusal_of(record))))
        rows += [(record, one.name, _Question(record, one, isolated, timeout)) for one in record.backends]
    if isolated:
        _run_side_by_side([ask for _, _, ask in rows])
    return [(record, name, ask()) for record, name, ask in rows]


def refusal_of(record: PluginRecord) -> ProbeResult:
    """The probe result that stands for a plugin which was refused."""
    return ProbeResult(ProbeStatus(record.status.value), reason=record.reason, hint=record.hint)


@dataclass(frozen=True)
class _Ready:
    result: ProbeResult

    def __call__(self) -> ProbeResult:
        return self.result


@dataclass(frozen=True)
class _Question:
    record: PluginRecord
    backend: Backend
    isolated: bool
    timeout: float | None

    def __call__(self) -> ProbeResult:
        return probe_backend(self.record, self.backend, isolated=self.isolated, timeout=self.timeout)


class _Cache:
    """Answers of one generation of the plugin table."""

    def __init__(self, generation: int) -> None:
        self.generation = generation
        self.results: dict[str, ProbeResult] = {}
        self._lock = threading.Lock()
        self._locks: dict[str, threading.Lock] = {}

    def lock_of(self, name: str) -> threading.Lock:
        with self._lock:
            return self._locks.setdefault(name, threading.Lock())

    def recover_after_fork(self) -> None:
        self._lock = threading.Lock()
        self._locks = {}


_cache = _Cache(TABLE.generation)
_cache_lock = threading.Lock()


def _current_cache() -> _Cache:
    global _cache
    with _cache_lock:
        if _cache.generation != TABLE.generation:
            _cache = _Cache(TABLE.generation)
        return _cache


def _recover_after_fork() -> None:
    global _cache_lock
    _cache_lock = threading.Lock()
    _cache.recover_after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_recover_after_fork)


def _probe_one(record: PluginRecord, backend: Backend, isolated: bool | None, timeout: float | None) -> ProbeResult:
    wanted = is_probe_isolated() if isolated is None else isolated
    if not wanted or record.distribution in ("", BUILT_IN_DISTRIBUTION):
        return probe(backend, timeout)
    from gpucore.runtime import isolation  # noqa: PLC0415 (its modules take 8 ms that `import gpucore` must not pay for)

    return isolation.probe_in_child(backend, timeout)


def _ask(backend: Backend) -> ProbeResult | KeyboardInterrupt:
    try:
        return probe_here(backend)
    except KeyboardInterrupt as interrupt:
        return interrupt


def _run_side_by_side(questions: list[Callable[[], ProbeResult]]) -> None:
    workers = [threading.Thread(target=ask, daemon=True) for ask in questions]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()


def _check_device(info: object, name: str) -> str:
    if not isinstance(info, DeviceInfo):
        return f"its probe names a device that is a {type(info).__name__}, not a DeviceInfo"
    if not _have_types((info.id, str)) or not _ID_PATTERN.fullmatch(info.id) or info.id.partition(":")[0] != name:
        return f"its device has the id {info.id!r}; it must be like '{name}:0' or '{name}:api:0'"
    if info.backend != name:
        return f"its device {info.id!r} says that its backend is {info.backend!r}"
    if not _have_types((info.kind, DeviceKind), (info.index, int)):
        return f"its device {info.id!r} has a kind or an index of the wrong type"
    return ""


def _have_types(*pairs: tuple[object, type]) -> bool:
    """Whether values have the types that annotations promise: a plugin need not keep them."""
    return all(isinstance(value, expected) for value, expected in pairs)


def _broken(reason: str, hint: str) -> ProbeResult:
    return ProbeResult(ProbeStatus.BROKEN, reason=reason, hint=hint)
