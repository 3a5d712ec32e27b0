"""The backend interface: launchers and recordings, on devices that have them."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

import numpy as np

import gpucore as gp
from gpucore.ir import Capability
from gpucore.runtime import Buffer
from gpucore.runtime.protocol import CopyStep, DispatchStep, Recording, Step, WriteStep
from gpucore.testing.bench import Bench, Delay, Program, own_device
from gpucore.testing.checks import Host, bytes_of, check, check_bits
from gpucore.testing.kernels import grids
from gpucore.testing.kernels import interface as kernels
from gpucore.testing.skipped import Skipped

_TYPES = (
    (gp.i8, np.int8, -101, Capability.INT8), (gp.u8, np.uint8, 201, Capability.INT8),
    (gp.i16, np.int16, -30001, Capability.INT16), (gp.u16, np.uint16, 60001, Capability.INT16),
    (gp.i32, np.int32, -(2**31) + 1, None), (gp.u32, np.uint32, 2**32 - 5, None),
    (gp.i64, np.int64, -(2**63) + 3, Capability.INT64), (gp.u64, np.uint64, 2**64 - 7, Capability.INT64),
    (gp.f16, np.float16, -1.5, Capability.F16), (gp.f32, np.float32, 0.1, None),
    (gp.f64, np.float64, 0.1, Capability.F64),
)  # fmt: skip
_COUNT = 200  # i32 elements of each buffer of a recording
_GRID = (-(-_COUNT // kernels.SIZE), 1, 1)
_FIRST, _LAST = _COUNT // 2, _COUNT // 2 + 5  # the elements that its stores begin with


class _Launched:
    """A launcher of a program. Skips the test if the device has none."""

    def __init__(self, bench: Bench, program: Program) -> None:
        self._program, self._num_buffers = program, len(program.pipeline.source.writes)
        nbytes = 8 * self._num_buffers + program.valid.scalars_nbytes
        found = bench.device.launcher(program.pipeline, nbytes)
        if found is None:
            raise Skipped(f"{bench.device.info.id} has no launcher")
        self.block, self.run = memoryview(found.block).cast("B"), found.run
        check(self.block.nbytes == nbytes, f"the block has {self.block.nbytes} bytes, and {nbytes} were asked for")

    def fill(self, buffers: Sequence[Buffer], **scalars: Any) -> None:
        """Put addresses and scalars in the block."""
        addresses = struct.pack(f"={self._num_buffers}Q", *[buffer.address for buffer in buffers])
        self.block[:] = addresses + self._program.pack(scalars)

    def __call__(self, buffers: Sequence[Buffer], workgroups: tuple[int, int, int], **scalars: Any) -> None:
        self.fill(buffers, **scalars)
        self.run(workgroups)


class _Recorded:
    """Dispatches, copies and stores on three buffers, as a recording and on the host."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self.affine = bench.compile(kernels.affine)
        self._combine = bench.compile(kernels.combine)
        self._stored = np.arange(37, dtype=np.int32) * 7 - 11, np.arange(11, dtype=np.int32) - 5
        self.initial = [np.arange(_COUNT, dtype=np.int32) * k + k for k in (1, 2, 3)]
        self.buffers = self.new_buffers()
        self.recording = self.record()

    def new_buffers(self) -> list[Buffer]:
        """Three more, with the initial contents."""
        return [self._bench.buffer(host) for host in self.initial]

    def record(self) -> Recording:
        """A recording. Skips the test if the device makes none."""
        found = self._bench.device.record(self._steps())
        if found is None:
            raise Skipped(f"{self._bench.device.info.id} prepares no recordings")
        return found

    def _steps(self) -> list[Step]:
        x, y, z = self.buffers
        first, last = self._stored
        return [
            WriteStep((x,), bytes_of(first), 4 * _FIRST),
            self._affine_step(x, 3, 1),
            CopyStep((x, y), 4 * 90),
            DispatchStep((x, y, z), self._combine.pipeline, self._combine.pack({"length": _COUNT}), _GRID),
            WriteStep((y,), bytes_of(last), 4 * _LAST),
            self._affine_step(y, -1, 2),
            self._affine_step(z, 5, -7),
        ]

    def _affine_step(self, buffer: Buffer, scale: int, offset: int) -> DispatchStep:
        scalars = self.affine.pack({"scale": scale, "offset": offset, "length": _COUNT})
        return DispatchStep((buffer,), self.affine.pipeline, scalars, _GRID)

    def run(self, buffers: Sequence[Buffer] | None = None) -> None:
        """Queue the steps, with these buffers in the place of the recorded ones."""
        x, y, z = self.buffers if buffers is None else buffers
        self.recording.run([(x,), (x,), (x, y), (x, y, z), (y,), (y,), (z,)])

    def after(self, hosts: Sequence[Host]) -> list[Host]:
        """What a run makes of these contents."""
        x, y, z = (host.copy() for host in hosts)
        first, last = self._stored
        with np.errstate(over="ignore"):
            x[_FIRST : _FIRST + first.size] = first
            x = x * np.int32(3) + np.int32(1)
            y[:90] = x[:90]
            z = x * np.int32(1000) - y
            y[_LAST : _LAST + last.size] = last
            return [x, y * np.int32(-1) + np.int32(2), z * np.int32(5) - np.int32(7)]

    def check(self, buffers: Sequence[Buffer], hosts: Sequence[Host], what: str) -> None:
        """Compare three buffers with their expected contents."""
        for name, buffer, host in zip("xyz", buffers, hosts, strict=True):
            check_bits(self._bench.read(buffer, np.int32, _COUNT), host, f"{name} {what}")


class LaunchTests:
    """Device.launcher, Device.record. Skipped on devices that have none."""

    def test_launcher(self, gpu: gp.Device) -> None:
        """C046 [Backend interface: Device.launcher]: A launcher gives what dispatch gives, with scalars of every type
        and gaps between them. Skipped without one."""
        with own_device(gpu) as bench:
            for dtype, host_type, value, capability in _TYPES:
                if capability is not None and capability not in gpu.capabilities:
                    continue
                program = bench.compile(kernels.between, S=dtype)
                launched = _Launched(bench, program)
                scalars = {"first": 0xDEADBEEF, "flag": True, "value": value, "last": -0.1, "length": 3}
                results = []
                for run in (launched, lambda *arguments, **all: bench.dispatch(program, *arguments, **all)):  # noqa: B023
                    out, ends = bench.buffer(np.zeros(3, host_type)), bench.buffer(np.zeros(3, np.uint32))
                    run([out, ends], (1, 1, 1), **scalars)
                    results.append((bench.read(out, host_type, 3), bench.read(ends, np.uint32, 3)))
                (out_launched, ends_launched), (out_dispatched, ends_dispatched) = results
                check_bits(out_launched, np.array([value, 0, 0], host_type), f"a scalar of {dtype}")
                ends_wanted = [0xDEADBEEF, 1, int(np.float32(-0.1).view(np.uint32))]
                check_bits(ends_launched, np.array(ends_wanted, np.uint32), f"the scalars around one of {dtype}")
                check_bits(out_launched, out_dispatched, f"{dtype}, launched and dispatched")
                check_bits(ends_launched, ends_dispatched, f"scalars around {dtype}, launched and dispatched")

    def test_launcher_grids(self, gpu: gp.Device) -> None:
        """C047 [Backend interface: Launcher]: Each run has its own three counts of workgroups. Skipped without a
        launcher."""
        with own_device(gpu) as bench:
            launched = _Launched(bench, bench.compile(grids.along_axes))
            many = (4, 3, 2)
            for grid in ((5, 1, 1), (1, 7, 1), (1, 1, 3), many, many, (5, 1, 1), many):
                count = grid[0] * grid[1] * grid[2]
                buffer = bench.buffer(np.full(64, -1, np.int32))
                launched([buffer], grid, length=64)
                z, y, x = np.indices(grid[::-1])
                wanted = np.full(64, -1, np.int32)
                wanted[:count] = (x + 2 * y + 3 * z).reshape(-1)
                check_bits(bench.read(buffer, np.int32, 64), wanted, f"the grid {grid}")

    def test_launcher_block(self, gpu: gp.Device) -> None:
        """C048 [Backend interface: Launcher]: The block may change right after the return: each of 500 launches behind
        work of some time has its own scalars and buffers. Skipped without a launcher."""
        with own_device(gpu) as bench:
            launched = _Launched(bench, bench.compile(kernels.put))
            rng = np.random.default_rng(2)
            values, fractions = rng.integers(0, 2**32, 500, np.uint32), rng.normal(size=500).astype(np.float32)
            buffers = [bench.buffer(np.zeros(1000, np.uint32)) for _ in range(2)]
            Delay(bench)()
            for k in range(500):
                scalars = {"index": k, "value": int(values[k]), "fraction": float(fractions[k])}
                launched([buffers[k % 2]], (1, 1, 1), **scalars, length=1000)
            launched.block[:] = bytes(launched.block.nbytes)
            pairs = np.stack([values, fractions.view(np.uint32)], 1)
            for first, buffer in enumerate(buffers):
                wanted = np.where((np.arange(500) % 2 == first)[:, None], pairs, 0).astype(np.uint32).reshape(-1)
                check_bits(bench.read(buffer, np.uint32, 1000), wanted, f"what the launches stored in buffer {first}")

    def test_launcher_order(self, gpu: gp.Device) -> None:
        """C049 [Backend interface: Device.launcher]: Launches run in the order of the first queue, whichever is
        selected; each launcher has a block of its own. Skipped without a launcher."""
        with own_device(gpu) as bench:
            program = bench.compile(kernels.affine)
            first, second = _Launched(bench, program), _Launched(bench, program)
            wanted, stored = np.arange(_COUNT, dtype=np.int32), np.arange(100, dtype=np.int32) - 50
            x, saved = bench.buffer(wanted), bench.device.allocate(4 * _COUNT)
            delay = Delay(bench)
            delay()
            first.fill([x], scale=5, offset=2, length=_COUNT)
            second([x], _GRID, scale=3, offset=1, length=_COUNT)
            bench.dispatch(program, [x], _GRID, scale=-1, offset=4, length=_COUNT)
            first.run(_GRID)
            bench.device.copy(x, saved, 4 * _COUNT)
            x.write(bytes_of(stored), 4 * 100)
            delay()
            if bench.device.queues > 1:
                bench.device.select(1)
            second([x], _GRID, scale=2, offset=-9, length=_COUNT)
            if bench.device.queues > 1:
                bench.device.select(0)
            wanted = ((wanted * 3 + 1) * -1 + 4) * 5 + 2
            check_bits(bench.read(saved, np.int32, _COUNT), wanted, "a copy after launches and a dispatch")
            wanted[100:] = stored
            check_bits(bench.read(x, np.int32, _COUNT), wanted * 2 - 9, "a launch after a write")

    def test_release_behind_launches(self, gpu: gp.Device) -> None:
        """C071 [Backend interface: Launcher, Buffer.release, Pipeline.release]: Launches that are queued have the
        memory and the code that they need after a release. Skipped without a launcher."""
        with own_device(gpu) as bench:
            program = bench.compile(kernels.combine)
            launched = _Launched(bench, program)
            a, b = np.arange(_COUNT, dtype=np.int32), np.arange(_COUNT, dtype=np.int32)[::-1].copy()
            source, second, target = bench.buffer(a), bench.buffer(b), bench.device.allocate(4 * _COUNT)
            bench.wait(bench.device.mark())
            Delay(bench)()
            launched([source, second, target], _GRID, length=_COUNT)
            for released in (source, second, program.pipeline):
                released.release()
            fillers = [bench.buffer(np.full(_COUNT, -1, np.int32)) for _ in range(8)]
            check_bits(bench.read(target, np.int32, _COUNT), a * 1000 - b, "a launch on released buffers")
            for buffer in fillers:
                check_bits(bench.read(buffer, np.int32, _COUNT), np.full(_COUNT, -1, np.int32), "new memory")

    def test_recording(self, gpu: gp.Device) -> None:
        """C050 [Backend interface: Device.record, Recording.run]: Dispatches, copies and stores run in their order,
        again and again, in queue order with other work, and with the scalars of the recording. Skipped without
        recordings."""
        with own_device(gpu) as bench:
            recorded = _Recorded(bench)
            Delay(bench)()
            wanted = recorded.initial
            for scale in (2, -3, 7):
                recorded.run()
                bench.dispatch(recorded.affine, [recorded.buffers[1]], _GRID, scale=scale, offset=9, length=_COUNT)
                x, y, z = recorded.after(wanted)
                wanted = [x, y * np.int32(scale) + np.int32(9), z]
            recorded.check(recorded.buffers, wanted, "after three runs among dispatches")
            recorded.run()
            recorded.run()
            wanted = recorded.after(recorded.after(wanted))
            recorded.check(recorded.buffers, wanted, "after two runs in a row")

    def test_recording_with_other_buffers(self, gpu: gp.Device) -> None:
        """C051 [Backend interface: Recording.run]: Each run has the buffers that are given for it, some or all of them
        others, without waiting; a run with the recorded ones has these again. Skipped without recordings."""
        with own_device(gpu) as bench:
            recorded = _Recorded(bench)
            others = recorded.new_buffers()
            spare = bench.buffer(recorded.initial[0])
            Delay(bench)()
            own, other, some = recorded.initial, recorded.initial, recorded.initial[0]
            recorded.run()
            recorded.run(others)
            recorded.run((spare, *others[1:]))
            recorded.run()
            recorded.run(others)
            own, other = recorded.after(recorded.after(own)), recorded.after(other)
            some, *rest = recorded.after([some, *other[1:]])
            other = recorded.after([other[0], *rest])
            recorded.check(recorded.buffers, own, "of the recording")
            recorded.check(others, other, "in the place of the recorded one")
            check_bits(bench.read(spare, np.int32, _COUNT), some, "x when it alone was another one")

    def test_release_behind_recording(self, gpu: gp.Device) -> None:
        """C072 [Backend interface: Recording.run, Buffer.release]: A run that is queued has the memory that was given
        for it after a release. Skipped without recordings."""
        with own_device(gpu) as bench:
            recorded = _Recorded(bench)
            x, y, z = recorded.new_buffers()
            bench.wait(bench.device.mark())
            Delay(bench)()
            recorded.run((x, y, z))
            for released in (x, y):
                released.release()
            fillers = [bench.buffer(np.full(_COUNT, -1, np.int32)) for _ in range(8)]
            wanted = recorded.after(recorded.initial)[2]
            check_bits(bench.read(z, np.int32, _COUNT), wanted, "what a run on released buffers computed")
            for buffer in fillers:
                check_bits(bench.read(buffer, np.int32, _COUNT), np.full(_COUNT, -1, np.int32), "new memory")

    def test_recording_release(self, gpu: gp.Device) -> None:
        """C052 [Backend interface: Recording.release]: Runs that are queued still end after a release; of two
        recordings the other one works on; a device is closed with one. Skipped without recordings."""
        with own_device(gpu) as bench:
            recorded = _Recorded(bench)
            left = recorded.record()
            others = recorded.new_buffers()
            delay = Delay(bench)
            delay()
            recorded.run()
            recorded.run(others)
            recorded.recording.release()
            fillers = [bench.buffer(np.full(_COUNT, -1, np.int32)) for _ in range(8)]
            recorded.check(recorded.buffers, recorded.after(recorded.initial), "after the release of the recording")
            recorded.check(others, recorded.after(recorded.initial), "given for a run before the release")
            for buffer in fillers:
                check_bits(bench.read(buffer, np.int32, _COUNT), np.full(_COUNT, -1, np.int32), "new memory")
            recorded.recording = left
            recorded.run()
            wanted = recorded.after(recorded.after(recorded.initial))
            recorded.check(recorded.buffers, wanted, "after a run of the other recording")
            delay()
            recorded.run()
        with own_device(gpu) as bench:
            recorded = _Recorded(bench)
            recorded.run()
            recorded.check(recorded.buffers, recorded.after(recorded.initial), "on a device that was opened afterwards")
