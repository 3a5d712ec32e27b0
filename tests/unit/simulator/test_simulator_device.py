"""The simulator's device: plugin, probe, buffers, marks, and what happens when a dispatch is cut short."""

from __future__ import annotations

import signal
import threading
from types import ModuleType

import numpy as np
import pluggy
import pytest
from simulator_kernels import Draft, number, place_of

from gpucore import ir
from gpucore.errors import BackendUnavailableError, ClosedError, DispatchError, DriverCompileError, OutOfMemoryError
from gpucore.ir import BinaryOp, BuiltinKind
from gpucore.ir.build import binary
from gpucore.runtime import GPUCORE_API, DeviceKind, ProbeStatus, Source
from gpucore.runtime.plugins.hookspecs import PROJECT, HookSpecs
from gpucore.simulator import plugin
from gpucore.simulator.device import COOPERATIVE_VARIABLE, GROUPS_VARIABLE
from gpucore.simulator.plugin import SimulatorBackend


def test_the_plugin_answers_its_hook() -> None:
    manager = pluggy.PluginManager(PROJECT)
    manager.add_hookspecs(HookSpecs)
    module: ModuleType = plugin
    manager.register(module)
    manager.check_pending()
    ((backend,),) = manager.hook.gpucore_backends()
    assert (backend.name, backend.priority, backend.language) == ("simulator", 0, "python")
    assert plugin.GPUCORE_API == GPUCORE_API


def test_probe_and_open() -> None:
    backend = SimulatorBackend()
    result = backend.probe()
    assert result.status is ProbeStatus.AVAILABLE
    (info,) = result.devices
    assert (info.id, info.kind) == ("simulator:0", DeviceKind.SOFTWARE)
    assert info.driver.startswith("Python 3.") and info.driver.endswith(f", NumPy {np.__version__}")
    assert backend.capabilities == frozenset(ir.Capability)
    assert info.capabilities == backend.capabilities - ir.OF_ONE_ARCHITECTURE
    assert ("timestamps", "host") in info.details
    assert backend.open(0).info == info
    with pytest.raises(BackendUnavailableError, match="there is no index 1"):
        backend.open(1)


def test_capabilities_of_one_architecture_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(GROUPS_VARIABLE, "1")
    most = frozenset(ir.Capability) - {ir.Capability.COOPERATIVE_MATRICES}
    assert SimulatorBackend().open(0).info.capabilities == most
    monkeypatch.setenv(GROUPS_VARIABLE, "0")
    assert not SimulatorBackend().open(0).info.capabilities & ir.OF_ONE_ARCHITECTURE
    monkeypatch.setenv(GROUPS_VARIABLE, "yes")
    with pytest.raises(BackendUnavailableError, match="it must be 1 or 0"):
        SimulatorBackend().open(0)


def test_cooperative_matrices_are_in_place_of_other_units(monkeypatch: pytest.MonkeyPatch) -> None:
    assert SimulatorBackend().open(0).info.limits.cooperative_edge == 16
    monkeypatch.setenv(GROUPS_VARIABLE, "1")
    for edge in (16, 8):
        monkeypatch.setenv(COOPERATIVE_VARIABLE, str(edge))
        info = SimulatorBackend().open(0).info
        names = {capability.name for capability in ir.Capability if capability not in info.capabilities}
        assert names == {
            "MATRIX_UNITS", "MATRIX_BF16", "MATRIX_TF32", "MATRIX_F64", "MATRIX_GROUPS", "ASYNC_COPY",
        }  # fmt: skip
        assert info.limits.cooperative_edge == edge
    monkeypatch.setenv(COOPERATIVE_VARIABLE, "4")
    with pytest.raises(BackendUnavailableError, match="it must be 16, 8 or 0"):
        SimulatorBackend().open(0)


def test_buffers_read_write_and_copy_parts() -> None:
    device = SimulatorBackend().open(0)
    buffer, other = device.allocate(10), device.allocate(12)
    buffer.write(memoryview(b"abcdefghij"))
    buffer.write(memoryview(np.array([1, 2], "u2").tobytes()), offset=4)
    part = bytearray(6)
    buffer.read(memoryview(part), offset=2)
    assert part == b"cd\x01\x00\x02\x00"
    device.copy(buffer, other, 4)
    whole = bytearray(12)
    other.read(memoryview(whole))
    assert whole == b"abcd" + b"\xcd" * 8
    buffer.release()
    buffer.release()
    with pytest.raises(ClosedError):
        buffer.write(memoryview(b"abcd"))


def test_too_large_a_buffer_leaves_the_device_usable() -> None:
    device = SimulatorBackend().open(0)
    with pytest.raises(OutOfMemoryError, match="no memory for a buffer of 4611686018427387904 bytes"):
        device.allocate(1 << 62)
    assert device.allocate(16).nbytes == 16


def test_marks_measure_the_host() -> None:
    device = SimulatorBackend().open(0)
    start, end = device.mark(), device.mark()
    assert start.is_done() and end.is_done()
    assert 0 <= device.elapsed(start, end) < 10
    device.close()
    device.close()


def test_a_source_of_another_backend_is_refused() -> None:
    source = Source("wgsl", "fn main() {}", "main", (1, 1, 1), (), 0)
    with pytest.raises(DriverCompileError):
        SimulatorBackend().open(0).compile(source)


def test_one_buffer_bound_twice_is_one_memory(draft: Draft) -> None:
    x, y, v = draft.buffer("x", ir.I32), draft.buffer("y", ir.I32), draft.value("v", ir.I32)
    zero = number(0)
    body: list[ir.Stmt] = [
        ir.Store(ir.Place(x, zero), number(5)),
        ir.Load(v, ir.Place(y, zero)),
        ir.Store(ir.Place(y, number(1)), v),
    ]
    device = SimulatorBackend().open(0)
    buffer = device.allocate(8)
    device.dispatch(device.compile(draft.source(body)), [buffer, buffer], b"", (1, 1, 1))
    result = bytearray(8)
    buffer.read(memoryview(result))
    assert result == b"\x05\0\0\0\x05\0\0\0"


@pytest.mark.parametrize("has_barrier", [False, True])
def test_an_interrupt_stops_an_endless_kernel_and_the_device_goes_on(draft: Draft, has_barrier: bool) -> None:
    out = draft.buffer("out", ir.I32)
    barriers: tuple[ir.Stmt, ...] = (ir.Barrier(),) if has_barrier else ()
    body: list[ir.Stmt] = [ir.Store(ir.Place(out, number(0)), number(7)), ir.Loop(barriers)]
    device = SimulatorBackend().open(0)
    buffer = device.allocate(4)
    pipeline = device.compile(draft.source(body))
    timer = threading.Timer(0.1, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        device.dispatch(pipeline, [buffer], b"", (1, 1, 1))
    result = bytearray(4)
    buffer.read(memoryview(result))
    assert result == b"\x07\0\0\0"
    small = Draft()
    after = small.buffer("after", ir.I32)
    store = [ir.Store(ir.Place(after, number(0)), number(9))]
    device.dispatch(device.compile(small.source(store)), [buffer], b"", (1, 1, 1))
    buffer.read(memoryview(result))
    assert result == b"\x09\0\0\0"


def test_a_barrier_that_some_never_reach_is_named(draft: Draft) -> None:
    """No valid kernel has one; a fault in validation must not go unseen."""
    draft.workgroup_size, draft.span = (4, 1, 1), place_of("def block_sum(x, total):")
    draft.name = "block_sum"
    is_first = binary(BinaryOp.EQ, ir.Builtin(BuiltinKind.LOCAL_ID, 0), number(0))
    barrier = place_of("gp.barrier()")
    with pytest.raises(DispatchError) as caught:
        draft.run([ir.If(is_first, (ir.Barrier(barrier),))])
    assert str(caught.value) == (
        f"{barrier.file}:{barrier.line}: block_sum: barrier not reached by all invocations of workgroup (0, 0, 0): "
        f"1 wait at line {barrier.line}, 3 have ended"
    )
