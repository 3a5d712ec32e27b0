"""Guards as loop bounds: for a region in `if i < n`, the loop over invocations ends at n and the branch is removed.

The region must be a single `If`, after statements without effect, and one conjunct of its condition must compare a sum
with local_id(0) to an upper bound that is the same along x. All lanes are on then, except in the last gang of the row.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

from gpucore.plugin import ir
from gpucore.plugin.ir import I32, IDS_OF_INVOCATIONS, TRUE, BinaryOp, BuiltinKind, walk
from gpucore_cpu.ranges import KernelRanges

_MAX_NODES = 64  # of a guard with its definitions expanded


@dataclass(frozen=True, slots=True)
class Guard:
    """The active invocations along x are those with start + x < stop. Both are the same along x."""

    start: ir.Expr
    stop: ir.Expr


def split_guard(
    region: ir.Block, ranges: KernelRanges, same: frozenset[int], spilled: frozenset[int]
) -> tuple[Guard | None, ir.Block]:
    """The guard of a region, if it has one, and the remaining statements."""
    if not region or not isinstance(region[-1], ir.If) or region[-1].orelse:
        return None, region
    if not all(_has_no_effect(statement, spilled) for statement in region[:-1]):
        return None, region
    guarded = region[-1]
    parts = split_conjuncts(guarded.condition)
    for number, part in enumerate(parts):
        guard = _guard(_expand_definitions(part, ranges, same), ranges, same)
        if guard is None:
            continue
        rest = parts[:number] + parts[number + 1 :]
        inner = guarded.then if not rest else (ir.If(join_conjuncts(rest), guarded.then, (), guarded.span),)
        return guard, (*region[:-1], *inner)
    return None, region


def _has_no_effect(statement: ir.Stmt, spilled: frozenset[int]) -> bool:
    """Whether the effect of the statement is visible only to the same invocation in the same region."""
    match statement:
        case ir.Let() | ir.Load():
            return statement.value.id not in spilled
        case ir.Declare():
            return statement.local.id not in spilled
        case ir.DeclareArray():
            return statement.array.id not in spilled
        case _:
            return False


def split_conjuncts(condition: ir.Expr) -> list[ir.Expr]:
    """The conditions that are joined by `and`."""
    if isinstance(condition, ir.Binary) and condition.op is BinaryOp.AND:
        return [*split_conjuncts(condition.left), *split_conjuncts(condition.right)]
    return [condition]


def join_conjuncts(parts: list[ir.Expr]) -> ir.Expr:
    """Conditions joined by `and`."""
    whole = parts[0] if parts else TRUE
    for part in parts[1:]:
        whole = ir.Binary(BinaryOp.AND, whole, part, ir.BOOL)
    return whole


def _expand_definitions(expr: ir.Expr, ranges: KernelRanges, same: frozenset[int]) -> ir.Expr:
    """A comparison with its values replaced by their definitions, except hoisted values."""
    match expr:
        case ir.Value() if expr.id not in same and expr.id in ranges.pure_definitions:
            return _expand_definitions(ranges.pure_definitions[expr.id], ranges, same)
        case ir.Binary():
            left, right = _expand_definitions(expr.left, ranges, same), _expand_definitions(expr.right, ranges, same)
            return ir.Binary(expr.op, left, right, expr.type)
        case _:
            return expr


def _guard(part: ir.Expr, ranges: KernelRanges, same: frozenset[int]) -> Guard | None:
    if not isinstance(part, ir.Binary) or part.op not in (BinaryOp.LT, BinaryOp.GT) or part.left.type != I32:
        return None
    small, bound = (part.left, part.right) if part.op is BinaryOp.LT else (part.right, part.left)
    if not same_along_x(bound, same) or sum(1 for _ in walk.subexpressions(part)) > _MAX_NODES:
        return None
    start = _without_x(small, ranges, same)
    return None if start is None else Guard(start, bound)


def same_along_x(expr: ir.Expr, same: Set[int]) -> bool:
    """Whether an expression is known to have one value for all x, and can be evaluated outside the loop over x.

    `same` has the ids of values and locals for which that is known.
    """
    match expr:
        case ir.Value() | ir.Local():
            return expr.id in same
        case ir.Builtin():
            return expr.kind not in IDS_OF_INVOCATIONS or expr.axis != 0
        case _:
            return all(same_along_x(operand, same) for operand in walk.children(expr))


def _without_x(expr: ir.Expr, ranges: KernelRanges, same: frozenset[int]) -> ir.Expr | None:
    """`expr` minus local_id(0), if it is the sum of that and something that is the same along x, and cannot wrap."""
    if isinstance(expr, ir.Builtin) and expr.kind is BuiltinKind.LOCAL_ID and expr.axis == 0:
        return ir.Constant(0, I32)
    if not isinstance(expr, ir.Binary) or expr.op is not BinaryOp.ADD or ranges.may_overflow(expr):
        return None
    for varying, fixed in ((expr.left, expr.right), (expr.right, expr.left)):
        rest = _without_x(varying, ranges, same)
        if rest is not None and same_along_x(fixed, same):
            return ir.Binary(BinaryOp.ADD, rest, fixed, I32)
    return None
