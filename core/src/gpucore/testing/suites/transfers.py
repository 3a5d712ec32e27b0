"""The backend interface: transfers that end later, pinned memory, expected reads, fences, idle devices."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import gpucore as gp
from gpucore.testing.bench import Bench, Delay, own_device
from gpucore.testing.checks import Host, bytes_of, check, check_bits
from gpucore.testing.kernels import interface as kernels
from gpucore.testing.processes import check_growth, resident_bytes
from gpucore.testing.skipped import Skipped

_NBYTES = 1027
_WORDS = ((0, 4), (4, 8), (512, 256), (1020, 4), (1024, 3), (1000, 27), (36, 4))  # offset, count: as a write takes them
_ANY = ((1, 4), (3, 7), (513, 514), (1026, 1), (8, 3))
_LARGE = 5_000_003
_BESIDE = 16  # bytes on either side of what is copied to the host, which must stay
_COUNT = 200  # i32 elements
_GRID = -(-_COUNT // kernels.SIZE)
_PINNED = 4 << 20  # bytes of pinned memory that are dropped
_PINNED_TIMES = 100

_Make = Callable[[int], Host]  # of the number of bytes


def _random(nbytes: int, seed: int = 0) -> Host:
    return np.random.default_rng(seed).integers(0, 256, nbytes, np.uint8)


def _kinds(bench: Bench) -> dict[str, _Make]:
    """The kinds of host memory: the process's, and the device's pinned memory if it has some."""
    kinds: dict[str, _Make] = {"memory of the process": lambda nbytes: np.empty(nbytes, np.uint8)}
    if bench.device.pinned(16) is not None:
        kinds["pinned memory"] = lambda nbytes: _pinned(bench, nbytes)
    return kinds


def _pinned(bench: Bench, nbytes: int) -> Host:
    memory = bench.device.pinned(nbytes)
    if memory is None:
        raise Skipped(f"{bench.device.info.id} has no pinned memory")
    check(memory.nbytes == nbytes, f"{memory.nbytes} bytes are pinned, and {nbytes} were asked for")
    check(not memory.readonly and memory.contiguous, "pinned memory is read-only, or not contiguous")
    return np.frombuffer(memory, np.uint8)


def _skip_unless(is_any_started: bool, bench: Bench, what: str) -> None:
    if not is_any_started:
        raise Skipped(f"{bench.device.info.id} has no {what}")


def _stretches(bench: Bench) -> tuple[tuple[int, int], ...]:
    return _WORDS if bench.device.memory_space is None else _WORDS + _ANY


class TransferTests:
    """Buffer.start_write, Buffer.start_read, Buffer.expect_read, Device.pinned, Device.fence, Device.is_idle."""

    def test_start_write(self, gpu: gp.Device) -> None:
        """C053 [Backend interface: Buffer.start_write]: Once a later mark is done the bytes are there, at odd ends too,
        those beside them stay, and the caller may change the data, which may be read-only; what is refused changes
        nothing. Skipped without such copies."""
        with own_device(gpu) as bench:
            is_any_started = False
            for kind, make in _kinds(bench).items():
                wanted = _random(_NBYTES)
                buffer, kept = bench.buffer(wanted), []
                for seed, (offset, count) in enumerate(_stretches(bench), 1):
                    kept.append(make(count))
                    kept[-1][:] = _random(count, seed)
                    data = kept[-1].data if seed % 2 else kept[-1].data.toreadonly()
                    if buffer.start_write(data, offset):
                        wanted[offset : offset + count] = kept[-1]
                        is_any_started = True
                large, host = bench.device.allocate(_LARGE), make(_LARGE)
                host[:] = _random(_LARGE, 7)
                is_large_started = large.start_write(host.data)
                bench.wait(bench.device.mark())
                for each in (*kept, host):
                    each[:] = 0xEE
                check_bits(bench.read(buffer, np.uint8, _NBYTES), wanted, f"bytes from {kind}")
                if is_large_started:
                    check_bits(bench.read(large, np.uint8, _LARGE), _random(_LARGE, 7), f"5 MB from {kind}")
            _skip_unless(is_any_started, bench, "start_write")

    def test_start_write_order(self, gpu: gp.Device) -> None:
        """C054 [Backend interface: Buffer.start_write]: It comes after the work queued before it, and before that
        queued after it. Skipped without such copies."""
        with own_device(gpu) as bench:
            program, delay, is_any_started = bench.compile(kernels.affine), Delay(bench), False
            for kind, make in _kinds(bench).items():
                wanted = np.arange(_COUNT, dtype=np.int32)
                x, saved = bench.buffer(wanted), bench.device.allocate(4 * _COUNT)
                first, second = (make(400) for _ in range(2))
                first.view(np.int32)[:], second.view(np.int32)[:] = np.arange(100) - 7, np.arange(100) * 5
                delay()
                bench.dispatch(program, [x], _GRID, scale=3, offset=1, length=_COUNT)
                if not x.start_write(first.data, 400):
                    continue
                is_any_started = True
                bench.dispatch(program, [x], _GRID, scale=-2, offset=5, length=_COUNT)
                bench.device.copy(x, saved, 4 * _COUNT)
                if not x.start_write(second.data):
                    x.write(second.data)
                bench.dispatch(program, [x], _GRID, scale=7, offset=0, length=_COUNT)
                wanted = wanted * 3 + 1
                wanted[100:] = first.view(np.int32)
                wanted = wanted * -2 + 5
                check_bits(bench.read(saved, np.int32, _COUNT), wanted, f"between two copies from {kind}")
                wanted[:100] = second.view(np.int32)
                check_bits(bench.read(x, np.int32, _COUNT), wanted * 7, f"after two copies from {kind}")
            _skip_unless(is_any_started, bench, "start_write")

    def test_start_read(self, gpu: gp.Device) -> None:
        """C055 [Backend interface: Buffer.start_read]: Once a later mark is done all bytes are there, at odd offsets
        and of odd lengths, and those beside them stay. Skipped without such copies."""
        with own_device(gpu) as bench:
            is_any_started = False
            host, large_host = _random(_NBYTES), _random(_LARGE, 7)
            buffer, large = bench.buffer(host), bench.buffer(large_host)
            for kind, make in _kinds(bench).items():
                kept = []
                for offset, count in (*_WORDS, *_ANY):
                    out, wanted = make(count + 2 * _BESIDE), np.full(count + 2 * _BESIDE, 0xA5, np.uint8)
                    out[:] = wanted
                    if buffer.start_read(out[_BESIDE : _BESIDE + count].data, offset):
                        wanted[_BESIDE : _BESIDE + count] = host[offset : offset + count]
                        is_any_started = True
                    kept.append((f"{count} bytes at {offset} in {kind}", out, wanted))
                out = make(_LARGE)
                if large.start_read(out.data):
                    kept.append((f"5 MB in {kind}", out, large_host))
                bench.wait(bench.device.mark())
                for what, out, wanted in kept:
                    check_bits(out, wanted, what)
            _skip_unless(is_any_started, bench, "start_read")

    def test_start_read_order(self, gpu: gp.Device) -> None:
        """C056 [Backend interface: Buffer.start_read]: It takes the bytes after the work queued before it, and not of
        that queued after it, also of a buffer that is released; a fence suffices. Skipped without such copies."""
        with own_device(gpu) as bench:
            program, delay, is_any_started = bench.compile(kernels.affine), Delay(bench), False
            for kind, make in _kinds(bench).items():
                x = bench.buffer(np.arange(_COUNT, dtype=np.int32))
                first, second, stored = make(4 * _COUNT), make(4 * _COUNT), np.arange(_COUNT, dtype=np.int32) * 9
                bench.wait(bench.device.mark())
                delay()
                bench.dispatch(program, [x], _GRID, scale=3, offset=1, length=_COUNT)
                if not x.start_read(first.data):
                    continue
                is_any_started = True
                bench.dispatch(program, [x], _GRID, scale=-2, offset=5, length=_COUNT)
                is_second_started = x.start_read(second.data)
                x.write(bytes_of(stored))
                x.release()
                fillers = [bench.buffer(np.full(_COUNT, -1, np.int32)) for _ in range(8)]
                bench.wait(bench.device.fence())
                wanted = np.arange(_COUNT, dtype=np.int32) * 3 + 1
                check_bits(first.view(np.int32), wanted, f"between two dispatches, in {kind}")
                if is_second_started:
                    check_bits(second.view(np.int32), wanted * -2 + 5, f"before a write, in {kind}")
                for buffer in fillers:
                    buffer.release()
            _skip_unless(is_any_started, bench, "start_read")

    def test_pinned(self, gpu: gp.Device) -> None:
        """C057 [Backend interface: Device.pinned]: Writable memory of the size that was asked for, each apart from the
        others, which copies use as any other. Skipped without it."""
        with own_device(gpu) as bench:
            sizes = (1, 3, 4, 16, 1027, 4096, 4097, 1 << 20)
            made = [_pinned(bench, size) for size in sizes]
            for seed, memory in enumerate(made):
                memory[:] = _random(memory.size, seed)
            for seed, (size, memory) in enumerate(zip(sizes, made, strict=True)):
                check_bits(memory, _random(size, seed), f"{size} bytes of pinned memory after others were filled")
                buffer = bench.device.allocate(size)
                buffer.write(memory.data)
                memory[:] = 0
                bench.wait(bench.device.mark())
                buffer.read(memory.data)
                check_bits(memory, _random(size, seed), f"{size} bytes, written from pinned memory and read into it")

    def test_pinned_is_freed(self, gpu: gp.Device) -> None:
        """C058 [Backend interface: Device.pinned]: Freed with the last view while the device is open: 100 of 4 MiB do
        not grow the process. A view keeps it, also after the close, and may end later. Skipped without it."""
        with own_device(gpu) as bench:
            host = _random(_PINNED)

            def pin_and_drop(count: int) -> None:
                for _ in range(count):
                    _pinned(bench, _PINNED)[:] = host
                    bench.wait(bench.device.mark())

            part = _pinned(bench, _PINNED)[1000:2027]
            part[:] = host[:1027]
            pin_and_drop(10)
            before = resident_bytes()
            pin_and_drop(_PINNED_TIMES)
            check_growth(before, _PINNED * _PINNED_TIMES // 2)
            check_bits(part, host[:1027], "a view while other pinned memory came and went")
        check_bits(part, host[:1027], "a view of pinned memory after the device was closed")
        part[:] = 7
        check_bits(part, np.full(1027, 7, np.uint8), "what was stored in pinned memory after the close")

    def test_fence(self, gpu: gp.Device) -> None:
        """C059 [Backend interface: Device.fence]: It is done after the work before it, without another call, and stays
        done; earlier fences and marks are done then."""
        with own_device(gpu) as bench:
            program = bench.compile(kernels.affine)
            host = np.arange(_COUNT, dtype=np.int32)
            x = bench.buffer(host)
            earliest = bench.device.fence()
            delay = Delay(bench)
            for turn in range(3):
                delay()
                bench.dispatch(program, [x], _GRID, scale=3, offset=turn, length=_COUNT)
                earlier = bench.device.mark() if turn else earliest  # a mark would start the work
                fence = bench.device.fence()
                bench.wait(fence)
                check(earlier.is_done() and earliest.is_done(), "a fence is done, and an earlier mark or fence is not")
                host = host * 3 + turn
                check_bits(bench.read_now(x, np.int32, _COUNT), host, "the buffer once the fence was done")
                check(fence.is_done() and fence.is_done(), "a fence that was done is no longer")

    def test_idle(self, gpu: gp.Device) -> None:
        """C070 [Backend interface: Device.is_idle]: It becomes true, without another call, once all work in the
        selected queue has ended, and not before: marks behind that work are done then. Skipped if core never asks."""
        with own_device(gpu) as bench:
            if not bench.device.idle_polls:
                raise Skipped(f"{bench.device.info.id} is not asked whether it is idle: its idle_polls are 0")
            program, delay = bench.compile(kernels.affine), Delay(bench)
            host = np.arange(_COUNT, dtype=np.int32)
            x = bench.buffer(host)
            bench.wait(bench.device.mark())
            for queue in range(bench.device.queues):
                if bench.device.queues > 1:
                    bench.device.select(queue)
                delay()
                bench.dispatch(program, [x], _GRID, scale=3, offset=queue, length=_COUNT)
                bench.poll(bench.device.is_idle, "a device was not idle")
                host = host * 3 + queue
                check_bits(bench.read_now(x, np.int32, _COUNT), host, "the buffer once the device was idle")
                check(bench.device.is_idle(), "a device that was idle is no longer")
                delay()
                mark = bench.device.mark()
                bench.poll(bench.device.is_idle, "a device was not idle")
                check(mark.is_done(), "a device is idle, and a mark behind its work is not done")

    def test_is_done_does_not_wait(self, gpu: gp.Device) -> None:
        """C074 [Backend interface: Mark.is_done]: It does not wait for the work before a mark or fence."""
        with own_device(gpu) as bench:
            delay = Delay(bench)
            for kind in ("mark", "fence"):
                is_brief = delay.is_asked_at_once(getattr(bench.device, kind))
                check(is_brief, f"is_done of a {kind} took as long as the work before it")

    def test_pause(self, gpu: gp.Device) -> None:
        """C073 [Backend interface: Mark.pause]: A pause of 5 ms ends before long work does; it ends, too, behind work
        that has ended, of a mark that was never asked."""
        with own_device(gpu) as bench:
            delay = Delay(bench)
            for make in (bench.device.mark, bench.device.fence):
                check(delay.outlasts(lambda mark: mark.pause(5e-3), make), "a pause of 5 ms lasted as long as the work")
                delay()
                mark = make()
                bench.wait(bench.device.mark())
                mark.pause(5e-3)
                check(mark.is_done(), "a mark is not done after later work has ended and a pause")

    def test_expect_read(self, gpu: gp.Device) -> None:
        """C060 [Backend interface: Buffer.expect_read]: A read gives the newest bytes, whether the read that was
        expected comes at once, after other work, for other bytes, or never."""
        with own_device(gpu) as bench:
            program = bench.compile(kernels.affine)
            wanted = np.arange(_COUNT, dtype=np.int32)
            x, y = bench.buffer(wanted), bench.buffer(wanted * 5)

            def check_read(what: str, first: int = 0, count: int = _COUNT) -> None:
                bench.wait(bench.device.fence())
                found = bench.read_now(x, np.int32, count, 4 * first)
                check_bits(found, wanted[first : first + count], f"a read {what}")

            bench.dispatch(program, [x], _GRID, scale=3, offset=1, length=_COUNT)
            wanted = wanted * 3 + 1
            x.expect_read(4 * _COUNT)
            check_read("that was expected")
            check_read("again")
            x.expect_read(4 * _COUNT)
            bench.dispatch(program, [x], _GRID, scale=-1, offset=4, length=_COUNT)
            wanted = wanted * -1 + 4
            check_read("that was expected before a dispatch")
            x.expect_read(400, 40)
            x.write(bytes_of(np.full(50, 17, np.int32)), 40)
            wanted[10:60] = 17
            check_read("that was expected before a write", 10, 100)
            x.expect_read(4 * _COUNT)
            bench.device.copy(y, x, 200)
            wanted[:50] = np.arange(50) * 5
            check_read("that was expected before a copy")
            x.expect_read(40, 80)
            check_read("of other bytes than those expected", 7, 13)
            y.expect_read(4 * _COUNT)
            check_read("where one of another buffer was expected")
            x.expect_read(4 * _COUNT)
            x.expect_read(4)
            bench.wait(bench.device.mark())
            x.write(bytes_of(np.full(1, -3, np.int32)))
            wanted[0] = -3
            check_read("where two were expected, and a mark and a write followed", 0, 1)
            x.expect_read(4 * _COUNT)
            x.release()
            bench.wait(bench.device.fence())
            found = bench.read_now(y, np.int32, _COUNT)
            check_bits(found, np.arange(_COUNT, dtype=np.int32) * 5, "a read after a buffer with an expected one went")
