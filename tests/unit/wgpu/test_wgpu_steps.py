"""Steps from IR to IR for defects of drivers: each is made for the drivers that have the defect, and for no other."""

from __future__ import annotations

from wgpu_builder import LAVAPIPE, WIDE_LIMITS, map_kernel

import gpucore as gp
from gpucore import compiler, ir
from gpucore.ir import F16, F64, I32, MathOp, build
from gpucore.runtime import DeviceInfo, DeviceKind
from gpucore_wgpu.plugin import WgpuBackend
from gpucore_wgpu.steps import prepare

BACKEND = WgpuBackend()
NVIDIA = DeviceInfo("wgpu:vulkan:0", "wgpu", 0, "NVIDIA H200", DeviceKind.GPU, "NVIDIA 580.159", "Vulkan")


@gp.kernel
def steps(x: gp.InOut[gp.f64], h: gp.In[gp.f16], n: gp.Out[gp.i64], picks: gp.i32):
    """Something for every step."""
    i = gp.global_id(0)
    table = gp.private_array(gp.f64, 4)
    table[i & 3] = round(x[i]) - x[i]
    x[i] = table[picks]
    n[i] = gp.i64(gp.sin(h[i]))


def text_for(info: DeviceInfo | None) -> str:
    target = compiler.Target(BACKEND, info, BACKEND.capabilities, WIDE_LIMITS, "the device")
    return compiler.emit_for(target, steps.lower(backend=BACKEND)).text


def test_each_driver_gets_the_steps_for_its_own_defects() -> None:
    own = {
        "round(": (None, NVIDIA),
        "table[picks]": (None, NVIDIA),
        "opaque_zero": (LAVAPIPE,),
        "1.7014118e+38": (NVIDIA,),
    }
    for info in (None, NVIDIA, LAVAPIPE):
        text = text_for(info)
        assert {part for part in own if part in text} == {part for part, infos in own.items() if info in infos}
        assert "f16(sin(f32(h_2)))" in text  # on every device


def test_nothing_to_change_gives_the_module_itself() -> None:
    module = map_kernel(I32, I32, lambda x: build.add(x, 1))
    assert prepare(module, None) is module
    assert prepare(module, LAVAPIPE) is module


def test_operands_that_are_used_twice_are_bound_once() -> None:
    """Nested calls would double the text at each level."""

    def rounded(x: ir.Expr) -> ir.Expr:
        for _ in range(40):
            x = build.call(MathOp.ROUND, build.add(x, 0.25))
        return x

    prepared = prepare(map_kernel(F64, F64, rounded), LAVAPIPE)
    assert len(ir.print_module(prepared)) < 40_000
    halves = map_kernel(F16, I32, lambda x: build.convert(build.add(x, 1.0), I32))
    assert ir.print_module(prepare(halves, NVIDIA)).count(" + ") == 1
