"""Syntax trees from templates: short Python sources, in which operands and type constants are filled in."""

from __future__ import annotations

import ast
import functools
import math
from collections.abc import Callable, Mapping
from typing import Any

from gpucore.back.names import Names
from gpucore.ir import F32, ScalarType, arithmetic

RUNTIME = "gpucore.ir.arithmetic"
_OWN = "gpucore_"  # `Names` never gives a user's name this prefix


class Templates:
    """Builds trees, and collects the functions and constants that the generated module must define for them.

    The emitter of statements sets the line numbers of the trees.
    """

    def __init__(self, names: Names) -> None:
        self._names = names
        self._functions: set[str] = set()
        self._constants: dict[tuple[ScalarType, str], ast.stmt] = {}

    def expression(self, text: str, scalar: ScalarType = F32, /, **operands: ast.expr) -> ast.expr:
        """The tree of an expression, with names replaced by `operands`."""
        tree = _expression(text)(_Fill(self, scalar, operands))
        assert isinstance(tree, ast.expr)
        return tree

    def statements(self, text: str, scalar: ScalarType = F32, /, **operands: ast.expr) -> list[ast.stmt]:
        """The trees of statements, filled in the same way."""
        fill = _Fill(self, scalar, operands)
        return [make(fill) for make in _statements(text)]

    def constant(self, value: bool | int | float, scalar: ScalarType) -> ast.expr:
        """A literal; a float becomes the name of a module constant, since its type is a NumPy type."""
        if not scalar.is_float:
            return literal(value)
        value = float(value)
        wish = f"{scalar}_{value!r}".replace("-", "minus_").replace("+", "")
        name = self._names.name(("constant", scalar, repr(value)), wish)
        if (scalar, repr(value)) not in self._constants:
            made = self.expression(f"{scalar}(a)", scalar, a=literal(value))
            self._constants[scalar, repr(value)] = ast.Assign([ast.Name(name, ast.Store())], made)
        return load(name)

    def function(self, name: str) -> ast.expr:
        """A function of `arithmetic`."""
        self._functions.add(name)
        return load(_OWN + name)

    def head(self) -> list[ast.stmt]:
        """Imports and constants, in a fixed order."""
        names = [ast.alias(name, _OWN + name) for name in sorted(self._functions)]
        imports: list[ast.stmt] = [ast.ImportFrom(RUNTIME, names, 0)] if names else []
        return imports + [self._constants[key] for key in sorted(self._constants, key=str)]


class _Fill:
    """What stands for the names in a template: operands, type constants, and names of `arithmetic`; and `wrap`."""

    def __init__(self, templates: Templates, scalar: ScalarType, operands: Mapping[str, ast.expr]) -> None:
        self._templates, self._scalar, self._operands = templates, scalar, operands

    def name(self, name: str, context: ast.expr_context) -> ast.expr:
        if name in self._operands:
            return self._operands[name]
        if name.isupper():
            return self._type_constant(name)
        if name in _FUNCTIONS:
            return self._templates.function(name)
        return ast.Name(name, context)

    def _type_constant(self, name: str) -> ast.expr:
        scalar = self._scalar
        match name:
            case "ZERO" | "ONE":
                return self._templates.constant(0.0 if name == "ZERO" else 1.0, scalar)
            case "LOW":
                return literal(scalar.min_value)
            case "HIGH":
                return literal(scalar.max_value)
            case "BITS":
                return literal(scalar.bits)
            case "LAST":
                return literal(scalar.bits - 1)
            case "MASK":
                return literal((1 << scalar.bits) - 1)
        raise AssertionError(f"unknown type constant {name}")

    def wrap(self, argument: ast.expr) -> ast.expr:
        text = "(a + HALF & MASK) - HALF" if self._scalar.is_signed else "a & MASK"
        half = literal(1 << (self._scalar.bits - 1))
        return self._templates.expression(text, self._scalar, a=argument, HALF=half)


_FUNCTIONS = frozenset(
    name for name in vars(arithmetic) if name.islower() and callable(getattr(arithmetic, name)) and name != "dtype_of"
)


_Make = Callable[[_Fill], Any]
"""Makes a new tree of a template, which is parsed once: kernels have thousands of them."""


@functools.lru_cache(maxsize=4096)
def _expression(text: str) -> _Make:
    return _maker(ast.parse(text, mode="eval").body)


@functools.lru_cache(maxsize=1024)
def _statements(text: str) -> list[_Make]:
    return [_maker(statement) for statement in ast.parse(text).body]


def _maker(node: ast.AST) -> _Make:
    if isinstance(node, ast.Name):
        name, context = node.id, node.ctx
        return lambda fill: fill.name(name, context)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "wrap":
        argument = _maker(node.args[0])
        return lambda fill: fill.wrap(argument(fill))
    if not node._fields:  # an operator, or the context of a name: the parser, too, has one of each
        return lambda fill: node
    kind, parts = type(node), [_part_maker(getattr(node, field, None)) for field in node._fields]
    return lambda fill: kind(*[part(fill) for part in parts])


def _part_maker(part: object) -> _Make:
    """A field of a node: another node, a list of nodes, or a value."""
    if isinstance(part, ast.AST):
        return _maker(part)
    if isinstance(part, list):
        makers = [_maker(each) for each in part]
        return lambda fill: [make(fill) for make in makers]
    return lambda fill: part


def load(name: str) -> ast.Name:
    """A name, read."""
    return ast.Name(name, ast.Load())


def literal(value: bool | int | float) -> ast.expr:
    """A literal as the parser makes it: a unary minus for a negative number; a string for inf and nan."""
    if not math.isfinite(value):
        return ast.Constant(str(value))
    if isinstance(value, bool) or math.copysign(1, value) > 0:
        return ast.Constant(value)
    return ast.UnaryOp(ast.USub(), ast.Constant(-value))
