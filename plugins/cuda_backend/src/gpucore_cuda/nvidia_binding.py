"""The part of pycuda.driver that the device uses, on NVIDIA's cuda-bindings, which need no compiler to install.

https://nvidia.github.io/cuda-python/cuda-bindings/latest/module/driver.html
"""

from __future__ import annotations

import ctypes
import threading
from typing import Any

import numpy as np

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
        self.function_attribute = _FunctionAttribute(driver)

    def init(self) -> None:
        self._call("cuInit", 0)

    def Device(self, index: int) -> _Device:  # noqa: N802 (pycuda's name)
        return _Device(self._call, index)

    def Event(self) -> _Event:  # noqa: N802 (pycuda's name)
        return _Event(self._call)

    def mem_alloc(self, nbytes: int) -> _Allocation:
        return _Allocation(self._call, nbytes)

    def memcpy_htod(self, target: int, data: memoryview) -> None:
        self._call("cuMemcpyHtoD", target, _address_of(data), data.nbytes)

    def memcpy_dtoh(self, out: memoryview, source: int) -> None:
        self._call("cuMemcpyDtoH", _address_of(out), source, out.nbytes)

    def memcpy_dtod_async(self, target: int, source: int, nbytes: int, stream: None) -> None:
        self._call("cuMemcpyDtoDAsync", target, source, nbytes, 0)

    def module_from_buffer(self, cubin: bytes) -> _Module:
        return _Module(self._call, cubin)


class _FunctionAttribute:
    def __init__(self, driver: Any) -> None:
        attributes = driver.CUfunction_attribute
        self.MAX_DYNAMIC_SHARED_SIZE_BYTES = attributes.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES


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


class _Handle:
    """Something of the context that is current when it is made, destroyed with it at the latest."""

    def __init__(self, call: Calls, destroy: str, handle: Any) -> None:
        self._call, self._destroy, self.handle = call, destroy, handle
        self._context = call.contexts[-1]

    def __del__(self) -> None:
        if hasattr(self, "_context") and self._context.is_alive:
            getattr(self._call.driver, self._destroy)(self.handle)


class _Allocation:
    def __init__(self, call: Calls, nbytes: int) -> None:
        self._call = call
        self._address = int(call("cuMemAlloc", nbytes))

    def __int__(self) -> int:
        return self._address

    def free(self) -> None:
        self._call("cuMemFree", self._address)


class _Event(_Handle):
    def __init__(self, call: Calls) -> None:
        super().__init__(call, "cuEventDestroy", call("cuEventCreate", 0))

    def record(self) -> None:
        self._call("cuEventRecord", self.handle, 0)

    def query(self) -> bool:
        (status,) = self._call.driver.cuEventQuery(self.handle)
        if int(status) not in (0, _NOT_READY):
            raise self._call.error("cuEventQuery", status)
        return not int(status)

    def time_since(self, start: _Event) -> float:
        """Milliseconds."""
        return float(self._call("cuEventElapsedTime", start.handle, self.handle))


class _Module(_Handle):
    def __init__(self, call: Calls, cubin: bytes) -> None:
        super().__init__(call, "cuModuleUnload", call("cuModuleLoadData", cubin))

    def get_function(self, name: str) -> _Function:
        return _Function(self._call, self, name)


class _Function:
    def __init__(self, call: Calls, module: _Module, name: str) -> None:
        self._call, self._module = call, module
        self._function = call("cuModuleGetFunction", module.handle, name.encode())
        self._size = ctypes.c_size_t()
        self._extra = (ctypes.c_void_p * 5)(_BUFFER_POINTER, None, _BUFFER_SIZE, ctypes.addressof(self._size), _END)
        self._extra_address = ctypes.addressof(self._extra)

    def set_attribute(self, attribute: Any, value: int) -> None:
        self._call("cuFuncSetAttribute", self._function, attribute, value)

    def _launch_kernel(
        self, grid: tuple[int, int, int], block: tuple[int, int, int], arguments: bytes, shared: int, stream: None
    ) -> None:
        """Launch with the packed arguments, which the driver copies."""
        kept = ctypes.c_char_p(arguments)
        self._extra[1] = ctypes.cast(kept, ctypes.c_void_p).value
        self._size.value = len(arguments)
        self._call("cuLaunchKernel", self._function, *grid, *block, shared, 0, 0, self._extra_address)


def _address_of(data: memoryview) -> int:
    address: int = np.frombuffer(data, np.uint8).__array_interface__["data"][0]
    return address
