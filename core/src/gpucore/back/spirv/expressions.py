"""Pure expressions of the IR as instructions.

An operation that SPIR-V has with the meaning of the IR is one instruction. The others are made of IR in `functions`,
`divisions` and `conversions`: these return expressions, which are written here in turn. Such an expression may select
by a vector of bools, which SPIR-V does component by component.
"""

from __future__ import annotations

from collections.abc import Callable

from gpucore import ir
from gpucore.back.spirv import conversions, divisions, functions
from gpucore.back.spirv.assembly import Assembly
from gpucore.back.spirv.instructions import GLSL, Id, Word
from gpucore.errors import EmitError
from gpucore.ir import BOOL, F32, BinaryOp, BuiltinKind, ScalarKind, Type, UnaryOp, VectorType, scalar_of, walk

# For floats, signed and unsigned integers.
_ARITHMETIC = {
    BinaryOp.ADD: ("OpFAdd", "OpIAdd", "OpIAdd"),
    BinaryOp.SUB: ("OpFSub", "OpISub", "OpISub"),
    BinaryOp.MUL: ("OpFMul", "OpIMul", "OpIMul"),
    BinaryOp.DIV: ("OpFDiv", "", ""),
    BinaryOp.BIT_AND: ("", "OpBitwiseAnd", "OpBitwiseAnd"),
    BinaryOp.BIT_OR: ("", "OpBitwiseOr", "OpBitwiseOr"),
    BinaryOp.BIT_XOR: ("", "OpBitwiseXor", "OpBitwiseXor"),
    BinaryOp.EQ: ("OpFOrdEqual", "OpIEqual", "OpIEqual"),
    BinaryOp.NE: ("OpFUnordNotEqual", "OpINotEqual", "OpINotEqual"),  # true for NaN
    BinaryOp.LT: ("OpFOrdLessThan", "OpSLessThan", "OpULessThan"),
    BinaryOp.LE: ("OpFOrdLessThanEqual", "OpSLessThanEqual", "OpULessThanEqual"),
    BinaryOp.GT: ("OpFOrdGreaterThan", "OpSGreaterThan", "OpUGreaterThan"),
    BinaryOp.GE: ("OpFOrdGreaterThanEqual", "OpSGreaterThanEqual", "OpUGreaterThanEqual"),
}
_OF_BOOLS = {
    BinaryOp.BIT_AND: "OpLogicalAnd", BinaryOp.AND: "OpLogicalAnd", BinaryOp.BIT_OR: "OpLogicalOr",
    BinaryOp.OR: "OpLogicalOr", BinaryOp.BIT_XOR: "OpLogicalNotEqual", BinaryOp.EQ: "OpLogicalEqual",
    BinaryOp.NE: "OpLogicalNotEqual",
}  # fmt: skip
_SHIFTS = {
    BinaryOp.SHL: ("OpShiftLeftLogical", "OpShiftLeftLogical"),
    BinaryOp.SHR: ("OpShiftRightArithmetic", "OpShiftRightLogical"),
}
_OF_FLOATS = frozenset({"OpFAdd", "OpFSub", "OpFMul", "OpFDiv"})


class Expressions:
    """Writes the expressions of one kernel.

    `values`, `params` and `builtins` are known ids, `variables` those of locals. `run` writes statements, for functions
    that need a loop.
    """

    def __init__(self, assembly: Assembly, is_nonnegative: Callable[[ir.Expr], bool]) -> None:
        self._assembly = assembly
        self._is_nonnegative = is_nonnegative
        self.values: dict[int, Id] = {}
        self.variables: dict[int, Id] = {}
        self.params: dict[int, Id] = {}
        self.builtins: dict[tuple[BuiltinKind, int], Id] = {}
        self.run: Callable[[ir.Block], None]
        self._fresh = 0

    def value(self, expr: ir.Expr) -> Id:
        """Write an expression, operands first, without a Python frame for each level."""
        pending, found = [(expr, False)], list[Id]()
        while pending:
            node, has_operands = pending.pop()
            operands = walk.children(node)
            if has_operands:
                ids = found[len(found) - len(operands) :]
                del found[len(found) - len(operands) :]
                found.append(self._node(node, ids))
            elif operands:
                pending.append((node, True))
                pending.extend((operand, False) for operand in reversed(operands))
            else:
                found.append(self._leaf(node))
        return found[0]

    def let(self, expr: ir.Expr) -> ir.Value:
        """Write an expression now, for several uses."""
        return self.known(self.value(expr), expr.type)

    def as_type(self, expr: ir.Expr, type: Type) -> ir.Value:
        """An expression as one of another type that has the same registers."""
        return self.known(self.value(expr), type)

    def known(self, id: Id, type: Type) -> ir.Value:
        """An id as an expression."""
        value = ir.Value(self.fresh(), "", type)
        self.values[value.id] = id
        return value

    def fresh(self) -> int:
        """The id of a value or local that is not in the kernel."""
        self._fresh -= 1
        return self._fresh

    def raw(self, op: str, type: Type, *operands: ir.Expr) -> ir.Value:
        """An instruction."""
        result = self._assembly.value(op, self._assembly.type(type), *map(self.value, operands))
        return self.known(self._assembly.exact(result) if op in _OF_FLOATS else result, type)

    def raw_call(self, name: str, type: Type, *operands: ir.Expr) -> ir.Value:
        """An instruction of GLSL.std.450."""
        parts = list(map(self.value, operands))
        kind, word = self._assembly.type(type), Word(GLSL[name], name)
        return self.known(self._assembly.value("OpExtInst", kind, self._assembly.glsl, word, *parts), type)

    def error(self, message: str) -> EmitError:
        """An EmitError at the current statement."""
        return EmitError("GP601", message, self._assembly.span, fix="run the kernel on another backend")

    def _leaf(self, expr: ir.Expr) -> Id:
        match expr:
            case ir.Constant():
                return self._assembly.constant(expr.value, expr.type)
            case ir.Value():
                return self.values[expr.id]
            case ir.Local():
                kind = self._assembly.type(expr.type)
                return self._assembly.value("OpLoad", kind, self.variables[expr.id])
            case ir.Param():
                return self.params[expr.index]
            case ir.Builtin():
                return self.builtins[expr.kind, expr.axis]
            case _:
                raise self.error(f"SPIR-V has no form for {type(expr).__name__}")

    def _node(self, expr: ir.Expr, ids: list[Id]) -> Id:
        kind = self._assembly.type(expr.type)
        match expr:
            case ir.Unary():
                return self._unary(expr, ids[0], kind)
            case ir.Binary():
                return self._binary(expr, ids, kind)
            case ir.Call():
                return self.value(functions.call(self, expr.op, self._operands(expr.args, ids)))
            case ir.Select():
                return self._select(expr, ids, kind)
            case ir.Convert():
                return self.value(conversions.convert(self, self.known(ids[0], expr.operand.type), expr.type))
            case ir.Bitcast():
                return self._bitcast(expr, ids[0], kind)
            case ir.Construct():
                return self._composite(kind, ids)
            case ir.Splat():
                return self._composite(kind, ids * expr.type.width)
            case ir.Extract():
                return self._assembly.value("OpCompositeExtract", kind, ids[0], expr.index)
            case _:
                raise self.error(f"SPIR-V has no form for {type(expr).__name__}")

    def _operands(self, exprs: tuple[ir.Expr, ...], ids: list[Id]) -> list[ir.Expr]:
        """Operands that are written, as expressions; constants stay as they are, so that their values are known."""
        return [
            expr if constant_of(expr) is not None else self.known(id, expr.type)
            for expr, id in zip(exprs, ids, strict=True)
        ]

    def _composite(self, kind: Id, parts: list[Id]) -> Id:
        if all(map(self._assembly.is_constant, parts)):
            return self._assembly.shared("OpConstantComposite", *parts, type=kind)
        return self._assembly.value("OpCompositeConstruct", kind, *parts)

    def _unary(self, expr: ir.Unary, operand: Id, kind: Id) -> Id:
        scalar, assembly = scalar_of(expr.type), self._assembly
        match expr.op:
            case UnaryOp.NEG if scalar.is_float:
                return assembly.exact(assembly.value("OpFNegate", kind, operand))
            case UnaryOp.NEG:
                return assembly.value("OpSNegate", kind, operand)
            case UnaryOp.NOT:
                return assembly.value("OpLogicalNot", kind, operand)
            case UnaryOp.INVERT:
                return assembly.value("OpLogicalNot" if scalar == BOOL else "OpNot", kind, operand)

    def _binary(self, expr: ir.Binary, ids: list[Id], kind: Id) -> Id:
        scalar, assembly = scalar_of(expr.left.type), self._assembly
        if scalar.kind is ScalarKind.BOOL:
            return assembly.value(self._named(_OF_BOOLS, expr.op), kind, *ids)
        if expr.op in ir.DIVISIONS or _divides_beyond(expr):
            is_natural = scalar.is_signed and self._is_nonnegative(expr.left) and self._is_nonnegative(expr.right)
            left, right = self._operands((expr.left, expr.right), ids)
            return self.value(divisions.divide(self, expr.op, left, right, is_natural=is_natural))
        if expr.op in _SHIFTS:
            return self._shift(expr, ids, kind)
        operations = _ARITHMETIC.get(expr.op)
        column = 0 if scalar.is_float else 1 if scalar.is_signed else 2
        if operations is None or not operations[column]:
            raise self.error(f"SPIR-V has no form for the operation {expr.op.value} of {scalar}")
        result = assembly.value(operations[column], kind, *ids)
        return assembly.exact(result) if scalar.is_float and expr.op not in ir.COMPARISONS else result

    def _named(self, table: dict[BinaryOp, str], op: BinaryOp) -> str:
        if op not in table:
            raise self.error(f"SPIR-V has no form for the operation {op.value} of bool")
        return table[op]

    def _shift(self, expr: ir.Binary, ids: list[Id], kind: Id) -> Id:
        """A count beyond the width is undefined in SPIR-V."""
        scalar, count = scalar_of(expr.type), constant_of(expr.right)
        op = _SHIFTS[expr.op][0 if scalar.is_signed else 1]
        if count is None or not 0 <= count < scalar.bits:
            last = ir.build.constant(scalar.bits - 1, expr.right.type)
            ids[1] = self._assembly.value(
                "OpBitwiseAnd", self._assembly.type(expr.right.type), ids[1], self.value(last)
            )
        return self._assembly.value(op, kind, *ids)

    def _select(self, expr: ir.Select, ids: list[Id], kind: Id) -> Id:
        """Of vectors SPIR-V 1.3 selects by a vector of conditions."""
        condition = ids[0]
        if isinstance(expr.type, VectorType) and not isinstance(expr.condition.type, VectorType):
            condition = self._composite(
                self._assembly.type(ir.with_scalar(expr.type, BOOL)), [condition] * expr.type.width
            )
        return self._assembly.value("OpSelect", kind, condition, *ids[1:])

    def _bitcast(self, expr: ir.Bitcast, operand: Id, kind: Id) -> Id:
        source, target = expr.operand.type, expr.type
        if source == target:
            return operand
        if scalar_of(source).is_storage and scalar_of(target).is_storage:
            return self.value(ir.Convert(self.known(operand, source), target))
        if scalar_of(source).is_storage or scalar_of(target).is_storage:
            raise self.error(f"bits of {source} cannot be read as {target}")
        return self._assembly.value("OpBitcast", kind, operand)


def constant_of(expr: ir.Expr) -> int | None:
    """The value of an integer constant, scalar or in every component."""
    expr = expr.operand if isinstance(expr, ir.Splat) else expr
    return int(expr.value) if isinstance(expr, ir.Constant) and expr.type.is_integer else None


def _divides_beyond(expr: ir.Binary) -> bool:
    """Whether the divisor may be outside the range for which devices promise a quotient: f32 from 2**-126 to 2**126."""
    if expr.op is not BinaryOp.DIV or scalar_of(expr.type) != F32:
        return False
    divisor = expr.right.operand if isinstance(expr.right, ir.Splat) else expr.right
    return not (isinstance(divisor, ir.Constant) and 2.0**-126 <= abs(divisor.value) <= 2.0**126)
