"""The part of pycuda.driver that the device uses, on NVIDIA's cuda-bindings, which need no compiler to install.

https://nvidia.github.io/cuda-python/cuda-bindings/latest/module/driver.html
"""

from __future__ import annotations

from typing import Any

from gpucore_cuda.driver import OUT_OF_MEMORY


class CUDAError(Exception):
    """A call of the driver that failed."""


class CUDAMemoryError(CUDAError):
    """There was no memory."""


class Calls:
    """Calls of the driver. Each raises CUDAError if the driver returns an error, or lacks the function."""

    def __init__(self, driver: Any) -> None:
        self._driver = driver

    def __call__(self, name: str, *arguments: Any) -> Any:
        """The one result of a call, or None."""
        try:
            status, *results = getattr(self._driver, name)(*arguments)
        except RuntimeError as error:  # no such library or function
            raise CUDAError(f"{name} failed: {error}") from error
        if int(status):
            raise self._error(name, status)
        return results[0] if results else None

    def _error(self, call: str, status: Any) -> CUDAError:
        """The error for the status of a call."""
        kind = CUDAMemoryError if int(status) == OUT_OF_MEMORY else CUDAError
        _, name = self._driver.cuGetErrorName(status)
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

    def push(self) -> None:
        self._call("cuCtxPushCurrent", self._context)

    def pop(self) -> None:
        self._call("cuCtxPopCurrent")

    def detach(self) -> None:
        """Pop the context, and release the device's primary context."""
        self.pop()
        self._call("cuDevicePrimaryCtxRelease", self._device)


class _Allocation:
    def __init__(self, call: Calls, nbytes: int) -> None:
        self._call = call
        self._address = int(call("cuMemAlloc", nbytes))

    def __int__(self) -> int:
        return self._address

    def free(self) -> None:
        self._call("cuMemFree", self._address)
