"""An operation that a table of the emitter does not list is an EmitError, of whatever kind it is."""

from __future__ import annotations

import pytest
from wgpu_builder import Kernel, builtin, constant, i32, wgsl

from gpucore import ir
from gpucore.errors import EmitError
from gpucore.ir import BOOL, F32, I32, AtomicOp, BinaryOp, BuiltinKind, MathOp, SubgroupOp, UnaryOp
from gpucore.ir.build import binary, call
from gpucore_wgpu import wgsl_builtins, wgsl_expressions, wgsl_statements, wgsl_subgroups, wgsl_types


def stored(make):
    """A kernel that stores what `make` gives for a loaded number."""

    def build(type):
        kernel = Kernel()
        out = kernel.buffer("out", type, writable=True)
        kernel.store(out, i32(0), make(kernel.load("x", out, i32(0))))
        return kernel.module()

    return build


def atomic(type):
    kernel = Kernel()
    out = kernel.buffer("out", type, writable=True)
    kernel.body.append(ir.Atomic(None, AtomicOp.ADD, ir.Place(out, i32(0)), constant(1, type)))
    return kernel.module()


def subgroup(type):
    kernel = Kernel()
    out = kernel.buffer("out", type, writable=True)
    x = kernel.load("x", out, i32(0))
    kernel.store(out, i32(0), kernel.subgroup("total", SubgroupOp.ADD, x))
    return kernel.module()


def comparison(x):
    return ir.Select(binary(BinaryOp.LT, x, constant(5, I32)), x, constant(7, I32), I32)


OPERATIONS = [
    (wgsl_expressions, "_SAME_NAME", MathOp.FLOOR, stored(lambda x: call(MathOp.FLOOR, x)), F32),
    (wgsl_expressions, "_OWN_FUNCTION", MathOp.STEP, stored(lambda x: call(MathOp.STEP, x, x)), F32),
    (wgsl_expressions, "_ARITHMETIC", BinaryOp.ADD, stored(lambda x: binary(BinaryOp.ADD, x, x)), I32),
    (wgsl_expressions, "_BITWISE", BinaryOp.BIT_XOR, stored(lambda x: binary(BinaryOp.BIT_XOR, x, x)), I32),
    (wgsl_expressions, "_SHIFTS", BinaryOp.SHL, stored(lambda x: binary(BinaryOp.SHL, x, x)), I32),
    (wgsl_expressions, "_COMPARISONS", BinaryOp.LT, stored(comparison), I32),
    (wgsl_expressions, "_SIGNS", UnaryOp.NEG, stored(lambda x: ir.Unary(UnaryOp.NEG, x, I32)), I32),
    (wgsl_statements, "_ATOMICS", AtomicOp.ADD, atomic, I32),
    (wgsl_subgroups, "_NAMES", SubgroupOp.ADD, subgroup, I32),
    (wgsl_builtins, "_INPUTS", BuiltinKind.LOCAL_ID, stored(lambda x: builtin(BuiltinKind.LOCAL_ID)), I32),
]


@pytest.mark.parametrize(
    ("module", "table", "operation", "build", "type"), OPERATIONS, ids=[str(entry[2]) for entry in OPERATIONS]
)
def test_an_operation_that_is_not_listed(monkeypatch, module, table, operation, build, type):
    kernel = build(type)
    assert wgsl(kernel).text
    entries = {key: text for key, text in getattr(module, table).items() if key is not operation}
    monkeypatch.setattr(module, table, entries)
    with pytest.raises(EmitError, match=operation.value):
        wgsl(kernel)


@pytest.mark.parametrize(("table", "type"), [("_INTEGER_SUFFIX", I32), ("_FLOAT_SUFFIX", F32)])
def test_constants_of_a_type_that_is_not_listed(monkeypatch, table, type):
    kernel = stored(lambda x: constant(2.0 if type.is_float else 2, type))(type)
    monkeypatch.setattr(wgsl_types, table, {})
    with pytest.raises(EmitError, match=f"constants of type {type}"):
        wgsl(kernel)


def test_bool_has_constants():
    assert wgsl(stored(lambda x: ir.Select(constant(True, BOOL), x, x, I32))(I32)).text
