"""Subgroups of the device's own: every operation, against NumPy, also in a last subgroup that is not full."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from wgpu_builder import Kernel, builtin, constant, i32, local_id, wgsl

import gpucore as gp
from gpucore import ir
from gpucore.ir import BOOL, F32, I32, U32, BinaryOp, BuiltinKind, Capability, SubgroupOp
from gpucore.ir.build import add, binary, mul

SIZES = [1, 20, 64, 100]
GROUPS = 3
Host = np.ndarray[Any, Any]


@pytest.fixture
def native(device):
    """Skips on devices without subgroups: for those core makes them of workgroup memory."""
    if Capability.SUBGROUP not in device.info.capabilities:
        pytest.skip(f"{device.info.id} has no subgroups")
    return device


def lane() -> ir.Builtin:
    return builtin(BuiltinKind.SUBGROUP_INVOCATION_ID)


def stored(kernel: Kernel, out: ir.Buffer, index: ir.Expr, value: ir.Expr) -> None:
    """A bool as 0 or 1; everything else as it is."""
    if value.type == BOOL:
        value = ir.Select(value, constant(1, U32), constant(0, U32), U32)
    kernel.store(out, index, value)


def of_each(op: SubgroupOp, size: int, type: ir.ScalarType, argument: ir.Expr | None = None) -> ir.Module:
    """out[i] = op(x[i]) and lanes[i] = (subgroup, invocation in it, size), for workgroups of `size`."""
    kernel = Kernel("of_each", size)
    x = kernel.buffer("x", U32 if type == BOOL else type)
    result = U32 if type == BOOL else type
    out = kernel.buffer("out", ir.VectorType(U32, 4) if op is SubgroupOp.BALLOT else result, writable=True)
    lanes = kernel.buffer("lanes", ir.VectorType(I32, 4), writable=True)
    i = kernel.global_id()
    operand: ir.Expr = kernel.load("x_i", x, i)
    if type == BOOL:
        operand = binary(BinaryOp.NE, operand, constant(0, U32))
    value = kernel.subgroup("value", op, None if op is SubgroupOp.ELECT else operand, argument)
    stored(kernel, out, i, value)
    kinds = (
        BuiltinKind.SUBGROUP_ID, BuiltinKind.SUBGROUP_INVOCATION_ID, BuiltinKind.SUBGROUP_SIZE,
        BuiltinKind.NUM_SUBGROUPS,
    )  # fmt: skip
    kernel.store(lanes, i, ir.Construct(tuple(builtin(kind) for kind in kinds), ir.VectorType(I32, 4)))
    return kernel.module()


def numbers(type: ir.ScalarType, count: int) -> Host:
    rng = np.random.default_rng(count)
    if type == BOOL:
        return rng.integers(0, 2, count, np.uint32)
    if type == F32:
        return rng.integers(-100, 100, count).astype(np.float32)  # sums are exact in any order
    return rng.integers(0, 1 << 32, count, np.uint32).view(np.int32 if type == I32 else np.uint32)


def split(x: Host, lanes: Host, size: int) -> list[tuple[slice, Host]]:
    """Where the subgroups lie, by what the device says: consecutive invocations, numbered from 0."""
    width = int(lanes[0, 2])
    assert (lanes[:, 2] == width).all()
    local = np.arange(len(x)) % size
    np.testing.assert_array_equal(lanes[:, 0], local // width)
    np.testing.assert_array_equal(lanes[:, 1], local % width)
    np.testing.assert_array_equal(lanes[:, 3], -(-size // width))
    slices = [
        slice(start + first, start + min(first + width, size))
        for start in range(0, len(x), size)
        for first in range(0, size, width)
    ]
    return [(where, x[where]) for where in slices]


def total(op: SubgroupOp, part: Host) -> Host:
    """What an operation over all invocations of a subgroup gives each of them."""
    with np.errstate(over="ignore"):
        if op in (SubgroupOp.INCLUSIVE_ADD, SubgroupOp.EXCLUSIVE_ADD):
            sums = np.cumsum(part, dtype=part.dtype)
            return sums if op is SubgroupOp.INCLUSIVE_ADD else sums - part
        function = {
            SubgroupOp.ADD: lambda p: p.sum(dtype=p.dtype), SubgroupOp.MIN: np.min, SubgroupOp.MAX: np.max,
            SubgroupOp.ANY: np.any, SubgroupOp.ALL: np.all,
        }[op]  # fmt: skip
        return np.full(len(part), function(part), part.dtype)


def go(run: Any, module: ir.Module, x: Host, width: int = 1) -> tuple[Host, Host]:
    out = np.zeros((len(x), width) if width > 1 else len(x), np.uint32 if width > 1 else x.dtype)
    _, out, lanes = run(module, [x, out, np.zeros((len(x), 4), np.int32)], workgroups=GROUPS)
    return out, lanes


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("type", [I32, U32, F32], ids=str)
@pytest.mark.parametrize(
    "op", [SubgroupOp.ADD, SubgroupOp.MIN, SubgroupOp.MAX, SubgroupOp.INCLUSIVE_ADD, SubgroupOp.EXCLUSIVE_ADD]
)
def test_reductions_and_scans(native, run, op, type, size):
    x = numbers(type, GROUPS * size)
    out, lanes = go(run, of_each(op, size, type), x)
    for where, part in split(x, lanes, size):
        np.testing.assert_array_equal(out[where], total(op, part))


@pytest.mark.parametrize("size", SIZES)
def test_votes(native, run, size):
    x = numbers(BOOL, GROUPS * size)
    x[: size // 2], x[size : size + size // 2] = 0, 1  # some subgroups agree
    for op in (SubgroupOp.ANY, SubgroupOp.ALL):
        out, lanes = go(run, of_each(op, size, BOOL), x)
        for where, part in split(x, lanes, size):
            np.testing.assert_array_equal(out[where], total(op, part))


@pytest.mark.parametrize("size", SIZES)
def test_a_ballot_has_a_bit_for_each_invocation(native, run, size):
    x = numbers(BOOL, GROUPS * size)
    out, lanes = go(run, of_each(SubgroupOp.BALLOT, size, BOOL), x, 4)
    for where, part in split(x, lanes, size):
        bits = sum(int(bit) << k for k, bit in enumerate(part))
        words = [bits >> (32 * word) & 0xFFFF_FFFF for word in range(4)]
        np.testing.assert_array_equal(out[where], np.tile(np.array(words, np.uint32), (len(part), 1)))


@pytest.mark.parametrize("size", SIZES)
def test_one_is_elected(native, run, size):
    x = numbers(BOOL, GROUPS * size)
    out, lanes = go(run, of_each(SubgroupOp.ELECT, size, BOOL), x)
    np.testing.assert_array_equal(out, lanes[:, 1] == 0)


def u32(expr: ir.Expr) -> ir.Expr:
    return ir.Convert(expr, U32)


MOVES = {
    "broadcast 0": (SubgroupOp.BROADCAST, constant(0, U32), lambda k: 0 * k),
    "broadcast 2": (SubgroupOp.BROADCAST, constant(2, U32), lambda k: 0 * k + 2),
    "broadcast computed": (SubgroupOp.BROADCAST, u32(binary(BinaryOp.SUB, builtin(BuiltinKind.SUBGROUP_SIZE),
                           builtin(BuiltinKind.SUBGROUP_SIZE))), lambda k: 0 * k),
    "shuffle": (SubgroupOp.SHUFFLE, u32(binary(BinaryOp.BIT_XOR, mul(lane(), i32(1)), i32(3))), lambda k: k ^ 3),
    "shuffle to one": (SubgroupOp.SHUFFLE, constant(1, U32), lambda k: 0 * k + 1),
    "xor": (SubgroupOp.SHUFFLE_XOR, constant(1, U32), lambda k: k ^ 1),
    "up": (SubgroupOp.SHUFFLE_UP, constant(1, U32), lambda k: k - 1),
    "down": (SubgroupOp.SHUFFLE_DOWN, constant(3, U32), lambda k: k + 3),
}  # fmt: skip


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("type", [I32, U32, F32], ids=str)
@pytest.mark.parametrize("name", MOVES)
def test_moves(native, run, name, type, size):
    op, argument, source = MOVES[name]
    x = numbers(type, GROUPS * size)
    out, lanes = go(run, of_each(op, size, type, argument), x)
    for where, part in split(x, lanes, size):
        index = source(np.arange(len(part)))
        exists = (index >= 0) & (index < len(part))  # of an invocation that there is not, anything may come
        np.testing.assert_array_equal(out[where][exists], part[index[exists]])


def test_a_workgroup_of_three_axes_has_subgroups_along_its_first(native, run):
    kernel = Kernel("axes", 1)
    out = kernel.buffer("out", ir.VectorType(I32, 4), writable=True)
    sums = kernel.buffer("sums", I32, writable=True)
    x, y, z = (builtin(BuiltinKind.LOCAL_ID, axis) for axis in range(3))
    linear = kernel.let("linear", add(add(x, mul(y, i32(3))), mul(z, i32(15))))
    parts = (x, y, z, builtin(BuiltinKind.SUBGROUP_ID))
    kernel.store(out, linear, ir.Construct(parts, ir.VectorType(I32, 4)))
    kernel.store(sums, linear, kernel.subgroup("sum", SubgroupOp.ADD, linear))
    module = replace(kernel.module(), workgroup_size=(3, 5, 2))
    assert wgsl(module).workgroup_size == (3, 5, 2)
    assert "@workgroup_size(30, 1, 1)" in wgsl(module).text
    ids, found = run(module, [np.zeros((30, 4), np.int32), np.zeros(30, np.int32)])
    numbers = np.arange(30)
    np.testing.assert_array_equal(ids[:, :3].T, [numbers % 3, numbers // 3 % 5, numbers // 15])
    for subgroup in np.unique(ids[:, 3]):
        part = numbers[ids[:, 3] == subgroup]
        assert len(part) == part[-1] - part[0] + 1
        assert set(found[part]) == {part.sum()}


def test_operations_in_a_loop_of_uniform_bounds(native, run):
    kernel = Kernel("looped", 48)
    x, out = kernel.buffer("x", I32), kernel.buffer("out", I32, writable=True)
    n = kernel.param("n", I32)
    i = kernel.global_id()
    current, total_ = kernel.local("current", I32), kernel.value("total", I32)
    first = kernel.load("first", x, i)
    kernel.body.append(ir.Declare(current, first))
    step = kernel.value("step", I32)
    body = (
        ir.Subgroup(total_, SubgroupOp.MAX, current),
        ir.Assign(current, add(binary(BinaryOp.SUB, total_, current), local_id())),
        ir.Barrier(),
    )
    kernel.body.append(ir.ForRange(step, i32(0), n, body))
    kernel.store(out, i, current)
    x_host = np.random.default_rng(5).integers(0, 1000, 96, np.int64).astype(np.int32)
    _, result = run(kernel.module(), [x_host, np.zeros_like(x_host)], (4,), workgroups=2)
    _, _, lanes = run(of_each(SubgroupOp.ADD, 48, I32), [x_host, np.zeros_like(x_host), np.zeros((96, 4), np.int32)],
                      workgroups=2)  # fmt: skip
    expected = x_host.copy()
    for _ in range(4):
        for where, part in split(expected.copy(), lanes, 48):
            expected[where] = part.max() - part + np.arange(where.start, where.stop) % 48
    np.testing.assert_array_equal(result, expected)


def test_constant_operands_have_their_type():
    kernel = Kernel("counts", 8)
    out = kernel.buffer("out", I32, writable=True)
    kernel.store(out, local_id(), kernel.subgroup("ones", SubgroupOp.ADD, i32(1)))
    text = wgsl(kernel.module()).text
    assert "let ones = subgroupAdd(i32(1));" in text
    assert "enable" not in text


def test_constant_operands_are_summed(native, run):
    kernel = Kernel("counts", 8)
    out, floats = kernel.buffer("out", I32, writable=True), kernel.buffer("floats", F32, writable=True)
    kernel.store(out, local_id(), kernel.subgroup("ones", SubgroupOp.INCLUSIVE_ADD, i32(1)))
    kernel.store(floats, local_id(), kernel.subgroup("halves", SubgroupOp.MAX, constant(0.5, F32)))
    ones, halves = run(kernel.module(), [np.zeros(8, np.int32), np.zeros(8, np.float32)])
    np.testing.assert_array_equal(ones, np.arange(8) % ones.max() + 1)
    np.testing.assert_array_equal(halves, np.float32(0.5))


def exchange(type: ir.Type) -> ir.Module:
    """out[i] = x of the neighbour in the subgroup, by way of workgroup memory, between barriers of the subgroup."""
    kernel = Kernel("exchange", 64)
    x, out = kernel.buffer("x", type), kernel.buffer("out", type, writable=True)
    tile = kernel.workgroup_array("tile", type, 64)
    kernel.store(tile, local_id(), kernel.load("x_i", x, local_id()))
    kernel.body.append(ir.Subgroup(None, SubgroupOp.BARRIER))
    place = kernel.let("place", local_id())
    neighbour = kernel.subgroup("neighbour", SubgroupOp.SHUFFLE_XOR, place, constant(1, U32))
    kernel.store(out, local_id(), kernel.load("other", tile, neighbour))
    return kernel.module()


@pytest.mark.parametrize("type", [I32, F32, ir.VectorType(F32, 2)], ids=str)
def test_words_between_barriers_are_accessed_by_atomics(native, run, type: ir.Type) -> None:
    """naga's barrier of a subgroup orders no memory; what is no word waits for the workgroup."""
    text = wgsl(exchange(type)).text
    is_word = isinstance(type, ir.ScalarType)
    assert ("subgroupBarrier();" in text, "workgroupBarrier();" in text) == (is_word, not is_word)
    assert text.count("atomicStore") == text.count("atomicLoad") == is_word
    assert "array<atomic<u32>, 64>" in text or type != F32
    x = np.arange(64 * ir.num_components(type)).reshape(64, -1).astype(np.int32 if type == I32 else np.float32)
    out = run(exchange(type), [x, np.zeros_like(x)], workgroups=1)[1]
    np.testing.assert_array_equal(out, x[np.arange(64) ^ 1])


@gp.kernel(workgroup_size=64)
def exchanges_by_two_barriers(x: gp.In[gp.u32], y: gp.Out[gp.u32]):
    of_subgroup, of_workgroup = gp.workgroup_array(gp.u32, 64), gp.workgroup_array(gp.u32, 64)
    t = gp.local_id(0)
    for k in range(2):
        of_subgroup[t] = x[t] + gp.u32(k)
        gp.subgroup_barrier()
        other = of_subgroup[t ^ 1]
        gp.barrier()
        of_workgroup[t] = other
        gp.barrier()
        y[64 * k + t] = of_workgroup[63 - t]


@gp.kernel(workgroup_size=64)
def exchanges_from_round_to_round(x: gp.In[gp.u32], y: gp.Out[gp.u32]):
    kept, moved = gp.workgroup_array(gp.u32, 64), gp.workgroup_array(gp.u32, 64)
    t = gp.local_id(0)
    kept[t] = x[t]
    for k in range(2):
        gp.subgroup_barrier()
        y[64 * k + t] = kept[t ^ 1]
        gp.barrier()
        moved[t] = kept[63 - t]
        gp.barrier()
        kept[t] = moved[t ^ 2]


@pytest.mark.parametrize(
    ("kernel", "exchanged", "ordered"),
    [
        (exchanges_by_two_barriers, "of_subgroup", "of_workgroup"),
        (exchanges_from_round_to_round, "kept", "moved"),
    ],
)
def test_only_what_a_barrier_of_a_subgroup_orders_is_atomic(kernel: gp.Kernel, exchanged: str, ordered: str) -> None:
    text = kernel.source("wgsl")
    assert "subgroupBarrier" in text
    assert f"{exchanged}: array<atomic<u32>, 64>" in text and f"{ordered}: array<u32, 64>" in text
