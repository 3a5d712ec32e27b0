"""Workgroups that do not fill their last gang: what the lanes that are off compute has no effect."""

from __future__ import annotations

import re

import numpy as np
import pytest
from cpu_kernels import run_valid

import gpucore as gp
from gpucore import compiler
from gpucore.ir import F32
from gpucore.runtime import Device
from gpucore_cpu.emit import emit
from gpucore_cpu.layout import literal


@gp.kernel(workgroup_size=5)
def conditions_of_loaded_values(x: gp.In[gp.i32], y: gp.InOut[gp.i32]):
    t = gp.local_id(0)
    a = 3
    if t == 1:
        a = 5
    gp.barrier()
    if a == 3:
        y[gp.global_id(0)] += 2


@gp.kernel(workgroup_size=5)
def divisors_that_were_loaded(x: gp.In[gp.i32], y: gp.InOut[gp.i32]):
    t = gp.local_id(0)
    a = (x[t] & 3) + 1
    if t == 1:
        a = 5
    gp.barrier()
    y[gp.global_id(0)] = 100 // a


@gp.kernel(workgroup_size=12)
def divisors_from_ids(x: gp.In[gp.i32], y: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    y[i] = (x[i] & 1023) // (12 - gp.local_id(0))


@gp.kernel(workgroup_size=(12, 2))
def signed_divisors(x: gp.In[gp.i32], y: gp.InOut[gp.i32]):
    i = gp.global_id(1) * 24 + gp.global_id(0)
    y[i] = x[i] % (gp.local_id(0) - 12)


@gp.kernel(workgroup_size=20)
def remainders_in_a_branch(x: gp.In[gp.i32], y: gp.InOut[gp.i32]):
    i, t = gp.global_id(0), gp.local_id(0)
    if t < 7:
        y[i] = gp.i32(gp.u32(x[i]) % gp.u32(7 - t))


@gp.kernel(workgroup_size=5)
def uniform_value_of_a_gang_beyond_the_workgroup(x: gp.In[gp.i32], y: gp.InOut[gp.i32]):
    """With 8 or 16 lanes the gang is a subgroup of 8, of which 5 exist."""
    t = gp.local_id(0)
    first = gp.subgroup_broadcast(x[3], 0)
    y[gp.global_id(0)] = gp.assume_uniform(gp.min((x[3] & 1023 | 512) // (5 - t), 2)) + first


@gp.kernel(workgroup_size=12)
def functions_of_loaded_values(x: gp.In[gp.i32], y: gp.InOut[gp.i32]):
    t, i = gp.local_id(0), gp.global_id(0)
    angle = gp.f32(x[i] % 7) * 0.25 + 0.1
    if t == 1:
        angle = 0.5
    gp.barrier()
    y[i] = gp.i32(gp.sin(angle) * 1000.0 + gp.exp(angle) * 100.0 + angle % 0.3)


def expected(kernel: gp.Kernel, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    i = np.arange(len(x))
    if kernel is conditions_of_loaded_values:
        return np.where((i < 10) & (i % 5 != 1), y + 2, y)
    if kernel is divisors_that_were_loaded:
        t = i % 5
        return np.where(i < 10, 100 // np.where(t == 1, 5, (x[t] & 3) + 1), y)
    if kernel is divisors_from_ids:
        return np.where(i < 24, (x & 1023) // (12 - i % 12), y)
    if kernel is signed_divisors:
        return np.where(i < 48, x % (i % 12 - 12), y)
    if kernel is uniform_value_of_a_gang_beyond_the_workgroup:
        return np.where(i < 10, 2 + x[3], y)
    if kernel is functions_of_loaded_values:
        angle = np.where(i % 12 == 1, 0.5, x % 7 * 0.25 + 0.1)
        return np.where(i < 24, (np.sin(angle) * 1000 + np.exp(angle) * 100 + angle % 0.3).astype(np.int32), y)
    t = i % 20
    return np.where((i < 40) & (t < 7), x % np.maximum(7 - t, 1), y)


@pytest.mark.parametrize("num_lanes", [8, 16])
def test_functions_do_not_branch_on_lanes_that_are_off(num_lanes: int) -> None:
    """Their tests of all lanes see 1 in those that are off. Results cannot show it: a branch on poison is undefined."""
    valid = compiler.validate_for(compiler.Target.for_device(gp.device("cpu")), functions_of_loaded_values.module())
    text = emit(valid, num_lanes=num_lanes).text
    one = re.escape("float " + literal(1.0, F32))
    blended = re.findall(rf"= select <\d+ x i1> %\S+, <\d+ x float> %\S+, <\d+ x float> <{one}(?:, {one})*>", text)
    assert len(blended) >= 3


@pytest.mark.parametrize("num_lanes", [1, 4, 8, 16])
@pytest.mark.parametrize(
    "kernel",
    [
        conditions_of_loaded_values, divisors_that_were_loaded, divisors_from_ids, signed_divisors,
        remainders_in_a_branch, uniform_value_of_a_gang_beyond_the_workgroup, functions_of_loaded_values,
    ],
    ids=lambda kernel: kernel.name,
)  # fmt: skip
def test_lanes_that_are_off_have_no_effect(device: Device, num_lanes: int, kernel: gp.Kernel) -> None:
    x, y = (np.random.default_rng(seed).integers(0, 2000, 64).astype(np.int32) for seed in (1, 2))
    valid = compiler.validate_for(compiler.Target.for_device(gp.device("cpu")), kernel.module())
    scalars = {param.name: 64 for param in valid.module.params}
    result = run_valid(device, valid, [x, y.copy()], [2], scalars, num_lanes=num_lanes)[1]
    np.testing.assert_array_equal(result, expected(kernel, x, y))
