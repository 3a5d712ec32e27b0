"""The backend interface: bytes in buffers, and work executed in the order of the queue."""

from __future__ import annotations

import time

import numpy as np

import gpucore as gp
from gpucore.testing.bench import Bench, Delay, own_device
from gpucore.testing.checks import Host, bytes_of, check, check_bits
from gpucore.testing.kernels import grids
from gpucore.testing.kernels import interface as kernels
from gpucore.testing.skipped import Skipped

_SIZES = (1, 2, 3, 4, 5, 7, 16, 31, 255, 256, 257, 4097, 65539)


def _random(nbytes: int, seed: int = 0) -> Host:
    return np.random.default_rng(seed).integers(0, 256, nbytes, np.uint8)


def _affine(x: Host, *steps: tuple[int, int]) -> Host:
    with np.errstate(over="ignore"):
        for scale, offset in steps:
            x = x * np.int32(scale) + np.int32(offset)
    return x


class QueueTests:
    """Buffer, dispatch, copy, Mark."""

    def test_write_and_read(self, gpu: gp.Device) -> None:
        """C020 [Backend interface: Buffer.write, Buffer.read]: Whole buffers of every size come back, odd sizes too;
        nbytes is right."""
        bench = Bench(gpu)
        for size in _SIZES:
            host = _random(size, size)
            buffer = bench.buffer(host)
            check(buffer.nbytes == size, f"nbytes is {buffer.nbytes}, and {size} was asked for")
            check_bits(bench.read(buffer, np.uint8, size), host, f"{size} bytes")
            buffer.release()

    def test_write_at_offset(self, gpu: gp.Device) -> None:
        """C021 [Backend interface: Buffer.write]: A write at an offset changes its bytes and no others, up to an odd
        end too."""
        bench = Bench(gpu)
        size = 1027
        wanted = _random(size)
        buffer = bench.buffer(wanted)
        for seed, (offset, count) in enumerate(
            ((0, 4), (4, 8), (512, 256), (1020, 4), (1024, 3), (1000, 27), (36, 4)), 1
        ):
            part = _random(count, seed)
            buffer.write(bytes_of(part), offset)
            wanted[offset : offset + count] = part
        check_bits(bench.read(buffer, np.uint8, size), wanted, "after writes at offsets")
        buffer.release()

    def test_read_at_offset(self, gpu: gp.Device) -> None:
        """C022 [Backend interface: Buffer.read]: A read takes any stretch of bytes, at odd offsets and of odd
        lengths."""
        bench = Bench(gpu)
        host = _random(1027)
        buffer = bench.buffer(host)
        bench.wait(bench.device.mark())
        for offset, count in ((0, 1), (4, 8), (8, 3), (1, 4), (3, 7), (1024, 3), (1026, 1), (513, 514), (0, 1027)):
            part = bench.read_now(buffer, np.uint8, count, offset)
            check_bits(part, host[offset : offset + count], f"{count} bytes at {offset}")
        buffer.release()

    def test_write_copies(self, gpu: gp.Device) -> None:
        """C023 [Backend interface: Buffer.write]: The caller may change the data once write has returned; read-only
        data is taken."""
        bench = Bench(gpu)
        host = _random(4096)
        kept = host.copy()
        buffer = bench.buffer(host)
        host[:] = 0
        check_bits(bench.read(buffer, np.uint8, 4096), kept, "data that was changed later")
        buffer.write(memoryview(bytes(range(256))), 256)
        kept[256:512] = np.arange(256)
        check_bits(bench.read(buffer, np.uint8, 4096), kept, "data from bytes")
        buffer.release()

    def test_reads_are_fresh(self, gpu: gp.Device) -> None:
        """C024 [Backend interface: Buffer.read]: Each read gives the current contents, not those of an earlier read."""
        bench = Bench(gpu)
        program = bench.compile(kernels.affine)
        wanted = np.arange(70, dtype=np.int32)
        buffer = bench.buffer(wanted)
        for step in ((2, 1), (3, -5), (1, 7)):
            bench.dispatch(program, [buffer], 3, scale=step[0], offset=step[1], length=70)
            wanted = _affine(wanted, step)
            check_bits(bench.read(buffer, np.int32, 70), wanted, "the buffer after another dispatch")
        buffer.write(bytes_of(np.zeros(70, np.int32)))
        check_bits(bench.read(buffer, np.int32, 70), np.zeros(70, np.int32), "the buffer after a write")
        buffer.release()

    def test_buffers_are_apart(self, gpu: gp.Device) -> None:
        """C025 [Backend interface: Device.allocate]: Buffers do not overlap, whatever their sizes."""
        bench = Bench(gpu)
        hosts = [_random(size, size) for size in (1, 3, 16, 17, 100, 256, 4096, 5, 64)]
        buffers = [bench.buffer(host) for host in hosts]
        for host, buffer in zip(hosts, buffers, strict=True):
            check_bits(bench.read(buffer, np.uint8, host.size), host, f"{host.size} bytes between others")
        for buffer in buffers[::2]:
            buffer.release()
        for host, buffer in list(zip(hosts, buffers, strict=True))[1::2]:
            check_bits(bench.read(buffer, np.uint8, host.size), host, f"{host.size} bytes after others were released")
            buffer.release()

    def test_release(self, gpu: gp.Device) -> None:
        """C026 [Backend interface: Buffer.release, Pipeline.release]: Twice without harm; queued work still has the
        memory and the code that it needs."""
        bench = Bench(gpu)
        program, other = bench.compile(kernels.combine), bench.compile(kernels.affine)
        a, b = np.arange(320, dtype=np.int32), np.arange(320, dtype=np.int32)[::-1].copy()
        source, second, target = bench.buffer(a), bench.buffer(b), bench.device.allocate(1280)
        bench.wait(bench.device.mark())  # no write that is queued restores memory that is freed early
        bench.dispatch(other, [source], 10, scale=2, offset=3, length=320)
        bench.dispatch(program, [source, second, target], 10, length=320)
        for released in (source, second, program.pipeline, other.pipeline):
            released.release()
            released.release()
        fillers = [bench.buffer(np.full(320, -1, np.int32)) for _ in range(8)]
        check_bits(bench.read(target, np.int32, 320), (a * 2 + 3) * 1000 - b, "work on released buffers")
        for buffer in (target, *fillers):
            buffer.release()

    def test_copy(self, gpu: gp.Device) -> None:
        """C027 [Backend interface: Device.copy]: The first nbytes are copied, and the rest of the target is
        unchanged."""
        bench = Bench(gpu)
        for nbytes in (4, 16, 100, 1024, 4096):
            a, b = _random(4096, 1), _random(4096, 2)
            source, target = bench.buffer(a), bench.buffer(b)
            bench.device.copy(source, target, nbytes)
            b[:nbytes] = a[:nbytes]
            check_bits(bench.read(target, np.uint8, 4096), b, f"the target of a copy of {nbytes} bytes")
            check_bits(bench.read(source, np.uint8, 4096), a, "the source of a copy")
            source.release()
            target.release()

    def test_copy_of_odd_size(self, gpu: gp.Device) -> None:
        """C028 [Backend interface: Device.copy]: Sizes that are not a multiple of 4 are copied to the last byte."""
        bench = Bench(gpu)
        for size in (1, 2, 3, 5, 1027):
            a = _random(size, 1)
            source, target = bench.buffer(a), bench.buffer(_random(size, 2))
            bench.device.copy(source, target, size)
            check_bits(bench.read(target, np.uint8, size), a, f"a copy of {size} bytes")
            source.release()
            target.release()

    def test_order(self, gpu: gp.Device) -> None:
        """C030 [Backend interface: Device]: write, dispatch and copy run in the order in which they were queued,
        without waiting."""
        bench = Bench(gpu)
        program = bench.compile(kernels.affine)
        first, second, third = (np.arange(200, dtype=np.int32) * k + k for k in (1, 2, 3))
        x, saved, kept = bench.buffer(first), bench.device.allocate(800), bench.device.allocate(800)
        run = {"scale": 3, "offset": 1, "length": 200}
        bench.dispatch(program, [x], 7, **run)
        bench.device.copy(x, saved, 800)
        x.write(bytes_of(second))
        bench.dispatch(program, [x], 7, **run)
        bench.dispatch(program, [saved], 7, scale=-1, offset=2, length=200)
        bench.device.copy(x, kept, 800)
        x.write(bytes_of(third)[:400])
        bench.dispatch(program, [x], 7, scale=5, offset=0, length=200)
        check_bits(bench.read(saved, np.int32, 200), _affine(first, (3, 1), (-1, 2)), "copied, then computed on")
        check_bits(bench.read(kept, np.int32, 200), _affine(second, (3, 1)), "copied before it was overwritten")
        mixed = np.concatenate([third[:100], _affine(second, (3, 1))[100:]])
        check_bits(bench.read(x, np.int32, 200), _affine(mixed, (5, 0)), "overwritten between dispatches")
        for buffer in (x, saved, kept):
            buffer.release()

    def test_writes_in_order(self, gpu: gp.Device) -> None:
        """C029 [Backend interface: Buffer.write]: A write comes after the dispatches queued before it, and before
        those after it."""
        bench = Bench(gpu)
        program = bench.compile(kernels.combine)
        hosts = [np.arange(96, dtype=np.int32) * k + 3 for k in range(1, 6)]
        x, y = bench.buffer(hosts[0]), bench.buffer(hosts[0])
        outs = [bench.device.allocate(384) for _ in hosts]
        for host, out in zip(hosts, outs, strict=True):
            x.write(bytes_of(host))
            bench.dispatch(program, [x, y, out], 3, length=96)
        for k, (host, out) in enumerate(zip(hosts, outs, strict=True)):
            check_bits(bench.read(out, np.int32, 96), host * 1000 - hosts[0], f"what dispatch {k} read")
        for buffer in (x, y, *outs):
            buffer.release()

    def test_write_behind_work(self, gpu: gp.Device) -> None:
        """C042 [Backend interface: Buffer.write]: A large write behind work of some time comes after that work, with
        the bytes that the caller had at the call."""
        count = 1 << 16
        host = np.arange(count, dtype=np.uint32)
        kept = host.copy()
        with own_device(gpu) as bench:
            program = bench.compile(kernels.busy)
            x, y = bench.buffer(host), bench.buffer(host)
            Delay(bench)()
            bench.dispatch(program, [x], count // kernels.SIZE, n=1, length=count)
            bench.device.copy(x, y, 4 * count)
            x.write(bytes_of(host))
            host[:] = 5
            bench.dispatch(program, [x], count // kernels.SIZE, n=2, length=count)
            check_bits(bench.read(x, np.uint32, count), _lcg(kept, 2), "written behind work, then computed on")
            check_bits(bench.read(y, np.uint32, count), _lcg(kept, 1), "copied before the write")

    def test_copies_in_order(self, gpu: gp.Device) -> None:
        """C031 [Backend interface: Device.copy]: Copies among buffers swap them; a copy before a write takes the
        bytes of before."""
        bench = Bench(gpu)
        a, b, c = (_random(256, k) for k in (1, 2, 3))
        x, y, spare = bench.buffer(a), bench.buffer(b), bench.device.allocate(256)
        bench.device.copy(x, spare, 256)
        bench.device.copy(y, x, 256)
        bench.device.copy(spare, y, 256)
        spare.write(bytes_of(c))
        check_bits(bench.read(x, np.uint8, 256), b, "the first of two swapped buffers")
        check_bits(bench.read(y, np.uint8, 256), a, "the second of two swapped buffers")
        check_bits(bench.read(spare, np.uint8, 256), c, "the third")
        for buffer in (x, y, spare):
            buffer.release()

    def test_chain(self, gpu: gp.Device) -> None:
        """C032 [Backend interface: Device.dispatch]: Each of 60 dispatches sees all writes of the previous one."""
        bench = Bench(gpu)
        program = bench.compile(kernels.affine)
        x = np.arange(100, dtype=np.int32)
        buffer = bench.buffer(x)
        steps = [(2 * k + 3, k * k - 7) for k in range(60)]
        for scale, offset in steps:
            bench.dispatch(program, [buffer], 4, scale=scale, offset=offset, length=100)
        check_bits(bench.read(buffer, np.int32, 100), _affine(x, *steps), "after 60 dispatches")
        buffer.release()

    def test_scalars_without_waiting(self, gpu: gp.Device) -> None:
        """C033 [Backend interface: Device.dispatch]: Each of 500 dispatches, queued without waiting, has its own
        scalars."""
        bench = Bench(gpu)
        program = bench.compile(kernels.put)
        rng = np.random.default_rng(1)
        values, fractions = rng.integers(0, 2**32, 500, np.uint32), rng.normal(size=500).astype(np.float32)
        buffer = bench.buffer(np.zeros(1000, np.uint32))
        for k in range(500):
            bench.dispatch(
                program, [buffer], 1, index=k, value=int(values[k]), fraction=float(fractions[k]), length=1000
            )
        wanted = np.stack([values, fractions.view(np.uint32)], 1).reshape(-1)
        check_bits(bench.read(buffer, np.uint32, 1000), wanted, "scalars of 500 dispatches")
        buffer.release()

    def test_binding_order(self, gpu: gp.Device) -> None:
        """C034 [Backend interface: Device.dispatch]: Buffers are bound by position; one pipeline serves many sets of
        them in turn."""
        bench = Bench(gpu)
        program = bench.compile(kernels.combine)
        a, b = np.arange(64, dtype=np.int32) + 5, np.arange(64, dtype=np.int32) * 2
        x, y = bench.buffer(a), bench.buffer(b)
        outs = [bench.device.allocate(256) for _ in range(4)]
        for sources, out in zip(((x, y), (y, x), (x, x), (y, y)), outs, strict=True):
            bench.dispatch(program, [*sources, out], 2, length=64)
        wanted = (a * 1000 - b, b * 1000 - a, a * 999, b * 999)
        for k, (out, exact) in enumerate(zip(outs, wanted, strict=True)):
            check_bits(bench.read(out, np.int32, 64), exact.astype(np.int32), f"set {k} of buffers")
        for buffer in (x, y, *outs):
            buffer.release()

    def test_no_scalars(self, gpu: gp.Device) -> None:
        """C035 [Backend interface: Device.dispatch]: A kernel without scalars gets none, before and after one that
        has some."""
        bench = Bench(gpu)
        program, other = bench.compile(kernels.no_scalars), bench.compile(kernels.affine)
        check(program.valid.scalars_nbytes == 0, "the kernel has scalars")
        host = np.arange(96, dtype=np.uint32)
        buffer = bench.buffer(host)
        bench.dispatch(program, [buffer], 3)
        bench.dispatch(other, [buffer], 3, scale=2, offset=1, length=96)
        bench.dispatch(program, [buffer], 3)
        check_bits(bench.read(buffer, np.uint32, 96), host * 2 + 1, "reversed by workgroup, twice")
        buffer.release()

    def test_marks(self, gpu: gp.Device) -> None:
        """C036 [Backend interface: Mark]: A mark becomes done, stays done, and is not done before the work that came
        before it."""
        bench = Bench(gpu)
        program = bench.compile(kernels.busy)
        host = np.arange(64, dtype=np.uint32)
        buffer = bench.buffer(host)
        early = bench.device.mark()
        for _ in range(3):
            bench.dispatch(program, [buffer], 2, n=300, length=64)
        late = bench.device.mark()
        bench.wait(late)
        done_at = bench.read_now(buffer, np.uint32, 64)
        check(early.is_done(), "a later mark is done, and an earlier one is not")
        check(late.is_done() and late.is_done(), "a mark that was done is no longer")
        check_bits(done_at, _lcg(host, 900), "the buffer once the mark was done")
        buffer.release()

    def test_work_starts(self, gpu: gp.Device) -> None:
        """C037 [Backend interface: Device.mark]: A mark gets the work before it started: it is done without another
        call."""
        bench = Bench(gpu)
        program = bench.compile(kernels.busy)
        buffer = bench.buffer(np.zeros(64, np.uint32))
        bench.dispatch(program, [buffer], 2, n=10, length=64)
        bench.wait(bench.device.mark())
        check_bits(bench.read_now(buffer, np.uint32, 64), _lcg(np.zeros(64, np.uint32), 10), "the buffer")
        buffer.release()

    def test_elapsed(self, gpu: gp.Device) -> None:
        """C038 [Backend interface: Device.elapsed]: Seconds between two marks: not negative, and no more than passed
        on the host."""
        bench = Bench(gpu)
        program = bench.compile(kernels.busy)
        buffer = bench.buffer(np.arange(64, dtype=np.uint32))
        bench.wait(bench.device.mark())
        for n in (1, 3000):
            begun = time.perf_counter()
            start = bench.device.mark()
            bench.dispatch(program, [buffer], 2, n=n, length=64)
            end = bench.device.mark()
            bench.wait(start)
            bench.wait(end)
            passed = time.perf_counter() - begun
            seconds = bench.device.elapsed(start, end)
            check(seconds >= 0, f"elapsed is {seconds!r}")
            check(seconds <= passed * 1.05 + 1e-3, f"elapsed is {seconds} s, and {passed} s passed on the host")
            check(bench.device.elapsed(start, end) == seconds, "elapsed of the same marks differs")
        buffer.release()

    def test_elapsed_measures_work(self, gpu: gp.Device) -> None:
        """C041 [Backend interface: Device.elapsed]: The time of the work between two marks, however late they are
        looked at; a device that gives the host's time instead says so in its details."""
        if dict(gpu.info.details).get("timestamps") == "host":
            raise Skipped(f"{gpu.id} has no timestamps, and says so")
        bench = Bench(gpu)
        program = bench.compile(kernels.busy)
        count = 32 * kernels.SIZE
        buffer = bench.buffer(np.arange(count, dtype=np.uint32))
        steps = bench.steps_of_long_work(program, buffer, count)
        passed, measured = [], []
        for _ in range(3):
            begun = time.perf_counter()
            start = bench.device.mark()
            bench.dispatch(program, [buffer], count // kernels.SIZE, n=steps, length=count)
            end = bench.device.mark()
            bench.wait(end)
            bench.wait(start)
            passed.append(time.perf_counter() - begun)
            measured.append(bench.device.elapsed(start, end))
        check(max(measured) >= min(passed) / 4, f"elapsed is {measured} s for work that took {passed} s on the host")
        buffer.release()

    def test_large_buffers(self, gpu: gp.Device) -> None:
        """C039 [Backend interface: Buffer.write, Buffer.read]: 5 MB and three bytes, written, copied and read whole."""
        bench = Bench(gpu)
        host = _random(5_000_003)
        buffer, target = bench.buffer(host), bench.device.allocate(host.size)
        bench.device.copy(buffer, target, host.size)
        check_bits(bench.read(target, np.uint8, host.size), host, "5 MB")
        buffer.release()
        target.release()

    def test_grid_axes(self, gpu: gp.Device) -> None:
        """C040 [Backend interface: Device.dispatch]: The three counts are workgroups along x, y and z."""
        bench = Bench(gpu)
        program = bench.compile(grids.along_axes)
        for grid in ((5, 1, 1), (1, 7, 1), (1, 1, 3), (4, 3, 2)):
            count = grid[0] * grid[1] * grid[2]
            buffer = bench.buffer(np.full(count, -1, np.int32))
            bench.dispatch(program, [buffer], grid, length=count)
            z, y, x = np.indices(grid[::-1])
            check_bits(
                bench.read(buffer, np.int32, count),
                (x + 2 * y + 3 * z).reshape(-1).astype(np.int32),
                f"the grid {grid}",
            )
            buffer.release()


def _lcg(x: Host, steps: int) -> Host:
    """Steps of the generator in `busy`."""
    x = x.copy()
    for _ in range(steps):
        x = x * np.uint32(1664525) + np.uint32(1013904223)
    return x
