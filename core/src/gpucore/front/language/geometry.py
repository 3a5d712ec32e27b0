"""Functions of vectors, as geometry has them, made of operations of the IR."""

from __future__ import annotations

import ast
from collections.abc import Callable

from gpucore import ir
from gpucore.front.language.checks import check_count, refuse
from gpucore.front.language.mathematics import check_domain, same_type
from gpucore.front.state.context import Context
from gpucore.front.state.operands import Operand
from gpucore.ir import build
from gpucore.ir.ops import Domain


def _vectors(
    name: str, count: int, domain: Domain, context: Context, args: list[Operand], node: ast.Call
) -> list[ir.Value]:
    """The arguments, each computed once: vectors (or scalars) of one type, which the function works on."""
    check_count(context, args, node, count, name=name)
    exprs = same_type(context, name, domain, args, node.args, node)
    check_domain(context, name, domain, exprs[0].type, node)
    return [context.builder.let("vector", expr, context.span(node)) for expr in exprs]


def _type_of_vector(context: Context, name: str, value: ir.Value, node: ast.Call, fix: str) -> ir.VectorType:
    if isinstance(value.type, ir.VectorType):
        return value.type
    refuse(context, f"{name} works on vectors, not on {value.type}", node, "a scalar has no direction", fix)


def _length(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    (vector,) = _vectors("length", 1, Domain.FLOATS, context, args, node)
    return _norm(vector)


def _distance(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    v, w = _vectors("distance", 2, Domain.FLOATS, context, args, node)
    return _norm(context.builder.let("difference", build.sub(v, w), context.span(node)))


def _norm(vector: ir.Value) -> ir.Expr:
    if not isinstance(vector.type, ir.VectorType):
        return build.call(ir.MathOp.ABS, vector)
    return build.call(ir.MathOp.SQRT, build.call(ir.MathOp.DOT, vector, vector))


def _normalize(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    (vector,) = _vectors("normalize", 1, Domain.FLOATS, context, args, node)
    type = _type_of_vector(context, "normalize", vector, node, f"write gp.sign({context.text(node.args[0])})")
    return build.div(vector, build.splat(_norm(vector), type))


def _reflect(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    v, normal = _vectors("reflect", 2, Domain.FLOATS, context, args, node)
    type = _type_of_vector(context, "reflect", v, node, "give two vectors")
    twice = build.mul(build.call(ir.MathOp.DOT, v, normal), 2.0)
    return build.sub(v, build.mul(build.splat(twice, type), normal))


def _cross(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    v, w = _vectors("cross", 2, Domain.NUMBERS, context, args, node)
    if ir.num_components(v.type) != 3:
        first, second = (context.primary(arg) for arg in node.args)
        fix = {
            2: f"write {first}.x * {second}.y - {first}.y * {second}.x",
            4: f"write {context.text(node.func)}({first}.xyz, {second}.xyz)",
        }.get(ir.num_components(v.type), "give two vectors of three")
        refuse(context, f"cross works on vectors of three, not on {v.type}", node, "it is perpendicular to both", fix)
    a, b = build.components(v), build.components(w)
    return build.construct(
        *(build.sub(build.mul(a[j], b[k]), build.mul(a[k], b[j])) for j, k in ((1, 2), (2, 0), (0, 1)))
    )


GEOMETRY: dict[str, Callable[[Context, list[Operand], ast.Call], Operand]] = {
    "length": _length, "distance": _distance, "normalize": _normalize, "reflect": _reflect, "cross": _cross,
}  # fmt: skip
"""The functions by name."""
