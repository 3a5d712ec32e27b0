"""Corners of gp.func, gp.target, asserts and prints, and of values captured from outside that change."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
import pytest

import gpucore as gp

Outputs = Callable[..., Any]
T = TypeVar("T", gp.f32, gp.i32)
U = TypeVar("U", gp.f32, gp.i32)


def floats(*values: float) -> np.ndarray[Any, Any]:
    return np.array(values, np.float32)


def ints(*values: int) -> np.ndarray[Any, Any]:
    return np.array(values, np.int32)


# ---------------------------------------------------------------- gp.func


@gp.func
def affine(a: gp.f32, b: gp.f32 = 2.0, c: gp.i32 = 1) -> gp.f32:  # type: ignore[assignment]
    return a * b + gp.f32(c)


@gp.kernel(workgroup_size=1)
def pinned(y: gp.Out[gp.f32]):
    y[0] = affine(3)
    y[1] = affine(1.0, c=4)
    y[2] = affine(c=2, a=5, b=7)
    y[3] = affine(affine(1))


def test_func_types_literals_and_defaults(outputs: Outputs) -> None:
    assert outputs(pinned, floats(0, 0, 0, 0), n=1) == [7.0, 6.0, 37.0, 7.0]


def test_func_outside_a_kernel_is_plain_python() -> None:
    assert affine(3) == 7.0  # type: ignore[arg-type]
    assert affine(1.0, c=4) == 6.0  # type: ignore[arg-type]


@gp.func
def add(a: T, b: T) -> T:
    return a + b  # type: ignore[operator, no-any-return]


@gp.func
def add_any(a: U, b: U) -> U:
    return a + b  # type: ignore[operator, no-any-return]


@gp.kernel(workgroup_size=1)
def generic(x: gp.In[T], y: gp.Out[T], z: gp.Out[gp.f32]):
    i = gp.global_id(0)
    y[i] = add(x[i], 2)
    z[i] = add_any(gp.f32(x[i]), 0.5)


def test_func_with_type_variables(outputs: Outputs) -> None:
    assert outputs(generic, floats(1.5), floats(0), floats(0), n=1)[1:] == [[3.5], [2.0]]
    assert outputs(generic, ints(1), ints(0), floats(0), n=1)[1:] == [[3], [1.5]]


@gp.func
def first_of(values: gp.In[T], at: gp.i32 = 0) -> T:  # type: ignore[assignment]
    return values[at]  # type: ignore[no-any-return]


@gp.func
def corner(values: gp.In[gp.f32, 2], n: gp.Const[int]) -> gp.f32:
    return values[n, n]


@gp.kernel(workgroup_size=1)
def pinned_arrays(x: gp.In[T], m: gp.In[gp.f32, 2], y: gp.Out[T], z: gp.Out[gp.f32]):
    y[0] = first_of(x)
    z[0] = corner(m, 1)


def test_func_with_arrays(outputs: Outputs) -> None:
    matrix = np.arange(4, dtype=np.float32).reshape(2, 2)
    assert outputs(pinned_arrays, ints(5), matrix, ints(0), floats(0), n=1)[2:] == [[5], [3.0]]


@pytest.mark.parametrize("wrong", [3, int, gp.f32, pinned, len])
def test_func_takes_plain_functions_only(wrong: Any) -> None:
    with pytest.raises(gp.ArgumentError, match="decorates a plain Python function"):
        gp.func(wrong)


# ---------------------------------------------------------------- gp.target


def where() -> int:
    if gp.target.backend == "cpu":
        return 1
    if gp.target.kind == "software" or gp.target.backend == "simulator":
        return 2
    return gp.static(1 // 0)  # type: ignore[no-any-return]


@gp.kernel(workgroup_size=1)
def asks_target(y: gp.Out[gp.i32]):
    value = where()
    if gp.target.has("f64") and gp.target.has(gp.Capability.F64):
        value += 10
    y[0] = value


def test_target_in_a_helper() -> None:
    """A kernel that asks for its target is compiled for each device, also when it was used on another before."""
    for name, expected in (("simulator", 12), ("cpu", 11), ("simulator", 12), ("cpu", 11)):
        y = gp.zeros(1, gp.i32, device=name)
        asks_target(y, invocations=1)
        assert y.numpy().tolist() == [expected]


def test_target_means_nothing_outside() -> None:
    with pytest.raises(gp.KernelOnlyError):
        _ = gp.target.backend


# ---------------------------------------------------------------- assert and print


@gp.struct
class Item:
    weight: gp.f32
    at: gp.i32x2


@gp.kernel(workgroup_size=1, debug=True)
def show(item: Item, y: gp.Out[gp.i32], name: gp.Const[str]):
    i = gp.global_id(0)
    print("item", item, (i, 2), i == 0, None, name)
    print(f"{i} of {y.size}", gp.f32(1) / 2.0, 1.5, True)
    y[i] = 1


@pytest.mark.parametrize("device", ["simulator", "cpu"])
def test_print_of_structs_tuples_and_texts(device: str, capfd: pytest.CaptureFixture[str]) -> None:
    y = gp.zeros(1, gp.i32, device=device)
    show(Item(0.5, (3, 4)), y, "name", invocations=1)
    assert y.numpy().tolist() == [1]
    assert capfd.readouterr().out.splitlines() == [
        "item Item(weight=0.5, at=(3, 4)) 0 2 True None name",
        "0 of 1 0.5 1.5 True",
    ]


@gp.kernel(workgroup_size=1)
def counts_in_an_assert(y: gp.InOut[gp.i32], limit: gp.Const[int]):
    assert limit > 2, f"limit is {limit}"
    assert gp.atomic_add(y, 0, 1) >= 0, ("value", y[0], limit)
    y[1] = 1


def test_asserts_are_left_out_with_all_that_they_do() -> None:
    found = []
    for device in ("simulator", "cpu"):
        y = gp.zeros(2, gp.i32, device=device)
        counts_in_an_assert(y, 3, invocations=1)
        found.append(y.numpy().tolist())
    assert found == [[1, 1], [0, 1]]
    assert "atomic" not in counts_in_an_assert.ir(limit=3)
    assert "atomic" in counts_in_an_assert.ir(limit=3, debug=True)


def test_an_assert_that_is_known_to_fail_is_refused_without_debug_too() -> None:
    with pytest.raises(gp.CompileError, match=re.escape("this assertion fails: limit is 1")):
        counts_in_an_assert.source("cpu", limit=1)


# ---------------------------------------------------------------- what is captured


def test_contents_of_captured_mutables_are_watched() -> None:
    numbers, named, array, inside = [1, 2, 3], {"a": 1}, np.array([1, 2]), ([5], 6)

    def total() -> Any:
        return gp.static(sum(numbers))

    @gp.kernel(workgroup_size=1)
    def read(y: gp.Out[gp.i32]):
        y[0] = total()
        y[1] = gp.static(named["a"])
        y[2] = gp.static(int(array.sum()))
        y[3] = gp.static(inside[0][0])

    for device in ("simulator", "cpu"):
        y = gp.zeros(4, gp.i32, device=device)

        def read_twice(y: gp.Array = y) -> list[int]:
            read(y, invocations=1)
            read(y, invocations=1)  # the short way
            return list(y.numpy())

        before = read_twice()
        numbers.append(4)
        named["a"] += 1
        array[0] += 5
        inside[0][0] += 1
        after = read_twice()
        assert [b - a for a, b in zip(before, after, strict=True)] == [4, 1, 5, 1]
        numbers.pop()


def kind(value: Any) -> float:
    """Tells apart what Python calls equal."""
    return {bool: 1.0, int: 2.0}.get(type(value), float(np.copysign(4.0, value)))


@pytest.mark.parametrize("make", [lambda x: [x], lambda x: [(0, x)], lambda x: {x}, lambda x: {(0, x)}])
@pytest.mark.parametrize("items", [(1, True, 1.0), (0.0, -0.0), (np.float32(0.0), np.float32(-0.0))])
def test_items_that_python_calls_equal_are_told_apart(make: Any, items: tuple[Any, ...]) -> None:
    inside: Any = make(items[0])

    @gp.kernel(workgroup_size=1)
    def read(y: gp.Out[gp.f32]):
        y[0] = gp.static(kind(np.ravel(np.array([*inside], object))[-1]))

    y = gp.zeros(1, device="simulator")
    for item in items:
        inside.clear()
        inside.extend(make(item)) if isinstance(inside, list) else inside.update(make(item))
        read(y, invocations=1)
        assert y[0] == kind(item)


def test_class_attributes_and_globals_of_helpers_are_watched() -> None:
    class Defaults:
        pair = (1, 2)
        dtype = gp.i32

    class Settings(Defaults):
        n = 3

    @gp.kernel(workgroup_size=1)
    def read(y: gp.Out[gp.i32]):
        y[0] = Settings.n
        y[1] = gp.static(Settings.n) + step()
        y[2] = Settings.pair[1]
        y[3] = gp.i32(gp.f32(Settings.dtype(2.5)) * 2.0)

    y = gp.zeros(4, gp.i32, device="simulator")
    found = []
    for value in (3, 4):
        Settings.n = value
        STEP[0] = value * 10
        Defaults.pair = (value, value + 5)
        Defaults.dtype = (gp.i32, gp.f32)[value - 3]
        read(y, invocations=1)
        found.append(y.numpy().tolist())
    assert found == [[3, 33, 8, 4], [4, 44, 9, 5]]


STEP = [1]


def step() -> Any:
    return gp.static(STEP[0])
