"""The plugins of this process: found at first need, imported when one is asked for, kept with their reasons.

Nothing here runs at import: `import gpucore` scans no metadata. The first question does, once, under a lock; answers
stay until `refresh()`. Refusing a plugin never raises: it is kept as a record for `gpucore doctor`, and raises only
when somebody asks for it by name.
"""

from __future__ import annotations

import difflib
import importlib
import os
import threading

from gpucore.errors import ArgumentError, BackendError, BackendUnavailableError
from gpucore.runtime.causes import describe_cause
from gpucore.runtime.loading import RefusedError, check_backend, load_plugin
from gpucore.runtime.protocol import Backend
from gpucore.runtime.records import (
    BUILT_IN_DISTRIBUTION,
    OFFICIAL,
    SIMULATOR,
    PluginRecord,
    PluginStatus,
    family_of,
    hint_to_install,
)
from gpucore.runtime.settings import normalize_name, read_blocked
from gpucore.version import __version__

_BUILT_IN = PluginRecord(SIMULATOR, BUILT_IN_DISTRIBUTION, __version__, "gpucore.simulator.plugin", PluginStatus.FOUND)


class PluginTable:
    """The plugins that one process knows. There is one table, `TABLE`; tests make their own."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._records: list[PluginRecord] | None = None
        self._registered: dict[str, PluginRecord] = {}
        self._is_loading = False
        self.generation = 0  # counts what makes earlier answers worthless

    def list_installed(self) -> list[PluginRecord]:
        """Every plugin as far as it is known, importing none."""
        with self._lock:
            return [*self._registered.values(), *self._discover()]

    def load_all(self) -> list[PluginRecord]:
        """Every plugin, imported, in a stable order."""
        with self._lock:
            for family in sorted({family_of(record.name) for record in self._discover()}):
                self._load_family(family)
            return self.list_installed()

    def find(self, name: str) -> tuple[PluginRecord, Backend]:
        """The backend of that name. Imports nothing but the plugins whose names start with the same word.

        Raises BackendUnavailableError, with the reason and what to do, when there is none.
        """
        with self._lock:
            if found := self._registered.get(name):
                return found, found.backends[0]
            self._load_family(family_of(name))
            for record in self._discover():
                for backend in record.backends:
                    if backend.name == name:
                        return record, backend
            raise BackendUnavailableError(self._explain_absence(name))

    def check_known(self, name: str) -> None:
        """Raise BackendUnavailableError when no backend, installed or official, has that name."""
        if name in OFFICIAL or name in (record.name for record in self.list_installed()):
            return
        self.find(name)

    def register(self, backend: Backend) -> None:
        """Add a backend that no metadata tells of. See `register_backend`."""
        try:
            check_backend(backend)
        except RefusedError as refused:
            raise ArgumentError(f"this backend cannot be registered: {refused.reason}") from None
        with self._lock:
            self._load_family(family_of(backend.name))
            for record in self.list_installed():
                names = {record.name, *(one.name for one in record.backends)}
                if backend.name in names and record.status is not PluginStatus.BLOCKED:
                    raise BackendError(f"a backend named {backend.name!r} is there already, from {record.origin}")
            module = type(backend).__module__
            record = PluginRecord(backend.name, "", "", module, PluginStatus.LOADED, backends=(backend,))
            self._registered[backend.name] = record
            self.generation += 1

    def unregister(self, name: str) -> None:
        """Take back a registered backend. Raises ArgumentError when `register` was not called for the name."""
        with self._lock:
            if self._registered.pop(name, None) is None:
                raise ArgumentError(f"no backend named {name!r} was registered by this program")
            self.generation += 1

    def refresh(self) -> None:
        """Forget what is installed; the next question looks again. Registered backends stay."""
        with self._lock:
            importlib.invalidate_caches()
            self._records = None
            self.generation += 1

    def recover_after_fork(self) -> None:
        """In a forked child: the lock may be held by a thread that does not exist here."""
        self._lock = threading.RLock()
        self._is_loading = False

    def _discover(self) -> list[PluginRecord]:
        if self._records is None:
            from gpucore.runtime import discovery  # noqa: PLC0415 (takes 45 ms that `import gpucore` must not pay for)

            try:
                found = discovery.find_plugins()
            except Exception as error:  # noqa: BLE001 (a broken finder on sys.meta_path must not cost the simulator)
                reason = f"the installed distributions cannot be listed: {describe_cause(error)}"
                found = [PluginRecord("unknown", "", "", "", PluginStatus.BROKEN, reason)]
            self._records = _settle_claims([_BUILT_IN, *found], frozenset(self._registered))
        return self._records

    def _load_family(self, family: str) -> None:
        records = self._discover()
        members = [index for index, record in enumerate(records) if family_of(record.name) == family]
        if not any(records[index].status is PluginStatus.FOUND for index in members):
            return
        if self._is_loading:
            raise BackendError("a plugin asked for devices while it was being imported")
        self._is_loading = True
        try:
            loaded = [_load(records[index]) for index in members]
        finally:
            self._is_loading = False
        if records is not self._records:
            raise BackendError("a plugin called refresh() while it was being imported")
        for index, record in zip(members, _refuse_shared_backends(loaded, self._registered), strict=True):
            records[index] = record

    def _explain_absence(self, name: str) -> str:
        for record in self._discover():
            if record.name != name:
                continue
            if record.status is not PluginStatus.LOADED:
                return _sentence(f"backend {name!r} is {record.status.value}: {record.reason}", record.hint)
            offered = ", ".join(repr(backend.name) for backend in record.backends)
            return f"plugin {name!r} ({record.origin}) has no backend of that name; it has {offered}"
        if name in OFFICIAL:
            return _sentence(f"backend {name!r} is not installed", hint_to_install(name))
        known = sorted({*OFFICIAL, *(record.name for record in self.list_installed())})
        close = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
        advice = f"did you mean {close[0]!r}?" if close else f"known are {', '.join(known)}"
        return f"there is no backend {name!r}; {advice}"


def _load(record: PluginRecord) -> PluginRecord:
    return load_plugin(record) if record.status is PluginStatus.FOUND else record


def _settle_claims(records: list[PluginRecord], registered: frozenset[str]) -> list[PluginRecord]:
    """Refuse what is blocked, what claims the simulator's name, and every one of several that claim one name."""
    blocked = read_blocked()
    free = [record if not _is_blocked(record, blocked) else _refuse_blocked(record) for record in records]
    claims: dict[str, list[PluginRecord]] = {}
    for record in free:
        if record.status is PluginStatus.FOUND:
            claims.setdefault(record.name, []).append(record)
    return [_settle_claim(record, claims.get(record.name, []), registered) for record in free]


def _settle_claim(record: PluginRecord, claims: list[PluginRecord], registered: frozenset[str]) -> PluginRecord:
    if record.status is not PluginStatus.FOUND or record is _BUILT_IN:
        return record
    if record.name == SIMULATOR:
        return record.refuse(PluginStatus.BROKEN, "conflict: the simulator is built in and cannot be replaced")
    if record.name in registered:
        return record.refuse(PluginStatus.BROKEN, f"conflict: the program registered a backend {record.name!r} itself")
    return _refuse_conflict(record, record.name, claims) if len(claims) > 1 else record


def _refuse_shared_backends(records: list[PluginRecord], registered: dict[str, PluginRecord]) -> list[PluginRecord]:
    """Refuse loaded plugins of one family that offer a backend of the same name as another, or as a registered one."""
    claims: dict[str, list[PluginRecord]] = {name: [record] for name, record in registered.items()}
    for record in records:
        for backend in record.backends:
            claims.setdefault(backend.name, []).append(record)
    shared = {name: claim for name, claim in claims.items() if len(claim) > 1}
    settled = []
    for record in records:
        name = next((backend.name for backend in record.backends if backend.name in shared), None)
        settled.append(record if name is None else _refuse_conflict(record, name, shared[name]))
    return settled


def _refuse_conflict(record: PluginRecord, name: str, claims: list[PluginRecord]) -> PluginRecord:
    origins = " and ".join(sorted(f"{claim.origin} ({claim.module})" for claim in claims))
    hint = "uninstall one of them, or set GPUCORE_BLOCK to the distribution that you do not want"
    return record.refuse(PluginStatus.BROKEN, f"conflict: {name!r} is claimed by {origins}", hint)


def _is_blocked(record: PluginRecord, blocked: frozenset[str]) -> bool:
    names = {normalize_name(record.name)}
    if record.distribution != BUILT_IN_DISTRIBUTION:
        names.add(normalize_name(record.distribution))
    return not names.isdisjoint(blocked)


def _refuse_blocked(record: PluginRecord) -> PluginRecord:
    return record.refuse(PluginStatus.BLOCKED, "it is named in GPUCORE_BLOCK", "take it out of GPUCORE_BLOCK")


def _sentence(reason: str, hint: str) -> str:
    return f"{reason}\n  hint: {hint}" if hint else reason


TABLE = PluginTable()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=TABLE.recover_after_fork)


def register_backend(backend: Backend) -> None:
    """Offer a backend of the program itself: for frozen applications, which have no metadata, and for tests.

    The name must be free: ArgumentError where the backend breaks a rule, BackendError where the name is taken.
    """
    TABLE.register(backend)


def unregister_backend(name: str) -> None:
    """Take back what `register_backend` added. Devices that are open stay open."""
    TABLE.unregister(name)


def refresh() -> None:
    """Look again at what is installed and probe again at the next need. Devices that are open stay open."""
    TABLE.refresh()


def hints_for_missing() -> dict[str, str]:
    """Official backends that are not installed, each with the command that installs it."""
    present = {record.name for record in TABLE.list_installed()}
    return {name: hint_to_install(name) for name in OFFICIAL if name not in present}
