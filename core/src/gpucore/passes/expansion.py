"""expand_functions: rewrites built-in functions that a backend does not implement in older operations."""

from __future__ import annotations

from collections.abc import Set

from gpucore.errors import EmitError
from gpucore.ir import (
    F16,
    F32,
    F64,
    FUNCTIONS,
    Call,
    Capability,
    Expr,
    MathOp,
    Module,
    SubgroupOp,
    VectorType,
    build,
    expansions,
    scalar_of,
    with_scalar,
)
from gpucore.ir.rewriting import Rewriter
from gpucore.passes.identities import simplify


def expand_functions(
    module: Module, functions: Set[MathOp | SubgroupOp], capabilities: frozenset[Capability]
) -> Module:
    """The module for a backend that implements `functions` itself; the module itself if it calls no others.

    A function whose capability the device lacks stays as it is: the validator then names the called function.
    """
    return _Expansion(module, functions, capabilities).rewritten()


class _Expansion(Rewriter):
    """One module's rewriting."""

    def __init__(
        self, module: Module, functions: Set[MathOp | SubgroupOp], capabilities: frozenset[Capability]
    ) -> None:
        super().__init__(module)
        self._functions, self._capabilities = functions, capabilities

    def rewrite(self, expr: Expr) -> Expr:
        if not isinstance(expr, Call) or expr.op in self._functions or self._is_refused(expr):
            return expr
        if (simpler := simplify(expr)) is not expr:
            return simpler
        if expansions.find(expr.op) is None:
            raise EmitError(
                "GP601",
                f"this backend does not implement {expr.op.value}, which has no expansion in older operations",
                expr.span or self.span,
                why=f"its `operations` lack {expr.op}",
                fix="choose another device, or add the function to the backend's emitter and to its `operations`",
            )
        args = [self.let("argument", arg) for arg in expr.args]
        if not isinstance(expr.type, VectorType):
            return self._scalar(expr.op, args)
        rows = zip(*map(build.components, args), strict=True)
        return build.construct(*(self.let("component", self._scalar(expr.op, list(row))) for row in rows))

    def _is_refused(self, expr: Call) -> bool:
        of_f64 = scalar_of(expr.args[0].type) == F64 and FUNCTIONS[expr.op].is_transcendental
        return of_f64 and Capability.F64_MATH not in self._capabilities

    def _scalar(self, op: MathOp, args: list[Expr]) -> Expr:
        expand = expansions.find(op)
        assert expand is not None
        narrow = scalar_of(args[0].type)
        if narrow != F16:
            return expand(self.let, *args)
        wide = [self.let("wide", build.convert(arg, F32)) if arg.type == F16 else arg for arg in args]
        result = expand(self.let, *wide)
        return build.convert(result, with_scalar(result.type, F16)) if result.type == F32 else result
