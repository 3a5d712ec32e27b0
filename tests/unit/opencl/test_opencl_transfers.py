"""Copies between the host and a device that is busy: they do not wait for kernels, and Ctrl-C ends a wait."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import threading
import time
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from long_work import keep_busy

import gpucore as gp

MIB = 1 << 20


@pytest.fixture
def opencl() -> gp.Device:
    try:
        return gp.device("opencl")
    except gp.BackendUnavailableError as error:
        pytest.skip(str(error))


def test_arrays_are_made_while_a_kernel_runs(opencl: gp.Device) -> None:
    host = np.arange(MIB, dtype=np.uint32)
    wanted = host.copy()
    keep_busy(opencl, 4)
    mark = opencl.driver_device.mark()
    zeros = gp.zeros(4, gp.u32, device=opencl)
    made = gp.asarray(host, device=opencl)
    copy = made.copy()
    host[:] = 7  # the device must not see this
    assert not mark.is_done()
    assert zeros.numpy().tolist() == [0] * 4
    assert np.array_equal(made.numpy(), wanted) and np.array_equal(copy.numpy(), wanted)


def test_writes_keep_their_place_in_the_queue(opencl: gp.Device) -> None:
    out = keep_busy(opencl, 2)
    mark = opencl.driver_device.mark()
    kept = out.copy()
    buffer = out.storage.buffer
    opencl.write(buffer, memoryview(bytes(32)), 16)
    assert not mark.is_done()
    after = out.numpy()
    assert after[4:12].tolist() == [0] * 8
    assert np.array_equal(np.delete(after, range(4, 12)), np.delete(kept.numpy(), range(4, 12)))


def test_a_thread_that_waits_for_room_does_not_keep_others_from_the_device(opencl: gp.Device) -> None:
    hosts = [np.full(4 * MIB, number, np.uint32) for number in range(6)]  # 96 MiB, and 32 may wait to be copied
    made: list[gp.Array] = []

    def upload() -> None:
        for host in hosts:
            made.append(gp.asarray(host, device=opencl))

    keep_busy(opencl, 6)
    mark = opencl.driver_device.mark()
    uploader = threading.Thread(target=upload)
    uploader.start()
    while len(made) < 2:
        time.sleep(1e-3)
    assert not mark.is_done()
    assert len(made) == 2 and uploader.is_alive()
    uploader.join()
    for host, array in zip(hosts, made, strict=True):
        assert np.array_equal(array.numpy(), host)


def test_an_array_larger_than_what_may_be_kept(opencl: gp.Device) -> None:
    host = np.arange(24 * MIB + 5, dtype=np.uint32)
    keep_busy(opencl, 1)
    assert np.array_equal(gp.asarray(host, device=opencl).numpy(), host)


def test_memory_of_uploads_is_bounded_and_freed(opencl: gp.Device) -> None:
    keep_busy(opencl, 2)
    mark = opencl.driver_device.mark()
    host = np.zeros(24 * MIB, np.uint32)
    tracemalloc.start()
    try:
        gp.asarray(host[: 4 * MIB], device=opencl)
        assert not mark.is_done()
        kept = tracemalloc.get_traced_memory()[0]
        gp.asarray(host, device=opencl)
        opencl.synchronize()
        left, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept >= 16 * MIB and peak < 33 * MIB and left < MIB


@pytest.mark.skipif(os.name != "posix", reason="sends itself a signal")
@pytest.mark.parametrize(
    "call",
    [
        "[gp.zeros(4 << 20, device=device) for _ in range(8)]",  # waits for room
        "out.storage.buffer.read(memoryview(bytearray(64)))",  # as when another thread has queued the kernel
        "out.numpy()",
        "device.close()",
        "order(device); out.storage.buffer.read(memoryview(bytearray(64)))",  # in another queue, after the kernel
        "order(device); device.close()",
    ],
)
def test_ctrl_c_ends_a_wait(opencl: gp.Device, tmp_path: Path, call: str) -> None:
    code = f"""
        import os, signal, threading
        import gpucore as gp
        from long_work import keep_busy
        def order(device):
            plugin = device.driver_device._device
            mark = plugin.mark()
            plugin.select(1)
            plugin.order(mark)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        device = gp.device({opencl.id!r})
        out = keep_busy(device, 20)
        mark = device.driver_device.mark()
        threading.Timer(0.5, os.kill, [os.getpid(), signal.SIGINT]).start()
        try:
            {call}
            print("no interrupt", flush=True)
        except KeyboardInterrupt:
            print("interrupted after the kernel" if mark.is_done() else "interrupted", flush=True)
        os._exit(0)
    """
    program = tmp_path / "program.py"
    program.write_text(textwrap.dedent(code))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, program], env=environment, capture_output=True, text=True, timeout=300)
    assert done.stdout.strip() == "interrupted", done.stdout + done.stderr
