"""The part of pycuda.driver that the device uses, on NVIDIA's cuda-bindings, which need no compiler to install.

https://nvidia.github.io/cuda-python/cuda-bindings/latest/module/driver.html
"""

from __future__ import annotations

import threading
from typing import Any

_NOT_READY, _OUT_OF_MEMORY = 600, 2
_BUFFER_POINTER, _BUFFER_SIZE, _END = 1, 2, 0  # CU_LAUNCH_PARAM_*


class CUDAError(Exception):
    """A call of the driver that failed."""


class CUDAMemoryError(CUDAError):
    """There was no memory."""


class Calls:
    """Calls of the driver. Each raises CUDAError if the driver returns an error, or lacks the function."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver
        self._pushed = threading.local()

    @property
    def contexts(self) -> list[_Context]:
        """Those that this thread has pushed."""
        if not hasattr(self._pushed, "contexts"):
            self._pushed.contexts = []
        found: list[_Context] = self._pushed.contexts
        return found

    def __call__(self, name: str, *arguments: Any) -> Any:
        """The one result of a call, or None."""
        try:
            status, *results = getattr(self.driver, name)(*arguments)
        except RuntimeError as error:  # no such library or function
            raise CUDAError(f"{name} failed: {error}") from error
        if int(status):
            raise self.error(name, status)
        return results[0] if results else None

    def error(self, call: str, status: Any) -> CUDAError:
        """The error for the status of a call."""
        kind = CUDAMemoryError if int(status) == _OUT_OF_MEMORY else CUDAError
        _, name = self.driver.cuGetErrorName(status)
        return kind(f"{call} failed: {name.decode() if name else int(status)}")


class NvidiaBinding:
    """Stands for the module pycuda.driver."""

    Error, MemoryError = CUDAError, CUDAMemoryError

    def __init__(self, driver: Any) -> None:
        self._call = Calls(driver)

    def init(self) -> None:
        self._call("cuInit", 0)

    def Device(self, index: int) -> _Device:  # noqa: N802 (pycuda's name)
        return _Device(self._call, index)

    def mem_alloc(self, nbytes: int) -> _Allocation:
        return _Allocation(self._call, nbytes)


class _Device:
    def __init__(self, call: Calls, index: int) -> None:
        self._call = call
        self._device = call("cuDeviceGet", index)

    def retain_primary_context(self) -> _Context:
        return _Context(self._call, self._device)


class _Context:
    """The primary context of a device."""

    def __init__(self, call: Calls, device: Any) -> None:
        self._call, self._device = call, device
        self._context = call("cuDevicePrimaryCtxRetain", device)
        self.is_alive = True

    def push(self) -> None:
        self._call("cuCtxPushCurrent", self._context)
        self._call.contexts.append(self)

    def pop(self) -> None:
        self._call("cuCtxPopCurrent")
        self._call.contexts.pop()

    def detach(self) -> None:
        """Pop the context, and release the device's primary context."""
        self.pop()
        self.is_alive = False
        self._call("cuDevicePrimaryCtxRelease", self._device)


class _Allocation:
    def __init__(self, call: Calls, nbytes: int) -> None:
        self._call = call
        self._address = int(call("cuMemAlloc", nbytes))

    def __int__(self) -> int:
        return self._address

    def free(self) -> None:
        self._call("cuMemFree", self._address)
