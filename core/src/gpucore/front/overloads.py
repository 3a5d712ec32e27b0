"""Operators that a struct defines for itself, as methods of Python's names: `__add__`, `__neg__`, `__eq__`, ..."""

from __future__ import annotations

import ast
from types import FunctionType

from gpucore.front.context import Context
from gpucore.front.inlining import inline
from gpucore.front.operands import Operand, StructValue

_BINARY: dict[type[ast.AST], str] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv", ast.FloorDiv: "floordiv", ast.Mod: "mod",
    ast.Pow: "pow", ast.MatMult: "matmul", ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor",
    ast.LShift: "lshift", ast.RShift: "rshift",
}  # fmt: skip
_UNARY: dict[type[ast.AST], str] = {ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "invert"}


def overloaded(context: Context, op: ast.operator, left: Operand, right: Operand, node: ast.BinOp) -> Operand | None:
    """`left op right` where one of them is a struct with a method for it, else None."""
    name = _BINARY[type(op)]
    for owner, other, method in ((left, right, f"__{name}__"), (right, left, f"__r{name}__")):
        function = _method(owner, method)
        if function is not None:
            return inline(context, function, [owner, other], {}, node)
    return None


def overloaded_unary(context: Context, op: ast.unaryop, operand: Operand, node: ast.UnaryOp) -> Operand | None:
    """`op operand` where it is a struct with a method for it, else None."""
    function = _method(operand, f"__{_UNARY[type(op)]}__") if type(op) in _UNARY else None
    return None if function is None else inline(context, function, [operand], {}, node)


def _method(owner: Operand, name: str) -> FunctionType | None:
    """The method that the struct's author wrote."""
    if not isinstance(owner, StructValue):
        return None
    function = getattr(owner.cls, name, None)
    return function if isinstance(function, FunctionType) else None
