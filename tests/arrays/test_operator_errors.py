"""Errors of operators and functions of whole arrays: in the words of the call, with a fix that works."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gpucore as gp

FUNCTION = "  why: the function is not defined for this type\n"
OPERATOR = "  why: the operator is not defined for this type\n"
MIXED = "  why: numbers are never converted silently\n"
COUNT = "  why: the function is defined with that number of arguments\n"


@gp.elementwise
def scaled(v: Any) -> Any:
    return v * 3.0


@gp.elementwise
def pair(v: Any) -> Any:
    return v + 1, v - 1


def arrays(device: gp.Device) -> dict[str, gp.Array]:
    return {
        "f": gp.asarray([0.5, 1.5, 2.5], gp.f32, device=device),
        "i": gp.arange(3, device=device),
        "b": gp.asarray([1, 2, 255], gp.u8, device=device),
        "v": gp.asarray(np.arange(8).reshape(2, 4), gp.f32x4, device=device),
        "h": gp.asarray([1.5], gp.f32, device=device),
    }


ERRORS: dict[str, tuple[Callable[..., Any], str, str]] = {
    "a function of integers": (
        lambda i, **_: gp.exp(i),
        f"GP202]: gp.exp(x) of i32: exp works on floats, not on i32\n{FUNCTION}",
        "convert, as in gp.exp(x.astype(gp.f32))",
    ),
    "a function of floats": (
        lambda f, **_: gp.popcount(f),
        f"GP202]: gp.popcount(x) of f32: popcount works on integers, not on f32\n{FUNCTION}",
        "convert, as in gp.popcount(x.astype(gp.i32))",
    ),
    "bits of bytes": (
        lambda b, **_: gp.popcount(b),
        "GP202]: gp.popcount(x) of u8: popcount works on integers of 32 and 64 bits, not on u8\n"
        "  why: its result may depend on the width of the type\n",
        "convert, as in gp.popcount(x.astype(gp.u32))",
    ),
    "bits of vectors": (
        lambda v, **_: gp.clz(v),
        f"GP202]: gp.clz(x) of f32x4: clz works on integers, not on f32x4\n{FUNCTION}",
        'write an expression, as in gp.elementwise("gp.clz(gp.i32x4(x))")(x)',
    ),
    "a number in the call": (
        lambda i, **_: gp.pow(i, 2),
        "GP202]: gp.pow(x, 2) of i32: pow works on floats, not on i32\n"
        "  why: it also computes roots and negative powers\n",
        "convert, as in gp.pow(x.astype(gp.f32), gp.f32(2))",
    ),
    "too few arguments": (
        lambda f, **_: gp.clamp(f, 2),
        f"GP206]: gp.clamp(x, 2) of f32: gp.clamp takes 3 arguments, not 2\n{COUNT}",
        "write gp.clamp(x, low, high)",
    ),
    "too many arguments": (
        lambda f, **_: gp.exp(f, f, f, f),
        f"GP206]: gp.exp(x0, x1, x2, x3) of f32, f32, f32 and f32: gp.exp takes 1 argument, not 4\n{COUNT}",
        "write gp.exp(x)",
    ),
    "a dot product of scalars": (
        lambda f, **_: gp.dot(f, f),
        "GP202]: gp.dot(x, y) of f32 and f32: dot works on two vectors, not on f32\n"
        "  why: it sums the products of components\n",
        "write x * y for the products of elements, gp.sum(x * y) for their sum, x @ y for matrices",
    ),
    "mixed dtypes": (
        lambda f, i, **_: f + i,
        f"GP201]: x + y of f32 and i32: `+` mixes f32 and i32\n{MIXED}",
        "convert one side, as in y.astype(gp.f32)",
    ),
    "mixed dtypes in where": (
        lambda f, i, **_: gp.where(f > 1, f, i),
        f"GP201]: gp.where(condition, x, y) of u32, f32 and i32: gp.where mixes f32 and i32\n{MIXED}",
        "convert one side, as in y.astype(gp.f32)",
    ),
    "a number of NumPy": (
        lambda f, **_: np.float64(2.5) * f,
        f"GP201]: np.float64(2.5) * x of f32: `*` mixes f64 and f32\n{MIXED}",
        "convert the number, as in gp.f32(2.5)",
    ),
    "a float of NumPy beside integers": (
        lambda i, **_: i * np.float32(2.5),
        f"GP201]: x * np.float32(2.5) of i32: `*` mixes i32 and f32\n{MIXED}",
        "convert one side, as in x.astype(gp.f32)",
    ),
    "bits of floats": (
        lambda f, **_: f & 1,
        f"GP202]: x & 1 of f32: `&` works on integers and bools, not on f32\n{OPERATOR}",
        "use x.view(gp.u32) for the bits",
    ),
    "a shift of floats": (
        lambda f, i, **_: i << f,
        f"GP202]: x << y of i32 and f32: a shift works on integers, not on i32 and f32\n{OPERATOR}",
        "convert the count, as in y.astype(gp.u32)",
    ),
    "powers of integers": (
        lambda i, **_: i**i,
        f"GP202]: x ** y of i32 and i32: `**` of i32 needs a literal exponent from 0 to 16\n{OPERATOR}",
        "convert, as in x.astype(gp.f32) and y.astype(gp.f32)",
    ),
    "several results": (
        lambda f, **_: pair(f),
        "GP202]: pair(v) of f32: a number is needed here, not a tuple of 2\n"
        "  why: operators and functions of the kernel language work on scalars and vectors\n",
        "the result is a number or a vector for each element",
    ),
}


@pytest.mark.parametrize("name", ERRORS)
def test_the_error_is_about_the_call(device: gp.Device, name: str) -> None:
    call, expected, fix = ERRORS[name]
    with pytest.raises(gp.KernelTypeError) as caught:
        call(**arrays(device))
    assert str(caught.value) == f"error[{expected}  fix: {fix}"
    assert caught.value.__cause__ is None and caught.value.__suppress_context__


@pytest.mark.parametrize(
    ("fix", "expected"),
    [
        ("gp.exp(i.astype(gp.f32))", np.exp(np.float32([0, 1, 2]))),
        ("gp.popcount(b.astype(gp.u32))", np.uint32([1, 1, 8])),
        ('gp.elementwise("gp.clz(gp.i32x4(x))")(v)', np.int32([[32, 31, 30, 30], [29, 29, 29, 29]])),
        ("gp.pow(i.astype(gp.f32), gp.f32(2))", np.float32([0, 1, 4])),
        ("f + i.astype(gp.f32)", np.float32([0.5, 2.5, 4.5])),
        ("gp.where(f > 1, f, i.astype(gp.f32))", np.float32([0, 1.5, 2.5])),
        ("gp.f32(2.5) * f", np.float32([1.25, 3.75, 6.25])),
        ("i << f.astype(gp.u32)", np.int32([0, 2, 8])),
        ("i.astype(gp.f32) ** i.astype(gp.f32)", np.float32([1, 1, 4])),
    ],
)
def test_the_proposed_calls_work(device: gp.Device, fix: str, expected: Any) -> None:
    made = eval(fix, {"gp": gp}, arrays(device))  # noqa: S307 (a fix that an error proposes)
    np.testing.assert_allclose(made.numpy(), expected, rtol=1e-5, strict=True)


def test_texts_show_their_own_line(device: gp.Device) -> None:
    x = gp.arange(3, device=device)
    with pytest.raises(gp.KernelTypeError) as caught:
        gp.elementwise(" 2.0 + exp(v) ")(x)
    assert re.sub(r"elementwise \d+", "elementwise N", str(caught.value)) == (
        "<gp.elementwise N>:1:7: error[GP202]: exp works on floats, not on i32\n"
        " 1 | 2.0 + exp(v)\n"
        "   |       ^^^^^^\n"
        f"{FUNCTION}"
        "  fix: convert, as in exp(gp.f32(v))"
    )
    with pytest.raises(gp.KernelTypeError) as caught:
        gp.elementwise("(v +\n v*\u00b5 +\n sin(v))")(x, x)
    assert re.sub(r"elementwise \d+", "elementwise N", str(caught.value)) == (
        "<gp.elementwise N>:3:2: error[GP202]: sin works on floats, not on i32\n"
        " 3 |  sin(v))\n"
        "   |  ^^^^^^\n"
        f"{FUNCTION}"
        "  fix: convert, as in sin(gp.f32(v))"
    )
    fixed = gp.elementwise("2.0 + exp(gp.f32(v))")(x)
    np.testing.assert_allclose(fixed.numpy(), 2 + np.exp(np.float32([0, 1, 2])), rtol=1e-5)


def test_a_function_shows_its_own_line(device: gp.Device) -> None:
    with pytest.raises(gp.KernelTypeError) as caught:
        scaled(gp.arange(3, device=device))
    lines = Path(__file__).read_text(encoding="utf-8").splitlines()
    line = 1 + lines.index("    return v * 3.0")
    assert str(caught.value).splitlines() == [
        f"{__file__}:{line}:16: error[GP205]: `*` mixes i32 and the float literal 3.0",
        f" {line} |     return v * 3.0",
        f" {' ' * len(str(line))} |                ^^^",
        "  why: a float literal beside i32 is f32, and numbers are never converted silently",
        "  fix: convert the i32, as in gp.f32(v) * 3.0, or write gp.i32(3.0) to truncate",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("f32(v) * 0.5", np.float32([0, 0.5, 1])),
        ("gp.f32(v) * 0.5", np.float32([0, 0.5, 1])),
        ("u8(v + 255)", np.uint8([255, 0, 1])),
        ("where(v > 1, v, -1)", np.int32([-1, -1, 2])),
        ("gp.where(v > 1, gp.f32(v), 0.5)", np.float32([0.5, 0.5, 2])),
        ("bitcast(u32, f32(v))", np.float32([0, 1, 2]).view(np.uint32)),
        ("gp.dot(gp.f32x2(f32(v), 1.0), f32x2(2.0))", np.float32([2, 4, 6])),
        ("math.pi + math.sqrt(f32(v))", np.float32(np.pi) + np.sqrt(np.float32([0, 1, 2]))),
    ],
)
def test_types_and_where_in_texts(device: gp.Device, text: str, expected: Any) -> None:
    made = gp.elementwise(text)(gp.arange(3, device=device))
    np.testing.assert_allclose(made.numpy(), expected, rtol=1e-6, strict=True)


def test_names_that_are_not_called_are_arguments(device: gp.Device) -> None:
    between = gp.elementwise("clamp(x, min, max) * step")
    assert repr(between) == "<gpucore elementwise clamp(x, min, max) * step: (x, min, max, step)>"
    assert between(gp.arange(4, device=device), 1, 2, 10).tolist() == [10, 10, 20, 20]
    shown = r"<gp\.elementwise \d+>:1:1: error\[GP105\].*\n.*\n.*\n.*\n  fix: write gp\.f32$"
    with pytest.raises(gp.KernelSyntaxError, match=shown):
        gp.elementwise("float32(v)")(gp.arange(4, device=device))


def test_in_place_results_of_another_dtype(device: gp.Device) -> None:
    b = gp.asarray([1, 255], gp.u8, device=device)
    with pytest.raises(gp.ArgumentError) as caught:
        b += 1
    assert str(caught.value) == (
        "x += y: x + y is gpucore.u32, and x holds gpucore.u8; write x = x + y, or to convert it "
        "x[...] = (x + y).astype(gp.u8)"
    )
    b[...] = (b + 1).astype(gp.u8)
    assert b.tolist() == [2, 0]
    x = gp.ones(2, device=device)
    with pytest.raises(gp.ArgumentError, match=r"is gpucore\.f32x3, and x holds gpucore\.f32; write x = x \+ y$"):
        x += gp.ones(2, gp.f32x3, device=device)
    i = gp.arange(2, device=device)
    with pytest.raises(gp.ArgumentError, match=r"1\.5 is a float beside arrays of gpucore\.i32; convert them, as in x"):
        operator.iadd(i, 1.5)


def test_structs_and_tuples_do_not_combine(device: gp.Device) -> None:
    @gp.struct
    class Point:
        x: gp.f32
        y: gp.f32

    points = gp.zeros(3, Point, device=device)
    with pytest.raises(gp.ArgumentError, match=r"`\(v, v\)` is not an expression of numbers"):
        gp.elementwise("(v, v)")(gp.zeros(3, device=device))
    with pytest.raises(gp.ArgumentError, match=r"`x \+ y` of arrays is for numbers and vectors, .* holds Point; write"):
        operator.add(points, points)
