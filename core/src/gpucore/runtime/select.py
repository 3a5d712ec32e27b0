"""Choosing a device: explicit argument, then `use`, then `set_default_device`, then GPUCORE_BACKEND, then the config
file, then the best one available.

The rules:

1. A choice by name (an argument, `use`, `set_default_device`) loads and probes only what it names. If that cannot be
   used, the error gives the reason and what to do; no other device is used instead. A plugin that crashed or hung in an
   earlier process is tried again, in a child process first.
2. GPUCORE_BACKEND and the config file may name several: the first whose probe finds a device is chosen. Then rule 1
   applies to it.
3. Automatic choice probes all plugins but those that crashed or hung in an earlier process (BackendWarning), and ranks
   devices by kind (gpu, igpu, cpu, software), by the backend's declared priority and by its name; the simulator is
   last, but for devices without a compiler, on which only kernels of packages run.
4. Automatic choice warns (FallbackWarning, once in a process) if it takes the simulator, or no GPU although an
   installed plugin is for GPUs. With GPUCORE_REQUIRE=gpu it is an error to find no GPU.
5. If the device of automatic choice cannot be opened, the next best one is used until `refresh()`, with a
   FallbackWarning that gives the reason. With rules 1 and 2 there is no replacement.
6. `Backend.kind` and the devices that a probe finds determine which plugins are for GPUs, never a name.

`Choice.why` gives the reason for a choice.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Hashable, Sequence

from gpucore.errors import ArgumentError, BackendUnavailableError, BackendWarning, FallbackWarning, NoDeviceError
from gpucore.host import host_only
from gpucore.immutable import Immutable
from gpucore.runtime import log
from gpucore.runtime.config import read_config
from gpucore.runtime.parse import ANY_GPU, DeviceRequest, parse_device
from gpucore.runtime.plugins.manager import TABLE, hints_for_missing
from gpucore.runtime.plugins.records import BUILT_IN_DISTRIBUTION, OFFICIAL, SIMULATOR, PluginRecord, PluginStatus
from gpucore.runtime.probing.probe import Row, check_known, probe_all, probe_named
from gpucore.runtime.protocol import Backend, DeviceInfo, DeviceKind, ProbeResult, ProbeStatus
from gpucore.runtime.settings import (
    PREFIX,
    find_unknown_blocked,
    find_unknown_settings,
    find_unknown_variables,
    is_gpu_required,
    read_backend_order,
    read_preferences,
)
from gpucore.runtime.use import current_choice, current_request

_GPU_KINDS = (DeviceKind.GPU, DeviceKind.IGPU)


class Choice(Immutable):
    """A chosen device, and the reason for the choice."""

    info: DeviceInfo
    why: str
    is_automatic: bool = False  # the best of all, not requested by name


class Decision(Immutable):
    """A choice with the backend that opens it: its plugin is imported in this process."""

    info: DeviceInfo
    backend: Backend
    why: str
    is_automatic: bool = False


class _ProbeOptions(Immutable):
    """The options of `probe_all`."""

    isolated: bool | None = None
    timeout: float | None = None


class _AutomaticChoice(Immutable):
    """The automatic choice, valid until the plugin table changes."""

    generation: int
    options: _ProbeOptions
    rows: Sequence[Row]
    ranked: Sequence[tuple[DeviceInfo, int]]  # with the backend's priority; without devices that failed to open
    failures: tuple[str, ...]  # why the others failed to open
    choice: Choice


_best: _AutomaticChoice | None = None


def choose(explicit: str | DeviceInfo | None = None) -> Decision:
    """The device to use. `explicit` is the caller's `device=` argument, or None.

    Raises BackendUnavailableError if the named device cannot be used, NoDeviceError if automatic choice finds no
    suitable device, ArgumentError for an invalid name.
    """
    return decide(pick(explicit))


def preference() -> Hashable:
    """What `choose()` goes by, apart from the table of plugins and the config file, which is read anew with it."""
    return current_request() or read_preferences()


def decide(choice: Choice) -> Decision:
    """The choice with its backend, whose plugin is imported."""
    return Decision(choice.info, TABLE.find(choice.info.backend)[1], choice.why, choice.is_automatic)


def pick(
    explicit: str | DeviceInfo | None = None, *, isolated: bool | None = None, timeout: float | None = None
) -> Choice:
    """The device that `choose` would choose, without its backend. If child processes probe, no plugin is imported.

    `isolated` and `timeout` are as in `probe_all`. Raises what `choose` raises.
    """
    if not _has_warned_of_variables:
        _warn_of_unknown_variables()
    options = _ProbeOptions(isolated, timeout)
    if explicit is not None:
        return _choose_named(parse_device(explicit), "", options)
    if (chosen := current_choice()) is not None:
        return _choose_named(*chosen, options)
    if order := read_backend_order():
        return _choose_in_order(order, f'GPUCORE_BACKEND="{",".join(order)}"', options)
    if config := read_config(TABLE.generation):
        return _choose_in_order(config.devices, config.text, options)
    return _choose_best(options)


@host_only
def devices() -> list[DeviceInfo]:
    """All devices that can be used, best first: GPUs, integrated GPUs, CPUs, then software; the simulator is last.

    None is opened. The first call loads and probes all plugins, which can take seconds; later ones until `gp.refresh()`
    do not. Raises BackendError for an invalid environment variable.
    """
    return [info for info, _ in _rank(probe_all())]


def is_chosen() -> bool:
    """Whether the program, the environment or the config file names a device, so that choice is not automatic."""
    return bool(current_request() or read_backend_order() or read_config(TABLE.generation))


def _choose_named(request: DeviceRequest, source: str, options: _ProbeOptions) -> Choice:
    """The device of a request, made by `source`; "" for an argument of a function or of the command line."""
    wanted = f'device="{request.text}"'
    choice, problem = _try(request, source or wanted, options)
    if choice is None:
        requested = f", requested by {source}," if source else ""
        raise BackendUnavailableError(f"{wanted}{requested} cannot be used: {problem}")
    return choice


def _choose_in_order(order: Sequence[str], source: str, options: _ProbeOptions) -> Choice:
    """The first available entry of a list. An unknown name in any position is an error."""
    try:
        requests = [parse_device(text) for text in order]
    except ArgumentError as error:
        raise BackendUnavailableError(f"{source}: {error}") from None
    for request in requests:
        try:
            check_known(request.backend, isolated=options.isolated, timeout=options.timeout)
        except BackendUnavailableError as error:
            raise BackendUnavailableError(f"{source}: {error}") from None
    problems: list[str] = []
    without_compiler: Choice | None = None  # for kernels of packages, if there is no other
    for request in requests:
        skipped = "".join(f"; skipped: {problem.splitlines()[0]}" for problem in problems)
        choice, problem = _try(request, f"{source}{skipped}", options)
        if choice is not None and not choice.info.compiles and len(requests) > 1:
            without_compiler = without_compiler or choice
            problem = f"{choice.info.id} has no compiler"
        elif choice is not None:
            _check_required(choice.info, (), problems)
            return choice
        problems.append(problem)
    if without_compiler is not None:
        _check_required(without_compiler.info, (), problems)
        return without_compiler
    raise BackendUnavailableError("\n  ".join([f"{source}: none of these can be used", *problems]))


def _try(request: DeviceRequest, why: str, options: _ProbeOptions) -> tuple[Choice | None, str]:
    """The device of a request, or None and the reason, with a hint on further lines."""
    name = request.backend
    if name == ANY_GPU:
        return _try_gpus(why, options)
    try:
        record, result = probe_named(name, isolated=options.isolated, timeout=options.timeout)
        _warn_of_unknown_settings(record)
    except BackendUnavailableError as error:
        return None, _indent(str(error))
    if result.status is not ProbeStatus.AVAILABLE:
        return None, _explain(name, result)
    info = request.pick(result.devices)
    if info is None:
        names = ", ".join(one.id for one in result.devices)
        return None, f"backend {name!r} has no device {request.text!r}; it has {names}"
    return Choice(info, f"requested by {why}"), ""


def _try_gpus(why: str, options: _ProbeOptions) -> tuple[Choice | None, str]:
    """The best GPU, or None and why there is none."""
    rows = probe_all(isolated=options.isolated, timeout=options.timeout)
    for info, _ in _rank(rows):
        if info.kind in _GPU_KINDS:
            return Choice(info, f"requested by {why}: the best GPU"), ""
    with_gpu = [name for name, official in OFFICIAL.items() if official.kind in _GPU_KINDS]
    reasons = _explain_all([row for row in rows if _is_for_gpus(*row)], with_gpu)
    return None, _indent("\n".join(["no GPU can be used", *reasons]))


def _choose_best(options: _ProbeOptions) -> Choice:
    """The best device of all. The ranking is cached until the plugin table changes, as every new array needs it."""
    global _best
    generation = TABLE.generation
    kept = _best
    if kept is None or kept.generation != generation or kept.options != options:
        kept = _best = _find_best(generation, options)
    if kept.choice.info.kind not in _GPU_KINDS:
        _check_required(kept.choice.info, kept.rows, kept.failures)
        if not _has_warned:
            _warn_of_fallback(kept.choice.info, kept.rows)
    return kept.choice


def _find_best(generation: int, options: _ProbeOptions) -> _AutomaticChoice:
    rows = probe_all(isolated=options.isolated, timeout=options.timeout)
    for record, _, _ in rows:
        _warn_of_unknown_settings(record)
    return _take_first(generation, options, rows, _rank(rows), ())


def _take_first(
    generation: int,
    options: _ProbeOptions,
    rows: Sequence[Row],
    ranked: Sequence[tuple[DeviceInfo, int]],
    failures: tuple[str, ...],
) -> _AutomaticChoice:
    if not ranked:
        raise NoDeviceError("\n  ".join(["no device can be used", *failures, *_explain_all(rows, OFFICIAL)]))
    info, priority = ranked[0]
    why = f"the best of {len(ranked)}: {info.kind.value}, priority {priority}"
    return _AutomaticChoice(generation, options, rows, ranked, failures, Choice(info, why, is_automatic=True))


def replace_choice(failed: Choice | Decision, reason: str) -> Choice:
    """The next best device, if a device of automatic choice cannot be opened. Issues a warning.

    Raises NoDeviceError if no other is left, or none that GPUCORE_REQUIRE allows.
    """
    global _best, _has_warned
    kept = _best
    if kept is None or kept.choice.info.id != failed.info.id:  # another thread has replaced it
        return pick()
    plugin = next(record.name for record, name, _ in kept.rows if name == failed.info.backend)
    failure = reason if reason.startswith(failed.info.id) else f"{failed.info.id} cannot be opened: {reason}"
    hint = f"\n    hint: GPUCORE_BLOCK={plugin} disables it; `gpucore doctor` checks it"
    following = _take_first(kept.generation, kept.options, kept.rows, kept.ranked[1:], (*kept.failures, failure + hint))
    info = following.choice.info
    _check_required(info, kept.rows, following.failures)
    tail = f"{info.id} ({info.kind.value}) is used instead; choose a device by name to prevent this"
    with _warning_lock:
        log.warn(f"{failure}{hint}\n  {tail}", FallbackWarning)
        _best, _has_warned = following, True  # after the warning: with `-W error` it raises, and must raise again
    return following.choice


def _check_required(info: DeviceInfo, rows: Sequence[Row], problems: Sequence[str] = ()) -> None:
    if info.kind not in _GPU_KINDS and is_gpu_required():
        head = f"GPUCORE_REQUIRE=gpu, and no GPU can be used (the choice would be {info.id}, {info.kind.value})"
        with_gpu = [name for name, official in OFFICIAL.items() if official.kind in _GPU_KINDS]
        raise NoDeviceError("\n  ".join([head, *problems, *_explain_all(rows, with_gpu)]))


def _rank(rows: Sequence[Row]) -> list[tuple[DeviceInfo, int]]:
    """Available devices, each with the priority of its backend, best first; devices of one backend and kind keep its
    order."""
    found = []
    for record, name, result in rows:
        if result.status is ProbeStatus.AVAILABLE:
            priority = next(summary.priority for summary in record.summaries if summary.name == name)
            found += [(info, priority) for info in result.devices]
    return sorted(found, key=lambda pair: _rank_key(*pair))


def _rank_key(info: DeviceInfo, priority: int) -> tuple[bool, bool, int, int, str]:
    return not info.compiles, info.backend == SIMULATOR, info.kind.rank, -priority, info.backend


def _explain_all(rows: Sequence[Row], wanted: Collection[str]) -> list[str]:
    """Why each plugin has no better device, and how to install the wanted ones that are missing."""
    lines = [_explain(name, result) for _, name, result in rows]
    missing = ((name, hint) for name, hint in hints_for_missing().items() if name in wanted)
    return lines + [f"{name}: not installed\n    hint: {hint}" for name, hint in missing]


def _explain(name: str, result: ProbeResult) -> str:
    """The devices of a backend, or why it has none."""
    if result.status is ProbeStatus.AVAILABLE:
        kinds = ", ".join(f"{info.id} is {info.kind.value} ({info.name})" for info in result.devices)
        if all(info.compiles for info in result.devices):
            return f"{name}: {kinds}"
        return f"{name}: {kinds}, without a compiler: only kernels of packages run{_hint(result)}"
    return f"{name}: {result.status.value}: {result.reason}{_hint(result)}"


def _hint(result: ProbeResult) -> str:
    return f"\n    hint: {result.hint}" if result.hint else ""


def _indent(text: str) -> str:
    return text.replace("\n", "\n  ")


_has_warned = False
_warning_lock = threading.Lock()


def _warn_of_fallback(info: DeviceInfo, rows: Sequence[Row]) -> None:
    """Warn, once in a process, if a plugin for GPUs has none, or if only the simulator is left. Plugins that the user
    blocked do not count."""
    global _has_warned
    reasons = [_explain(name, result) for record, name, result in rows if _is_for_gpus(record, name, result)]
    if reasons:
        head = f"no GPU can be used; {info.id} ({info.kind.value}) was chosen instead, because"
        tail = "choose a device by name, or set GPUCORE_REQUIRE=gpu to make this an error"
    elif info.backend == SIMULATOR:
        head = f"{info.id} was chosen, which is for debugging: it is slow. No other device can be used:"
        others = [row for row in rows if not row[0].is_built_in]
        reasons = _explain_all(others, OFFICIAL)
        tail = "if the simulator is what you want, choose it by name (GPUCORE_BACKEND=simulator)"
    with _warning_lock:
        if _has_warned or not reasons:
            return
        log.warn("\n  ".join([head, *reasons, tail]), FallbackWarning)
        _has_warned = True  # after the warning: with `-W error` it raises, and must raise again


def _is_for_gpus(record: PluginRecord, name: str, result: ProbeResult) -> bool:
    """Whether a backend is for GPUs, by its declaration; not if it found CPUs only."""
    if record.is_built_in or record.status is PluginStatus.BLOCKED:
        return False
    known = [summary.kind for summary in record.summaries if summary.name == name]
    if not known and name in OFFICIAL:
        known = [OFFICIAL[name].kind]  # refused before it was imported
    has_processors_only = bool(result.devices) and all(info.kind is DeviceKind.CPU for info in result.devices)
    return not has_processors_only and (not known or known[0] in _GPU_KINDS)


_has_warned_of_variables = False


def _warn_of_unknown_variables() -> None:
    """Warn, once in a process, of variables GPUCORE_* and of entries of GPUCORE_BLOCK that have no effect, which are
    usually misspelt."""
    global _has_warned_of_variables
    installed = TABLE.list_installed()
    names = {SIMULATOR, *OFFICIAL, *(record.name for record in installed)}
    distributions = {one.distribution for one in OFFICIAL.values()} | {one.distribution for one in installed}
    distributions -= {"", BUILT_IN_DISTRIBUTION}
    unknown = [*find_unknown_variables(names), *find_unknown_blocked(names | distributions)]
    with _warning_lock:
        if not _has_warned_of_variables and unknown:
            log.warn("\n  ".join(unknown), BackendWarning)
        _has_warned_of_variables = True  # after the warning, as above


_checked_plugins: set[str] = set()


def _warn_of_unknown_settings(record: PluginRecord) -> None:
    """Warn, once in a process, of variables that begin with a plugin's name and that it does not have. A plugin whose
    backends do not list theirs is not checked."""
    if record.name in _checked_plugins:
        return
    known: set[str] = set()
    prefix = f"{PREFIX}{record.name.upper()}_"
    for summary in record.summaries:
        if summary.settings is None or not all(one.startswith(prefix) for one in summary.settings):
            return
        known |= summary.settings
    if not record.summaries:
        return
    unknown = find_unknown_settings(record.name, known, [other.name for other in TABLE.list_installed()])
    with _warning_lock:
        if record.name not in _checked_plugins and unknown:
            log.warn("\n  ".join(unknown), BackendWarning)
        _checked_plugins.add(record.name)  # after the warning, as above
