"""Native subgroups: gangs are subgroups, whatever the shape of the workgroup and the number of lanes."""

from __future__ import annotations

import platform
import re
from typing import Any

import numpy as np
import pytest
from cpu_drawn import Drawn, on_simulator
from cpu_kernels import Draft, const, local_id, op, run_valid, workgroup_id

from gpucore import ir
from gpucore.ir import BOOL, F32, I32, LANE_OPERATIONS, MASKS, U32, VOTES, BuiltinKind, SubgroupOp
from gpucore.runtime import Device
from gpucore_cpu.emit import emit
from gpucore_cpu.plugin import CpuBackend

LANES = [4, 8, 16]
OF_MOST_LANES = [(64,), (20,), (5, 3), (1, 1, 9)]  # LLVM takes seconds
SHAPES = [(64,), (20,), (3,), (1,), (8, 4), (16, 2, 2), (5, 3), (4, 8), (1, 6), (2, 3, 7), (1, 1, 9), (24, 2)]
BALLOT = ir.VectorType(U32, 4)
WITHOUT_OPERAND = {SubgroupOp.ELECT, SubgroupOp.BARRIER}


def number_in(draft: Draft) -> ir.Value:
    """The number of the invocation in its workgroup, x fastest."""
    x, y, _ = draft.size
    return draft.let("me", op(op(op(op(local_id(2), "*", y), "+", local_id(1)), "*", x), "+", local_id(0)))


def subgroup(
    draft: Draft, kind: SubgroupOp, operand: ir.Expr | None, argument: ir.Expr | None = None, bits: int = 0
) -> ir.Value:
    type = BALLOT if kind in MASKS else BOOL if operand is None else operand.type
    value = draft.value("result", type)
    draft.add(ir.Subgroup(value, kind, operand, argument, bits=bits))
    return value


def builtin(kind: BuiltinKind) -> ir.Builtin:
    return ir.Builtin(kind, 0)


def as_i32(expr: ir.Expr) -> ir.Expr:
    """A number that an i32 holds."""
    if isinstance(expr.type, ir.VectorType):
        return ir.Bitcast(ir.Extract(expr, 0, U32), I32)
    return ir.Convert(expr, I32)


def every_operation(draft: Draft, loaded: ir.Value, lane: ir.Expr, same: ir.Expr) -> list[ir.Expr]:
    """Each operation on each type, with arguments that are constant, the same, and different; `same` is from 0 on."""
    found: list[ir.Expr] = [
        subgroup(draft, SubgroupOp.ELECT, None),
        *map(builtin, sorted(ir.SUBGROUP_BUILTINS, key=str)),
    ]
    found += [subgroup(draft, kind, op(loaded, ">", 20)) for kind in sorted(VOTES, key=str)]
    found += [subgroup(draft, kind, op(same, ">", 0)) for kind in sorted(VOTES, key=str)]
    found += [
        subgroup(draft, SubgroupOp.MATCH, operand, bits=bits)
        for operand, bits in ((loaded, 2), (loaded, 32), (ir.Convert(loaded, U32), 5), (same, 1))
    ]
    own, shared = ir.Convert(op(lane, "^", 3), U32), ir.Convert(same, U32)
    for type in (I32, U32, F32):
        operand = loaded if type == I32 else ir.Convert(op(loaded, "&", 1023), type)
        for kind in sorted(set(SubgroupOp) - VOTES - MASKS - WITHOUT_OPERAND, key=str):
            if kind is SubgroupOp.BROADCAST:
                found += [subgroup(draft, kind, operand, const(0, U32)), subgroup(draft, kind, shared, const(0, U32))]
            elif kind in LANE_OPERATIONS:
                arguments = (const(0, U32), const(1, U32), const(5, U32), shared, own)
                found += [subgroup(draft, kind, operand, argument) for argument in arguments]
            else:
                found += [subgroup(draft, kind, operand), subgroup(draft, kind, ir.Convert(same, type))]
    return found


@pytest.mark.parametrize(
    ("shape", "num_lanes"),
    [(shape, lanes) for shape in SHAPES for lanes in (1, *LANES) if lanes < LANES[-1] or shape in OF_MOST_LANES],
    ids=str,
)
def test_every_operation_gives_what_the_simulator_gives(
    device: Device, monkeypatch: pytest.MonkeyPatch, shape: tuple[int, ...], num_lanes: int
) -> None:
    """A lane that reads from one that does not exist has its own value in both."""
    monkeypatch.setenv("GPUCORE_SIMULATOR_SUBGROUP_SIZE", str(num_lanes))
    draft = Draft(*shape)
    x, y, z = draft.size
    count = x * y * z
    out, source = draft.buffer("out", I32), draft.buffer("source", I32)
    param = draft.param("p", I32)
    me = number_in(draft)
    mine = draft.let("mine", op(op(workgroup_id(), "*", count), "+", me))
    loaded = draft.load(source, mine)
    lane, same = builtin(BuiltinKind.SUBGROUP_INVOCATION_ID), op(param, "+", workgroup_id())
    found = every_operation(draft, loaded, lane, same)
    for column, expr in enumerate(found):
        draft.store(out, op(op(mine, "*", len(found)), "+", column), as_i32(expr))
    source_array = np.random.default_rng(count).integers(-50, 50, 3 * count).astype(np.int32)
    arrays = [np.full((3 * count, len(found)), 77, np.int32), source_array]
    valid = draft.valid()
    expected = on_simulator(valid, arrays, {"p": 1})
    result = run_valid(device, valid, arrays, [3], {"p": 1}, num_lanes=num_lanes)[0]
    np.testing.assert_array_equal(result, expected)


class Teams(Drawn):
    """Programs with subgroup operations where all invocations of the workgroup are."""

    def builtins(self) -> tuple[list[ir.Expr], list[ir.Expr]]:
        uniform = [BuiltinKind.SUBGROUP_SIZE, BuiltinKind.NUM_SUBGROUPS]
        values = [BuiltinKind.SUBGROUP_ID, BuiltinKind.SUBGROUP_INVOCATION_ID]
        return [*map(builtin, uniform)], [*map(builtin, values)]

    def together(self, values: list[ir.Expr]) -> None:
        if self.random.random() < 0.2:
            self.exchange(values)
            return
        kind = self.random.choice(list(SubgroupOp))
        if kind is SubgroupOp.BARRIER:
            self.draft.add(ir.Subgroup(None, kind))
            return
        operand: ir.Expr | None = self.varying(values)
        argument, bits = None, 0
        if kind is SubgroupOp.ELECT:
            operand = None
        elif kind is SubgroupOp.MATCH:
            bits = self.random.randint(1, 32)
        elif kind in VOTES:
            operand = op(self.varying(values), ">", 0)
        elif kind is SubgroupOp.BROADCAST:
            argument = const(0, U32)
        elif kind in LANE_OPERATIONS:
            number = self.random.choice([const(self.random.randint(0, 9)), self.uniform([]), self.varying(values)])
            argument = ir.Convert(op(number, "&", 31), U32)
        result = subgroup(self.draft, kind, operand, argument, bits)
        self.draft.assign(self.random.choice(self.locals), op(as_i32(result), "+", 1))


@pytest.mark.parametrize("seed", range(24))
def test_programs_drawn_at_random_agree_with_the_simulator(
    device: Device, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    drawn = Teams(seed)
    proven = drawn.proven()
    source = np.random.default_rng(seed).integers(-1000, 1000, 64).astype(np.int32)
    total = drawn.count * 3
    arrays = [np.full(total, 77, np.int32), source]
    scalars = {"p": seed % 7 - 2, "n": total - 2}
    for uniform, num_lanes in ((None, 4), (frozenset[int](), 8), (None, 8), (None, 16)):
        monkeypatch.setenv("GPUCORE_SIMULATOR_SUBGROUP_SIZE", str(num_lanes))
        result = run_valid(device, proven, arrays, [3], scalars, uniform, num_lanes)
        np.testing.assert_array_equal(result[0], on_simulator(proven, arrays, scalars))


def of_floats(kind: SubgroupOp, size: int) -> ir.ValidModule:
    """The result of an operation on f32, for each invocation."""
    draft = Draft(size)
    x, y = draft.buffer("x", F32), draft.buffer("y", F32)
    draft.store(y, local_id(), subgroup(draft, kind, draft.load(x, local_id())))
    return draft.valid()


def in_halves(x: Any) -> Any:
    """The documented order of a sum."""
    while x.size > 1:
        x = x[: x.size // 2] + x[x.size // 2 :]
    return x[0]


@pytest.mark.parametrize("num_lanes", LANES)
@pytest.mark.parametrize("size", [48, 37])
def test_floats_are_added_in_halves(device: Device, num_lanes: int, size: int) -> None:
    """Also where the last subgroup is not full, whose missing lanes add nothing; bit by bit."""
    x = (np.random.default_rng(size).standard_normal(size) * 1e3).astype(np.float32)
    result = run_valid(device, of_floats(SubgroupOp.ADD, size), [x, x], [1], {}, num_lanes=num_lanes)[1]
    for first in range(0, size, num_lanes):
        part = x[first : first + num_lanes]
        padded = np.full(num_lanes, -0.0, np.float32)
        padded[: part.size] = part
        np.testing.assert_array_equal(result[first : first + num_lanes], in_halves(padded))


@pytest.mark.parametrize("num_lanes", LANES)
@pytest.mark.parametrize("kind", [SubgroupOp.INCLUSIVE_ADD, SubgroupOp.EXCLUSIVE_ADD])
def test_an_infinity_does_not_reach_lanes_below_it(device: Device, kind: SubgroupOp, num_lanes: int) -> None:
    x = np.arange(1, 23, dtype=np.float32)
    x[2], x[num_lanes + 1] = np.inf, np.nan
    result = run_valid(device, of_floats(kind, 22), [x, x], [1], {}, num_lanes=num_lanes)[1]
    for first in range(0, 22, num_lanes):
        part = x[first : first + num_lanes]
        sums = np.cumsum(part)
        expected = sums if kind is SubgroupOp.INCLUSIVE_ADD else np.concatenate([[0], sums[:-1]])
        np.testing.assert_array_equal(result[first : first + part.size], expected.astype(np.float32))


@pytest.mark.parametrize("num_lanes", LANES)
@pytest.mark.parametrize(("kind", "function"), [(SubgroupOp.MIN, np.fmin), (SubgroupOp.MAX, np.fmax)])
def test_extremes_ignore_nan_and_lanes_that_are_off(
    device: Device, num_lanes: int, kind: SubgroupOp, function: Any
) -> None:
    """All of the first subgroup are NaN; in the last, 0 would be more extreme than what is there."""
    sign = 1 if kind is SubgroupOp.MIN else -1
    x = np.full(num_lanes + 3, np.nan, np.float32)
    x[num_lanes + 1 :] = sign * 5.0, sign * np.inf
    result = run_valid(device, of_floats(kind, x.size), [x, x], [1], {}, num_lanes=num_lanes)[1]
    assert np.isnan(result[:num_lanes]).all()
    np.testing.assert_array_equal(result[num_lanes:], np.full(3, function.reduce(x[num_lanes:])))


def sums(size: int = 64) -> Draft:
    """One invocation of each subgroup stores its sum."""
    draft = Draft(size)
    x, y = draft.buffer("x", F32), draft.buffer("y", F32)
    total = subgroup(draft, SubgroupOp.ADD, draft.load(x, draft.global_id()))
    place = op(op(workgroup_id(), "*", builtin(BuiltinKind.NUM_SUBGROUPS)), "+", builtin(BuiltinKind.SUBGROUP_ID))
    with draft.when(subgroup(draft, SubgroupOp.ELECT, None)):
        draft.store(y, place, total)
    return draft


@pytest.mark.parametrize("num_lanes", LANES)
def test_a_sum_needs_no_memory_and_one_store(device: Device, num_lanes: int) -> None:
    """The sum and its place are the same in the subgroup: a scalar is stored."""
    text = emit(sums().valid(), num_lanes=num_lanes).text
    assert "@gpucore_scratch_nbytes = constant i64 0" in text
    assert "barrier" not in text
    assert "scatter" not in text
    x = np.arange(64 * 5, dtype=np.float32)
    result = run_valid(device, sums().valid(), [x, np.zeros(64 * 5 // num_lanes, np.float32)], [5], {},
                       num_lanes=num_lanes)[1]  # fmt: skip
    np.testing.assert_array_equal(result, x.reshape(-1, num_lanes).sum(axis=1))


def test_a_shuffle_of_eight_is_one_instruction(device: Device) -> None:
    if platform.machine() != "x86_64" or dict(device.info.details)["lanes"] == "4":
        pytest.skip("the instruction belongs to AVX2")
    draft = Draft(8)
    x, y = draft.buffer("x", F32), draft.buffer("y", F32)
    source = ir.Bitcast(draft.load(x, op(local_id(), "+", 8)), U32)
    draft.store(y, local_id(), subgroup(draft, SubgroupOp.SHUFFLE, draft.load(x, local_id()), source))
    assembly = device.assembly(device.compile(emit(draft.valid(), num_lanes=8)))  # type: ignore[attr-defined]
    assert len(re.findall(r"\bvperm(?:ps|d)\b", assembly)) == 1


@pytest.mark.parametrize(("num_lanes", "size"), [(1, 0), (4, 4), (8, 8), (16, 16)])
def test_the_device_says_the_size(monkeypatch: pytest.MonkeyPatch, num_lanes: int, size: int) -> None:
    """Without lanes it has no native subgroups: core makes them."""
    monkeypatch.setenv("GPUCORE_CPU_LANES", str(num_lanes))
    (info,) = CpuBackend().probe().devices
    assert (info.limits.min_subgroup_size, info.limits.max_subgroup_size) == (size, size)
    assert (ir.Capability.SUBGROUP in info.capabilities) == (size > 0)


def test_values_across_a_barrier_in_a_workgroup_smaller_than_a_gang(device: Device) -> None:
    """What is kept for the invocations has room for all lanes."""
    draft = Draft(5)
    wide = ir.VectorType(ir.F64, 4)
    x, y = draft.buffer("x", wide), draft.buffer("y", wide)
    kept = draft.load(x, local_id())
    scale = subgroup(draft, SubgroupOp.ADD, local_id())
    draft.barrier()
    first = draft.uniform_let("first", op(ir.Extract(kept, 0, ir.F64), "+", 0.0))
    factors = ir.Splat(op(first, "+", ir.Convert(scale, ir.F64)), wide)
    draft.store(y, local_id(), op(kept, "*", factors))
    values = np.arange(1.0, 21.0).reshape(5, 4)
    for num_lanes in LANES:
        valid = draft.valid()
        nbytes = re.search(r"scratch_nbytes = constant i64 (\d+)", emit(valid, num_lanes=num_lanes).text)
        assert nbytes is not None and int(nbytes[1]) >= min(8, num_lanes) * 32
        result = run_valid(device, valid, [values, values], [1], {}, num_lanes=num_lanes)[1]
        totals = [sum(range(first, min(first + num_lanes, 5))) for first in range(0, 5, num_lanes)]
        np.testing.assert_array_equal(result, values * (1.0 + np.repeat(totals, num_lanes)[:5])[:, None])
