"""Overloaded operators of structs, defined as in Python: `__add__`, `__neg__`, `__lt__`, ...

Without an own definition, `==` and `!=` compare field by field, as in a dataclass.
"""

from __future__ import annotations

import ast
from types import FunctionType

from gpucore import ir
from gpucore.front.state.context import Context
from gpucore.front.state.operands import EXPR_CLASSES, Operand, Static, StructValue
from gpucore.front.values.convert import as_condition, widened
from gpucore.front.values.struct_constants import expand_constant
from gpucore.front.walk.inlining import inline
from gpucore.front.walk.memory import component
from gpucore.ir import build
from gpucore.structs import matrix_hint, member

_BINARY: dict[type[ast.AST], str] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv", ast.FloorDiv: "floordiv", ast.Mod: "mod",
    ast.Pow: "pow", ast.MatMult: "matmul", ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor",
    ast.LShift: "lshift", ast.RShift: "rshift",
}  # fmt: skip
_COMPARE: dict[type[ast.AST], tuple[str, str]] = {
    ast.Lt: ("lt", "gt"), ast.LtE: ("le", "ge"), ast.Gt: ("gt", "lt"), ast.GtE: ("ge", "le"),
    ast.Eq: ("eq", "eq"), ast.NotEq: ("ne", "ne"),
}  # fmt: skip
_UNARY: dict[type[ast.AST], str] = {ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "invert"}


def overloaded(context: Context, op: ast.operator, left: Operand, right: Operand, node: ast.BinOp) -> Operand | None:
    """`left op right` if one of them is a struct with a method for it, else None."""
    name = _BINARY[type(op)]
    left, right = expand_constant(context, left, node.left), expand_constant(context, right, node.right)
    for owner, other, method in ((left, right, f"__{name}__"), (right, left, f"__r{name}__")):
        function = _method(owner, method)
        if function is not None:
            return inline(context, function, [owner, other], {}, node)
    return None


def overloaded_in_place(
    context: Context, op: ast.operator, left: Operand, right: Operand, node: ast.BinOp
) -> Operand | None:
    """The value that `left op= right` assigns, if one of them is a struct with a method for it, else None.

    As in Python: `__iadd__` first, then the same as `left + right`. `node` is `left op right`.
    """
    left = expand_constant(context, left, node.left)
    function = _method(left, f"__i{_BINARY[type(op)]}__")
    if function is not None:
        return inline(context, function, [left, expand_constant(context, right, node.right)], {}, node)
    return overloaded(context, op, left, right, node)


def add_product(context: Context, op: ast.operator, left: Operand, right: ast.expr, node: ast.expr) -> Operand | None:
    """`left + x @ y`, for a matrix on the left, as one operation; else None. `right` is not lowered yet."""
    is_product = isinstance(right, ast.BinOp) and isinstance(right.op, ast.MatMult)
    function = _method(left, "__add_product__") if is_product and isinstance(op, ast.Add) else None
    if function is None or not isinstance(right, ast.BinOp):
        return None
    x, y = context.expression(context, right.left), context.expression(context, right.right)
    return inline(context, function, [left, x, y], {}, node)


def overloaded_unary(context: Context, op: ast.unaryop, operand: Operand, node: ast.UnaryOp) -> Operand | None:
    """`op operand` if it is a struct with a method for it, else None."""
    operand = expand_constant(context, operand, node.operand)
    function = _method(operand, f"__{_UNARY[type(op)]}__") if type(op) in _UNARY else None
    return None if function is None else inline(context, function, [operand], {}, node)


def overloaded_comparison(
    context: Context, op: ast.cmpop, left: Operand, right: Operand, nodes: tuple[ast.AST, ast.AST], node: ast.expr
) -> Operand | None:
    """`left op right` if one of them is a struct that can be compared, else None."""
    left, right = expand_constant(context, left, nodes[0]), expand_constant(context, right, nodes[1])
    if type(op) not in _COMPARE or not (isinstance(left, StructValue) or isinstance(right, StructValue)):
        return None
    own, reflected = _COMPARE[type(op)]
    for owner, other, name in ((left, right, own), (right, left, reflected)):
        function = _method(owner, f"__{name}__")
        if function is not None:
            return inline(context, function, [owner, other], {}, node)
    if isinstance(op, ast.NotEq):  # as in Python, the negation of ==
        equal = overloaded_comparison(context, ast.Eq(), left, right, nodes, node)
        truth = None if equal is None else as_condition(context, equal, node)
        if truth is None or isinstance(truth, bool):
            return None if truth is None else Static(not truth)
        return build.logical_not(truth)
    if not (isinstance(left, StructValue) and isinstance(right, StructValue) and left.cls is right.cls):
        return None
    is_own = isinstance(op, ast.Eq) and not matrix_hint(left.cls)  # of a matrix an invocation has some elements only
    return _equal_fields(left, right) if is_own else None


def _equal_fields(left: Operand, right: Operand) -> ir.Expr:
    """Whether all numbers in two structs of one class are equal."""
    truth: ir.Expr | None = None
    for a, b in zip(_numbers(left), _numbers(right), strict=True):
        equal = build.eq(widened(a), widened(b))
        truth = equal if truth is None else build.logical_and(truth, equal)
    assert truth is not None  # a struct has a field
    return truth


def _numbers(operand: Operand) -> list[ir.Expr]:
    if isinstance(operand, StructValue):
        return [number for value in operand.values for number in _numbers(value)]
    assert isinstance(operand, EXPR_CLASSES)
    if isinstance(operand.type, ir.VectorType):
        return [component(operand, index) for index in range(operand.type.width)]
    return [operand]


def _method(owner: Operand, name: str) -> FunctionType | None:
    """The user-defined method of a struct, if there is one."""
    if not isinstance(owner, StructValue) or (name == "__eq__" and owner.cls.__gpucore_compares_fields__):
        return None
    function = member(owner.cls, name)
    return function if isinstance(function, FunctionType) else None
