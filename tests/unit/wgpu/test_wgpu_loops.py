"""Loops, and the driver that cuts them short."""

from __future__ import annotations

import numpy as np
import pytest
import wgpu_kernels as kernels
from wgpu_builder import Kernel, builtin, constant, i32, prove, wait, wgsl

from gpucore import ir
from gpucore.errors import DispatchError
from gpucore.ir import I32, U32, BinaryOp
from gpucore.ir.build import add, binary, lt, mul
from gpucore.runtime.packing import packer
from gpucore.runtime.protocol import DeviceKind
from gpucore_wgpu.loops import most_iterations


def dispatch_count_up(device, n, m, barrier=False):
    module = kernels.count_up(barrier)
    valid = prove(module)
    out = device.allocate(4 * 40)
    pipeline = device.compile(wgsl(module, device))
    device.dispatch(pipeline, [out], packer(valid.slots, valid.scalars_nbytes).pack(n, m), (2, 1, 1))
    return out


def read(out):
    result = np.empty(40, np.int32)
    out.read(memoryview(result).cast("B"))
    return result


@pytest.mark.parametrize("barrier", [False, True])
def test_60000_iterations_are_right(device, barrier):
    out = dispatch_count_up(device, 60000, 60000, barrier)
    wait(device.mark())
    assert read(out).tolist() == [60000] * 40


@pytest.mark.parametrize(("n", "m", "barrier"), [(70000, 70000, False), (10, 70000, False), (70000, 70000, True)])
def test_70000_iterations_are_an_error_where_the_driver_stops_counting(device, n, m, barrier):
    if device.info.limits.max_loop_iterations is None:
        pytest.skip(f"{device.info.id} has no limit on iterations")
    dispatch_count_up(device, n, m, barrier)
    mark = device.mark()
    with pytest.raises(DispatchError, match=r"'count_up' was cut short.*65535"):
        wait(mark)
    with pytest.raises(DispatchError):
        mark.is_done()
    out = dispatch_count_up(device, 7, 8, barrier)  # the next dispatch is judged by itself
    wait(device.mark())
    expected = [7] * 40
    expected[3] = 7 if barrier else 8
    assert read(out).tolist() == expected


def test_invocations_that_take_turns_are_seen_too(device):
    """Each invocation makes 40000 passes, but those that run in lockstep make 80000 together."""
    if device.info.limits.max_loop_iterations is None:
        pytest.skip(f"{device.info.id} has no limit on iterations")
    kernel = Kernel("take_turns", 2)
    out, n = kernel.buffer("out", I32, writable=True), kernel.param("n", I32)
    i = kernel.global_id()
    total = kernel.local("total", I32)
    kernel.body.append(ir.Declare(total, i32(0)))
    for turn in range(2):
        stop = ir.Select(binary(BinaryOp.EQ, i, i32(turn)), n, i32(0), I32)
        passes = (ir.Assign(total, add(mul(total, i32(3)), i32(1))),)
        kernel.body.append(ir.ForRange(kernel.value("k", I32), i32(0), stop, passes))
    kernel.store(out, i, total)
    valid = prove(kernel.module())
    buffer, pipeline = device.allocate(8), device.compile(wgsl(kernel.module(), device))
    device.dispatch(pipeline, [buffer], packer(valid.slots, valid.scalars_nbytes).pack(40000), (1, 1, 1))
    with pytest.raises(DispatchError):
        wait(device.mark())


def test_a_mark_after_kernels_with_loop_checks_does_not_wait_for_them(device):
    """Else no wait could be interrupted, or given up after a while."""
    is_software = device.info.kind is DeviceKind.SOFTWARE
    if device.info.api == "OpenGL" and is_software:
        pytest.skip("a submit to OpenGL in software waits for the work itself")
    module = take_steps()
    valid = prove(module)
    buffer, pipeline = device.allocate(4 * 20000), device.compile(wgsl(module, device))
    # A submit to lavapipe waits for the work of earlier submits, so there only one mark can tell; and it ends loops
    # after 65535 steps. Elsewhere there are enough steps for the first dispatch to outlast the calls after it.
    batches, steps = ([4], 60000) if is_software else ([1, 4], 600000)
    scalars = packer(valid.slots, valid.scalars_nbytes).pack(steps)
    was_done = []
    for _ in range(3):  # the work may be done in time if this thread has to wait for a processor
        marks = []
        for count in batches:
            for _ in range(count):
                device.dispatch(pipeline, [buffer], scalars, (1000, 1, 1))
            marks.append(device.mark())
        was_done.append(marks[0].is_done())
        wait(marks[-1])
    assert not all(was_done)


def take_steps():
    """A loop of n steps in each of 20 invocations a workgroup, which no compiler does in one."""
    kernel = Kernel("take_steps", 20)
    out, n = kernel.buffer("out", U32, writable=True), kernel.param("n", I32)
    total = kernel.local("total", U32)
    kernel.body.append(ir.Declare(total, constant(1, U32)))
    step = binary(BinaryOp.BIT_XOR, mul(total, constant(1664525, U32)), constant(1013904223, U32))
    kernel.body.append(ir.ForRange(kernel.value("k", I32), i32(0), n, (ir.Assign(total, step),)))
    kernel.store(out, kernel.global_id(), total)
    return kernel.module()


def test_bounded_loops_are_not_checked(device):
    kernel = Kernel("bounded")
    out = kernel.buffer("out", I32, writable=True)

    def nest(count):
        store = ir.Store(ir.Place(out, i32(0)), i32(1))
        inner = ir.ForRange(kernel.value("k", I32), i32(0), i32(100), (store,))
        kernel.body.append(ir.ForRange(kernel.value("j", I32), i32(0), i32(count), (inner,)))

    nest(100)
    assert most_iterations(kernel.module().body) == 100 * 102 + 1
    assert not device.compile(wgsl(kernel.module(), device)).checks_loops
    nest(60000)
    assert device.compile(wgsl(kernel.module(), device)).checks_loops == (
        device.info.limits.max_loop_iterations is not None
    )


def test_break_continue_and_changing_bounds(run):
    """Sum of the odd k below a bound that the body changes (it is read once), up to the first k above 10 + i."""
    kernel = Kernel("jumps")
    out = kernel.buffer("out", I32, writable=True)
    i = kernel.let("i", builtin(ir.BuiltinKind.WORKGROUP_ID))
    stop, total = kernel.local("stop", I32), kernel.local("total", I32)
    k = kernel.value("k", I32)
    body = (
        ir.Assign(stop, i32(0)),
        ir.If(binary(BinaryOp.EQ, binary(BinaryOp.FLOOR_MOD, k, i32(2)), i32(0)), (ir.Continue(),)),
        ir.If(lt(add(i, i32(10)), k), (ir.Break(),)),
        ir.Assign(total, add(total, k)),
    )
    kernel.body += [ir.Declare(stop, i32(17)), ir.Declare(total, i32(0)), ir.ForRange(k, i32(1), stop, body)]
    kernel.store(out, i, total)
    (result,) = run(kernel.module(), [np.zeros(9, np.int32)], workgroups=9)
    expected = [sum(k for k in range(1, 17, 2) if k <= 10 + i) for i in range(9)]
    assert result.tolist() == expected


def test_private_arrays_start_at_zero_each_time(run):
    kernel = Kernel("fresh")
    out = kernel.buffer("out", I32, writable=True)
    array = ir.PrivateArray(kernel.id(), "scratch", I32, 4)
    k, old = kernel.value("k", I32), kernel.value("old", I32)
    index = binary(BinaryOp.BIT_AND, k, i32(3))
    kernel.body.append(
        ir.ForRange(
            k, i32(0), i32(6),
            (
                ir.DeclareArray(array),
                ir.Load(old, ir.Place(array, index)),
                ir.Store(ir.Place(array, index), add(old, add(k, i32(1)))),
                *load_and_store(kernel, array, index, out, k),
            ),
        )
    )  # fmt: skip
    (result,) = run(kernel.module(), [np.zeros(6, np.int32)])
    assert result.tolist() == [1, 2, 3, 4, 5, 6]


def test_private_arrays_of_changing_indices(run):
    """An insertion sort by swaps: places that outlive a change of the variable they were indexed by."""
    kernel = Kernel("swap_sort")
    out = kernel.buffer("out", I32, writable=True)
    base = kernel.let("base", mul(builtin(ir.BuiltinKind.WORKGROUP_ID), i32(5)))
    array, j = ir.PrivateArray(kernel.id(), "scratch", I32, 5), kernel.local("j", I32)
    kernel.body.append(ir.DeclareArray(array))
    for k in range(5):
        kernel.store(array, i32(k), kernel.load(f"x{k}", out, add(base, i32(k))))
    k, upper, lower = kernel.value("k", I32), kernel.value("upper", I32), kernel.value("lower", I32)
    here, before = ir.Place(array, j), ir.Place(array, add(j, i32(-1)))
    swaps = (
        ir.If(lt(j, i32(1)), (ir.Break(),)),
        ir.Load(upper, here),
        ir.Load(lower, before),
        ir.If(lt(lower, add(upper, i32(1))), (ir.Break(),)),
        ir.Store(here, lower),
        ir.Store(before, upper),
        ir.Assign(j, add(j, i32(-1))),
    )
    kernel.body.append(ir.ForRange(k, i32(1), i32(5), (ir.Declare(j, k), ir.Loop(swaps))))
    for k in range(5):
        kernel.store(out, add(base, i32(k)), kernel.load(f"y{k}", array, i32(k)))
    values = np.random.default_rng(6).integers(-99, 99, 200).astype(np.int32)
    (result,) = run(kernel.module(), [values], workgroups=40)
    np.testing.assert_array_equal(result.reshape(40, 5), np.sort(values.reshape(40, 5), axis=1))


def load_and_store(kernel, array, index, out, k):
    new = kernel.value("new", I32)
    return ir.Load(new, ir.Place(array, index)), ir.Store(ir.Place(out, k), new)


def test_else_if_chains(run):
    kernel = Kernel("chain")
    out = kernel.buffer("out", I32, writable=True)
    i = kernel.let("i", builtin(ir.BuiltinKind.WORKGROUP_ID))

    def put(value):
        return (ir.Store(ir.Place(out, i), i32(value)),)

    inner = ir.If(lt(i, i32(2)), put(20), (ir.If(lt(i, i32(3)), put(30), put(40)),))
    kernel.body.append(ir.If(lt(i, i32(1)), put(10), (inner,)))
    assert wgsl(kernel.module()).text.count("else if") == 2
    (result,) = run(kernel.module(), [np.zeros(5, np.int32)], workgroups=5)
    assert result.tolist() == [10, 20, 30, 40, 40]


def test_a_loop_that_ends_at_a_minimum_is_bounded_by_it():
    """As in kernels with several elements an invocation: they need no check."""
    n = ir.Param(0, "n", U32)
    stop = ir.build.call(ir.MathOp.MIN, n, 16)
    loop = ir.ForRange(ir.Value(0, "at", U32), constant(0, U32), stop, ())
    assert most_iterations((loop,)) == 17
    assert most_iterations((ir.ForRange(ir.Value(0, "at", U32), constant(0, U32), n, ()),)) is None
