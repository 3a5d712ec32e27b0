"""Stand-ins for libcuda and pycuda.driver with the same rules about contexts, for machines without a GPU."""

from __future__ import annotations

import ctypes
import struct
from dataclasses import dataclass, field
from typing import Any

from gpucore_cuda.driver import Attribute, DriverError

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


@dataclass
class FakeDriver:
    """libcuda: one GPU, or an error of cuInit. `current` is the driver's current context."""

    init_error: int = 0
    count: int = 1
    capability: tuple[int, int] = (9, 0)
    current: int = 0
    state: int = 0  # of the queue

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

    def queue_state(self) -> int:
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
    """pycuda.driver: its own stack of contexts, and a log of what was called."""

    driver: FakeDriver
    stack: list[int] = field(default_factory=list)
    below: list[int] = field(default_factory=list)
    log: list[tuple[Any, ...]] = field(default_factory=list)
    memory: dict[int, bytearray] = field(default_factory=dict)
    fail_next: Exception | None = None
    Error = FakeError
    LogicError = FakeLogicError
    MemoryError = FakeMemoryError

    class function_attribute:  # noqa: N801
        MAX_DYNAMIC_SHARED_SIZE_BYTES = 8

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

    def need_current(self) -> None:
        if self.fail_next is not None:
            error, self.fail_next = self.fail_next, None
            raise error
        if self.driver.current != ADDRESS:
            raise FakeLogicError("cuLaunchKernel failed: invalid device context")

    def mem_alloc(self, nbytes: int) -> FakeAllocation:
        self.need_stack()
        if nbytes > 1 << 30:
            raise FakeMemoryError("cuMemAlloc failed: out of memory")
        return FakeAllocation(self, nbytes)

    def memcpy_htod(self, address: int, data: memoryview) -> None:
        self.need_current()
        base = max(start for start in self.memory if start <= address)
        self.memory[base][address - base : address - base + len(data)] = data

    def memcpy_dtoh(self, out: memoryview, address: int) -> None:
        self.need_current()
        base = max(start for start in self.memory if start <= address)
        out[:] = self.memory[base][address - base : address - base + len(out)]

    def memcpy_dtod_async(self, target: int, source: int, nbytes: int, stream: None) -> None:
        self.need_current()
        self.memory[target][:nbytes] = self.memory[source][:nbytes]

    def module_from_buffer(self, cubin: bytes) -> FakeModule:
        self.need_stack()
        assert cubin[:4] == b"\x7fELF"
        return FakeModule(self)

    def Event(self) -> FakeEvent:  # noqa: N802
        self.need_stack()
        self.log.append(("event",))
        return FakeEvent(self)


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


class FakeModule:
    def __init__(self, pycuda: FakePycuda) -> None:
        self._pycuda = pycuda

    def get_function(self, name: str) -> FakeFunction:
        return FakeFunction(self._pycuda, name)


class FakeFunction:
    def __init__(self, pycuda: FakePycuda, name: str) -> None:
        self._pycuda, self._name = pycuda, name

    def set_attribute(self, attribute: int, value: int) -> None:
        self._pycuda.log.append(("set_attribute", attribute, value))

    def _launch_kernel(self, grid: Any, block: Any, arguments: bytes, shared: int, stream: None) -> None:
        self._pycuda.need_current()
        assert isinstance(grid, tuple) and isinstance(block, tuple)
        self._pycuda.log.append(("launch", self._name, grid, block, arguments, shared, stream))


class FakeEvent:
    def __init__(self, pycuda: FakePycuda) -> None:
        self._pycuda = pycuda

    def record(self) -> None:
        self._pycuda.need_current()

    def query(self) -> bool:
        self._pycuda.need_current()
        return True

    def time_since(self, start: FakeEvent) -> float:
        self._pycuda.need_current()
        return 2.0


class FakeBindings:
    """cuda.bindings.driver: functions that return a status, and the result if there is one."""

    class CUfunction_attribute:  # noqa: N801
        CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8

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

    def cuMemcpyHtoD(self, target: int, data: int, nbytes: int) -> None:  # noqa: N802
        self._fake.memcpy_htod(target, memoryview(ctypes.string_at(data, nbytes)))

    def cuMemcpyDtoH(self, out: int, source: int, nbytes: int) -> None:  # noqa: N802
        self._fake.memcpy_dtoh(memoryview((ctypes.c_char * nbytes).from_address(out)).cast("B"), source)

    def cuMemcpyDtoDAsync(self, target: int, source: int, nbytes: int, stream: int) -> None:  # noqa: N802
        self._fake.memcpy_dtod_async(target, source, nbytes, None)

    def cuModuleLoadData(self, cubin: bytes) -> FakeModule:  # noqa: N802
        return self._fake.module_from_buffer(cubin)

    def cuModuleUnload(self, module: FakeModule) -> None:  # noqa: N802
        self._fake.log.append(("unload",))

    def cuModuleGetFunction(self, module: FakeModule, name: bytes) -> FakeFunction:  # noqa: N802
        return module.get_function(name.decode())

    def cuFuncSetAttribute(self, function: FakeFunction, attribute: int, value: int) -> None:  # noqa: N802
        function.set_attribute(attribute, value)

    def cuLaunchKernel(self, function: FakeFunction, *launch: Any) -> None:  # noqa: N802
        grid, block, (shared, stream, parameters, extra) = launch[:3], launch[3:6], launch[6:]
        assert (stream, parameters) == (0, 0)
        first, data, second, size, end = (ctypes.c_void_p * 5).from_address(extra)
        assert (first, second, end) == (1, 2, None)
        arguments = ctypes.string_at(data, ctypes.c_size_t.from_address(size).value)
        function._launch_kernel(grid, block, arguments, shared, None)

    def cuEventCreate(self, flags: int) -> FakeEvent:  # noqa: N802
        return self._fake.Event()

    def cuEventRecord(self, event: FakeEvent, stream: int) -> None:  # noqa: N802
        event.record()

    def cuEventQuery(self, event: FakeEvent) -> None:  # noqa: N802
        event.query()

    def cuEventElapsedTime(self, start: FakeEvent, end: FakeEvent) -> float:  # noqa: N802
        return end.time_since(start)

    def cuEventDestroy(self, event: FakeEvent) -> None:  # noqa: N802
        self._fake.log.append(("destroy",))


def pointers(arguments: bytes, count: int) -> list[int]:
    """The addresses at the head of a packed block of arguments."""
    return list(struct.unpack(f"<{count}Q", arguments[: 8 * count]))
