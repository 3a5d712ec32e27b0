"""Names of backends: refusal of blocked plugins and of name conflicts, and messages for unknown names."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Sequence

from gpucore.runtime.plugins.records import (
    BUILT_IN_DISTRIBUTION,
    OFFICIAL,
    SIMULATOR,
    PluginRecord,
    PluginStatus,
    hint_to_install,
)
from gpucore.runtime.settings import normalize_name, read_blocked


def refuse_blocked_and_conflicting(records: list[PluginRecord], registered: Collection[str]) -> list[PluginRecord]:
    """Refuse plugins that are blocked, use the simulator's name, or have the same name as another plugin."""
    blocked = read_blocked()
    free = [record if not _is_blocked(record, blocked) else _refuse_blocked(record) for record in records]
    owners: dict[str, list[PluginRecord]] = {}
    for record in free:
        if record.status is PluginStatus.FOUND:
            owners.setdefault(record.name, []).append(record)
    return [_refuse_if_taken(record, owners.get(record.name, []), registered) for record in free]


def refuse_shared_names(records: Sequence[PluginRecord]) -> list[PluginRecord]:
    """Refuse plugins that have a backend with the same name as another of the records. Backends that the program
    registered are kept."""
    owners: dict[str, list[PluginRecord]] = {}
    for record in records:
        for summary in record.summaries:
            owners.setdefault(summary.name, []).append(record)
    shared = {name: plugins for name, plugins in owners.items() if len(plugins) > 1}
    checked = []
    for record in records:
        name = next((summary.name for summary in record.summaries if summary.name in shared), None)
        if name is not None and record.distribution:
            checked.append(_refuse_conflict(record, name, shared[name]))
        else:
            checked.append(record)
    return checked


def explain_absence(name: str, records: Sequence[PluginRecord]) -> str:
    """Why there is no usable backend of that name, and what to do. `records` are all known plugins."""
    for record in records:
        if record.name != name:
            continue
        if record.status is not PluginStatus.LOADED:
            return _sentence(f"backend {name!r} is {record.status.value}: {record.reason}", record.hint)
        offered = ", ".join(repr(summary.name) for summary in record.summaries)
        return f"plugin {name!r} ({record.origin}) has no backend of that name; it has {offered}"
    if name in OFFICIAL:
        return _sentence(f"backend {name!r} is not installed", hint_to_install(name))
    for backend in (backend for record in records for backend in record.backends):
        if backend.language == name:
            return f"{name!r} is the language of the backend {backend.name!r}; did you mean {backend.name!r}?"
    known = sorted({*OFFICIAL, *(record.name for record in records)})
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
    advice = f"did you mean {close[0]!r}?" if close else f"the backends are {', '.join(known)}"
    return f"there is no backend {name!r}; {advice}"


def _refuse_if_taken(record: PluginRecord, owners: list[PluginRecord], registered: Collection[str]) -> PluginRecord:
    if record.status is not PluginStatus.FOUND or record.is_built_in:
        return record
    if record.name == SIMULATOR:
        return record.refuse(PluginStatus.BROKEN, "conflict: the simulator is built in and cannot be replaced")
    if record.name in registered:
        return record.refuse(PluginStatus.BROKEN, f"conflict: the program registered a backend {record.name!r} itself")
    return _refuse_conflict(record, record.name, owners) if len(owners) > 1 else record


def _refuse_conflict(record: PluginRecord, name: str, owners: list[PluginRecord]) -> PluginRecord:
    origins = " and ".join(sorted(f"{owner.origin} ({owner.module})" for owner in owners))
    hint = "uninstall one of them, or set GPUCORE_BLOCK to the distribution that you do not want"
    return record.refuse(PluginStatus.BROKEN, f"conflict: {name!r} is the name of a backend in {origins}", hint)


def _is_blocked(record: PluginRecord, blocked: frozenset[str]) -> bool:
    names = {normalize_name(record.name)}
    if record.distribution != BUILT_IN_DISTRIBUTION:
        names.add(normalize_name(record.distribution))
    return not names.isdisjoint(blocked)


def _refuse_blocked(record: PluginRecord) -> PluginRecord:
    return record.refuse(PluginStatus.BLOCKED, "it is named in GPUCORE_BLOCK", "take it out of GPUCORE_BLOCK")


def _sentence(reason: str, hint: str) -> str:
    return f"{reason}\n  hint: {hint}" if hint else reason
