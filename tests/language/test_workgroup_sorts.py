"""Ranks and sorts of a workgroup beyond the numbered behaviours: dtypes, single keys, structs, loops, refusals."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest

import gpucore as gp
from gpucore.simulator.device import SUBGROUP_SIZE_VARIABLE

BY_DIGITS = ("i8", "u16", "i32", "f16", "f64")


@gp.struct
class Item:
    place: gp.i32
    weight: gp.f32


@gp.kernel(workgroup_size=(9, 5))
def singles(x: gp.In[gp.f32], keys: gp.Out[gp.f32, 2], items: gp.Out[Item], places: gp.Out[gp.i32, 2]):
    t = gp.local_index()
    for number in range(2):
        keys[number, t] = gp.workgroup_sort(x[t] * gp.f32(1 - 2 * number))
        places[number, t] = gp.workgroup_radix_rank(x[t] > gp.f32(number), 1)
    _, items[t] = gp.workgroup_sort(x[t], Item(t, 2.0 * x[t]), descending=True)


def test_one_key_of_an_invocation(device: gp.Device) -> None:
    x = np.random.default_rng(1).integers(-20, 20, 45).astype(np.float32)
    keys, items = gp.empty((2, 45), device=device), gp.empty(45, Item, device=device)
    places = gp.empty((2, 45), gp.i32, device=device)
    singles(gp.asarray(x, device=device), keys, items, places, workgroups=1)
    order = np.argsort(-x, kind="stable")
    assert np.array_equal(keys.numpy(), [np.sort(x), np.sort(-x)])
    assert np.array_equal(items.numpy()["place"], order) and np.array_equal(items.numpy()["weight"], 2 * x[order])
    for number, found in enumerate(places.numpy()):
        assert np.array_equal(np.argsort(found), np.argsort(x > number, kind="stable"))


@functools.cache
def sorting(size: int, per_invocation: int, dtype: Any, descending: bool) -> gp.Kernel:
    @gp.kernel(workgroup_size=size)
    def sort(x: gp.In[dtype], keys: gp.Out[dtype], places: gp.Out[gp.i32]):
        first = gp.global_id(0) * per_invocation
        own = gp.private_array(dtype, per_invocation)
        moved = gp.private_array(gp.i32, per_invocation)
        for k in gp.unroll(range(per_invocation)):
            own[k], moved[k] = x[first + k], first + k
        gp.workgroup_sort(own, moved, descending=descending)
        for k in gp.unroll(range(per_invocation)):
            keys[first + k], places[first + k] = own[k], moved[k]

    return sort


@pytest.mark.parametrize(("name", "lanes"), [*((name, 32) for name in BY_DIGITS), ("u8", 8), ("i64", 8)])
def test_every_kind_of_key(monkeypatch: pytest.MonkeyPatch, name: str, lanes: int) -> None:
    """With subgroups of 32 by digits, with 8 by merging: as `gp.argsort` sorts on another device."""
    dtype, descending = getattr(gp, name), name.startswith("i")
    nbytes = dtype.dtype.itemsize
    per_invocation = 4 * nbytes if lanes == 32 else 3
    x = np.random.default_rng(nbytes).integers(0, 256, (64 * per_invocation, nbytes), np.uint8).view(dtype.dtype)[:, 0]
    x[::3] = x[1]
    gp.device("simulator").close()
    monkeypatch.setenv(SUBGROUP_SIZE_VARIABLE, str(lanes))
    with gp.device("simulator") as opened:
        keys, places = gp.empty(x.size, dtype, device=opened), gp.empty(x.size, gp.i32, device=opened)
        kernel = sorting(64, per_invocation, dtype, descending)
        kernel(gp.asarray(x, device=opened), keys, places, workgroups=1)
        order = gp.argsort(x, descending=descending, device="cpu")
        assert np.array_equal(places.numpy(), order)
        assert keys.numpy().tobytes() == x[order].tobytes()
        assert ("from_left" in kernel.source("python", device=opened)) == (lanes == 8)


def test_few_keys_are_merged_on_every_device() -> None:
    assert "subgroup_match" in sorting(64, 4, gp.u8, False).source("cuda")
    assert "subgroup_match" not in sorting(64, 3, gp.u8, False).source("cuda")


@pytest.mark.parametrize("subgroup_size", [1, 5, 16, 64])
def test_the_checker_finds_nothing(subgroup_size: int) -> None:
    x, empty = np.arange(45, dtype=np.float32) % 7, np.zeros((2, 45), np.float32)
    arrays = x, empty, np.zeros(45, Item.dtype), empty.astype(np.int32)
    report = gp.check(singles, *arrays, workgroups=1, subgroup_size=subgroup_size, schedules=2)
    assert report.ok, str(report)
    x = (np.arange(40 * 7) * 77).astype(np.int8)
    places = np.zeros(x.size, np.int32)
    kernel = sorting(40, 7, gp.i8, True)
    report = gp.check(kernel, x, x * 0, places, workgroups=1, subgroup_size=subgroup_size, schedules=2)
    assert report.ok, str(report)


def test_a_call_that_only_some_invocations_reach_is_an_error_there() -> None:
    @gp.kernel(workgroup_size=64)
    def sorts(x: gp.InOut[gp.f32]):
        i = gp.global_id(0)
        if x[i] > 0.0:
            x[i] = gp.workgroup_sort(x[i])

    @gp.kernel(workgroup_size=64)
    def ranks(x: gp.InOut[gp.i32]):
        i = gp.global_id(0)
        if x[i] > 0:
            x[i] = gp.workgroup_radix_rank(x[i], 4)

    for backend in ("simulator", "cpu"):
        with pytest.raises(gp.UniformityError, match=r"x\[i\] = gp.workgroup_sort\(x\[i\]\)"):
            sorts(gp.ones(64, device=backend))
        with pytest.raises(gp.UniformityError, match=r"x\[i\] = gp.workgroup_radix_rank\(x\[i\], 4\)"):
            ranks(gp.ones(64, gp.i32, device=backend))


def test_the_checker_finds_a_call_that_a_wrong_promise_hides() -> None:
    @gp.kernel(workgroup_size=32)
    def sorts(x: gp.InOut[gp.f32]):
        i = gp.global_id(0)
        if gp.assume_uniform(i < 20):
            x[i] = gp.workgroup_sort(x[i])

    report = gp.check(sorts, np.zeros(32, np.float32), workgroups=1)
    assert {finding.code for finding in report.findings} == {"GP702", "GP709"}
    assert "x[i] = gp.workgroup_sort(x[i])" in str(report)


WRONG = {
    "digits of floats": ("gp.workgroup_radix_rank(x[i], 4)", "digits are i32, u32, bool"),
    "too many bits": ("gp.workgroup_radix_rank(i, 9)", "from 1 to 8"),
    "starts or not, by a number of the run": (
        "gp.workgroup_radix_rank(i, 4, with_starts=i > 2)",
        "with_starts is known",
    ),
    "a bool as a key": (
        "gp.workgroup_sort(i > 2)",
        "refused: keys are integers or floats, of a dtype that gp.sort takes",
    ),
    "a vector as a key": ("gp.workgroup_sort(gp.f32x2(x[i]))", "of a dtype that gp.sort takes"),
    "a buffer as keys": ("gp.workgroup_sort(x)", "a number, or a private array with one axis, not the array x"),
    "a matrix as keys": ("gp.workgroup_sort(gp.private_array(gp.f32, (2, 2)))", "the array has several axes"),
    "one value of several keys": ("gp.workgroup_sort(gp.private_array(gp.f32, 2), i)", "as many values as keys"),
    "too many digits": ("gp.workgroup_radix_rank(gp.private_array(gp.u32, 1024), 4)", "fewer than 65536"),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_cannot_be_is_an_error_at_the_call(what: str) -> None:
    call, message = WRONG[what]
    text = f"def wrong(x: gp.InOut[gp.f32]):\n    i = gp.global_id(0)\n    {call}\n    x[i] = 0.0\n"
    kernel = gp.kernel_from_text(text)
    with pytest.raises(gp.CompileError) as caught:
        kernel.ir()
    assert message in str(caught.value) and call in str(caught.value)


@pytest.mark.parametrize("name", ["sort", "radix_rank"])
def test_outside_of_kernels_a_block_is_an_error(name: str) -> None:
    with pytest.raises(gp.KernelOnlyError, match=f"gp.workgroup_{name} can only be used inside a kernel"):
        getattr(gp, f"workgroup_{name}")(1.0, 1)
