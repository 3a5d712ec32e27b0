"""The backend interface: memory of other libraries, on devices that have a memory space."""

from __future__ import annotations

import gc
import time
import weakref

import numpy as np

import gpucore as gp
from gpucore import dlpack
from gpucore.array import Array
from gpucore.storage import Storage
from gpucore.testing.bench import Bench
from gpucore.testing.checks import Host, bytes_of, check, check_bits
from gpucore.testing.kernels import interface as kernels
from gpucore.testing.skipped import Skipped
from gpucore.types import as_dtype

_COUNT = 320  # i32 elements that are adopted
_BESIDE = 4  # elements before them, and after them: 16 bytes, to which memory is aligned
_PATIENCE = 10.0  # seconds until an owner must be free


class _Owner:
    """What another library owns: memory of the process, or on another kind of memory space a buffer of the device."""

    def __init__(self, bench: Bench, host: Host) -> None:
        self._bench, self._dtype, self._size = bench, host.dtype, host.size
        kind, _ = bench.device.memory_space or (dlpack.CPU, 0)
        self._buffer = None if kind == dlpack.CPU else bench.buffer(host)
        if self._buffer is not None:
            self.address = self._buffer.address
            return
        memory = np.empty(host.nbytes + 16, np.uint8)
        first = -memory.ctypes.data % 16
        self._view = memory[first : first + host.nbytes].view(host.dtype)
        self._view[:] = host
        self.address = self._view.ctypes.data

    def read(self) -> Host:
        """The elements as the owner sees them, after all queued work."""
        if self._buffer is not None:
            return self._bench.read(self._buffer, self._dtype, self._size)
        self._bench.wait(self._bench.device.mark())
        return self._view.copy()

    def release(self) -> None:
        """Free the memory."""
        if self._buffer is not None:
            self._buffer.release()


class SharingTests:
    """Device.memory_space, Device.adopt and Buffer.address. Skipped on devices whose memory has no address."""

    def test_adopted_memory(self, gpu: gp.Device) -> None:
        """C043 [Backend interface: Device.adopt]: Kernels, writes and copies work in adopted memory: its owner sees
        them without a copy, the bytes beside it stay, and a release frees nothing. Skipped without a `memory_space`."""
        bench = _bench(gpu)
        wanted = np.arange(_COUNT + 2 * _BESIDE, dtype=np.int32)
        inner = slice(_BESIDE, _BESIDE + _COUNT)
        owner = _Owner(bench, wanted)
        program = bench.compile(kernels.affine)
        adopted = bench.device.adopt(owner.address + 4 * _BESIDE, 4 * _COUNT)
        check(adopted.address == owner.address + 4 * _BESIDE, f"adopted memory is at {adopted.address:#x}")
        check(adopted.nbytes == 4 * _COUNT, f"nbytes is {adopted.nbytes}, and {4 * _COUNT} were adopted")
        bench.dispatch(program, [adopted], _COUNT // kernels.SIZE, scale=3, offset=5, length=_COUNT)
        wanted[inner] = wanted[inner] * 3 + 5
        check_bits(owner.read(), wanted, "what the owner sees of a kernel")
        adopted.write(bytes_of(np.full(8, -1, np.int32)), 4 * 16)
        wanted[inner][16:24] = -1
        adopted.write(bytes_of(np.full(5, 7, np.uint8)), 4 * 30 + 1)
        wanted.view(np.uint8)[4 * (_BESIDE + 30) + 1 :][:5] = 7
        other = bench.buffer(np.full(10, 77, np.int32))
        bench.device.copy(other, adopted, 40)
        wanted[inner][:10] = 77
        check_bits(owner.read(), wanted, "what the owner sees of a write and a copy")
        check_bits(bench.read(adopted, np.int32, _COUNT), wanted[inner], "what is read from adopted memory")
        bench.dispatch(program, [adopted], _COUNT // kernels.SIZE, scale=-1, offset=2, length=_COUNT)
        adopted.release()
        adopted.release()
        wanted[inner] = wanted[inner] * -1 + 2
        fillers = [bench.buffer(np.full(_COUNT, -9, np.int32)) for _ in range(8)]
        check_bits(owner.read(), wanted, "what the owner sees after the release")
        for buffer in (other, *fillers):
            buffer.release()
        owner.release()

    def test_addresses(self, gpu: gp.Device) -> None:
        """C044 [Backend interface: Buffer.address]: Memory of the device's own is at its address, a multiple of 16:
        adopted there, it has the same bytes. Skipped without a `memory_space`."""
        bench = _bench(gpu)
        for size in (1, 16, 100, 4097):
            host = np.arange(size, dtype=np.int32) * 7 + size
            buffer = bench.buffer(host)
            check(buffer.address > 0 and buffer.address % 16 == 0, f"{size} elements are at {buffer.address:#x}")
            seen = bench.device.adopt(buffer.address, buffer.nbytes)
            check_bits(bench.read(seen, np.int32, size), host, f"{size} elements at the address of their buffer")
            for each in (seen, buffer):
                each.release()

    def test_owner(self, gpu: gp.Device) -> None:
        """C045 [Arrays in memory of other libraries]: Kernels write where the owner sees it, from any element on. The
        owner is kept until the last array in its memory is closed and its work has ended. Skipped without a
        `memory_space`."""
        wanted = np.arange(_COUNT, dtype=np.int32)
        owner = _Owner(_bench(gpu), wanted)
        storage = Storage.adopt(gpu, owner.address, wanted.nbytes, owner)
        x = Array(storage, (_COUNT - 1,), as_dtype(gp.i32), 4)
        kernels.affine(5, -2, x, invocations=x)
        wanted[1:] = wanted[1:] * 5 - 2
        check_bits(owner.read(), wanted, "what the owner sees of a kernel on its second and later elements")
        kept, part = weakref.ref(owner), x[10:20]
        del x, storage, owner
        gc.collect()
        gpu.synchronize()
        memory = kept()
        if memory is None:
            raise AssertionError("the owner was dropped while a slice of its memory was in use")
        kernels.affine(1, 100, part, invocations=part)
        wanted[11:21] += 100
        part.close()
        gpu.synchronize()
        check_bits(memory.read(), wanted, "what the owner sees after the array was closed")
        memory.release()
        del memory
        deadline = time.monotonic() + _PATIENCE
        while kept() is not None and time.monotonic() < deadline:
            gpu.synchronize()
        check(kept() is None, "the owner is kept although the array is closed and its work has ended")


def _bench(gpu: gp.Device) -> Bench:
    if gpu.driver_device.memory_space is None:
        raise Skipped(f"{gpu.id} has no memory_space: its memory has no address that another library could use")
    return Bench(gpu)
