"""The few CUDA driver API calls that are made without a binding, through ctypes.

They report why there is no device even if no binding can be imported, and they make a context current with one foreign
call, which pycuda's context stack cannot.
"""

from __future__ import annotations

import ctypes
import enum
import functools
import sys

from gpucore.errors import BackendUnavailableError

NOT_READY = 600
_WITHOUT_TIMING = 2  # CU_EVENT_DISABLE_TIMING


class Attribute(enum.IntEnum):
    """CUdevice_attribute."""

    MAX_THREADS_PER_BLOCK = 1
    MAX_BLOCK_DIM_X = 2
    MAX_BLOCK_DIM_Y = 3
    MAX_BLOCK_DIM_Z = 4
    MAX_GRID_DIM_X = 5
    MAX_GRID_DIM_Y = 6
    MAX_GRID_DIM_Z = 7
    MAX_SHARED_MEMORY_PER_BLOCK = 8
    MULTIPROCESSOR_COUNT = 16
    INTEGRATED = 18
    COMPUTE_CAPABILITY_MAJOR = 75
    COMPUTE_CAPABILITY_MINOR = 76
    MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97


class DriverError(Exception):
    """A call of the driver that failed. `code` is its CUresult."""

    def __init__(self, call: str, code: int, name: str) -> None:
        super().__init__(f"{call} failed with {code} ({name})")
        self.code = code


class Driver:
    """The loaded libcuda. Every method raises DriverError if the driver returns an error."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self._library = library

    def initialise(self) -> None:
        self._call("cuInit", 0)

    def version(self) -> tuple[int, int]:
        """The newest CUDA version that the driver supports."""
        version = ctypes.c_int()
        self._call("cuDriverGetVersion", ctypes.byref(version))
        return version.value // 1000, version.value % 1000 // 10

    def device_count(self) -> int:
        count = ctypes.c_int()
        self._call("cuDeviceGetCount", ctypes.byref(count))
        return count.value

    def device_name(self, index: int) -> str:
        name = ctypes.create_string_buffer(256)
        self._call("cuDeviceGetName", name, len(name), self._device(index))
        return name.value.decode(errors="replace")

    def total_memory(self, index: int) -> int:
        """Bytes."""
        size = ctypes.c_size_t()
        self._call("cuDeviceTotalMem_v2", ctypes.byref(size), self._device(index))
        return size.value

    def attribute(self, index: int, attribute: Attribute) -> int:
        value = ctypes.c_int()
        self._call("cuDeviceGetAttribute", ctypes.byref(value), int(attribute), self._device(index))
        return value.value

    def current_context(self) -> int:
        """The address of this thread's current context; 0 for none."""
        context = ctypes.c_void_p()
        self._call("cuCtxGetCurrent", ctypes.byref(context))
        return context.value or 0

    def set_current_context(self, context: int) -> None:
        self._call("cuCtxSetCurrent", ctypes.c_void_p(context))

    def queue_state(self) -> int:
        """The CUresult of the work queued in the current context: 0 done, NOT_READY, or an error."""
        return int(self._library.cuStreamQuery(ctypes.c_void_p()))

    def order_streams(self, first: int, second: int) -> None:
        """Let later work in the second stream wait for the work queued by now in the first one."""
        event = ctypes.c_void_p()
        self._call("cuEventCreate", ctypes.byref(event), ctypes.c_uint(_WITHOUT_TIMING))
        try:
            self._call("cuEventRecord", event, ctypes.c_void_p(first))
            self._call("cuStreamWaitEvent", ctypes.c_void_p(second), event, ctypes.c_uint(0))
        finally:
            self._call("cuEventDestroy_v2", event)  # the driver keeps it until the stream has waited

    def error_name(self, code: int) -> str:
        name = ctypes.c_char_p()
        self._library.cuGetErrorName(ctypes.c_int(code), ctypes.byref(name))
        return name.value.decode() if name.value else "unknown"

    def _device(self, index: int) -> ctypes.c_int:
        device = ctypes.c_int()
        self._call("cuDeviceGet", ctypes.byref(device), index)
        return device

    def _call(self, name: str, *arguments: object) -> None:
        code = int(getattr(self._library, name)(*arguments))
        if code != 0:
            raise DriverError(name, code, self.error_name(code))


@functools.lru_cache(maxsize=1)
def load_driver() -> Driver:
    """libcuda, loaded once and not initialised. Raises BackendUnavailableError if it is missing."""
    name = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"
    try:
        return Driver(ctypes.CDLL(name))
    except OSError as error:
        raise BackendUnavailableError(f"the CUDA driver library cannot be loaded: {error}") from error
