"""Steps around defects of Mesa's software driver."""

from __future__ import annotations

import dataclasses
import math

from gpucore.plugin import ir
from gpucore.plugin.ir import (
    BOOL,
    I32,
    I64,
    U32,
    U64,
    BinaryOp,
    BuiltinKind,
    Rewriter,
    build,
    scalar_of,
    walk,
    with_scalar,
)

FLAG_NAME = "loop flag"  # which no parameter can have
LOOP_CHECK = 3  # iterations of the loop that shows whether the limit was reached: its first one always runs
_SLACK = 4


def prepare(module: ir.Module, limit: int) -> ir.Module:
    """The kernel for the driver, which ends loops after `limit` iterations; the module itself if nothing changes."""
    module = _with_other_expressions(module)
    return module if _most_iterations(module.body) < limit - _SLACK else _with_flag(module)


def has_flag(module: ir.Module) -> bool:
    """Whether the last buffer is one that the device binds."""
    return bool(module.buffers) and module.buffers[-1].name == FLAG_NAME


def _with_other_expressions(module: ir.Module) -> ir.Module:
    """The driver takes a product with a constant zero to be zero, and a quotient by one to be undefined; `i64(x) >= 0`
    may be true for a negative i32."""
    never = ir.Value(walk.next_id(module), "never", BOOL)
    rewritten = _Expressions(module, never).rewritten()
    if rewritten is module:
        return module
    is_never = build.eq(ir.Builtin(BuiltinKind.NUM_WORKGROUPS, 0), 0)
    return dataclasses.replace(rewritten, body=(ir.Let(never, is_never, module.span), *rewritten.body))


class _Expressions(Rewriter):
    """Makes constant zeros of products and quotients selections by a bool that the driver cannot know to be false, and
    an i64 of an i32 without a sign extension: plus 2**31 it is widened as u64, from which 2**31 is subtracted."""

    def __init__(self, module: ir.Module, never: ir.Value) -> None:
        super().__init__(module)
        self._never = never

    def rewrite(self, expr: ir.Expr) -> ir.Expr:
        if isinstance(expr, ir.Convert) and scalar_of(expr.operand.type) == I32 and scalar_of(expr.type) in (I64, U64):
            shifted = build.bit_xor(build.bitcast(expr.operand, with_scalar(expr.type, U32)), 1 << 31)
            return build.bitcast(build.sub(build.convert(shifted, with_scalar(expr.type, U64)), 1 << 31), expr.type)
        if not isinstance(expr, ir.Binary) or expr.op not in (BinaryOp.MUL, BinaryOp.DIV):
            return expr
        if not scalar_of(expr.type).is_float:
            return expr
        return dataclasses.replace(expr, left=self._hidden(expr.left), right=self._hidden(expr.right))

    def _hidden(self, expr: ir.Expr) -> ir.Expr:
        known = expr.operand if isinstance(expr, ir.Splat) else expr
        if not isinstance(known, ir.Constant) or known.value != 0:
            return expr
        hidden = build.select(self._never, build.constant(3.0, known.type), known)
        return build.splat(hidden, expr.type) if isinstance(expr, ir.Splat) else hidden


def _most_iterations(block: ir.Block) -> float:
    """How often the loops of a block run at most, together."""
    total = 0.0
    for statement in block:
        inner = sum(map(_most_iterations, walk.blocks(statement)))
        if isinstance(statement, ir.Loop):
            return math.inf
        if isinstance(statement, ir.ForRange):
            first = statement.start
            trips = _greatest(statement.stop) - int(first.value) if isinstance(first, ir.Constant) else math.inf
            inner = trips * (1 + inner) if trips > 0 else 0.0
        total += inner
    return total


def _greatest(expr: ir.Expr) -> float:
    """The greatest value of an integer, if it is a constant or the minimum of one and another."""
    if isinstance(expr, ir.Constant):
        return int(expr.value)
    if isinstance(expr, ir.Call) and expr.op is ir.MathOp.MIN:
        return min(map(_greatest, expr.args))
    return math.inf


def _with_flag(module: ir.Module) -> ir.Module:
    """The driver ends every loop of an invocation after 65535 iterations of all its loops. So at its end the kernel
    runs a loop of a few iterations, whose number is in a further buffer that the device binds, and stores 1 there if
    fewer were run."""
    flags = ir.Buffer(len(module.buffers), FLAG_NAME, U32, readable=True, writable=True, rank=0)
    first = walk.next_id(module)
    wanted, counter = ir.Value(first, "wanted", U32), ir.Value(first + 1, "i", U32)
    counted = ir.Local(first + 2, "counted", U32)
    place, zero = ir.Place(flags, ir.Constant(0, U32)), ir.Constant(0, U32)
    check = (
        ir.Load(wanted, place),
        ir.Declare(counted, zero),
        ir.ForRange(counter, zero, wanted, (ir.Assign(counted, build.add(counted, 1)),)),
        ir.If(build.ne(counted, wanted), (ir.Store(ir.Place(flags, ir.Constant(1, U32)), ir.Constant(1, U32)),)),
    )
    return dataclasses.replace(module, buffers=(*module.buffers, flags), body=(*module.body, *check))
