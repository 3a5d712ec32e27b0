"""Where the cache on disk keeps what was tuned for a device: one entry for a device, its driver and a version of core.

It is bytes here; `gpucore.algorithms.kept_shapes` says what they mean.
"""

from __future__ import annotations

from gpucore.runtime.cache import make_key, open_store
from gpucore.runtime.plugins.records import SIMULATOR
from gpucore.runtime.protocol import DeviceInfo
from gpucore.runtime.settings import CacheMode, read_cache_mode

KIND = "shapes"
IDENTITY = ("backend", "name", "kind", "driver", "api")
"""The facts of a device to which an entry belongs, beside the version of core."""


def identity_of(info: DeviceInfo) -> dict[str, str]:
    """These facts of a device. Its number is none of them: machines with several devices of one kind tune one."""
    return {name: info.kind.value if name == "kind" else str(getattr(info, name)) for name in IDENTITY}


def read_tuned(info: DeviceInfo) -> bytes | None:
    """The entry for a device; None if there is none that is sound, or if the cache is off."""
    store = None if info.backend == SIMULATOR else open_store()
    return store.read(_key(info)) if store is not None else None


def write_tuned(info: DeviceInfo, data: bytes) -> bool:
    """Keep an entry. Whether it can be read again."""
    store = open_store()
    if store is None or read_cache_mode() is not CacheMode.ON:
        return False
    store.write(_key(info), {"kind": KIND, "backend": info.backend, "device": info.name}, data)
    return store.read(_key(info)) == data


def remove_tuned(info: DeviceInfo) -> bool:
    """Remove the entry for a device. Whether there was one."""
    store = open_store()
    return store is not None and store.remove(_key(info))


def _key(info: DeviceInfo) -> str:
    return make_key(KIND, *identity_of(info).values())
