"""Probes one backend in this process, and checks every part of the result."""

from __future__ import annotations

import re
from dataclasses import replace

from gpucore.runtime.background_call import BackgroundCall
from gpucore.runtime.forks import ADVICE, is_unusable, note_use
from gpucore.runtime.protocol import Backend, DeviceInfo, DeviceKind, ProbeResult, ProbeStatus
from gpucore.runtime.root_cause import describe_cause
from gpucore.runtime.settings import read_probe_timeout

_ID_PATTERN = re.compile(r"[a-z][a-z0-9_]*(:[a-z0-9_.-]+){1,2}")


def probe(backend: Backend, timeout: float | None = None) -> ProbeResult:
    """Probe a backend in this process. Exceptions of the backend become a result, except KeyboardInterrupt.

    `timeout` is in seconds (default GPUCORE_PROBE_TIMEOUT, 10). A probe that takes longer is abandoned on its thread,
    which Python cannot end.
    """
    seconds = read_probe_timeout() if timeout is None else timeout
    if is_unusable(backend):
        return _broken("its driver was in use when this process was forked", ADVICE)
    note_use(backend)
    call = BackgroundCall(lambda: probe_here(backend), f"gpucore-probe-{backend.name}")
    call.start()
    return call.answer if call.wait(seconds) else timed_out(backend.hint, seconds)


def probe_here(backend: Backend) -> ProbeResult:
    """Probe a backend on this thread, without a timeout, and check its result."""
    try:
        answer: object = backend.probe()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 (SystemExit too: a driver's wrapper must not end the program)
        return _broken(f"its probe failed: {describe_cause(error)}", backend.hint)
    return check_result(answer, backend.name, backend.hint)


def timed_out(hint: str, seconds: float) -> ProbeResult:
    """The result of a probe that timed out."""
    advice = hint or "set GPUCORE_PROBE_TIMEOUT higher, or block it with GPUCORE_BLOCK"
    return ProbeResult(ProbeStatus.TIMED_OUT, reason=f"its probe gave no answer in {seconds:g} s", hint=advice)


def check_result(answer: object, name: str, hint: str) -> ProbeResult:
    """The result of backend `name` if it follows the rules of `Backend.probe`, else one that says which it violates."""
    if not isinstance(answer, ProbeResult):
        return _broken(f"its probe returned {type(answer).__name__}, not a ProbeResult", hint)
    if not _have_types((answer.status, ProbeStatus), (answer.devices, tuple)):
        return _broken("its probe's result has a status or devices of the wrong type", hint)
    if answer.status is ProbeStatus.AVAILABLE and not answer.devices:
        return _broken("its probe returned the status available without a device", hint)
    if answer.status is not ProbeStatus.AVAILABLE and answer.devices:
        return _broken(f"its probe returned the status {answer.status.value} with devices", hint)
    ids: set[str] = set()
    for info in answer.devices:
        if problem := _check_device(info, name):
            return _broken(problem, hint)
        if info.id in ids:
            return _broken(f"its probe returned the device {info.id!r} twice", hint)
        ids.add(info.id)
    if answer.status is ProbeStatus.AVAILABLE:
        return answer
    return replace(answer, reason=answer.reason or "its probe gave no reason", hint=answer.hint or hint)


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
