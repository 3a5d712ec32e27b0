"""Operators and conversions with the IR's meaning: wrapping, floor division that is defined everywhere, saturation."""

from __future__ import annotations

from gpucore.plugin.ir import (
    BOOL,
    DIVISIONS,
    F32,
    I32,
    QUOTIENTS,
    BinaryOp,
    ScalarKind,
    ScalarType,
    Type,
    UnaryOp,
    VectorType,
    scalar_of,
    with_scalar,
)
from gpucore_cpu.assembly import FunctionText, ModuleText
from gpucore_cpu.layout import literal, llvm_type, suffix

SLOW = DIVISIONS | {BinaryOp.DIV}
"""Operations that take many times as long as the others."""

_FLOAT = {BinaryOp.ADD: "fadd contract", BinaryOp.SUB: "fsub contract", BinaryOp.MUL: "fmul contract",
          BinaryOp.DIV: "fdiv"}  # fmt: skip
_INTEGER = {BinaryOp.ADD: "add", BinaryOp.SUB: "sub", BinaryOp.MUL: "mul"}
_BITS = {BinaryOp.BIT_AND: "and", BinaryOp.BIT_OR: "or", BinaryOp.BIT_XOR: "xor", BinaryOp.AND: "and",
         BinaryOp.OR: "or"}  # fmt: skip
_COMPARE_FLOAT = {BinaryOp.EQ: "oeq", BinaryOp.NE: "une", BinaryOp.LT: "olt", BinaryOp.LE: "ole",
                  BinaryOp.GT: "ogt", BinaryOp.GE: "oge"}  # fmt: skip
_COMPARE_INTEGER = {BinaryOp.EQ: "eq", BinaryOp.NE: "ne", BinaryOp.LT: "lt", BinaryOp.LE: "le",
                    BinaryOp.GT: "gt", BinaryOp.GE: "ge"}  # fmt: skip


class Arithmetic:
    """Writes operations on operands that are already in registers."""

    def __init__(self, code: FunctionText, module: ModuleText) -> None:
        self.code, self.module = code, module

    def call(self, name: str, result: Type, *arguments: tuple[str, str]) -> str:
        """Call a function without effects; arguments are (LLVM type, operand)."""
        self.module.declare(name, llvm_type(result), [kind for kind, _ in arguments])
        listed = ", ".join(f"{kind} {operand}" for kind, operand in arguments)
        return self.code.define(f"call {llvm_type(result)} @{name}({listed})")

    def select(self, condition: str, condition_type: Type, type: Type, if_true: str, if_false: str) -> str:
        kind = llvm_type(type)
        return self.code.define(f"select {llvm_type(condition_type)} {condition}, {kind} {if_true}, {kind} {if_false}")

    def negate(self, op: UnaryOp, type: Type, operand: str) -> str:
        """A unary operator."""
        kind = llvm_type(type)
        match op:
            case UnaryOp.NEG if scalar_of(type).is_float:
                return self.code.define(f"fneg {kind} {operand}")
            case UnaryOp.NEG:
                return self.code.define(f"sub {kind} {literal(0, type)}, {operand}")
            case UnaryOp.NOT:
                return self.code.define(f"xor {kind} {operand}, {literal(True, type)}")
            case UnaryOp.INVERT:
                return self.code.define(f"xor {kind} {operand}, {literal(-1, type)}")
            case _:
                raise self.code.missing(f"operator {op.value}")

    def binary(self, op: BinaryOp, type: Type, left: str, right: str, no_wrap: bool = False) -> str:
        """A binary operator on two operands of `type`. `no_wrap`: the caller has proven that + - * do not overflow."""
        scalar, kind = scalar_of(type), llvm_type(type)
        if op in _COMPARE_INTEGER:
            return self._compare(op, type, left, right)
        if scalar.is_float:
            if op not in _FLOAT:
                raise self.code.missing(f"operator {op.value} of {type}")
            return self.code.define(f"{_FLOAT[op]} {kind} {left}, {right}")
        if op in _BITS:
            return self.code.define(f"{_BITS[op]} {kind} {left}, {right}")
        if op in _INTEGER:
            flag = ("nsw " if scalar.is_signed else "nuw ") if no_wrap else ""
            return self.code.define(f"{_INTEGER[op]} {flag}{kind} {left}, {right}")
        if op in (BinaryOp.SHL, BinaryOp.SHR):
            count = self.code.define(f"and {kind} {right}, {literal(scalar.bits - 1, type)}")
            name = "shl" if op is BinaryOp.SHL else "ashr" if scalar.is_signed else "lshr"
            return self.code.define(f"{name} {kind} {left}, {count}")
        if op not in DIVISIONS:
            raise self.code.missing(f"operator {op.value} of {type}")
        divide = self._divide_signed if scalar.is_signed else self._divide_unsigned
        return divide(op, type, left, right)

    def divide_plainly(self, op: BinaryOp, type: Type, left: str, right: str) -> str:
        """Division or remainder of a dividend >= 0 by a divisor > 0: floor and truncation agree."""
        name = "udiv" if op in QUOTIENTS else "urem"
        return self.code.define(f"{name} {llvm_type(type)} {left}, {right}")

    def _compare(self, op: BinaryOp, type: Type, left: str, right: str) -> str:
        scalar, kind = scalar_of(type), llvm_type(type)
        if scalar.is_float:
            return self.code.define(f"fcmp {_COMPARE_FLOAT[op]} {kind} {left}, {right}")
        sign = "" if op in (BinaryOp.EQ, BinaryOp.NE) else "s" if scalar.is_signed else "u"
        return self.code.define(f"icmp {sign}{_COMPARE_INTEGER[op]} {kind} {left}, {right}")

    def _divide_unsigned(self, op: BinaryOp, type: Type, left: str, right: str) -> str:
        """A divisor of 0 is replaced by 1, which gives x // 0 = x and x % 0 = 0."""
        kind, flags = llvm_type(type), with_scalar(type, BOOL)
        is_zero = self.code.define(f"icmp eq {kind} {right}, {literal(0, type)}")
        divisor = self.select(is_zero, flags, type, literal(1, type), right)
        return self.divide_plainly(op, type, left, divisor)

    def _divide_signed(self, op: BinaryOp, type: Type, left: str, right: str) -> str:
        """Divisors 0 and -1 are replaced by 1: both are special cases, and INT_MIN / -1 would trap."""
        code, kind, flags = self.code, llvm_type(type), with_scalar(type, BOOL)
        is_zero = code.define(f"icmp eq {kind} {right}, {literal(0, type)}")
        is_minus_one = code.define(f"icmp eq {kind} {right}, {literal(-1, type)}")
        is_special = code.define(f"or {llvm_type(flags)} {is_zero}, {is_minus_one}")
        divisor = self.select(is_special, flags, type, literal(1, type), right)
        remainder = code.define(f"srem {kind} {left}, {divisor}")
        if op is BinaryOp.TRUNC_REM:
            return remainder
        has_rest = code.define(f"icmp ne {kind} {remainder}, {literal(0, type)}")
        mixed = code.define(f"xor {kind} {remainder}, {divisor}")
        signs_differ = code.define(f"icmp slt {kind} {mixed}, {literal(0, type)}")
        must_step = code.define(f"and {llvm_type(flags)} {has_rest}, {signs_differ}")
        if op is BinaryOp.FLOOR_MOD:
            step = self.select(must_step, flags, type, divisor, literal(0, type))
            return code.define(f"add {kind} {remainder}, {step}")
        quotient = code.define(f"sdiv {kind} {left}, {divisor}")
        if op is BinaryOp.FLOOR_DIV:
            step = self.select(must_step, flags, type, literal(-1, type), literal(0, type))
            quotient = code.define(f"add {kind} {quotient}, {step}")
        negated = code.define(f"sub {kind} {literal(0, type)}, {left}")
        return self.select(is_minus_one, flags, type, negated, quotient)

    # ------------------------------------------------------------ conversions

    def convert(self, operand: str, source: Type, target: Type) -> str:
        """Convert by the IR's rules; vectors component by component."""
        old, new = scalar_of(source), scalar_of(target)
        if llvm_type(source) == llvm_type(target):
            return operand
        if new.kind is ScalarKind.BOOL:
            return self._to_bool(operand, source)
        if old.is_float and new.is_integer:
            if old.bits == 16:  # LLVM 22 has wrong results for i16 on processors that compute with f16
                wide = with_scalar(source, F32)
                return self.convert(self.cast("fpext", operand, source, wide), wide, target)
            name = "fptosi" if new.is_signed else "fptoui"
            if isinstance(source, VectorType):
                return self._saturated(name, operand, source, target)
            intrinsic = f"llvm.{name}.sat.{suffix(target)}.{suffix(source)}"
            return self.call(intrinsic, target, (llvm_type(source), operand))
        if (old.bits, new.bits) == (64, 16) and old.is_float and new.is_float:
            return self._narrow_to_half(operand, source, target)
        return self.cast(_cast_name(old, new), operand, source, target)

    def _saturated(self, name: str, operand: str, source: VectorType, target: Type) -> str:
        """A vector of floats as integers. LLVM converts the elements one by one where it has to saturate them."""
        code, kind, wide, flags = self.code, llvm_type(source), llvm_type(target), llvm_type(with_scalar(source, BOOL))
        new = scalar_of(target)
        least, beyond = literal(float(new.min_value), source), literal(float(new.max_value + 1), source)
        is_less = code.define(f"fcmp ogt {kind} {least}, {operand}")
        operand = code.define(f"select {flags} {is_less}, {kind} {least}, {kind} {operand}")
        is_inside = code.define(f"fcmp olt {kind} {operand}, {beyond}")
        inside = code.define(f"select {flags} {is_inside}, {kind} {operand}, {kind} {literal(0.0, source)}")
        is_beyond = code.define(f"fcmp oge {kind} {operand}, {beyond}")
        number = self.cast(name, inside, source, target)
        return code.define(f"select {flags} {is_beyond}, {wide} {literal(new.max_value, target)}, {wide} {number}")

    def cast(self, name: str, operand: str, source: Type, target: Type) -> str:
        return self.code.define(f"{name} {llvm_type(source)} {operand} to {llvm_type(target)}")

    def _to_bool(self, operand: str, source: Type) -> str:
        compare = "fcmp une" if scalar_of(source).is_float else "icmp ne"
        return self.code.define(f"{compare} {llvm_type(source)} {operand}, {literal(0, source)}")

    def _narrow_to_half(self, operand: str, source: Type, target: Type) -> str:
        """f64 to f16 by way of f32. Double rounding is correct if the first step rounds to odd. A direct conversion
        would need a function that some hosts' run-time libraries lack."""
        code, middle = self.code, with_scalar(source, F32)
        bits, flags = with_scalar(source, I32), with_scalar(source, BOOL)
        nearest = self.cast("fptrunc", operand, source, middle)
        back = self.cast("fpext", nearest, middle, source)
        kind = llvm_type(source)
        inexact = code.define(f"fcmp one {kind} {back}, {operand}")
        magnitude = self.call(f"llvm.fabs.{suffix(source)}", source, (kind, operand))
        magnitude_back = self.call(f"llvm.fabs.{suffix(source)}", source, (kind, back))
        too_far = code.define(f"fcmp ogt {kind} {magnitude_back}, {magnitude}")
        pattern = self.cast("bitcast", nearest, middle, bits)
        one_less = code.define(f"sub {llvm_type(bits)} {pattern}, {literal(1, bits)}")
        toward_zero = self.select(too_far, flags, bits, one_less, pattern)
        odd = code.define(f"or {llvm_type(bits)} {toward_zero}, {literal(1, bits)}")
        chosen = self.select(inexact, flags, bits, odd, pattern)
        return self.cast("fptrunc", self.cast("bitcast", chosen, bits, middle), middle, target)


def _cast_name(old: ScalarType, new: ScalarType) -> str:
    if old.is_float:
        return "fpext" if new.bits > old.bits else "fptrunc"
    if new.is_float:
        return "sitofp" if old.is_signed else "uitofp"
    if old.kind is not ScalarKind.BOOL and new.bits < old.bits:
        return "trunc"
    return "sext" if old.is_signed else "zext"
