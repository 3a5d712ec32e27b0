"""Which device: explicit argument, then `use`, then GPUCORE_BACKEND, then the best that there is.

A choice by name loads and probes only what it names, and fails with every reason: it never falls back. Automatic
choice probes all, ranks by (kind, declared priority, name) with the simulator last of all, and warns once when it ends
without a GPU although a plugin for one is installed. How a choice came about is kept in `Decision.why`.
"""

from __future__ import annotations

import sys
import threading
import warnings
from collections.abc import Sequence
from dataclasses import dataclass

from gpucore.errors import ArgumentError, BackendUnavailableError, FallbackWarning, NoDeviceError
from gpucore.runtime.parse import DeviceRequest, parse_device
from gpucore.runtime.plugins import TABLE, hints_for_missing
from gpucore.runtime.probe import probe_all, probe_backend
from gpucore.runtime.protocol import Backend, DeviceInfo, DeviceKind, ProbeResult, ProbeStatus
from gpucore.runtime.records import SIMULATOR, PluginRecord, PluginStatus
from gpucore.runtime.settings import is_gpu_required, read_backend_order
from gpucore.runtime.use import current_choice

_GPU_KINDS = (DeviceKind.GPU, DeviceKind.IGPU)
_WITHOUT_GPU = ("cpu", SIMULATOR)  # plugins that never bring a GPU

_Row = tuple[PluginRecord, str, ProbeResult]


@dataclass(frozen=True, slots=True)
class Decision:
    """A device that was chosen, the backend that opens it, and why it was this one."""

    info: DeviceInfo
    backend: Backend
    why: str


@dataclass(frozen=True, slots=True)
class _Best:
    """Automatic choice, as long as the plugin table stays as it was."""

    generation: int
    rows: Sequence[_Row]
    decision: Decision


_best: _Best | None = None


def choose(explicit: str | DeviceInfo | None = None) -> Decision:
    """The device to use. `explicit` is what a caller passed as `device=`, None where nothing was passed.

    Raises BackendUnavailableError when what was named cannot be used, NoDeviceError when automatic choice finds
    nothing that fits, ArgumentError for a name of another form.
    """
    if explicit is not None:
        return _choose_named(parse_device(explicit), "the argument")
    if (request := current_choice()) is not None:
        return _choose_named(request, f"use({request.text!r})")
    if order := read_backend_order():
        return _choose_in_order(order)
    return _choose_best()


def devices() -> list[DeviceInfo]:
    """All devices that can be used, best first. Loads and probes everything on its first call."""
    return [info for info, _ in _rank(probe_all())]


def _choose_named(request: DeviceRequest, asker: str) -> Decision:
    decision, problem = _try(request, asker)
    if decision is None:
        raise BackendUnavailableError(f"{request.text!r}, asked for by {asker}, cannot be used\n  {problem}")
    return decision


def _choose_in_order(order: Sequence[str]) -> Decision:
    """The first of GPUCORE_BACKEND that is available. A name that nobody knows is an error wherever it stands."""
    asker = f'GPUCORE_BACKEND="{",".join(order)}"'
    try:
        requests = [parse_device(text) for text in order]
    except ArgumentError as error:
        raise BackendUnavailableError(f"{asker}: {error}") from None
    for request in requests:
        try:
            TABLE.check_known(request.backend)
        except BackendUnavailableError as error:
            raise BackendUnavailableError(f"{asker}: {error}") from None
    problems: list[str] = []
    for request in requests:
        passed_over = "".join(f"; passed over: {problem.splitlines()[0]}" for problem in problems)
        decision, problem = _try(request, f"{asker}{passed_over}")
        if decision is not None:
            _check_required(decision.info, (), problems)
            return decision
        problems.append(problem)
    raise BackendUnavailableError("\n  ".join([f"{asker}: none of these can be used", *problems]))


def _try(request: DeviceRequest, why: str) -> tuple[Decision | None, str]:
    """The device that a request means, or None and the reason, with a hint on further lines."""
    try:
        record, backend = TABLE.find(request.backend)
    except BackendUnavailableError as error:
        return None, _indent(str(error))
    result = probe_backend(record, backend)
    if result.status is not ProbeStatus.AVAILABLE:
        return None, _explain(backend.name, result)
    info = request.pick(result.devices)
    if info is None:
        names = ", ".join(one.id for one in result.devices)
        return None, f"backend {backend.name!r} has no device {request.text!r}; it has {names}"
    return Decision(info, backend, f"asked for by {why}"), ""


def _choose_best() -> Decision:
    """The best device of all. Ranking is done once for each state of the plugin table: every array asks for this."""
    global _best
    generation = TABLE.generation
    kept = _best
    if kept is None or kept.generation != generation:
        kept = _best = _find_best(generation)
    if kept.decision.info.kind not in _GPU_KINDS:
        _check_required(kept.decision.info, kept.rows)
        if not _has_warned:
            _warn_of_fallback(kept.decision.info, kept.rows)
    return kept.decision


def _find_best(generation: int) -> _Best:
    rows = probe_all()
    ranked = _rank(rows)
    if not ranked:
        raise NoDeviceError("\n  ".join(["no device can be used", *_reasons(rows)]))
    info, backend = ranked[0]
    why = f"the best of {len(ranked)}: {info.kind.value}, priority {backend.priority}"
    return _Best(generation, rows, Decision(info, backend, why))


def _check_required(info: DeviceInfo, rows: Sequence[_Row], problems: Sequence[str] = ()) -> None:
    if info.kind not in _GPU_KINDS and is_gpu_required():
        head = f"GPUCORE_REQUIRE=gpu, and no GPU can be used (the choice would be {info.id}, {info.kind.value})"
        raise NoDeviceError("\n  ".join([head, *problems, *_reasons(rows)]))


def _rank(rows: Sequence[_Row]) -> list[tuple[DeviceInfo, Backend]]:
    """Available devices with their backends, best first; devices of one backend and kind keep its order."""
    found = []
    for record, name, result in rows:
        backend = next((one for one in record.backends if one.name == name), None)
        if backend is not None and result.status is ProbeStatus.AVAILABLE:
            found += [(info, backend) for info in result.devices]
    return sorted(found, key=lambda pair: _rank_key(*pair))


def _rank_key(info: DeviceInfo, backend: Backend) -> tuple[bool, int, int, str]:
    return info.backend == SIMULATOR, info.kind.rank, -backend.priority, backend.name


def _reasons(rows: Sequence[_Row]) -> list[str]:
    """Why each plugin brings no GPU, and how to get those that are not installed."""
    lines = [_explain(name, result) for _, name, result in rows]
    missing = ((name, hint) for name, hint in hints_for_missing().items() if name not in _WITHOUT_GPU)
    return lines + [f"{name}: not installed\n    hint: {hint}" for name, hint in missing]


def _explain(name: str, result: ProbeResult) -> str:
    """Why a backend brings no GPU."""
    if result.status is ProbeStatus.AVAILABLE:
        kinds = ", ".join(f"{info.id} is {info.kind.value} ({info.name})" for info in result.devices)
        return f"{name}: {kinds}"
    hint = f"\n    hint: {result.hint}" if result.hint else ""
    return f"{name}: {result.status.value}: {result.reason}{hint}"


def _indent(text: str) -> str:
    return text.replace("\n", "\n  ")


_has_warned = False
_warning_lock = threading.Lock()


def _warn_of_fallback(info: DeviceInfo, rows: Sequence[_Row]) -> None:
    """Warn, once in a process, if a plugin that can bring a GPU is installed, save one that the user blocked."""
    global _has_warned
    suspects = [
        _explain(name, result)
        for record, name, result in rows
        if record.name not in _WITHOUT_GPU and record.status is not PluginStatus.BLOCKED
    ]
    with _warning_lock:
        if _has_warned or not suspects:
            return
        head = f"no GPU can be used; {info.id} ({info.kind.value}) was chosen instead, because"
        tail = "choose a device by name, or set GPUCORE_REQUIRE=gpu to make this an error"
        warnings.warn("\n  ".join([head, *suspects, tail]), FallbackWarning, stacklevel=_level_of_caller())
        _has_warned = True  # not before: under `-W error` the warning is raised, and must be again


def _level_of_caller() -> int:
    """The stacklevel that puts a warning of the calling function on the first line outside gpucore."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "gpucore":
        level, frame = level + 1, frame.f_back
    return level
