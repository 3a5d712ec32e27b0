"""Indices that are linear in the lanes of most gangs: those that are clamped, and those that go on in the next row.

`x[clamp(i - 1, 0, n - 1)]` is linear unless a lane is clamped. The bounds of the index for a whole workgroup are
compared with the limits when the kernel runs; that is the same for all gangs, so LLVM tests it once.

With k linear, `x[k // 18, k % 18]` is linear up to the lane where a row ends, and again from there on: two pieces.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gpucore.plugin import ir
from gpucore.plugin.ir import I32, MAX_INDEX, U32, BinaryOp, BuiltinKind, MathOp
from gpucore_cpu.assembly import FunctionText
from gpucore_cpu.divergence import Divergence, block_size
from gpucore_cpu.indices import Index, Indices, constant
from gpucore_cpu.ranges import KernelRanges

_SUMS = {BinaryOp.ADD, BinaryOp.SUB}
_QUOTIENTS = {BinaryOp.FLOOR_DIV, BinaryOp.TRUNC_DIV, BinaryOp.SHR}
_LIMITS = {MathOp.CLAMP, MathOp.MIN, MathOp.MAX}
_MAX_DEGREE = 2  # see Piecewise
_DEPTH = 12  # of an expression with its definitions


@dataclass(frozen=True, slots=True)
class Piecewise:
    """A linear index before the wrap, and one from it on; and bounds of both, in i64, the same in a workgroup.

    `degree`: how many values of 32 bits are multiplied, at most. Two fit into 64 bits.
    """

    before: Index
    after: Index
    low: str
    high: str
    degree: int = 1


class Pieces:
    """Finds such indices."""

    def __init__(
        self, code: FunctionText, indices: Indices, ranges: KernelRanges, divergence: Divergence, num_lanes: int,
        linear: Callable[[ir.Expr], Index | None], is_available: Callable[[ir.Expr], bool],
    ) -> None:  # fmt: skip
        """`linear` writes an index, `is_available` tells whether an expression can be computed here."""
        self.code, self._indices, self._ranges, self._divergence = code, indices, ranges, divergence
        self._num_lanes, self._linear, self._is_available = num_lanes, linear, is_available
        self._conditions: list[str] = []
        self._wrapping: ir.Binary | None = None
        self._wrapped = Index()  # what the wrapping expression divides
        self._quotient, self._rest, self._wrap = Index(), Index(), ""

    def find(self, expr: ir.Expr, otherwise: Callable[[], Index]) -> Index | None:
        """The index, if it has one or two pieces with a step of 1; `otherwise` writes those of the lanes."""
        limit: ir.Expr = ir.Constant(MAX_INDEX, I32)
        match expr:
            case ir.Call(op=MathOp.MIN, args=(ir.Convert(operand=inner), bound)):
                expr, limit = inner, bound
        if expr.type != I32 or limit.type not in (I32, U32) or self._divergence.is_varying(limit):
            return None
        self._forget()
        if self._step(expr, _DEPTH) != 1:
            return None
        if self._wrapping is not None:
            self._divide(block_size(self._wrapping))
        whole = self._piecewise(expr)
        if whole.degree > _MAX_DEGREE:
            return None
        self._require("sge", whole.low, "0")
        self._require("sle", whole.high, self._uniform(limit).first)
        holds = self._conditions[0]
        for condition in self._conditions[1:]:
            holds = self.code.define(f"and i1 {holds}, {condition}")
        after = "" if self._wrapping is None else whole.after.first
        return Index(whole.before.first, 1, holds=holds, wrapped=after, wrap=self._wrap, otherwise=otherwise)

    def _forget(self) -> None:
        self._conditions, self._wrapping = [], None

    # ------------------------------------------------------------ what has pieces

    def _step(self, expr: ir.Expr, depth: int) -> int | None:
        """The step of both pieces of an expression; None if it has no pieces."""
        if not self._divergence.is_varying(expr):
            return 0
        expr = self._defined(expr)
        if expr.type != I32 or not depth:
            return None
        match expr:
            case ir.Builtin(kind=BuiltinKind.LOCAL_ID):
                return 1
            case ir.Binary() if expr.op in _SUMS or expr.op is BinaryOp.MUL:
                left, right = self._step(expr.left, depth - 1), self._step(expr.right, depth - 1)
                if left is None or right is None:
                    return None
                if expr.op is not BinaryOp.MUL:
                    return left + right if expr.op is BinaryOp.ADD else left - right
                return 0 if left == right == 0 and self._has_uniform(expr.left, expr.right) else None
            case ir.Binary():
                return self._step_in_block(expr)
            case ir.Call() if expr.op in _LIMITS and not any(map(self._divergence.is_varying, expr.args[1:])):
                return self._step(expr.args[0], depth - 1)
        return None

    def _step_in_block(self, expr: ir.Binary) -> int | None:
        size = block_size(expr)
        if size < self._num_lanes or not self._ranges.is_nonnegative(expr.left):
            return None
        if self._wrapping is None:
            linear = self._linear(expr.left)
            if linear is None or linear.step != 1:
                return None
            self._wrapping, self._wrapped = expr, linear
        if self._wrapping.left != expr.left or block_size(self._wrapping) != size:
            return None
        return int(expr.op not in _QUOTIENTS)

    def _divide(self, size: int) -> None:
        """Write the block and the place in it of the first lane, and the lane that is the first of the next block."""
        first = self._wrapped.first
        self._quotient = Index(self.code.define(f"udiv i64 {first}, {size}", "block"))
        self._rest = Index(self.code.define(f"urem i64 {first}, {size}", "inside"), 1)
        self._wrap = self.code.define(f"sub nsw i64 {size}, {self._rest.first}", "wrap")

    def _has_uniform(self, *exprs: ir.Expr) -> bool:
        return not all(map(self._divergence.is_varying, exprs))

    def _defined(self, expr: ir.Expr) -> ir.Expr:
        """The definition of a value, if it can be computed here."""
        while isinstance(expr, ir.Value) and expr.id in self._ranges.pure_definitions:
            definition = self._ranges.pure_definitions[expr.id]
            if not self._is_available(definition):
                break
            expr = definition
        return expr

    # ------------------------------------------------------------ pieces and bounds

    def _piecewise(self, expr: ir.Expr) -> Piecewise:
        """The pieces of an expression for which `_step` has found some."""
        if not self._divergence.is_varying(expr):
            same = self._uniform(expr)
            return Piecewise(same, same, same.first, same.first)
        expr = self._defined(expr)
        match expr:
            case ir.Call():
                return self._limited(expr)
            case ir.Binary() if expr.op in _SUMS:
                return self._sum(expr)
            case ir.Binary(op=BinaryOp.MUL):
                return self._product(expr)
        interval = self._ranges.interval(expr)
        low, high = str(interval.lo), str(interval.hi)
        if not isinstance(expr, ir.Binary):
            linear = self._uniform(expr)
            return Piecewise(linear, linear, low, high)
        if expr.op in _QUOTIENTS:
            return Piecewise(self._quotient, self._indices.sum(self._quotient, constant(1)), low, high)
        return Piecewise(self._rest, self._indices.difference(self._rest, constant(block_size(expr))), low, high)

    def _uniform(self, expr: ir.Expr) -> Index:
        """An index that is the same in all lanes."""
        index = self._linear(expr)
        assert index is not None
        return index

    def _limited(self, expr: ir.Call) -> Piecewise:
        """What is limited is required to be inside of the limits, and inside of i32 where there is no limit: beyond
        that, it would wrap before it is limited. So it has 32 bits then."""
        inner = self._piecewise(expr.args[0])
        limits = [self._uniform(limit).first for limit in expr.args[1:]]
        if expr.op is not MathOp.MIN:
            self._require("sge", inner.low, limits[0])
        elif inner.low.startswith("%") or int(inner.low) < I32.min_value:
            self._require("sge", inner.low, str(I32.min_value))
        if expr.op is not MathOp.MAX:
            self._require("sle", inner.high, limits[-1])
        elif inner.high.startswith("%") or int(inner.high) > I32.max_value:
            self._require("sle", inner.high, str(I32.max_value))
        degree = 1 if inner.degree <= _MAX_DEGREE else inner.degree
        return Piecewise(inner.before, inner.after, inner.low, inner.high, degree)

    def _sum(self, expr: ir.Binary) -> Piecewise:
        left, right = self._piecewise(expr.left), self._piecewise(expr.right)
        is_sum = expr.op is BinaryOp.ADD
        combine = self._indices.sum if is_sum else self._indices.difference
        bounds = (right.low, right.high) if is_sum else (right.high, right.low)
        low, high = (
            combine(Index(one), Index(other)).first for one, other in zip((left.low, left.high), bounds, strict=True)
        )
        degree = max(left.degree, right.degree) + (left.degree == right.degree > 1)
        return Piecewise(combine(left.before, right.before), combine(left.after, right.after), low, high, degree)

    def _product(self, expr: ir.Binary) -> Piecewise:
        """A product with a number that is the same in all lanes, and is required not to be negative."""
        factor, other = (expr.right, expr.left) if self._divergence.is_varying(expr.left) else (expr.left, expr.right)
        times, inner = self._uniform(factor), self._piecewise(other)
        self._require("sge", times.first, "0")

        def product(text: str) -> Index:
            index = self._indices.product(Index(text), Index(times.first))
            assert index is not None
            return index

        before, after, low, high = map(product, (inner.before.first, inner.after.first, inner.low, inner.high))
        return Piecewise(before, after, low.first, high.first, inner.degree + 1)

    def _require(self, order: str, left: str, right: str) -> None:
        self._conditions.append(self.code.define(f"icmp {order} i64 {left}, {right}"))
