"""Mistakes at a call: each is refused with a text that says which argument, why, and what to do. Whole texts."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import small_devices
from refusals import array, closed, message

import gpucore as gp
from gpucore.ir import Limits


@gp.struct
class Params:
    alpha: gp.f32
    n: gp.i32


@gp.struct
class OtherParams:
    alpha: gp.f32
    n: gp.i32


@gp.kernel
def saxpy(a: gp.f32, x: gp.In[gp.f32], y: gp.InOut[gp.f32]) -> None:
    i = gp.global_id(0)
    if i < y.size:
        y[i] = a * x[i] + y[i]


@gp.kernel
def fill(n: gp.i32, y: gp.Out[gp.i32]) -> None:
    i = gp.global_id(0)
    if i < y.size:
        y[i] = n


@gp.kernel
def halves(x: gp.InOut[gp.f32], y: gp.InOut[gp.f32]) -> None:
    i = gp.global_id(0)
    if i < y.size and i < x.size:
        x[i] *= 0.5
        y[i] *= 0.5


@gp.kernel
def transpose(x: gp.In[gp.f32, 2], y: gp.Out[gp.f32, 2]) -> None:
    i, j = gp.global_id(0), gp.global_id(1)
    if i < x.shape[0] and j < x.shape[1]:
        y[j, i] = x[i, j]


@gp.kernel
def scale(params: Params, y: gp.InOut[gp.f32]) -> None:
    i = gp.global_id(0)
    if i < params.n:
        y[i] = params.alpha * y[i]


@gp.kernel
def power(n: gp.Const[int], y: gp.InOut[gp.f32]) -> None:
    i = gp.global_id(0)
    if i < y.size:
        y[i] = y[i] ** n


@gp.kernel
def double_fours(y: gp.InOut[gp.f32x4]) -> None:
    i = gp.global_id(0)
    if i < y.size:
        y[i] = y[i] * 2.0


@gp.kernel(debug=True)
def stop(x: gp.In[gp.f32]) -> None:
    breakpoint()
    print(x[gp.global_id(0)])


KERNEL_CALLS: dict[str, tuple[Callable[[], object], str]] = {
    "numpy_array": (
        lambda: saxpy(2.0, np.zeros(4, np.float32), array(4), invocations=4),
        "saxpy: the argument 'x' is a NumPy array, which is not on a device; copy it once with gp.asarray(x) and keep "
        "the result",
    ),
    "list": (
        lambda: saxpy(2.0, [1.0, 2.0], array(2), invocations=2),
        "saxpy: the argument 'x' must be a device array, not list; make one with gp.asarray",
    ),
    "scalar_for_array": (
        lambda: saxpy(2.0, 1.0, array(2), invocations=2),
        "saxpy: the argument 'x' must be a device array, not float; make one with gp.asarray",
    ),
    "wrong_dtype": (
        lambda: saxpy(2.0, array(4, dtype=gp.i32), array(4), invocations=4),
        "saxpy: the argument 'x' holds i32, and the kernel takes f32; pass x.astype(gp.f32)",
    ),
    "float64_from_numpy": (
        lambda: saxpy(2.0, gp.asarray(np.ones(4), device="simulator"), array(4), invocations=4),
        "saxpy: the argument 'x' holds f64, and the kernel takes f32; pass x.astype(gp.f32)",
    ),
    "vectors_for_scalars": (
        lambda: saxpy(2.0, array(4, dtype=gp.f32x2), array(4), invocations=4),
        "saxpy: the argument 'x' holds f32x2, and the kernel takes f32; pass x.view(gp.f32)",
    ),
    "vectors_of_another_type": (
        lambda: saxpy(2.0, array(4, dtype=gp.i32x2), array(4), invocations=4),
        "saxpy: the argument 'x' holds i32x2, and the kernel takes f32; make it with gp.asarray(values, gp.f32)",
    ),
    "wrong_dtype_of_a_result": (
        lambda: saxpy(2.0, array(4), array(4, dtype=gp.i32), invocations=4),
        "saxpy: the argument 'y' holds i32, and the kernel takes f32; make it of that dtype, as in gp.empty(shape, "
        "gp.f32)",
    ),
    "rank_too_high": (
        lambda: saxpy(2.0, array(2, 2), array(4), invocations=4),
        "saxpy: the argument 'x' has rank 2, and the kernel takes rank 1; use reshape(-1)",
    ),
    "rank_too_low": (
        lambda: transpose(array(4), array(2, 2), invocations=(2, 2)),
        "transpose: the argument 'x' has rank 1, and the kernel takes rank 2; use reshape(rows, columns)",
    ),
    "closed": (
        lambda: saxpy(2.0, closed(), array(4), invocations=4),
        "saxpy: the argument 'x' was closed; create a new array",
    ),
    "other_device": (
        lambda: saxpy(2.0, gp.zeros(4, device="cpu"), array(4), invocations=4),
        "saxpy: the argument 'y' is on simulator:0, and another argument is on cpu:0; move one with .to(...)",
    ),
    "too_few": (
        lambda: saxpy(2.0, array(4), invocations=4),
        "saxpy: missing a required argument: 'y'; the kernel takes (a, x, y)",
    ),
    "too_many": (
        lambda: saxpy(2.0, array(4), array(4), 4, invocations=4),
        "saxpy: too many positional arguments; the kernel takes (a, x, y)",
    ),
    "unknown_keyword": (
        lambda: saxpy(2.0, array(4), array(4), size=4, invocations=4),
        "saxpy: got an unexpected keyword argument 'size'; the kernel takes (a, x, y); write invocations=n",
    ),
    "given_twice": (
        lambda: saxpy(2.0, array(4), array(4), a=1.0, invocations=4),
        "saxpy: multiple values for argument 'a'; the kernel takes (a, x, y)",
    ),
    "no_grid": (
        lambda: halves(array(4), array(4)),
        "halves: give either invocations=n (or a tuple, or an array) or workgroups=n (or a tuple); they may be "
        "left out only for a kernel that writes one array, and this one writes x, y",
    ),
    "two_grids": (
        lambda: saxpy(2.0, array(4), array(4), invocations=4, workgroups=1),
        "saxpy: give either invocations=n (or a tuple) or workgroups=n (or a tuple)",
    ),
    "negative_invocations": (
        lambda: saxpy(2.0, array(4), array(4), invocations=-4),
        "saxpy: invocations must be one to three whole numbers from 0, not -4",
    ),
    "float_invocations": (
        lambda: saxpy(2.0, array(4), array(4), invocations=4 / 2),
        "saxpy: invocations must be one to three whole numbers from 0, not 2.0",
    ),
    "four_axes": (
        lambda: saxpy(2.0, array(4), array(4), invocations=(1, 1, 1, 1)),
        "saxpy: invocations must be one to three whole numbers from 0, not (1, 1, 1, 1)",
    ),
    "bool_workgroups": (
        lambda: saxpy(2.0, array(4), array(4), workgroups=True),
        "saxpy: workgroups must be one to three whole numbers from 0, not True",
    ),
    "too_many_invocations": (
        lambda: saxpy(2.0, array(4), array(4), invocations=2**31),
        "saxpy: 2147483648 invocations along axis 0 are more than 2**31 - 1; split the work into several calls",
    ),
    "too_many_workgroups": (
        lambda: saxpy(2.0, array(4), array(4), workgroups=(1, 2**32)),
        "saxpy: 4294967296 workgroups of 1 along axis 1 exceed 2**31 invocations or 2**31 - 1 "
        "workgroups; split the work into several calls",
    ),
    "int_out_of_range": (
        lambda: fill(2**31, array(4, dtype=gp.i32), invocations=4),
        "fill: the argument 'n' is 2147483648, and i32 holds -2147483648 to 2147483647",
    ),
    "float_out_of_range": (
        lambda: saxpy(1e39, array(4), array(4), invocations=4),
        "saxpy: the argument 'a' is 1e+39, which is beyond the range of f32",
    ),
    "float_for_int": (
        lambda: fill(1.0, array(4, dtype=gp.i32), invocations=4),
        "fill: the argument 'n' must be a whole number (i32), not 1.0",
    ),
    "numpy_float_for_int": (
        lambda: fill(np.float32(1.0), array(4, dtype=gp.i32), invocations=4),
        "fill: the argument 'n' is float32, and the kernel takes i32; convert with numpy.int32(...)",
    ),
    "bool_for_int": (
        lambda: fill(True, array(4, dtype=gp.i32), invocations=4),
        "fill: the argument 'n' must be a whole number (i32), not True",
    ),
    "text_for_float": (
        lambda: saxpy("2.0", array(4), array(4), invocations=4),
        "saxpy: the argument 'a' must be a number (f32), not '2.0'",
    ),
    "none_for_float": (
        lambda: saxpy(None, array(4), array(4), invocations=4),
        "saxpy: the argument 'a' must be a number (f32), not None",
    ),
    "other_struct": (
        lambda: scale(OtherParams(2.0, 4), array(4), invocations=4),
        "scale: the argument 'params' must be a Params, not OtherParams",
    ),
    "dict_for_struct": (
        lambda: scale({"alpha": 2.0, "n": 4}, array(4), invocations=4),
        "scale: the argument 'params' must be a Params, not dict",
    ),
    "struct_class": (
        lambda: scale(Params, array(4), invocations=4),
        "scale: the argument 'params' must be a Params, not the class itself",
    ),
    "struct_field_out_of_range": (
        lambda: scale(Params(2.0, 2**31), array(4), invocations=4),
        "scale: the argument 'params.n' is 2147483648, and i32 holds -2147483648 to 2147483647",
    ),
    "struct_field_of_wrong_type": (
        lambda: scale(Params("2", 4), array(4), invocations=4),
        "scale: the argument 'params.alpha' must be a number (f32), not '2'",
    ),
    "const_of_wrong_type": (
        lambda: power(2.0, array(4), invocations=4),
        "power: the argument 'n' is a compile-time int, not 2.0",
    ),
    "const_bool_for_int": (
        lambda: power(True, array(4), invocations=4),
        "power: the argument 'n' is a compile-time int, not True",
    ),
    "not_a_multiple_of_4": (
        lambda: double_fours(array(6), invocations=2),
        "double_fours: the argument 'y' has a last axis of 6, and a buffer of f32x4 needs a multiple of 4; pad it, or "
        "write the kernel for f32",
    ),
    "i32_for_f32x4": (
        lambda: double_fours(array(8, dtype=gp.i32), invocations=2),
        "double_fours: the argument 'y' holds i32, and the kernel takes f32x4; make it of that dtype, as in "
        "gp.empty(shape, gp.f32x4)",
    ),
}


@pytest.mark.parametrize("name", KERNEL_CALLS)
def test_kernel_calls(name: str) -> None:
    call, expected = KERNEL_CALLS[name]
    assert message(call) == expected


@pytest.mark.parametrize("name", KERNEL_CALLS)
def test_kernel_calls_after_a_good_one(name: str) -> None:
    """What was prepared by a call that fits does not let one pass that does not."""
    saxpy(2.0, array(4), array(4), invocations=4)
    fill(1, array(4, dtype=gp.i32), invocations=4)
    transpose(array(2, 2), array(2, 2), invocations=(2, 2))
    scale(Params(2.0, 4), array(4), invocations=4)
    power(2, array(4), invocations=4)
    double_fours(array(8), invocations=2)
    call, expected = KERNEL_CALLS[name]
    assert message(call) == expected


def test_the_same_array_twice() -> None:
    x = array(4)
    expected = (
        "saxpy: the argument 'y' is the same memory as 'x', and the kernel writes to it; pass a .copy(), or annotate "
        "one InOut parameter"
    )
    assert message(lambda: saxpy(2.0, x, x, invocations=4)) == expected
    assert message(lambda: saxpy(2.0, x, x.reshape(4), invocations=4)) == expected


def test_the_same_array_twice_is_fine_where_nothing_writes() -> None:
    @gp.kernel
    def add(x: gp.In[gp.f32], y: gp.In[gp.f32], z: gp.Out[gp.f32]) -> None:
        i = gp.global_id(0)
        if i < z.size:
            z[i] = x[i] + y[i]

    x, z = gp.asarray([1.0, 2.0], gp.f32, device="simulator"), array(2)
    add(x, x, z, invocations=2)
    np.testing.assert_array_equal(z.numpy(), np.array([2.0, 4.0], np.float32))


def test_nothing_is_sent_to_a_device_by_a_refused_call() -> None:
    y = gp.asarray(np.arange(4, dtype=np.float32), device="simulator")
    message(lambda: saxpy(2.0, np.ones(4, np.float32), y, invocations=4))
    message(lambda: saxpy(2.0, y, y, invocations=4))
    np.testing.assert_array_equal(y.numpy(), np.arange(4, dtype=np.float32))


def test_a_kernel_without_arrays() -> None:
    @gp.kernel
    def nothing(n: gp.i32) -> None:
        pass

    assert message(lambda: nothing(1, invocations=1)) == (
        "nothing: a kernel needs at least one array argument, to store its results"
    )


# ---------------------------------------------------------------- devices with limits


@pytest.fixture
def narrow() -> Iterator[str]:
    """A device whose kernels see at most 1024 bytes of an array, and whose arrays have at most 4096."""
    gp.register_backend(
        small_devices.SmallBackend(name="narrow", limits=Limits(max_buffer_size=4096, max_binding_size=1024))
    )
    yield "narrow"
    gp.device("narrow").close()
    gp.unregister_backend("narrow")


def test_array_larger_than_a_kernel_can_see(narrow: str) -> None:
    large, small = gp.zeros(257, device=narrow), gp.zeros(256, device=narrow)
    assert message(lambda: saxpy(2.0, small, large, invocations=4)) == (
        "saxpy: the argument 'y' has 1028 bytes, and a kernel on narrow:0 can access at most 1024 bytes of an array "
        "(max_binding_size); split the array, or choose another device"
    )


def test_array_larger_than_a_buffer(narrow: str) -> None:
    assert message(lambda: gp.zeros(1025, device=narrow)) == (
        "an array of 4100 bytes is larger than the largest buffer of narrow:0 (4096 bytes); split the array, or choose "
        "another device"
    )


# ---------------------------------------------------------------- making a kernel, and looking at it


MAKING: dict[str, tuple[Callable[[], object], type[gp.GpucoreError], str]] = {
    "size_by_position": (
        lambda: gp.kernel(256),  # type: ignore[arg-type]
        gp.ArgumentError,
        "@gp.kernel takes workgroup_size by name, as in @gp.kernel(workgroup_size=256)",
    ),
    "no_such_language": (
        lambda: saxpy.source("wgls"),
        gp.BackendUnavailableError,
        "there is no backend 'wgls'; did you mean 'wgsl'?",
    ),
    "language_that_is_no_text": (
        lambda: saxpy.source(3),  # type: ignore[arg-type]
        gp.ArgumentError,
        'a backend or language is named by a str such as "cuda" or "wgsl", not 3',
    ),
    "unchecked_that_is_no_bool": (
        lambda: gp.kernel(unchecked="yes"),  # type: ignore[arg-type]
        gp.ArgumentError,
        "unchecked is True or False, not 'yes'",
    ),
    "no_workgroup_at_least": (
        lambda: gp.kernel(min_workgroups=0),
        gp.ArgumentError,
        "min_workgroups is a whole number from 1, or None, not 0",
    ),
    "scalar_of_a_text": (
        lambda: gp.f32("x"),
        gp.ArgumentError,
        "gpucore.f32 takes a number that it can represent, not 'x'",
    ),
    "const_not_given": (
        lambda: power.source("simulator"),
        gp.ArgumentError,
        "power: give a value for the compile-time parameter, n=...",
    ),
    "unknown_binding": (
        lambda: saxpy.source("simulator", n=3),
        gp.ArgumentError,
        "saxpy has no compile-time parameter or type variable named n",
    ),
    "intrinsic_outside": (
        lambda: gp.global_id(0),
        gp.KernelOnlyError,
        "gp.global_id can only be used inside a kernel (a function decorated with @gp.kernel, or one that it calls)",
    ),
    "barrier_outside": (
        lambda: gp.subgroup_barrier(buffers=False),
        gp.KernelOnlyError,
        "gp.subgroup_barrier can only be used inside a kernel (a function decorated with @gp.kernel, or one that it "
        "calls)",
    ),
    "math_outside": (
        lambda: gp.sqrt(2.0),
        gp.KernelOnlyError,
        "gp.sqrt can only be used inside a kernel (a function decorated with @gp.kernel, or one that it calls)",
    ),
    "vector_outside": (
        lambda: gp.f32x4(1.0),
        gp.KernelOnlyError,
        "gpucore.f32x4(...) builds a vector inside a kernel; outside, use a NumPy array of shape (..., 4)",
    ),
}


def test_a_struct_that_no_class_can_be() -> None:
    made: Any = type("Slotted", (), {"__slots__": ()})
    made.__slots__ = ("a",)
    made.a = 3
    assert message(lambda: gp.struct(made)) == (
        "the class Slotted cannot become a struct: 'a' in __slots__ conflicts with class variable"
    )


@pytest.mark.parametrize("annotation", [{1}, [], np.zeros(2), gp.Const[{1}]])
def test_fields_of_what_has_no_hash(annotation: Any) -> None:
    text = message(lambda: gp.struct(type("Odd", (), {"__annotations__": {"alpha": annotation}})))
    assert "struct Odd" in text


@pytest.mark.parametrize(("annotation", "shown"), [
    (gp.In[gp.f32], "In[gpucore.f32]"), (gp.Const[int], "Const[<class 'int'>]"),
])  # fmt: skip
def test_an_annotation_is_no_base(annotation: Any, shown: str) -> None:
    def define() -> None:
        class Field(annotation):
            pass

    assert message(define) == f"{shown} annotates a parameter of a kernel, and cannot be a base class"


def test_a_result_whose_truth_is_not_known() -> None:
    def double(x: gp.InOut[gp.f32]) -> None:
        x[0] = 2.0 * x[0]

    double.__annotations__ = {"x": gp.InOut[gp.f32], "return": np.zeros(2)}
    assert "GP104" in message(lambda: gp.kernel(double).source("simulator"), gp.KernelTypeError)


def test_a_struct_of_no_module() -> None:
    made = type("Lost", (), {"__module__": "nowhere", "__annotations__": {"alpha": "f32"}})
    assert message(lambda: gp.struct(made)).startswith("struct Lost cannot have these fields: ")


@pytest.mark.parametrize("name", MAKING)
def test_making_a_kernel(name: str) -> None:
    call, kind, expected = MAKING[name]
    assert message(call, kind) == expected


@pytest.mark.parametrize("size", [0, -1, 1.5, "256", (1, 2, 3, 4), (), (16, 0), True, None])
def test_workgroup_sizes(size: Any) -> None:
    assert message(lambda: gp.kernel(workgroup_size=size)) == (
        "workgroup_size must be one to three whole numbers from 1 with a product of at most 1024, not " + repr(size)
    )


def test_a_breakpoint_on_a_device_without_a_debugger() -> None:
    with pytest.raises(gp.CapabilityError, match=r"this stops in a debugger, which cpu:0 \(.*\) does not have"):
        stop(gp.zeros(4, device="cpu"), invocations=4)


@gp.kernel
def mistaken(x: gp.In[gp.i32], y: gp.Out[gp.f32]) -> None:
    y[0] = gp.exp(x[0])


def test_a_refused_call_shows_one_line_of_gpucore() -> None:
    x, y = array(4, dtype=gp.i32), array(4)
    for call in (lambda: mistaken(x, y), lambda: mistaken(y, y), lambda: mistaken(x, y, z=1)):
        with pytest.raises((gp.KernelTypeError, gp.ArgumentError)) as caught:
            call()
        frames = [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)]
        assert frames[-2:] == ["<lambda>", "__call__"], frames
        assert caught.value.__cause__ is None and (
            caught.value.__context__ is None or caught.value.__suppress_context__
        )
