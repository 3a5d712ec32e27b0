"""A flag that differs later does not differ before: barriers after uniform exits and before divergent ones."""

from __future__ import annotations

import pytest

import gpucore as gp
from gpucore.errors import UniformityError
from gpucore.ir import Limits
from gpucore.kernel import Kernel
from gpucore.valid import validate


@gp.kernel(workgroup_size=8)
def exit_after_barrier(x: gp.In[gp.i32], y: gp.Out[gp.i32], n: gp.i32):
    t, g = gp.local_index(), gp.workgroup_id(0)
    w = gp.workgroup_array(gp.i32, 8)
    for _ in range(n):
        if g % 2 == 0:
            return
    if n != 2:
        w[t] = 1
        gp.barrier()
        if x[t] > 0:
            return
    y[t] = w[t]


@gp.kernel(workgroup_size=8)
def exit_before_barrier(x: gp.In[gp.i32], y: gp.Out[gp.i32], n: gp.i32):
    t = gp.local_index()
    if n != 2 and x[t] > 0:
        return
    gp.barrier()
    y[t] = 1


@gp.kernel(workgroup_size=8)
def assigned_anew(x: gp.In[gp.i32], y: gp.InOut[gp.i32], n: gp.i32):
    t = gp.local_index()
    flag = x[t] > 0
    y[t] = gp.i32(flag)
    flag = n > 0
    if flag:
        gp.barrier()
    flag = t > 2
    y[t] += gp.i32(flag)


@gp.kernel(workgroup_size=8)
def assigned_in_one_branch(x: gp.In[gp.i32], y: gp.Out[gp.i32], n: gp.i32):
    t = gp.local_index()
    flag = x[t] > 0
    if n > 1:
        flag = n > 2
    if flag:
        gp.barrier()
    y[t] = 1


@gp.kernel(workgroup_size=8)
def assigned_in_both_branches(x: gp.In[gp.i32], y: gp.Out[gp.i32], n: gp.i32):
    t = gp.local_index()
    flag = x[t] > 0
    if n > 1:
        flag = n > 2
    else:
        flag = n < -2
    if flag:
        gp.barrier()
    y[t] = 1


@gp.kernel(workgroup_size=8)
def branches_that_part(x: gp.In[gp.i32], y: gp.Out[gp.i32], n: gp.i32):
    t = gp.local_index()
    flag = False
    if x[t] > 1:
        flag = n > 2
    if flag:
        gp.barrier()
    y[t] = 1


@gp.kernel(workgroup_size=8)
def later_in_a_pass(x: gp.In[gp.i32], y: gp.Out[gp.i32], n: gp.i32):
    t = gp.local_index()
    flag = False
    for _ in range(n):
        if flag:
            gp.barrier()
        flag = x[t] > 0
    y[t] = 1


@gp.kernel(workgroup_size=8)
def anew_in_each_pass(x: gp.In[gp.i32], y: gp.Out[gp.i32], n: gp.i32):
    t = gp.local_index()
    flag = False
    for j in range(n):
        flag = j > 1
        if flag:
            gp.barrier()
        flag = x[t] > 0
    y[t] = gp.i32(flag)


@gp.kernel(workgroup_size=8)
def carried_by_a_break(x: gp.In[gp.i32], y: gp.Out[gp.i32], n: gp.i32):
    t = gp.local_index()
    flag = False
    for j in range(n):
        flag = x[t] > 0
        if j > 2:
            break
        flag = False
    if flag:
        gp.barrier()
    y[t] = 1


@gp.kernel(workgroup_size=8)
def carried_by_a_continue(x: gp.In[gp.i32], y: gp.Out[gp.i32], n: gp.i32):
    t = gp.local_index()
    flag = False
    for j in range(n):
        if flag:
            gp.barrier()
        flag = x[t] > 0
        if j > 2:
            continue
        flag = False
    y[t] = 1


@gp.kernel(workgroup_size=8)
def left_at_other_times(x: gp.In[gp.i32], y: gp.Out[gp.i32], n: gp.i32):
    t = gp.local_index()
    count = 0
    while True:
        count += 1
        if count > x[t]:
            break
    if count > n:
        gp.barrier()
    y[t] = 1


def check(kernel: Kernel) -> None:
    validate(kernel.lower(), frozenset(), Limits())


@pytest.mark.parametrize("kernel", [exit_after_barrier, assigned_anew, assigned_in_both_branches, anew_in_each_pass])
def test_accepted(kernel: Kernel) -> None:
    check(kernel)


@pytest.mark.parametrize(
    "kernel",
    [
        exit_before_barrier, assigned_in_one_branch, branches_that_part, later_in_a_pass, carried_by_a_break,
        carried_by_a_continue, left_at_other_times,
    ],
)  # fmt: skip
def test_refused(kernel: Kernel) -> None:
    with pytest.raises(UniformityError) as caught:
        check(kernel)
    assert caught.value.code == "GP301"
    assert "gp.local_id(0)" in caught.value.why
