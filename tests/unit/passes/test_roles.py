"""Which kernels are split into those that copy and those that compute."""

from __future__ import annotations

import dataclasses

import pytest

import gpucore as gp
from gpucore import ir, lang
from gpucore.compiler import UNLIMITED, Target, validate_for
from gpucore.kernel import specialise_by_name
from gpucore.passes import split_roles
from gpucore.simulator.plugin import SimulatorBackend

NEEDS = {ir.Capability.MATRIX_UNITS, ir.Capability.MATRIX_GROUPS, ir.Capability.ASYNC_COPY, ir.Capability.SUBGROUP}
LIMITS = dataclasses.replace(UNLIMITED, min_subgroup_size=32, max_subgroup_size=32)


class Optimising(SimulatorBackend):
    wants_unoptimised_ir = False


BACKEND = Optimising()
TARGET = Target(BACKEND, None, frozenset(BACKEND.capabilities | NEEDS), LIMITS, "a device whose groups multiply")


def roles_of(kernel: gp.Kernel, **constants: object) -> ir.Roles | None:
    specialisation = specialise_by_name(kernel.name, kernel.signature, constants)
    return split_roles(validate_for(TARGET, kernel.lower_for(specialisation, TARGET)), LIMITS)


@gp.kernel(workgroup_size=128)
def chosen(x: gp.In[gp.f16, 2], at: gp.In[gp.i32], c: gp.Out[gp.f32, 2], n: gp.i32, by: gp.Const[str]):
    t, u = gp.tiles(gp.f16, 2, (64, 64)), gp.tiles(gp.f16, 2, (64, 64))
    total, own = gp.matrix(gp.f32, (64, 64)), gp.private_array(gp.i32, 2)
    gp.copy_tile(t[0], x, 0, 0)
    gp.copy_tile(u[0], x, 0, 0)
    gp.copy_group()
    for step in range(n):
        gp.copy_wait()
        total += t[step % 2] @ u[step % 2]
        own[step % 2] = at[step]
        goes_on = step + 1 < n
        if by == "a product":
            goes_on = gp.assume_uniform(lang.struct_values(total)[0] < 5.0)
        if by == "a private array":
            goes_on = gp.assume_uniform(own[step % 2] < 5)
        if goes_on:
            gp.copy_tile(t[(step + 1) % 2], x, 0, step * 64)
            gp.copy_tile(u[(step + 1) % 2], x, step * 64, 0)
        gp.copy_group()
    gp.store_matrix(total, c, 0, 0)


def test_copies_that_depend_on_a_product_are_made_by_those_that_compute() -> None:
    """Who copies alone has no products, and their sums would be zeros there."""
    assert roles_of(chosen, by="a product") is None


@pytest.mark.parametrize("by", ["nothing", "a private array"])
def test_copies_that_depend_on_what_both_have(by: str) -> None:
    roles = roles_of(chosen, by=by)
    assert roles is not None
    products = [isinstance(each, ir.GroupMultiply) for each in ir.walk.statements(roles.copying)]
    assert products and not any(products)


@gp.kernel(workgroup_size=128)
def written(x: gp.In[gp.f16, 2], y: gp.In[gp.i8, 2], c: gp.Out[gp.f32, 2], by: gp.Const[str]):
    tile, counts = gp.tiles(gp.f16, 1, (64, 64)), gp.tiles(gp.i32, 1, (8, 8))
    total = gp.matrix(gp.f32, (64, 64))
    gp.copy_tile(tile[0], x, 0, 0)
    gp.copy_wait()
    total += tile[0] @ tile[0]
    gp.barrier()
    if by == "a store" and gp.local_index() == 0:
        tile[0, 0, 0] = gp.f16(1)
    if by == "an atomic elsewhere":
        gp.atomic_add(counts, (0, 0, 0), 1)
    gp.barrier()
    total += tile[0] @ tile[0]
    gp.store_matrix(total, c, 0, 0)


@pytest.mark.parametrize(("by", "is_split"), [("nothing", True), ("a store", False), ("an atomic elsewhere", True)])
def test_tiles_that_those_who_compute_write(by: str, is_split: bool) -> None:
    assert (roles_of(written, by=by) is not None) == is_split


def test_tiles_that_atomics_change() -> None:
    """No element of such a tile has atomics today, so the store of a valid kernel is made one."""
    specialisation = specialise_by_name(written.name, written.signature, {"by": "a store"})
    valid = validate_for(TARGET, written.lower_for(specialisation, TARGET))

    def block(found: ir.Block) -> ir.Block:
        return tuple(ir.walk.map_statement(changed(each), lambda expr: expr, block) for each in found)

    def changed(statement: ir.Stmt) -> ir.Stmt:
        if not isinstance(statement, ir.Store) or not isinstance(statement.place.memory, ir.WorkgroupArray):
            return statement
        return ir.Atomic(None, ir.AtomicOp.STORE, statement.place, statement.expr, None, statement.span)

    facts = {name: getattr(valid, name) for name in ir.ValidModule.__slots__}
    module = dataclasses.replace(valid.module, body=block(valid.module.body))
    made = ir.module.make_valid_module(**{**facts, "module": module})
    assert any(isinstance(each, ir.Atomic) for each in ir.walk.statements(module.body))
    assert split_roles(made, LIMITS) is None
