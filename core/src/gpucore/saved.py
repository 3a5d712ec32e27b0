"""Kernels in the cache on disk: a later process gets their generated code without lowering or optimising anything."""

from __future__ import annotations

import base64
import functools
import json
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from gpucore.compiler import STREAMING, UNROLLING, Compiled, Form, compile_source
from gpucore.device import Device
from gpucore.fingerprint import Fingerprint, fingerprint
from gpucore.front import Signature, Specialisation
from gpucore.immutable import Immutable, field_names
from gpucore.layout import layout_from_json
from gpucore.runtime import log
from gpucore.runtime.cache import Store, fingerprint_of_package, make_key, open_store
from gpucore.runtime.protocol import Backend, Source

_CORE = __name__.partition(".")[0]
_VERSIONS = sys.version_info[:3], sys.platform, np.__version__
_PLAIN = (bool, int, str, type(None))
_SIZES = {"max_buffer_size", "max_binding_size", "processors", "compute units", "timestamps"}
"""Limits and details of a device on which generated code does not depend. They differ between machines of one kind, and
with some drivers between processes."""
_FIELDS = ("language", "text", "entry", "workgroup_size", "writes", "scalars_nbytes", "workgroup_memory")


class Saved(Immutable, eq=False):
    """Where a kernel is kept."""

    store: Store
    key: str
    name: str
    parameters: tuple[str, ...]
    device: Device

    def find(self) -> Compiled | None:
        """The kernel, if an earlier process has kept it."""
        content = self.store.read(self.key)
        if content is None:
            return None
        try:
            data = json.loads(content)
            source, layout = source_from_json(data), layout_from_json(data["layout"], self.parameters)
            return Compiled(compile_source(self.device, self.name, None, source), layout, is_saved=True)
        except Exception as error:  # noqa: BLE001 (whatever is in it, it can be compiled again)
            log.debug(f"the entry of {self.name} in the cache cannot be used: {error}")
            self.store.remove(self.key)
            return None

    def keep(self, compiled: Compiled) -> None:
        """Keep a compiled kernel for later processes, unless its backend needs more than plain data."""
        try:
            data = source_to_json(compiled.pipeline.source)
            content = json.dumps({**data, "layout": compiled.layout.to_json()}).encode()
        except TypeError:  # not plain data
            return
        info = self.device.info
        facts = {"kind": "kernel", "kernel": self.name, "backend": info.backend, "device": info.name}
        self.store.write(self.key, facts, content)


def is_on() -> bool:
    """Whether kernels are kept on disk."""
    return open_store() is not None


def saved(
    known: Fingerprint, device: Device, form: Form, name: str, signature: Signature, *options: object
) -> Saved | None:
    """Where a kernel is kept that is compiled for a device and a form; None if it is not. `options` are those of the
    kernel."""
    store, facts = open_store(), _device_facts(device)
    if store is None or facts is None:
        return None
    parameters = tuple(parameter.name for parameter in signature.parameters)
    kind = device.info.kind
    work = STREAMING[kind], UNROLLING[kind]  # which a tuner may have changed
    return Saved(store, make_key(known.digest, facts, repr((form, options, work))), name, parameters, device)


def find_fact(function: Any, signature: Signature, find: Callable[[], str]) -> str:
    """What `find` finds out by lowering a kernel without type variables, from the cache if an earlier process has."""
    store, core = open_store(), fingerprint_of_package(_CORE)
    known = fingerprint(function, signature, Specialisation((), (), ())) if store is not None and core else None
    if store is None or core is None or known is None:
        return find()
    key = make_key("fact", known.digest, core, repr(_VERSIONS))
    content = store.read(key)
    if content is not None:
        return content.decode()
    found = find()
    store.write(key, {"kind": "fact", "backend": _CORE}, found.encode())
    return found


def _device_facts(device: Device) -> bytes | None:
    """What compilation depends on besides the kernel: the device, its driver, the code of core and of the plugin."""
    try:
        return _facts_of(device.info, device.backend)
    except TypeError:  # a plugin's DeviceInfo with a list or a dict in place of a tuple
        return None


@functools.lru_cache(maxsize=16)
def _facts_of(info: Any, backend: Any) -> bytes | None:
    module = type(backend).__module__
    modules = [cls.__module__ for cls in type(backend).__mro__ if issubclass(cls, Backend)]  # the last one is core's
    packages = [fingerprint_of_package(name) for name in dict.fromkeys(name.partition(".")[0] for name in modules)]
    if None in packages:
        return None
    limits = [(name, getattr(info.limits, name)) for name in field_names(info.limits) if name not in _SIZES]
    details = [(name, value) for name, value in info.details if name not in _SIZES]
    facts = (
        info.backend, info.name, info.kind.value, info.driver, info.api, details, limits,
        sorted(capability.value for capability in info.capabilities), info.kernels_share_memory, module,
        type(backend).__qualname__, _VERSIONS, packages,
    )  # fmt: skip
    return repr(facts).encode()


def source_to_json(source: Source) -> dict[str, Any]:
    """A source as plain data, without its lines. Raises TypeError if its payload is none."""
    return {**{name: getattr(source, name) for name in _FIELDS}, "payload": _to_json(source.payload)}


def source_from_json(data: Any) -> Source:
    """The source that `source_to_json` describes. Raises an exception for other data."""
    x, y, z = map(int, data["workgroup_size"])
    return Source(
        str(data["language"]), str(data["text"]), str(data["entry"]), (x, y, z), tuple(map(bool, data["writes"])),
        int(data["scalars_nbytes"]), int(data["workgroup_memory"]), (), _from_json(data["payload"]),
    )  # fmt: skip


def _to_json(payload: object) -> Any:
    """A payload as plain data: None, a bool, int, string or bytes, or a tuple of these. Raises TypeError for others."""
    if type(payload) in _PLAIN:
        return payload
    if type(payload) is bytes:
        return {"bytes": base64.b64encode(payload).decode()}
    if type(payload) is tuple:
        return {"tuple": [*map(_to_json, payload)]}
    raise TypeError(f"a payload with a {type(payload).__name__}")


def _from_json(data: Any) -> object:
    if not isinstance(data, dict):
        return data
    if "bytes" in data:
        return base64.b64decode(data["bytes"])
    return tuple(map(_from_json, data["tuple"]))
