"""Probing of all plugins, in this process or in child processes.

A probe runs driver code: it can raise, return an invalid result, hang or crash the process. In this process it runs on
a daemon thread with a timeout. A child process (GPUCORE_PROBE=subprocess, and `gpucore doctor`) isolates crashes too.
It imports the plugin, too, so that this process imports none before it opens a device.

A backend is probed once. Its result, also a timeout, is kept until `refresh()`.
"""

from __future__ import annotations

import enum
import os
import sys
import threading
from collections.abc import Hashable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from gpucore.errors import BackendUnavailableError
from gpucore.host import host_only
from gpucore.runtime.background_call import BackgroundCall
from gpucore.runtime.parse import ANY_GPU
from gpucore.runtime.plugins.backend_names import explain_absence, refuse_shared_names
from gpucore.runtime.plugins.manager import TABLE
from gpucore.runtime.plugins.records import OFFICIAL, SIMULATOR, PluginRecord, PluginStatus, family_of
from gpucore.runtime.probing.in_process import probe
from gpucore.runtime.protocol import Backend, ProbeResult, ProbeStatus
from gpucore.runtime.settings import is_probe_isolated, read_probe_timeout

if TYPE_CHECKING:
    from gpucore.runtime.plugins.verdicts import Verdict
    from gpucore.runtime.probing.in_child import PluginReport

Row = tuple[PluginRecord, str, ProbeResult]
"""A plugin, the name of one of its backends (the plugin's own name if it has none), and the result of its probe."""


def probe_backend(
    record: PluginRecord, backend: Backend, timeout: float | None = None, *, is_named: bool = False
) -> ProbeResult:
    """The cached result of a backend, probed in this process if there is none. Concurrent threads share one probe.

    A backend is skipped, with a warning, if an earlier probe crashed or timed out. That result is not cached, because
    a request by name tries again. `is_named`: this is one, for which a child process has tried what was known to fail;
    it gets an error instead of a warning after a timeout.
    """
    cache = _current_cache()
    with cache.lock_of(backend.name):
        if backend.name in cache.results:
            return cache.results[backend.name]
        seconds = read_probe_timeout() if timeout is None else timeout
        if record.is_own:
            cache.results[backend.name] = probe(backend, seconds, record.origin)
            return cache.results[backend.name]
        from gpucore.runtime.plugins import verdicts  # noqa: PLC0415 (not needed by `import gpucore`)

        if not is_named and (verdict := verdicts.recall(record, seconds).get(backend.name)):
            verdicts.warn(verdict)
            return _result_of(verdict)
        with verdicts.attempt(record, backend.name):
            result = probe(backend, seconds, record.origin)
        if result.status is ProbeStatus.TIMED_OUT:
            verdict = verdicts.remember(record, backend.name, PluginStatus.TIMED_OUT, result.reason, seconds)
            if not is_named:
                verdicts.warn(verdict)
        cache.results[backend.name] = result
        return result


@host_only
def probe_all(*, isolated: bool | None = None, timeout: float | None = None) -> list[Row]:
    """Probe all plugins, and say of each why it can be used or not, as `gpucore doctor` does.

    A row for each backend: the plugin, the backend's name, and the result, with `status`, `devices`, `reason` and
    `hint`. A refused plugin has one row with its reason.

    `isolated` is whether child processes import and probe the plugins (default: GPUCORE_PROBE); True includes plugins
    that are skipped because of earlier failures (see GPUCORE_CACHE). The simulator and backends that the program
    registered are always probed in this process: the former has no driver, a child would not know the latter. `timeout`
    is in seconds (default: GPUCORE_PROBE_TIMEOUT), for each import and each probe.

    Does not raise for a bad plugin; raises BackendError for an invalid environment variable. Child processes run in
    parallel; in this process backends are probed one after the other, so the time is at most `timeout` times the number
    of plugins and backends.
    """
    is_isolated = _is_isolated(isolated)
    seconds = read_probe_timeout() if timeout is None else timeout
    records = TABLE.list_found() if is_isolated else TABLE.load_all(seconds)
    return _make_rows(records, seconds, _Purpose.CHOICE if isolated is None else _Purpose.EXAMINATION)


def probe_named(
    name: str, *, isolated: bool | None = None, timeout: float | None = None
) -> tuple[PluginRecord, ProbeResult]:
    """The plugin that has the backend of that name, and the result of its probe. Only plugins whose names start with
    the same word are loaded; see `probe_all` for the rest. A plugin that is skipped for an earlier failure is tried
    again, in a child process first.

    Raises BackendUnavailableError, with the reason and what to do, if there is no such backend.
    """
    is_isolated = _is_isolated(isolated)
    seconds = read_probe_timeout() if timeout is None else timeout
    fails_again = isolated is None and _fails_again(name, seconds)
    is_in_child = is_isolated or fails_again
    found = TABLE.list_found() if is_in_child else []
    if not is_in_child or any(record.name == name and record.is_own for record in found):
        record, backend = TABLE.find(name, seconds)
        return record, probe_backend(record, backend, seconds, is_named=True)
    family = [one for one in found if one.name != SIMULATOR and family_of(one.name) == family_of(name)]
    purpose = _Purpose.REQUEST if isolated is None else _Purpose.EXAMINATION
    records, results = _probe_records(family, seconds, purpose)
    for record, answers in zip(records, results, strict=True):
        for summary, result in zip(record.summaries, answers, strict=False):
            if summary.name == name:
                return record, result
    others = [record for record in found if record not in family]
    raise BackendUnavailableError(explain_absence(name, [*others, *records]))


def check_known(name: str, *, isolated: bool | None = None, timeout: float | None = None) -> None:
    """Raise BackendUnavailableError if no backend, installed or official, has that name. If no plugin has that name,
    those that may have such a backend are probed."""
    if name != ANY_GPU and name not in OFFICIAL and name not in (record.name for record in TABLE.list_installed()):
        probe_named(name, isolated=isolated, timeout=timeout)


class _Purpose(enum.Enum):
    """Why plugins are probed."""

    CHOICE = "choice"  # automatic: plugins with verdicts are skipped, with a warning
    REQUEST = "request"  # by name: verdicts are ignored, and recorded
    EXAMINATION = "examination"  # verdicts are ignored, and not recorded


class _Cache:
    """Results for one generation of the plugin table."""

    def __init__(self, generation: int) -> None:
        self.generation = generation
        self.results: dict[str, ProbeResult] = {}  # by backend, from this process
        self.reports: dict[tuple[PluginRecord, bool], PluginReport] = {}  # from child processes; True: nothing skipped
        self.fails_again: dict[str, bool] = {}  # by backend: the results of `_fails_again`
        self._lock = threading.Lock()
        self._locks: dict[Hashable, threading.Lock] = {}

    def lock_of(self, key: Hashable) -> threading.Lock:
        with self._lock:
            return self._locks.setdefault(key, threading.Lock())

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


def _is_isolated(wanted: bool | None) -> bool:
    """Whether to use child processes. A frozen application cannot: it has no interpreter to start."""
    is_wanted = is_probe_isolated() if wanted is None else wanted
    return is_wanted and _can_start_children()


def _can_start_children() -> bool:
    return bool(sys.executable) and not getattr(sys, "frozen", False)


def _make_rows(records: Sequence[PluginRecord], seconds: float, purpose: _Purpose) -> list[Row]:
    rows: list[Row] = []
    for record, results in zip(*_probe_records(records, seconds, purpose), strict=True):
        if record.status is not PluginStatus.LOADED:
            rows.append((record, record.name, _result_of(record)))
        rows += [(record, summary.name, result) for summary, result in zip(record.summaries, results, strict=False)]
    return rows


def _probe_records(
    records: Sequence[PluginRecord], seconds: float, purpose: _Purpose
) -> tuple[list[PluginRecord], list[tuple[ProbeResult, ...]]]:
    """The plugins after loading, and the results of their backends, from child processes for those that are FOUND."""
    known = [_load_built_in(record, seconds) for record in records]
    found = [record for record in known if record.status is PluginStatus.FOUND]
    answers = _probe_in_children(found, seconds, purpose)
    outcome = refuse_shared_names([answers[one].record if one in answers else one for one in known])
    results = [
        answers[record].results if record in answers else _probe_backends(after, seconds, purpose)
        for record, after in zip(known, outcome, strict=True)
    ]
    return outcome, results


def _probe_backends(record: PluginRecord, seconds: float, purpose: _Purpose) -> tuple[ProbeResult, ...]:
    is_named = purpose is _Purpose.REQUEST
    return tuple(probe_backend(record, backend, seconds, is_named=is_named) for backend in record.backends)


def _load_built_in(record: PluginRecord, seconds: float) -> PluginRecord:
    is_waiting = record.is_built_in and record.status is PluginStatus.FOUND
    return TABLE.find(record.name, seconds)[0] if is_waiting else record


def _result_of(found: PluginRecord | Verdict) -> ProbeResult:
    """The probe result of a refused plugin, or of a step with a verdict."""
    return ProbeResult(ProbeStatus(found.status.value), reason=found.reason, hint=found.hint)


def _probe_in_children(
    found: list[PluginRecord], seconds: float, purpose: _Purpose
) -> dict[PluginRecord, PluginReport]:
    """Probe plugins in child processes, in parallel, one process for each plugin."""
    cache = _current_cache()
    calls = {
        record: BackgroundCall(
            partial(_probe_in_one_child, cache, record, seconds, purpose), f"gpucore-child-{record.name}"
        )
        for record in found
    }
    for call in calls.values():
        call.start()
    for call in calls.values():
        call.join()  # it always ends, because the child has a timeout
    return {record: call.answer for record, call in calls.items()}


def _probe_in_one_child(cache: _Cache, record: PluginRecord, seconds: float, purpose: _Purpose) -> PluginReport:
    from gpucore.runtime.plugins import verdicts  # noqa: PLC0415 (not needed by `import gpucore`)
    from gpucore.runtime.probing import in_child  # noqa: PLC0415 (takes 8 ms, not needed by `import gpucore`)

    with cache.lock_of(record):
        uses_verdicts = purpose is _Purpose.CHOICE and (record, True) not in cache.reports
        known = verdicts.recall(record, seconds) if uses_verdicts else {}
        key = record, not known
        if key in cache.reports:
            return cache.reports[key]
        for verdict in known.values():
            verdicts.warn(verdict)
        if refusal := known.get(verdicts.IMPORT):
            answer = in_child.PluginReport(record.refuse(refusal.status, refusal.reason, refusal.hint))
        else:
            answer = in_child.probe_in_child(record, seconds, {step: _result_of(one) for step, one in known.items()})
        made = _remember_failures(record, answer, seconds) if purpose is not _Purpose.EXAMINATION else []
        for verdict in made if purpose is _Purpose.CHOICE else ():
            verdicts.warn(verdict)
        cache.reports[key] = answer
        return answer


def _remember_failures(record: PluginRecord, answer: PluginReport, seconds: float) -> list[Verdict]:
    from gpucore.runtime.plugins import verdicts  # noqa: PLC0415 (as above)

    made = []
    for step in answer.failed:
        names = [summary.name for summary in answer.record.summaries]
        result = answer.results[names.index(step)] if step in names else _result_of(answer.record)
        limit = seconds if result.status is ProbeStatus.TIMED_OUT else 0.0
        made.append(verdicts.remember(record, step, PluginStatus(result.status.value), result.reason, limit))
    return made


def _fails_again(name: str, seconds: float) -> bool:
    """Whether a backend, or its plugin, that is skipped for an earlier failure fails again in a child process. If it
    does not, it is not skipped any more."""
    cache = _current_cache()
    if name in cache.results or not _can_start_children():
        return False
    if name in cache.fails_again:
        return cache.fails_again[name]
    from gpucore.runtime.plugins import verdicts  # noqa: PLC0415 (as above)

    fails = False
    for record in TABLE.list_to_try(name):
        known = verdicts.recall(record, seconds)
        if known.keys().isdisjoint((verdicts.IMPORT, name)):
            continue
        answer = _probe_in_one_child(cache, record, seconds, _Purpose.REQUEST)
        for step in known.keys() - set(answer.failed):
            verdicts.forget(record, step)
        if not {verdicts.IMPORT, name}.isdisjoint(answer.failed):
            fails = True
        else:
            TABLE.readmit(record)
    cache.fails_again[name] = fails
    return fails
