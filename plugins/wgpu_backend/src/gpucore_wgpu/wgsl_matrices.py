"""Cooperative matrices as WGSL, by naga's extension `wgpu_cooperative_matrix`, whose names end in T for rows in memory.

Indices are bound to names first: naga 29 ends the process at an expression in the arguments of a store. And it takes a
global A, B or C for the role of a matrix, so those names are reserved.
"""

from __future__ import annotations

from collections.abc import Callable

from gpucore.plugin import Names, ir
from gpucore.plugin.ir import CooperativeOp
from gpucore_wgpu.wgsl_expressions import Expressions
from gpucore_wgpu.wgsl_types import type_name

ENABLE = "enable wgpu_cooperative_matrix;"

RESERVED = frozenset({
    "A", "B", "C", "coop_mat8x8", "coop_mat16x16", "coopLoad", "coopLoadT", "coopStoreT", "coopMultiplyAdd",
})  # fmt: skip
"""Names that only kernels with such matrices must avoid."""

_OPERATORS = {CooperativeOp.ADD: "+", CooperativeOp.SUBTRACT: "-"}


class Matrices:
    """Writes the statements of one kernel."""

    def __init__(self, names: Names, expressions: Expressions, memory: Callable[[ir.Memory], str]) -> None:
        """`memory` gives the name of an array."""
        self._names, self._expressions, self._memory = names, expressions, memory
        self._accesses = 0  # for unique names

    def lines(self, statement: ir.CooperativeLoad | ir.CooperativeStore | ir.CooperativeOperation) -> list[str]:
        """The statement as WGSL."""
        match statement:
            case ir.CooperativeLoad():
                index, pointer = self._pointer(statement.place)
                call = "coopLoad" if statement.is_transposed else "coopLoadT"
                load = f"{call}<{type_name(statement.value.type)}>({pointer}, {statement.pitch}u)"
                return [index, f"let {self._name(statement.value)} = {load};"]
            case ir.CooperativeStore():
                index, pointer = self._pointer(statement.place)
                return [index, f"coopStoreT({self._matrix(statement.matrix)}, {pointer}, {statement.pitch}u);"]
            case ir.CooperativeOperation():
                return [f"let {self._name(statement.value)} = {self._result(statement)};"]

    def _pointer(self, place: ir.Place) -> tuple[str, str]:
        """The line that binds an index, and the pointer with it."""
        name = self._memory(place.memory)
        self._accesses += 1
        at = self._names.name(("matrix", self._accesses), f"{name}_at")
        return f"let {at} = {self._expressions.text(place.index)};", f"&{name}[{at}]"

    def _result(self, statement: ir.CooperativeOperation) -> str:
        if statement.op is CooperativeOp.MULTIPLY_ADD:
            return f"coopMultiplyAdd({', '.join(map(self._matrix, statement.operands))})"
        left, right = statement.operands
        if statement.op is CooperativeOp.SCALE:
            factor = f"{type_name(right.type)}({self._expressions.argument(right)})"
            return f"{self._matrix(left)} * {factor}"
        return f"{self._matrix(left)} {_OPERATORS[statement.op]} {self._matrix(right)}"

    def _matrix(self, expr: ir.Expr) -> str:
        return self._expressions.argument(expr)

    def _name(self, value: ir.Value) -> str:
        return self._names.name(value.id, value.name)
