"""The backend interface: what a backend says of itself, how it emits, compiles, opens and closes."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

import gpucore as gp
from gpucore import compiler
from gpucore.ir import Capability
from gpucore.runtime import DeviceKind, ProbeStatus
from gpucore.testing.bench import Bench
from gpucore.testing.checks import check, check_bits, check_raises
from gpucore.testing.kernels import composition, memory
from gpucore.testing.kernels import interface as kernels

_LEAST = {"max_workgroup_invocations": 256, "max_workgroup_memory": 16384, "max_buffers": 8, "max_buffer_size": 1 << 28,
          "max_binding_size": 1 << 27}  # fmt: skip


class BackendTests:
    """Backend and DeviceInfo, Source, Pipeline, open and close."""

    def test_backend(self, gpu: gp.Device) -> None:
        """C001 [Backend interface: Backend]: Name, priority, language and capabilities are of the right form."""
        backend = gpu.backend
        check(re.fullmatch(r"[a-z][a-z0-9_]*", backend.name) is not None, f"the name {backend.name!r}")
        check(0 <= backend.priority <= 100, f"the priority {backend.priority}")
        check(re.fullmatch(r"[a-z][a-z0-9_]*", backend.language) is not None, f"the language {backend.language!r}")
        check(
            all(isinstance(one, Capability) for one in backend.capabilities), "capabilities are members of Capability"
        )

    def test_probe(self, gpu: gp.Device) -> None:
        """C002 [Backend interface: Backend.probe]: A probe gives the same devices in the same order each time, this
        one among them."""
        first, second = gpu.backend.probe(), gpu.backend.probe()
        check(first.status is ProbeStatus.AVAILABLE, f"the status is {first.status}")
        check(first.devices == second.devices, f"two probes differ: {first.devices} and {second.devices}")
        check(len({info.index for info in first.devices}) == len(first.devices), "two devices have one index")
        check(gpu.info.id in [info.id for info in first.devices], f"{gpu.info.id} is not among the probe's devices")

    def test_info(self, gpu: gp.Device) -> None:
        """C003 [Backend interface: DeviceInfo]: The open device is the one that the probe promised; its facts have
        sane types."""
        info = gpu.info
        check(info.backend == gpu.backend.name and info.id.startswith(f"{info.backend}:"), f"the id {info.id!r}")
        check(info.kind in DeviceKind and info.name != "" and info.driver != "", f"kind, name or driver of {info}")
        check(
            info.capabilities <= gpu.backend.capabilities, "the device has a capability that the backend cannot express"
        )
        check(dict(info.details).get("timestamps", "device") in ("host", "device"), f"timestamps in {info.details}")
        probed = next(one for one in gpu.backend.probe().devices if one.id == info.id)
        check((probed.kind, probed.capabilities, probed.limits) == (info.kind, info.capabilities, info.limits),
              f"the probe said {probed}, and the open device says {info}")  # fmt: skip

    def test_limits(self, gpu: gp.Device) -> None:
        """C004 [Backend interface: Limits]: Limits are positive, fit each other and suffice for the portable
        kernels."""
        limits = gpu.limits
        for name, least in _LEAST.items():
            check(getattr(limits, name) >= least, f"{name} is {getattr(limits, name)}, and {least} is the least")
        sizes = limits.max_workgroup_size
        check(sizes[0] >= 256 and sizes[1] >= 256 and sizes[2] >= 64, f"workgroup sizes {sizes}")
        check(limits.max_binding_size <= limits.max_buffer_size, "a kernel cannot see more of a buffer than there is")
        check(all(n >= 65535 for n in limits.max_workgroups), f"max_workgroups {limits.max_workgroups}")
        check(limits.max_loop_iterations is None or limits.max_loop_iterations > 0, "max_loop_iterations")

    def test_wrong_index(self, gpu: gp.Device) -> None:
        """C005 [Backend interface: Backend.open]: An index that no probe names raises BackendUnavailableError."""
        for index in (10**6, -1):
            check_raises(gp.BackendUnavailableError, lambda i=index: gpu.backend.open(i), f"open({index})")  # type: ignore[misc]

    def test_emit_is_deterministic(self, gpu: gp.Device) -> None:
        """C006 [Backend interface: Backend.emit]: The same module gives the same Source, for kernels of every kind."""
        for kernel in (kernels.affine, kernels.no_scalars, memory.scan, composition.helpers):
            valid = Bench(gpu).validate(kernel)
            first, second = gpu.backend.emit(valid), gpu.backend.emit(valid)
            check(first.text == second.text and first.entry == second.entry, f"two texts of {kernel.name} differ")
            again = gpu.backend.emit(Bench(gpu).validate(kernel))
            check(first.text == again.text, f"the text of {kernel.name} differs for an equal module")

    def test_emit_without_device(self, gpu: gp.Device) -> None:
        """C007 [Backend interface: Backend.emit]: Emission for all that the language can express needs no device's
        limits."""
        for kernel in (kernels.affine, memory.scan):
            source = compiler.emit_for(compiler.Target.anywhere(gpu.backend), kernel.lower())
            check(bool(source.text) and source.language == gpu.backend.language, f"the source of {kernel.name}")

    def test_source(self, gpu: gp.Device) -> None:
        """C008 [Backend interface: Source]: Entry, workgroup size, written buffers, bytes of scalars and of
        workgroup memory are right."""
        for kernel, writes, least in (
            (kernels.combine, (False, False, True), 0),
            (kernels.affine, (True,), 0),
            (kernels.no_scalars, (True,), 4 * kernels.SIZE),
        ):
            valid = Bench(gpu).validate(kernel)
            source = gpu.backend.emit(valid)
            check(source.language == gpu.backend.language, f"the language {source.language}")
            check(source.entry in source.text, f"the entry {source.entry!r} is not in the text")
            check(source.workgroup_size == (kernels.SIZE, 1, 1), f"the workgroup size {source.workgroup_size}")
            check(tuple(source.writes) == writes, f"{kernel.name} writes {source.writes}, not {writes}")
            check(source.scalars_nbytes == valid.scalars_nbytes, f"{source.scalars_nbytes} bytes of scalars")
            check(source.workgroup_memory >= least, f"{source.workgroup_memory} bytes of workgroup memory")
            check(len(source.lines) <= len(source.text.splitlines()) + 1, "more lines are mapped than there are")

    def test_pipeline(self, gpu: gp.Device) -> None:
        """C009 [Backend interface: Pipeline]: A pipeline keeps its source for inspection, and is released twice
        without harm."""
        bench = Bench(gpu)
        valid = bench.validate(kernels.affine)
        source = gpu.backend.emit(valid)
        pipeline = bench.device.compile(source)
        check(pipeline.source.text == source.text and pipeline.source.entry == source.entry, "the pipeline's source")
        pipeline.release()
        pipeline.release()
        self._check_alive(bench)

    def test_compile_error(self, gpu: gp.Device) -> None:
        """C010 [Backend interface: Device.compile]: Text that is no program raises DriverCompileError; the device
        stays usable."""
        bench = Bench(gpu)
        source = gpu.backend.emit(bench.validate(kernels.affine))
        broken = replace(source, text="this is { no program in any language $", payload=None, lines=())
        error = check_raises(gp.DriverCompileError, lambda: bench.device.compile(broken), "compiling nonsense")
        check(bool(str(error)), "the error says nothing")
        self._check_alive(bench)

    def test_close(self, gpu: gp.Device) -> None:
        """C011 [Backend interface: Device.close]: A device is closed twice without harm, with buffers and work left;
        others live on."""
        opened = gpu.backend.open(gpu.info.index)
        bench = Bench(gpu, opened)
        buffer = bench.buffer(np.arange(64, dtype=np.int32))
        bench.dispatch(bench.compile(kernels.affine), [buffer], 2, scale=2, offset=1, length=64)
        opened.close()
        opened.close()
        self._check_alive(Bench(gpu))

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
            check_raises(gp.OutOfMemoryError, lambda n=nbytes: bench.device.allocate(n), f"allocate({nbytes})")  # type: ignore[misc]
            self._check_alive(bench)

    def test_many_buffers(self, gpu: gp.Device) -> None:
        """C014 [Backend interface: Buffer.release]: Buffers that are released make room: 200 of 4 MiB one after the
        other."""
        bench = Bench(gpu)
        for k in range(200):
            buffer = bench.device.allocate(1 << 22)
            buffer.write(memoryview(k.to_bytes(4, "little")), 4096)
            buffer.release()
        self._check_alive(bench)

    def _check_alive(self, bench: Bench) -> None:
        host = np.arange(100, dtype=np.int32)
        buffer = bench.buffer(host)
        bench.dispatch(bench.compile(kernels.affine), [buffer], 4, scale=-3, offset=5, length=100)
        check_bits(bench.read(buffer, np.int32, 100), host * -3 + 5, "a kernel afterwards")
        buffer.release()
