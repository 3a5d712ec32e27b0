"""What is refused of products by groups and the waits for them."""

import dataclasses

import pytest

from gpucore.errors import CapabilityError, CompileError, UniformityError
from gpucore.ir import (
    F16,
    F32,
    I8,
    I32,
    Builtin,
    BuiltinKind,
    Capability,
    Constant,
    DeclareArray,
    GroupMultiply,
    GroupWait,
    If,
    Limits,
    MatrixInputs,
    Module,
    Place,
    PrivateArray,
    WorkgroupArray,
)
from gpucore.ir.build import lt
from gpucore.valid import validate

ZERO = Constant(0, I32)
TILE = WorkgroupArray(1, "tile", F16, 1 << 13)
SUMS = PrivateArray(2, "sums", F32, 128)
OTHER = PrivateArray(3, "other", F32, 128)
BYTES, OF_WORDS = WorkgroupArray(4, "bytes", I8, 1 << 13), PrivateArray(5, "of_words", I32, 128)
WHERE = Place(TILE, ZERO)
PRODUCT = GroupMultiply(SUMS, 0, MatrixInputs.F16, WHERE, WHERE, 64, 64, 8192, 8192, False, False)
CAPABILITIES = frozenset({Capability.MATRIX_GROUPS, Capability.F16})
LIMITS = Limits(max_workgroup_memory=1 << 16, max_workgroup_size=(512, 1, 1), max_workgroup_invocations=512)


def check(*statements, size=128, capabilities=CAPABILITIES):
    body = (DeclareArray(SUMS), *statements)
    validate(Module("groups", (size, 1, 1), (), (), (), (TILE,), body), capabilities, LIMITS, "here")


def test_what_is_right() -> None:
    check(PRODUCT, dataclasses.replace(PRODUCT, first=96, is_left_transposed=True), GroupWait(SUMS))
    check(PRODUCT, GroupWait(SUMS), size=384)


@pytest.mark.parametrize(
    "change",
    [{"sums": OTHER}, {"first": 97}, {"first": -1}, {"columns": 80}, {"inner": 8}, {"inner": 0}, {"left_panel": 0},
     {"right_panel": 1536}, {"inputs": MatrixInputs.BF16}, {"sums": PrivateArray(2, "sums", F16, 128)}],
    ids=str,
)  # fmt: skip
def test_products_that_are_ill_formed(change) -> None:
    with pytest.raises(CompileError) as caught:
        check(dataclasses.replace(PRODUCT, **change))
    assert caught.value.code == "GP900"


OF_BYTES = dataclasses.replace(
    PRODUCT, sums=OF_WORDS, inputs=MatrixInputs.I8, inner=32, left=Place(BYTES, ZERO), right=Place(BYTES, ZERO),
    is_right_transposed=True,
)  # fmt: skip


@pytest.mark.parametrize(
    "change",
    [{}, {"inner": 16}, {"is_left_transposed": True}, {"is_right_transposed": False}, {"inputs": MatrixInputs.U8},
     {"sums": SUMS}, {"left": WHERE}],
    ids=str,
)  # fmt: skip
def test_products_of_bytes(change) -> None:
    """Of which 32 are multiplied at once, all of them neighbours in memory."""
    module = Module(
        "groups", (128, 1, 1), (), (), (), (TILE, BYTES), (DeclareArray(SUMS), DeclareArray(OF_WORDS),
        dataclasses.replace(OF_BYTES, **change)),
    )  # fmt: skip
    capabilities = CAPABILITIES | {Capability.INT8}
    if not change:
        validate(module, capabilities, LIMITS, "here")
        return
    with pytest.raises(CompileError) as caught:
        validate(module, capabilities, LIMITS, "here")
    assert caught.value.code == "GP900"


def test_waits_for_what_is_no_sum_and_workgroups_without_groups() -> None:
    for statements, size in (((GroupWait(OTHER),), 128), ((PRODUCT,), 96), ((GroupWait(SUMS),), 64)):
        with pytest.raises(CompileError) as caught:
            check(*statements, size=size)
        assert caught.value.code == "GP900"


def test_all_reach_them_and_the_device_has_them() -> None:
    for statement in (PRODUCT, GroupWait(SUMS)):
        with pytest.raises(
            UniformityError, match="not every invocation of the workgroup reaches this operation of the"
        ):
            check(If(lt(Builtin(BuiltinKind.LOCAL_ID, 0), 3), (statement,), ()))
        with pytest.raises(CapabilityError):
            check(statement, capabilities=frozenset({Capability.F16}))
