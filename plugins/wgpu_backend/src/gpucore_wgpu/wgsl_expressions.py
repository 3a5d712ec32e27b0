"""Expressions of the IR as WGSL text, with the fewest parentheses that WGSL's grammar allows.

WGSL has no precedence between shifts, comparisons and bitwise operators: their operands are written as unary
expressions. An argument of a call that is a comparison gets parentheses: `f(a < b, c > d)` would be a template list.
"""

from __future__ import annotations

import enum
import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from gpucore.plugin import EmitError, Names, Span, ir
from gpucore.plugin.ir import (
    DIVISIONS,
    F16,
    F32,
    F64,
    FLOORING,
    SUBGROUP_BUILTINS,
    U32,
    BinaryOp,
    MathOp,
    ScalarKind,
    UnaryOp,
    scalar_of,
    walk,
)
from gpucore_wgpu import wgsl_bits, wgsl_conversions
from gpucore_wgpu.driver_defects import Defect
from gpucore_wgpu.functions.divisions import is_in_words
from gpucore_wgpu.functions.library import Functions
from gpucore_wgpu.wgsl_types import literal, needs_bits, nonfinite_bits, type_name

_Operation = TypeVar("_Operation", bound=enum.Enum)
_Text = TypeVar("_Text")


class Level(enum.IntEnum):
    """Precedence of a text; higher binds more tightly."""

    BITWISE = 1
    COMPARISON = 2
    SHIFT = 3
    SUM = 4
    PRODUCT = 5
    UNARY = 6
    PRIMARY = 7


_SIGNS = {UnaryOp.NEG: "-", UnaryOp.NOT: "!", UnaryOp.INVERT: "~"}
_ARITHMETIC = {
    BinaryOp.ADD: ("+", Level.SUM), BinaryOp.SUB: ("-", Level.SUM), BinaryOp.MUL: ("*", Level.PRODUCT),
    BinaryOp.DIV: ("/", Level.PRODUCT), BinaryOp.TRUNC_DIV: ("/", Level.PRODUCT),
    BinaryOp.TRUNC_REM: ("%", Level.PRODUCT),
}  # fmt: skip
_COMPARISONS = {
    BinaryOp.EQ: "==", BinaryOp.NE: "!=", BinaryOp.LT: "<", BinaryOp.LE: "<=", BinaryOp.GT: ">", BinaryOp.GE: ">=",
}  # fmt: skip
# Both sides are pure, so `&` and `|` are used for bools too: naga generates branches for `&&` and `||`.
_BITWISE = {
    BinaryOp.BIT_AND: "&", BinaryOp.BIT_OR: "|", BinaryOp.BIT_XOR: "^", BinaryOp.AND: "&", BinaryOp.OR: "|",
}  # fmt: skip
_SHIFTS = {BinaryOp.SHL: "<<", BinaryOp.SHR: ">>"}

_SAME_NAME = {
    MathOp.ABS: "abs", MathOp.FLOOR: "floor", MathOp.CEIL: "ceil", MathOp.ROUND: "round", MathOp.TRUNC: "trunc",
    MathOp.FRACT: "fract", MathOp.SQRT: "sqrt", MathOp.RSQRT: "inverseSqrt", MathOp.EXP: "exp", MathOp.EXP2: "exp2",
    MathOp.LOG: "log", MathOp.LOG2: "log2", MathOp.SIN: "sin", MathOp.COS: "cos", MathOp.TAN: "tan",
    MathOp.COSH: "cosh", MathOp.FMA: "fma", MathOp.DOT: "dot",
    MathOp.POPCOUNT: "countOneBits", MathOp.CLZ: "countLeadingZeros", MathOp.CTZ: "countTrailingZeros",
    MathOp.REVERSE_BITS: "reverseBits",
}  # fmt: skip
_OWN_FUNCTION = {
    MathOp.SIGN: "sign", MathOp.STEP: "step", MathOp.MIX: "mix", MathOp.POW: "pow", MathOp.ISNAN: "is_nan",
    MathOp.ISINF: "is_inf", MathOp.SINH: "sinh", MathOp.TANH: "tanh", MathOp.ASIN: "asin", MathOp.ACOS: "acos",
    MathOp.ATAN: "atan", MathOp.ATAN2: "atan2", MathOp.ERF: "erf", MathOp.FMOD: "fmod",
}  # fmt: skip
_WITH_SPECIALS = frozenset({MathOp.EXP, MathOp.EXP2, MathOp.COSH, MathOp.LOG, MathOp.LOG2, MathOp.SQRT})
_BIT_COUNTS = frozenset({MathOp.POPCOUNT, MathOp.CLZ, MathOp.CTZ, MathOp.REVERSE_BITS})
# SPIR-V's extended instructions define these for 16 and 32 bits only.
_NOT_IN_F64 = frozenset({
    MathOp.EXP, MathOp.EXP2, MathOp.LOG, MathOp.LOG2, MathOp.POW, MathOp.SIN, MathOp.COS, MathOp.TAN, MathOp.ASIN,
    MathOp.ACOS, MathOp.ATAN, MathOp.ATAN2, MathOp.SINH, MathOp.COSH, MathOp.TANH, MathOp.ERF,
})  # fmt: skip


class Expressions:
    """Writes the expressions of one kernel. `span` is the source location for errors."""

    def __init__(
        self, names: Names, functions: Functions, is_nonnegative: Callable[[ir.Expr], bool] = lambda expr: False
    ) -> None:
        """`is_nonnegative` says whether an integer expression is known to be >= 0, which simplifies a division."""
        self.span: Span | None = None
        self._is_nonnegative = is_nonnegative
        self._names = names
        self._functions = functions
        self._hiding = False  # inside an expression of constants only, which WGSL would evaluate by other rules

    def text(self, expr: ir.Expr, level: Level = Level.BITWISE) -> str:
        """`expr`, in parentheses unless it binds at least as tightly as `level`."""
        text, own = self._leveled(expr)
        return text if own >= level else f"({text})"

    def argument(self, expr: ir.Expr) -> str:
        """`expr` as an argument of a call."""
        text, own = self._leveled(expr)
        return f"({text})" if own is Level.COMPARISON else text

    def _leveled(self, expr: ir.Expr) -> tuple[str, Level]:
        if isinstance(expr, ir.Splat) and isinstance(expr.type, ir.CooperativeType):
            return f"{type_name(expr.type)}()", Level.PRIMARY  # zeros: there is no other
        if not self._hiding and isinstance(expr, _COMPUTES) and _is_constant(expr):
            self._hiding = True
            try:
                return self._write(expr)
            finally:
                self._hiding = False
        return self._write(expr)

    def _write(self, expr: ir.Expr) -> tuple[str, Level]:
        match expr:
            case ir.Constant():
                return self._constant(expr)
            case ir.Value() | ir.Local():
                return self._names.name(expr.id, expr.name), Level.PRIMARY
            case ir.Param():
                return self._names.name(("param", expr.index), expr.name), Level.PRIMARY
            case ir.Builtin():
                return self.builtin(expr), Level.PRIMARY
            case ir.Unary():
                return self._unary(expr)
            case ir.Binary():
                return self._binary(expr)
            case ir.Call():
                return self._call(expr)
            case _:
                return self._plain(expr)

    def _plain(self, expr: ir.Expr) -> tuple[str, Level]:
        match expr:
            case ir.Select():
                parts = (expr.if_false, expr.if_true, expr.condition)
                return f"select({', '.join(map(self.argument, parts))})", Level.PRIMARY
            case ir.Construct():
                return f"{type_name(expr.type)}({', '.join(map(self.argument, expr.components))})", Level.PRIMARY
            case ir.Splat():
                return f"{type_name(expr.type)}({self.argument(expr.operand)})", Level.PRIMARY
            case ir.Extract():
                return f"{self.text(expr.vector, Level.PRIMARY)}.{'xyzw'[expr.index]}", Level.PRIMARY
            case ir.Convert():
                text = wgsl_conversions.convert(
                    self._functions, self.argument(expr.operand), expr.operand.type, expr.type
                )
                return text, Level.PRIMARY
            case ir.Bitcast():
                text = wgsl_bits.bitcast(self._functions, self.argument(expr.operand), expr.operand.type, expr.type)
                return text, Level.PRIMARY
            case _:
                raise self.error(f"WGSL has no form for {type(expr).__name__}")

    def builtin(self, expr: ir.Builtin) -> str:
        """The name to which a builtin is bound at the start of the kernel."""
        axis = "" if expr.kind in SUBGROUP_BUILTINS else f"_{'xyz'[expr.axis]}"
        return self._names.name(("builtin", expr.kind, expr.axis), f"{expr.kind.value}{axis}")

    def entry(self, table: Mapping[_Operation, _Text], op: _Operation) -> _Text:
        """The entry for an operation in a table of the emitter. Raises EmitError."""
        found = table.get(op)
        if found is None:
            raise self.error(f"WGSL has no form for the operation {op.value}", "run the kernel on another backend")
        return found

    def error(self, message: str, fix: str = "") -> EmitError:
        """An EmitError at the current statement."""
        return EmitError("GP601", message, self.span, fix=fix)

    def _constant(self, expr: ir.Constant) -> tuple[str, Level]:
        if needs_bits(expr.value):
            bits = nonfinite_bits(float(expr.value), expr.type)
            if expr.type == F64:
                return self._functions.call("bits", F64, f"{bits:#x}lu"), Level.PRIMARY
            text = self._functions.call("bits", F32, f"{bits:#x}u")
            return (f"f16({text})" if expr.type == F16 else text), Level.PRIMARY
        if (
            expr.type == F32
            and expr.value == 0
            and math.copysign(1, expr.value) < 0
            and self._has(Defect.CONSTANT_ZERO)
        ):
            return self._functions.call("bits", F32, "0x80000000u"), Level.PRIMARY
        text = literal(expr.value, expr.type)
        if self._hiding:
            return self._functions.call("opaque", expr.type, text), Level.PRIMARY
        return text, Level.UNARY if text.startswith("-") else Level.PRIMARY

    def _unary(self, expr: ir.Unary) -> tuple[str, Level]:
        scalar = scalar_of(expr.type)
        operand = self.text(expr.operand, Level.PRIMARY)
        if expr.op is UnaryOp.NEG and scalar.kind is ScalarKind.UINT:  # WGSL negates only signed numbers
            zero = f"{type_name(expr.type)}({literal(0, scalar)})"
            return f"{zero} - {operand}", Level.SUM
        sign = self.entry(_SIGNS, expr.op)
        return f"{sign}{operand}", Level.UNARY

    def _binary(self, expr: ir.Binary) -> tuple[str, Level]:
        scalar = scalar_of(expr.left.type)
        if expr.op in _SHIFTS:
            return self._shift(expr)
        if expr.op in DIVISIONS:
            return self._division(expr)
        if expr.op in _COMPARISONS:
            return self._comparison(expr)
        if expr.op in _BITWISE:
            if scalar.kind is ScalarKind.BOOL and expr.op is BinaryOp.BIT_XOR:
                return self._infix(expr, "!=", Level.COMPARISON, Level.UNARY, Level.UNARY)
            left = self._text_of_chain(expr.left, expr.op)
            return f"{left} {_BITWISE[expr.op]} {self.text(expr.right, Level.UNARY)}", Level.BITWISE
        if _divides_beyond(expr):
            operands = map(self.argument, (expr.left, expr.right))
            return self._functions.call("divide", expr.type, *operands), Level.PRIMARY
        return self._chain(expr)

    def _chain(self, expr: ir.Binary) -> tuple[str, Level]:
        """A chain of + - * /, walked along its left operands without recursion, because such chains get long."""
        spine, node = [expr], expr.left
        while isinstance(node, ir.Binary) and node.op in _ARITHMETIC and not _stands_alone(node):
            spine.append(node)
            node = node.left
        spine.reverse()
        of_constants = list(itertools.takewhile(lambda binary: _is_constant(binary.right), spine))
        if self._hiding or not of_constants or not _is_constant(node):
            return self._links(self._leveled(node), spine)
        self._hiding = True
        start = self._links(self._leveled(node), of_constants)
        self._hiding = False
        return self._links(start, spine[len(of_constants) :])

    def _links(self, start: tuple[str, Level], links: Sequence[ir.Binary]) -> tuple[str, Level]:
        """`start` followed by the operators and right operands of `links` in order."""
        text, own = start
        for binary in links:
            symbol, level = self.entry(_ARITHMETIC, binary.op)
            left = text if own >= level else f"({text})"
            text, own = f"{left} {symbol} {self.text(binary.right, Level(level + 1))}", level
        return text, own

    def _infix(self, expr: ir.Binary, symbol: str, own: Level, left: Level, right: Level) -> tuple[str, Level]:
        return f"{self.text(expr.left, left)} {symbol} {self.text(expr.right, right)}", own

    def _text_of_chain(self, left: ir.Expr, op: BinaryOp) -> str:
        """The left operand of a bitwise operator: `a & b & c` needs no parentheses."""
        same = isinstance(left, ir.Binary) and left.op is op and scalar_of(left.left.type).kind is not ScalarKind.BOOL
        return self.text(left, Level.BITWISE if same else Level.UNARY)

    def _comparison(self, expr: ir.Binary) -> tuple[str, Level]:
        if expr.op is BinaryOp.NE and scalar_of(expr.left.type).is_float:
            # naga writes the ordered comparison, for which NaN != x is false
            equal, _ = self._infix(expr, "==", Level.COMPARISON, Level.SUM, Level.SUM)
            return f"!({equal})", Level.UNARY
        return self._infix(expr, _COMPARISONS[expr.op], Level.COMPARISON, Level.SUM, Level.SUM)

    def _shift(self, expr: ir.Binary) -> tuple[str, Level]:
        width = scalar_of(expr.type).bits
        left = self.text(expr.left, Level.UNARY)
        vector = isinstance(expr.type, ir.VectorType)
        counts = type_name(ir.with_scalar(expr.type, U32))
        count = expr.right.operand if isinstance(expr.right, ir.Splat) else expr.right
        if isinstance(count, ir.Constant):
            right = literal(int(count.value) % width, U32)
            right = f"{counts}({right})" if vector else right
        else:
            unsigned = expr.right.type == ir.with_scalar(expr.type, U32)
            bits = self.text(expr.right, Level.UNARY) if unsigned else f"{counts}({self.argument(expr.right)})"
            mask = f"{counts}({width - 1}u)" if vector else f"{width - 1}u"
            right = f"({bits} & {mask})"
        return f"{left} {_SHIFTS[expr.op]} {right}", Level.SHIFT

    def _division(self, expr: ir.Binary) -> tuple[str, Level]:
        floors = expr.op in FLOORING
        divides = expr.op in (BinaryOp.FLOOR_DIV, BinaryOp.TRUNC_DIV)
        scalar = scalar_of(expr.type)
        divisor = _constant_divisor(expr.right)
        if divisor == 0:  # a compile-time error in WGSL if it is constant
            return self._leveled(expr.left) if divides else (self._zero(expr.type), Level.PRIMARY)
        signed = scalar.is_signed and not self._both_nonnegative(expr)
        if divisor is not None and divisor > 0 and divisor & (divisor - 1) == 0 and (floors or not signed):
            return self._division_by_power_of_two(expr, divides, divisor)
        if floors and signed:
            name = "floor_div" if divides else "floor_mod"
            return self._functions.call(name, expr.type, *map(self.argument, (expr.left, expr.right))), Level.PRIMARY
        if signed and not divides:
            return self._functions.call(
                "trunc_rem", expr.type, *map(self.argument, (expr.left, expr.right))
            ), Level.PRIMARY
        is_undefined = Defect.UNDEFINED_DIVISION in self._functions.defects
        is_guarded = is_undefined and (divisor is None or divisor == -1)
        if is_guarded or is_in_words(self._functions, expr.type):
            name = "trunc_div" if divides else "trunc_rem"
            return self._functions.call(name, expr.type, *map(self.argument, (expr.left, expr.right))), Level.PRIMARY
        return self._infix(expr, "/" if divides else "%", Level.PRODUCT, Level.PRODUCT, Level.UNARY)

    def _both_nonnegative(self, expr: ir.Binary) -> bool:
        """Whether the operands of a signed division are such that `/` and `%` already floor."""
        return self._is_nonnegative(expr.left) and self._is_nonnegative(expr.right)

    def _division_by_power_of_two(self, expr: ir.Binary, divides: bool, divisor: int) -> tuple[str, Level]:
        """Shift and mask floor, even for negative numbers."""
        vector = isinstance(expr.type, ir.VectorType)
        left = self.text(expr.left, Level.UNARY)
        if divides:
            counts, shift = type_name(ir.with_scalar(expr.type, U32)), f"{divisor.bit_length() - 1}u"
            return f"{left} >> {f'{counts}({shift})' if vector else shift}", Level.SHIFT
        mask = literal(divisor - 1, scalar_of(expr.type))
        return f"{left} & {f'{type_name(expr.type)}({mask})' if vector else mask}", Level.BITWISE

    def _zero(self, type: ir.Type) -> str:
        """A zero that is not a constant, instead of one: WGSL must not evaluate the expression at compile time."""
        scalar = scalar_of(type)
        zero = self._functions.call("opaque", scalar, literal(0, scalar))
        return f"{type_name(type)}({zero})" if isinstance(type, ir.VectorType) else zero

    def _call(self, expr: ir.Call) -> tuple[str, Level]:
        operand_type = expr.args[0].type
        scalar = scalar_of(operand_type)
        if scalar == F64 and expr.op in _NOT_IN_F64:
            raise self.error(f"{expr.op.value} of f64 does not exist in WGSL", "compute it in f32")
        if expr.op in (MathOp.MIN, MathOp.MAX):
            return self._extreme(expr.op.value, expr.args[0], expr.args[1], operand_type), Level.PRIMARY
        if expr.op is MathOp.CLAMP:
            return self._clamp(expr, operand_type), Level.PRIMARY
        arguments = [self.argument(arg) for arg in expr.args]
        if expr.op in _BIT_COUNTS and scalar.bits == 64:
            return self._functions.call(expr.op.value, operand_type, *arguments), Level.PRIMARY
        if scalar.is_integer and expr.op in _INTEGER_FORMS:
            return self._of_integers(expr, arguments, scalar.is_signed)
        if expr.op in _WITH_SPECIALS and scalar == F32 and self._has(Defect.SPECIAL_ARGUMENTS):
            return self._functions.call(expr.op.value, operand_type, *arguments), Level.PRIMARY
        if expr.op in _OWN_FUNCTION:
            return self._functions.call(_OWN_FUNCTION[expr.op], operand_type, *arguments), Level.PRIMARY
        return f"{self.entry(_SAME_NAME, expr.op)}({', '.join(arguments)})", Level.PRIMARY

    def _has(self, defect: Defect) -> bool:
        return defect in self._functions.defects

    def _of_integers(self, expr: ir.Call, arguments: list[str], signed: bool) -> tuple[str, Level]:
        if expr.op is MathOp.FMA:
            a, b, c = expr.args
            product = f"{self.text(a, Level.PRODUCT)} * {self.text(b, Level.UNARY)}"
            return f"{product} + {self.text(c, Level.PRODUCT)}", Level.SUM
        if expr.op is MathOp.SIGN:
            if signed:
                return f"sign({arguments[0]})", Level.PRIMARY
            one = f"{type_name(expr.type)}({literal(1, scalar_of(expr.type))})"
            return f"min({arguments[0]}, {one})", Level.PRIMARY
        return (f"abs({arguments[0]})" if signed else self.text(expr.args[0], Level.PRIMARY)), Level.PRIMARY

    def _extreme(self, name: str, left: ir.Expr, right: ir.Expr, type: ir.Type) -> str:
        if scalar_of(type).is_integer:
            return f"{name}({self.argument(left)}, {self.argument(right)})"
        if _is_number(left):
            left, right = right, left
        name = f"{name}_number" if _is_number(right) else name
        return self._functions.call(name, type, self.argument(left), self.argument(right))

    def _clamp(self, expr: ir.Call, type: ir.Type) -> str:
        x, low, high = expr.args
        if scalar_of(type).is_integer:  # WGSL's clamp is undefined where low > high
            return f"min(max({self.argument(x)}, {self.argument(low)}), {self.argument(high)})"
        inner = self._extreme("max", x, low, type)
        name = "min_number" if _is_number(high) else "min"
        return self._functions.call(name, type, inner, self.argument(high))


_COMPUTES = (ir.Unary, ir.Binary, ir.Call, ir.Convert, ir.Bitcast)
_INTEGER_FORMS = frozenset({MathOp.FMA, MathOp.SIGN, MathOp.ABS})


def _is_constant(expr: ir.Expr) -> bool:
    """Whether every leaf of an expression is a Constant."""
    pending = [expr]
    while pending:
        node = pending.pop()
        parts = walk.children(node)
        if not parts and not isinstance(node, ir.Constant):
            return False
        pending.extend(parts)
    return True


def _constant_divisor(expr: ir.Expr) -> int | None:
    """The value of a divisor that is a constant, scalar or in every component."""
    expr = expr.operand if isinstance(expr, ir.Splat) else expr
    return int(expr.value) if isinstance(expr, ir.Constant) else None


def _is_number(expr: ir.Expr) -> bool:
    """Whether a float expression is a constant other than NaN."""
    expr = expr.operand if isinstance(expr, ir.Splat) else expr
    return isinstance(expr, ir.Constant) and expr.value == expr.value


def _stands_alone(expr: ir.Binary) -> bool:
    """Whether an arithmetic operator is written as a call, so that a chain of operators ends there."""
    return expr.op in DIVISIONS or _divides_beyond(expr)


def _divides_beyond(expr: ir.Binary) -> bool:
    """Whether the divisor may be outside the range that Vulkan guarantees: f32 from 2**-126 to 2**126."""
    if expr.op is not BinaryOp.DIV or scalar_of(expr.type) != F32:
        return False
    divisor = expr.right.operand if isinstance(expr.right, ir.Splat) else expr.right
    return not (isinstance(divisor, ir.Constant) and 2.0**-126 <= abs(divisor.value) <= 2.0**126)
