"""Probe results as JSON, for the pipe between a process and the child that probes for it."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

from gpucore.ir import Capability, Limits
from gpucore.runtime.protocol import DeviceInfo, DeviceKind, ProbeResult, ProbeStatus


def encode_result(result: ProbeResult) -> str:
    """One line of JSON."""
    return json.dumps(
        {
            "status": result.status.value,
            "devices": [_encode_device(info) for info in result.devices],
            "reason": result.reason,
            "hint": result.hint,
        }
    )


def decode_result(text: str) -> ProbeResult:
    """What encode_result wrote. Raises ValueError for anything else: the writer may have died while writing."""
    try:
        fields = json.loads(text)
        return ProbeResult(
            ProbeStatus(fields["status"]),
            tuple(_decode_device(device) for device in fields["devices"]),
            str(fields["reason"]),
            str(fields["hint"]),
        )
    except (LookupError, TypeError, AttributeError) as error:
        raise ValueError(f"not a probe result: {type(error).__name__}: {error}") from error


def _encode_device(info: DeviceInfo) -> dict[str, Any]:
    fields = {field.name: getattr(info, field.name) for field in dataclasses.fields(info)}
    fields["kind"] = info.kind.value
    fields["capabilities"] = sorted(capability.value for capability in info.capabilities)
    fields["limits"] = dataclasses.asdict(info.limits)
    return fields


def _decode_device(fields: dict[str, Any]) -> DeviceInfo:
    limits: dict[str, Any] = fields["limits"]
    limits = {name: tuple(value) if isinstance(value, list) else value for name, value in limits.items()}
    return DeviceInfo(
        id=fields["id"],
        backend=fields["backend"],
        index=fields["index"],
        name=fields["name"],
        kind=DeviceKind(fields["kind"]),
        driver=fields["driver"],
        api=fields["api"],
        capabilities=frozenset(Capability(value) for value in fields["capabilities"]),
        limits=Limits(**limits),
        details=tuple((str(key), str(value)) for key, value in fields["details"]),
    )
