"""The report of a child process on a plugin, in lines of JSON: the plugin's record, then the results of its probes."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Collection
from typing import Any

from gpucore.ir import Capability, Limits
from gpucore.runtime.plugins.records import BackendSummary, PluginRecord, PluginStatus
from gpucore.runtime.protocol import DeviceInfo, DeviceKind, ProbeResult, ProbeStatus

_OUTCOMES = (PluginStatus.LOADED, PluginStatus.BROKEN, PluginStatus.INCOMPATIBLE)


def encode_task(record: PluginRecord, skipped: Collection[str]) -> str:
    """The plugin to import and probe, and the backends to skip, as one line of JSON."""
    return json.dumps([record.name, record.distribution, record.version, record.module, sorted(skipped)])


def decode_task(text: str) -> tuple[PluginRecord, frozenset[str]]:
    """The arguments of `encode_task` from its result."""
    name, distribution, version, module, skipped = json.loads(text)
    return PluginRecord(name, distribution, version, module, PluginStatus.FOUND), frozenset(skipped)


def encode_record(record: PluginRecord) -> str:
    """The outcome of importing a plugin as one line of JSON."""
    summaries = [
        {
            "name": summary.name,
            "priority": summary.priority,
            "hint": summary.hint,
            "kind": summary.kind.value,
            "settings": None if summary.settings is None else sorted(summary.settings),
        }
        for summary in record.summaries
    ]
    return json.dumps(
        {"status": record.status.value, "reason": record.reason, "hint": record.hint, "backends": summaries}
    )


def decode_record(text: str, record: PluginRecord) -> PluginRecord:
    """`record` updated from the result of `encode_record`. Raises ValueError for other text."""
    try:
        fields = json.loads(text)
        status = PluginStatus(fields["status"])
        summaries = tuple(
            BackendSummary(
                str(one["name"]),
                int(one["priority"]),
                str(one["hint"]),
                DeviceKind(one["kind"]),
                None if one["settings"] is None else frozenset(map(str, one["settings"])),
            )
            for one in fields["backends"]
        )
        reason, hint = str(fields["reason"]), str(fields["hint"])
    except (LookupError, TypeError, AttributeError) as error:
        raise ValueError(f"not a plugin's record: {type(error).__name__}: {error}") from error
    if status not in _OUTCOMES or bool(summaries) != (status is PluginStatus.LOADED):
        raise ValueError(f"not the record of an imported plugin: {status.value} with {len(summaries)} backends")
    return dataclasses.replace(record, status=status, reason=reason, hint=hint, summaries=summaries)


def encode_answer(name: str, result: ProbeResult) -> str:
    """A backend's name and its probe result as one line of JSON."""
    return json.dumps([name, encode_result(result)])


def decode_answer(text: str) -> tuple[str, ProbeResult]:
    """The arguments of `encode_answer` from its result. Raises ValueError for other text."""
    try:
        name, result = json.loads(text)
        return str(name), decode_result(result)
    except TypeError as error:
        raise ValueError(f"not a backend's answer: {error}") from error


def encode_result(result: ProbeResult) -> str:
    """A probe result as one line of JSON."""
    return json.dumps(
        {
            "status": result.status.value,
            "devices": [_encode_device(info) for info in result.devices],
            "reason": result.reason,
            "hint": result.hint,
        }
    )


def decode_result(text: str) -> ProbeResult:
    """The argument of `encode_result` from its result. Raises ValueError for other text, such as a part of a line."""
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
        kernels_share_memory=bool(fields["kernels_share_memory"]),
        workgroups_progress=bool(fields["workgroups_progress"]),
        memory=int(fields["memory"]),
        multiprocessors=int(fields["multiprocessors"]),
        compiles=bool(fields["compiles"]),
        details=tuple((str(key), str(value)) for key, value in fields["details"]),
    )
