"""gp.device_fence orders memory between workgroups, where a device can, and nothing moves over it."""

from __future__ import annotations

import numpy as np
import pytest

import gpucore as gp
from gpucore.testing.checks import skip_without

SIZE = 32


@gp.kernel(workgroup_size=SIZE)
def pass_on(x: gp.In[gp.f32], parts: gp.InOut[gp.f32], count: gp.InOut[gp.u32], out: gp.Out[gp.f32]):
    group, t = gp.workgroup_id(0), gp.local_id(0)
    before = gp.workgroup_array(gp.u32, 1)
    parts[group * SIZE + t] = x[group * SIZE + t]
    gp.barrier()
    if t == 0:
        gp.device_fence()
        before[0] = gp.atomic_add(count, 0, gp.u32(1))
        gp.device_fence()
    gp.barrier()
    if before[0] == gp.u32(gp.num_workgroups(0) - 1):
        total = gp.f32(0)
        for k in range(gp.num_workgroups(0)):
            total += parts[k * SIZE + t]
        out[t] = total


@gp.kernel(workgroup_size=SIZE)
def in_any_flow(x: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    if i < x.size:
        for k in range(x[i]):
            if k % 2 == i % 2:
                gp.device_fence()
            x[i] += 1


def test_the_last_workgroup_sees_all(device: gp.Device) -> None:
    skip_without(device, gp.Capability.DEVICE_FENCE)
    x = np.random.default_rng(1).integers(-99, 99, (101, SIZE)).astype(np.float32)
    given = gp.asarray(x.reshape(-1), device=device)
    parts, out = gp.empty(x.size, gp.f32, device=device), gp.empty(SIZE, gp.f32, device=device)
    pass_on(given, parts, gp.zeros(1, gp.u32, device=device), out, workgroups=101)
    assert np.array_equal(out.numpy(), x.sum(axis=0))


def test_control_flow_may_differ(device: gp.Device) -> None:
    skip_without(device, gp.Capability.DEVICE_FENCE)
    x = np.arange(77, dtype=np.int32) % 9
    y = gp.asarray(x, device=device)
    in_any_flow(y, invocations=77)
    assert np.array_equal(y.numpy(), 2 * x)


@pytest.mark.parametrize("kernel", [pass_on, in_any_flow], ids=lambda kernel: kernel.name)
def test_wgpu_has_none(kernel: gp.Kernel) -> None:
    with pytest.raises(gp.CapabilityError, match="orders memory for all of the device") as caught:
        kernel.source("wgsl")
    assert "'device_fence'" in str(caught.value)


def test_text_for_cuda() -> None:
    text = pass_on.source("cuda")
    assert text.count("__threadfence();") == 2
    assert "__restrict__" not in text  # compilers move accesses to restrict buffers over a fence


def test_text_for_opencl() -> None:
    text = pass_on.source("opencl")
    assert "// OpenCL C 3.0" in text.splitlines()
    assert text.count("atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);") == 2
    assert [line for line in text.splitlines() if "restrict" in line] == ["    __global const float* restrict x,"]
    assert text.count("barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);") == 2


def test_text_for_the_cpu() -> None:
    lines = pass_on.source("llvm").splitlines()
    assert lines.count("  fence seq_cst") == 2
    (head,) = (line for line in lines if line.startswith("define internal void @gpucore_workgroups("))
    assert "ptr noalias nonnull align 64 %buffer0" in head
    assert all(f"ptr nonnull align 64 %buffer{index}" in head for index in (1, 2, 3))


def test_it_takes_no_arguments() -> None:
    @gp.kernel(workgroup_size=1)
    def wrong(x: gp.InOut[gp.i32]):
        gp.device_fence(x)

    with pytest.raises(gp.KernelTypeError, match="device_fence"):
        wrong.source("cuda")


def test_outside_a_kernel() -> None:
    with pytest.raises(gp.KernelOnlyError, match="device_fence"):
        gp.device_fence()
