"""The CUDA driver API calls that are made without a binding, through ctypes.

They report why there is no device even if no binding can be imported, and do what pycuda cannot: make a context current
with one foreign call, launch with one that takes four arguments, record graphs, and create and destroy events, streams,
modules and pinned memory in any thread. Addresses and handles are ints.
"""

from __future__ import annotations

import ctypes
import enum
import functools
import sys
from collections.abc import Callable

from gpucore.plugin import BackendUnavailableError

NOT_READY, OUT_OF_MEMORY = 600, 2
_WITHOUT_TIMING = 2  # CU_EVENT_DISABLE_TIMING
_NON_BLOCKING = 1  # CU_STREAM_NON_BLOCKING: no order with the default stream
_MAX_DYNAMIC_SHARED = 8  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
_DEVICE_MEMORY = 2  # CU_MEMORYTYPE_DEVICE
_PORTABLE = 1  # CU_MEMHOSTALLOC_PORTABLE


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

    def keeping_the_gil(self) -> Driver:
        """The same, for calls that return at once: for Python's other threads to run takes longer than these."""
        return Driver(ctypes.PyDLL(self._library._name))

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

    def stream_state(self, stream: int) -> int:
        """The CUresult of the work in a stream of the current context: 0 done, NOT_READY, or an error."""
        return int(self._library.cuStreamQuery(ctypes.c_void_p(stream)))

    def order_streams(self, first: int, second: int) -> None:
        """Let later work in the second stream wait for the work queued by now in the first one."""
        event = ctypes.c_void_p()
        self._call("cuEventCreate", ctypes.byref(event), ctypes.c_uint(_WITHOUT_TIMING))
        try:
            self._call("cuEventRecord", event, ctypes.c_void_p(first))
            self._call("cuStreamWaitEvent", ctypes.c_void_p(second), event, ctypes.c_uint(0))
        finally:
            self._call("cuEventDestroy_v2", event)  # the driver keeps it until the stream has waited

    # ---------------------------------------------------------------- modules

    def load_module(self, cubin: bytes) -> int:
        return self._create("cuModuleLoadData", cubin)

    def unload_module(self, module: int) -> None:
        self._call("cuModuleUnload", ctypes.c_void_p(module))

    def function(self, module: int, name: str) -> int:
        return self._create("cuModuleGetFunction", ctypes.c_void_p(module), name.encode())

    def allow_dynamic_memory(self, function: int, nbytes: int) -> None:
        """Allow launches with more than 48 KiB of dynamic shared memory."""
        self._call("cuFuncSetAttribute", ctypes.c_void_p(function), _MAX_DYNAMIC_SHARED, nbytes)

    def parameter_offset(self, function: int, index: int) -> int:
        """Where a parameter of a function is among its packed arguments. CUDA 12.4 and later."""
        offset, size = ctypes.c_size_t(), ctypes.c_size_t()
        place = ctypes.c_void_p(function), ctypes.c_size_t(index)
        self._call("cuFuncGetParamInfo", *place, ctypes.byref(offset), ctypes.byref(size))
        return offset.value

    def encode_tensor_map(self, *arguments: object) -> None:
        """The arguments of cuTensorMapEncodeTiled."""
        self._call("cuTensorMapEncodeTiled", *arguments)

    def launch(self, function: int, block: tuple[int, int, int], shared: int, nbytes: int) -> Launch:
        """A launch of a function with packed arguments of `nbytes` bytes."""
        return Launch(self._library, function, block, shared, nbytes)

    def check_launch(self, code: int) -> None:
        """Raise DriverError for what a Launch returned."""
        if code != 0:
            raise DriverError("cuLaunchKernelEx", code, self.error_name(code))

    # ---------------------------------------------------------------- streams and events

    def create_stream(self) -> int:
        return self._create("cuStreamCreate", ctypes.c_uint(_NON_BLOCKING))

    def destroy_stream(self, stream: int) -> None:
        self._call("cuStreamDestroy_v2", ctypes.c_void_p(stream))

    def create_event(self) -> int:
        return self._create("cuEventCreate", ctypes.c_uint(0))

    def destroy_event(self, event: int) -> None:
        self._call("cuEventDestroy_v2", ctypes.c_void_p(event))

    def record_event(self, event: int, stream: int) -> None:
        self._call("cuEventRecord", ctypes.c_void_p(event), ctypes.c_void_p(stream))

    def is_event_done(self, event: int) -> bool:
        code = int(self._library.cuEventQuery(ctypes.c_void_p(event)))
        if code not in (0, NOT_READY):
            raise DriverError("cuEventQuery", code, self.error_name(code))
        return code == 0

    def wait_for_event(self, event: int) -> None:
        """Block this thread."""
        self._call("cuEventSynchronize", ctypes.c_void_p(event))

    def wait_for_stream(self, stream: int) -> None:
        """Block this thread until the stream's work has ended."""
        self._call("cuStreamSynchronize", ctypes.c_void_p(stream))

    def order(self, stream: int, event: int) -> None:
        """Let later work in the stream wait for the event."""
        self._call("cuStreamWaitEvent", ctypes.c_void_p(stream), ctypes.c_void_p(event), ctypes.c_uint(0))

    def elapsed(self, start: int, end: int) -> float:
        """Milliseconds."""
        time = ctypes.c_float()
        self._call("cuEventElapsedTime", ctypes.byref(time), ctypes.c_void_p(start), ctypes.c_void_p(end))
        return time.value

    # ---------------------------------------------------------------- copies

    def copy_in(self, target: int, host: int, nbytes: int, stream: int) -> None:
        """Host to device. From memory that is not pinned, it returns once the bytes have been read."""
        self._copy("cuMemcpyHtoDAsync_v2", target, host, nbytes, stream)

    def copy_out(self, host: int, source: int, nbytes: int, stream: int) -> None:
        """Device to host. Into memory that is not pinned, it returns once the bytes are there."""
        self._copy("cuMemcpyDtoHAsync_v2", host, source, nbytes, stream)

    def copy(self, target: int, source: int, nbytes: int, stream: int) -> None:
        self._copy("cuMemcpyDtoDAsync_v2", target, source, nbytes, stream)

    def _copy(self, name: str, target: int, source: int, nbytes: int, stream: int) -> None:
        pointer = ctypes.c_void_p
        self._call(name, pointer(target), pointer(source), ctypes.c_size_t(nbytes), pointer(stream))

    def allocate_pinned(self, nbytes: int) -> int:
        return self._create("cuMemHostAlloc", ctypes.c_size_t(nbytes), ctypes.c_uint(_PORTABLE))

    def free_pinned(self, address: int) -> None:
        self._call("cuMemFreeHost", ctypes.c_void_p(address))

    def lock_memory(self, address: int, nbytes: int) -> None:
        """Lock pages of the host's memory."""
        self._call("cuMemHostRegister_v2", ctypes.c_void_p(address), ctypes.c_size_t(nbytes), ctypes.c_uint(_PORTABLE))

    def unlock_memory(self, address: int) -> None:
        self._call("cuMemHostUnregister", ctypes.c_void_p(address))

    # ---------------------------------------------------------------- graphs

    def create_graph(self) -> int:
        return self._create("cuGraphCreate", ctypes.c_uint(0))

    def destroy_graph(self, graph: int) -> None:
        self._call("cuGraphDestroy", ctypes.c_void_p(graph))

    def add_node(self, graph: int, after: int, node: KernelNode | CopyNode, context: int) -> int:
        """Add a node that runs after another one; 0: at the beginning."""
        before = (ctypes.c_void_p * 1)(after)
        place = ctypes.c_void_p(graph), before, ctypes.c_size_t(1 if after else 0), ctypes.byref(node)
        if isinstance(node, KernelNode):
            return self._create("cuGraphAddKernelNode", *place)
        return self._create("cuGraphAddMemcpyNode", *place, ctypes.c_void_p(context))

    def instantiate(self, graph: int) -> int:
        return self._create("cuGraphInstantiateWithFlags", ctypes.c_void_p(graph), ctypes.c_ulonglong(0))

    def change_node(self, executable: int, at: int, node: KernelNode | CopyNode, context: int) -> None:
        """Replace the parameters of a node of an instantiated graph."""
        place = ctypes.c_void_p(executable), ctypes.c_void_p(at), ctypes.byref(node)
        if isinstance(node, KernelNode):
            self._call("cuGraphExecKernelNodeSetParams", *place)
        else:
            self._call("cuGraphExecMemcpyNodeSetParams", *place, ctypes.c_void_p(context))

    def launch_graph(self, executable: int, stream: int) -> None:
        self._call("cuGraphLaunch", ctypes.c_void_p(executable), ctypes.c_void_p(stream))

    def destroy_executable(self, executable: int) -> None:
        self._call("cuGraphExecDestroy", ctypes.c_void_p(executable))

    def error_name(self, code: int) -> str:
        name = ctypes.c_char_p()
        self._library.cuGetErrorName(ctypes.c_int(code), ctypes.byref(name))
        return name.value.decode() if name.value else "unknown"

    def _device(self, index: int) -> ctypes.c_int:
        device = ctypes.c_int()
        self._call("cuDeviceGet", ctypes.byref(device), index)
        return device

    def _create(self, name: str, *arguments: object) -> int:
        """The handle or address that a call stores where its first argument points to."""
        handle = ctypes.c_void_p()
        self._call(name, ctypes.byref(handle), *arguments)
        return handle.value or 0

    def _call(self, name: str, *arguments: object) -> None:
        code = int(getattr(self._library, name)(*arguments))
        if code != 0:
            raise DriverError(name, code, self.error_name(code))


class _Config(ctypes.Structure):
    """CUlaunchConfig."""

    _fields_ = (
        ("grid", ctypes.c_uint * 3), ("block", ctypes.c_uint * 3), ("shared", ctypes.c_uint),
        ("stream", ctypes.c_void_p), ("attributes", ctypes.c_void_p), ("num_attributes", ctypes.c_uint),
    )  # fmt: skip


class Arguments:
    """Packed arguments. `block` is filled by the caller; `extra` is the address of what a launch takes."""

    def __init__(self, nbytes: int) -> None:
        self._kept = ctypes.create_string_buffer(max(nbytes, 1))
        self._size = ctypes.c_size_t(nbytes)
        self._extra = (ctypes.c_void_p * 5)(
            1, ctypes.addressof(self._kept), 2, ctypes.addressof(self._size), 0
        )  # CU_LAUNCH_PARAM_BUFFER_POINTER, ..._BUFFER_SIZE, ..._END
        self.block = memoryview(self._kept).cast("B")[:nbytes]
        self.extra = ctypes.addressof(self._extra)


class Launch:
    """A launch of one function, prepared: `start()` launches it in `grid` and its stream with the arguments in `block`,
    which the driver copies, and returns a CUresult."""

    def __init__(
        self, library: ctypes.CDLL, function: int, block: tuple[int, int, int], shared: int, nbytes: int
    ) -> None:
        self._arguments = Arguments(nbytes)
        self._config = _Config(block=block, shared=shared)
        self.block = self._arguments.block
        self.grid = memoryview(self._config).cast("B")[:12]  # three unsigned numbers of 32 bits
        extra = ctypes.c_void_p(self._arguments.extra)
        self.start: Callable[[], int] = functools.partial(
            library.cuLaunchKernelEx, ctypes.byref(self._config), ctypes.c_void_p(function), None, extra
        )

    def set_stream(self, stream: int) -> None:
        self._config.stream = stream


class KernelNode(ctypes.Structure):
    """CUDA_KERNEL_NODE_PARAMS of version 1."""

    _fields_ = (
        ("function", ctypes.c_void_p), ("grid", ctypes.c_uint * 3), ("block", ctypes.c_uint * 3),
        ("shared", ctypes.c_uint), ("parameters", ctypes.c_void_p), ("extra", ctypes.c_void_p),
    )  # fmt: skip


class CopyNode(ctypes.Structure):
    """CUDA_MEMCPY3D, for bytes from one address of the device to another."""

    _fields_ = (
        *((f"source_{name}", ctypes.c_size_t) for name in ("x", "y", "z", "level")), ("source_type", ctypes.c_uint),
        *((f"source_{name}", ctypes.c_void_p) for name in ("host", "device", "array", "reserved")),
        ("source_pitch", ctypes.c_size_t), ("source_height", ctypes.c_size_t),
        *((f"target_{name}", ctypes.c_size_t) for name in ("x", "y", "z", "level")), ("target_type", ctypes.c_uint),
        *((f"target_{name}", ctypes.c_void_p) for name in ("host", "device", "array", "reserved")),
        ("target_pitch", ctypes.c_size_t), ("target_height", ctypes.c_size_t),
        ("width", ctypes.c_size_t), ("height", ctypes.c_size_t), ("depth", ctypes.c_size_t),
    )  # fmt: skip

    @classmethod
    def between(cls, source: int, target: int, nbytes: int) -> CopyNode:
        return cls(
            source_type=_DEVICE_MEMORY, source_device=source, target_type=_DEVICE_MEMORY, target_device=target,
            width=nbytes, height=1, depth=1,
        )  # fmt: skip


@functools.lru_cache(maxsize=1)
def load_driver() -> Driver:
    """libcuda, loaded once and not initialised. Raises BackendUnavailableError if it is missing."""
    name = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"
    try:
        return Driver(ctypes.CDLL(name))
    except OSError as error:
        raise BackendUnavailableError(f"the CUDA driver library cannot be loaded: {error}") from error
