"""Parsing of device names: "cuda", "cuda:1", "wgpu:vulkan:0", "gpu"."""

from __future__ import annotations

import re

from gpucore.errors import ArgumentError
from gpucore.immutable import Immutable
from gpucore.runtime.protocol import DeviceInfo

_PATTERN = re.compile(r"([a-z][a-z0-9_]*)((?::[a-z0-9_.-]+){0,2})")


ANY_GPU = "gpu"  # names no backend, but the best GPU of all


class DeviceRequest(Immutable):
    """A device requested by name. `rest` is the part after the backend, "" for the backend's best device."""

    backend: str
    rest: str = ""  # "1", "vulkan", "vulkan:0"
    is_exact: bool = False  # requested by a DeviceInfo: only that id matches

    @property
    def text(self) -> str:
        return f"{self.backend}:{self.rest}" if self.rest else self.backend

    def pick(self, devices: tuple[DeviceInfo, ...]) -> DeviceInfo | None:
        """The requested one of the backend's devices: the one with that id, else the best one whose id has that prefix,
        else the one at that position ("wgpu:0" if ids have three parts)."""
        for info in devices:
            if info.id == self.text:
                return info
        if self.is_exact:
            return None
        if starting := [info for info in devices if info.id.startswith(f"{self.text}:")]:
            return min(starting, key=lambda info: info.kind.rank)  # the first of the best kind: min is stable
        if self.rest.isdecimal() and int(self.rest) < len(devices):
            return devices[int(self.rest)]
        return None


def parse_device(device: object) -> DeviceRequest:
    """Parse a device name, or take that of a DeviceInfo. Case and surrounding blanks are ignored.

    Raises ArgumentError for invalid names. Does not check whether the device exists.
    """
    if isinstance(device, DeviceInfo):
        return DeviceRequest(device.backend, device.id.partition(":")[2], is_exact=True)
    if not isinstance(device, str):
        raise ArgumentError(
            f'a device is a str such as "cuda:0", a DeviceInfo or an open gp.Device, not a {type(device).__name__}'
        )
    match = _PATTERN.fullmatch(device.strip().lower())
    if match is None:
        advice = "; only GPUCORE_BACKEND and the config file take a list" if "," in device else ""
        raise ArgumentError(f"{device!r} does not name a device like 'cuda', 'cuda:1' or 'wgpu:vulkan:0'{advice}")
    if match[1] == ANY_GPU and match[2]:
        raise ArgumentError(f"{device!r}: 'gpu' is the best GPU; name another one by its id, as gp.devices() shows it")
    return DeviceRequest(match[1], match[2].removeprefix(":"))
