"""Operates a device through the backend interface: buffers from arrays, pipelines from kernels, reads that wait."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

import gpucore as gp
from gpucore import compiler, ir
from gpucore.runtime import Buffer, Device, Mark, Pipeline, Source
from gpucore.runtime.packing import packer
from gpucore.testing.checks import Host, bytes_of, check
from gpucore.testing.kernels.interface import SIZE, busy

_TIMEOUT = 60.0  # seconds that work may take
_LONG = 0.02  # seconds of work that a call must not wait for, and that a mark must measure
_MAX_WORKGROUPS = 4096  # of a delay, where the iterations of a loop are not enough
_DELAYS = (4, 8, 16, 32)  # of a call that another process may delay too


class Program:
    """A kernel compiled for one device, with the layout of its scalars."""

    def __init__(self, pipeline: Pipeline, valid: ir.ValidModule) -> None:
        self.pipeline, self.valid = pipeline, valid

    def pack(self, scalars: dict[str, Any]) -> bytes:
        """The packed scalars by parameter name; the length of array x is "x.shape[0]". Those that are not given
        default to `length`."""
        slots, length = self.valid.slots, scalars.get("length", 0)
        values = [scalars.get(slot.param.name, length) for slot in slots]
        return packer(slots, self.valid.scalars_nbytes).pack(*values) if slots else b""


class Bench:
    """A device of the backend under test: core's, or one opened by `open_device`."""

    def __init__(self, gpu: gp.Device, device: Device | None = None) -> None:
        self.gpu = gpu
        self.device = gpu.driver_device if device is None else device

    def validate(self, kernel: gp.Kernel, **bindings: Any) -> ir.ValidModule:
        """The kernel's IR, validated for the device."""
        module = kernel.module(unoptimised=self.gpu.backend.wants_unoptimised_ir, **bindings)
        return compiler.validate_and_prepare(module, compiler.Target.for_device(self.gpu))

    def emit(self, valid: ir.ValidModule) -> Source:
        """The Source for the device."""
        return self.gpu.backend.emit(valid, self.device.info)

    def compile(self, kernel: gp.Kernel, **bindings: Any) -> Program:
        """Emit and compile."""
        valid = self.validate(kernel, **bindings)
        return Program(self.device.compile(self.emit(valid)), valid)

    def buffer(self, host: Host) -> Buffer:
        """A buffer with a copy of `host`."""
        made = self.device.allocate(host.nbytes)
        made.write(bytes_of(host))
        return made

    def dispatch(
        self, program: Program, buffers: Sequence[Buffer], workgroups: int | tuple[int, int, int] = 1, **scalars: Any
    ) -> None:
        """Queue a program, with scalars as `Program.pack` takes them."""
        grid = (workgroups, 1, 1) if isinstance(workgroups, int) else workgroups
        self.device.dispatch(program.pipeline, buffers, program.pack(scalars), grid)

    def read(self, buffer: Buffer, dtype: Any, count: int, offset: int = 0) -> Host:
        """`count` elements from byte `offset`, after all queued work."""
        self.wait(self.device.mark())
        return self.read_now(buffer, dtype, count, offset)

    def read_now(self, buffer: Buffer, dtype: Any, count: int, offset: int = 0) -> Host:
        """The same without waiting: the caller has waited."""
        out = np.full(count * np.dtype(dtype).itemsize, 0xA5, np.uint8)
        buffer.read(out.data, offset)
        return out.view(dtype)

    def wait(self, mark: Mark) -> None:
        """Poll a mark until it is done."""
        self.poll(mark.is_done, "a mark was not done")

    @staticmethod
    def poll(is_done: Callable[[], bool], failure: str) -> None:
        """Call `is_done` until it returns True."""
        deadline = time.monotonic() + _TIMEOUT
        while not is_done():
            check(time.monotonic() < deadline, f"{failure} after {_TIMEOUT:g} seconds")
            time.sleep(1e-4)

    def steps_of_long_work(self, program: Program, buffer: Buffer, length: int) -> int:
        """How many steps of the kernel `busy` take at least 20 ms on this device: twice in a row, as a first launch or
        another process may delay one. Fewer if the device limits the iterations of loops."""
        steps, slow = 64, 0
        limit = min(self.device.info.limits.max_loop_iterations or 1 << 24, 1 << 24)
        while steps * 2 < limit:
            started = time.perf_counter()
            self.dispatch(program, [buffer], length // SIZE, n=steps, length=length)
            self.wait(self.device.mark())
            if time.perf_counter() - started <= _LONG:
                steps, slow = steps * 2, 0
            elif slow:
                break
            else:
                slow = 1
        return steps


class Delay:
    """Queues work that takes at least 20 ms, on memory of its own."""

    def __init__(self, bench: Bench) -> None:
        self._bench, self._program = bench, bench.compile(busy)
        self._host = np.zeros(SIZE, np.uint32)
        self._steps = bench.steps_of_long_work(self._program, bench.buffer(self._host), SIZE)
        while self._host.size < SIZE * _MAX_WORKGROUPS and min(self._measure(), self._measure()) <= _LONG:
            self._host = np.zeros(2 * self._host.size, np.uint32)

    def __call__(self, times: int = 1, buffer: Buffer | None = None) -> None:
        """Queue it so many times in the selected queue."""
        buffer = buffer or self._bench.buffer(self._host)
        count = self._host.size
        for _ in range(times):
            self._bench.dispatch(self._program, [buffer], count // SIZE, n=self._steps, length=count)

    def is_asked_at_once(self, make: Callable[[], Mark]) -> bool:
        """Whether `is_done` of a mark behind the work takes less than a quarter of the time of the work. A call that
        does not is made again behind more work."""
        buffer = self._settled()
        for times in _DELAYS:
            self(times, buffer)
            mark = make()
            started = time.perf_counter()
            mark.is_done()
            took = time.perf_counter() - started
            self._bench.wait(mark)
            if took < times * _LONG / 4:
                return True
        return False

    def _settled(self) -> Buffer:
        """A buffer whose first use, for which other queues may wait, has ended."""
        buffer = self._bench.buffer(self._host)
        self._bench.wait(self._bench.device.mark())
        return buffer

    def _measure(self) -> float:
        self._bench.wait(self._bench.device.mark())
        started = time.perf_counter()
        self()
        self._bench.wait(self._bench.device.mark())
        return time.perf_counter() - started

    def outlasts(self, call: Callable[[Mark], object], make: Callable[[], Mark] | None = None) -> bool:
        """Whether a call with a mark behind the work returns before the work has ended. A call that does not is made
        again behind more work. True, too, if the device ends all work before it gives a mark."""
        was_late, buffer = False, self._settled()
        for times in _DELAYS:
            self(times, buffer)
            mark = (make or self._bench.device.mark)()
            if mark.is_done():
                continue
            call(mark)
            if not mark.is_done():
                self._bench.wait(mark)
                return True
            was_late = True
        return not was_late


@contextmanager
def own_device(gpu: gp.Device) -> Iterator[Bench]:
    """A device of the backend that is opened for the block: its close frees what the block leaves."""
    opened = gpu.backend.open(gpu.info.index)
    try:
        yield Bench(gpu, opened)
    finally:
        opened.close()
