"""gp.device_fence orders memory between workgroups, where a device can, and nothing moves over it. C629 of the
conformance kit has results of what the last workgroup reads."""

from __future__ import annotations

import numpy as np
import pytest

import gpucore as gp
from gpucore.testing.checks import skip_without
from gpucore.testing.kernels.memory import last_workgroup


@gp.kernel(workgroup_size=32)
def in_any_flow(x: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    if i < x.size:
        for k in range(x[i]):
            if k % 2 == i % 2:
                gp.device_fence()
            x[i] += 1


def test_control_flow_may_differ(device: gp.Device) -> None:
    skip_without(device, gp.Capability.DEVICE_FENCE)
    x = np.arange(77, dtype=np.int32) % 9
    y = gp.asarray(x, device=device)
    in_any_flow(y, invocations=77)
    assert np.array_equal(y.numpy(), 2 * x)


@pytest.mark.parametrize("kernel", [last_workgroup, in_any_flow], ids=lambda kernel: kernel.name)
def test_wgpu_has_none(kernel: gp.Kernel) -> None:
    with pytest.raises(gp.CapabilityError, match="orders memory for all of the device") as caught:
        kernel.source("wgsl")
    assert "'device_fence'" in str(caught.value)


def test_text_for_cuda() -> None:
    text = last_workgroup.source("cuda")
    assert text.count("__threadfence();") == 2
    assert "__restrict__" not in text  # compilers move accesses to restrict buffers over a fence


def test_text_for_opencl() -> None:
    text = last_workgroup.source("opencl")
    assert "// OpenCL C 3.0" in text.splitlines()
    assert text.count("atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);") == 2
    assert [line for line in text.splitlines() if "restrict" in line] == ["    __global const int* restrict x,"]
    assert text.count("barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);") == 2


def test_text_for_the_cpu() -> None:
    lines = last_workgroup.source("llvm").splitlines()
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
