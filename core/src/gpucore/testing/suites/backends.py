"""The backend interface: what a backend reports about itself, how it emits, compiles, opens and closes."""

from __future__ import annotations

import inspect
import math
import re
import threading
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import gpucore as gp
from gpucore import compiler, ir
from gpucore.ir import Capability
from gpucore.runtime import DeviceKind, ProbeStatus
from gpucore.testing.bench import Bench
from gpucore.testing.checks import Host, check, check_bits, check_raises
from gpucore.testing.kernels import composition, memory
from gpucore.testing.kernels import interface as kernels
from gpucore.testing.processes import check_growth, resident_bytes
from gpucore.testing.shape_tables import check_shapes
from gpucore.testing.skipped import Skipped
from gpucore.valid import validate

_SMALLEST = {
    "max_workgroup_invocations": 256, "max_workgroup_memory": 16384, "max_buffers": 8, "max_buffer_size": 1 << 28,
    "max_binding_size": 1 << 27,
}  # fmt: skip
GREATEST = {
    "max_workgroup_invocations": 1 << 16, "max_workgroup_memory": 1 << 30, "max_buffers": 1 << 32,
    "max_buffer_size": 1 << 62, "max_binding_size": 1 << 62,
}  # fmt: skip
_NEEDS = {
    Capability.F16: kernels.needs_f16, Capability.F64: kernels.needs_f64, Capability.F64_MATH: kernels.needs_f64_math,
    Capability.INT64: kernels.needs_int64, Capability.INT8: kernels.needs_int8, Capability.INT16: kernels.needs_int16,
    Capability.ATOMIC_F32: kernels.needs_atomic_f32, Capability.ATOMIC_INT64: kernels.needs_atomic_int64,
    Capability.SUBGROUP: kernels.needs_subgroup,
}  # fmt: skip
_MAX_INVOCATIONS = 1024  # of a workgroup in the kernel language
_BLOCK, _BLOCKS = 4 << 20, 100  # size and number of buffers for tests that memory is freed


class BackendTests:
    """Backend and DeviceInfo, Source, Pipeline, open and close."""

    def test_backend(self, gpu: gp.Device) -> None:
        """C001 [Backend interface: Backend]: Name, priority, language and capabilities have the right form."""
        backend = gpu.backend
        check(re.fullmatch(r"[a-z][a-z0-9_]*", backend.name) is not None, f"the name {backend.name!r}")
        check(0 <= backend.priority <= 100, f"the priority {backend.priority}")
        check(re.fullmatch(r"[a-z][a-z0-9_]*", backend.language) is not None, f"the language {backend.language!r}")
        check(
            all(isinstance(one, Capability) for one in backend.capabilities), "capabilities are members of Capability"
        )

    def test_probe(self, gpu: gp.Device) -> None:
        """C002 [Backend interface: Backend.probe]: A probe gives the same devices in the same order each time,
        including this one."""
        first, second = gpu.backend.probe(), gpu.backend.probe()
        check(first.status is ProbeStatus.AVAILABLE, f"the status is {first.status}")
        check(first.devices == second.devices, f"two probes differ: {first.devices} and {second.devices}")
        check(len({info.index for info in first.devices}) == len(first.devices), "two devices have one index")
        check(gpu.info.id in [info.id for info in first.devices], f"{gpu.info.id} is not among the probe's devices")

    def test_info(self, gpu: gp.Device) -> None:
        """C003 [Backend interface: DeviceInfo]: The open device matches the probe's result; its properties have
        sensible types."""
        info = gpu.info
        check(info.backend == gpu.backend.name and info.id.startswith(f"{info.backend}:"), f"the id {info.id!r}")
        check(info.kind in DeviceKind and info.name != "" and info.driver != "", f"kind, name or driver of {info}")
        check(
            info.capabilities <= gpu.backend.capabilities, "the device has a capability that the backend cannot express"
        )
        check(type(info.memory) is int and info.memory >= 0, f"memory is {info.memory!r}, and no number of bytes")
        check(dict(info.details).get("timestamps", "device") in ("host", "device"), f"timestamps in {info.details}")
        probed = next(one for one in gpu.backend.probe().devices if one.id == info.id)
        check((probed.kind, probed.capabilities, probed.limits) == (info.kind, info.capabilities, info.limits),
              f"the probe said {probed}, and the open device says {info}")  # fmt: skip

    def test_limits(self, gpu: gp.Device) -> None:
        """C004 [Backend interface: Limits]: Limits are positive, consistent, and sufficient for the portable kernels;
        none is larger than core supports."""
        limits = gpu.limits
        for name, least in _SMALLEST.items():
            limit = getattr(limits, name)
            check(type(limit) is int and limit >= least, f"{name} is {limit!r}, and {least} is the least")
            check(limit <= GREATEST[name], f"{name} is {limit}, and {GREATEST[name]} is the most")
        sizes = limits.max_workgroup_size
        check(sizes[0] >= 256 and sizes[1] >= 256 and sizes[2] >= 64, f"workgroup sizes {sizes}")
        check(max(sizes) <= GREATEST["max_workgroup_invocations"], f"workgroup sizes {sizes}")
        check(limits.max_workgroup_invocations <= math.prod(sizes),
              f"{limits.max_workgroup_invocations} invocations do not fit in a workgroup of {sizes}")  # fmt: skip
        check(limits.max_binding_size <= limits.max_buffer_size, "a kernel cannot see more of a buffer than there is")
        check(all(65535 <= n < 2**31 for n in limits.max_workgroups), f"max_workgroups {limits.max_workgroups}")
        check(limits.max_loop_iterations is None or limits.max_loop_iterations > 0, "max_loop_iterations")
        low, high = limits.min_subgroup_size, limits.max_subgroup_size
        check(0 <= low <= high <= limits.max_workgroup_invocations, f"subgroups of {low} to {high} invocations")
        check((low == 0) == (high == 0), f"subgroups of {low} to {high} invocations: both are 0, or neither")

    def test_shapes(self, gpu: gp.Device) -> None:
        """C075 [Backend interface: Backend.shapes_for]: The shapes fit the device; whole products in each tile that
        they have, and sorts, are right. Skipped without shapes for the device."""
        text = gpu.backend.shapes_for(gpu.info)
        check(isinstance(text, str), f"the shapes are JSON in a str, not {text!r}")
        if not text:
            raise Skipped(f"{gpu.backend.name} has no shapes for {gpu.id}")
        check(text == gpu.backend.shapes_for(gpu.info), "two calls give two texts")
        check_shapes(gpu, text)

    def test_wrong_index(self, gpu: gp.Device) -> None:
        """C005 [Backend interface: Backend.open]: An index beyond the probed devices raises BackendUnavailableError."""
        for index in (10**6, -1):
            check_raises(gp.BackendUnavailableError, partial(gpu.backend.open, index), f"open({index})")

    def test_emit_is_deterministic(self, gpu: gp.Device) -> None:
        """C006 [Backend interface: Backend.emit]: The same module gives the same Source, for kernels of every kind."""
        for kernel in (kernels.affine, kernels.no_scalars, memory.scan, composition.helpers):
            valid = Bench(gpu).validate(kernel)
            first, second = gpu.backend.emit(valid, gpu.info), gpu.backend.emit(valid, gpu.info)
            check(first.text == second.text and first.entry == second.entry, f"two texts of {kernel.name} differ")
            again = gpu.backend.emit(Bench(gpu).validate(kernel), gpu.info)
            check(first.text == again.text, f"the text of {kernel.name} differs for an equal module")

    def test_emit_without_device(self, gpu: gp.Device) -> None:
        """C007 [Backend interface: Backend.emit]: Code for everything that the language can express is emitted without
        a device's limits."""
        for kernel in (kernels.affine, memory.scan):
            source = compiler.emit_for(compiler.Target.for_backend(gpu.backend), kernel.lower())
            check(bool(source.text) and source.language == gpu.backend.language, f"the source of {kernel.name}")

    def test_source(self, gpu: gp.Device) -> None:
        """C008 [Backend interface: Source]: Entry, workgroup size, written buffers, and the sizes of scalars and
        workgroup memory are right."""
        for kernel, writes, least in (
            (kernels.combine, (False, False, True), 0),
            (kernels.affine, (True,), 0),
            (kernels.no_scalars, (True,), 4 * kernels.SIZE),
        ):
            valid = Bench(gpu).validate(kernel)
            source = gpu.backend.emit(valid, gpu.info)
            check(source.language == gpu.backend.language, f"the language {source.language}")
            check(source.entry in source.text, f"the entry {source.entry!r} is not in the text")
            check(source.workgroup_size == (kernels.SIZE, 1, 1), f"the workgroup size {source.workgroup_size}")
            check(tuple(source.writes) == writes, f"{kernel.name} writes {source.writes}, not {writes}")
            check(source.scalars_nbytes == valid.scalars_nbytes, f"{source.scalars_nbytes} bytes of scalars")
            check(source.workgroup_memory >= least, f"{source.workgroup_memory} bytes of workgroup memory")
            check(len(source.lines) <= len(source.text.splitlines()) + 1, "more lines are mapped than there are")

    def test_pipeline(self, gpu: gp.Device) -> None:
        """C009 [Backend interface: Pipeline]: A pipeline keeps its source for inspection; releasing it twice is
        harmless."""
        bench = Bench(gpu)
        valid = bench.validate(kernels.affine)
        source = gpu.backend.emit(valid, gpu.info)
        pipeline = bench.device.compile(source)
        check(pipeline.source.text == source.text and pipeline.source.entry == source.entry, "the pipeline's source")
        pipeline.release()
        pipeline.release()
        self._check_alive(bench)

    def test_compile_error(self, gpu: gp.Device) -> None:
        """C010 [Backend interface: Device.compile]: Text that is not a program raises DriverCompileError; the device
        stays usable."""
        bench = Bench(gpu)
        source = bench.emit(bench.validate(kernels.affine))
        broken = replace(source, text="this is { no program in any language $", payload=None, lines=())
        error = check_raises(gp.DriverCompileError, lambda: bench.device.compile(broken), "compiling nonsense")
        check(bool(str(error)), "the error says nothing")
        self._check_alive(bench)

    def test_close(self, gpu: gp.Device) -> None:
        """C011 [Backend interface: Device.close]: Closing a device twice is harmless, even with buffers and work left;
        other devices stay open, and their work goes on."""
        other, host = Bench(gpu), np.arange(64, dtype=np.int32)
        opened = gpu.backend.open(gpu.info.index)
        buffers = []
        for bench, scale in ((other, -3), (Bench(gpu, opened), 2)):
            buffers.append(bench.buffer(host))
            bench.dispatch(bench.compile(kernels.affine), [buffers[-1]], 2, scale=scale, offset=1, length=64)
        opened.close()
        opened.close()
        check_bits(other.read(buffers[0], np.int32, 64), host * -3 + 1, "work of a device that stayed open")
        buffers[0].release()
        self._check_alive(other)

    def test_open_again(self, gpu: gp.Device) -> None:
        """C012 [Backend interface: Backend.open]: A device can be opened after it was closed, and twice at the same
        time."""
        for _ in range(2):
            first, second = (gpu.backend.open(gpu.info.index) for _ in range(2))
            check(first.info.id == second.info.id == gpu.info.id, "the opened device has another id")
            self._check_alive(Bench(gpu, first))
            first.close()
            self._check_alive(Bench(gpu, second))
            second.close()

    def test_out_of_memory(self, gpu: gp.Device) -> None:
        """C013 [Backend interface: Device.allocate]: More memory than exists raises OutOfMemoryError; the device
        stays usable."""
        bench = Bench(gpu)
        for nbytes in (1 << 62, 1 << 50):
            check_raises(gp.OutOfMemoryError, partial(bench.device.allocate, nbytes), f"allocate({nbytes})")
            self._check_alive(bench)

    def test_many_buffers(self, gpu: gp.Device) -> None:
        """C014 [Backend interface: Buffer.release]: Memory of released buffers is reused: 100 of 4 MiB, written whole
        one after the other, do not grow the process; on a GPU, 64 of a GiB can be allocated."""
        bench = Bench(gpu)
        host = np.full(_BLOCK, 0xA5, np.uint8)

        def write_and_release(count: int) -> None:
            for _ in range(count):
                buffer = bench.buffer(host)
                check_bits(bench.read(buffer, np.uint8, 4, _BLOCK - 4), host[:4], "the end of a buffer")
                buffer.release()
            bench.wait(bench.device.mark())

        write_and_release(10)  # memory that a driver keeps for itself is allocated by now
        before = resident_bytes()
        write_and_release(_BLOCKS)
        check_growth(before, _BLOCK * _BLOCKS // 2)
        if gpu.kind in (DeviceKind.GPU, DeviceKind.IGPU):
            for _ in range(64):
                bench.device.allocate(min(1 << 30, gpu.limits.max_buffer_size)).release()
                bench.wait(bench.device.mark())
        self._check_alive(bench)

    def test_close_ends_threads(self, gpu: gp.Device) -> None:
        """C015 [Backend interface: Device.close]: Threads that the device started have ended when close returns, even
        with work in progress."""
        before = set(threading.enumerate())
        opened = gpu.backend.open(gpu.info.index)
        bench = Bench(gpu, opened)
        program = bench.compile(kernels.busy)
        count = 32 * kernels.SIZE
        buffer = bench.buffer(np.arange(count, dtype=np.uint32))
        steps = bench.steps_of_long_work(program, buffer, count)
        for _ in range(3):
            bench.dispatch(program, [buffer], count // kernels.SIZE, n=steps, length=count)
        bench.device.mark()
        opened.close()
        left = [thread.name for thread in threading.enumerate() if thread not in before]
        check(left == [], f"threads that still run: {', '.join(left)}")
        self._check_alive(Bench(gpu))

    def test_lines(self, gpu: gp.Device) -> None:
        """C016 [Backend interface: Source.lines]: The text of each statement is mapped to the line of the user's
        statement."""
        source = gpu.backend.emit(Bench(gpu).validate(kernels.marked), gpu.info)
        text, code = source.text.splitlines(), inspect.getsource(kernels.marked.function).splitlines()
        check(len(source.lines) >= len(text), f"{len(source.lines)} lines are mapped, and the text has {len(text)}")
        first = inspect.getsourcelines(kernels.marked.function)[1]
        for constant in kernels.STATEMENTS:
            wanted = next(first + k for k, line in enumerate(code) if str(constant) in line)
            spelling = re.compile(rf"\b{constant}|0x0*{constant:x}\b", re.IGNORECASE)
            spans = [span for line, span in zip(text, source.lines, strict=False) if spelling.search(line)]
            found = {span.line for span in spans if span is not None}
            check(spans == [] or found == {wanted}, f"the text of line {wanted} is mapped to lines {sorted(found)}")
        check(any(str(constant) in source.text for constant in kernels.STATEMENTS) or any(source.lines),
              "no line is mapped to the user's code")  # fmt: skip

    def test_beyond_the_language(self, gpu: gp.Device) -> None:
        """C017 [Backend interface: Backend.emit]: Kernels that need a capability that the backend does not list give
        text or an EmitError, not another exception."""
        for capability, kernel in _NEEDS.items():
            if capability in gpu.backend.capabilities:
                continue
            module = kernel.module(unoptimised=gpu.backend.wants_unoptimised_ir)
            valid = validate(module, frozenset(Capability), compiler.UNLIMITED, "no device")
            try:
                gpu.backend.emit(valid, gpu.info)
            except gp.EmitError as error:
                check(bool(str(error)), "the error says nothing")
            except Exception as error:
                what = f"{type(error).__name__} ({error})"
                raise AssertionError(f"emitting what needs {capability.value} raised {what}, not EmitError") from error

    def test_greatest_workgroups(self, gpu: gp.Device) -> None:
        """C018 [Backend interface: Limits]: Workgroups of the greatest size along each axis (up to 1024), with the most
        invocations and all of the workgroup memory run."""
        limits = gpu.limits
        most, memory_words = limits.max_workgroup_invocations, limits.max_workgroup_memory // 4
        most = min(most, _MAX_INVOCATIONS)
        x, y, z = (min(n, most) for n in limits.max_workgroup_size)
        for size in ((x, 1, 1), (1, y, 1), (1, 1, z), (x, max(1, min(y, most // x)), 1)):
            count = math.prod(size)
            for words in (count, memory_words):
                if not count <= words <= memory_words:
                    continue
                out = gp.zeros(2 * count, gp.u32, device=gpu)
                kernels.reversing(size, words)(out, workgroups=2)
                row = (np.arange(words - 1, words - 1 - count, -1) * 7 + 1).astype(np.uint32)
                check_bits(out.numpy(), np.tile(row, 2), f"workgroups of {size} with {4 * words} bytes")

    def test_most_buffers(self, gpu: gp.Device) -> None:
        """C019 [Backend interface: Limits.max_buffers]: A kernel with the most buffers that the device binds stores to
        each of them."""
        bench = Bench(gpu)
        count = min(gpu.limits.max_buffers, 128)
        valid = validate(_storing_to(count), gpu.capabilities, gpu.limits, gpu.id)
        pipeline = bench.device.compile(bench.emit(valid))
        buffers = [bench.buffer(np.full(4, -1, np.int32)) for _ in range(count)]
        bench.device.dispatch(pipeline, buffers, b"", (1, 1, 1))
        for number, buffer in enumerate(buffers):
            wanted = np.array([number + 5, -1, -1, -1], np.int32)
            check_bits(bench.read(buffer, np.int32, 4), wanted, f"buffer {number} of {count}")
            buffer.release()
        pipeline.release()

    def test_offline_targets(self, gpu: gp.Device) -> None:
        """C076 [Backend interface: Backend.build, Device.load]: A kernel built for each offline target that fits the
        device gives the same results as the compiled one."""
        backend = gpu.backend
        fitting = [name for name in backend.offline_targets if backend.choose_offline([name], gpu.info) == name]
        if not fitting:
            raise Skipped(f"{backend.name} has no target that runs on {gpu.id}")
        made = [(kernels.affine, {}), (kernels.no_scalars, {}), (kernels.reduced, {"R": gp.f32, "n": 5})]
        for target in fitting:
            with TemporaryDirectory() as folder:
                path = Path(folder) / "kernels.gpu"
                gp.build(path, made, [f"{backend.name}:{target}"])
                package = gp.load(path.read_bytes())
            for kernel in made:
                compiled, loaded = _results(gpu, kernel[0]), _results(gpu, package[kernel[0].name])
                for number, (expected, found) in enumerate(zip(compiled, loaded, strict=True)):
                    check_bits(found, expected, f"result {number} of {kernel[0].name} for {target}")

    def _check_alive(self, bench: Bench) -> None:
        host = np.arange(100, dtype=np.int32)
        buffer = bench.buffer(host)
        bench.dispatch(bench.compile(kernels.affine), [buffer], 4, scale=-3, offset=5, length=100)
        check_bits(bench.read(buffer, np.int32, 100), host * -3 + 5, "a kernel afterwards")
        buffer.release()


def _results(gpu: gp.Device, kernel: Any) -> list[Host]:
    """What calls of a kernel store: with whole arrays, and with slices of every start."""
    found = []
    whole = np.random.default_rng(7).integers(-99, 99, 3 * kernels.SIZE + 8)
    for start in range(0, 6):
        stop = start + 3 * kernels.SIZE
        x = gp.asarray(whole.astype(np.float32 if kernel.name == "reduced" else np.int32), device=gpu)
        if kernel.name == "affine":
            kernel(-3, 5, x[start:stop])
        elif kernel.name == "no_scalars":
            x = gp.asarray(whole.astype(np.uint32), device=gpu)
            kernel(x[start:stop], workgroups=3)
        else:
            out = gp.zeros(3, device=gpu)
            kernel(x[start:stop], out, 5, workgroups=3)
            found.append(out.numpy())
        found.append(x.numpy())
    return found


def _storing_to(count: int) -> ir.Module:
    """A kernel of one invocation that stores a different number to each of `count` buffers."""
    buffers = tuple(ir.Buffer(number, f"b{number}", ir.I32, True, True) for number in range(count))
    stores = tuple(
        ir.Store(ir.Place(buffer, ir.Constant(0, ir.I32)), ir.Constant(buffer.index + 5, ir.I32)) for buffer in buffers
    )
    return ir.Module("many_buffers", (1, 1, 1), buffers, (), (), (), stores)
