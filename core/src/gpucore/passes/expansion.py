"""expand_functions: rewrites built-in functions that a backend does not implement in older operations."""

from __future__ import annotations

import dataclasses
import itertools

from gpucore.errors import EmitError
from gpucore.ir import (
    F16,
    F32,
    F64,
    FUNCTIONS,
    Block,
    Bounds,
    Call,
    Capability,
    Constant,
    Expr,
    Let,
    Local,
    MathOp,
    Module,
    Param,
    Stmt,
    Value,
    VectorType,
    build,
    expansions,
    scalar_of,
    walk,
    with_scalar,
)
from gpucore.passes.identities import simplify


def expand_functions(module: Module, functions: frozenset[MathOp], capabilities: frozenset[Capability]) -> Module:
    """The module for a backend that implements `functions` itself; the module itself if it calls no others.

    A function whose capability the device lacks stays as it is: the validator then names the called function.
    """
    expansion = _Expansion(module, functions, capabilities)
    body = expansion.block(module.body)
    return module if body is module.body else dataclasses.replace(module, body=body)


class _Expansion:
    """One module's rewriting."""

    def __init__(self, module: Module, functions: frozenset[MathOp], capabilities: frozenset[Capability]) -> None:
        self._ids = itertools.count(walk.next_id(module))
        self._functions, self._capabilities = functions, capabilities
        self._span = module.span
        self._bound: list[Stmt] = []  # statements to insert before the current one

    def block(self, block: Block) -> Block:
        """The block with every such call expanded."""
        out: list[Stmt] = []
        for statement in block:
            self._span = statement.span
            outer, self._bound = self._bound, []
            mapped = walk.map_statement(statement, self._expr, self.block)
            # nothing may come between a Bounds and the access that it checks
            place = len(out) - 1 if out and isinstance(out[-1], Bounds) else len(out)
            out[place:place] = [dataclasses.replace(bound, span=statement.span) for bound in self._bound]
            out.append(mapped)
            self._bound = outer
        return walk.same_or(block, out)

    def _expr(self, expr: Expr) -> Expr:
        return walk.map_expr(expr, self._call)

    def _call(self, expr: Expr) -> Expr:
        if not isinstance(expr, Call) or expr.op in self._functions or self._is_refused(expr):
            return expr
        if (simpler := simplify(expr)) is not expr:
            return simpler
        if expansions.find(expr.op) is None:
            raise EmitError(
                "GP601",
                f"this backend does not implement {expr.op.value}, which has no expansion in older operations",
                expr.span or self._span,
                why=f"its `operations` lack {expr.op}",
                fix="choose another device, or add the function to the backend's emitter and to its `operations`",
            )
        args = [self._let("argument", arg) for arg in expr.args]
        if not isinstance(expr.type, VectorType):
            return self._scalar(expr.op, args)
        rows = zip(*map(build.components, args), strict=True)
        return build.construct(*(self._let("component", self._scalar(expr.op, list(row))) for row in rows))

    def _is_refused(self, expr: Call) -> bool:
        of_f64 = scalar_of(expr.args[0].type) == F64 and FUNCTIONS[expr.op].is_transcendental
        return of_f64 and Capability.F64_MATH not in self._capabilities

    def _scalar(self, op: MathOp, args: list[Expr]) -> Expr:
        expand = expansions.find(op)
        assert expand is not None
        narrow = scalar_of(args[0].type)
        if narrow != F16:
            return expand(self._let, *args)
        wide = [self._let("wide", build.convert(arg, F32)) if arg.type == F16 else arg for arg in args]
        result = expand(self._let, *wide)
        return build.convert(result, with_scalar(result.type, F16)) if result.type == F32 else result

    def _let(self, name: str, expr: Expr) -> Expr:
        if isinstance(expr, (Constant, Value, Local, Param)):
            return expr
        value = Value(next(self._ids), name, expr.type)
        self._bound.append(Let(value, expr))
        return value
