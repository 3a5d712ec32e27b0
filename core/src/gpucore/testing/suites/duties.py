"""The backend interface: parts of buffers, threads, other processes, and what closing and probing leave behind."""

from __future__ import annotations

import contextlib
import io
import os
import tempfile
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

import gpucore as gp
from gpucore import compiler, ir
from gpucore.runtime import DeviceInfo, Source
from gpucore.testing.bench import Bench, Delay, own_device
from gpucore.testing.checks import bytes_of, check, check_bits, check_raises
from gpucore.testing.emission import KERNELS, NO_DEVICE, digest, digest_in_process
from gpucore.testing.kernels import interface as kernels
from gpucore.testing.processes import check_growth, settled_bytes
from gpucore.testing.skipped import Skipped
from gpucore.testing.threads import in_threads

_MIB = 1 << 20
_COUNT = 320
_GRID = _COUNT // kernels.SIZE


class DutyTests:
    """What the interface demands beside computing."""

    def test_threads(self, gpu: gp.Device) -> None:
        """C077 [Backend interface: Device]: Several threads use one device in turn, and two devices at once."""
        with own_device(gpu) as shared:
            for seed in range(4):
                in_threads([partial(_compute, shared, seed)])
        with own_device(gpu) as first, own_device(gpu) as second:
            start = threading.Barrier(2)

            def work(bench: Bench, seed: int) -> None:
                start.wait(60)
                for round in range(10):
                    _compute(bench, seed + round)

            in_threads([partial(work, first, 1), partial(work, second, 100)])

    def test_parts(self, gpu: gp.Device) -> None:
        """C078 [Backend interface: Buffer.part]: Dispatches and copies get parts of a buffer at multiples of the
        alignment, several of one buffer too; what is beside a part stays. Skipped without a `part_alignment`."""
        bench, alignment = Bench(gpu), gpu.limits.part_alignment
        if alignment == 0:
            raise Skipped(f"{gpu.id} has no part_alignment: its buffers have no parts")
        step = -(-4 * 64 // alignment) * alignment  # bytes from one part to the next one, which may be longer
        words, program = step // 4 if step % 4 == 0 else 0, bench.compile(kernels.combine)
        step, words = (step, words) if words else (4 * step, step)
        host = np.arange(4 * words, dtype=np.int32) * 3 + 1
        whole, other = bench.buffer(host), bench.buffer(np.full(64, -5, np.int32))
        a, b, out = (whole.part(step * at, 256) for at in (1, 2, 3))
        check(a.nbytes == 256, f"a part has {a.nbytes} bytes, and 256 were asked for")
        bench.dispatch(program, [a, b, out], 2, length=64)
        wanted = host.copy()
        wanted[3 * words :][:64] = host[words:][:64] * 1000 - host[2 * words :][:64]
        check_bits(bench.read(whole, np.int32, host.size), wanted, "a kernel on three parts of a buffer")
        bench.device.copy(other, whole.part(step, 64), 64)
        wanted[words:][:16] = -5
        check_bits(bench.read(whole, np.int32, host.size), wanted, "a copy to a part")
        bench.device.copy(whole.part(step * 3, 128), other, 128)
        check_bits(bench.read(other, np.int32, 32), wanted[3 * words :][:32], "a copy from a part")
        for buffer in (whole, other):
            buffer.release()

    def test_forget(self, gpu: gp.Device) -> None:
        """C079 [Backend interface: Buffer.forget]: A buffer whose contents were forgotten, while work was queued too,
        has what is written afterwards, whole or in part."""
        bench = Bench(gpu)
        program, host = bench.compile(kernels.affine), np.arange(_COUNT, dtype=np.int32)
        buffer, kept = bench.buffer(host), bench.device.allocate(4 * _COUNT)
        bench.dispatch(program, [buffer], _GRID, scale=3, offset=1, length=_COUNT)
        bench.device.copy(buffer, kept, 4 * _COUNT)
        buffer.forget()
        buffer.write(bytes_of(host[:100]))
        bench.dispatch(program, [buffer], 3, scale=-1, offset=2, length=96)
        found = bench.read(buffer, np.int32, 96)
        check_bits(found, host[:96] * -1 + 2, "what was written to a buffer that was forgotten")
        check_bits(bench.read(kept, np.int32, _COUNT), host * 3 + 1, "a copy of what it had before")
        for each in (buffer, kept):
            each.release()

    def test_writes_at_any_byte(self, gpu: gp.Device) -> None:
        """C080 [Backend interface: Buffer.write]: Writes of any length at any byte change these bytes alone. Skipped
        without a `memory_space`: core makes them multiples of 4 then."""
        bench = Bench(gpu)
        if bench.device.memory_space is None:
            raise Skipped(f"{gpu.id} has no memory_space: core writes multiples of 4 bytes")
        wanted = np.arange(517, dtype=np.uint8)
        buffer = bench.buffer(wanted)
        for seed, (offset, count) in enumerate(((1, 1), (3, 2), (7, 9), (64, 3), (129, 131), (511, 6), (515, 1))):
            part = np.random.default_rng(seed).integers(0, 256, count, np.uint8)
            buffer.write(bytes_of(part), offset)
            wanted[offset : offset + count] = part
        check_bits(bench.read(buffer, np.uint8, 517), wanted, "after writes at any byte")
        buffer.release()

    def test_refused_binaries(self, gpu: gp.Device) -> None:
        """C081 [Backend interface: Device.load, Backend.build]: What is no machine code, and text that does not
        compile, raise DriverCompileError; the device stays usable. Skipped without a target that is built."""
        bench, backend = Bench(gpu), gpu.backend
        fitting = [name for name in backend.offline_targets if backend.choose_offline([name], gpu.info) == name]
        built = [made for made in (self._built(gpu, name) for name in fitting) if made is not None]
        if not built:
            raise Skipped(f"{backend.name} builds no machine code that runs on {gpu.id}")
        for source, info in built:
            ready = replace(source, text="")
            binary = b"no machine code" + bytes(64)  # drivers read up to a 0
            check_raises(gp.DriverCompileError, partial(bench.device.load, ready, binary), "loading no machine code")
            broken = replace(source, text="this is { no program in any language $", payload=None, lines=())
            check_raises(gp.DriverCompileError, partial(backend.build, broken, info), "building nonsense")
        _compute(bench, 3)

    @staticmethod
    def _built(gpu: gp.Device, target: str) -> tuple[Source, DeviceInfo] | None:
        """The source of a kernel for a target, if the backend makes machine code of it here."""
        info = gpu.backend.offline_device(target)
        check(info is not None, f"{target} is in offline_targets, and offline_device does not know it")
        assert info is not None
        source = compiler.emit_for(compiler.Target.for_info(gpu.backend, info), kernels.affine.lower())
        try:
            return (source, info) if gpu.backend.build(source, info) else None
        except gp.BackendUnavailableError:  # a compiler that is not installed
            return None

    def test_bounded_writes(self, gpu: gp.Device) -> None:
        """C082 [Backend interface: Device.mark_before_write]: Behind work of some time a write may have to wait for a
        mark, which is done without another call; then the device takes the bytes."""
        with own_device(gpu) as bench:
            delay, size = Delay(bench), 4 * _MIB
            host = np.random.default_rng(1).integers(0, 256, size, np.uint8)
            buffer, waits = bench.device.allocate(size), 0
            delay()
            for turn in range(10):
                while (mark := bench.device.mark_before_write(size)) is not None:
                    bench.wait(mark)
                    waits += 1
                    check(waits < 1000, "mark_before_write asks for a wait again and again, and nothing is queued")
                host[:4] = turn
                buffer.write(bytes_of(host))
            check_bits(bench.read(buffer, np.uint8, size), host, "the last of 10 writes of 4 MiB")

    def test_streams(self, gpu: gp.Device) -> None:
        """C083 [Backend interface: Device.stream, Device.wait_for_stream, Device.block_stream]: Work keeps its order
        when the queue waits for a stream, which may be its own, and the stream for the queue; the host does not wait.
        Skipped without a `stream`."""
        with own_device(gpu) as bench:
            device = bench.device
            if device.stream is None:
                raise Skipped(f"{gpu.id} has no stream: other libraries use its memory when the queue is empty")
            streams = [device.stream] + [1] * (device.memory_space is not None and device.memory_space[0] == 2)
            program, delay, host = bench.compile(kernels.affine), Delay(bench), np.arange(_COUNT, dtype=np.int32)
            for stream in streams:
                buffer = bench.buffer(host)
                delay()
                bench.dispatch(program, [buffer], _GRID, scale=3, offset=1, length=_COUNT)
                device.block_stream(stream)
                device.wait_for_stream(stream)
                bench.dispatch(program, [buffer], _GRID, scale=-1, offset=2, length=_COUNT)
                wanted = (host * 3 + 1) * -1 + 2
                check_bits(bench.read(buffer, np.int32, _COUNT), wanted, f"work around waits for stream {stream}")
                check(delay.outlasts(lambda _: device.wait_for_stream(stream)), "the host waited for a stream")  # noqa: B023
                check(delay.outlasts(lambda _: device.block_stream(stream)), "the host waited, to block a stream")  # noqa: B023

    def test_close_frees_memory(self, gpu: gp.Device) -> None:
        """C084 [Backend interface: Device.close]: Closing frees all memory: 16 devices with 8 MiB each in buffers
        that were not released do not grow the process."""
        host = np.full(4 * _MIB, 0xA5, np.uint8)

        def open_and_close(count: int) -> None:
            for _ in range(count):
                with own_device(gpu) as bench:
                    for _ in range(2):
                        bench.buffer(host)
                    bench.wait(bench.device.mark())

        open_and_close(3)  # what a driver keeps for itself is allocated by now
        before = settled_bytes()
        open_and_close(16)
        check_growth(before, 16 * 4 * _MIB)
        _compute(Bench(gpu), 5)

    def test_probe_is_silent(self, gpu: gp.Device) -> None:
        """C085 [Backend interface: Backend.probe]: A probe prints nothing, and leaves no thread behind."""
        before = set(threading.enumerate())
        printed = _printed(gpu.backend.probe)
        check(printed == "", f"a probe printed {printed[:200]!r}")
        left = [thread.name for thread in threading.enumerate() if thread not in before]
        check(left == [], f"threads that a probe left: {', '.join(left)}")

    def test_prepare(self, gpu: gp.Device) -> None:
        """C086 [Backend interface: Backend.prepare]: Without a change it returns the module itself; with one the same
        each time, for a device and for none, and core accepts it."""
        for kernel in KERNELS:
            for info in (gpu.info, None):
                valid = Bench(gpu).validate(kernel)
                made, again = gpu.backend.prepare(valid, info), gpu.backend.prepare(valid, info)
                check(isinstance(made, ir.Module), f"prepare gave {type(made).__name__}, and not a Module")
                check(made == again, f"two calls of prepare for {kernel.name} give two kernels")
                check(made is valid.module or made != valid.module, "prepare gave an equal module, and not the same")
            Bench(gpu).validate(kernel)

    def test_text_of_other_processes(self, gpu: gp.Device) -> None:
        """C087 [Backend interface: Backend.emit]: The text depends on the module and the device alone: another process
        emits the same. Skipped if other processes have no such device."""
        status, printed = digest_in_process(gpu)
        if status == NO_DEVICE:
            raise Skipped(f"{gpu.id} is there in this process only: {printed.splitlines()[0]}")
        check(status == 0, f"emitting ended a process with status {status}: {printed}")
        for kernel, wanted, found in zip(KERNELS, digest(gpu), printed.split(), strict=True):
            check(found == wanted, f"another process emits another text of {kernel.name}")

    def test_targets(self, gpu: gp.Device) -> None:
        """C088 [Backend interface: Backend.choose_offline, Backend.offline_device]: What is chosen is one of the given
        targets or none; each target is known, and an unknown one is not."""
        backend = gpu.backend
        names = tuple(backend.offline_targets)
        check(len(set(names)) == len(names), f"targets that are there twice: {names}")
        for given in ((), ("no such target",), names, names[::-1], *((name,) for name in names)):
            chosen = backend.choose_offline(given, gpu.info)
            check(chosen == "" or (chosen in given and chosen in names), f"of {given} {chosen!r} is chosen")
        check(backend.offline_device("no such target") is None, "offline_device knows a target that there is not")
        for name in names:
            info = backend.offline_device(name)
            check(isinstance(info, DeviceInfo), f"offline_device({name!r}) is {info!r}")


def _compute(bench: Bench, seed: int) -> None:
    """A write, a kernel and a read, each compared."""
    host = np.random.default_rng(seed).integers(-99, 99, _COUNT).astype(np.int32)
    buffer = bench.buffer(host)
    bench.dispatch(bench.compile(kernels.affine), [buffer], _GRID, scale=seed + 2, offset=-seed, length=_COUNT)
    check_bits(bench.read(buffer, np.int32, _COUNT), host * (seed + 2) - seed, f"a kernel with the seed {seed}")
    buffer.release()


def _printed(call: Callable[[], Any]) -> str:
    """What a call prints, by Python and by C code."""
    text, kept = io.StringIO(), [os.dup(1), os.dup(2)]
    with tempfile.TemporaryFile() as file:
        try:
            for descriptor in (1, 2):
                os.dup2(file.fileno(), descriptor)
            with contextlib.redirect_stdout(text), contextlib.redirect_stderr(text):
                call()
        finally:
            for descriptor, before in zip((1, 2), kept, strict=True):
                os.dup2(before, descriptor)
                os.close(before)
        file.seek(0)
        return text.getvalue() + file.read().decode("utf-8", errors="replace")
