"""Many and large: allocations, dispatches without waiting, marks, threads, pipelines, devices."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

import gpucore as gp
from gpucore.testing.bench import Bench, Delay, own_device
from gpucore.testing.checks import Host, bytes_of, check, check_bits
from gpucore.testing.kernels import interface as kernels
from gpucore.testing.processes import check_growth, resident_bytes
from gpucore.testing.threads import in_threads
from gpucore.testing.tiers import in_tier

_MIB = 1 << 20


@in_tier("stress")
class StressTests:
    """What small tests do not meet."""

    def test_thousands_of_buffers(self, gpu: gp.Device) -> None:
        """C090 [Backend interface: Device.allocate]: 2,000 buffers of sizes up to 64 KiB at once: none has the bytes of
        another one."""
        with own_device(gpu) as bench:
            sizes = np.random.default_rng(1).integers(1, 1 << 16, 2000)
            buffers = [bench.buffer(_pattern(at, size)) for at, size in enumerate(sizes)]
            bench.wait(bench.device.mark())
            for at, (size, buffer) in enumerate(zip(sizes, buffers, strict=True)):
                check_bits(bench.read_now(buffer, np.uint8, size), _pattern(at, size), f"buffer {at} of {size} bytes")
            for buffer in buffers:
                buffer.release()

    def test_buffers_that_come_and_go(self, gpu: gp.Device) -> None:
        """C091 [Backend interface: Buffer.release]: 3,000 allocations and releases in any order, with work behind them:
        those in use keep their bytes."""
        with own_device(gpu) as bench:
            rng = np.random.default_rng(2)
            program, kept = bench.compile(kernels.affine), dict[int, tuple[Any, Host]]()
            for at in range(3000):
                if len(kept) > 40 or (kept and rng.random() < 0.4):
                    buffer, host = kept.pop(list(kept)[rng.integers(len(kept))])
                    if at % 50 == 0:
                        check_bits(bench.read(buffer, np.int32, host.size), host, f"a buffer before release {at}")
                    buffer.release()
                else:
                    host = rng.integers(-99, 99, rng.integers(1, 3000)).astype(np.int32)
                    buffer = bench.buffer(host)
                    if at % 7 == 0:
                        groups = -(-host.size // kernels.SIZE)
                        bench.dispatch(program, [buffer], groups, scale=3, offset=at, length=host.size)
                        host = host * 3 + at
                    kept[at] = buffer, host
            for at, (buffer, host) in kept.items():
                check_bits(bench.read(buffer, np.int32, host.size), host.astype(np.int32), f"buffer {at} at the end")

    def test_long_queue(self, gpu: gp.Device) -> None:
        """C092 [Backend interface: Device.dispatch]: 20,000 dispatches and copies without waiting, each on what the one
        before left."""
        with own_device(gpu) as bench:
            program, host = bench.compile(kernels.affine), np.arange(40, dtype=np.int32)
            x, y = bench.buffer(host), bench.buffer(host)
            for at in range(10_000):
                bench.dispatch(program, [x], 2, scale=-1 if at % 2 else 3, offset=at, length=40)
                bench.device.copy(x, y, 160)
                if at % 1000 == 999:
                    check_bits(bench.read(y, np.int32, 40), _after(host, at + 1), f"a copy behind {at + 1} dispatches")
            check_bits(bench.read(x, np.int32, 40), _after(host, 10_000), "after 10,000 dispatches")

    def test_many_marks(self, gpu: gp.Device) -> None:
        """C093 [Backend interface: Device.mark]: 1,000 marks behind work: when the last is done all are."""
        with own_device(gpu) as bench:
            program, buffer = bench.compile(kernels.affine), bench.buffer(np.zeros(64, np.int32))
            Delay(bench)()
            marks = []
            for _ in range(1000):
                bench.dispatch(program, [buffer], 2, scale=1, offset=1, length=64)
                marks.append(bench.device.mark())
            bench.wait(marks[-1])
            check(all(mark.is_done() for mark in marks), "the last mark is done, and an earlier one is not")
            check_bits(bench.read_now(buffer, np.int32, 64), np.full(64, 1000, np.int32), "after 1,000 dispatches")

    def test_threads_of_a_program(self, gpu: gp.Device) -> None:
        """C094 [Arrays and kernels: threads]: Eight threads with arrays and kernels of their own on one device, 50
        rounds each."""

        def work(seed: int) -> None:
            host = np.random.default_rng(seed).integers(-99, 99, 3000 + seed).astype(np.int32)
            for round in range(50):
                x = gp.asarray(host, device=gpu)
                kernels.affine(seed + 2, round, x, invocations=x)
                check_bits(x.numpy(), host * (seed + 2) + round, f"round {round} of thread {seed}")

        in_threads([functools.partial(work, seed) for seed in range(8)])

    def test_pipelines_that_come_and_go(self, gpu: gp.Device) -> None:
        """C095 [Backend interface: Pipeline.release]: 400 pipelines, compiled, run and released, grow the process by
        less than 64 MiB."""
        with own_device(gpu) as bench:
            source, host = bench.emit(bench.validate(kernels.affine)), np.arange(64, dtype=np.int32)
            buffer, scalars = (
                bench.buffer(host),
                bench.compile(kernels.affine).pack({"scale": 1, "offset": 1, "length": 64}),
            )

            def run(count: int) -> None:
                for _ in range(count):
                    pipeline = bench.device.compile(source)
                    bench.device.dispatch(pipeline, [buffer], scalars, (2, 1, 1))
                    pipeline.release()
                bench.wait(bench.device.mark())

            run(50)
            before = resident_bytes()
            run(400)
            check_growth(before, 64 * _MIB)
            check_bits(bench.read(buffer, np.int32, 64), host + 450, "what 450 pipelines computed")

    def test_large_memory(self, gpu: gp.Device) -> None:
        """C096 [Backend interface: Buffer.write, Buffer.read]: 128 MiB and three bytes, or the largest that the device
        has, written, copied and read whole."""
        with own_device(gpu) as bench:
            size = min(128 * _MIB + 3, gpu.limits.max_buffer_size)
            host = np.random.default_rng(3).integers(0, 256, size, np.uint8)
            source, target = bench.device.allocate(size), bench.device.allocate(size)
            source.write(bytes_of(host))
            bench.device.copy(source, target, size)
            source.release()
            found = bench.read(target, np.uint8, size)
            check(bool(np.array_equal(found, host)), f"{np.count_nonzero(found != host)} of {size} bytes differ")

    def test_many_devices(self, gpu: gp.Device) -> None:
        """C097 [Backend interface: Backend.open, Device.close]: 12 devices at once, each with work, closed while it
        runs; then 20 one after the other."""
        opened = [gpu.backend.open(gpu.info.index) for _ in range(12)]
        for device in opened:
            bench = Bench(gpu, device)
            buffer = bench.buffer(np.zeros(1024, np.uint32))
            bench.dispatch(bench.compile(kernels.busy), [buffer], 32, n=1000, length=1024)
        for device in opened:
            device.close()
        for round in range(20):
            with own_device(gpu) as bench:
                host = np.arange(100, dtype=np.int32)
                buffer = bench.buffer(host)
                bench.dispatch(bench.compile(kernels.affine), [buffer], 4, scale=2, offset=round, length=100)
                check_bits(bench.read(buffer, np.int32, 100), host * 2 + round, f"device {round}")


def _pattern(seed: int, size: int) -> Host:
    return ((np.arange(size, dtype=np.uint32) * 7 + seed * 13) & 255).astype(np.uint8)


def _after(host: Host, steps: int) -> Host:
    """What dispatches 0 to steps - 1 of the long queue make of an array."""
    for at in range(steps):
        host = host * np.int32(-1 if at % 2 else 3) + np.int32(at)
    return host
