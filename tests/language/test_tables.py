"""Tables: captured tuples, lists and arrays of numbers, indexed at run time."""

from __future__ import annotations

import types
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import gpucore as gp

AT = (np.arange(41) * 7 % 13).astype(np.int32)
SHARED = types.ModuleType("shared")


def look_up(device: gp.Device, table: Any, kind: Any, **how: Any) -> npt.NDArray[Any]:
    """Every element of AT from the table, by a kernel that has it in its closure."""

    @gp.kernel(workgroup_size=8, **how)
    def kernel(at: gp.In[gp.i32], y: gp.Out[kind]):
        i = gp.global_id(0)
        if i < at.size:
            y[i] = kind(table[at[i]])

    y = gp.zeros(AT.size, kind, device=device)
    kernel(gp.asarray(AT, device=device), y, invocations=AT.size)
    return y.numpy()


INTEGERS = {
    np.int8: gp.i32, np.uint8: gp.u32, np.int16: gp.i32, np.uint16: gp.u32, np.int32: gp.i32, np.uint32: gp.u32,
    np.int64: gp.i64, np.uint64: gp.u64, np.bool_: gp.i32,
}  # fmt: skip
FLOATS = {np.float16: gp.f16, np.float32: gp.f32, np.float64: gp.f64}
NEEDS = {gp.i64: "int64", gp.u64: "int64", gp.f16: "f16", gp.f64: "f64"}


def skip_without(device: gp.Device, kind: Any) -> None:
    if kind in NEEDS and not device.supports(NEEDS[kind]):
        pytest.skip(f"{device.id} has no {NEEDS[kind]}")


@pytest.mark.parametrize("host", INTEGERS, ids=lambda host: host.__name__)
def test_integers(device: gp.Device, host: type[np.generic]) -> None:
    """The whole range of each type, in both byte orders."""
    kind = INTEGERS[host]
    skip_without(device, kind)
    low, high = (0, 1) if host is np.bool_ else (np.iinfo(host).min, np.iinfo(host).max)
    values = np.array([low, high, *[k % 2 for k in range(9)], high, low], host)
    for table in (values, values.astype(values.dtype.newbyteorder())):
        np.testing.assert_array_equal(look_up(device, table, kind), values[AT].astype(kind.dtype))


@pytest.mark.parametrize("host", FLOATS, ids=lambda host: host.__name__)
def test_floats(device: gp.Device, host: type[np.generic]) -> None:
    """With infinities, a NaN and a negative zero too."""
    skip_without(device, FLOATS[host])
    values = np.linspace(-3, 7, 13).astype(host)
    for special in ((), (np.inf, -np.inf, np.nan, -0.0)):
        values[: len(special)] = special
        found, wanted = look_up(device, values, FLOATS[host]), values[AT]
        np.testing.assert_array_equal(found, wanted)
        np.testing.assert_array_equal(np.signbit(found[found == 0]), np.signbit(wanted[wanted == 0]))


def test_strided_arrays_and_scalars_of_numpy(device: gp.Device) -> None:
    plane = np.arange(52, dtype=np.float32).reshape(26, 2)
    np.testing.assert_array_equal(look_up(device, plane[::2, 1], gp.f32), plane[::2, 1][AT])
    items = tuple(np.uint32(k) for k in range(13))
    np.testing.assert_array_equal(look_up(device, items, gp.u32), AT)
    np.testing.assert_array_equal(look_up(device, [k > 5 for k in range(13)], gp.i32), AT > 5)


GLOBAL_LIST = [1, 2, 3]
GLOBAL_ARRAY = np.array([1.0, 2.0, 3.0], np.float32)


@gp.kernel(workgroup_size=4)
def read_all(y: gp.InOut[gp.f32, 2]):
    i = gp.global_id(0)
    if i < 3:
        y[0, i] = gp.f32(GLOBAL_LIST[i]) / gp.f32(2)
        y[1, i] = GLOBAL_ARRAY[i]
        y[2, i] = gp.f32(SHARED.table[i])


def test_changes_are_seen(device: gp.Device, monkeypatch: pytest.MonkeyPatch) -> None:
    """In place or by another object, also where the new value is equal to the old one but means something else."""
    SHARED.table = [1.5, 0.0, 2.5]  # type: ignore[attr-defined]
    y = gp.zeros((3, 3), device=device)

    def check() -> None:
        read_all(y, invocations=3)
        wanted = np.array([np.array(GLOBAL_LIST) / 2, GLOBAL_ARRAY, SHARED.table], np.float32)
        np.testing.assert_array_equal(y.numpy().view("u4"), wanted.view("u4"))

    monkeypatch.setitem(globals(), "GLOBAL_LIST", [1, 2, 3])
    monkeypatch.setitem(globals(), "GLOBAL_ARRAY", GLOBAL_ARRAY.copy())
    for _ in range(2):
        check()
    GLOBAL_LIST[1] = 20
    check()
    GLOBAL_ARRAY[2] = -1
    check()
    SHARED.table[1] = -0.0  # equal to 0.0
    check()
    GLOBAL_LIST[:] = [1.0, 20.0, 3.0]  # type: ignore[assignment]  # equal to the ints
    check()
    assert "f32[3] = 1.0, 20.0" in read_all.ir()
    monkeypatch.setitem(globals(), "GLOBAL_ARRAY", np.array([4, 5, 6], np.float32))
    check()


def test_an_index_with_an_effect_is_evaluated_once(device: gp.Device) -> None:
    """Of tuples in the kernel, and of what gp.static gives; equal tables are one."""

    def at(x):
        return gp.atomic_add(x, 0, gp.i32(1))

    @gp.kernel(workgroup_size=1)
    def kernel(x: gp.InOut[gp.i32], y: gp.Out[gp.i32]):
        for k in gp.unroll(range(3)):
            y[k] = (10, 20, 30, 40, 50, 60)[at(x)] + gp.static([1, 2, 3, 4, 5, 6])[at(x)]

    x, y = gp.zeros(1, gp.i32, device=device), gp.zeros(3, gp.i32, device=device)
    kernel(x, y, invocations=1)
    assert x.numpy()[0] == 6
    assert y.numpy().tolist() == [10 + 2, 30 + 4, 50 + 6]
    assert kernel.ir().count("constant table") == 2


def test_an_index_out_of_range(device: gp.Device) -> None:
    """With debug it is reported; without, the process goes on, and so do elements in range."""
    table = tuple(range(9))
    with pytest.raises(gp.OutOfRangeError, match="is out of range for 'table' of length 9"):
        look_up(device, table, gp.i32, debug=True)
    if device.backend.name != "simulator":
        found, inside = look_up(device, table, gp.i32), AT < 9
        np.testing.assert_array_equal(found[inside], AT[inside])


def test_a_large_table(device: gp.Device) -> None:
    """As large as it may be; one element more is refused."""
    table = np.arange(16128, dtype=np.float32)
    np.testing.assert_array_equal(look_up(device, table, gp.f32), AT)
    with pytest.raises(gp.CompileError, match="64516 bytes; a kernel has room for 64512"):
        look_up(device, np.zeros(16129, np.float32), gp.f32)


def test_check_knows_tables() -> None:
    """gp.check finds an index out of range, and nothing else."""
    table = (1.0, 2.0)

    @gp.kernel(workgroup_size=4)
    def kernel(y: gp.Out[gp.f32], last: gp.Const[int]):
        y[gp.global_id(0)] = table[min(gp.global_id(0), last)]

    report = gp.check(kernel, gp.zeros(4), 1, invocations=4)
    assert not report.findings
    report = gp.check(kernel, gp.zeros(4), 2, invocations=4)
    assert {finding.code for finding in report.findings} == {"GP703"}


@pytest.mark.parametrize(
    ("table", "text"),
    [
        ((1, 2.0), "mixes float and int"),
        ((True, 2), "mixes bool and int"),
        ([2**31, 1], "an int that does not fit i32"),
        ([1e39, 1.0], "a float that does not fit f32"),
        (np.ma.array([1.0], mask=[True]), "is a MaskedArray"),
        (np.array(1.0), r"the shape \(\)"),
        (np.zeros((0, 3)), r"the shape \(0, 3\)"),
        (np.array(["a"]), "holds <U1"),
        (np.array([None]), "holds object"),
    ],
)
def test_what_cannot_be_a_table(table: Any, text: str) -> None:
    with pytest.raises(gp.CompileError, match=text) as caught:
        look_up(gp.device("simulator"), table, gp.f32)
    assert caught.value.code == "GP109" and caught.value.fix
