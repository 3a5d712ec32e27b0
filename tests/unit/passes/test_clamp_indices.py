"""What `insert_clamps` proves, what it asks of a call, and that a call for which that is not so runs clamped."""

from __future__ import annotations

import functools
import sys
from dataclasses import replace
from pathlib import Path
from types import FrameType

import numpy as np
import pytest

import gpucore as gp
from gpucore import ir
from gpucore.algorithms.matmul.tiled import make_kernels
from gpucore.algorithms.shapes import LARGE, SMALL, Tile
from gpucore.ir import build
from gpucore.passes.index_bounds import clamp_indices
from gpucore.passes.index_bounds.clamp_indices import insert_clamps
from gpucore.passes.index_bounds.prover import Facts


@gp.kernel
def guarded(a: gp.f32, x: gp.In[gp.f32], y: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    if i < x.size and i < y.size:
        y[i] = a * x[i] + y[i]


@gp.kernel
def returns_early(y: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    if i >= y.size:
        return
    y[i] = y[i] + 1.0


@gp.kernel(workgroup_size=(8, 8))
def transposes(x: gp.In[gp.f32, 2], y: gp.Out[gp.f32, 2]):
    row, column = gp.global_id(1), gp.global_id(0)
    if row < x.shape[0] and column < x.shape[1] and row < y.shape[1] and column < y.shape[0]:
        y[column, row] = x[row, column]


@gp.kernel
def stencil(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if 0 < i < x.size - 1 and i < y.size:
        y[i] = x[i - 1] + x[i] + x[i + 1]


@gp.kernel
def wraps_around(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = x[(i + 1) % x.size] + x[0]


@gp.kernel
def searches(x: gp.In[gp.f32], y: gp.Out[gp.i32]):
    i = gp.global_id(0)
    low, high = 0, x.size
    while low < high:
        middle = low + (high - low) // 2
        if x[middle] < gp.f32(i):
            low = middle + 1
        else:
            high = middle
    if i < y.size:
        y[i] = low


@gp.kernel
def counts_in_steps(x: gp.In[gp.f32], y: gp.InOut[gp.f32]):
    if y.size > 0 and gp.global_id(0) == 0:
        for k in range(0, x.size, 3):
            y[0] = y[0] + x[k]


@gp.kernel
def short_circuits(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < x.size and x[i] > 0.0 and i < y.size:
        y[i] = x[i]


@gp.kernel
def indexes_by_functions(x: gp.In[gp.i32]):
    i = gp.global_id(0)
    signs, counts = gp.workgroup_array(gp.i32, 3), gp.workgroup_array(gp.i32, 17)
    if i < x.size:
        signs[gp.sign(x[i]) + 1] = 1
        counts[gp.clz(gp.abs(gp.clamp(x[i], -99, 99)) | 0xFFFF)] = 1


PROVEN = (
    guarded, returns_early, transposes, stencil, wraps_around, searches, counts_in_steps, short_circuits,
    indexes_by_functions,
)  # fmt: skip


@pytest.mark.parametrize("kernel", PROVEN, ids=lambda kernel: kernel.name)
def test_indices_that_are_proven_stay(kernel: gp.Kernel) -> None:
    module = kernel.module()
    assert insert_clamps(module, assume=False) is module


@gp.kernel
def steps_over(y: gp.InOut[gp.f32], by: gp.i32):
    i = gp.global_id(0)
    if i + by < y.size:
        y[i + by] = 1.0


@gp.kernel
def unsigned_test(y: gp.InOut[gp.f32], by: gp.i32):
    i = gp.global_id(0)
    if gp.u32(i + by) < gp.u32(y.size):
        y[i + by] = 1.0


def _is_clamped(module: ir.Module) -> bool:
    return any(isinstance(origin, ir.LastIndexOrigin) for origin in module.origins)


def test_a_sum_that_may_wrap_needs_both_tests_or_an_unsigned_one() -> None:
    assert _is_clamped(insert_clamps(steps_over.module(), assume=False))
    assert not _is_clamped(insert_clamps(unsigned_test.module(), assume=False))


@gp.kernel
def bounded_by_a_number(x: gp.In[gp.f32], y: gp.InOut[gp.f32], n: gp.i32):
    i = gp.global_id(0)
    if i < n:
        y[i] = x[i]


@gp.kernel(unchecked=True)
def trusted(y: gp.InOut[gp.f32], by: gp.i32):
    y[gp.global_id(0) + by] = 1.0


def test_what_would_follow_from_the_call_is_assumed() -> None:
    module = bounded_by_a_number.module()
    assuming = insert_clamps(module)
    assert assuming.body is module.body
    n = ir.ArgumentOrigin("n")
    assert {assumption.terms for assumption in assuming.assumptions} == {
        ((-1, (n,)), (1, (ir.ShapeOrigin(name, 0),))) for name in "xy"
    }
    assert _is_clamped(insert_clamps(module, assume=False))


def test_an_expression_is_translated_again_after_an_assignment_to_its_variable() -> None:
    """One object stands for two values, before and after the assignment: the range of one says nothing of the other."""
    x = ir.Buffer(0, "x", ir.F32, True, True)
    size, argument = ir.Param(0, "x.shape[0]", ir.I32), ir.Param(1, "a", ir.F32)
    variable, before, after = ir.Local(0, "f", ir.F32), ir.Value(1, "before", ir.I32), ir.Value(2, "after", ir.I32)
    index, zero = ir.Convert(variable, ir.I32), ir.Constant(0, ir.I32)
    at_least_0 = ir.Binary(ir.BinaryOp.GE, before, zero, ir.BOOL)
    in_range = ir.Binary(ir.BinaryOp.AND, at_least_0, ir.Binary(ir.BinaryOp.LT, before, size, ir.BOOL), ir.BOOL)
    for used, is_clamped in ((before, False), (after, True)):
        body = (
            ir.Declare(variable, argument),
            ir.Let(before, index),
            ir.Assign(variable, ir.Constant(7.0, ir.F32)),
            ir.Let(after, index),
            ir.If(in_range, (ir.Store(ir.Place(x, used), ir.Constant(1.0, ir.F32)),), ()),
        )
        origins = (ir.ShapeOrigin("x", 0), ir.ArgumentOrigin("a"))
        module = ir.Module("k", (64, 1, 1), (x,), (size, argument), origins, (), body)
        assert _is_clamped(insert_clamps(module, assume=False)) is is_clamped


def test_a_range_that_holds_in_a_branch_says_nothing_after_it() -> None:
    """The range of a product is kept, and must be computed again where one of its factors has another range."""
    n, m = (ir.Param(place, name, ir.I32) for place, name in enumerate("nm"))
    array = ir.PrivateArray(0, "a", ir.I32, 16)
    index = build.mul(n, m)
    store = ir.Store(ir.Place(array, index), ir.Constant(1, ir.I32))
    tests = [test for one in (n, m) for test in (build.ge(one, 0), build.lt(one, 4))]
    body = (ir.DeclareArray(array), ir.If(functools.reduce(build.logical_and, tests), (store,)), store)
    origins = (ir.ArgumentOrigin("n"), ir.ArgumentOrigin("m"))
    module = insert_clamps(ir.Module("k", (64, 1, 1), (), (n, m), origins, (), body), assume=False)
    _, branch, after = module.body
    assert branch is body[1]
    assert isinstance(after, ir.Store) and after.place.index is not index


def test_an_unchecked_kernel_is_trusted() -> None:
    assert not _is_clamped(insert_clamps(trusted.module(), assume=False))


def test_calls_change_between_what_is_assumed_and_what_is_not() -> None:
    device = gp.device("cpu")
    x = gp.asarray(np.arange(10, dtype=np.float32), device=device)
    for n in (10, 5000, 3, 5000, 10):
        y, after = gp.zeros(10, device=device), gp.zeros(10, device=device)
        bounded_by_a_number(x, y, n, invocations=8192)
        expected = np.where(np.arange(10) < n, np.arange(10), 0).astype(np.float32)
        np.testing.assert_array_equal(y.numpy()[:9], expected[:9])  # the last takes what is out of range, in any order
        assert not after.numpy().any()


def test_an_array_of_no_element_has_room_for_one() -> None:
    device = gp.device("cpu")
    empty, after = gp.empty(0, gp.f32x4, device=device), gp.zeros(4, device=device)

    @gp.kernel
    def fill(out: gp.Out[gp.f32x4]):
        out[gp.global_id(0) + 5] = gp.f32x4(1.0)

    fill(empty, invocations=100)
    assert empty.numpy().size == 0
    assert not after.numpy().any()


def _tiled_product(tile: Tile, is_guarded: bool) -> ir.Module:
    of_vectors, of_elements = make_kernels(tile)
    if is_guarded:
        module = of_elements.module(vector=gp.f32x4, tile=tile, guarded=True)
    else:
        module = of_vectors.module(vector=gp.f32x4, tile=tile)
    return replace(module, unchecked=False)


TILES = pytest.mark.parametrize("tile", [LARGE, SMALL], ids=["large", "small"])


@TILES
@pytest.mark.parametrize("is_guarded", [False, True])
def test_the_library_s_tiled_product_takes_a_fraction_of_the_search(
    tile: Tile, is_guarded: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A search that fails is not repeated at full length for each of the kernel's alike indices."""
    made: list[Facts] = []

    class Remembered(Facts):
        def __init__(self) -> None:
            super().__init__()
            made.append(self)

    monkeypatch.setattr(clamp_indices, "Facts", Remembered)
    before = Facts().nodes_left
    insert_clamps(_tiled_product(tile, is_guarded))
    assert before - made[0].nodes_left < before // 6


@TILES
@pytest.mark.parametrize("is_guarded", [False, True])
def test_the_library_s_tiled_product_is_analysed_with_few_calls(tile: Tile, is_guarded: bool) -> None:
    """Bounds the time of the pass by a number that does not depend on the machine: calls of its functions an index."""
    module = _tiled_product(tile, is_guarded)
    indices = sum(isinstance(statement, ir.Load | ir.Store) for statement in ir.walk.statements(module.body))
    folder = str(Path(clamp_indices.__file__).parent)
    calls = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += event == "call" and frame.f_code.co_filename.startswith(folder)

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        insert_clamps(module)
    finally:
        sys.setprofile(before)
    assert calls < 700 * indices
