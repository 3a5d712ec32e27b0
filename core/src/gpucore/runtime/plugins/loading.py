"""Import of one plugin, and checks of everything that it declares before it is used.

A plugin may fail at any step. Each failure gives a record with its reason, and does not affect other plugins. Only
KeyboardInterrupt is passed on.

A plugin's backends have the name of its entry point, or that name with an underscore and more words ("acme",
"acme_fast"). So two plugins can have the same backend name only if their names start with the same word, and loading
those together finds every conflict, independent of the order of requests.
"""

from __future__ import annotations

import ast
import difflib
import importlib
import inspect
import re
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import CodeType, ModuleType

import pluggy

from gpucore.ir import Capability
from gpucore.runtime.parse import ANY_GPU
from gpucore.runtime.plugins.hookspecs import PROJECT, HookSpecs
from gpucore.runtime.plugins.records import (
    BUILT_IN_DISTRIBUTION,
    NAME_PATTERN,
    PluginRecord,
    PluginStatus,
    hint_to_reinstall,
    install_command,
)
from gpucore.runtime.protocol import GPUCORE_API, Backend, DeviceKind
from gpucore.runtime.root_cause import describe_cause
from gpucore.runtime.settings import PREFIX

_HOOK_NAMES = tuple(name for name in vars(HookSpecs) if name.startswith(f"{PROJECT}_"))
_API_PATTERN = re.compile(r"(0|[1-9][0-9]{0,5})\.(0|[1-9][0-9]{0,5})")


class RefusedError(Exception):
    """A plugin or backend fails a check. Never raised to the user."""

    def __init__(self, status: PluginStatus, reason: str, hint: str = "") -> None:
        super().__init__(reason)
        self.status, self.reason, self.hint = status, reason, hint


class _ThreadState(threading.local):
    """State of the current thread."""

    is_importing_plugin = False


_thread = _ThreadState()


def is_importing_plugin() -> bool:
    """Whether this thread is importing a plugin. It must not request devices: that would deadlock."""
    return _thread.is_importing_plugin


@contextmanager
def _marked_as_importing() -> Iterator[None]:
    _thread.is_importing_plugin = True
    try:
        yield
    finally:
        _thread.is_importing_plugin = False


def load_plugin(record: PluginRecord) -> PluginRecord:
    """Import the module of a FOUND record. Returns the record LOADED with its backends, or refused."""
    with _marked_as_importing():
        return _load(record)


def _load(record: PluginRecord) -> PluginRecord:
    try:
        module = _import(record)
        _check_api(module, record)
        backends = _call_hook(module)
        for backend in backends:
            check_backend(backend, record.name)
        _check_distinct(backends)
        return record.load(backends)
    except RefusedError as refused:
        return record.refuse(refused.status, refused.reason, refused.hint or hint_to_reinstall(record))
    except Exception as error:  # noqa: BLE001 (attributes of a backend can be properties, and fail)
        return record.refuse(
            PluginStatus.BROKEN, f"checking it failed: {describe_cause(error)}", hint_to_reinstall(record)
        )


def check_backend(backend: object, plugin_name: str = "") -> None:
    """Raise RefusedError if `backend` violates the backend interface."""
    if not isinstance(backend, Backend):
        raise _broken(f"its hook returned {_type_name(backend)}, which is not a Backend")
    name = getattr(backend, "name", None)
    if not isinstance(name, str) or not NAME_PATTERN.fullmatch(name):
        raise _broken(f"{_type_name(backend)}.name is {name!r}, not a str like [a-z][a-z0-9_]*")
    if name == ANY_GPU:
        raise _broken(f"the name {ANY_GPU!r} means the best GPU of all backends")
    if plugin_name and name != plugin_name and not name.startswith(f"{plugin_name}_"):
        raise _broken(f"backend {name!r} must be named {plugin_name!r} like its entry point, or '{plugin_name}_...'")
    priority = getattr(backend, "priority", None)
    if not isinstance(priority, int) or isinstance(priority, bool) or not 0 <= priority <= 100:
        raise _broken(f"backend {name!r}: priority is {priority!r}, not an int from 0 to 100")
    language = getattr(backend, "language", None)
    if not isinstance(language, str) or not language:
        raise _broken(f"backend {name!r}: language is {language!r}, not a name")
    capabilities = getattr(backend, "capabilities", None)
    if not isinstance(capabilities, frozenset) or not all(isinstance(one, Capability) for one in capabilities):
        raise _broken(f"backend {name!r}: capabilities is {capabilities!r}, not a frozenset of Capability")
    if not isinstance(getattr(backend, "hint", None), str):
        raise _broken(f"backend {name!r}: hint is not a str")
    if not isinstance(getattr(backend, "kind", None), DeviceKind):
        raise _broken(f"backend {name!r}: kind is {backend.kind!r}, not a DeviceKind")
    _check_settings(backend)
    _check_emit(backend)


def _check_settings(backend: Backend) -> None:
    """Refuse a list of settings that are not names of gpucore's variables. A backend that derives from another plugin's
    may inherit its list."""
    settings: object = backend.settings
    if settings is None:
        return
    if not isinstance(settings, frozenset) or not all(isinstance(one, str) for one in settings):
        raise _broken(f"backend {backend.name!r}: settings is {settings!r}, not a frozenset of str")
    for setting in sorted(settings):
        if not setting.startswith(PREFIX):
            raise _broken(f"backend {backend.name!r}: the name of its setting {setting!r} must begin with {PREFIX}")


def _check_emit(backend: Backend) -> None:
    """Refuse an `emit` from before version 2.0 of the interface, which does not take the device."""
    try:
        inspect.signature(backend.emit).bind("module", "device")
    except TypeError as error:
        raise _broken(f"backend {backend.name!r}: emit(module, device) cannot be called: {error}") from error


def _import(record: PluginRecord) -> ModuleType:
    try:
        return importlib.import_module(record.module)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # SystemExit too: a plugin must not end the program
        raise _broken(f"importing {record.module} failed: {describe_cause(error)}") from error


def _check_api(module: ModuleType, record: PluginRecord) -> None:
    declared = vars(module).get("GPUCORE_API")
    if declared is None:
        raise RefusedError(PluginStatus.INCOMPATIBLE, f"{record.module} does not declare GPUCORE_API")
    match = _API_PATTERN.fullmatch(declared) if isinstance(declared, str) else None
    if match is None:
        raise RefusedError(PluginStatus.INCOMPATIBLE, f'GPUCORE_API is {declared!r}, not a str like "{GPUCORE_API}"')
    if not _is_literal_of(module, "GPUCORE_API", match[0]):
        raise RefusedError(
            PluginStatus.INCOMPATIBLE,
            f"{record.module} has no literal as its GPUCORE_API; a version that is imported or computed would "
            "match every core",
            f'write GPUCORE_API = "{GPUCORE_API}" in {record.module}: the version that the plugin was written for',
        )
    wanted = (int(match[1]), int(match[2]))
    major, minor = map(int, GPUCORE_API.split("."))
    if wanted[0] == major and wanted[1] <= minor:
        return
    reason = f"it is written for version {declared} of the backend interface, and this core has {GPUCORE_API}"
    older = record.distribution if wanted < (major, minor) else BUILT_IN_DISTRIBUTION
    raise RefusedError(PluginStatus.INCOMPATIBLE, reason, install_command(older))


def _is_literal_of(module: ModuleType, name: str, value: str) -> bool:
    """Whether the module's source assigns that literal to the name. Without source, its compiled code must have the
    constant. Without either, as for a module written in C, the answer is True."""
    spec = module.__spec__
    loader = spec.loader if spec else None
    source = _call_loader(loader, "get_source", module.__name__)
    if isinstance(source, str):
        return any(_assigns(node, name, value) for node in ast.walk(ast.parse(source)))
    code = _call_loader(loader, "get_code", module.__name__)
    return value in code.co_consts if isinstance(code, CodeType) else True


def _call_loader(loader: object, method: str, module_name: str) -> object:
    """The result of a method of an import loader, or None if it has none."""
    try:
        return getattr(loader, method)(module_name)
    except (AttributeError, ImportError, OSError, SyntaxError, ValueError):
        return None


def _assigns(node: ast.AST, name: str, value: str) -> bool:
    if not isinstance(node, (ast.Assign, ast.AnnAssign)) or not isinstance(node.value, ast.Constant):
        return False
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return node.value.value == value and any(isinstance(one, ast.Name) and one.id == name for one in targets)


def _call_hook(module: ModuleType) -> tuple[Backend, ...]:
    """The result of the module's hook, not checked yet, despite the annotation.

    Each plugin has its own manager, so that nothing of a refused plugin stays registered (pluggy up to 1.6 keeps the
    hooks that it saw before a bad one), and no plugin can wrap the hook of another.
    """
    manager = pluggy.PluginManager(PROJECT)
    manager.add_hookspecs(HookSpecs)
    try:
        manager.register(module)
        _check_hook_names(module, manager)
        answers = manager.hook.gpucore_backends()
        if not answers:
            raise _broken("its hook gpucore_backends returned None, not an iterable of Backend")
        backends = tuple(_iterable(answers[0]))
    except (KeyboardInterrupt, RefusedError):
        raise
    except pluggy.PluginValidationError as error:
        raise _broken(f"its hook does not fit the specification: {' '.join(str(error).split())}") from error
    except BaseException as error:
        raise _broken(f"its hook gpucore_backends failed: {describe_cause(error)}") from error
    if not backends:
        raise _broken("its hook gpucore_backends returned no backend")
    return backends


def _check_hook_names(module: ModuleType, manager: pluggy.PluginManager) -> None:
    """Refuse hooks that pluggy would never call, and hooks without their decorator."""
    marked = {caller.name for caller in manager.get_hookcallers(module) or ()}
    for name in sorted(marked - set(_HOOK_NAMES)):
        raise _broken(f"{name} is not a hook of gpucore{_did_you_mean(name)}")
    for name, value in sorted(vars(module).items()):
        if not name.startswith(f"{PROJECT}_") or not inspect.isfunction(value) or name in marked:
            continue
        if name in _HOOK_NAMES:
            raise _broken(f"the function {name} lacks the decorator @hookimpl")
        raise _broken(f"{name} is not a hook of gpucore{_did_you_mean(name)}")
    if not marked:
        raise _broken(f"it has no hook; it needs a function {_HOOK_NAMES[0]} with the decorator @hookimpl")


def _iterable(answer: object) -> Iterable[Backend]:
    if isinstance(answer, (str, bytes)) or not isinstance(answer, Iterable):
        raise _broken(f"its hook gpucore_backends returned {_type_name(answer)}, not an iterable of Backend")
    return answer


def _check_distinct(backends: tuple[Backend, ...]) -> None:
    names = [backend.name for backend in backends]
    for name in names:
        if names.count(name) > 1:
            raise _broken(f"it has two backends named {name!r}")


def _did_you_mean(name: str) -> str:
    close = difflib.get_close_matches(name, _HOOK_NAMES, n=1, cutoff=0.5)
    return f"; did you mean {close[0]}?" if close else f"; the hooks are {', '.join(_HOOK_NAMES)}"


def _type_name(value: object) -> str:
    return f"{type(value).__module__}.{type(value).__qualname__}"


def _broken(reason: str) -> RefusedError:
    return RefusedError(PluginStatus.BROKEN, reason)
