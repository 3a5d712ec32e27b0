"""Memory that runs out, and staging memory of writes: each in a process of its own, whose memory is limited."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import pytest

resource = pytest.importorskip("resource", reason="only POSIX limits the memory of a process")

START = """
import gc, resource
import gpucore as gp
from gpucore.errors import OutOfMemoryError
from gpucore_wgpu.plugin import WgpuBackend

gc.disable()  # so that nothing but the device frees what is in cycles
device = gp.device("wgpu")

def in_use(line):  # bytes of address space or resident memory
    text = open("/proc/self/status").read()
    return int(text.split(line + ":")[1].split()[0]) << 10

def limit(nbytes):  # what this process may still take
    resource.setrlimit(resource.RLIMIT_AS, (in_use("VmSize") + nbytes,) * 2)

@gp.kernel(workgroup_size=64)
def count(x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    if i < x.size:
        x[i] = x[i] + 1.0

def check_that_kernels_run():
    x = gp.zeros(64, gp.f32, device=device)
    count(x, invocations=64)
    assert x.numpy().tolist() == [1.0] * 64

check_that_kernels_run()
"""


def run(tmp_path, device, program):
    """Run a program after START, in a file because kernels are read from files."""
    if "llvmpipe" not in device.info.name:
        pytest.skip("the memory of this device is not the process's")
    file = tmp_path / "program.py"
    file.write_text(START.replace('"wgpu"', repr(device.info.id)) + textwrap.dedent(program))
    result = subprocess.run([sys.executable, file], capture_output=True, text=True, timeout=120, check=False)
    assert result.returncode == 0, result.stderr[-3000:]


@pytest.fixture
def vulkan(device):
    """Under such a limit OpenGL's driver leaves no memory to wgpu-native, which then ends the process."""
    if device.info.api != "Vulkan":
        pytest.skip("needs a device of Vulkan")
    return device


def test_no_memory_is_an_error_of_its_own_and_the_device_goes_on(tmp_path, vulkan):
    run(tmp_path, vulkan, """
        limit(600 << 20)
        kept = []
        try:
            while True:
                kept.append(gp.empty(20_000_000, gp.f32, device=device))
        except OutOfMemoryError:
            pass
        assert kept
        kept.clear()
        check_that_kernels_run()
    """)  # fmt: skip


def test_arrays_in_cycles_are_freed_when_memory_is_short(tmp_path, vulkan):
    run(tmp_path, vulkan, """
        class Holder:
            pass

        limit(600 << 20)
        for _ in range(24):
            holder = Holder()
            holder.itself, holder.array = holder, gp.empty(20_000_000, gp.f32, device=device)
            count(holder.array, invocations=64)
        check_that_kernels_run()
    """)  # fmt: skip


def test_many_small_writes_do_not_pile_up(tmp_path, device):
    """600 MB in writes of 4 MB: each keeps as much staging memory until something is submitted."""
    run(tmp_path, device, """
        data = memoryview(bytes(4_000_000))
        buffer = WgpuBackend().open(device.info.index).allocate(len(data))
        before = in_use("VmRSS")
        for _ in range(150):
            buffer.write(data)
        assert in_use("VmRSS") - before < 300 << 20, in_use("VmRSS") - before
    """)  # fmt: skip
