"""Kernels are pickled by their names."""

from __future__ import annotations

import pickle
import re

import pytest

import gpucore as gp


@gp.kernel
def at_module_level(x: gp.InOut[gp.f32]):
    x[gp.global_id(0)] = 1.0


def test_a_kernel_at_module_level_is_found_again() -> None:
    assert pickle.loads(pickle.dumps(at_module_level)) is at_module_level


def test_a_kernel_inside_a_function_is_not_pickled() -> None:
    @gp.kernel
    def inside(x: gp.InOut[gp.f32]):
        x[gp.global_id(0)] = 1.0

    expected = "the kernel inside cannot be pickled: it is defined inside a function, and cannot be imported by name; "
    with pytest.raises(TypeError, match=re.escape(f"{expected}define it at module level")):
        pickle.dumps(inside)
