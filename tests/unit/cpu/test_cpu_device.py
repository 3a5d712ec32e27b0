"""The device through the backend interface: queue, marks, copies, errors, exit, fork."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest
from cpu_kernels import Draft, const, finish, op, pack

from gpucore import ir
from gpucore.errors import BackendUnavailableError, ClosedError, DriverCompileError, EmitError, OutOfMemoryError
from gpucore.ir import I32
from gpucore.runtime import Device, DeviceKind, ProbeStatus, Source
from gpucore.span import Span
from gpucore_cpu.plugin import CpuBackend, gpucore_backends


def counting() -> Draft:
    """Adds 1 to every element, `rounds` times over."""
    draft = Draft(64)
    x, rounds = draft.buffer("x", I32), draft.param("rounds", I32)
    i = draft.global_id()
    with draft.loop_over(const(0), rounds) as k:
        before = draft.load(x, i)
        draft.store(x, i, op(op(before, "^", k), "+", 1))
    return draft


def test_the_probe_tells_one_cpu() -> None:
    (backend,) = gpucore_backends()
    found = backend.probe()
    assert found.status is ProbeStatus.AVAILABLE
    (info,) = found.devices
    assert (info.id, info.kind, info.index) == ("cpu:0", DeviceKind.CPU, 0)
    assert info.name
    assert info.api.startswith("LLVM ")
    assert ("timestamps", "host") in info.details
    assert info.capabilities <= backend.capabilities


def test_the_plugin_imports_no_driver() -> None:
    code = "import sys, gpucore_cpu.plugin as p; p.gpucore_backends(); sys.exit('llvmlite' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_only_device_zero_opens(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BackendUnavailableError, match="cpu:1"):
        CpuBackend().open(1)
    monkeypatch.setenv("GPUCORE_CPU_THREADS", "many")
    with pytest.raises(BackendUnavailableError, match="GPUCORE_CPU_THREADS"):
        CpuBackend().open(0)


def test_features_that_make_no_sense_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPUCORE_CPU_FEATURES", "mmx2")
    found = CpuBackend().probe()
    assert found.status is ProbeStatus.BROKEN
    assert "GPUCORE_CPU_FEATURES='mmx2'" in found.reason
    assert "'sse2', 'avx' or 'avx2'" in found.reason
    assert found.hint == "correct or remove GPUCORE_CPU_FEATURES"
    with pytest.raises(BackendUnavailableError, match="GPUCORE_CPU_FEATURES"):
        CpuBackend().open(0)


def test_features_that_the_processor_lacks_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("llvmlite.binding.get_host_cpu_features", dict)
    monkeypatch.setenv("GPUCORE_CPU_FEATURES", "avx2")
    assert "avx2" in CpuBackend().probe().reason


def test_the_number_of_lanes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPUCORE_CPU_LANES", "4")
    (info,) = CpuBackend().probe().devices
    assert dict(info.details)["lanes"] == "4"
    assert "<4 x " in CpuBackend().emit(counting().valid(), info).text
    monkeypatch.setenv("GPUCORE_CPU_LANES", "5")
    found = CpuBackend().probe()
    assert "GPUCORE_CPU_LANES='5'" in found.reason and found.hint == "correct or remove GPUCORE_CPU_LANES"


def test_the_same_module_gives_the_same_text() -> None:
    first, second = CpuBackend().emit(counting().valid()), CpuBackend().emit(counting().valid())
    assert first.text == second.text
    assert len(first.lines) == first.text.count("\n")
    assert first.writes == (True,)


def test_a_print_is_refused() -> None:
    draft = Draft(1)
    draft.add(ir.Debug(ir.DebugKind.PRINT, ("hello",)))
    with pytest.raises(EmitError, match="GP601"):
        CpuBackend().emit(draft.valid())


def test_broken_text_is_a_compile_error_with_the_log(device: Device) -> None:
    source = Source("llvm", "define void @gpucore_entry(", "gpucore_entry", (1, 1, 1), (), 0)
    with pytest.raises(DriverCompileError, match="driver log"):
        device.compile(source)
    missing = Source("llvm", CALLS_NOTHING_KNOWN, "gpucore_entry", (1, 1, 1), (), 0)
    with pytest.raises(DriverCompileError, match="gpucore_test_missing"):
        device.compile(missing)


def test_a_line_that_llvm_refuses_is_shown_as_the_user_s(device: Device) -> None:
    draft = Draft(1)
    out = draft.buffer("out", ir.I32)
    place = Span("kernel.py", 12, 4, 12, 9, "kernel")
    draft.add(ir.Store(ir.Place(out, ir.Constant(0, ir.I32)), ir.Constant(1234, ir.I32), place))
    source = CpuBackend().emit(draft.valid())
    with pytest.raises(DriverCompileError) as caught:
        device.compile(dataclasses.replace(source, text=source.text.replace("1234", "nonsense")))
    assert caught.value.span == place
    assert "nonsense" in caught.value.log


CALLS_NOTHING_KNOWN = """
@gpucore_scratch_nbytes = constant i64 0
declare void @gpucore_test_missing()
define void @gpucore_entry(ptr %a, ptr %b, ptr %c, i32 %x, i32 %y, i32 %z, i64 %f, i64 %l) {
  call void @gpucore_test_missing()
  ret void
}
"""


def test_work_runs_in_order_and_dispatch_does_not_wait(device: Device) -> None:
    draft = counting()
    valid = draft.valid()
    pipeline = device.compile(CpuBackend().emit(valid))
    buffer, other = device.allocate(64 * 64 * 4), device.allocate(64 * 64 * 4)
    buffer.write(memoryview(np.zeros(4096, np.int32)).cast("B"))
    rounds = 20000
    begin = time.perf_counter()
    start = device.mark()
    device.dispatch(pipeline, [buffer], pack(valid, {"rounds": rounds}), (64, 1, 1))
    device.copy(buffer, other, 4096 * 4)
    buffer.write(memoryview(np.full(4096, 7, np.int32)).cast("B"))
    device.dispatch(pipeline, [buffer], pack(valid, {"rounds": 1}), (64, 1, 1))
    queued = time.perf_counter() - begin
    end = device.mark()
    assert not end.is_done()
    finish(device)
    assert start.is_done()
    assert end.is_done()
    elapsed = device.elapsed(start, end)
    assert queued < elapsed < time.perf_counter() - begin
    expected = 0
    for k in range(rounds):
        expected = (expected ^ k) + 1
    first, second = np.empty(4096, np.int32), np.empty(4096, np.int32)
    other.read(memoryview(first).cast("B"))
    buffer.read(memoryview(second).cast("B"))
    np.testing.assert_array_equal(first, expected)
    np.testing.assert_array_equal(second, 8)


def test_partial_reads_and_writes(device: Device) -> None:
    buffer = device.allocate(40)
    buffer.write(memoryview(np.arange(10, dtype=np.int32)).cast("B"))
    buffer.write(memoryview(np.array([70, 80], np.int32)).cast("B"), 12)
    out = np.empty(4, np.int32)
    buffer.read(memoryview(out).cast("B"), 8)
    np.testing.assert_array_equal(out, [2, 70, 80, 5])


def test_memory_that_does_not_exist_is_refused_and_the_device_goes_on(device: Device) -> None:
    with pytest.raises(OutOfMemoryError):
        device.allocate(2**62)
    assert device.allocate(16).nbytes == 16


def test_a_failure_in_the_queue_shows_at_the_mark_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    own = CpuBackend().open(0)
    valid = counting().valid()
    pipeline, buffer = own.compile(CpuBackend().emit(valid)), own.allocate(256)

    def fail(*arguments: object) -> int:
        raise OutOfMemoryError("no memory for scratch")

    with monkeypatch.context() as patch:
        patch.setattr("gpucore_cpu.memory.ScratchMemory.address", fail)
        own.dispatch(pipeline, [buffer], pack(valid, {"rounds": 1}), (1, 1, 1))
        with pytest.raises(OutOfMemoryError):
            finish(own)
    own.dispatch(pipeline, [buffer], pack(valid, {"rounds": 1}), (1, 1, 1))
    finish(own)
    own.close()


def test_close_stops_the_threads_and_may_be_called_twice() -> None:
    before = threading.active_count()
    for _ in range(5):
        own = CpuBackend().open(0)
        valid = counting().valid()
        pipeline, buffer = own.compile(CpuBackend().emit(valid)), own.allocate(64 * 64 * 4)
        own.dispatch(pipeline, [buffer], pack(valid, {"rounds": 2000}), (64, 1, 1))
        finish(own)
        own.close()
        own.close()
        with pytest.raises(ClosedError):
            own.allocate(16)
        with pytest.raises(ClosedError):
            buffer.read(memoryview(bytearray(4)))
    assert threading.active_count() <= before


def test_released_things_are_refused(device: Device) -> None:
    valid = counting().valid()
    pipeline, buffer = device.compile(CpuBackend().emit(valid)), device.allocate(256)
    buffer.release()
    buffer.release()
    with pytest.raises(ClosedError):
        device.dispatch(pipeline, [buffer], pack(valid, {"rounds": 1}), (1, 1, 1))
    pipeline.release()
    pipeline.release()
    with pytest.raises(ClosedError):
        device.dispatch(pipeline, [device.allocate(256)], pack(valid, {"rounds": 1}), (1, 1, 1))


SETUP = f"""
import os, sys, threading, time
sys.path.insert(0, {os.path.dirname(__file__)!r})
from cpu_kernels import finish, pack
from test_cpu_device import counting
from gpucore_cpu.plugin import CpuBackend
device = CpuBackend().open(0)
valid = counting().valid()
pipeline, buffer = device.compile(CpuBackend().emit(valid)), device.allocate(64 * 64 * 4)
def start(rounds):
    device.dispatch(pipeline, [buffer], pack(valid, {{"rounds": rounds}}), (64, 1, 1))
"""


@pytest.mark.parametrize(
    "ending",
    [
        "start(2000); finish(device)",  # a live device with threads
        "start(200000)",  # work in flight
        "start(2**31 - 1); start(2**31 - 1)",  # far more work than an exit may wait for
        "start(2000); sys.exit(0)",
        "start(2000); os._exit(0)",
        "threading.Thread(target=lambda: start(2000)).start()",
        "start(2000); finish(device); del device, buffer, pipeline",
    ],
)
def test_the_interpreter_exits_cleanly_and_silently(ending: str) -> None:
    begin = time.monotonic()
    command = [sys.executable, "-c", SETUP + ending]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert time.monotonic() - begin < 20


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_forked_child_is_told_so_at_once() -> None:
    code = SETUP + textwrap.dedent("""
        from gpucore.errors import ForkedProcessError
        start(2000); finish(device)
        child = os.fork()
        if child == 0:
            begin = time.monotonic()
            try:
                start(1)
            except ForkedProcessError as error:
                sys.exit(17 if "spawn" in str(error) and time.monotonic() - begin < 1 else 1)
            sys.exit(2)
        _, status = os.waitpid(child, 0)
        start(2000); finish(device)
        sys.exit(os.waitstatus_to_exitcode(status))
    """)
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", code]  # Python 3.12's own, of os.fork
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (17, "")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_child_can_compile_if_another_thread_did_when_it_was_forked() -> None:
    code = SETUP + textwrap.dedent("""
        import signal
        pipelines = []
        def compile():
            while True:
                pipelines.append(device.compile(CpuBackend().emit(valid)))
        threading.Thread(target=compile, daemon=True).start()
        for _ in range(10):
            time.sleep(0.01)
            child = os.fork()
            if child == 0:
                signal.alarm(20)
                CpuBackend().open(0).compile(CpuBackend().emit(valid))
                os._exit(0)
            _, status = os.waitpid(child, 0)
            if status != 0:
                break
        sys.stdout.write(str(status)); sys.stdout.flush()
        os._exit(0)
    """)
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout, done.stderr) == ("0", "")
