"""Structs in buffers: the layout that WGSL gives them is the IR's, byte by byte."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from wgpu_builder import Kernel, builtin, constant, i32, wgsl

from gpucore import ir
from gpucore.errors import EmitError
from gpucore.ir import (
    F16,
    F32,
    F64,
    I32,
    I64,
    U32,
    U64,
    BuiltinKind,
    Place,
    StructField,
    StructType,
    VectorType,
    lay_out,
)
from gpucore.ir.build import add, mul

F32X2, F32X4 = VectorType(F32, 2), VectorType(F32, 4)
INNER = lay_out("Inner", (("a", F32), ("wide", F32X2), ("b", I32)))
OUTER = lay_out(
    "Outer", (("flag", U32), ("inner", INNER), ("w", F32), ("position", F32X4), ("second", INNER), ("var", I32))
)
LONG = lay_out("Long", (("u", U32), ("l", I64), ("v", F32), ("d", F64), ("q", U64)))
HALF = lay_out("Half", (("h", F16), ("f", F32), ("pair", VectorType(F16, 2)), ("g", F16), ("four", VectorType(F16, 4))))
PADDED_INNER = StructType("Spaced", (StructField("a", F32, 0), StructField("b", F32, 8)), 16, 4)
PADDED = StructType(
    "Padded", (StructField("x", I32, 4), StructField("inner", PADDED_INNER, 16), StructField("y", I32, 36)), 48, 4
)


def leaf_paths(struct: StructType, before: tuple[int, ...] = ()) -> list[tuple[int, ...]]:
    """The paths to all scalars and vectors of a struct."""
    paths = []
    for number, field in enumerate(struct.fields):
        path = (*before, number)
        paths += leaf_paths(field.type, path) if isinstance(field.type, StructType) else [path]
    return paths


def spread(struct: StructType) -> ir.Module:
    """Writes k + 1 into every component of leaf k of structs[1 + i], adding what was in structs[i]."""
    kernel = Kernel("spread")
    source, target = kernel.buffer("source", struct), kernel.buffer("target", struct, writable=True)
    i = kernel.let("i", builtin(BuiltinKind.WORKGROUP_ID))
    for k, path in enumerate(leaf_paths(struct)):
        old = kernel.load(f"old{k}", source, i, path=path)
        scalar = ir.scalar_of(old.type)
        number: ir.Expr = constant(k + 1.0 if scalar.is_float else k + 1, scalar)
        if isinstance(old.type, VectorType):
            number = ir.Splat(number, old.type)
        kernel.store(target, add(i, i32(1)), add(old, number), path=path)
    return kernel.module()


def set_leaf(data: np.ndarray[Any, Any], struct: StructType, index: int, path: tuple[int, ...], value: Any) -> None:
    """Write a leaf at the byte where the IR has it; `value` may be a number for all components."""
    place = Place(ir.Buffer(0, "b", struct, True, True), i32(0), path)
    code = {F16: "f2", F32: "f4", F64: "f8", I32: "i4", U32: "u4", I64: "i8", U64: "u8"}[ir.scalar_of(place.type)]
    start = index * struct.nbytes + place.offset
    data[start : start + place.type.nbytes].view(code)[:] = value


@pytest.mark.parametrize("struct", [INNER, OUTER, LONG, HALF, PADDED], ids=str)
def test_every_leaf_lies_where_the_ir_has_it(run, struct):
    count = 3
    source = np.zeros(count * struct.nbytes, np.uint8)
    target, expected = np.full((count + 1) * struct.nbytes, 0xAB, np.uint8), None
    expected = target.copy()
    for index in range(count):
        for k, path in enumerate(leaf_paths(struct)):
            set_leaf(source, struct, index, path, 10 * index + k)
            set_leaf(expected, struct, index + 1, path, 10 * index + k + k + 1)
    _, result = run(spread(struct), [source, target], workgroups=count)
    np.testing.assert_array_equal(result, expected)


def test_the_natural_layout_is_declared_plainly():
    text = wgsl(spread(OUTER)).text
    assert text.startswith(
        "struct Inner {\n    a: f32,\n    wide: vec2<f32>,\n    b: i32,\n}\n"
        "struct Outer {\n    flag: u32,\n    inner: Inner,\n    w: f32,\n    position: vec4<f32>,\n"
        "    second: Inner,\n    var_2: i32,\n}\n"
    )
    assert "var<storage, read> source: array<Outer>;" in text
    assert "let old2 = source[i].inner.wide;" in text


def test_names_of_structs_and_members_are_made_fit():
    kernel = Kernel("fits")
    one, two = lay_out("kernel", (("loop", F32),)), lay_out("out", (("gpucore_pad_0_0", F32), ("loop", I32)))
    a, out = kernel.buffer("a", one), kernel.buffer("out", two, writable=True)
    kernel.store(out, i32(0), kernel.load("x", a, i32(0), path=(0,)), path=(0,))
    text = wgsl(kernel.module()).text
    assert "struct kernel {\n    loop_2: f32,\n}" in text
    assert "struct out_2 {\n    v_gpucore_pad_0_0: f32,\n    loop_2: i32,\n}" in text
    assert "out[0].v_gpucore_pad_0_0 = x;" in text


@pytest.mark.parametrize(
    "struct",
    [
        StructType("Overlaps", (StructField("x", F32, 0), StructField("y", F32, 2)), 8, 4),
        StructType("Packed", (StructField("x", F32, 0), StructField("y", F64, 4)), 12, 4),
        StructType("Cut", (StructField("x", F32X4, 0), StructField("y", F32, 16)), 20, 4),
        StructType("Late", (StructField("x", F16, 2),), 4, 2),
    ],
    ids=str,
)
def test_what_wgsl_lays_out_otherwise_is_refused(struct):
    kernel = Kernel("refused")
    buffer, out = kernel.buffer("buffer", struct), kernel.buffer("out", ir.scalar_of(struct.fields[0].type), True)
    value = kernel.load("value", buffer, i32(0), path=(0,))
    kernel.store(out, i32(0), ir.Extract(value, 0, F32) if isinstance(value.type, VectorType) else value)
    with pytest.raises(EmitError, match=f"GP602.*'{struct.name}'"):
        wgsl(kernel.module())


def test_a_struct_that_is_only_updated_in_place(run):
    kernel = Kernel("update", 1)
    buffer = kernel.buffer("particles", OUTER, writable=True)
    i = kernel.let("i", builtin(BuiltinKind.WORKGROUP_ID))
    position = kernel.load("position", buffer, i, path=(3,))
    kernel.store(buffer, i, mul(position, ir.Splat(constant(2.0, F32), F32X4)), path=(3,))
    data = np.arange(2 * OUTER.nbytes, dtype=np.uint8)
    expected = data.copy()
    for index in range(2):
        set_leaf(data, OUTER, index, (3,), [1, 2, 3, index])
        set_leaf(expected, OUTER, index, (3,), [2, 4, 6, 2 * index])
    (result,) = run(kernel.module(), [data], workgroups=2)
    np.testing.assert_array_equal(result, expected)
