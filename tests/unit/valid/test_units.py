"""What is refused of products of f64 by subgroups, and what passes make of them."""

import dataclasses

import pytest

from gpucore.errors import CapabilityError, CompileError, UniformityError
from gpucore.ir import (
    F32,
    F64,
    I32,
    Buffer,
    Builtin,
    BuiltinKind,
    Capability,
    Constant,
    DeclareArray,
    Elements,
    If,
    Limits,
    Load,
    MatrixAccumulate,
    MatrixInputs,
    Module,
    Place,
    PrivateArray,
    Store,
    Value,
)
from gpucore.ir.build import lt
from gpucore.passes.dead_code import remove_dead_code
from gpucore.passes.scalars import scalar_replacement
from gpucore.valid import validate

SUMS, LEFT, RIGHT = (PrivateArray(id, name, F64, 8) for id, name in ((1, "sums"), (2, "left"), (3, "right")))
OF_F32, UNKNOWN = PrivateArray(4, "of_f32", F32, 8), PrivateArray(5, "unknown", F64, 8)
PRODUCT = MatrixAccumulate(MatrixInputs.F64, 16, Elements(SUMS, 0), Elements(LEFT, 0), Elements(RIGHT, 0))
CAPABILITIES = frozenset({Capability.MATRIX_UNITS, Capability.MATRIX_F64, Capability.F64})
LIMITS = Limits(min_subgroup_size=32, max_subgroup_size=32)
DECLARED = tuple(map(DeclareArray, (SUMS, LEFT, RIGHT, OF_F32)))


def module_of(*statements):
    return Module("units", (32, 1, 1), (), (), (), (), (*DECLARED, *statements))


def check(*statements, capabilities=CAPABILITIES):
    validate(module_of(*statements), capabilities, LIMITS, "here")


def test_what_is_right() -> None:
    check(PRODUCT)
    check(
        dataclasses.replace(PRODUCT, inner=4, sums=Elements(SUMS, 4), left=Elements(LEFT, 6), right=Elements(RIGHT, 7))
    )


@pytest.mark.parametrize(
    "change",
    [{"inputs": MatrixInputs.TF32}, {"inner": 12}, {"inner": 0}, {"sums": Elements(SUMS, 5)},
     {"sums": Elements(SUMS, -1)}, {"left": Elements(LEFT, 1)}, {"right": Elements(RIGHT, 5)},
     {"sums": Elements(OF_F32, 0)}, {"left": Elements(OF_F32, 0)}, {"right": Elements(SUMS, 4)},
     {"right": Elements(UNKNOWN, 0)}],
    ids=str,
)  # fmt: skip
def test_products_that_are_ill_formed(change) -> None:
    with pytest.raises(CompileError) as caught:
        check(dataclasses.replace(PRODUCT, **change))
    assert caught.value.code == "GP900"


@pytest.mark.parametrize("lacking", [Capability.MATRIX_UNITS, Capability.MATRIX_F64])
def test_the_device_has_units_for_f64(lacking: Capability) -> None:
    with pytest.raises(CapabilityError, match=f"it needs the capability '{lacking.value}'"):
        check(PRODUCT, capabilities=CAPABILITIES - {lacking})


def test_all_of_a_subgroup_reach_it() -> None:
    with pytest.raises(UniformityError, match="not every invocation of the subgroup reaches this subgroup operation"):
        check(If(lt(Builtin(BuiltinKind.LOCAL_ID, 0), 3), (PRODUCT,), ()))


def test_passes_keep_what_a_product_needs_and_drop_one_that_nothing_uses() -> None:
    out, zero = Buffer(0, "out", F64, False, True), Constant(0, I32)
    fill = tuple(Store(Place(array, zero), Constant(1.0, F64)) for array in (SUMS, LEFT, RIGHT))
    read = Value(6, "read", F64)
    used = (*fill, PRODUCT, Load(read, Place(SUMS, zero)), Store(Place(out, zero), read))
    module = dataclasses.replace(module_of(*used), buffers=(out,))
    made = scalar_replacement(remove_dead_code(module)).body
    assert made == (*map(DeclareArray, (SUMS, LEFT, RIGHT)), *used)
    assert remove_dead_code(module_of(*fill, PRODUCT)).body == ()
