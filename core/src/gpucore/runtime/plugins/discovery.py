"""Discovery of installed plugins from metadata, without importing them.

importlib.metadata yields everything that it finds on sys.path. If a distribution is found more than once (an editable
install next to a stale dist-info), the one that `import` would use is taken. A distribution without readable metadata,
or one that requires another version of gpucore, is refused with the reason.
"""

from __future__ import annotations

import importlib.metadata
import re
from collections.abc import Iterable, Iterator

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

from gpucore.runtime.parse import ANY_GPU
from gpucore.runtime.plugins.hookspecs import ENTRY_POINT_GROUP
from gpucore.runtime.plugins.records import (
    BUILT_IN_DISTRIBUTION,
    NAME_PATTERN,
    PluginRecord,
    PluginStatus,
    install_command,
)
from gpucore.runtime.root_cause import describe_cause
from gpucore.version import __version__

_MODULE_PATTERN = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")


def find_plugins() -> list[PluginRecord]:
    """One record, FOUND or refused, for each entry point of the group, sorted by name and distribution.

    Core's own entry point (the simulator) is left out: it is built in, with or without metadata.
    """
    good: list[PluginRecord] = []
    corrupt: list[PluginRecord] = []
    seen: set[str] = set()
    for distribution in _distributions_with_plugins():
        try:
            name = canonicalize_name(distribution.metadata["Name"])
        except Exception as error:  # noqa: BLE001 (each defect of METADATA has its own exception)
            corrupt += _corrupt_records(distribution, error)
            continue
        if name in seen:
            continue
        seen.add(name)
        current = _pick_current(name)
        if current is not None and name != BUILT_IN_DISTRIBUTION:
            good += _records_of(name, current)
    found = {(record.name, record.module) for record in good}
    # Remains of a failed uninstall by pip may describe a plugin that an intact distribution also provides.
    good += [record for record in corrupt if (record.name, record.module) not in found]
    return sorted(good, key=lambda record: (record.name, record.distribution, record.module))


def _distributions_with_plugins() -> Iterator[importlib.metadata.Distribution]:
    """Distributions whose entry points name the group. A text search is enough here and cannot fail to parse."""
    for distribution in importlib.metadata.distributions():
        try:
            text = distribution.read_text("entry_points.txt") or ""
        except (OSError, ValueError):  # unreadable or undecodable: not known to be a plugin
            continue
        if ENTRY_POINT_GROUP in text:
            yield distribution


def _pick_current(name: str) -> importlib.metadata.Distribution | None:
    """The distribution of that name that is in effect: the newest in the first folder of sys.path.

    None if there is none: a folder that pip renamed to "~name" during an uninstall does not have the name.
    """
    found = list(importlib.metadata.distributions(name=name))
    if not found:
        return None
    folder = str(found[0].locate_file(""))
    return max((one for one in found if str(one.locate_file("")) == folder), key=_version_key)


def _version_key(distribution: importlib.metadata.Distribution) -> tuple[bool, Version]:
    try:
        return True, Version(distribution.metadata["Version"])
    except (InvalidVersion, KeyError, TypeError, UnicodeDecodeError, OSError):  # the last of importlib_metadata
        return False, Version("0")


def _records_of(name: str, distribution: importlib.metadata.Distribution) -> list[PluginRecord]:
    try:
        version = str(distribution.metadata["Version"] or "")
        requires = tuple(distribution.requires or ())
        entry_points = _entry_points(distribution)
    except Exception as error:  # noqa: BLE001 (a parser's own exceptions, of any kind)
        return _corrupt_records(distribution, error, name)
    refusal = _check_requirements(name, requires)
    records = []
    for entry_name, value in entry_points:
        record = PluginRecord(entry_name, name, version, value, PluginStatus.FOUND)
        if refusal:
            hint = install_command(BUILT_IN_DISTRIBUTION, name)
            record = record.refuse(PluginStatus.INCOMPATIBLE, refusal, hint)
        elif not NAME_PATTERN.fullmatch(entry_name):
            record = record.refuse(PluginStatus.BROKEN, f"the entry point's name {entry_name!r} is not [a-z][a-z0-9_]*")
        elif entry_name == ANY_GPU:
            record = record.refuse(PluginStatus.BROKEN, f"the name {ANY_GPU!r} means the best GPU of all backends")
        elif not _MODULE_PATTERN.fullmatch(value):
            record = record.refuse(PluginStatus.BROKEN, f"the entry point must name a module, not {value!r}")
        records.append(record)
    return records


def _entry_points(distribution: importlib.metadata.Distribution) -> list[tuple[str, str]]:
    found = distribution.entry_points.select(group=ENTRY_POINT_GROUP)
    return sorted({(entry.name, entry.value) for entry in found})


def _corrupt_records(
    distribution: importlib.metadata.Distribution, error: Exception, name: str = ""
) -> list[PluginRecord]:
    """Records of a distribution whose metadata cannot be read; its entry points may still be known."""
    place = distribution.locate_file("")
    label = name or f"a distribution without a name in {place}"
    cause = describe_cause(error) if name else "no name can be read from it"
    reason = f"the metadata of {label} is corrupt: {cause}"
    hint = f"reinstall it, or delete its dist-info folder in {place}"
    try:
        entry_points = _entry_points(distribution)
    except Exception:  # noqa: BLE001 (the entry points are corrupt: one record for all)
        entry_points = [(name or "unknown", "")]
    return [
        PluginRecord(entry_name, name, "", value, PluginStatus.BROKEN, reason, hint)
        for entry_name, value in entry_points
    ]


def _check_requirements(name: str, requires: Iterable[str]) -> str:
    """Why this core does not satisfy the distribution's requirement; "" if it does. Prereleases are allowed."""
    for line in requires:
        try:
            requirement = Requirement(line)
        except InvalidRequirement:
            if re.match(r"\s*gpucore(?![\w.-])", line, re.IGNORECASE):
                return f"{name} has an unreadable requirement on gpucore: {line!r}"
            continue
        if canonicalize_name(requirement.name) != BUILT_IN_DISTRIBUTION:
            continue
        if requirement.marker is not None and not requirement.marker.evaluate({"extra": ""}):
            continue
        if not requirement.specifier.contains(__version__, prereleases=True):
            return f"{name} requires gpucore{requirement.specifier}, and this is gpucore {__version__}"
    return ""
