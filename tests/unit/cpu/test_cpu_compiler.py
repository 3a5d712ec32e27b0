"""What compiling costs: processor time that grows with the length of a kernel, memory that comes back."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest
from cpu_kernels import Draft, const, finish, op, pack

from gpucore import ir
from gpucore.ir import I32
from gpucore.runtime import Device
from gpucore_cpu.optimisation import Effort, choose_effort, count_loops
from gpucore_cpu.plugin import CpuBackend

Integers = npt.NDArray[np.int32]
COUNT = 150


def add_loops(draft: Draft, x: ir.Buffer, total: ir.Local, i: ir.Value, turn: int) -> None:
    """total = total * 3 + x[(i + k) % 64], for k in range(turn % 7 + 3)."""
    with draft.loop_over(const(0), const(turn % 7 + 3)) as k:
        element = draft.load(x, op(op(i, "+", k), "%", 64))
        draft.assign(total, op(op(total, "*", 3), "+", element))


def add_whiles(draft: Draft, x: ir.Buffer, total: ir.Local, i: ir.Value, turn: int) -> None:
    """The same as a loop with an exit of its own."""
    k = draft.variable("k", const(0))
    with draft.forever():
        with draft.when(op(k, ">=", turn % 7 + 3)):
            draft.add(ir.Break())
        element = draft.load(x, op(op(i, "+", k), "%", 64))
        draft.assign(total, op(op(total, "*", 3), "+", element))
        draft.assign(k, op(k, "+", 1))


def add_nests(draft: Draft, x: ir.Buffer, total: ir.Local, i: ir.Value, turn: int) -> None:
    """The same, once around."""
    with draft.loop_over(const(0), const(1)):
        add_loops(draft, x, total, i, turn)


def expected(x: Integers) -> Integers:
    total = np.zeros(64, np.int32)
    for turn in range(COUNT):
        for k in range(turn % 7 + 3):
            total = total * np.int32(3) + np.roll(x, -k)
    return total


@pytest.mark.parametrize("add", [add_loops, add_whiles, add_nests])
def test_a_kernel_of_many_loops_compiles_in_bounded_time(device: Device, add: Callable[..., None]) -> None:
    """About 0.3 s of processor time for 150 loops; where LLVM may unroll and vectorise them all, 10 s and more."""
    draft = Draft(64)
    x, y = draft.buffer("x", I32), draft.buffer("y", I32)
    i = draft.global_id()
    total = draft.variable("total", const(0))
    for turn in range(COUNT):
        add(draft, x, total, i, turn)
    draft.store(y, i, total)
    source = CpuBackend().emit(draft.valid())
    begin = time.thread_time()
    pipeline = device.compile(source)
    spent = time.thread_time() - begin
    given, out = np.arange(5, 69, dtype=np.int32), np.zeros(64, np.int32)
    buffers = [device.allocate(256), device.allocate(256)]
    buffers[0].write(memoryview(given).cast("B"))
    device.dispatch(pipeline, buffers, pack(draft.valid(), {}), (1, 1, 1))
    finish(device)
    buffers[1].read(memoryview(out).cast("B"))
    np.testing.assert_array_equal(out, expected(given))
    assert spent < 4


def test_loops_are_counted_by_the_jumps_that_go_back() -> None:
    text = "define void @f() {\na:\n  br label %b\nb:\n  br i1 %t, label %a, label %b\nc:\n  br label %b\n}\n"
    assert count_loops(text) == 2
    assert count_loops(text + text.replace("@f", "@g")) == 4


def test_only_long_texts_lose_passes() -> None:
    loop = "a{0}:\n  br label %a{0}\n"
    efforts = [choose_effort("".join(loop.format(n) for n in range(count))) for count in (10, 32, 33, 128, 129)]
    whole, without = Effort.FULL, Effort.WITHOUT_UNROLLING
    assert efforts == [whole, whole, without, without, Effort.WITHOUT_LOOPS]
    assert choose_effort("  store i32 0, ptr %a\n" * 20_001) is Effort.WITHOUT_LOOPS


DROP = f"""
import sys
sys.path.insert(0, {os.path.dirname(__file__)!r})
from cpu_kernels import Draft, finish, op, pack
from gpucore.ir import I32
from gpucore_cpu.plugin import CpuBackend

def resident_pages():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1])

device = CpuBackend().open(0)
buffer = device.allocate(256)

def compile_and_drop(number):
    draft = Draft(4)
    x = draft.buffer("x", I32)
    i = draft.global_id()
    draft.store(x, i, op(draft.load(x, i), "+", number))
    valid = draft.valid()
    pipeline = device.compile(CpuBackend().emit(valid))
    device.dispatch(pipeline, [buffer], pack(valid, {{}}), (2, 1, 1))
    if number % 2:
        finish(device)
    pipeline.release()

for number in range(60):
    compile_and_drop(number)
before = resident_pages()
for number in range(200):
    compile_and_drop(number)
finish(device)
print(resident_pages() - before)
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="the system has no /proc with a process's memory")
def test_memory_of_a_dropped_kernel_comes_back() -> None:
    """The machine code, the linker's tables and LLVM's pass managers: 87 KiB a kernel where nothing is freed, of
    which 1.4 KiB are left, that llvmlite loses. The bound is a fifth of the former."""
    done = subprocess.run([sys.executable, "-c", DROP], capture_output=True, text=True, timeout=120, check=True)
    assert int(done.stdout) * os.sysconf("SC_PAGE_SIZE") < 200 * 17 * 1024


INTERRUPTED = """
import gc, signal, sys
from gpucore_cpu.jit import Compiler
from gpucore_cpu.processor import read_processor

def interrupted(call, lines):
    left = lines

    def trace(frame, event, argument):
        nonlocal left
        if "llvmlite" not in frame.f_code.co_filename:
            return None
        left -= event == "line" and frame.f_code.co_name in ("close", "detach", "__exit__", "__init__", "link")
        if left == 0:
            left = -1
            sys.settrace(None)
            signal.raise_signal(signal.SIGINT)
        return trace

    sys.settrace(trace)
    try:
        call()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(None)
        gc.collect()
    return False

def load():
    Compiler(read_processor()).load("define void @go() { ret void }", ("go",), {})

for call in (read_processor, load):
    call()
    lines = 1
    while interrupted(call, lines):
        lines += 1
    print(lines > 8)
"""


def test_ctrl_c_frees_nothing_of_llvm_twice() -> None:
    """At each line of llvmlite that makes or frees an object. The allocator ends the process that frees twice."""
    environment = {**os.environ, "GPUCORE_CACHE": "off", "PYTHONMALLOC": "malloc"}
    command = [sys.executable, "-c", INTERRUPTED]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout) == (0, "True\n" * 2), done.stderr
