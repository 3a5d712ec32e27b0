"""Enums and NewTypes over scalars as fields of structs: scalars in memory, types of their own in kernels."""

from __future__ import annotations

import enum
import linecache
import typing
from typing import Any

import numpy as np
import pytest

import gpucore as gp


class Kind(enum.IntEnum):
    SOLID = 0
    FLUID = 1
    AIR = -4


class Other(enum.IntEnum):
    SOLID = 0


Metres = typing.NewType("Metres", gp.f32)
Label = typing.NewType("Label", gp.u32)
SmallLabel = typing.NewType("SmallLabel", gp.u8)
SmallShift = typing.NewType("SmallShift", gp.i16)


@gp.struct
class Cell:
    kind: Kind
    depth: Metres
    id: gp.i32

    def deeper(self, by):
        if self.kind == Kind.SOLID:
            return self
        return Cell(self.kind, self.depth + by, self.id)

    @property
    def is_wet(self):
        return self.kind is Kind.FLUID and self.depth > 0.0


@gp.struct
class Pair:
    flow: gp.f32x2
    first: Cell
    label: Label
    second: Cell
    outcome: Kind = Kind.AIR


POOL = Cell(Kind.FLUID, Metres(np.float32(2.5)), 7)


def cells(size: int) -> Any:
    """Cells of all kinds; small whole numbers in the other fields: arithmetic on them is exact."""
    made, random = np.zeros(size, Cell.dtype), np.random.default_rng(7)
    made["kind"] = random.choice([int(kind) for kind in Kind], size)
    made["depth"], made["id"] = random.integers(-3, 9, size), random.integers(-9, 9, size)
    return made


def test_in_memory_they_are_scalars() -> None:
    dtype = Pair.dtype
    assert Cell.dtype == np.dtype([("kind", "i4"), ("depth", "f4"), ("id", "i4")])
    assert {name: dtype.fields[name][1] for name in dtype.names} == {
        "flow": 0, "first": 8, "label": 20, "second": 24, "outcome": 36,
    }  # fmt: skip
    assert (dtype["label"], dtype["outcome"], dtype.itemsize) == (np.uint32, np.int32, 40)


@gp.kernel(workgroup_size=32)
def settle(all: gp.InOut[Cell], rain: Cell, wet: gp.Out[gp.u32]):
    """A struct by value, an exhaustive match on a field of an element, stores to fields, methods and properties."""
    i = gp.global_id(0)
    if i < all.size:
        wet[i] = gp.u32(1) if all[i].is_wet else gp.u32(0)
        match all[i].kind:
            case Kind.SOLID:
                all[i].kind = rain.kind
                all[i].id += all[i].kind.value
            case Kind.FLUID:
                all[i] = all[i].deeper(rain.depth)
                if all[i] == rain:
                    all[i].id = -1
            case Kind.AIR:
                all[i].depth = max(all[i].depth, Metres(1.0)) - 3.0
                all[i].depth *= 2.0


@pytest.mark.parametrize("kind", Kind)
def test_fields_of_elements_and_of_a_struct_by_value(device: gp.Device, kind: Kind) -> None:
    host = cells(77)
    host[5] = Kind.FLUID, 0, 4
    array, wet = gp.asarray(host, Cell, device=device), gp.zeros(77, gp.u32, device=device)
    settle(array, Cell(kind, Metres(4.0), 4), wet, invocations=77)
    expected, of = host.copy(), {k: host["kind"] == k for k in Kind}
    expected["kind"][of[Kind.SOLID]] = kind
    expected["id"][of[Kind.SOLID]] += kind
    expected["depth"][of[Kind.FLUID]] += 4
    expected["depth"][of[Kind.AIR]] = (np.maximum(host["depth"], 1) - 3)[of[Kind.AIR]] * 2
    same = of[Kind.FLUID] & (kind is Kind.FLUID) & (expected["depth"] == 4) & (host["id"] == 4)
    expected["id"][same] = -1
    np.testing.assert_array_equal(array.numpy(), expected)
    np.testing.assert_array_equal(wet.numpy(), of[Kind.FLUID] & (host["depth"] > 0))
    assert same.any() == (kind is Kind.FLUID)


@gp.kernel(workgroup_size=16)
def pair_up(all: gp.In[Cell], pairs: gp.Out[Pair], like: Pair, fixed: gp.Const[Cell]):
    """In other structs, in workgroup and private arrays, in variables that change; captured and compile-time ones."""
    tile = gp.workgroup_array(Cell, 16)
    mine = gp.private_array(Pair, 2)
    i, l = gp.global_id(0), gp.local_id(0)
    tile[l] = all[min(i, all.size - 1)]
    gp.barrier()
    other = tile[15 - l]
    for step in range(2):
        if other.kind != Kind.AIR:
            other = Cell(kind=POOL.kind, depth=other.depth + POOL.depth, id=other.id + step)
    mine[l % 2] = Pair(gp.f32x2(1.0, 2.0), other, Label(gp.u32(l)), POOL if l < 8 else fixed)
    mine[l % 2].second.id = like.first.id
    if like.outcome is Kind.FLUID:
        mine[l % 2].outcome = fixed.kind
    if i < all.size:
        pairs[i] = mine[l % 2]


@pytest.mark.parametrize("outcome", Kind)
def test_in_other_memories_and_nested(device: gp.Device, outcome: Kind) -> None:
    size = 45
    host = cells(size)
    pairs = gp.zeros(size, Pair, device=device)
    like = Pair((0.0, 0.0), Cell(Kind.SOLID, Metres(0.0), -8), Label(0), POOL, outcome)
    pair_up(gp.asarray(host, Cell, device=device), pairs, like, Cell(Kind.SOLID, Metres(1.5), 3), invocations=size)
    padded = np.concatenate([host, host[-1:].repeat(-size % 16)])
    other = padded.reshape(-1, 16)[:, ::-1].reshape(-1)[:size].copy()
    is_other = other["kind"] != Kind.AIR
    other["kind"][is_other] = Kind.FLUID
    other["depth"][is_other] += 5
    other["id"][is_other] += 1
    expected = np.zeros(size, Pair.dtype)
    lane = np.arange(size) % 16
    expected["flow"], expected["first"], expected["label"] = (1, 2), other, lane
    second = np.where(
        lane < 8, np.array((Kind.FLUID, 2.5, -8), Cell.dtype), np.array((Kind.SOLID, 1.5, -8), Cell.dtype)
    )
    expected["second"] = second
    expected["outcome"] = Kind.SOLID if outcome is Kind.FLUID else Kind.AIR
    np.testing.assert_array_equal(pairs.numpy(), expected)


@gp.func
def is_deep_rock(kind: Kind, depth: Metres) -> gp.bool:
    return kind == Kind.SOLID and depth > 1.0


def pick(cell, deep):
    if deep:
        return Cell(Kind.AIR, cell.depth * 2.0, cell.id)
    if is_deep_rock(cell.kind, cell.depth):
        return cell
    return Cell(POOL.kind, POOL.depth, POOL.id)


@gp.kernel(workgroup_size=4)
def change(all: gp.InOut[Cell], number: gp.Out[gp.i32]):
    """Helpers with several returns and with pinned types, tuples of fields, loops over members, gp.select."""
    if gp.global_id(0) == 0:
        all[0].kind, all[1].kind = all[1].kind, all[0].kind
        all[0].depth, all[1].depth = all[1].depth, Metres(9)
        cell = pick(all[2], all[2].id > 0)
        all[2] = pick(cell, False)
        all[1] = pick(all[1], False)
        found, kind = 0, all[3].kind
        for member in gp.unroll(Kind):
            if kind == member:
                found += member.value
        number[0] = found
        for _ in range(2):
            match kind:
                case Kind.SOLID:
                    kind = Kind.FLUID
                case Kind.FLUID:
                    kind = Kind.AIR
                case Kind.AIR:
                    kind = Kind.SOLID
        all[3].kind = kind
        all[3].depth = gp.select(gp.bitcast(gp.u32, all[3].depth) == 0, all[0].depth, all[3].depth + all[1].depth)


def test_in_helpers_and_loops(device: gp.Device) -> None:
    host = np.array([(0, 1, 2), (1, 3, 4), (-4, 5, 6), (-4, 7, 8)], Cell.dtype)
    array, number = gp.asarray(host, Cell, device=device), gp.zeros(1, gp.i32, device=device)
    change(array, number, workgroups=1)
    expected = np.array([(1, 3, 2), (0, 9, 4), (1, 2.5, 7), (1, 16, 8)], Cell.dtype)
    np.testing.assert_array_equal(array.numpy(), expected)
    assert number.numpy().tolist() == [-4]


@gp.kernel(workgroup_size=4, debug=True)
def tell(all: gp.In[Cell], sum: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < all.size:
        assert all[i].depth >= 0.0, "above ground"
        print(all[i].kind, all[i])
        sum[i] = gp.f32(all[i].depth)


def test_prints_and_asserts(device: gp.Device, capsys: pytest.CaptureFixture[str]) -> None:
    host = np.array([(-4, 0.5, 1), (1, 2, 3)], Cell.dtype)
    out = gp.zeros(2, device=device)
    capsys.readouterr()
    tell(gp.asarray(host, Cell, device=device), out, invocations=2)
    np.testing.assert_array_equal(out.numpy(), [0.5, 2])
    assert capsys.readouterr().out.splitlines() == [
        "-4 Cell(kind=-4, depth=0.5, id=1)",
        "1 Cell(kind=1, depth=2.0, id=3)",
    ]
    host["depth"][1] = -1

    def fail() -> None:
        tell(gp.asarray(host, Cell, device=device), out, invocations=2)
        device.synchronize()

    with pytest.raises(gp.KernelAssertionError, match="above ground"):
        fail()


@gp.kernel(workgroup_size=8)
def race(all: gp.InOut[Cell]):
    all[0].kind = Kind.AIR
    all[1 + gp.global_id(0)].depth = Metres(1.0)
    all[0].id = gp.global_id(0)


def test_check_finds_the_stores_to_fields() -> None:
    array = gp.asarray(cells(9), Cell, device="simulator")
    found = gp.check(race, array, invocations=8).findings
    lines = {
        (finding.code, linecache.getline(span.file, span.line).strip()) for finding in found for span in finding.spans
    }
    kind, id = "all[0].kind = Kind.AIR", "all[0].id = gp.global_id(0)"
    assert lines == {("GP701", kind), ("GP701", id), ("GP706", id)}
    assert gp.check(settle, array, POOL, gp.zeros(9, gp.u32, device="simulator"), invocations=9).ok


REFUSED = {
    "a number for an enum": (Cell(1, 2.0, 3), "'rain.kind' must be a member of Kind, not 1"),
    "a NumPy number for an enum": (Cell(np.int32(1), 2.0, 3), "must be a member of Kind, not np.int32(1)"),
    "another enum": (Cell(Other.SOLID, 2.0, 3), "must be a member of Kind, not <Other.SOLID: 0>"),
    "no number": (Cell(Kind.AIR, "2", 3), "'rain.depth' must be a number (f32), not '2'"),
    "beyond its range": (Cell(Kind.AIR, 1e39, 3), "'rain.depth' is 1e+39, which is beyond the range of f32"),
    "wide": (Cell(Kind.AIR, np.int64(3), 2**31), "'rain.id' is 2147483648"),
}


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("calls_before", [0, 1])
def test_wrong_values_are_refused(name: str, calls_before: int) -> None:
    value, text = REFUSED[name]
    array, wet = gp.asarray(cells(3), Cell, device="simulator"), gp.zeros(3, gp.u32, device="simulator")
    for _ in range(calls_before):
        settle(array, POOL, wet, invocations=3)
    with pytest.raises(gp.ArgumentError) as caught:
        settle(array, value, wet, invocations=3)
    assert text in str(caught.value)


def test_a_wrong_value_in_a_nested_struct_is_refused() -> None:
    array, pairs = gp.asarray(cells(3), Cell, device="simulator"), gp.zeros(3, Pair, device="simulator")
    for cell, text in ((Cell(0, 1.0, 2), "'like.second.kind'"), (Pair, "'like.second' must be a Cell")):
        like = Pair((0.0, 0.0), POOL, Label(0), cell)
        with pytest.raises(gp.ArgumentError, match=text):
            pair_up(array, pairs, like, POOL, invocations=3)


@gp.kernel
def store_const(all: gp.Out[Cell], given: gp.Const[Cell]):
    all[0] = given


@pytest.mark.parametrize("calls_before", [0, 1])
def test_a_compile_time_struct_has_members(calls_before: int) -> None:
    array = gp.zeros(1, Cell, device="simulator")
    for _ in range(calls_before):
        store_const(array, Cell(Kind.FLUID, Metres(2.0), 3), workgroups=1)
    with pytest.raises(gp.KernelTypeError, match=r"Cell\.kind is 1, which is not a Kind"):
        store_const(array, Cell(1, Metres(2.0), 3), workgroups=1)


@gp.kernel
def match_const(out: gp.Out[gp.i32], given: gp.Const[Cell]):
    match given.kind:
        case Kind.SOLID:
            out[0] = 1
        case Kind.FLUID:
            out[0] = 2
        case Kind.AIR:
            out[0] = 3


@pytest.mark.parametrize("wrong", [7, 0, Other.SOLID])
def test_a_field_of_a_compile_time_struct_is_a_member(wrong: Any) -> None:
    out = gp.zeros(1, gp.i32, device="simulator")
    match_const(out, Cell(Kind.FLUID, Metres(2.0), 3), workgroups=1)
    assert out.numpy()[0] == 2
    with pytest.raises(gp.KernelTypeError, match=r"Cell\.kind is .*, which is not a Kind"):
        match_const(out, Cell(wrong, Metres(2.0), 3), workgroups=1)


@gp.struct
class Tag:
    label: SmallLabel
    shift: SmallShift


@gp.kernel(workgroup_size=4)
def same_tags(x: gp.In[Tag], y: gp.Out[gp.i32]):
    i = gp.global_id(0)
    if i < x.size:
        y[i] = 1 if x[i] == Tag(200, -3) else 0


def test_new_types_of_small_integers_are_compared() -> None:
    host = np.array([(200, -3), (200, 3), (3, -3)], Tag.dtype)
    for name in ("simulator", "cpu"):
        y = gp.zeros(3, gp.i32, device=name)
        same_tags(gp.asarray(host, Tag, device=name), y, invocations=3)
        np.testing.assert_array_equal(y.numpy(), [1, 0, 0])


@gp.struct
class Wrong:
    depth: Metres
    kind: Kind = 0


@gp.kernel
def use_default(all: gp.Out[Wrong]):
    all[0] = Wrong(1.0)


def test_a_default_that_is_no_member_is_refused() -> None:
    with pytest.raises(gp.KernelTypeError, match=r"Wrong\.kind is 0, which is not a Kind"):
        use_default.ir()


@gp.kernel
def take_depth(all: gp.Out[Cell]):
    match POOL.kind:
        case Kind.FLUID:
            all[0] = Cell(POOL.kind, POOL.depth + Metres(1.0), POOL.id)
        case _:
            all[0] = 1 / 0


@gp.kernel
def mix_depth(x: gp.f32, out: gp.Out[gp.f32]):
    out[0] = x + POOL.depth


def test_fields_of_a_captured_struct(device: gp.Device) -> None:
    """A NumPy scalar, which NewType makes nothing else of, has the field's type too."""
    array = gp.zeros(1, Cell, device=device)
    take_depth(array, workgroups=1)
    np.testing.assert_array_equal(array.numpy(), np.array([(1, 3.5, 7)], Cell.dtype))
    with pytest.raises(gp.KernelTypeError, match="mixes f32 and Metres"):
        mix_depth.ir()


def test_compile_time_structs_that_python_calls_equal() -> None:
    array = gp.zeros(1, Cell, device="simulator")
    for depth in (0.0, -0.0, 0.0, -0.0):
        store_const(array, Cell(Kind.FLUID, Metres(depth), 3), workgroups=1)
        assert np.signbit(array.numpy()["depth"][0]) == np.signbit(depth)


Vector = typing.NewType("Vector", gp.f32x2)
Count = typing.NewType("Count", int)


@pytest.mark.parametrize("annotation", [Vector, Count, enum.Enum("Colour", "RED"), typing.NewType("Inner", Cell)])
def test_types_over_no_scalar_are_refused(annotation: object) -> None:
    with pytest.raises(gp.ArgumentError, match=r"field 'x' of struct Bad must be a scalar .*NewType over one, an"):
        gp.struct(type("Bad", (), {"__annotations__": {"x": annotation}}))
