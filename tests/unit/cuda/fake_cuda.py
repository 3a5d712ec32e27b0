"""Stand-ins for libcuda and pycuda.driver with the same rules about contexts, for machines without a GPU."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from gpucore_cuda.driver import Attribute, CopyNode, DriverError

ADDRESS = 0xC0DE
ATTRIBUTES = {
    Attribute.MAX_THREADS_PER_BLOCK: 1024,
    Attribute.MAX_BLOCK_DIM_X: 1024,
    Attribute.MAX_BLOCK_DIM_Y: 1024,
    Attribute.MAX_BLOCK_DIM_Z: 64,
    Attribute.MAX_GRID_DIM_X: 2**31 - 1,
    Attribute.MAX_GRID_DIM_Y: 65535,
    Attribute.MAX_GRID_DIM_Z: 65535,
    Attribute.MAX_SHARED_MEMORY_PER_BLOCK: 49152,
    Attribute.MAX_SHARED_MEMORY_PER_BLOCK_OPTIN: 232448,
    Attribute.MULTIPROCESSOR_COUNT: 132,
    Attribute.INTEGRATED: 0,
    Attribute.COMPUTE_CAPABILITY_MAJOR: 9,
    Attribute.COMPUTE_CAPABILITY_MINOR: 0,
}


class FakeLaunch:
    """A prepared launch."""

    def __init__(self, driver: FakeDriver, name: str, size: Any, shared: int, nbytes: int) -> None:
        self._driver, self._name, self._size, self._shared, self._stream = driver, name, size, shared, 0
        self.block, self.grid = memoryview(bytearray(nbytes)), memoryview(bytearray(12))

    def set_stream(self, stream: int) -> None:
        self._stream = stream

    def start(self) -> int:
        if self._driver.current != ADDRESS:
            return 201
        grid = struct.unpack("@3I", self.grid)
        self._driver.log.append(("launch", self._name, grid, self._size, bytes(self.block), self._shared, self._stream))
        return 0


@dataclass
class FakeDriver:
    """libcuda: one GPU, or an error of cuInit. `current` is the driver's current context."""

    init_error: int = 0
    count: int = 1
    capability: tuple[int, int] = (9, 0)
    current: int = 0
    state: int = 0  # of the queue
    log: list[tuple[Any, ...]] = field(default_factory=list)
    memory: dict[int, bytearray] = field(default_factory=dict)
    fail_next: DriverError | None = None
    watch: Callable[[int], object] | None = None  # told the context of each call that depends on it
    handles: int = 100
    locked: dict[int, int] = field(default_factory=dict)
    pinned: dict[int, Any] = field(default_factory=dict)
    nodes: dict[int, Any] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)

    def _handle(self, *what: Any) -> int:
        self._need_current()
        self.handles += 1
        self.log.append((*what, self.handles))
        return self.handles

    def _need_current(self) -> None:
        if self.watch is not None:
            self.watch(self.current)
        if self.fail_next is not None:
            error, self.fail_next = self.fail_next, None
            raise error
        if self.current != ADDRESS:
            raise DriverError("cuCall", 201, "CUDA_ERROR_INVALID_CONTEXT")

    def _at(self, address: int, nbytes: int) -> memoryview:
        base = max(start for start in self.memory if start <= address)
        return memoryview(self.memory[base])[address - base : address - base + nbytes]

    def load_module(self, cubin: bytes) -> int:
        assert cubin[:4] == b"\x7fELF"
        return self._handle("load")

    def unload_module(self, module: int) -> None:
        self.log.append(("unload", module))

    def function(self, module: int, name: str) -> int:
        handle = self._handle("function", name)
        self.names[handle] = name
        return handle

    def allow_dynamic_memory(self, function: int, nbytes: int) -> None:
        self.log.append(("allow", nbytes))

    def launch(self, function: int, block: Any, shared: int, nbytes: int) -> FakeLaunch:
        return FakeLaunch(self, self.names[function], block, shared, nbytes)

    def check_launch(self, code: int) -> None:
        if code:
            raise DriverError("cuLaunchKernelEx", code, "CUDA_ERROR_INVALID_CONTEXT")

    def create_stream(self) -> int:
        return self._handle("stream")

    def destroy_stream(self, stream: int) -> None:
        self.log.append(("destroy stream", stream))

    def create_event(self) -> int:
        return self._handle("event")

    def destroy_event(self, event: int) -> None:
        self.log.append(("destroy event", event))

    def record_event(self, event: int, stream: int) -> None:
        self._need_current()
        self.log.append(("record", event, stream))

    def is_event_done(self, event: int) -> bool:
        self._need_current()
        return True

    def wait_for_event(self, event: int) -> None:
        self._need_current()

    def wait_for_stream(self, stream: int) -> None:
        self._need_current()

    def order(self, stream: int, event: int) -> None:
        self._need_current()
        self.log.append(("order", stream, event))

    def order_streams(self, first: int, second: int) -> None:
        self._need_current()
        self.log.append(("order streams", first, second))

    def elapsed(self, start: int, end: int) -> float:
        self._need_current()
        return 2.0

    def copy_in(self, target: int, host: int, nbytes: int, stream: int) -> None:
        self._need_current()
        self.log.append(("copy in", nbytes, stream))
        self._at(target, nbytes)[:] = ctypes.string_at(host, nbytes)

    def copy_out(self, host: int, source: int, nbytes: int, stream: int) -> None:
        self._need_current()
        self.log.append(("copy out", nbytes, stream))
        ctypes.memmove(host, bytes(self._at(source, nbytes)), nbytes)

    def copy(self, target: int, source: int, nbytes: int, stream: int) -> None:
        self._need_current()
        self._at(target, nbytes)[:] = bytes(self._at(source, nbytes))

    def allocate_pinned(self, nbytes: int) -> int:
        memory = ctypes.create_string_buffer(nbytes)
        self.pinned[ctypes.addressof(memory)] = memory
        return ctypes.addressof(memory)

    def free_pinned(self, address: int) -> None:
        del self.pinned[address]

    def lock_memory(self, address: int, nbytes: int) -> None:
        self._need_current()
        self.locked[address] = nbytes

    def unlock_memory(self, address: int) -> None:
        self._need_current()
        del self.locked[address]

    def create_graph(self) -> int:
        return self._handle("graph")

    def destroy_graph(self, graph: int) -> None:
        self.log.append(("destroy graph", graph))

    def add_node(self, graph: int, after: int, node: Any, context: int) -> int:
        handle = self._handle("node", after)
        self.nodes[handle] = node
        return handle

    def instantiate(self, graph: int) -> int:
        return self._handle("executable")

    def change_node(self, executable: int, at: int, node: Any, context: int) -> None:
        self.log.append(("change", at))
        self.nodes[at] = node

    def launch_graph(self, executable: int, stream: int) -> None:
        """Run the nodes: copies for real, kernels into the log with their arguments."""
        self._need_current()
        for node in self.nodes.values():
            if isinstance(node, CopyNode):
                self.copy(node.target_device, node.source_device, node.width, stream)
            else:
                _, data, _, size, _ = (ctypes.c_void_p * 5).from_address(node.extra)
                arguments = ctypes.string_at(data, ctypes.c_size_t.from_address(size).value)
                self.log.append(("node runs", self.names[node.function], tuple(node.grid), arguments, node.shared))

    def destroy_executable(self, executable: int) -> None:
        self.log.append(("destroy executable", executable))

    def keeping_the_gil(self) -> FakeDriver:
        return self

    def initialise(self) -> None:
        if self.init_error:
            raise DriverError("cuInit", self.init_error, "CUDA_ERROR_FAKE")

    def version(self) -> tuple[int, int]:
        return 13, 0

    def device_count(self) -> int:
        return self.count

    def device_name(self, index: int) -> str:
        return f"Fake GPU {index}"

    def total_memory(self, index: int) -> int:
        return 1 << 30

    def attribute(self, index: int, attribute: Attribute) -> int:
        if attribute in (Attribute.COMPUTE_CAPABILITY_MAJOR, Attribute.COMPUTE_CAPABILITY_MINOR):
            return self.capability[attribute - Attribute.COMPUTE_CAPABILITY_MAJOR]
        return ATTRIBUTES[attribute]

    def current_context(self) -> int:
        return self.current

    def set_current_context(self, context: int) -> None:
        self.current = context

    def stream_state(self, stream: int) -> int:
        return self.state

    def error_name(self, code: int) -> str:
        return f"error {code}"


class FakeError(Exception):
    """pycuda.driver.Error."""


class FakeLogicError(FakeError):
    pass


class FakeMemoryError(FakeError):
    pass


@dataclass
class FakePycuda:
    """pycuda.driver: its own stack of contexts, and the driver's log."""

    driver: FakeDriver
    stack: list[int] = field(default_factory=list)
    below: list[int] = field(default_factory=list)
    Error = FakeError
    LogicError = FakeLogicError
    MemoryError = FakeMemoryError

    def __post_init__(self) -> None:
        self.log, self.memory = self.driver.log, self.driver.memory

    def init(self) -> None:
        self.log.append(("init",))

    def Device(self, index: int) -> FakePycuda:  # noqa: N802
        return self

    def retain_primary_context(self) -> FakeContext:
        return FakeContext(self)

    def need_stack(self) -> None:
        """What pycuda checks when it makes or frees one of its objects."""
        if not self.stack:
            raise FakeLogicError(
                "explicit_context_dependent failed: invalid device context - no currently active context?"
            )

    def mem_alloc(self, nbytes: int) -> FakeAllocation:
        self.need_stack()
        if nbytes > 1 << 30:
            raise FakeMemoryError("cuMemAlloc failed: out of memory")
        return FakeAllocation(self, nbytes)


class FakeContext:
    def __init__(self, pycuda: FakePycuda) -> None:
        self._pycuda = pycuda

    def push(self) -> None:
        self._pycuda.below.append(self._pycuda.driver.current)
        self._pycuda.driver.current = ADDRESS
        self._pycuda.stack.append(ADDRESS)

    def pop(self) -> None:
        self._pycuda.stack.pop()
        self._pycuda.driver.current = self._pycuda.below.pop()

    def detach(self) -> None:
        assert self._pycuda.stack.pop() == ADDRESS
        self._pycuda.log.append(("detach",))


class FakeAllocation:
    addresses = 0

    def __init__(self, pycuda: FakePycuda, nbytes: int) -> None:
        FakeAllocation.addresses += 1 << 20
        self._pycuda, self._address = pycuda, FakeAllocation.addresses
        pycuda.memory[self._address] = bytearray(nbytes)

    def __int__(self) -> int:
        return self._address

    def free(self) -> None:
        self._pycuda.need_stack()
        del self._pycuda.memory[self._address]


class FakeBindings:
    """cuda.bindings.driver: functions that return a status, and the result if there is one."""

    def __init__(self, fake: FakePycuda) -> None:
        self._fake, self._context = fake, FakeContext(fake)

    def __getattribute__(self, name: str) -> Any:
        found = object.__getattribute__(self, name)
        if not name.startswith("cu"):
            return found

        def call(*arguments: Any) -> tuple[Any, ...]:
            try:
                result = found(*arguments)
            except FakeMemoryError:
                return (2, None)
            except FakeError as error:
                self._name = str(error).encode()
                return (700, None)
            return (0,) if result is None else (0, result)

        return call

    def cuGetErrorName(self, status: int) -> bytes:  # noqa: N802
        return b"CUDA_ERROR_OUT_OF_MEMORY" if status == 2 else self._name

    def cuInit(self, flags: int) -> None:  # noqa: N802
        self._fake.init()

    def cuDeviceGet(self, index: int) -> int:  # noqa: N802
        return index

    def cuDevicePrimaryCtxRetain(self, device: int) -> int:  # noqa: N802
        return ADDRESS

    def cuDevicePrimaryCtxRelease(self, device: int) -> None:  # noqa: N802
        self._fake.log.append(("detach",))

    def cuCtxPushCurrent(self, context: int) -> None:  # noqa: N802
        assert context == ADDRESS
        self._context.push()

    def cuCtxPopCurrent(self) -> int:  # noqa: N802
        self._context.pop()
        return ADDRESS

    def cuMemAlloc(self, nbytes: int) -> int:  # noqa: N802
        return int(self._fake.mem_alloc(nbytes))

    def cuMemFree(self, address: int) -> None:  # noqa: N802
        del self._fake.memory[address]


def pointers(arguments: bytes, count: int) -> list[int]:
    """The addresses at the head of a packed block of arguments."""
    return list(struct.unpack(f"<{count}Q", arguments[: 8 * count]))
