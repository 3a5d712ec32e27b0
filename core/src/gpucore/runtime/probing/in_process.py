"""Probes one backend in this process, and checks every part of the result."""

from __future__ import annotations

import re
from dataclasses import replace

from gpucore.runtime.background_call import BackgroundCall
from gpucore.runtime.forks import ADVICE, is_unusable, note_use
from gpucore.runtime.plugins.records import hint_to_report
from gpucore.runtime.protocol import Backend, DeviceInfo, DeviceKind, ProbeResult, ProbeStatus
from gpucore.runtime.root_cause import describe_cause, find_root_cause
from gpucore.runtime.settings import read_probe_timeout

_ID_PATTERN = re.compile(r"[a-z][a-z0-9_]*(:[a-z0-9_.-]+){1,2}")


def probe(backend: Backend, timeout: float | None = None, origin: str = "its plugin") -> ProbeResult:
    """Probe a backend in this process. Exceptions of the backend become a result, except KeyboardInterrupt.

    `timeout` is in seconds (default GPUCORE_PROBE_TIMEOUT, 10). A probe that takes longer is abandoned on its thread,
    which Python cannot end. `origin` is where the backend is from, for hints: `PluginRecord.origin`.
    """
    seconds = read_probe_timeout() if timeout is None else timeout
    if is_unusable(backend):
        return _broken("its driver was in use when this process was forked", ADVICE)
    note_use(backend)
    call = BackgroundCall(lambda: probe_here(backend, origin), f"gpucore-probe-{backend.name}")
    call.start()
    return call.answer if call.wait(seconds) else timed_out(backend.hint, seconds)


def probe_here(backend: Backend, origin: str) -> ProbeResult:
    """Probe a backend on this thread, without a timeout, and check its result."""
    try:
        answer: object = backend.probe()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 (SystemExit too: a driver's wrapper must not end the program)
        reason = f"its probe failed: {describe_cause(error)}"
        lacks_driver = isinstance(find_root_cause(error), (ImportError, OSError))  # as of a library that does not load
        return _broken(reason, (lacks_driver and backend.hint) or hint_to_report(backend.name, origin))
    return check_result(answer, backend.name, backend.hint, origin)


def timed_out(hint: str, seconds: float) -> ProbeResult:
    """The result of a probe that timed out."""
    advice = hint or "set GPUCORE_PROBE_TIMEOUT higher, or block it with GPUCORE_BLOCK"
    return ProbeResult(ProbeStatus.TIMED_OUT, reason=f"its probe gave no answer in {seconds:g} s", hint=advice)


def check_result(answer: object, name: str, hint: str, origin: str) -> ProbeResult:
    """The result of backend `name` if it follows the rules of `Backend.probe`, else one that says which it violates."""
    if not isinstance(answer, ProbeResult):
        problem = f"its probe returned {type(answer).__name__}, not a ProbeResult"
    elif not (problem := _check_answer(answer, name)):
        if answer.status is ProbeStatus.AVAILABLE:
            return answer
        return replace(answer, reason=answer.reason or "its probe gave no reason", hint=answer.hint or hint)
    return _broken(problem, hint_to_report(name, origin))


def _check_answer(answer: ProbeResult, name: str) -> str:
    """The rule that a result violates, or ""."""
    if not _have_types((answer.status, ProbeStatus), (answer.devices, tuple)):
        return "its probe's result has a status or devices of the wrong type"
    if answer.status is ProbeStatus.AVAILABLE and not answer.devices:
        return "its probe returned the status available without a device"
    if answer.status is not ProbeStatus.AVAILABLE and answer.devices:
        return f"its probe returned the status {answer.status.value} with devices"
    ids: set[str] = set()
    for info in answer.devices:
        if problem := _check_device(info, name):
            return problem
        if info.id in ids:
            return f"its probe returned the device {info.id!r} twice"
        ids.add(info.id)
    return ""


def _check_device(info: object, name: str) -> str:
    if not isinstance(info, DeviceInfo):
        return f"its probe returned a {type(info).__name__} as a device, not a DeviceInfo"
    if not _have_types((info.id, str)) or not _ID_PATTERN.fullmatch(info.id) or info.id.partition(":")[0] != name:
        return f"its device has the id {info.id!r}; it must be like '{name}:0' or '{name}:api:0'"
    if info.backend != name:
        return f"its device {info.id!r} says that its backend is {info.backend!r}"
    if not _have_types((info.kind, DeviceKind), (info.index, int)):
        return f"its device {info.id!r} has a kind or an index of the wrong type"
    return ""


def _have_types(*pairs: tuple[object, type]) -> bool:
    """Whether values have the annotated types, which a plugin may violate."""
    return all(isinstance(value, expected) for value, expected in pairs)


def _broken(reason: str, hint: str) -> ProbeResult:
    return ProbeResult(ProbeStatus.BROKEN, reason=reason, hint=hint)
