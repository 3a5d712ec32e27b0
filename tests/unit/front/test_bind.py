"""`kernel.bind`: arguments and grids that stay."""

from __future__ import annotations

import pytest

import gpucore as gp


@gp.kernel(workgroup_size=4)
def axpy(a: gp.f32, x: gp.In[gp.f32], y: gp.InOut[gp.f32], n: gp.i32):
    i = gp.global_id(0)
    if i < n:
        y[i] = a * x[i] + y[i]


@pytest.fixture
def arrays():
    return gp.arange(6, dtype=gp.f32, device="simulator"), gp.zeros(6, device="simulator")


def test_the_other_arguments_are_given_at_the_call(arrays):
    x, y = arrays
    step = axpy.bind(x=x, n=6)
    step(2.0, y)
    step(1.0, y=y)
    step(y=y, a=1.0, invocations=6)
    step(2.0, y, workgroups=1)  # four elements
    assert y.numpy().tolist() == [0.0, 6.0, 12.0, 18.0, 16.0, 20.0]


def test_by_position_and_completely(arrays):
    x, y = arrays
    step = axpy.bind(2.0, x, y, 5, invocations=6)
    step()
    step()
    assert y.numpy().tolist() == [0.0, 4.0, 8.0, 12.0, 16.0, 0.0]
    step.bind(a=0.5, n=6)()
    assert y.numpy().tolist() == [0.0, 4.5, 9.0, 13.5, 18.0, 2.5]
    assert repr(step) == "<<gpucore kernel axpy, workgroup size (4, 1, 1)> with a, x, y, n bound, called with ()>"


@gp.kernel(workgroup_size=4)
def of_all_kinds(self: gp.f32, /, y: gp.Out[gp.f32], n: gp.Const[int] = 2, *, c: gp.f32 = 1.0):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = self * n + c


@gp.kernel(workgroup_size=4)
def named_self(self: gp.f32, y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = self


def test_parameters_of_all_kinds_and_names(arrays):
    _, y = arrays
    calls = {
        7.0: lambda: of_all_kinds.bind(3.0)(y),
        22.0: lambda: of_all_kinds.bind(3.0, n=7)(y),
        9.0: lambda: of_all_kinds.bind(y=y)(4.0),
        8.0: lambda: of_all_kinds.bind(c=6.0)(1.0, y),
        12.0: lambda: of_all_kinds.bind(n=3, c=6.0)(2.0, y),
        5.0: lambda: of_all_kinds.bind(1.0, y, c=4.0)(n=1),
        10.0: lambda: named_self.bind(self=10.0)(y),
        11.0: lambda: named_self.bind(y=y)(self=11.0),
        13.0: lambda: named_self(self=13.0, y=y),
    }
    for expected, call in calls.items():
        for _ in range(2):
            y.fill(0)
            call()
            assert y.numpy().tolist() == [expected] * 6
    with pytest.raises(gp.ArgumentError, match="unexpected keyword argument 'z'"):
        of_all_kinds.bind(3.0)(y, z=1)
    with pytest.raises(gp.ArgumentError, match="missing a required argument: 'y'"):
        of_all_kinds.bind(3.0)()


def test_refusals(arrays):
    x, y = arrays
    with pytest.raises(gp.ArgumentError, match=r"axpy has no parameter 'b'; it takes \(a, x, y, n\)"):
        axpy.bind(b=1)
    with pytest.raises(gp.ArgumentError, match="'a' is given twice"):
        axpy.bind(1.0, a=2.0)
    with pytest.raises(gp.ArgumentError, match="5 arguments are given"):
        axpy.bind(1, 2, 3, 4, 5)
    with pytest.raises(gp.ArgumentError, match="1 argument is given, and all are bound"):
        axpy.bind(1.0, x, y, 6)(7)
    step = axpy.bind(x=x, n=6)
    with pytest.raises(gp.ArgumentError, match="'n' is bound; bind it anew"):
        step(1.0, y, n=3)
    with pytest.raises(gp.ArgumentError, match=r"3 arguments are given, and \(a, y\) are not bound"):
        step(1.0, y, 6)
    for twice in (lambda: step(1.0, y, a=2.0), lambda: step(1.0, a=2.0, y=y), lambda: step.bind(1.0, a=2.0)):
        with pytest.raises(gp.ArgumentError, match="axpy: 'a' is given twice"):
            twice()
    with pytest.raises(gp.ArgumentError, match=r"3 arguments are given, and \(a, y\) are not bound"):
        step.bind(1.0, y, 6)
    assert y.numpy().tolist() == [0.0] * 6
    with pytest.raises(gp.ArgumentError, match="missing a required argument: 'y'"):
        step(1.0)
    with pytest.raises(gp.ArgumentError, match="'a' must be a number"):
        step("1", y)


def test_wrong_and_closed_arrays_after_a_good_call(arrays):
    x, y = arrays
    step = axpy.bind(1.0, x, n=6)
    step(y)
    for wrong, message in ((x, "is the same memory as 'x'"), (gp.zeros(6, gp.i32, device="simulator"), "holds i32")):
        with pytest.raises(gp.ArgumentError, match=message):
            step(wrong)
    x.close()
    with pytest.raises(gp.ArgumentError, match="'x' was closed"):
        step(y)
