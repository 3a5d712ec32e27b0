"""Each mistake in a call has one error, whether it is made in the first call or after good ones."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
import pytest

import gpucore as gp

T = TypeVar("T", gp.f32, gp.i32)


class Mode(enum.IntEnum):
    """An enum by value."""

    A = 1
    B = 2


@gp.struct
class Pair:
    """A struct by value."""

    a: gp.f32
    mode: Mode


def make() -> gp.Kernel:
    @gp.kernel(workgroup_size=4)
    def mixed(
        x: gp.In[gp.f32x2],
        y: gp.InOut[gp.f32, 2],
        scale: gp.f32,
        count: gp.i32,
        flag: gp.bool,
        unused: gp.u8,
        offset: gp.f32x2,
        pair: Pair,
        mode: Mode,
        any: T,
        n: gp.Const[int],
    ):
        i = gp.global_id(0)
        if i < y.shape[0] and flag:
            y[i, 0] = x[i].x * scale + gp.f32(count) + offset.x + pair.a + gp.f32(any) + gp.f32(n)

    made: gp.Kernel = mixed
    return made


def array(*shape: int, dtype: Any = gp.f32, device: str = "simulator") -> gp.Array:
    return gp.zeros(shape, dtype, device=device)


def closed() -> gp.Array:
    made = array(8)
    made.close()
    return made


def good() -> dict[str, Any]:
    return {"x": array(8), "y": array(4, 2), "scale": 1.0, "count": 3, "flag": True, "unused": 1, "offset": (1.0, 2.0),
            "pair": Pair(1.0, Mode.A), "mode": Mode.B, "any": 2.0, "n": 1}  # fmt: skip


BAD: dict[str, tuple[str, Callable[[], Any]]] = {
    "a list for an array": ("x", lambda: [1.0, 2.0]),
    "a NumPy array": ("x", lambda: np.zeros(8, np.float32)),
    "None for an array": ("y", lambda: None),
    "a closed array": ("x", closed),
    "another dtype": ("x", lambda: array(8, dtype=gp.i32)),
    "another rank": ("y", lambda: array(8)),
    "another device": ("y", lambda: array(4, 2, device="cpu")),
    "an odd last axis": ("x", lambda: array(7)),
    "a text for a float": ("scale", lambda: "1"),
    "a bool for a float": ("scale", lambda: True),
    "a float out of range": ("scale", lambda: 1e39),
    "a NumPy float out of range": ("scale", lambda: np.float64(1e39)),
    "a huge integer for a float": ("scale", lambda: 10**400),
    "an array for a float": ("scale", lambda: np.zeros(1, np.float32)),
    "a fraction for an integer": ("count", lambda: 1.5),
    "a NumPy float for an integer": ("count", lambda: np.float32(1)),
    "a bool for an integer": ("count", lambda: True),
    "a NumPy bool for an integer": ("count", lambda: np.True_),
    "an integer out of range": ("count", lambda: 2**31),
    "a NumPy integer out of range": ("count", lambda: np.int64(2**31)),
    "an integer for a bool": ("flag", lambda: 1),
    "a NumPy integer for a bool": ("flag", lambda: np.int32(1)),
    "an unused one out of range": ("unused", lambda: 256),
    "an unused one below zero": ("unused", lambda: np.int8(-1)),
    "too few components": ("offset", lambda: (1.0,)),
    "a component of a text": ("offset", lambda: (1.0, "2")),
    "a number for a vector": ("offset", lambda: 1.0),
    "a tuple for a struct": ("pair", lambda: (1.0, Mode.A)),
    "a wrong field of a struct": ("pair", lambda: Pair("1", Mode.A)),
    "a wrong enum in a struct": ("pair", lambda: Pair(1.0, 1)),
    "a number for an enum": ("mode", lambda: 1),
    "a type that T is not": ("any", lambda: np.float64(1)),
    "a text for T": ("any", lambda: "1"),
    "a float for a Const of int": ("n", lambda: 1.0),
    "a list for a Const": ("n", lambda: [1]),
}

GRIDS: dict[str, dict[str, Any]] = {
    "both": {"invocations": 4, "workgroups": 1},
    "below zero": {"invocations": -4},
    "workgroups below zero": {"workgroups": -1},
    "a float": {"invocations": 4.0},
    "a bool": {"invocations": True},
    "a tuple with a bool": {"invocations": (True, 1)},
    "a tuple with a float": {"invocations": (4.0, 1)},
    "an empty tuple": {"invocations": ()},
    "four axes": {"invocations": (1, 1, 1, 1)},
    "a NumPy float": {"workgroups": np.float32(1)},
    "too many": {"invocations": 2**31},
}


def error_of(call: Callable[[], object]) -> tuple[type[BaseException], str]:
    with pytest.raises(gp.GpucoreError) as caught:
        call()
    return caught.type, str(caught.value)


@pytest.mark.parametrize("case", BAD)
def test_a_bad_argument_at_the_first_and_at_a_later_call(case: str) -> None:
    name, make_bad = BAD[case]
    bad = {**good(), name: make_bad()}
    first = error_of(lambda: make()(**bad, invocations=4))
    assert name in first[1]
    called = make()
    for _ in range(2):
        called(**good(), invocations=4)
        called(*good().values(), invocations=(4, 1))
    assert error_of(lambda: called(**bad, invocations=4)) == first
    assert error_of(lambda: called(*bad.values(), invocations=(4, 1))) == first


@pytest.mark.parametrize("case", GRIDS)
def test_a_bad_grid_at_the_first_and_at_a_later_call(case: str) -> None:
    first = error_of(lambda: make()(**good(), **GRIDS[case]))
    called = make()
    for grid in ({"invocations": 4}, {"invocations": (1, 1)}, {"workgroups": 1}):
        called(**good(), **grid)
    assert error_of(lambda: called(**good(), **GRIDS[case])) == first


def test_one_memory_twice_at_the_first_and_at_a_later_call() -> None:
    y = array(4, 2)
    bad = {**good(), "x": y.reshape(8), "y": y}
    first = error_of(lambda: make()(**bad, invocations=4))
    called = make()
    called(**good(), invocations=4)
    assert error_of(lambda: called(**bad, invocations=4)) == first


@pytest.mark.parametrize(
    "grid", [{"invocations": (3, 2)}, {"workgroups": (1, 2, 1)}, {"invocations": np.int64(4)}, {"workgroups": 2}]
)
def test_grids_of_each_kind_are_repeated(grid: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    called = make()
    called(**good(), **grid)
    monkeypatch.setattr(gp.Kernel, "_call", lambda *_: pytest.fail("the call was looked at in full again"))
    called(**good(), **grid)


@pytest.mark.parametrize(
    ("name", "value"),
    [("scale", np.float32(2)), ("scale", np.float64(2)), ("scale", np.int32(2)), ("count", np.int32(2)),
     ("count", np.uint8(2)), ("count", Mode.A), ("flag", np.True_), ("unused", np.uint8(3))],
)  # fmt: skip
def test_numpy_scalars_are_repeated(name: str, value: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    called = make()
    called(**good(), invocations=4)
    monkeypatch.setattr(gp.Kernel, "_call", lambda *_: pytest.fail("the call was looked at in full again"))
    called(**{**good(), name: value}, invocations=4)
