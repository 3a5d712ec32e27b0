"""What is rewritten for PoCL is rewritten for it alone, before validation; what is written for NVIDIA alone."""

from __future__ import annotations

import dataclasses

import numpy as np

import gpucore as gp
from gpucore import compiler
from gpucore.ir import Limits
from gpucore.runtime import DeviceInfo, DeviceKind
from gpucore_opencl import dialect, plugin
from gpucore_opencl.plugin import OpenCLBackend

BACKEND = OpenCLBackend()
LIMITS = Limits(max_workgroup_invocations=1024)


@gp.kernel(workgroup_size=64)
def waiting(x: gp.InOut[gp.i32], rounds: gp.i32):
    """Barriers in a branch, and in a loop in it."""
    shared = gp.workgroup_array(gp.i32, 64)
    i = gp.local_id(0)
    shared[i] = x[i] & 15
    if rounds > 0:
        gp.barrier()
        for k in range(rounds):
            value = shared[(i * 5 + k) % 64] >> 2
            gp.barrier()
            if k != 7:
                shared[i] = value
            gp.barrier()
    x[i] = shared[i] // 8


@gp.kernel(workgroup_size=(1, 8, 4))
def nested_loops(x: gp.InOut[gp.i32], n: gp.i32):
    i = gp.local_id(1)
    gp.barrier()
    for a in range(n):
        for b in range(n):
            x[i] += a * b
    count = 0
    for c in range(n):
        for d in range(x[i]):
            count += c * d
    for e in range(n):
        gp.barrier()
        x[i] += e * count


@gp.kernel(workgroup_size=4)
def barrier_in_nested_loops(x: gp.InOut[gp.i32], n: gp.i32):
    for _ in range(n):
        for k in range(n):
            gp.barrier()
            x[gp.local_id(0)] += k


@gp.kernel(workgroup_size=4)
def loop_with_a_break(x: gp.InOut[gp.i32], n: gp.i32):
    for k in range(n):
        gp.barrier()
        if k == 7:
            break
        x[gp.local_id(0)] += k


@gp.kernel(workgroup_size=4)
def tree_in_a_branch(x: gp.InOut[gp.i32], n: gp.i32):
    t, k = gp.local_id(0), 2
    if n > 1:
        while k > 0:
            if t < k:
                x[t] += x[t + k]
            gp.barrier()
            k //= 2


@gp.kernel(workgroup_size=4)
def loop_with_a_continue(x: gp.InOut[gp.i32], n: gp.i32):
    t, k = gp.local_id(0), 0
    while k < n:
        k += 1
        gp.barrier()
        if x[t] == 4:
            continue
        x[t] += k


@gp.kernel
def undefined(x: gp.InOut[gp.f32]):
    x[0] = gp.floor(float("nan"))


@gp.kernel
def add(x: gp.In[gp.f32], y: gp.InOut[gp.f32]):
    y[0] = y[0] + x[0]


def text_for(kernel: gp.Kernel, driver: str) -> str:
    capabilities = BACKEND.capabilities
    info = DeviceInfo("opencl:0", "opencl", 0, "device", DeviceKind.GPU, driver, "OpenCL 3.0", capabilities, LIMITS)
    target = compiler.Target(BACKEND, info, capabilities, LIMITS, "the device")
    return compiler.emit_for(target, kernel.lower(backend=BACKEND)).text


def test_other_drivers_get_the_kernel_as_it_is() -> None:
    for kernel in (waiting, nested_loops, undefined):
        text = text_for(kernel, "NVIDIA CUDA 580.159")
        assert text.replace("__attribute__((aligned(16))) ", "") == kernel.source("opencl")  # see nvidia_matrices
        assert "zero" not in text
    assert "    if (rounds > 0) {\n        barrier(" in text_for(waiting, "NVIDIA CUDA 580.159")


def test_only_nvidia_gets_read_only_buffers_without_restrict() -> None:
    assert "const float* restrict x" in text_for(add, "Portable Computing Language 3.1")
    assert "const float* restrict x" in add.source("opencl")
    assert "const float* x" in text_for(add, "NVIDIA CUDA 580.159")


def test_pocl_gets_barriers_outside_of_branches() -> None:
    text = text_for(waiting, "Portable Computing Language 3.1")
    lines = text.splitlines()
    barriers = [number for number, line in enumerate(lines) if line.strip().startswith("barrier(")]
    assert len(barriers) == 3
    opened: list[str] = []
    for number, line in enumerate(lines):
        if number in barriers:
            assert not [head for head in opened if head.startswith("if")]
            assert lines[number + 1].strip() == "if (zero != 0u) {"  # a new basic block
        if line.rstrip().endswith("{"):
            opened.append(line.strip())
        if line.strip().startswith("}"):
            opened.pop()


def test_pocl_gets_a_branch_around_what_not_all_execute_alike() -> None:
    text = text_for(nested_loops, "Portable Computing Language 3.1")
    lines = text.splitlines()
    before = {line.split()[2]: lines[number - 1].strip() for number, line in enumerate(lines) if "for (int" in line}
    assert before["c"] == "if (always) {"
    assert "always = ((int)zero & ((int)get_local_id(0) | (int)get_local_id(2))) == 0;" in text
    assert not [counter for counter in "abde" if before[counter].startswith("if")]
    assert "for (int d = 0 ^ (int)zero;" in text and text.count("count = count ^ (int)zero;") == 1


@gp.kernel
def absolute_values(x: gp.InOut[gp.i32x2], y: gp.InOut[gp.i64]):
    x[gp.global_id(0)] = abs(x[gp.global_id(0)])
    y[gp.global_id(0)] = abs(y[gp.global_id(0)])


@gp.kernel
def dots_of_bytes(x: gp.In[gp.u32], y: gp.Out[gp.i32]):
    i = gp.global_id(0)
    y[i] = gp.dot4_i8_packed(x[i], x[i])


def test_nvidia_gets_forms_that_its_compiler_does_not_recognise() -> None:
    absolute = text_for(absolute_values, "NVIDIA CUDA 580.159")
    assert absolute.count("a < 0 ? ~a : a") == 2 and "long gpucore_abs_i64(long a)" in absolute
    assert "x >> at & 128u" in text_for(dots_of_bytes, "NVIDIA CUDA 580.159")


def test_the_forms_for_nvidia_are_right_with_any_compiler(device, monkeypatch) -> None:
    of_nvidia = dialect.dialect_for(dataclasses.replace(device.info, driver="NVIDIA CUDA 580.159"))
    monkeypatch.setattr(plugin, "dialect_for", lambda device: of_nvidia)
    rng = np.random.default_rng(0)
    words = np.append(np.uint32([0x80808080, 0x7F7F7F7F]), rng.integers(0, 1 << 32, 1022, np.uint32))
    integers = np.append(np.int32([-(1 << 31), -1, 0]), rng.integers(-(1 << 31), 1 << 31, 1021, np.int32))
    wide = np.append(np.int64([-(1 << 63), -1, 0]), rng.integers(-(1 << 63), (1 << 63) - 1, 509))
    opencl = gp.device("opencl")
    x, dots = gp.asarray(words, device=opencl), gp.empty(1024, gp.i32, device=opencl)
    dots_of_bytes(x, dots, invocations=1024)
    squares = words.view(np.int8).astype(np.int32) ** 2
    assert np.array_equal(dots.numpy(), squares.reshape(-1, 4).sum(1))
    pairs, y = gp.asarray(integers.reshape(-1, 2), gp.i32x2, device=opencl), gp.asarray(wide, device=opencl)
    absolute_values(pairs, y, invocations=512)
    assert np.array_equal(pairs.numpy().ravel(), np.abs(integers))
    assert np.array_equal(y.numpy(), np.abs(wide))


def test_other_drivers_get_the_usual_forms() -> None:
    absolute = text_for(absolute_values, "Portable Computing Language 3.1")
    assert "a < 0 ? (int)-(uint)a : a" in absolute and "~a" not in absolute
    assert "(char)(x >> at)" in text_for(dots_of_bytes, "Portable Computing Language 3.1")


def test_pocl_builds_some_kernels_without_optimisation() -> None:
    for kernel in (barrier_in_nested_loops, loop_with_a_break, loop_with_a_continue):
        text = text_for(kernel, "Portable Computing Language 3.1")
        assert text.startswith("// built with -cl-opt-disable\n") and "zero" not in text
        assert "opt-disable" not in text_for(kernel, "NVIDIA CUDA 580.159")
    for kernel in (waiting, nested_loops, tree_in_a_branch):
        assert "opt-disable" not in text_for(kernel, "Portable Computing Language 3.1")
    text = text_for(tree_in_a_branch, "Portable Computing Language 3.1")
    assert text.count("break;") == 1 and "if (!taken || k <= 0) {" in text


def test_pocl_gets_several_invocations_along_x_if_there_are_barriers() -> None:
    text = text_for(nested_loops, "Portable Computing Language 3.1")
    assert "reqd_work_group_size(8, 1, 4)" in text and "get_local_id(1)" not in text
    assert "reqd_work_group_size(1, 8, 4)" in text_for(nested_loops, "NVIDIA CUDA 580.159")


def test_pocl_gets_no_mask_shift_or_nan_that_it_knows() -> None:
    text = text_for(waiting, "Portable Computing Language 3.1")
    for opaque in ("& (15 ^ (int)zero)", "(2 ^ (int)zero)", "& (63 ^ (int)zero)", "(3 ^ (int)zero)"):
        assert opaque in text
    assert "as_float(2143289344u ^ zero)" in text_for(undefined, "Portable Computing Language 3.1")
