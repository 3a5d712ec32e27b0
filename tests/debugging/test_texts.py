"""Debug costs nothing where it is off: the texts are the same; where it is on, it is all there to be read."""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path

import debug_kernels as kernels
import pytest

import gpucore as gp
from gpucore.testing import require_device
from gpucore.testing.kernels.debugging import write_at

sys.path.insert(0, str(Path(__file__).parents[1] / "golden"))

import golden_kernels

LANGUAGES = ("wgsl", "cuda", "opencl", "llvm")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", golden_kernels.CASES)
def test_text_without_debug_has_no_trace_of_it(name: str, language: str) -> None:
    kernel, bindings = golden_kernels.CASES[name]
    plain = kernel.source(language, **bindings)
    assert "diagnostics" in kernel.source(language, debug=True, **bindings)
    assert "diagnostics" not in plain
    assert kernel.source(language, debug=False, **bindings) == plain


@pytest.mark.parametrize("language", LANGUAGES)
def test_asserts_and_prints_are_left_out_without_debug(language: str) -> None:
    for kernel in (kernels.assert_below, kernels.print_all, kernels.read_shared):
        assert "diagnostics" not in kernel.source(language)
        assert "diagnostics" in kernel.source(language, debug=True)


def test_the_ir_under_debug_has_the_records() -> None:
    text = write_at.ir(debug=True)
    assert "diagnostics" in text and "atomic add" in text and "bounds" not in text
    assert "diagnostics" not in write_at.ir()


def test_debug_is_true_false_or_ordered() -> None:
    with pytest.raises(gp.ArgumentError, match="debug is True, False or"):
        gp.kernel(workgroup_size=8, debug="sorted")


def test_debug_needs_one_of_the_buffers(monkeypatch: pytest.MonkeyPatch) -> None:
    cpu = require_device("cpu")
    limits = dataclasses.replace(cpu.limits, max_buffers=2)
    monkeypatch.setattr(cpu, "_info", dataclasses.replace(cpu.info, limits=limits))

    @gp.kernel(debug=True)
    def add(x: gp.In[gp.f32], y: gp.InOut[gp.f32]):
        y[gp.global_id(0)] += x[gp.global_id(0)]

    x, y = gp.ones(4, device=cpu), gp.ones(4, device=cpu)
    with pytest.raises(gp.LimitError, match=r"GP404.*takes 2 arrays; cpu:0 .* binds at most 2, and debug needs one"):
        add(x, y, invocations=4)
