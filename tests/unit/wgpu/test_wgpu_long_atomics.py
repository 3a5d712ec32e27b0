"""Atomics on i64 and u64, in buffers and in workgroup memory."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable

import numpy as np
import pytest
from wgpu_builder import Kernel, builtin, constant, i32, local_id, wgsl

from gpucore import ir
from gpucore.ir import I64, U64, AtomicOp, BuiltinKind
from gpucore.ir.build import add, lt, mul

HIGH = 1 << 40
GROUPS, SIZE = 3, 32
INTEGER_TYPES = {I64: np.int64, U64: np.uint64}
START = (1 << 41) - 1  # what is in the buffer before
UPDATES: dict[AtomicOp, Callable[[int, int], int]] = {
    AtomicOp.ADD: operator.add, AtomicOp.SUB: operator.sub, AtomicOp.MIN: min, AtomicOp.MAX: max,
    AtomicOp.AND: operator.and_, AtomicOp.OR: operator.or_, AtomicOp.XOR: operator.xor,
}  # fmt: skip


def base(type: ir.ScalarType) -> int:
    return -HIGH if type == I64 else HIGH


def number(type: ir.ScalarType, i: ir.Expr) -> ir.Expr:
    """base + 3 * i, which needs more than 32 bits."""
    return add(constant(base(type), type), mul(constant(3, type), ir.Convert(i, type)))


def in_buffer(op: AtomicOp, type: ir.ScalarType) -> ir.Module:
    kernel = Kernel("in_buffer", SIZE)
    out = kernel.buffer("out", type, writable=True)
    i = kernel.global_id()
    kernel.body.append(ir.Atomic(None, op, ir.Place(out, i32(0)), number(type, i)))
    return kernel.module()


@pytest.mark.parametrize("type", [I64, U64], ids=str)
@pytest.mark.parametrize("op", UPDATES)
def test_updates_of_all_invocations_count(run, op, type):
    dtype = INTEGER_TYPES[type]
    (out,) = run(in_buffer(op, type), [np.array([START, START], dtype)], workgroups=GROUPS)
    exact = functools.reduce(UPDATES[op], [base(type) + 3 * i for i in range(GROUPS * SIZE)], START)
    np.testing.assert_array_equal(out, np.array([exact % (1 << 64), START], np.uint64).view(dtype))


@pytest.mark.parametrize("type", [I64, U64], ids=str)
def test_workgroup_memory_and_old_values(run, type):
    """Each invocation gets a ticket from a counter; the counter's last value is stored once."""
    kernel = Kernel("tickets", SIZE)
    tickets, totals = kernel.buffer("tickets", type, writable=True), kernel.buffer("totals", type, writable=True)
    counter = kernel.workgroup_array("counter", type, 1)
    place = ir.Place(counter, i32(0))
    kernel.body.append(ir.If(lt(local_id(), i32(1)), (ir.Atomic(None, AtomicOp.STORE, place, constant(HIGH, type)),)))
    kernel.body.append(ir.Barrier())
    old, last = kernel.value("old", type), kernel.value("last", type)
    kernel.body.append(ir.Atomic(old, AtomicOp.ADD, place, constant(HIGH, type)))
    kernel.body.append(ir.Barrier())
    kernel.body.append(ir.Atomic(last, AtomicOp.LOAD, place))
    i = kernel.global_id()
    kernel.store(tickets, i, old)
    kernel.store(totals, builtin(BuiltinKind.WORKGROUP_ID), last)
    dtype = INTEGER_TYPES[type]
    found, totals_found = run(kernel.module(), [np.zeros(GROUPS * SIZE, dtype), np.zeros(GROUPS, dtype)],
                              workgroups=GROUPS)  # fmt: skip
    np.testing.assert_array_equal(totals_found, np.full(GROUPS, HIGH * (SIZE + 1), dtype))
    for part in found.reshape(GROUPS, SIZE):
        np.testing.assert_array_equal(np.sort(part), HIGH * np.arange(1, SIZE + 1, dtype=dtype))


@pytest.mark.parametrize("type", [I64, U64], ids=str)
def test_compare_exchange_and_exchange(run, type):
    kernel = Kernel("claims", SIZE)
    slots, owners = kernel.buffer("slots", type, writable=True), kernel.buffer("owners", type, writable=True)
    i = kernel.global_id()
    mine = kernel.let("mine", number(type, i))
    old, before = kernel.value("old", type), kernel.value("before", type)
    place = ir.Place(slots, i32(0))
    kernel.body.append(ir.Atomic(old, AtomicOp.COMPARE_EXCHANGE, place, mine, constant(0, type)))
    kernel.body.append(ir.Atomic(before, AtomicOp.EXCHANGE, ir.Place(slots, add(i, i32(1))), mine))
    kernel.store(owners, i, add(old, before))
    dtype, count = INTEGER_TYPES[type], GROUPS * SIZE
    initial = np.concatenate([np.zeros(1, dtype), np.arange(count, dtype=dtype) << 33])
    found, owners_found = run(kernel.module(), [initial, np.zeros(count, dtype)], workgroups=GROUPS)
    all_numbers = base(type) + 3 * np.arange(count, dtype=dtype)
    winner = found[0]
    assert winner in all_numbers
    np.testing.assert_array_equal(found[1:], all_numbers)
    np.testing.assert_array_equal(owners_found - initial[1:], np.where(all_numbers == winner, 0, winner))


def test_they_are_declared_as_atomics_of_their_type():
    text = wgsl(in_buffer(AtomicOp.ADD, U64)).text
    assert "out: array<atomic<u64>>;" in text
    assert "atomicAdd(&out[0], 1099511627776lu + 3lu * bitcast<u64>(" in text
