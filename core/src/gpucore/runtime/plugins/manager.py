"""The plugins of this process: discovered at first use, imported on demand.

`import gpucore` scans no metadata. The first query does, once, under a lock; the result is kept until `refresh()`.
Refusing a plugin does not raise: its record is kept for `gpucore doctor`, and an error is raised only if the plugin
is requested by name.

A plugin is imported on its own thread, with the same timeout as probes. One that hangs is refused, and its thread
abandoned. No lock is held meanwhile; threads that need the same plugin wait for the same import.
"""

from __future__ import annotations

import importlib
import os
import sys
import threading
from contextlib import nullcontext

from gpucore.errors import ArgumentError, BackendError, BackendUnavailableError
from gpucore.host import host_only
from gpucore.runtime.background_call import BackgroundCall
from gpucore.runtime.plugins.backend_names import explain_absence, refuse_blocked_and_conflicting, refuse_shared_names
from gpucore.runtime.plugins.loading import RefusedError, check_backend, is_importing_plugin, load_plugin
from gpucore.runtime.plugins.records import (
    BUILT_IN_DISTRIBUTION,
    OFFICIAL,
    SIMULATOR,
    PluginRecord,
    PluginStatus,
    family_of,
    hint_to_install,
    hint_to_wait,
)
from gpucore.runtime.protocol import Backend
from gpucore.runtime.root_cause import describe_cause
from gpucore.runtime.settings import read_probe_timeout
from gpucore.version import __version__

_BUILT_IN = PluginRecord(SIMULATOR, BUILT_IN_DISTRIBUTION, __version__, "gpucore.simulator.plugin", PluginStatus.FOUND)


class PluginTable:
    """The plugins known to a process. There is one table, `TABLE`; tests create their own."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._found: list[PluginRecord] | None = None
        self._records: list[PluginRecord] = []  # `_found` in the same order, with the records of imported plugins
        self._registered: dict[str, PluginRecord] = {}
        self._imports: dict[PluginRecord, BackgroundCall[PluginRecord]] = {}  # not ended yet
        self._ready: dict[str, tuple[PluginRecord, Backend]] = {}  # cache of `find`, which is called often
        self.generation = 0  # incremented when cached results become invalid

    def list_installed(self) -> list[PluginRecord]:
        """All plugins, without importing any more."""
        with self._lock:
            return [*self._registered.values(), *self._discover()]

    def list_found(self) -> list[PluginRecord]:
        """All plugins as if none had been imported, except those that the program registered."""
        with self._lock:
            self._discover()
            return [*self._registered.values(), *(self._found or ())]

    def load_all(self, timeout: float | None = None) -> list[PluginRecord]:
        """Import all plugins; stable order. `timeout` is in seconds for each (default: GPUCORE_PROBE_TIMEOUT)."""
        while True:
            installed = self.list_installed()
            waiting = [record.name for record in installed if record.status is PluginStatus.FOUND]
            if not waiting:
                return installed
            self._load_family(waiting[0], timeout, is_named=False)

    def list_to_try(self, name: str) -> list[PluginRecord]:
        """The plugins, as they were found, that may have the backend of that name, without those that this process has
        tried and refused."""
        with self._lock:
            if name in self._registered:
                return []
            pairs = zip(self._discover(), self._found or (), strict=True)
            return [
                found
                for record, found in pairs
                if found.status is PluginStatus.FOUND
                and not found.is_built_in
                and _may_have(found, name)
                and (record.is_skipped or record.status in (PluginStatus.FOUND, PluginStatus.LOADED))
            ]

    def readmit(self, found: PluginRecord) -> None:
        """Import a plugin at its next use that was skipped for a failure in an earlier process."""
        with self._lock:
            self._records = [
                found if record.is_skipped and found == original else record
                for record, original in zip(self._discover(), self._found or (), strict=True)
            ]

    def find(self, name: str, timeout: float | None = None) -> tuple[PluginRecord, Backend]:
        """The backend of that name. Imports only plugins whose names start with the same word.

        Raises BackendUnavailableError, with the reason and what to do, if there is none.
        """
        if ready := self._ready.get(name):
            return ready
        with self._lock:
            generation = self.generation
            registered = self._registered.get(name)
        records = [registered] if registered else self._load_family(name, timeout)
        for record in records:
            for backend in record.backends:
                if backend.name == name:
                    with self._lock:
                        if generation == self.generation:
                            self._ready[name] = record, backend
                    return record, backend
        raise BackendUnavailableError(explain_absence(name, [*self._registered.values(), *records]))

    def register(self, backend: Backend) -> None:
        """Add a backend that has no metadata. See `register_backend`."""
        try:
            check_backend(backend)
        except RefusedError as refused:
            raise ArgumentError(f"this backend cannot be registered: {refused.reason}") from None
        self._load_family(backend.name)
        with self._lock:
            for record in self.list_installed():
                names = {record.name, *(summary.name for summary in record.summaries)}
                if backend.name in names and record.status is not PluginStatus.BLOCKED:
                    raise BackendError(f"a backend named {backend.name!r} already exists, from {record.origin}")
            record = PluginRecord(backend.name, "", "", type(backend).__module__, PluginStatus.FOUND)
            self._registered[backend.name] = record.load((backend,))
            self._invalidate_caches()

    def unregister(self, name: str) -> None:
        """Remove a registered backend. Raises ArgumentError if `register` was not called for the name."""
        with self._lock:
            if self._registered.pop(name, None) is None:
                raise ArgumentError(f"no backend named {name!r} was registered by this program")
            self._invalidate_caches()

    def refresh(self) -> None:
        """Forget what is installed; the next query scans again. Registered backends are kept."""
        if is_importing_plugin():
            raise BackendError("a plugin called refresh() while it was being imported")
        with self._lock:
            importlib.invalidate_caches()
            self._found = None
            self._invalidate_caches()

    def recover_after_fork(self) -> None:
        """Reset locks and running imports in a forked child, where the threads that own them do not exist."""
        self._lock = threading.RLock()
        self._imports.clear()

    def _invalidate_caches(self) -> None:
        self.generation += 1
        self._ready = {}

    def _discover(self) -> list[PluginRecord]:
        if self._found is None:
            from gpucore.runtime.plugins import discovery  # noqa: PLC0415 (takes 45 ms, at the first use instead of at import)

            try:
                found = discovery.find_plugins()
            except Exception as error:  # noqa: BLE001 (the simulator works even with a broken finder on sys.meta_path)
                reason = f"the installed distributions cannot be listed: {describe_cause(error)}"
                found = [PluginRecord("unknown", "", "", "", PluginStatus.BROKEN, reason)]
            self._found = refuse_blocked_and_conflicting([_BUILT_IN, *found], frozenset(self._registered))
            self._records = [*self._found]
        return self._records

    def _load_family(self, name: str, timeout: float | None = None, *, is_named: bool = True) -> list[PluginRecord]:
        """All records, after importing those that may have a backend of that name. `is_named`: the user requested it,
        and gets an error instead of a warning if the import times out."""
        while True:
            with self._lock:
                records = self._discover()
                found = [record for record in records if record.status is PluginStatus.FOUND]
                waiting = [record for record in found if _may_have(record, name)]
                if not waiting:
                    return [*records]
            if is_importing_plugin():
                raise BackendError("a plugin requested devices while it was being imported")
            seconds = read_probe_timeout() if timeout is None else timeout
            loaded = {record: self._import(record, seconds, is_named) for record in waiting}
            with self._lock:
                if records is self._records:  # else somebody called refresh(): once more
                    self._replace_loaded(name, loaded)

    def _replace_loaded(self, name: str, loaded: dict[PluginRecord, PluginRecord]) -> None:
        """Replace the FOUND records by the imported ones, unless another thread has."""
        members = [index for index, record in enumerate(self._records) if _may_have(record, name)]
        family = [loaded.get(self._records[index], self._records[index]) for index in members]
        checked = refuse_shared_names([*family, *self._registered.values()])
        for index, record in zip(members, checked, strict=False):
            self._records[index] = record

    def _import(self, record: PluginRecord, seconds: float, is_named: bool) -> PluginRecord:
        """Import one plugin, or wait for the thread that does. Returns the record LOADED or refused."""
        if record.is_built_in:
            return load_plugin(record)
        from gpucore.runtime.plugins import verdicts  # noqa: PLC0415 (not needed by `import gpucore`)

        if verdict := verdicts.recall(record, seconds).get(verdicts.IMPORT):
            verdicts.warn(verdict)
            return record.refuse(verdict.status, verdict.reason, verdict.hint, is_skipped=True)
        with self._lock:
            is_new = record not in self._imports
            if is_new:
                call = BackgroundCall(lambda: load_plugin(record), f"gpucore-import-{record.name}")
                self._imports[record] = call
            call = self._imports[record]
        with verdicts.attempt(record, verdicts.IMPORT) if is_new else nullcontext():
            if is_new and _is_inside_import(record.module):
                call.run()
            elif is_new:
                call.start()
            has_ended = call.wait(seconds)
        if not has_ended:
            # The call is kept: after refresh(), a second thread would only wait for the same import lock.
            reason = f"importing {record.module} and calling its hook did not end in {seconds:g} s"
            verdict = verdicts.remember(record, verdicts.IMPORT, PluginStatus.TIMED_OUT, reason, seconds)
            if not is_named:
                verdicts.warn(verdict)
            return record.refuse(PluginStatus.TIMED_OUT, reason, hint_to_wait(record))
        with self._lock:
            if self._imports.get(record) is call:
                del self._imports[record]
        return call.answer


def _is_inside_import(module: str) -> bool:
    """Whether a parent package of the module is being imported, usually by this thread: a package with a plugin that
    requests devices during its import. Importing the plugin on another thread would deadlock."""
    packages = module.split(".")[:-1]
    loaded = (sys.modules.get(".".join(packages[: count + 1])) for count in range(len(packages)))
    return any(getattr(getattr(package, "__spec__", None), "_initializing", False) for package in loaded)


def _may_have(record: PluginRecord, name: str) -> bool:
    """Whether a plugin may have a backend of that name, or conflict with one that has. The simulator has no family: a
    plugin with its name is refused, so nothing is imported for it."""
    if SIMULATOR in (record.name, name):
        return record.name == name
    return family_of(record.name) == family_of(name)


TABLE = PluginTable()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=TABLE.recover_after_fork)


@host_only
def register_backend(backend: Backend) -> None:
    """Register a backend from the program, a `gpucore.runtime.Backend`: for frozen applications, which have no
    metadata, and for tests.

    Raises ArgumentError if the backend violates the backend interface, BackendError if its name is in use.
    """
    TABLE.register(backend)


@host_only
def unregister_backend(name: str) -> None:
    """Remove a backend that `gp.register_backend` added. Open devices stay open. Raises ArgumentError for another
    name."""
    TABLE.unregister(name)


@host_only
def refresh() -> None:
    """Discover and probe plugins again at their next use, after one was installed or a driver repaired. Open devices
    stay open. Raises BackendError in a plugin that is being imported."""
    TABLE.refresh()


def hints_for_missing() -> dict[str, str]:
    """Official backends that are not installed, each with the command that installs it."""
    present = {record.name for record in TABLE.list_installed()}
    return {name: hint_to_install(name) for name in OFFICIAL if name not in present}
