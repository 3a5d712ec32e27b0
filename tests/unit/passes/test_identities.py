"""Each identity as text, and that none of them changes a value."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpucore.ir import (
    BOOL,
    F32,
    I32,
    U32,
    Binary,
    BinaryOp,
    Bitcast,
    Call,
    Constant,
    Construct,
    Convert,
    Extract,
    MathOp,
    Select,
    Splat,
    Unary,
    UnaryOp,
    Value,
    VectorType,
)
from gpucore.ir.printer import print_expr
from gpucore.passes import arithmetic
from gpucore.passes.identities import simplify

B = BinaryOp
X, Y, U, F, G, P, Q = (
    Value(number, name, type_)
    for number, (name, type_) in enumerate(
        [("x", I32), ("y", I32), ("u", U32), ("f", F32), ("g", F32), ("p", BOOL), ("q", BOOL)]
    )
)
F4 = VectorType(F32, 4)
V = Value(9, "v", F4)


def op(kind, left, right, type_=None):
    """A Binary of values and plain numbers."""
    value = left if not isinstance(left, (bool, int, float)) else right
    left, right = (Constant(e, value.type) if isinstance(e, (bool, int, float)) else e for e in (left, right))
    return Binary(kind, left, right, type_ or left.type)


def no(operand):
    return Unary(UnaryOp.NOT, operand, BOOL)


def bottom_up(expr):
    """Simplify a Binary whose left side may be simplified first."""
    if isinstance(expr, Binary):
        expr = Binary(expr.op, bottom_up(expr.left), bottom_up(expr.right), expr.type)
    return simplify(expr)


@pytest.mark.parametrize(
    ("expr", "expected"),
    [
        (op(B.ADD, X, 0), "x.0"),
        (op(B.ADD, 0, X), "x.0"),
        (op(B.SUB, X, 0), "x.0"),
        (op(B.MUL, X, 1), "x.0"),
        (op(B.MUL, X, 0), "0:i32"),
        (op(B.MUL, X, 8), "(x.0 * 8:i32)"),
        (op(B.SHL, X, 0), "x.0"),
        (op(B.SHR, X, 32), "x.0"),
        (op(B.FLOOR_DIV, X, 0), "x.0"),
        (op(B.FLOOR_DIV, X, 1), "x.0"),
        (op(B.FLOOR_MOD, X, 0), "0:i32"),
        (op(B.FLOOR_MOD, X, 1), "0:i32"),
        (op(B.FLOOR_MOD, 0, X), "0:i32"),
        (op(B.BIT_AND, U, 0xFFFFFFFF), "u.2"),
        (op(B.BIT_OR, X, -1), "-1:i32"),
        (op(B.SUB, X, X), "0:i32"),
        (op(B.SUB, X, Y), "(x.0 - y.1)"),
        (op(B.LE, X, X, BOOL), "True:bool"),
        (op(B.ADD, op(B.ADD, X, 3), 4), "(x.0 + 7:i32)"),
        (op(B.ADD, op(B.SUB, X, 3), 3), "x.0"),
        (op(B.SUB, op(B.ADD, X, 3), 5), "(x.0 - 2:i32)"),
        (op(B.ADD, 4, op(B.ADD, 3, X)), "(x.0 + 7:i32)"),
        (op(B.ADD, op(B.ADD, X, 2147483647), 1), "(x.0 + -2147483648:i32)"),
        (op(B.ADD, op(B.ADD, U, 4294967295), 2), "(u.2 + 1:u32)"),
        (op(B.MUL, op(B.MUL, X, 3), 4), "(x.0 * 12:i32)"),
        (op(B.MUL, op(B.MUL, X, 65536), 65536), "0:i32"),
        # floats: only what is exact
        (op(B.MUL, F, 1.0), "f.3"),
        (op(B.MUL, 1.0, F), "f.3"),
        (op(B.DIV, F, 1.0), "f.3"),
        (op(B.SUB, F, 0.0), "f.3"),
        (op(B.ADD, F, -0.0), "f.3"),
        (op(B.ADD, F, 0.0), "(f.3 + 0.0:f32)"),
        (op(B.SUB, F, -0.0), "(f.3 - -0.0:f32)"),
        (op(B.SUB, 0.0, F), "(0.0:f32 - f.3)"),
        (op(B.MUL, F, 0.0), "(f.3 * 0.0:f32)"),
        (op(B.SUB, F, F), "(f.3 - f.3)"),
        (op(B.ADD, op(B.ADD, F, 1.0), 2.0), "((f.3 + 1.0:f32) + 2.0:f32)"),
        (op(B.EQ, F, F, BOOL), "(f.3 == f.3)"),
        # booleans
        (op(B.AND, P, True), "p.5"),
        (op(B.AND, False, P), "False:bool"),
        (op(B.OR, P, True), "True:bool"),
        (op(B.OR, P, False), "p.5"),
        (op(B.AND, P, P), "p.5"),
        (op(B.EQ, P, False), "(not p.5)"),
        (op(B.BIT_XOR, P, True), "(not p.5)"),
        (no(no(P)), "p.5"),
        (no(op(B.LT, X, Y, BOOL)), "(x.0 >= y.1)"),
        (no(op(B.LT, F, G, BOOL)), "(not (f.3 < g.4))"),
        (no(op(B.EQ, F, G, BOOL)), "(f.3 != g.4)"),
        # conversions and the rest
        (Convert(X, I32), "x.0"),
        (Convert(Convert(X, U32), I32), "x.0"),
        (Convert(Convert(F, I32), F32), "f32(i32(f.3))"),
        (Convert(Constant(-1, I32), U32), "4294967295:u32"),
        (Bitcast(Bitcast(F, U32), F32), "f.3"),
        (Bitcast(Constant(1.0, F32), U32), "1065353216:u32"),
        (Bitcast(Constant(0x7FC00001, U32), F32), "bitcast[f32](2143289345:u32)"),
        (Select(Constant(True, BOOL), X, Y, I32), "x.0"),
        (Select(P, X, X, I32), "x.0"),
        (Select(P, Constant(False, BOOL), Constant(True, BOOL), BOOL), "(not p.5)"),
        (Select(P, X, Y, I32), "select(p.5, x.0, y.1)"),
        (Extract(Construct((F, G, F, G), F4), 1, F32), "g.4"),
        (Extract(Splat(F, F4), 3, F32), "f.3"),
        (Construct(tuple(Extract(V, i, F32) for i in range(4)), F4), "v.9"),
        (Construct(tuple(Extract(V, i, F32) for i in (1, 0, 2, 3)), F4), "f32x4(v.9.y, v.9.x, v.9.z, v.9.w)"),
        (op(B.MUL, V, Splat(Constant(1.0, F32), F4)), "v.9"),
        (
            op(B.ADD, Splat(Constant(1.0, F32), F4), Splat(Constant(2.0, F32), F4)),
            "splat[f32x4](3.0:f32)",
        ),
        (Splat(Constant(1.0, F32), F4), "splat[f32x4](1.0:f32)"),
        (Call(MathOp.MAX, (Constant(2, I32), Constant(5, I32)), I32), "5:i32"),
        (Call(MathOp.MAX, (X, Constant(5, I32)), I32), "max(x.0, 5:i32)"),
        (Unary(UnaryOp.NEG, Unary(UnaryOp.NEG, F, F32), F32), "f.3"),
    ],
)
def test_identity(expr, expected):
    assert print_expr(bottom_up(expr)) == expected


def test_nothing_to_do_returns_the_same_object():
    expr = op(B.ADD, X, Y)
    assert simplify(expr) is expr


INTEGER_OPS = [
    B.ADD, B.SUB, B.MUL, B.FLOOR_DIV, B.FLOOR_MOD, B.TRUNC_DIV, B.TRUNC_REM, B.BIT_AND, B.BIT_OR, B.BIT_XOR, B.SHL,
    B.SHR,
]  # fmt: skip
numbers = st.sampled_from([0, 1, 2, 31, 32, -1, -2, 2**31 - 1, -(2**31)]) | st.integers(-(2**31), 2**31 - 1)


def evaluate(expr, x):
    match expr:
        case Constant():
            return expr.value
        case Value():
            return x
        case Binary():
            return arithmetic.binary(expr.op, evaluate(expr.left, x), evaluate(expr.right, x), expr.left.type)


@given(
    st.sampled_from(INTEGER_OPS), st.sampled_from(INTEGER_OPS), numbers, numbers, numbers, st.booleans(), st.booleans()
)
def test_integer_identities_keep_every_value(first, second, a, b, x, swap_inner, swap_outer):
    inner = op(first, a, X) if swap_inner else op(first, X, a)
    outer = op(second, b, inner) if swap_outer else op(second, inner, b)
    assert evaluate(bottom_up(outer), x) == evaluate(outer, x)


@given(
    st.sampled_from([B.ADD, B.SUB, B.MUL, B.DIV]), st.sampled_from([0.0, -0.0, 1.0, -1.0, math.inf, math.nan]),
    st.floats(width=32), st.booleans(),
)  # fmt: skip
def test_float_identities_keep_every_value(kind, constant, x, swap):
    expr = op(kind, constant, F) if swap else op(kind, F, constant)
    before, after = evaluate(expr, x), evaluate(simplify(expr), x)
    assert (math.isnan(before) and math.isnan(after)) or (
        before == after and math.copysign(1, before) == math.copysign(1, after)
    )
