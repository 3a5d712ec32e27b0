"""Rewrites of a kernel's IR, of the emitted source and of a device's facts that each break one rule of the contract."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from gpucore import ir
from gpucore.ir import walk
from gpucore.runtime import DeviceInfo, Source


def rewriting(change: Callable[[ir.Expr], ir.Expr]) -> Callable[[ir.Module], ir.Module]:
    """A rewrite of every expression of a module."""

    def rewrite(module: ir.Module) -> ir.Module:
        return dataclasses.replace(module, body=walk.map_block(module.body, lambda expr: walk.map_expr(expr, change)))

    return rewrite


def swapping(old: ir.BinaryOp, new: ir.BinaryOp) -> Callable[[ir.Module], ir.Module]:
    """One binary operator in place of another."""

    def change(expr: ir.Expr) -> ir.Expr:
        if isinstance(expr, ir.Binary) and expr.op is old:
            return ir.Binary(new, expr.left, expr.right, expr.type)
        return expr

    return rewriting(change)


def minimum_with_nan(expr: ir.Expr) -> ir.Expr:
    """min(a, b) as `a < b ? a : b`, which gives b for a NaN on either side."""
    if isinstance(expr, ir.Call) and expr.op is ir.MathOp.MIN and expr.type == ir.F32:
        a, b = expr.args
        return ir.Select(ir.Binary(ir.BinaryOp.LT, a, b, ir.BOOL), a, b, ir.F32)
    return expr


def rounding_half_up(expr: ir.Expr) -> ir.Expr:
    if isinstance(expr, ir.Call) and expr.op is ir.MathOp.ROUND and expr.type == ir.F32:
        return ir.Call(
            ir.MathOp.FLOOR, (ir.Binary(ir.BinaryOp.ADD, expr.args[0], ir.Constant(0.5, ir.F32), ir.F32),), ir.F32
        )
    return expr


def wrapping_conversion(expr: ir.Expr) -> ir.Expr:
    """Float to i32 through i64: large numbers wrap instead of saturating."""
    if isinstance(expr, ir.Convert) and expr.type == ir.I32 and expr.operand.type == ir.F32:
        return ir.Convert(ir.Convert(expr.operand, ir.I64), ir.I32)
    return expr


def vanishing_shift(expr: ir.Expr) -> ir.Expr:
    """x << y is 0 where y is not below the width, as hardware without a mask has it."""
    if isinstance(expr, ir.Binary) and expr.op is ir.BinaryOp.SHL and expr.type == ir.U32:
        beyond = ir.Binary(ir.BinaryOp.GE, expr.right, ir.Constant(32, ir.U32), ir.BOOL)
        return ir.Select(beyond, ir.Constant(0, ir.U32), expr, ir.U32)
    return expr


def not_as_reversed_comparison(expr: ir.Expr) -> ir.Expr:
    """not (a < b) as a >= b, which differs with NaN."""
    if (
        isinstance(expr, ir.Unary)
        and expr.op is ir.UnaryOp.NOT
        and isinstance(expr.operand, ir.Binary)
        and expr.operand.op is ir.BinaryOp.LT
    ):
        return ir.Binary(ir.BinaryOp.GE, expr.operand.left, expr.operand.right, ir.BOOL)
    return expr


def flushing_bitcast(expr: ir.Expr) -> ir.Expr:
    """A bitcast to f32 gives 0 for subnormals."""
    if isinstance(expr, ir.Bitcast) and expr.type == ir.F32 and _is_scalar(expr.operand):
        magnitude = ir.Call(ir.MathOp.ABS, (expr,), ir.F32)
        is_tiny = ir.Binary(ir.BinaryOp.LT, magnitude, ir.Constant(2.0**-126, ir.F32), ir.BOOL)
        return ir.Select(is_tiny, ir.Constant(0.0, ir.F32), expr, ir.F32)
    return expr


def _is_scalar(expr: ir.Expr) -> bool:
    return isinstance(expr.type, ir.ScalarType)


def _mapped_statements(module: ir.Module, change: Callable[[ir.Stmt], ir.Stmt | None]) -> ir.Module:
    def on_block(block: ir.Block) -> ir.Block:
        changed = [change(walk.map_statement(statement, lambda expr: expr, on_block)) for statement in block]
        return tuple(statement for statement in changed if statement is not None)

    return dataclasses.replace(module, body=on_block(module.body))


def without_barriers(module: ir.Module) -> ir.Module:
    return _mapped_statements(module, lambda statement: None if isinstance(statement, ir.Barrier) else statement)


def without_subgroup_barriers(module: ir.Module) -> ir.Module:
    return _mapped_statements(
        module,
        lambda statement: (
            None if isinstance(statement, ir.Subgroup) and statement.op is ir.SubgroupOp.BARRIER else statement
        ),
    )


def atomic_exchange_as_or(module: ir.Module) -> ir.Module:
    def change(statement: ir.Stmt) -> ir.Stmt:
        if isinstance(statement, ir.Atomic) and statement.op is ir.AtomicOp.EXCHANGE:
            return dataclasses.replace(statement, op=ir.AtomicOp.OR)
        return statement

    return _mapped_statements(module, change)


def without_copy_waits(module: ir.Module) -> ir.Module:
    return _mapped_statements(module, lambda statement: None if isinstance(statement, ir.CopyWait) else statement)


def waiting_for_a_group_less(module: ir.Module) -> ir.Module:
    def change(statement: ir.Stmt) -> ir.Stmt:
        if isinstance(statement, ir.CopyWait):
            return dataclasses.replace(statement, pending=statement.pending + 1)
        return statement

    return _mapped_statements(module, change)


def turned_fragments(module: ir.Module) -> ir.Module:
    def change(statement: ir.Stmt) -> ir.Stmt:
        if isinstance(statement, ir.MatrixLoad):
            return dataclasses.replace(statement, is_transposed=not statement.is_transposed)
        return statement

    return _mapped_statements(module, change)


def continue_as_break(module: ir.Module) -> ir.Module:
    return _mapped_statements(module, lambda statement: ir.Break() if isinstance(statement, ir.Continue) else statement)


def loop_one_too_far(module: ir.Module) -> ir.Module:
    """A loop that tests its counter with <= leaves nothing out where the stop is INT_MAX, and one too many
    elsewhere."""

    def change(statement: ir.Stmt) -> ir.Stmt:
        if isinstance(statement, ir.ForRange) and isinstance(statement.stop.type, ir.ScalarType):
            one = ir.Constant(1, statement.stop.type)
            return dataclasses.replace(
                statement, stop=ir.Binary(ir.BinaryOp.ADD, statement.stop, one, statement.stop.type)
            )
        return statement

    return _mapped_statements(module, change)


_texts = iter(range(10**9))


def counting_text(source: Source) -> Source:
    """A number in the text that is never the same."""
    return dataclasses.replace(source, text=f"{source.text}# {next(_texts)}\n")


def forgetting_writes(source: Source) -> Source:
    return dataclasses.replace(source, writes=tuple(True for _ in source.writes))


# ---------------------------------------------------------------- mutants of what a backend says


def without_lines(source: Source) -> Source:
    return dataclasses.replace(source, lines=())


def with_unmapped_lines(source: Source) -> Source:
    return dataclasses.replace(source, lines=(None,) * len(source.text.splitlines()))


def with_shifted_lines(source: Source) -> Source:
    return dataclasses.replace(source, lines=(None, *source.lines[:-1]))


def with_lines_shifted_back(source: Source) -> Source:
    return dataclasses.replace(source, lines=(*source.lines[1:], None))


def with_lines_off_by_one(source: Source) -> Source:
    """Each span is that of the user's next line."""
    moved = [span and dataclasses.replace(span, line=span.line + 1) for span in source.lines]
    return dataclasses.replace(source, lines=tuple(moved))


def with_limits(**limits: object) -> Callable[[DeviceInfo], DeviceInfo]:
    """A device that says other limits than it has."""
    return lambda info: dataclasses.replace(info, limits=dataclasses.replace(info.limits, **limits))  # type: ignore[arg-type]


def with_device_timestamps(info: DeviceInfo) -> DeviceInfo:
    """A device that says nothing of host's time."""
    return dataclasses.replace(info, details=())


def lacking_types(source: Source) -> Source:
    """A table of types that ends with a KeyError where one is missing."""
    program: Any = source.payload
    for buffer in program.valid.module.buffers:
        if buffer.element in (ir.I8, ir.F16):
            raise KeyError(buffer.element)
    return source
