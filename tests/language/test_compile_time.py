"""gp.target, gp.func, gp.static, captured values, helpers from other modules, and where source may come from."""

from __future__ import annotations

import colorsys
import linecache
from typing import TypeVar

import numpy as np
import pytest

import gpucore as gp

T = TypeVar("T", gp.f32, gp.i32)


@gp.kernel(workgroup_size=1)
def describe_target(y: gp.Out[gp.i32]):
    if gp.target.backend == "simulator":
        y[0] = 1
    elif gp.target.kind == "cpu":
        y[0] = 2
    else:
        y[0] = 3
    if gp.target.has(gp.Capability.F64):
        y[1] = gp.i32(gp.f64(y.size) * gp.f64(2.5))
    else:
        y[1] = -1
    y[2] = gp.i32(gp.target.has("breakpoint"))


def test_target_is_known_when_the_kernel_is_compiled(device: gp.Device) -> None:
    y = gp.zeros(3, gp.i32, device=device)
    describe_target(y, invocations=1)
    first = 1 if device.backend.name == "simulator" else 2 if device.kind.value == "cpu" else 3
    second = 7 if device.supports("f64") else -1
    np.testing.assert_array_equal(y.numpy()[:2], [first, second])


@gp.kernel(workgroup_size=1)
def tell_size(y: gp.Out[gp.i32]):
    if gp.target.subgroup_size > 0:
        y[0] = gp.target.subgroup_size
    else:
        y[0] = 0


def test_the_size_of_subgroups_of_the_target(device: gp.Device) -> None:
    y = gp.full(1, -1, gp.i32, device=device)
    tell_size(y, invocations=1)
    least, most = device.limits.min_subgroup_size, device.limits.max_subgroup_size
    assert y.item() == (8 if not device.supports("subgroup") else most if least == most else 0)


@gp.func
def shift(x: gp.f32, by: gp.f32) -> gp.f32:
    return x + by


@gp.kernel(workgroup_size=32)
def shifted(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < x.size:
        y[i] = shift(x[i], 1)


@gp.kernel
def shifted_by_an_integer(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    y[0] = shift(x[0], gp.global_id(0))


def test_func_pins_types(device: gp.Device) -> None:
    """A literal takes the parameter's type; a value of another type is refused; outside it is the function."""
    x = np.arange(41, dtype=np.float32)
    y = gp.zeros(41, device=device)
    shifted(gp.asarray(x, device=device), y, invocations=41)
    np.testing.assert_array_equal(y.numpy(), x + 1)
    assert shift(2.0, 3.0) == 5.0  # type: ignore[arg-type]


def test_func_refuses_another_type() -> None:
    with pytest.raises(gp.KernelTypeError) as caught:
        shifted_by_an_integer.ir()
    assert caught.value.code == "GP201"


@gp.kernel(workgroup_size=32)
def to_yiq(rgb: gp.In[gp.f32, 2], yiq: gp.Out[gp.f32, 2]):
    """A function of the standard library, which knows nothing of kernels."""
    i = gp.global_id(0)
    if i < rgb.shape[0]:
        yiq[i, 0], yiq[i, 1], yiq[i, 2] = colorsys.rgb_to_yiq(rgb[i, 0], rgb[i, 1], rgb[i, 2])


def test_a_function_of_a_library_that_knows_no_kernels(device: gp.Device) -> None:
    rgb = np.random.default_rng(8).random((45, 3)).astype(np.float32)
    yiq = gp.zeros((45, 3), device=device)
    to_yiq(gp.asarray(rgb, device=device), yiq, invocations=45)
    expected = [colorsys.rgb_to_yiq(*map(float, row)) for row in rgb]
    np.testing.assert_allclose(yiq.numpy(), expected, rtol=0, atol=8 * 2.0**-24)  # eight roundings of parts below 1


WEIGHTS = (1, 2, 4, 2, 1)
DTYPE = gp.i32
SCALE = 10


def made_with(offset: int) -> gp.Kernel:
    @gp.kernel(workgroup_size=32)
    def weighted(x: gp.In[T], y: gp.Out[T], squares: gp.Const[bool]):
        """Globals, a name of the closure, a tuple, a dtype, static Python and a loop that is always unrolled."""
        i = gp.global_id(0)
        total = T(0)
        for k in gp.unroll(range(len(WEIGHTS))):
            j = gp.clamp(i + k - gp.static(len(WEIGHTS) // 2), 0, x.size - 1)
            total += x[j] * WEIGHTS[k]
        if i < y.size:
            y[i] = total * total if squares else total * gp.static(sum(WEIGHTS) * SCALE) + T(DTYPE(offset))

    return weighted


@pytest.mark.parametrize("dtype", [np.int32, np.float32])
@pytest.mark.parametrize("squares", [False, True])
def test_captured_and_static_values(device: gp.Device, dtype: type, squares: bool) -> None:
    x = np.random.default_rng(9).integers(-9, 9, 70).astype(dtype)
    source = gp.asarray(x, device=device)
    y = gp.zeros(70, source.dtype, device=device)
    made_with(7)(source, y, squares, invocations=70)
    total = np.convolve(np.pad(x, 2, mode="edge"), WEIGHTS, mode="valid")
    np.testing.assert_array_equal(y.numpy(), total**2 if squares else total * 100 + 7)


TEXT = """
import gpucore as gp

@gp.kernel
def double(x: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    if i < x.size:
        x[i] *= 2
"""


def test_source_in_linecache_is_read_as_notebooks_have_it(device: gp.Device) -> None:
    name = "<a cell of a notebook>"
    linecache.cache[name] = (len(TEXT), None, TEXT.splitlines(keepends=True), name)
    names: dict[str, gp.Kernel] = {}
    exec(compile(TEXT, name, "exec"), names)  # noqa: S102 (what a notebook does)
    x = gp.asarray(np.arange(9, dtype=np.int32), device=device)
    names["double"](x, invocations=9)
    np.testing.assert_array_equal(x.numpy(), np.arange(9) * 2)


@gp.kernel(workgroup_size=32)
def known_until_assigned(
    v: gp.In[gp.f32x4], sums: gp.Out[gp.f32], counts: gp.InOut[gp.u32, 2], n: gp.Const[int], width: gp.Const[int]
):
    """Names that are compile-time values, until later assignments make them values of run time."""
    i = gp.global_id(0)
    if i < v.size:
        total = 0.0
        for c in gp.unroll(range(4)):
            total += v[i][c]
        c = total + 1.0
        sums[i] = c
        for a in gp.unroll((1, 2)):
            counts[i, a] = gp.u32(a)
        a = gp.u32(i)
        first = gp.private_array(gp.u32, width)
        width = i % 3
        first[width] = a
        m = 2
        second = gp.private_array(gp.u32, m)
        m += i
        for m in gp.unroll(range(2)):
            second[m] = 7
        for _ in range(n):
            k = 2
            third = gp.private_array(gp.u32, k)
            third[i % k] = first[width]
            counts[i, 0] = third[i % 2] * 100
            k = i + gp.i32(second[m])
            n = k
        counts[i, 0] += gp.u32(n)


def test_a_name_is_known_until_another_value_is_assigned(device: gp.Device) -> None:
    v = np.random.default_rng(5).integers(-9, 10, (37, 4)).astype(np.float32)
    sums, counts = gp.zeros(37, device=device), gp.zeros((37, 3), gp.u32, device=device)
    known_until_assigned(gp.asarray(v, gp.f32x4, device=device), sums, counts, 2, 3, invocations=37)
    i = np.arange(37)
    np.testing.assert_array_equal(sums.numpy(), v.sum(1) + 1)
    np.testing.assert_array_equal(counts.numpy(), np.stack([i * 101 + 7, np.full(37, 1), np.full(37, 2)], 1))


@gp.kernel
def known_on_one_path(y: gp.Out[gp.u32]):
    n = 4
    if y.size > 3:
        n = 8
    y[0] = gp.private_array(gp.u32, n)[0]


@gp.kernel
def known_before_a_loop(y: gp.Out[gp.u32]):
    n = 4
    for _ in range(y.size):
        y[0] = gp.private_array(gp.u32, n)[0]
        n = y.size


@pytest.mark.parametrize("kernel", [known_on_one_path, known_before_a_loop])
def test_a_name_that_two_assignments_reach_is_not_known(kernel: gp.Kernel) -> None:
    with pytest.raises(gp.KernelTypeError, match="the shape of an array must be known") as caught:
        kernel.ir()
    assert caught.value.code == "GP210"


@gp.kernel(workgroup_size=4)
def annotated_before(y: gp.Out[gp.u32, 2]):
    i = gp.local_id(0)
    n: gp.u32 = 5
    y[i, 0] = n
    n = 3
    y[i, 1] = (n - 5) // 2


def test_an_annotated_name_keeps_its_type(device: gp.Device) -> None:
    y = gp.zeros((4, 2), gp.u32, device=device)
    annotated_before(y, invocations=4)
    np.testing.assert_array_equal(y.numpy(), [[5, (2**32 - 2) // 2]] * 4)


def test_a_literal_that_the_annotated_type_cannot_hold_is_refused() -> None:
    text = "def k(y: gp.Out[gp.u32]):\n    n: gp.u8 = 5\n    y[0] = n\n    n = 300\n    y[0] = n"
    with pytest.raises(gp.KernelTypeError, match="the literal 300 does not fit u8") as caught:
        gp.kernel_from_text(text).ir()
    assert caught.value.code == "GP205"


def exchanged(value: gp.i32) -> gp.i32:
    values = gp.workgroup_array(gp.i32, 4)
    values[gp.local_id(0)] = value
    gp.barrier()
    return values[3 - gp.local_id(0)]


@gp.kernel(workgroup_size=4)
def exchange_twice(y: gp.Out[gp.i32]):
    i = gp.local_id(0)
    y[i] = 10 * exchanged(i) + exchanged(i + 1)


@gp.kernel(workgroup_size=4)
def exchange_in_loops(y: gp.InOut[gp.i32]):
    i = gp.local_id(0)
    for k in range(3):
        y[i] += exchanged(i + k)
        gp.barrier()
    for k in gp.unroll(range(2)):
        y[i] += exchanged(i * k)


def test_each_compiled_call_of_a_helper_has_a_workgroup_array(device: gp.Device) -> None:
    y = gp.zeros(4, gp.i32, device=device)
    exchange_twice(y, workgroups=1)
    assert y.tolist() == [34, 23, 12, 1]
    assert exchange_twice.source("wgsl").count("var<workgroup>") == 2
    y = gp.zeros(4, gp.i32, device=device)
    exchange_in_loops(y, workgroups=1)
    assert y.tolist() == [3 * (3 - i) + 3 + (3 - i) for i in range(4)]
    assert len(exchange_in_loops.module(unoptimised=True).workgroup_arrays) == 1 + 2
    # the second of gp.unroll takes the memory of the loop's: the barrier of the first is between the two
    assert exchange_in_loops.source("wgsl").count("var<workgroup>") == 2


@gp.kernel(workgroup_size=4)
def typed_before(y: gp.Out[gp.u32, 2], z: gp.Out[gp.i32]):
    """n keeps the type of its first value; k, of the type that literals have by themselves, becomes compile-time."""
    i = gp.global_id(0)
    n, k = gp.u32(i), i
    y[i, 0] = n - 1
    n = 3
    y[i, 1] = n - 5
    total = k
    for k in gp.unroll(range(3)):
        total += gp.i32x4(1, 2, 4, 8)[k]
    k = 2
    z[i] = total + gp.private_array(gp.i32, k).size


def test_a_variable_keeps_the_type_of_its_first_value(device: gp.Device) -> None:
    y, z = gp.zeros((4, 2), gp.u32, device=device), gp.zeros(4, gp.i32, device=device)
    typed_before(y, z, invocations=4)
    assert y.numpy().tolist() == [[i - 1 & 0xFFFFFFFF, 0xFFFFFFFE] for i in range(4)]
    assert z.numpy().tolist() == [9, 10, 11, 12]
