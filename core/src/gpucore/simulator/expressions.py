"""Expressions of the IR as Python expressions.

A vector expression is written component by component: `a * b` of two f32x2 becomes `(a[0] * b[0], a[1] * b[1])`.
Expressions are pure and total, so an operand that a template uses more than once is first assigned to a variable,
before the statement (`take_prelude`).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

from gpucore import ir
from gpucore.ir.arithmetic import dtype_of
from gpucore.ir.ranges import Ranges
from gpucore.simulator import operators
from gpucore.simulator.scope import Scope
from gpucore.simulator.templates import Templates, literal, load

_BOOL_RESULT = re.compile(r"bool\((.*)\)")
_WRAPPED = re.compile(r"wrap\((.*)\)")


class ExpressionEmitter:
    """Writes expressions of one kernel. Names of values, locals and params come from `scope`."""

    def __init__(self, templates: Templates, scope: Scope, ranges: Ranges) -> None:
        self._templates, self._scope, self._ranges = templates, scope, ranges
        self._prelude: list[ast.stmt] = []
        self._shared: dict[int, ast.expr] = {}
        self._temporaries = 0

    def begin_statement(self) -> None:
        """Make the temporaries of the previous statement available again."""
        assert not self._prelude
        self._temporaries, self._shared = 0, {}

    def take_prelude(self) -> list[ast.stmt]:
        """The pending assignments that must precede the statement now being written."""
        taken, self._prelude = self._prelude, []
        return taken

    def write(self, expr: ir.Expr) -> ast.expr:
        """The expression; a vector as a tuple."""
        if not isinstance(expr.type, ir.VectorType) or isinstance(expr, ir.Value | ir.Local):
            return self._scalar(expr)
        return ast.Tuple([self._element(expr, k) for k in range(expr.type.width)], ast.Load())

    def test(self, expr: ir.Expr) -> ast.expr:
        """A scalar bool that is only tested, so that it may be a NumPy bool."""
        match expr:
            case ir.Binary(op=ir.BinaryOp.AND | ir.BinaryOp.OR):
                text = operators.meaning(expr.op, ir.BOOL)
                return self._templates.expression(text, a=self.test(expr.left), b=self.test(expr.right))
            case ir.Unary(op=ir.UnaryOp.NOT):
                return self._templates.expression("not a", a=self.test(expr.operand))
            case _:
                return self._scalar(expr, truth=True)

    def simple(self, node: ast.expr) -> ast.expr:
        """`node` if it is a name or a literal, else a variable that holds its value."""
        if isinstance(node, ast.Name | ast.Constant):
            return node
        if isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant):
            return node
        self._temporaries += 1
        name = f"gpucore_{self._temporaries}"
        self._prelude.append(ast.Assign([ast.Name(name, ast.Store())], node))
        return load(name)

    def _scalar(self, expr: ir.Expr, truth: bool = False) -> ast.expr:
        match expr:
            case ir.Constant():
                return self._templates.constant(expr.value, expr.type)
            case ir.Value() | ir.Local():
                return load(self._scope.name(expr.id))
            case ir.Param():
                return load(self._scope.name(expr))
            case ir.Builtin():
                name = load(self._scope.name(expr.kind))
                if expr.kind in ir.SUBGROUP_BUILTINS:
                    return name
                return self._templates.expression("a[i]", a=name, i=literal(expr.axis))
            case ir.Extract():
                return self._element(expr.vector, expr.index)
            case ir.Call(op=ir.MathOp.DOT):
                return self._dot(expr)
            case ir.Select() | ir.Unary() | ir.Binary() | ir.Call() | ir.Convert() | ir.Bitcast():
                return self._element(expr, None, truth)
        raise AssertionError(f"not a scalar: {expr}")

    def _element(self, expr: ir.Expr, k: int | None, truth: bool = False) -> ast.expr:
        """Component `k` of a vector expression; for k = None the scalar expression itself."""
        if not isinstance(expr.type, ir.VectorType) and k is not None:
            return self._scalar(expr)
        match expr:
            case ir.Value() | ir.Local():
                return self._templates.expression("a[i]", a=self._scalar(expr), i=literal(k or 0))
            case ir.Construct():
                return self._scalar(expr.components[k or 0])
            case ir.Splat():
                return self._once(expr, lambda: self._scalar(expr.operand))
            case ir.Select():
                test = self.test
                condition = test(expr.condition) if k is None else self._once(expr, lambda: test(expr.condition))
                operands = {"a": self._at(expr.if_true, k), "b": self._at(expr.if_false, k)}
                return self._templates.expression("a if condition else b", condition=condition, **operands)
            case ir.Unary():
                return self._apply(operators.meaning(expr.op, ir.scalar_of(expr.type)), (expr.operand,), k)
            case ir.Binary():
                return self._binary(expr, k, truth)
            case ir.Call():
                scalar = ir.scalar_of(expr.args[0].type)
                return self._apply(operators.meaning(expr.op, scalar), expr.args, k, truth=truth)
            case ir.Convert():
                target = ir.scalar_of(expr.type)
                text = operators.conversion(ir.scalar_of(expr.operand.type), target)
                return self._apply(text, (expr.operand,), k, target)
            case ir.Bitcast():
                return self._bitcast(expr, k)
        raise AssertionError(f"not a vector: {expr}")

    def _at(self, expr: ir.Expr, k: int | None) -> ast.expr:
        return self._scalar(expr) if k is None else self._element(expr, k)

    def _binary(self, expr: ir.Binary, k: int | None, truth: bool) -> ast.expr:
        scalar = ir.scalar_of(expr.left.type)
        right = expr.right.operand if isinstance(expr.right, ir.Splat) else expr.right
        if isinstance(right, ir.Constant) and scalar.is_integer:
            text = operators.meaning_with_constant(expr.op, scalar, int(right.value))
        else:
            text = operators.meaning(expr.op, scalar)
        if scalar.is_integer and (match := _WRAPPED.fullmatch(text)) and not self._ranges.may_overflow(expr):
            text = match[1]
        return self._apply(text, (expr.left, expr.right), k, truth=truth)

    def _apply(
        self,
        text: str,
        operands: tuple[ir.Expr, ...],
        k: int | None,
        scalar: ir.ScalarType | None = None,
        truth: bool = False,
    ) -> ast.expr:
        """Fill a template with component `k` of the operands; its constants are those of `scalar`, or of their type."""
        if truth and (match := _BOOL_RESULT.fullmatch(text)):
            text = match[1]
        filled = {}
        for letter, operand in zip("abc", operands, strict=False):
            node = self._at(operand, k)
            filled[letter] = self.simple(node) if len(re.findall(rf"\b{letter}\b", text)) > 1 else node
        return self._templates.expression(text, scalar or ir.scalar_of(operands[0].type), **filled)

    def _once(self, expr: ir.Expr, make: Callable[[], ast.expr]) -> ast.expr:
        """A value that all components of `expr` use, computed once in a statement."""
        if id(expr) not in self._shared:
            self._shared[id(expr)] = self.simple(make())
        return self._shared[id(expr)]

    def _dot(self, expr: ir.Call) -> ast.expr:
        left = expr.args[0]
        assert isinstance(left.type, ir.VectorType)
        scalar = left.type.element
        multiply, add = (operators.meaning(op, scalar) for op in (ir.BinaryOp.MUL, ir.BinaryOp.ADD))
        total = self._apply(multiply, expr.args, 0)
        for k in range(1, left.type.width):
            total = self._sum(add, scalar, total, self._apply(multiply, expr.args, k))
        return total

    def _sum(self, text: str, scalar: ir.ScalarType, total: ast.expr, term: ast.expr) -> ast.expr:
        return self._templates.expression(text, scalar, a=total, b=term)

    def _bitcast(self, expr: ir.Bitcast, k: int | None) -> ast.expr:
        source, target = ir.scalar_of(expr.operand.type), ir.scalar_of(expr.type)
        if source.bits == target.bits:
            return self._apply(operators.reinterpretation(source, target), (expr.operand,), k, target)
        node = self._once(expr, lambda: self._reinterpret(expr.operand, source, target))
        return self._templates.expression("a[i]", a=node, i=literal(k or 0))

    def _reinterpret(self, operand: ir.Expr, source: ir.ScalarType, target: ir.ScalarType) -> ast.expr:
        values = self.write(operand)
        values = values if isinstance(operand.type, ir.VectorType) else ast.Tuple([values], ast.Load())
        codes = {"source": ast.Constant(dtype_of(source).str[1:]), "target": ast.Constant(dtype_of(target).str[1:])}
        return self._templates.expression("reinterpret(values, source, target)", values=values, **codes)
