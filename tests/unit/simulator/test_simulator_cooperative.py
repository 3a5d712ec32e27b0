"""Which elements of a cooperative matrix an invocation of the simulator has, and their products."""

from __future__ import annotations

import numpy as np
import pytest

from gpucore.ir import (
    F16,
    F32,
    I32,
    Constant,
    CooperativeLoad,
    CooperativeType,
    MatrixRole,
    Place,
    Value,
    WorkgroupArray,
)
from gpucore.simulator.cooperative import multiply_add, place_of_element

TILE = WorkgroupArray(1, "tile", F16, 1024)


@pytest.mark.parametrize("is_transposed", [False, True])
@pytest.mark.parametrize("edge", [16, 8])
def test_each_element_is_one_invocations(edge: int, is_transposed: bool) -> None:
    type = CooperativeType(F16, edge * edge // 32, MatrixRole.LEFT, edge)
    load = CooperativeLoad(Value(2, "left", type), Place(TILE, Constant(0, I32)), 20, is_transposed)
    text = place_of_element(load)
    places = [
        eval(text, {"index": 100, "lane": lane, "gpucore_k": k})  # noqa: S307 (of the simulator's own)
        for k in range(type.width)
        for lane in range(32)
    ]
    rows, columns = np.divmod(np.arange(edge * edge), edge)
    if is_transposed:
        rows, columns = columns, rows
    assert places == list(100 + rows * 20 + columns)


@pytest.mark.parametrize(("edge", "name"), [(16, "f32"), (16, "f16"), (8, "f32")])
def test_products_are_added(edge: int, name: str) -> None:
    random = np.random.default_rng(1)
    left, right, sums = (random.integers(-4, 5, (edge, edge)).astype("f2") for _ in range(3))
    parts = [matrix.reshape(-1, 32).T for matrix in (left, right, sums)]
    operands = [tuple(tuple(part[lane]) for part in parts) for lane in range(32)]
    found = np.array(multiply_add(operands, (edge, name)))
    assert found.dtype == {"f32": np.float32, "f16": np.float16}[name]
    assert np.array_equal(found.T.reshape(edge, edge), left.astype("f4") @ right.astype("f4") + sums)


def test_types_are_told_apart() -> None:
    types = {CooperativeType(element, 8, role, 16) for element in (F16, F32) for role in MatrixRole}
    assert len(types) == 6
    assert str(CooperativeType(F32, 8, MatrixRole.SUMS, 16)) == "matrix16x16<f32, sums>"
