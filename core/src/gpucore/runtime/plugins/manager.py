"""The plugins of this process: found at first need, imported when one is asked for, kept with their reasons.

Nothing here runs at import: `import gpucore` scans no metadata. The first question does, once, under a lock; answers
stay until `refresh()`. Refusing a plugin never raises: it is kept as a record for `gpucore doctor`, and raises only
when somebody asks for it by name.

A plugin is imported on a thread of its own, with the deadline that probes have: one that hangs is refused, and its
thread left behind. No lock is held meanwhile; threads that need the same plugin wait for the same import.
"""

from __future__ import annotations

import importlib
import os
import sys
import threading
from contextlib import nullcontext

from gpucore.errors import ArgumentError, BackendError, BackendUnavailableError
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
    """The plugins that one process knows. There is one table, `TABLE`; tests make their own."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._found: list[PluginRecord] | None = None
        self._records: list[PluginRecord] = []  # the same in the same order, as far as they are imported by now
        self._registered: dict[str, PluginRecord] = {}
        self._imports: dict[PluginRecord, BackgroundCall[PluginRecord]] = {}  # without an answer yet
        self._ready: dict[str, tuple[PluginRecord, Backend]] = {}  # what `find` has answered: it is asked very often
        self.generation = 0  # counts what makes earlier answers worthless

    def list_installed(self) -> list[PluginRecord]:
        """Every plugin as far as it is known, importing none."""
        with self._lock:
            return [*self._registered.values(), *self._discover()]

    def list_found(self) -> list[PluginRecord]:
        """Every plugin as if this process had imported none, save what the program registered."""
        with self._lock:
            self._discover()
            return [*self._registered.values(), *(self._found or ())]

    def load_all(self, timeout: float | None = None) -> list[PluginRecord]:
        """Every plugin, imported, in a stable order. `timeout` is in seconds, for each (GPUCORE_PROBE_TIMEOUT)."""
        while True:
            installed = self.list_installed()
            waiting = [record.name for record in installed if record.status is PluginStatus.FOUND]
            if not waiting:
                return installed
            self._load_family(waiting[0], timeout)

    def find(self, name: str, timeout: float | None = None) -> tuple[PluginRecord, Backend]:
        """The backend of that name. Imports nothing but the plugins whose names start with the same word.

        Raises BackendUnavailableError, with the reason and what to do, when there is none.
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
        """Add a backend that no metadata tells of. See `register_backend`."""
        try:
            check_backend(backend)
        except RefusedError as refused:
            raise ArgumentError(f"this backend cannot be registered: {refused.reason}") from None
        self._load_family(backend.name)
        with self._lock:
            for record in self.list_installed():
                names = {record.name, *(summary.name for summary in record.summaries)}
                if backend.name in names and record.status is not PluginStatus.BLOCKED:
                    raise BackendError(f"a backend named {backend.name!r} is there already, from {record.origin}")
            record = PluginRecord(backend.name, "", "", type(backend).__module__, PluginStatus.FOUND)
            self._registered[backend.name] = record.load((backend,))
            self._forget_answers()

    def unregister(self, name: str) -> None:
        """Take back a registered backend. Raises ArgumentError when `register` was not called for the name."""
        with self._lock:
            if self._registered.pop(name, None) is None:
                raise ArgumentError(f"no backend named {name!r} was registered by this program")
            self._forget_answers()

    def refresh(self) -> None:
        """Forget what is installed; the next question looks again. Registered backends stay."""
        if is_importing_plugin():
            raise BackendError("a plugin called refresh() while it was being imported")
        with self._lock:
            importlib.invalidate_caches()
            self._found = None
            self._forget_answers()

    def recover_after_fork(self) -> None:
        """In a forked child: other threads do not exist here, whatever they held or were doing."""
        self._lock = threading.RLock()
        self._imports.clear()

    def _forget_answers(self) -> None:
        self.generation += 1
        self._ready = {}

    def _discover(self) -> list[PluginRecord]:
        if self._found is None:
            from gpucore.runtime.plugins import discovery  # noqa: PLC0415 (takes 45 ms that `import gpucore` must not pay for)

            try:
                found = discovery.find_plugins()
            except Exception as error:  # noqa: BLE001 (a broken finder on sys.meta_path must not cost the simulator)
                reason = f"the installed distributions cannot be listed: {describe_cause(error)}"
                found = [PluginRecord("unknown", "", "", "", PluginStatus.BROKEN, reason)]
            self._found = refuse_blocked_and_conflicting([_BUILT_IN, *found], frozenset(self._registered))
            self._records = [*self._found]
        return self._records

    def _load_family(self, name: str, timeout: float | None = None) -> list[PluginRecord]:
        """All records, after an import of those that can have a backend of that name."""
        while True:
            with self._lock:
                records = self._discover()
                found = [record for record in records if record.status is PluginStatus.FOUND]
                waiting = [record for record in found if _may_have(record, name)]
                if not waiting:
                    return [*records]
            if is_importing_plugin():
                raise BackendError("a plugin asked for devices while it was being imported")
            seconds = read_probe_timeout() if timeout is None else timeout
            loaded = {record: self._import(record, seconds) for record in waiting}
            with self._lock:
                if records is self._records:  # else somebody called refresh(): once more
                    self._replace_loaded(name, loaded)

    def _replace_loaded(self, name: str, loaded: dict[PluginRecord, PluginRecord]) -> None:
        """Put what was imported in the place of what was found, unless another thread has."""
        members = [index for index, record in enumerate(self._records) if _may_have(record, name)]
        family = [loaded.get(self._records[index], self._records[index]) for index in members]
        checked = refuse_shared_names([*family, *self._registered.values()])
        for index, record in zip(members, checked, strict=False):
            self._records[index] = record

    def _import(self, record: PluginRecord, seconds: float) -> PluginRecord:
        """Import one plugin, or wait for the thread that does: the record LOADED or refused."""
        if record.is_built_in:
            return load_plugin(record)
        from gpucore.runtime.plugins import verdicts  # noqa: PLC0415 (for those who import plugins, not for `import gpucore`)

        if verdict := verdicts.recall(record, seconds).get(verdicts.IMPORT):
            verdicts.tell(verdict)
            return record.refuse(verdict.status, verdict.reason, verdict.hint)
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
            # The call stays: after refresh() there is no use in a second thread behind the lock of the same import.
            reason = f"importing {record.module} and calling its hook did not end in {seconds:g} s"
            verdicts.remember_timeout(record, verdicts.IMPORT, reason, seconds)
            return record.refuse(PluginStatus.TIMED_OUT, reason, hint_to_wait(record))
        with self._lock:
            if self._imports.get(record) is call:
                del self._imports[record]
        return call.answer


def _is_inside_import(module: str) -> bool:
    """Whether a package that holds the module is being imported, as a rule by this thread: a package that looks for
    devices while it is imported, and has a plugin. Another thread would wait for the package, and this one for it."""
    packages = module.split(".")[:-1]
    loaded = (sys.modules.get(".".join(packages[: count + 1])) for count in range(len(packages)))
    return any(getattr(getattr(package, "__spec__", None), "_initializing", False) for package in loaded)


def _may_have(record: PluginRecord, name: str) -> bool:
    """Whether a plugin can have a backend of that name, or a conflict with one that has. The simulator has no family:
    what claims its name is refused, so nothing is imported for its sake."""
    if SIMULATOR in (record.name, name):
        return record.name == name
    return family_of(record.name) == family_of(name)


TABLE = PluginTable()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=TABLE.recover_after_fork)


def register_backend(backend: Backend) -> None:
    """Register a backend of the program itself: for frozen applications, which have no metadata, and for tests.

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
